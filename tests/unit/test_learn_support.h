/* Pairs of records to learn from, and what several threads make of them. */
#ifndef AKIN_TEST_LEARN_SUPPORT_H
#define AKIN_TEST_LEARN_SUPPORT_H

#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/random.h"
#include "learn/level_pairs.h"

/* Pairs with room for `most` of them; comparisons 0: without levels. */
static inline akin_level_pairs make_level_pairs(uint64_t most, uint32_t comparisons, uint32_t left, uint32_t right)
{
    akin_level_pairs pairs = {.comparisons = comparisons, .tables = right ? 2 : 1, .rows = {left, right}};
    pairs.all = right ? (uint64_t)left * right : (uint64_t)left * (left - 1) / 2;
    pairs.left = calloc(most + 1, sizeof *pairs.left);
    pairs.right = calloc(most + 1, sizeof *pairs.right);
    pairs.levels = calloc(most * comparisons + 1, sizeof *pairs.levels);
    pairs.rarity = calloc(most + 1, sizeof *pairs.rarity);
    assert_true(pairs.left && pairs.right && pairs.levels && pairs.rarity);
    return pairs;
}

static inline void clear_level_pairs(akin_level_pairs *pairs)
{
    free(pairs->left);
    free(pairs->right);
    free(pairs->levels);
    free(pairs->rarity);
}

static inline akin_context context_of(akin_context *self, uint32_t threads)
{
    return (akin_context){.scope = {.context = self, .threads = threads}};
}

#endif
