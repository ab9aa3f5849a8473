/*
 * Many comparisons in the lanes of SIMD registers: the bit-parallel comparators of edit.c and jaro.c, one text a lane,
 * with one pattern for all of them, or a pattern for each. For strings whose symbols are bytes. One version for each
 * SIMD level; all give what the comparators for one pair give.
 */
#ifndef AKIN_STRINGS_LANES_H
#define AKIN_STRINGS_LANES_H

#include "base/scope.h"
#include "strings/jaro.h"

#define AKIN_LANES         16   /* at most */
#define AKIN_LANES_LONGEST 512  /* symbols of a text, and of the pattern; */
#define AKIN_LANES_TALLEST 4096 /* where distances of one pattern are wanted */
#define AKIN_LANES_WORDS   8    /* of 64 bits: of the pattern */
#define AKIN_LANES_ALIGN   64   /* of a register, at most; bytes */
#define AKIN_LANES_ROOM    (AKIN_LANES_ALIGN * AKIN_LANES_WORDS * AKIN_LANES_LONGEST)
#define AKIN_LANES_FEW     32 /* slots that a level may hold in registers: of distinct symbols, and one for none */

typedef struct akin_lanes_job {
    const uint8_t *symbols;  /* of all texts; AKIN_BATCH_PAD bytes may be read beyond the last */
    const uint64_t *at;      /* where each text begins, ascending */
    const uint32_t *lengths; /* ascending or equal, and above 0 */
    uint32_t count;          /* of texts; at, lengths and bound go on with AKIN_LANES copies of the last one */
    const uint8_t *pattern;  /* its symbols; 255 is no symbol */
    uint32_t length;         /* of the pattern, at least 1 */
    const uint32_t *bound;   /* of each text: the most edits, not descending; or the least number of matches */
    /* For matches; NULL: none. Of each text what `rest` of akin_scan_limits is: where it shows that too many matches
     * are out of order, the text need not be kept. It goes on as `bound` does. */
    const float *rest;
    /* For matches; NULL: they are not wanted. Receives the texts with enough matches, ascending, with room for
     * AKIN_LANES more, and how many they are. */
    uint32_t *kept, *kept_count;
    void *room; /* akin_lanes_room() bytes, aligned to AKIN_LANES_ALIGN, for Jaro's matches and long patterns */
} akin_lanes_job;

/* The room of jobs with patterns and texts of such lengths, at most. */
static inline size_t akin_lanes_room(uint32_t pattern, uint32_t text)
{
    const size_t segments = (pattern + AKIN_LANES_LONGEST - 1) / AKIN_LANES_LONGEST,
                 places = segments * AKIN_LANES_WORDS * 256 * sizeof(uint64_t),
                 carries = (size_t)3 * AKIN_LANES_ALIGN * text;
    return pattern > AKIN_LANES_LONGEST && places + carries > AKIN_LANES_ROOM ? places + carries : AKIN_LANES_ROOM;
}

/* A pair of strings. The symbols 255 of the text stand nowhere in the pattern, which has none. */
typedef struct akin_lanes_pair {
    const uint8_t *pattern, *text;
    uint32_t rows, length; /* symbols of the pattern and of the text, 1 to AKIN_LANES_LONGEST */
} akin_lanes_pair;

/* Pairs in the order of the lengths of their texts. Patterns of about as many rows are fastest. */
typedef struct akin_lanes_pairs {
    const akin_lanes_pair *pairs; /* in any order, */
    const uint16_t *order;        /* and the pairs to compare, in theirs, */
    uint32_t count;               /* so many, above 0; results have room for 2 * AKIN_LANES more */
    uint32_t rows;                /* of a pattern, at most */
    /* Of each pair: the most edits, or the least number of matches. NULL: edits have no bound, or matches bound 0. */
    const uint32_t *bound;
    void *room; /* AKIN_LANES_ROOM bytes, aligned to AKIN_LANES_ALIGN */
} akin_lanes_pairs;

/* The pair at a place of the order; behind the end the last one. */
static inline uint16_t akin_lanes_at(const akin_lanes_pairs *pairs, uint32_t place)
{
    return pairs->order[place < pairs->count ? place : pairs->count - 1];
}

static inline const akin_lanes_pair *akin_lanes_pair_at(const akin_lanes_pairs *pairs, uint32_t place)
{
    return &pairs->pairs[akin_lanes_at(pairs, place)];
}

/* Its bound; there must be bounds. */
static inline uint32_t akin_lanes_bound_at(const akin_lanes_pairs *pairs, uint32_t place)
{
    return pairs->bound[akin_lanes_at(pairs, place)];
}

typedef struct akin_lanes {
    /* The distances, or anything above the bound where they are above; room for AKIN_LANES more, as for the matches. */
    void (*levenshtein)(const akin_lanes_job *job, uint32_t *distances);
    void (*osa)(const akin_lanes_job *job, uint32_t *distances);
    /* The matches, or fewer than the bound where they are fewer; there `apart` is of no meaning. */
    void (*jaro)(const akin_lanes_job *job, akin_jaro *matches);
    /* The same for pairs. */
    void (*levenshtein_pairs)(const akin_lanes_pairs *pairs, uint32_t *distances);
    void (*osa_pairs)(const akin_lanes_pairs *pairs, uint32_t *distances);
    void (*jaro_pairs)(const akin_lanes_pairs *pairs, akin_jaro *matches);
} akin_lanes;

/* NULL: this level has none. */
const akin_lanes *akin_lanes_choose(akin_cpu cpu);

/* For the choice alone. */
extern const akin_lanes akin_lanes_neon, akin_lanes_avx2, akin_lanes_avx512;

/* For the lanes of NEON alone: short patterns of few symbols, and pairs with short patterns; 0: these are others. */
int akin_lanes_one_neon(const akin_lanes_job *job, int is_jaro, int swaps, void *results);
int akin_lanes_short_neon(const akin_lanes_pairs *pairs, int is_jaro, int swaps, void *results);

/* For the lanes of AVX-512 alone: `jaro` for short patterns of few symbols; 0: the pattern is another. */
int akin_lanes_jaro_avx512(const akin_lanes_job *job, akin_jaro *matches);

/* For the lanes of AVX-512 alone: pairs of strings of up to 64 symbols; 0: these are others. */
int akin_lanes_short_avx512(const akin_lanes_pairs *pairs, int is_jaro, int swaps, void *results);

#endif
