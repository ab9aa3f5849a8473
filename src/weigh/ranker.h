/* Ranks the documents of an index for one query after another: what a thread has for it. */
#ifndef AKIN_WEIGH_RANKER_H
#define AKIN_WEIGH_RANKER_H

#include "index/lists.h"

#define AKIN_RANK_WINDOW 32768 /* documents that are scored together */
#define AKIN_RANK_BATCH  256   /* of them, that are looked up together */

/* A list of the query: lists 2 i and 2 i + 1 are those of its i-th distinct term, and no document is in both. Documents below `next`
 * are done with. */
typedef struct akin_ranker_list {
    const akin_list *list;
    double scale;    /* times how often it is in the query */
    int counted;     /* among those of an order so far */
    double most;     /* no entry of it weighs more, or less than that below 0 */
    double bound;    /* what it adds to a document of the window at hand, at most */
    uint32_t blocks; /* of it */
    uint32_t block;  /* the first that is not behind */
    uint32_t next;
    uint32_t probed;  /* the block in which a document was looked for last, in this window */
    uint32_t tried;   /* the block in which it was looked for, in any window */
    uint32_t decoded; /* the block that `documents` are of */
    uint32_t at;      /* those before this one are before the document that was looked for last */
    uint32_t documents[AKIN_BLOCK];
} akin_ranker_list;

typedef struct akin_ranker_found {
    double score;
    uint32_t document; /* the caller's number */
} akin_ranker_found;

/* A document that may be useful. */
typedef struct akin_ranker_candidate {
    double sum; /* of what it weighs, as far as that is known */
    const double *factors;
    uint32_t document;
    uint32_t block; /* of the list at hand, the one that may have it */
} akin_ranker_candidate;

typedef struct akin_ranker {
    const akin_lists *lists;
    uint32_t k, found;
    uint32_t term_count, token_count, batched;
    uint32_t class;          /* of the first document of the window */
    akin_ranker_list *terms; /* the lists of the query */
    uint32_t *tokens;        /* of the query, each the place of its first list */
    uint32_t *order;         /* of terms, by bound */
    double *sums;            /* sums[i]: the bounds of the first i in that order */
    double *weights;         /* of each term in the document at hand */
    uint64_t terms_capacity, tokens_capacity, order_capacity, sums_capacity, weights_capacity;
    double slack;            /* what rounding may do to a sum of bounds or of weights, at most */
    double least;            /* scores below it are of no use */
    akin_ranker_found *heap; /* the best so far, the worst of them first */
    akin_ranker_candidate batch[AKIN_RANK_BATCH];
    double *scores; /* of the documents of a window; zeros between windows */
    uint64_t seen[AKIN_RANK_WINDOW / 64];
} akin_ranker;

/* Errors, without a message: AKIN_E_NOMEM. To be cleared whatever it returns. */
akin_status akin_ranker_begin(akin_ranker *ranker, const akin_lists *lists, uint32_t k);
void akin_ranker_clear(akin_ranker *ranker);

/* A query: tokens are added, each by the first of its two lists, one of which has entries, in their order; then found are ranker->found documents, best first, in
 * ranker->heap. Errors, without a message: AKIN_E_NOMEM. */
void akin_ranker_new(akin_ranker *ranker);
akin_status akin_ranker_add(akin_ranker *ranker, uint32_t list);
void akin_ranker_run(akin_ranker *ranker);

#endif
