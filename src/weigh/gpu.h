/*
 * Counts the terms of documents on a GPU, a batch of them at a time:
 *
 *     batch      of host memory, packed: see gpu_pack.h
 *     send       goes to the device, into one of two places, while the batch before it is counted
 *     count      what becomes of it there: pairs of documents and terms, see kernels.h
 *
 *     words      a table of those that have been met, on the device; what is new goes to the host, which knows stems,
 *                stop words and a fixed vocabulary, and gives it a term; where words are terms as they stand, they are
 *                numbered on the device, and the host gets them later
 *
 * A batch that the device has no room for leaves nothing behind but words with their terms. A smaller batch can be
 * tried then: it would give the words the same terms, since terms are numbered as they first appear.
 */
#ifndef AKIN_WEIGH_GPU_H
#define AKIN_WEIGH_GPU_H

#include "base/clock.h"
#include "weigh/kernels.h"
#include "weigh/weights.h"

#include <stddef.h>

/* Documents as kernels.h wants them, in pinned memory. */
typedef struct akin_gpu_batch {
    const char *text;
    uint64_t bytes;
    const uint64_t *offsets; /* documents + 1 */
    uint32_t documents;
    uint32_t rule;
} akin_gpu_batch;

/* What came of a batch, on the device. */
typedef struct akin_gpu_counted {
    uint32_t documents;
    uint64_t pairs, tokens;
    akin_device_buffer offsets; /* documents + 1, from 0 on */
    akin_device_buffer lengths, ids, tf;
} akin_gpu_counted;

enum {
    AKIN_TERMS_BEGINS,
    AKIN_TERMS_STOPS,
    AKIN_TERMS_RANKS,
    AKIN_TERMS_COUNTS,
    AKIN_TERMS_BASES,
    AKIN_TERMS_FIRSTS,
    AKIN_TERMS_TOKENS,
    AKIN_TERMS_SLOTS, /* the table */
    AKIN_TERMS_WORDS,
    AKIN_TERMS_POOL,
    AKIN_TERMS_TOLD, /* what the host wants to know */
    AKIN_TERMS_LONGS,
    AKIN_TERMS_NEW_SLOTS,
    AKIN_TERMS_NEW_SLOTS_TWIN,
    AKIN_TERMS_NEW_BEGINS,
    AKIN_TERMS_NEW_BEGINS_TWIN,
    AKIN_TERMS_NEW_SIZES,
    AKIN_TERMS_NEW_PLACES,
    AKIN_TERMS_NAMES, /* terms of new words, or of long tokens */
    AKIN_TERMS_TERMS,
    AKIN_TERMS_TF,
    AKIN_TERMS_SIZES,
    AKIN_TERMS_LISTS,
    AKIN_TERMS_DF,
    AKIN_TERMS_LOGS,
    AKIN_TERMS_IDF,
    AKIN_TERMS_KEYS, /* documents that are sorted */
    AKIN_TERMS_KEYS_TWIN,
    AKIN_TERMS_TIMES,
    AKIN_TERMS_GROUP,
    AKIN_TERMS_STARTS,
    AKIN_TERMS_AT,
    AKIN_TERMS_BUFFERS
};

/* The steps that are timed. A step ends when its results have reached the host, for which a batch waits three times.
 * New words that are kept and pairs that are moved have no result for the host, so their time counts for the step
 * behind. */
enum { AKIN_TERMS_CUT, AKIN_TERMS_LOOK_UP, AKIN_TERMS_KEEP, AKIN_TERMS_COUNT, AKIN_TERMS_STEPS };

/* The results of kernels for the host, as they lie in device memory and in pinned memory. */
typedef struct akin_gpu_told {
    uint64_t tokens, pairs, found;
    akin_gpu_news news;
    akin_gpu_waiting waiting;
} akin_gpu_told;

_Static_assert(sizeof(akin_gpu_news) % 8 == 0 && sizeof(akin_gpu_waiting) % 8 == 0 &&
                   offsetof(akin_gpu_told, waiting) % 8 == 0,
               "a report copies whole words");

/* One of the two places of batches. */
typedef struct akin_gpu_place {
    akin_gpu_batch batch;
    akin_device_buffer text, offsets;
    akin_device_event *copied, *used;
} akin_gpu_place;

typedef struct akin_gpu_terms akin_gpu_terms;

/* How a technique counts and weighs. */
typedef struct akin_gpu_way {
    /* Makes terms->own, with a fixed vocabulary if there is one, gives back its memory, and frees it. NULL: it has
     * nothing of its own. */
    akin_status (*begin)(akin_gpu_terms *terms, const akin_trie *dictionary, akin_error *error);
    void (*trim)(akin_gpu_terms *terms);
    void (*clear)(akin_gpu_terms *terms);
    /* Counts a batch that is cut into tokens; and weighs pairs, as akin_gpu_terms_weigh. */
    akin_status (*count)(akin_gpu_terms *terms, const akin_gpu_place *place, akin_gpu_counted *counted,
                         akin_error *error);
    akin_status (*weigh)(akin_gpu_terms *terms, const akin_formula_terms *formula, double mean,
                         const akin_gpu_counted *counted, const double *idf, double *values, akin_error *error);
} akin_gpu_way;

struct akin_gpu_terms {
    akin_device *device;
    const akin_scope *scope; /* whose threads do what is the host's */
    akin_device_stream *stream, *copies;
    akin_dictionary *dictionary;
    akin_analyser analyser;
    uint32_t shared; /* as in akin_weights */
    int is_plain;    /* words are terms as they stand */
    akin_gpu_place places[2];
    akin_device_buffer buffers[AKIN_TERMS_BUFFERS];
    akin_pinned told;
    akin_gpu_text text; /* the batch at hand, */
    akin_gpu_table table;
    akin_gpu_counts counts;
    uint64_t tokens;
    uint64_t words_room, pool_room;
    uint32_t known;    /* words that the host has received; a plain analysis may have more on the device */
    uint32_t ids;      /* terms so far */
    uint32_t df_count; /* terms that df counts */
    int is_dirty;      /* slots hold places in a text that is gone */
    double seconds[AKIN_TERMS_STEPS];
    const akin_gpu_way *way;
    void *own; /* of the way */
};

/* In zeroed memory; what it points to is borrowed. The caller clears it in any case. Errors, also of what follows:
 * those of device.h, AKIN_E_LIMIT (2^31 - 1 terms, tokens of a document), AKIN_E_NOMEM. */
akin_status akin_gpu_terms_begin(akin_gpu_terms *terms, akin_device *device, const akin_weights *weights,
                                 const akin_gpu_way *way, const akin_scope *scope, akin_error *error);
void akin_gpu_terms_clear(akin_gpu_terms *terms);
/* Gives back all memory but that of words and of df; no batch is on its way then. */
void akin_gpu_terms_trim(akin_gpu_terms *terms);

/* Later: brings a batch to a place, 0 or 1, which must stay as it is until it has been counted. */
akin_status akin_gpu_terms_send(akin_gpu_terms *terms, uint32_t place, const akin_gpu_batch *batch, akin_error *error);
/* Counts the batch that is there: *counted, whose buffers are those of an earlier batch, or zeroed, and the caller's.
 * The last of it is done later. */
akin_status akin_gpu_terms_count(akin_gpu_terms *terms, uint32_t place, akin_gpu_counted *counted, akin_error *error);
void akin_gpu_counted_clear(akin_device *device, akin_gpu_counted *counted);

/* Adds to the dictionary all words that it lacks. */
akin_status akin_gpu_terms_tell(akin_gpu_terms *terms, akin_error *error);
/* In how many documents each of terms->df_count terms is: numbers in device memory, as long as no batch is counted. */
const uint32_t *akin_gpu_terms_df(const akin_gpu_terms *terms);

/* Computes the weight of each term among `documents` documents: *out is in device memory, and stays until a batch is
 * counted; NULL: there is no pair yet. The last step is done later. */
akin_status akin_gpu_terms_idf(akin_gpu_terms *terms, const akin_formula_terms *formula, uint32_t documents,
                               const double **out, akin_error *error);
/* Later: weighs the pairs of a batch, terms weighing idf, in device memory like `values`. */
akin_status akin_gpu_terms_weigh(akin_gpu_terms *terms, const akin_formula_terms *formula, double mean,
                                 const akin_gpu_counted *counted, const double *idf, double *values, akin_error *error);

/* ------------------------------------------------------------------------------------------------------- its parts */

/* Makes room in one of the buffers, for the items of an array; what it held is lost. */
akin_status akin_gpu_terms_need(akin_gpu_terms *terms, int buffer, uint64_t count, size_t size, akin_error *error);
/* The same, but the first `used` bytes stay. */
akin_status akin_gpu_terms_extend(akin_gpu_terms *terms, int buffer, uint64_t used, uint64_t bytes, akin_error *error);
/* Adds the time since *start to a step, and sets *start to now. */
static inline void akin_gpu_terms_timed(akin_gpu_terms *terms, int step, double *start)
{
    const double now = akin_clock();
    terms->seconds[step] += now - *start;
    *start = now;
}
/* The results that the host received last. */
static inline const akin_gpu_told *akin_gpu_terms_told(const akin_gpu_terms *terms)
{
    return terms->told.data;
}

/* Finds where the tokens of a batch that was sent begin, and waits for how many there are. */
akin_status akin_gpu_terms_cut(akin_gpu_terms *terms, const akin_gpu_place *place, akin_error *error);
/* Looks up the tokens of a batch that is cut: gpu_words.c. What is done in the end is in gpu_idf.c. */
akin_status akin_gpu_terms_look_up(akin_gpu_terms *terms, const akin_gpu_batch *batch, akin_error *error);
/* Makes words of the new ones that the host received last: AKIN_TERMS_NEW_SLOTS has their slots, and the slots their
 * places in the text. The words get terms, as long tokens do. */
akin_status akin_gpu_terms_learn(akin_gpu_terms *terms, const akin_gpu_batch *batch, akin_error *error);
/* Makes room for df of terms that are new. */
akin_status akin_gpu_terms_extend_df(akin_gpu_terms *terms, akin_error *error);

#endif
