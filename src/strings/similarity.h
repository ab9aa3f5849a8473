/* From edits and matches to similarities: the same operations in the same order on CPU and GPU, so the same bits. */
#ifndef AKIN_STRINGS_SIMILARITY_H
#define AKIN_STRINGS_SIMILARITY_H

#include "akin.h"
#include "base/bits.h"

#include <math.h>

#define AKIN_SIMILARITY_NEAR 1e-9 /* doubles further apart than that are in order; their error is below 1e-15 */

/* 1 - distance / the longer length; two empty strings are equal. */
AKIN_EVERYWHERE static inline double akin_edit_similarity(uint32_t distance, uint32_t a, uint32_t b)
{
    uint32_t longer = a > b ? a : b;
    return longer == 0 ? 1.0 : 1.0 - (double)distance / longer;
}

/* The difference at which numbers or days have similarity 0. */
typedef struct akin_number_scale {
    double fixed;    /* 0: that depends on the numbers: */
    double share;    /* of the larger one, by its absolute value */
    int is_directed; /* the right number is the larger one, or they are not alike */
} akin_number_scale;

/* 1 - difference / scale. Numbers that are as far apart as the scale, or further, are not alike. */
AKIN_EVERYWHERE static inline double akin_number_similarity(akin_number_scale scale, double left, double right)
{
    const double distance = fabs(left - right);
    if (scale.is_directed && right < left)
        return 0.0;
    const double most = scale.fixed > 0 ? scale.fixed : scale.share * fmax(fabs(left), fabs(right));
    return distance == 0 ? 1.0 : distance < most ? 1.0 - distance / most : 0.0;
}

/*
 * What the similarity of Jaro (1989) is made of. A symbol of the text matches the first equal one of the pattern that
 * nothing has matched before it, at most max(0, longer length / 2 - 1) places away. Matched symbols of both strings, in
 * their orders, stand side by side: `apart` is in how many places they differ. Either string may be the pattern.
 */
typedef struct akin_jaro {
    uint32_t matched, apart;
} akin_jaro;

/* How symbols out of order are counted, and when the prefix counts. */
typedef struct akin_winkler {
    int floored;      /* half of `apart` is rounded down, as some programs have it */
    akin_ratio boost; /* the prefix counts where Jaro's similarity is above it; num 0: it always does */
    double scale;     /* of the prefix; 0: Jaro's similarity alone */
} akin_winkler;

#define AKIN_WINKLER_PREFIX 4 /* symbols that count at most */

/* Jaro's similarity as a ratio of integers. Lengths have 32 bits, so both have less than 104. */
typedef struct akin_jaro_ratio {
    akin_u128 num, den;
} akin_jaro_ratio;

/*
 * That ratio. With m symbols matched, h of them at places that differ, it is
 *
 *     (m / a + m / b + (m - h / 2) / m) / 3 = n / d,    n = 2 m m (a + b) + (2 m - h) a b,    d = 6 m a b
 */
AKIN_EVERYWHERE static inline akin_jaro_ratio akin_jaro_ratio_of(akin_jaro jaro, uint32_t a, uint32_t b, int floored)
{
    akin_u128 m = jaro.matched, apart = floored ? jaro.apart & ~1u : jaro.apart;
    akin_jaro_ratio ratio;
    ratio.num = 2 * m * m * ((akin_u128)a + b) + (2 * m - apart) * a * b;
    ratio.den = 6 * m * a * b;
    return ratio;
}

/* Whether n * x is not less than d * y. */
AKIN_EVERYWHERE static inline int akin_jaro_is_not_less(akin_u128 n, uint64_t x, akin_u128 d, uint64_t y)
{
    akin_u128 low[2] = {(akin_u128)(uint64_t)n * x, (akin_u128)(uint64_t)d * y};
    akin_u128 high[2] = {(n >> 64) * x + (low[0] >> 64), (d >> 64) * y + (low[1] >> 64)};
    return high[0] != high[1] ? high[0] > high[1] : (uint64_t)low[0] >= (uint64_t)low[1];
}

/* Whether the prefix of strings with some symbols matched counts: whether Jaro's similarity is above `boost`. Integers
 * decide where `similarity`, its double, is near. */
AKIN_EVERYWHERE static inline int akin_winkler_counts(const akin_winkler *winkler, akin_jaro jaro, uint32_t a,
                                                      uint32_t b, double similarity)
{
    akin_ratio boost = winkler->boost;
    if (boost.num == 0)
        return 1;
    double above = similarity * boost.den - boost.num, near = AKIN_SIMILARITY_NEAR * boost.den;
    if (above > near || above < -near)
        return above > 0;
    akin_jaro_ratio exact = akin_jaro_ratio_of(jaro, a, b, winkler->floored);
    return !akin_jaro_is_not_less(exact.den, boost.num, exact.num, boost.den);
}

/* The similarity of strings of lengths a and b with the matches of `jaro`, and a common prefix of `prefix` symbols. Two
 * empty strings are equal; an empty one is similar to no other. */
AKIN_EVERYWHERE static inline double akin_jaro_similarity(akin_jaro jaro, uint32_t a, uint32_t b, uint32_t prefix,
                                                          const akin_winkler *winkler)
{
    if (jaro.matched == 0)
        return a == 0 && b == 0 ? 1.0 : 0.0;
    double matched = jaro.matched;
    double moved = (winkler->floored ? jaro.apart & ~1u : jaro.apart) / 2.0;
    double similarity = (matched / a + matched / b + (matched - moved) / matched) / 3.0;
    if (akin_winkler_counts(winkler, jaro, a, b, similarity))
        similarity += prefix * winkler->scale * (1.0 - similarity);
    return similarity;
}

#endif
