/*
 * What decides whether two strings, or what is said of them, are as alike as a threshold asks: integers, for the CPU and
 * for kernels. Where a comparator has a similarity that is a ratio of integers, that ratio is held against the threshold.
 * Where it has none, as numbers, dates and weighted tokens, both become units of 2^-40, rounded to the nearest.
 *
 * With m symbols matched, h of them at places that differ, the similarity of Jaro is
 *
 *     j = (m / a + m / b + (m - h / 2) / m) / 3 = n / d,    n = 2 m m (a + b) + (2 m - h) a b,    d = 6 m a b
 *
 * and with a prefix that counts by s = p * scale it is j + s (1 - j). Lengths have 32 bits, so n and d have less than 104,
 * and what they are multiplied with 64 at most.
 */
#ifndef AKIN_STRINGS_DECISION_H
#define AKIN_STRINGS_DECISION_H

#include "akin.h"
#include "strings/similarity.h"

/* ------------------------------------------------------------------------------------------------------------ units */

#define AKIN_ALIKE_ONE (UINT64_C(1) << 40) /* similarity 1, in units of 2^-40 */

/* A similarity from 0 to 1 in units of 2^-40, the nearest one, half a unit being rounded up. No step of it rounds. */
AKIN_EVERYWHERE static inline uint64_t akin_alike_of(double similarity)
{
    double units = similarity * (double)AKIN_ALIKE_ONE;
    uint64_t whole = (uint64_t)units;
    return whole + (units - (double)whole >= 0.5);
}

/* The same of a ratio from 0 to 1. */
AKIN_EVERYWHERE static inline uint64_t akin_alike_of_ratio(akin_ratio ratio)
{
    uint64_t den = ratio.den, whole = ratio.num / den, rest = ratio.num % den;
    uint64_t high = (rest << 32) / den, left = (rest << 32) % den;
    uint64_t low = (left << 8) / den, last = (left << 8) % den;
    return (whole << 40) + (high << 8) + low + (2 * last >= den);
}

/* A ratio as a double, for what is printed or estimated; 0 / 0 is 0. */
static inline double akin_ratio_value(akin_ratio ratio)
{
    return ratio.num ? (double)ratio.num / ratio.den : 0;
}

/* Whether a ratio is below another one. */
static inline int akin_ratio_below(akin_ratio a, akin_ratio b)
{
    return (uint64_t)a.num * b.den < (uint64_t)b.num * a.den;
}

/* ---------------------------------------------------------------------------------------------------------- cutoffs */

typedef struct akin_cutoff {
    int is_jaro, swaps; /* symbols in common are counted, not edits; two that change places are one edit */
    akin_ratio ratio;   /* the least similarity, above 0 and at most 1; num 0: `most` it is */
    uint32_t most;      /* edits */
    akin_ratio scale;   /* of a common prefix */
    akin_winkler winkler;
} akin_cutoff;

#define AKIN_CUTOFF_NONE UINT32_MAX
#define AKIN_CUTOFF_NEAR                                                                                               \
    1e-9 /* doubles that are further from the cutoff than that have decided; their error is below 1e-15 */

/* What two strings of lengths a and b may be apart: edits. AKIN_CUTOFF_NONE: their lengths alone are
 * too far apart. */
AKIN_EVERYWHERE static inline uint32_t akin_cutoff_edits(const akin_cutoff *cutoff, uint32_t a, uint32_t b)
{
    uint32_t longer = a > b ? a : b, shorter = a + b - longer, most = cutoff->most;
    if (cutoff->ratio.num)
        most = (uint32_t)((uint64_t)longer * (cutoff->ratio.den - cutoff->ratio.num) / cutoff->ratio.den);
    if (longer - shorter > most)
        return AKIN_CUTOFF_NONE;
    return most < longer ? most : longer; /* no distance is larger */
}

/* Whether strings that are so many edits apart qualify. */
AKIN_EVERYWHERE static inline int akin_cutoff_permits_edits(const akin_cutoff *cutoff, uint32_t distance, uint32_t a,
                                                            uint32_t b)
{
    uint32_t most = akin_cutoff_edits(cutoff, a, b);
    return most != AKIN_CUTOFF_NONE && distance <= most;
}

/* n * x compared with d * y: 1 if it is not less. */
AKIN_EVERYWHERE static inline int akin_cutoff_is_not_less(akin_u128 n, uint64_t x, akin_u128 d, uint64_t y)
{
    akin_u128 low[2] = {(akin_u128)(uint64_t)n * x, (akin_u128)(uint64_t)d * y};
    akin_u128 high[2] = {(n >> 64) * x + (low[0] >> 64), (d >> 64) * y + (low[1] >> 64)};
    return high[0] != high[1] ? high[0] > high[1] : (uint64_t)low[0] >= (uint64_t)low[1];
}

/* Whether strings with these matches qualify, as integers have it. */
AKIN_EVERYWHERE static inline int akin_cutoff_reached_exactly(const akin_cutoff *cutoff, akin_jaro jaro, uint32_t a,
                                                              uint32_t b, uint32_t prefix)
{
    akin_u128 m = jaro.matched, apart = cutoff->winkler.floored ? jaro.apart & ~1u : jaro.apart;
    akin_u128 n = 2 * m * m * ((akin_u128)a + b) + (2 * m - apart) * a * b, d = 6 * m * a * b;
    uint64_t scale = (uint64_t)prefix * cutoff->scale.num, one = cutoff->scale.den;
    uint64_t least = cutoff->ratio.num * one, given = scale * cutoff->ratio.den;
    /* j (1 - s) + s >= t, times all denominators */
    return least <= given || akin_cutoff_is_not_less(n, (one - scale) * cutoff->ratio.den, d, least - given);
}

/* Whether strings with these matches qualify; without any they do not. */
AKIN_EVERYWHERE static inline int akin_cutoff_reached(const akin_cutoff *cutoff, akin_jaro jaro, uint32_t a, uint32_t b,
                                                      uint32_t prefix)
{
    const akin_winkler jaro_alone = {cutoff->winkler.floored, 0, 1};
    double least = (double)cutoff->ratio.num / cutoff->ratio.den;
    if (jaro.matched == 0)
        return 0;
    double similarity = akin_jaro_similarity(jaro, a, b, prefix, &cutoff->winkler);
    if (similarity > least + AKIN_CUTOFF_NEAR || similarity < least - AKIN_CUTOFF_NEAR)
        return similarity > least;
    int counts = akin_jaro_similarity(jaro, a, b, 0, &jaro_alone) > cutoff->winkler.boost_threshold;
    return akin_cutoff_reached_exactly(cutoff, jaro, a, b, counts ? prefix : 0);
}

#endif
