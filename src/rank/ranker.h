/* Ranks the documents of an index for one query after another: what a thread has for it. */
#ifndef AKIN_RANK_RANKER_H
#define AKIN_RANK_RANKER_H

#include "base/sort.h"
#include "rank/frequent.h"

#define AKIN_RANK_BATCH  256 /* documents that are looked up together */
#define AKIN_RANKER_MANY 64  /* lists from which on their order is not kept, but made */
#define AKIN_RANKER_NONE UINT32_MAX

/* A list of the query: lists 2 i and 2 i + 1 are those of its i-th distinct term, and no document is in both. Documents
 * below `next` are done with. */
typedef struct akin_ranker_list {
    const akin_list *list;
    double scale;         /* times how often it is in the query */
    const uint64_t *bits; /* of a frequent term: every second word from here on, see akin_frequent; or NULL */
    const float *mosts;   /* likewise: of each window */
    int is_plain;         /* it has bits, and no counts, as each is 1 */
    int counted;          /* among those of an order so far */
    double most;          /* no entry of it weighs more, or less than that below 0 */
    double bound;         /* what it adds to a document of the window at hand, at most */
    uint32_t look;        /* the look-up of its term, in the first of the two lists */
    uint32_t blocks;      /* of it */
    uint32_t block;       /* the first that is not behind; of a frequent term maybe an earlier one */
    uint32_t next;
    uint32_t probed;  /* the block in which a document was looked for last */
    uint32_t tried;   /* the block in which it was looked for, but not decoded */
    uint32_t decoded; /* the block that `documents` are of */
    uint32_t at;      /* those before this one are before the document that was looked for last */
    uint32_t documents[AKIN_BLOCK];
} akin_ranker_list;

/* That candidates are looked up in the lists of a term. */
typedef struct akin_ranker_look {
    uint32_t place; /* of the first of its two lists */
    uint32_t which; /* bit i: list i of the two is looked at */
    double after;   /* what the look-ups behind this one add, at most */
} akin_ranker_look;

typedef struct akin_ranker_found {
    double score;
    uint32_t document; /* the caller's number */
} akin_ranker_found;

/* A document of a window that may be useful. */
typedef struct akin_ranker_candidate {
    double sum; /* of what it weighs, as far as that is known */
    const double *factors;
    uint32_t document;
    uint32_t block; /* of the list at hand, the one that may have it */
} akin_ranker_candidate;

typedef struct akin_ranker {
    const akin_lists *lists;
    const akin_frequent *frequent;
    akin_account *account; /* charged for its arrays; NULL: none is */
    uint32_t k, found;
    uint64_t damaged; /* 1 more than a document whose number is; 0: none is */
    uint32_t term_count, token_count, batched;
    uint32_t class;          /* of the first document of the window */
    akin_ranker_list *terms; /* the lists of the query */
    uint32_t *tokens; /* of the query, each the place of its first list; before it is settled that list's number */
    uint32_t *firsts; /* of each token the first that is the same */
    uint64_t *keys;   /* of tokens, while they are sorted */
    uint32_t *order;  /* of lists, by bound */
    akin_u128 *ranks; /* of many lists, while they are sorted: bound, place */
    double *sums;     /* sums[i]: the bounds of the first i in that order */
    akin_ranker_look *looks; /* the look-ups of the window, in their order */
    uint32_t look_count;
    double open;     /* what all of them add, at most */
    double *weights; /* of each term in the document at hand */
    uint64_t terms_capacity, tokens_capacity, firsts_capacity, keys_capacity, order_capacity, ranks_capacity;
    uint64_t sums_capacity, looks_capacity, weights_capacity;
    double slack;            /* what rounding may do to a sum of bounds or of weights, at most */
    double least;            /* scores below it are of no use */
    akin_ranker_found *heap; /* the best so far, the worst of them first */
    akin_ranker_candidate batch[AKIN_RANK_BATCH];
    double *scores; /* of the documents of a window that were seen */
    uint64_t seen[AKIN_RANK_WINDOW / 64];
    uint64_t touched[AKIN_RANK_WINDOW / 64 / 64]; /* words of those that are not 0 */
} akin_ranker;

/* `frequent` has bits of some terms, or none; it may be set anew between queries. The caller clears the ranker in any
 * case. Errors, without a message: AKIN_E_NOMEM. */
akin_status akin_ranker_begin(akin_ranker *ranker, const akin_lists *lists, const akin_frequent *frequent, uint32_t k,
                              akin_account *account);
void akin_ranker_clear(akin_ranker *ranker);

/* A query. Tokens are added in their order, each by the first of its two lists, at least one with entries; then the
 * query is settled, and its terms are distinct. The lists have been brought. When it has run, found are ranker->found
 * documents, best first, in ranker->heap, unless ranker->damaged is not 0. Errors, without a message: AKIN_E_NOMEM,
 * AKIN_E_LIMIT (too many tokens). */
void akin_ranker_new(akin_ranker *ranker);
akin_status akin_ranker_add(akin_ranker *ranker, uint32_t list);
akin_status akin_ranker_settle(akin_ranker *ranker);
void akin_ranker_run(akin_ranker *ranker);

/* --------------------------------------------------------------------------------------- what the parts of it share */

/* Whether a document cannot be useful for whose score this is a bound. */
static inline int akin_ranker_is_hopeless(const akin_ranker *r, double bound)
{
    return bound + r->slack < r->least;
}

/* The class of a document, from that of an earlier one on. */
static inline uint32_t akin_ranker_class_from(const akin_lists *lists, uint32_t class, uint32_t document)
{
    while (lists->classes[class + 1] <= document)
        class ++;
    return class;
}

/* Keeps a document if it is one of the best. */
void akin_ranker_keep(akin_ranker *r, akin_ranker_found found);

/* Reads the documents of a block of a list, unless they are at hand. */
void akin_ranker_decode(const akin_ranker *r, akin_ranker_list *t, uint32_t block);

/* Ranks the documents of the window from `begin` to `end`, and answers whether one of them might have been useful. */
int akin_ranker_window(akin_ranker *r, uint32_t begin, uint64_t end);

/* Finds, before all windows, a score that the best documents reach at least. */
void akin_ranker_look_ahead(akin_ranker *r);

/* The next document from `begin` on that may be useful, by the bounds of all that is left of the lists, or none. */
uint32_t akin_ranker_next(akin_ranker *r, uint64_t begin);

/* Decides how the candidates of a window are looked up: in the first `count` lists of the order by bounds, but not in
 * those of the term at `driver`. */
void akin_candidates_plan(akin_ranker *r, uint32_t count, uint32_t driver);

/* Looks the candidates of the batch up; those that can still be useful, and what they weigh, are left. */
void akin_candidates_look_up(akin_ranker *r);

/* The same, and keeps those that are good enough; the batch is empty then. */
void akin_candidates_keep(akin_ranker *r);

/* Adds a candidate with what is known of it, behind those that were added in this window. */
static inline void akin_candidates_add(akin_ranker *r, uint32_t document, double sum, const double *factors)
{
    if (r->batched == AKIN_RANK_BATCH)
        akin_candidates_keep(r);
    r->batch[r->batched++] = (akin_ranker_candidate){sum, factors, document, 0};
}

#endif
