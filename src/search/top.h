/*
 * The k objects with the largest counts: counts descending, objects ascending. Objects that are found are keys,
 *
 *     key    | 2^32 - 1 - count | object |          so that the best key is the smallest
 *
 * and kept unsorted; whenever there are many more than k, all but the k best go.
 */
#ifndef AKIN_SEARCH_TOP_H
#define AKIN_SEARCH_TOP_H

#include "base/memory.h"
#include "search/layout.h"

typedef struct akin_top {
    uint64_t *keys;
    uint64_t held, room;
    uint32_t k;
    int ties;       /* objects of one count may come in any order, and not rising only */
    uint32_t least; /* what is to be added needs this count at least to be among the best, */
    uint64_t last;  /* and a key that is smaller: the k-th when they were last cut */
    /* Whoever wants something else than the largest counts: takes all keys that are held, leaves none, and may raise
     * `least`. NULL: the k best are kept. */
    void (*take)(struct akin_top *top);
    void *user;
} akin_top;

static inline uint64_t akin_top_key(uint32_t count, uint32_t object)
{
    return AKIN_TOP_KEY(count, object);
}

static inline uint32_t akin_top_count(uint64_t key)
{
    return UINT32_MAX - (uint32_t)(key >> 32);
}

/* k at least 1. 0: there is no memory. To be cleared whatever it returns. */
int akin_top_begin(akin_top *top, uint32_t k, akin_account *account);
void akin_top_clear(akin_top *top);

/* Forgets all: counts of `least` or more are wanted, which is at least 1. */
void akin_top_reset(akin_top *top, uint32_t least);

/* Leaves the k best, in any order, and raises `least`. */
void akin_top_cut(akin_top *top);

/* The same where enough have been added to pay for it, as cutting takes as long as k is: one, or a small share of k. */
static inline void akin_top_cut_some(akin_top *top)
{
    if (top->held >= (uint64_t)top->k + top->k / 64)
        akin_top_cut(top);
}

/* Adds an object, whose count is at least top->least, and which is beyond those of that count that were added, or else
 * top->ties is set. */
static inline void akin_top_add(akin_top *top, uint32_t count, uint32_t object)
{
    top->keys[top->held++] = akin_top_key(count, object);
    if (top->held == top->room)
        akin_top_cut(top);
}

/* Adds those of the objects first, first + 1 ... whose bits are set and whose counts, counts[i], are still enough. */
static inline __attribute__((always_inline)) void akin_top_add_found(akin_top *top, uint64_t found,
                                                                     const uint8_t *counts, uint32_t first)
{
    for (; found; found &= found - 1) {
        const uint32_t at = (uint32_t)__builtin_ctzll(found);
        if (counts[at] >= top->least)
            akin_top_add(top, counts[at], first + at);
    }
}

/* Sorts what there is, the best first, and leaves at most k. */
void akin_top_finish(akin_top *top);

#endif
