/*
 * The nearest records of a text, by the cosine of weighted tokens. Exact: what is left out cannot be among them.
 *
 * Tokens weigh the squares of their weights, so the cosine of texts x and y is common / sqrt(length(x) length(y)),
 * common being the sum of the squares of their common tokens. The K-th best record so far is a bar: a text y has to
 * reach common >= bar * root(y).
 *
 *     seeds      some texts near x, by length, in the lists of its heaviest tokens: the first bar
 *     lists      tile by tile of neighbouring texts, a sum for each text of a tile is taken over the lists of the m
 *                heaviest tokens. The others come to rest(m) at most. They are left out as soon as rest(m) is at most
 *                half of what any text of the tile has to reach. Tiles rise in length, so m falls.
 *     crossing   a text whose sum comes to bar * root - rest(m) is a candidate
 *     verify     the common tokens of candidates are added up exactly
 *
 * Tiles of texts that are too short or too long for the bar are left out: common is at most either length.
 */
#ifndef AKIN_DEDUPE_NEIGHBOUR_SEARCH_H
#define AKIN_DEDUPE_NEIGHBOUR_SEARCH_H

#include "base/heap.h"
#include "base/parallel.h"
#include "dedupe/neighbour_texts.h"

/* A search among the records of a table, for `k` of them. */
typedef struct akin_neighbour_job {
    const akin_neighbour_texts *texts;
    const akin_neighbour_lists *lists; /* of the table */
    uint32_t table, k;
    uint32_t tile; /* texts of a tile */
} akin_neighbour_job;

/* Texts of a tile, for that many texts. */
uint32_t akin_neighbour_tile(uint32_t texts);

/* What a thread searches with. */
typedef struct akin_neighbour_searcher {
    const akin_neighbour_job *job;
    uint32_t text;      /* that is searched for, and */
    uint64_t length;    /* its length, */
    const uint32_t *of; /* its tokens, */
    uint32_t count;     /* how many they are; */
    uint64_t *rests;    /* the length of those from each token on, and 0 */
    /* lists */
    uint32_t *weights; /* of each rank, its square if the text has it, else 0 */
    uint64_t *cursors; /* of each token, where its list goes on */
    uint32_t *sums;    /* of each text of the tile, */
    int shift;         /* in units of 2^shift, rounded up */
    uint32_t *found;   /* candidates of the tile */
    uint32_t *met;     /* of each text, the last text + 1 that it was compared with; 0: none */
    /* the best records: keys of the heap are slots */
    akin_heap best;
    uint64_t *scores; /* of slots: squares of cosines, in units of 2^-scale / length */
    uint32_t *rows;
    uint32_t free; /* the slot that is not in the heap */
    int scale;
    double bar; /* slightly too low; 0: there are fewer than k */
} akin_neighbour_searcher;

/* To be cleared in any case. Returns 0 if memory is short. */
int akin_neighbour_searcher_make(const akin_neighbour_job *job, akin_account *account, akin_neighbour_searcher *out);
void akin_neighbour_searcher_clear(akin_neighbour_searcher *searcher);

/* Searches for a text: the records are rows[keys[i]] of the heap's keys, the worst one first if there are k. It may be
 * one of them itself. */
void akin_neighbour_search(akin_neighbour_searcher *searcher, uint32_t text);

#endif
