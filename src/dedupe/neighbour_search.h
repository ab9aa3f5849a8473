/*
 * The nearest records of texts, by the cosine of weighted tokens. Exact: what is left out cannot be among them.
 *
 * Tokens weigh the squares of their weights, so the cosine of texts x and y is common / sqrt(length(x) length(y)),
 * common being the sum of the squares of their common tokens. The k-th best record so far is a bar for the others: a
 * text y has to reach common >= bar * root(y).
 *
 *     seeds       some texts near x, by length, in the lists of its heaviest tokens: the first bar
 *     tiles       neighbouring texts. The lists of the m heaviest tokens of x are added up to a sum for each text of a
 *                 tile. The other tokens of x come to rest(m) at most, and are left out once that is little beside
 *                 what any text of the tile has to reach. Tiles rise in length, so m falls
 *     candidates  texts whose sum comes to bar * root - rest(m)
 *     comparison  of the candidates to the end, which raises the bar
 *
 * Tiles of texts that are too short or too long for the bar are left out: common is at most either length. A batch of
 * texts is searched for tile by tile, so that the lists of a tile are in a cache.
 */
#ifndef AKIN_DEDUPE_NEIGHBOUR_SEARCH_H
#define AKIN_DEDUPE_NEIGHBOUR_SEARCH_H

#include "base/heap.h"
#include "base/parallel.h"
#include "dedupe/neighbour_texts.h"

#define AKIN_NEIGHBOUR_BATCH 64 /* texts that are searched for at once, at most */

/* A search among the records of a table, for `k` of them; and the table of the records that ask for it. */
typedef struct akin_neighbour_job {
    const akin_neighbour_texts *texts;
    const akin_neighbour_lists *lists; /* of the table */
    uint32_t table, asking, k;
    uint32_t tile;   /* texts of a tile */
    uint64_t tokens; /* of a batch, at most */
} akin_neighbour_job;

/* Sets the tile and the tokens by the texts. */
void akin_neighbour_job_begin(akin_neighbour_job *job);

/* A text that is searched for. */
typedef struct akin_neighbour_query {
    uint32_t text, count; /* its number, and that of its tokens, */
    const uint32_t *of;   /* which these are */
    uint64_t length;
    uint64_t *rests;   /* the length of the tokens from each one on, and 0 */
    uint64_t *cursors; /* of each token, where its list goes on */
    uint32_t lists;    /* tokens whose lists are still added */
    uint32_t first;    /* where the tiles begin; that many as there are texts: nowhere */
    int shift;         /* sums are in units of 2^shift, each square rounded up; */
    double unit;       /* which is 2^shift */
    int scale;         /* scores are squares of cosines, in units of 2^-scale / length */
    double bar;        /* slightly too low; 0: there are fewer than k */
    akin_heap best;    /* keys are slots; */
    uint64_t *scores;  /* of slots, */
    uint32_t *rows;    /* and their records */
    uint32_t free;     /* the slot that is not in the heap */
} akin_neighbour_query;

/* What a thread searches with. */
typedef struct akin_neighbour_searcher {
    const akin_neighbour_job *job;
    akin_neighbour_query queries[AKIN_NEIGHBOUR_BATCH];
    uint32_t *weights; /* of each rank its square, if the query at hand has it, else 0 */
    int32_t *sums;     /* of each text of the tile */
    uint32_t *found;   /* candidates of the tile */
    uint32_t *met;     /* of each text, the last query's text + 1 that had it for a seed; 0: none */
    uint64_t *numbers; /* of the queries: rests, cursors, keys, scores */
    uint32_t *rows;
} akin_neighbour_searcher;

/* To be cleared in any case. Returns 0 if memory is short. */
int akin_neighbour_searcher_make(const akin_neighbour_job *job, akin_account *account, akin_neighbour_searcher *out);
void akin_neighbour_searcher_clear(akin_neighbour_searcher *searcher);

/* Searches for the texts from `first` to `end` - 1, those that records of the asking table have. That of query i is
 * first + i: its records are rows[key] of the heap's keys, the worst one first if there are k. They may have that text
 * themselves. Returns 0 if it is cancelled. */
int akin_neighbour_search(akin_neighbour_searcher *searcher, uint32_t first, uint32_t end,
                          akin_cancellation *cancellation);

#endif
