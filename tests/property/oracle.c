/* Compares every pair of rows. */
#include "property/oracle.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* A similarity, or its square. */
typedef struct fraction {
    wide above, below;
    int is_squared;
} fraction;

/* Each measure by its definition. */
static fraction value_of(akin_measure measure, wide r, wide s, wide n)
{
    switch (measure) {
    case AKIN_JACCARD:
        return (fraction){n, r + s - n, 0};
    case AKIN_COSINE:
        return (fraction){n * n, r * s, 1};
    case AKIN_DICE:
        return (fraction){2 * n, r + s, 0};
    case AKIN_OVERLAP:
        return (fraction){n, 1, 0};
    case AKIN_OVERLAP_COEFFICIENT:
        return (fraction){n, r < s ? r : s, 0};
    case AKIN_CONTAINMENT:
        return (fraction){n, r, 0};
    }
    abort();
}

int oracle_qualifies(akin_measure measure, akin_ratio threshold, uint32_t r, uint32_t s, uint32_t n)
{
    const wide num = threshold.num, den = threshold.den;
    const fraction value = value_of(measure, r, s, n);
    if (n == 0)
        return 0;
    return value.is_squared ? value.above * den * den >= num * num * value.below
                            : value.above * den >= num * value.below;
}

akin_ratio oracle_value(akin_measure measure, uint32_t r, uint32_t s, uint32_t n)
{
    const fraction value = value_of(measure, r, s, n);
    return value.is_squared ? (akin_ratio){0, 0} : (akin_ratio){(uint32_t)value.above, (uint32_t)value.below};
}

uint32_t oracle_overlap(const uint32_t *a, uint32_t r, const uint32_t *b, uint32_t s)
{
    uint32_t i = 0, j = 0, common = 0;
    while (i < r && j < s) {
        if (a[i] == b[j]) {
            common++;
            i++;
            j++;
        } else if (a[i] < b[j]) {
            i++;
        } else {
            j++;
        }
    }
    return common;
}

static akin_pair *room_for(uint64_t pairs)
{
    akin_pair *room = malloc((pairs + 1) * sizeof *room);
    if (!room)
        abort();
    return room;
}

static uint64_t filled(const rows *rows)
{
    uint64_t count = 0;
    for (uint32_t row = 0; row < rows->count; row++)
        count += rows_size(rows, row) != 0;
    return count;
}

oracle_pairs oracle_compare(const rows *left, const rows *right)
{
    const rows *other = right ? right : left;
    oracle_pairs all = {room_for(filled(left) * filled(other)), 0};
    for (uint32_t i = 0; i < left->count; i++) {
        for (uint32_t j = right ? 0 : i + 1; j < other->count; j++) {
            uint32_t r = rows_size(left, i), s = rows_size(other, j);
            if (r == 0 || s == 0)
                continue;
            uint32_t n = oracle_overlap(rows_tokens(left, i), r, rows_tokens(other, j), s);
            all.pairs[all.count++] = (akin_pair){i, j, n};
        }
    }
    return all;
}

oracle_pairs oracle_select(const oracle_pairs *all, const rows *left, const rows *right, akin_measure measure,
                           akin_ratio threshold, uint64_t *compatible)
{
    const rows *other = right ? right : left;
    oracle_pairs chosen = {room_for(all->count), 0};
    uint64_t possible = 0;
    for (uint64_t i = 0; i < all->count; i++) {
        const akin_pair *pair = &all->pairs[i];
        uint32_t r = rows_size(left, pair->left), s = rows_size(other, pair->right);
        possible += oracle_qualifies(measure, threshold, r, s, r < s ? r : s) != 0;
        if (oracle_qualifies(measure, threshold, r, s, pair->overlap))
            chosen.pairs[chosen.count++] = *pair;
    }
    if (compatible)
        *compatible = possible;
    return chosen;
}

void oracle_clear(oracle_pairs *pairs)
{
    free(pairs->pairs);
    memset(pairs, 0, sizeof *pairs);
}
