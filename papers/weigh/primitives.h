/*
 * The techniques of T. Wakatsuki, A. Keyaki and J. Miyazaki, A Case for Term Weighting using a Dictionary on GPUs,
 * section 3: a batch is counted, and in the end weighed, by data-parallel primitives. They are for comparisons.
 *
 *     extract     compact               where tokens begin and end
 *     documents   scan                  the document of each
 *     lengths     count                 tokens of each document
 *     convert     (`dictionary`)        tokens --> terms, by the trie
 *     sort                              tokens by their words, compared as strings, or by their terms
 *     name        (ours)                words that are new become terms, numbered as they first appear
 *     tf          count                 of (word, document)
 *     df          count                 of words, in these pairs
 *     turn        (ours) sort           pairs by document, as akin has them
 *     assign      load-balancing search documents of pairs
 *     weigh
 *
 * In the paper pairs stay in the order of the words, and the search assigns df. Here pairs are in the order of the
 * documents, df comes by the term, and the search assigns the documents, which give the lengths.
 */
#ifndef AKIN_PAPERS_WEIGH_PRIMITIVES_H
#define AKIN_PAPERS_WEIGH_PRIMITIVES_H

#include "dict/trie_gpu.h"
#include "papers/kernels.h"
#include "papers/weigh/kernels.h"
#include "weigh/gpu.h"
#include "weigh/gpu_weigher.h"

enum {
    AKIN_PAPER_BEGINS,
    AKIN_PAPER_ENDS,
    AKIN_PAPER_STARTS,
    AKIN_PAPER_SUMS,
    AKIN_PAPER_KEYS,
    AKIN_PAPER_KEYS_TWIN,
    AKIN_PAPER_ITEMS,
    AKIN_PAPER_ITEMS_TWIN,
    AKIN_PAPER_HEADS,
    AKIN_PAPER_HEAD_SUMS,
    AKIN_PAPER_FLAGS,
    AKIN_PAPER_PICKS,
    AKIN_PAPER_PLACES,
    AKIN_PAPER_PLACES_TWIN,
    AKIN_PAPER_OWN,
    AKIN_PAPER_MARKS,
    AKIN_PAPER_MARK_SUMS,
    AKIN_PAPER_ORDERED,
    AKIN_PAPER_ORDERED_TWIN,
    AKIN_PAPER_LABELS,
    AKIN_PAPER_LABELS_TWIN,
    AKIN_PAPER_INDEX,
    AKIN_PAPER_INDEX_TWIN,
    AKIN_PAPER_DISTINCT,
    AKIN_PAPER_TIMES,
    AKIN_PAPER_TF,
    AKIN_PAPER_TF_TWIN,
    AKIN_PAPER_PAIR_GROUPS,
    AKIN_PAPER_FOUND,
    AKIN_PAPER_FOLDED,
    AKIN_PAPER_IDS,
    AKIN_PAPER_SEGMENTS,
    AKIN_PAPER_TRIE,   /* what stays: the dictionary, */
    AKIN_PAPER_MAPPED, /* and the term of each of its ids */
    AKIN_PAPER_BUFFERS
};

/* What is timed, until it is done; the first without the marks of the tokens, which AKIN_TERMS_CUT is. */
enum {
    AKIN_PAPER_EXTRACTING,
    AKIN_PAPER_DOCUMENTS,
    AKIN_PAPER_LENGTHS,
    AKIN_PAPER_CONVERTING,
    AKIN_PAPER_SORTING,
    AKIN_PAPER_NAMING,
    AKIN_PAPER_COUNTING_TF,
    AKIN_PAPER_COUNTING_DF,
    AKIN_PAPER_TURNING,
    AKIN_PAPER_ASSIGNING,
    AKIN_PAPER_WEIGHING,
    AKIN_PAPER_TIMES_COUNT
};

typedef struct akin_gpu_paper {
    int by_dictionary;
    int builds;     /* a dictionary, of the documents: */
    uint32_t built; /* terms of the last one */
    akin_device_buffer buffers[AKIN_PAPER_BUFFERS];
    akin_trie_copy trie;
    uint32_t words; /* that it has */
    int is_mapped;  /* its ids are not terms, but have them */
    akin_paper_view view;
    const uint32_t *order; /* tokens, sorted */
    uint64_t kept;         /* of them, that have terms */
    double seconds[AKIN_PAPER_TIMES_COUNT];
} akin_gpu_paper;

/* Makes terms->own, an akin_gpu_paper. By a dictionary: it needs one before the first batch. Errors, also of what
 * follows: those of gpu.h. */
akin_status akin_gpu_paper_begin(akin_gpu_terms *terms, int by_dictionary, akin_error *error);
void akin_gpu_paper_clear(akin_gpu_terms *terms);
/* Gives back all memory but that of the dictionary. */
void akin_gpu_paper_trim(akin_gpu_terms *terms);

/* Brings the dictionary there: its ids are terms, or `map` has the term of each. */
akin_status akin_gpu_paper_bring(akin_gpu_terms *terms, const akin_trie *trie, const uint32_t *map, akin_error *error);
/* Makes one of the terms that there are, which the caller frees; *map, which becomes the caller's, too (base/memory.h),
 * has the term of each of its words. Errors: AKIN_E_INPUT (a term with a NUL byte), and those of akin_trie_build. */
akin_status akin_gpu_paper_build(const akin_dictionary *dictionary, const akin_scope *scope, akin_trie **trie,
                                 uint32_t **map, akin_error *error);

/* Looks for words in the batch that is there, and no more: they become terms. */
akin_status akin_gpu_paper_gather(akin_gpu_terms *terms, uint32_t place, akin_error *error);
/* Counts the rows that the weigher is being given: akin_weigh_technique_row.add. Unless a dictionary was brought, it
 * goes through them twice: it gathers their words for a dictionary, before it counts. */
akin_status akin_gpu_paper_add(akin_gpu_weigher *gpu, akin_error *error);

/* Counts a batch that is cut into tokens, and weighs: akin_gpu_way. */
akin_status akin_gpu_paper_count(akin_gpu_terms *terms, const akin_gpu_place *place, akin_gpu_counted *counted,
                                 akin_error *error);
akin_status akin_gpu_paper_weigh(akin_gpu_terms *terms, const akin_formula_terms *formula, double mean,
                                 const akin_gpu_counted *counted, const double *idf, double *values, akin_error *error);

/* ------------------------------------------------------------------------------------------------------- its parts */

/* What one of the buffers is to have room for. */
typedef struct akin_paper_room {
    int buffer;
    size_t size; /* of an item */
    uint64_t count;
} akin_paper_room;

/* Makes room; what buffers held that grow is lost. */
akin_status akin_gpu_paper_need(akin_gpu_terms *terms, const akin_paper_room *rooms, size_t count, akin_error *error);
/* Waits for what has been done, and adds the time since *start to a step. */
akin_status akin_gpu_paper_timed(akin_gpu_terms *terms, int step, double *start, akin_error *error);
/* Waits for a number of 4 or 8 bytes that is found on the device. */
akin_status akin_gpu_paper_hear(akin_gpu_terms *terms, const void *from, size_t size, uint64_t *out, akin_error *error);
/* The numbers that primitives find: each has one of its own. */
enum {
    AKIN_PAPER_OF_TOKENS,
    AKIN_PAPER_OF_WORDS,
    AKIN_PAPER_OF_KEPT,
    AKIN_PAPER_OF_PAIRS,
    AKIN_PAPER_OF_GROUPS,
    AKIN_PAPER_NUMBERS
};

/* Sorts tokens as strings, and finds their terms: primitives_words.c. Then tokens are grouped by word, or by term. */
akin_status akin_gpu_paper_sort_words(akin_gpu_terms *terms, const akin_gpu_batch *batch, double *start,
                                      akin_error *error);
/* Finds the terms of tokens by the dictionary: primitives_ids.c. */
akin_status akin_gpu_paper_convert(akin_gpu_terms *terms, const akin_gpu_batch *batch, akin_error *error);
/* Sorts tokens, whose terms are known, by these. */
akin_status akin_gpu_paper_sort_terms(akin_gpu_terms *terms, akin_error *error);

#endif
