/* Draws rows by the least of their hashes. */
#include "corpus/rows_draw.h"

#include "base/bits.h"
#include "base/random.h"
#include "base/sort.h"

#include <math.h>

#define NORMAL 1.959963984540054 /* 95 % of a normal distribution are at most that many deviations off */

/* Leaves the `count` least ones of the keys, sorted. */
static uint64_t cut(akin_u128 *keys, uint64_t held, uint64_t count)
{
    akin_sort_u128(keys, held);
    return akin_min_u64(held, count);
}

/* Of twice as many candidates the greater half is forgotten. */
akin_status akin_rows_draw(akin_account *account, uint32_t rows, uint32_t count, uint64_t *marks)
{
    akin_u128 *keys = akin_alloc(account, UINT64_C(2) * count, sizeof *keys);
    uint64_t held = 0;
    akin_u128 most = ~(akin_u128)0; /* no greater key is drawn */
    if (!keys)
        return AKIN_E_NOMEM;
    for (uint32_t row = 0; row < rows; row++) {
        const akin_u128 key = (akin_u128)akin_random_mixed(row) << 64 | row;
        if (key > most)
            continue;
        keys[held++] = key;
        if (held == UINT64_C(2) * count) {
            held = cut(keys, held, count);
            most = keys[held - 1];
        }
    }
    held = cut(keys, held, count);
    for (uint64_t i = 0; i < held; i++)
        marks[(uint32_t)keys[i] / 64] |= UINT64_C(1) << (uint32_t)keys[i] % 64;
    akin_free(keys);
    return AKIN_OK;
}

akin_share akin_share_estimate(uint64_t found, uint32_t drawn, uint32_t rows)
{
    const double n = drawn, share = (double)found / n, square = NORMAL * NORMAL;
    const double middle = (share + square / (2 * n)) / (1 + square / n);
    const double half = NORMAL / (1 + square / n) * sqrt(share * (1 - share) / n + square / (4 * n * n));
    if (drawn == rows)
        return (akin_share){share, share, share};
    return (akin_share){share, found == 0 ? 0 : fmax(0, middle - half), found == drawn ? 1 : fmin(1, middle + half)};
}
