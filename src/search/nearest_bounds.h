/*
 * A lower bound of the edit distance by bags, in SIMD, one version for each level: an edit takes one byte from a string
 * at most, and adds one at most, so the distance is at least the length of the longer string without the bytes that
 * both have, whatever their order. 64 strings are held against 8 queries at once. Common subsequences
 * (strings/slices.h) are the other bound.
 */
#ifndef AKIN_SEARCH_NEAREST_BOUNDS_H
#define AKIN_SEARCH_NEAREST_BOUNDS_H

#include "base/scope.h"
#include "search/ordered.h"

#define AKIN_NEAREST_QUERIES 8 /* of a screen by bags */

/* Strings with their bounds, as keys | bound | string |. */
typedef struct akin_nearest_list {
    uint64_t *keys;
    uint32_t held, stop; /* the strings in the list, and the number at which it is full */
    uint32_t too_far;    /* bounds are wanted that are below, by now; at most 2^31 */
} akin_nearest_list;

static inline uint64_t akin_nearest_key(uint32_t bound, uint32_t string)
{
    return (uint64_t)bound << 32 | string;
}

static inline uint32_t akin_nearest_bound(uint64_t key)
{
    return (uint32_t)(key >> 32);
}

/* Called when list `i` is full. It may raise the limit of the list, and lower the bound. 0: the work ends. */
typedef int (*akin_nearest_stop)(void *user, uint32_t i);

/* Lists the strings of blocks `first` to `end` - 1 by their bags. */
typedef struct akin_bags_job {
    const akin_ordered *ordered;
    uint32_t first, end;
    const uint8_t *counts; /* bytes of kind c of query i: counts[(c * 8 + i) * 64] to .. + 63, all alike */
    uint32_t queries;      /* at most AKIN_NEAREST_QUERIES */
    uint8_t lengths[AKIN_NEAREST_QUERIES]; /* of these */
    akin_nearest_list *lists;              /* of each */
    akin_nearest_stop stop;
    void *user;
} akin_bags_job;

/* What a SIMD level has; 0: it was stopped. */
typedef int (*akin_nearest_screen)(const akin_bags_job *job);

akin_nearest_screen akin_nearest_screen_choose(akin_cpu cpu);
int akin_nearest_screen_neon(const akin_bags_job *job);
int akin_nearest_screen_avx2(const akin_bags_job *job);
int akin_nearest_screen_avx512(const akin_bags_job *job);

#endif
