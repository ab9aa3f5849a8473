/* The oracle of the frequency order: tokens counted and sorted the plain way. */
#ifndef AKIN_TEST_SETS_FREQUENCY_H
#define AKIN_TEST_SETS_FREQUENCY_H

#include "test_sets_support.h"

typedef struct frequency {
    uint32_t token;
    uint32_t count;
} frequency;

static inline int by_token(const void *a, const void *b)
{
    const frequency *x = a, *y = b;
    return (x->token > y->token) - (x->token < y->token);
}

static inline int by_count(const void *a, const void *b)
{
    const frequency *x = a, *y = b;
    return x->count == y->count ? by_token(a, b) : (x->count > y->count) - (x->count < y->count);
}

/* The distinct tokens of up to two collections in the order of their ranks. */
static inline frequency *count_tokens(const akin_sets *left, const akin_sets *right, uint64_t *distinct)
{
    uint64_t a = left->offsets[left->rows], b = right ? right->offsets[right->rows] : 0, kept = 0;
    frequency *all = malloc((size_t)(a + b + 1) * sizeof *all);
    assert_non_null(all);
    for (uint64_t i = 0; i < a + b; i++)
        all[i] = (frequency){i < a ? left->tokens[i] : right->tokens[i - a], 1};
    qsort(all, a + b, sizeof *all, by_token);
    for (uint64_t i = 0; i < a + b; i++)
        if (kept && all[kept - 1].token == all[i].token)
            all[kept - 1].count++;
        else
            all[kept++] = all[i];
    qsort(all, kept, sizeof *all, by_count);
    *distinct = kept;
    return all;
}

#endif
