/*
 * Duplicates on a GPU: what its kernels work on. Records are numbered as in akin_records. Each column that is compared
 * has for each record a shape and its symbols, code points of 1, 2 or 4 bytes, as the largest one needs:
 *
 *     texts --> lengths --> shapes, symbols --> keys of windows, sorted
 *                                |
 *     lists of partners, or groups of all records --> SCREEN by lengths and bags --> candidates --> SCORE --> pairs
 */
#ifndef AKIN_DEDUPE_GPU_KERNELS_H
#define AKIN_DEDUPE_GPU_KERNELS_H

#include "strings/average.h"
#include "dedupe/leveling.h"
#include "dedupe/pairs_form.h"
#include "device/backend.h"
#include "strings/comparator.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AKIN_GPU_ATTRIBUTES 16
#define AKIN_GPU_SELECTORS  16
#define AKIN_GPU_LONGEST    512 /* symbols of a value that a kernel compares */
#define AKIN_GPU_BINS       1024
#define AKIN_GPU_GROUP      32
#define AKIN_GPU_PREFIXES   5 /* as AKIN_PREFIXES */

/* ------------------------------------------------------------------------------------------------------------ texts */

/* A column of a table on the device, as it is on the host; `first`: the record that its first row is. */
typedef struct akin_gpu_texts {
    const char *bytes;       /* from offsets[0] on */
    const uint64_t *offsets; /* rows + 1 */
    const uint8_t *validity; /* a bit for each row; NULL: all are valid */
    uint32_t rows, first;
} akin_gpu_texts;

/* What a column's texts are found to be. */
typedef struct akin_gpu_survey {
    uint32_t longest;                       /* symbols */
    uint32_t point;                         /* the highest one */
    uint32_t unfit;                         /* values that are not UTF-8, or too long */
    uint32_t lengths[AKIN_GPU_LONGEST + 1]; /* values of each length */
    uint32_t bins[AKIN_GPU_BINS];           /* symbols of some of them, by AKIN_GPU_BIN */
} akin_gpu_survey;

/* Symbols are counted, and given a kind (strings/bag.h), by bins: those of Latin scripts have their own. */
#define AKIN_GPU_BIN(point) ((point) < AKIN_GPU_BINS / 2 ? (point) : AKIN_GPU_BINS / 2 + (point) % (AKIN_GPU_BINS / 2))

/* What is known of a value; length 0: it is missing. Two heads have at least as many first bytes in common as the
 * values have first symbols. */
typedef struct akin_gpu_shape {
    uint64_t words[4]; /* the bag */
    uint64_t at;       /* its first symbol */
    uint32_t head, length;
} akin_gpu_shape;

typedef struct akin_gpu_column {
    akin_gpu_shape *shapes;
    void *symbols;
    uint32_t width; /* of a symbol: 1, 2 or 4 bytes */
    uint32_t count; /* records */
} akin_gpu_column;

/* Keys to sort by, as keys.c makes them, which are 0 where there is none; or codes to compare, which are 1 where a
 * value has none. */
typedef enum akin_gpu_key { AKIN_GPU_NO_KEY, AKIN_GPU_SIMPLE, AKIN_GPU_SOUNDEX, AKIN_GPU_CODE } akin_gpu_key;

/* ---------------------------------------------------------------------------------------------------------- scoring */

/* How a column is compared. */
typedef struct akin_gpu_attribute {
    akin_comparator_form form;
    int by_prefix;
    uint32_t width, longest;
    const akin_gpu_shape *shapes;
    const void *symbols;
    const int16_t *limits; /* as akin_scored has them; NULL: nothing is ruled out */
    const uint32_t *codes; /* Soundex: 0: missing; 1: without a code */
    const double *numbers; /* NAN: missing */
    akin_cutoff cutoff;    /* what values must reach to count: akin_scored's `least`; */
    uint64_t least;        /* and in units of 2^-40 */
    uint64_t units;        /* the weight, in 10^-9 */
    double weight;
    akin_number_scale scale;
} akin_gpu_attribute;

/* The comparisons of a job that learns; none: similarities are kept. */
typedef struct akin_gpu_gathering {
    uint32_t count;
    akin_leveled comparisons[AKIN_GPU_ATTRIBUTES];
    uint32_t members[AKIN_GPU_ATTRIBUTES];
    double cuts[AKIN_LEVEL_CUTS];
} akin_gpu_gathering;

typedef struct akin_gpu_scoring {
    akin_gpu_attribute attributes[AKIN_GPU_ATTRIBUTES];
    uint32_t order[AKIN_GPU_ATTRIBUTES];
    uint32_t count;
    int missing;           /* an akin_missing */
    int gathers;           /* every pair is kept, with all its similarities: weights are learnt from them */
    uint32_t threshold;    /* of averages, in 10^-9 */
    double weights, least; /* least: the threshold, or a little less */
    uint64_t evidence;     /* what the weights that count must come to, in 10^-9 */
    akin_gpu_gathering gathering;
} akin_gpu_scoring;

/* The bytes that are kept of a pair beside its records. */
static inline uint64_t akin_gpu_kept(const akin_gpu_scoring *scoring)
{
    return scoring->gathering.count > 0 ? scoring->gathering.count : scoring->count * sizeof(double);
}

/* -------------------------------------------------------------------------------------------------------- selection */

/* A selector (selection.h) on the device; of all pairs the arrays are NULL. */
typedef struct akin_gpu_selector {
    akin_pairs_form form;
    uint32_t window, count;
    const uint32_t *order, *places;
    const uint64_t *starts;
} akin_gpu_selector;

/* A pair of records. */
typedef struct akin_gpu_candidate {
    uint32_t a, b;
} akin_gpu_candidate;

/* What a screen did. */
typedef struct akin_gpu_told {
    unsigned long long candidates; /* listed, or not listed because the list was full */
    unsigned long long pairs, fresh;
    unsigned long long began, late; /* by the clock of the device; late: it was given up */
    unsigned long long met, near;   /* of groups: pairs whose bags were compared, and those that half a bag lets pass */
    unsigned long long found, compared;
} akin_gpu_told;

/* What both screens have in common: pairs that a selector before `at` selects are left out. */
typedef struct akin_gpu_screen {
    akin_gpu_scoring scoring;
    akin_gpu_selector selectors[AKIN_GPU_SELECTORS];
    uint32_t at, border; /* border: records of the left of two tables, or 0 */
    akin_gpu_candidate *list;
    uint64_t room;
    akin_gpu_told *tally;
} akin_gpu_screen;

/* Records sorted by the length of one attribute, the driver, in groups of up to 32 of one length. */
typedef struct akin_gpu_group {
    uint32_t first, filled, length;
} akin_gpu_group;

typedef struct akin_gpu_grouped {
    const akin_gpu_group *groups;
    const uint32_t *order; /* the record at each place */
    uint64_t *words[2];    /* the first two of the driver's bag, and its head, at each place */
    uint32_t *heads;
    uint32_t group_count, count;
} akin_gpu_grouped;

/* A rectangle of groups that meet. */
typedef struct akin_gpu_meeting {
    akin_gpu_grouped probes, others;
    const uint32_t *reach; /* of each length of a probe two: the first other group that it meets, and the end of them */
    uint32_t driver;       /* an attribute */
    uint32_t earlier; /* bits of attributes that were drivers before; what one of them does not rule out is left out */
    int same;         /* probes and others are one side: each pair is met once */
    uint32_t probe_first, probe_end, other_first, other_end, chunk;
    uint32_t widest;   /* other groups that any of these probes meets, at most */
    uint64_t patience; /* nanoseconds after which it is given up */
} akin_gpu_meeting;

/* ---------------------------------------------------------------------------------------------------------- scoring */

/* The kernels that make shapes, symbols and keys of texts. */
typedef struct akin_dedupe_texts_kernels {
    /* Later: counts the symbols of each value, in lengths[record], and adds to the survey. */
    akin_status (*measure)(akin_device_stream *stream, const akin_gpu_texts *texts, uint32_t *lengths,
                           akin_gpu_survey *survey, akin_error *error);

    /* Later: makes the shapes and symbols of a table's values. starts[record] is where a record's symbols begin; kinds
     * has one for each bin, of `deep` or broad bags. */
    akin_status (*shape_texts)(akin_device_stream *stream, const akin_gpu_texts *texts, const uint32_t *lengths,
                               const uint64_t *starts, const uint8_t *kinds, int deep, const akin_gpu_column *column,
                               akin_error *error);

    /* Later: the keys of all records; and `order` as the records are, unless it is NULL. */
    akin_status (*keys)(akin_device_stream *stream, const akin_gpu_column *column, akin_gpu_key key, uint32_t *keys,
                        uint32_t *order, akin_error *error);

    /* Later: places[order[i]] = i. */
    akin_status (*invert)(akin_device_stream *stream, const uint32_t *order, uint32_t count, uint32_t *places,
                          akin_error *error);

    /* Later: the lengths of `count` records from `first` on, and `order` as the records are. */
    akin_status (*lengths)(akin_device_stream *stream, const akin_gpu_column *column, uint32_t first, uint32_t count,
                           uint32_t *lengths, uint32_t *order, akin_error *error);
} akin_dedupe_texts_kernels;

extern const akin_dedupe_texts_kernels akin_cuda_dedupe_texts; /* of a build with CUDA */

/* The kernels that screen pairs. */
typedef struct akin_dedupe_screen_kernels {
    /* Later: adds to passed[i] in how many of the pairs attribute i does not rule out that its threshold is reached. */
    akin_status (*sample)(akin_device_stream *stream, const akin_gpu_scoring *scoring, const uint32_t *pairs,
                          uint32_t count, uint32_t passed[AKIN_GPU_ATTRIBUTES], akin_error *error);

    /* Later: screens the records at places first to end - 1 of selector `at`, each with its partners from, to - 1 of
     * its list. There is room for all. */
    akin_status (*screen_lists)(akin_device_stream *stream, const akin_gpu_screen *screen, uint32_t first, uint32_t end,
                                uint64_t from, uint64_t to, akin_error *error);

    /* Later: fills words and heads. */
    akin_status (*group_records)(akin_device_stream *stream, const akin_gpu_shape *shapes,
                                 const akin_gpu_grouped *grouped, akin_error *error);

    /* Later: screens all pairs of a rectangle whose driver does not rule out that its threshold is reached. */
    akin_status (*screen_groups)(akin_device_stream *stream, const akin_gpu_screen *screen,
                                 const akin_gpu_meeting *meeting, akin_error *error);
} akin_dedupe_screen_kernels;

extern const akin_dedupe_screen_kernels akin_cuda_dedupe_screen; /* of a build with CUDA */

/* The kernel that scores pairs. */
typedef struct akin_dedupe_score_kernels {
    /* Later: scores candidates; pairs that reach the threshold go to pairs[] and kept[], with room for all, in any
     * order: `scoring->count` similarities a pair, double, or `scoring->gathering.count` levels, uint8_t. tally: found,
     * compared. */
    akin_status (*score)(akin_device_stream *stream, const akin_gpu_scoring *scoring,
                         const akin_gpu_candidate *candidates, uint64_t count, uint32_t border, akin_scored_pair *pairs,
                         void *kept, akin_gpu_told *tally, akin_error *error);
} akin_dedupe_score_kernels;

extern const akin_dedupe_score_kernels akin_cuda_dedupe_score; /* of a build with CUDA */

#ifdef __cplusplus
}
#endif

#endif
