/*
 * Cutoffs in integers. With m symbols matched, h of them at places that differ, the similarity of Jaro is
 *
 *     j = (m / a + m / b + (m - h / 2) / m) / 3 = n / d,    n = 2 m m (a + b) + (2 m - h) a b,    d = 6 m a b
 *
 * and with a prefix that counts by s = p * scale it is j + s (1 - j). Lengths have 32 bits, so n and d have less than 104,
 * and what they are multiplied with 64 at most.
 */
#include "strings/cutoff.h"

#include "base/bits.h"

__extension__ typedef unsigned __int128 u128;

#define NEAR 1e-9 /* doubles that are further from the cutoff than that have decided; their error is below 1e-15 */

akin_cutoff akin_cutoff_of(const akin_compare_options *compare, akin_ratio ratio, uint32_t most)
{
    akin_cutoff cutoff = {.ratio = ratio, .most = most, .scale = {0, 1}};
    cutoff.is_jaro = compare->comparator == AKIN_JARO || compare->comparator == AKIN_JARO_WINKLER;
    cutoff.swaps = compare->comparator == AKIN_OSA;
    cutoff.winkler.floored = compare->floored != 0;
    if (compare->comparator == AKIN_JARO_WINKLER) {
        cutoff.scale = compare->prefix_scale;
        cutoff.winkler.scale = (double)cutoff.scale.num / cutoff.scale.den;
        cutoff.winkler.boost_threshold = (double)compare->boost_threshold.num / compare->boost_threshold.den;
    }
    return cutoff;
}

uint32_t akin_cutoff_edits(const akin_cutoff *cutoff, uint32_t a, uint32_t b)
{
    uint32_t longer = akin_max_u32(a, b), shorter = a + b - longer, most = cutoff->most;
    if (cutoff->ratio.num)
        most = (uint32_t)((uint64_t)longer * (cutoff->ratio.den - cutoff->ratio.num) / cutoff->ratio.den);
    if (longer - shorter > most)
        return AKIN_CUTOFF_NONE;
    return most < longer ? most : longer; /* no distance is larger */
}

/* n * x compared with d * y: 1 if it is not less. */
static int is_not_less(u128 n, uint64_t x, u128 d, uint64_t y)
{
    u128 low[2] = {(u128)(uint64_t)n * x, (u128)(uint64_t)d * y};
    u128 high[2] = {(n >> 64) * x + (low[0] >> 64), (d >> 64) * y + (low[1] >> 64)};
    return high[0] != high[1] ? high[0] > high[1] : (uint64_t)low[0] >= (uint64_t)low[1];
}

static int is_reached_exactly(const akin_cutoff *cutoff, akin_jaro jaro, uint32_t a, uint32_t b, uint32_t prefix)
{
    u128 m = jaro.matched, apart = cutoff->winkler.floored ? jaro.apart & ~1u : jaro.apart;
    u128 n = 2 * m * m * ((u128)a + b) + (2 * m - apart) * a * b, d = 6 * m * a * b;
    uint64_t scale = (uint64_t)prefix * cutoff->scale.num, one = cutoff->scale.den;
    uint64_t least = cutoff->ratio.num * one, given = scale * cutoff->ratio.den;
    /* j (1 - s) + s >= t, times all denominators */
    return least <= given || is_not_less(n, (one - scale) * cutoff->ratio.den, d, least - given);
}

int akin_cutoff_reached(const akin_cutoff *cutoff, akin_jaro jaro, uint32_t a, uint32_t b, uint32_t prefix)
{
    const akin_winkler jaro_alone = {.floored = cutoff->winkler.floored, .boost_threshold = 1};
    double least = (double)cutoff->ratio.num / cutoff->ratio.den;
    if (jaro.matched == 0)
        return 0;
    double similarity = akin_jaro_similarity(jaro, a, b, prefix, &cutoff->winkler);
    if (similarity > least + NEAR || similarity < least - NEAR)
        return similarity > least;
    int counts = akin_jaro_similarity(jaro, a, b, 0, &jaro_alone) > cutoff->winkler.boost_threshold;
    return is_reached_exactly(cutoff, jaro, a, b, counts ? prefix : 0);
}

double akin_cutoff_jaro(const akin_cutoff *cutoff, uint32_t prefix)
{
    double least = (double)cutoff->ratio.num / cutoff->ratio.den, scale = prefix * cutoff->winkler.scale;
    double boosted = scale < 1 ? (least - scale) / (1 - scale) : 0;
    if (boosted < cutoff->winkler.boost_threshold)
        boosted = cutoff->winkler.boost_threshold; /* below it the prefix does not count */
    return (boosted < least ? boosted : least) - NEAR;
}

uint32_t akin_cutoff_matched(const akin_cutoff *cutoff, uint32_t a, uint32_t b, uint32_t prefix)
{
    uint32_t shorter = a < b ? a : b, low = 1, high = shorter;
    if (!akin_cutoff_reached(cutoff, (akin_jaro){shorter, 0}, a, b, prefix))
        return AKIN_CUTOFF_NONE;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (akin_cutoff_reached(cutoff, (akin_jaro){middle, 0}, a, b, prefix))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

int akin_cutoff_permits(const akin_cutoff *cutoff, uint32_t a, uint32_t b)
{
    uint32_t shorter = a < b ? a : b, prefix = shorter < AKIN_WINKLER_PREFIX ? shorter : AKIN_WINKLER_PREFIX;
    if (!cutoff->is_jaro)
        return akin_cutoff_edits(cutoff, a, b) != AKIN_CUTOFF_NONE;
    return akin_cutoff_reached(cutoff, (akin_jaro){shorter, 0}, a, b, prefix);
}
