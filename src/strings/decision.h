/*
 * Decides in integers whether two strings, or figures about them, are as alike as a threshold requires, for the CPU and
 * for kernels. Where the similarity of a comparator is a ratio of integers, that ratio is compared with the threshold.
 * Where it is not (numbers, dates and weighted tokens), both become units of 2^-40, rounded to the nearest.
 *
 * With a prefix that counts by s = p * scale, Jaro's similarity j = n / d (similarity.h) becomes j + s (1 - j). n and d
 * have less than 104 bits, and their factors are at most 64.
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

/* Whether strings at an edit distance of `distance` qualify. */
AKIN_EVERYWHERE static inline int akin_cutoff_permits_edits(const akin_cutoff *cutoff, uint32_t distance, uint32_t a,
                                                            uint32_t b)
{
    uint32_t most = akin_cutoff_edits(cutoff, a, b);
    return most != AKIN_CUTOFF_NONE && distance <= most;
}

/* Whether strings with these matches qualify, as integers have it. */
AKIN_EVERYWHERE static inline int akin_cutoff_reached_exactly(const akin_cutoff *cutoff, akin_jaro jaro, uint32_t a,
                                                              uint32_t b, uint32_t prefix)
{
    akin_jaro_ratio j = akin_jaro_ratio_of(jaro, a, b, cutoff->winkler.floored);
    uint64_t scale = (uint64_t)prefix * cutoff->scale.num, one = cutoff->scale.den;
    uint64_t least = cutoff->ratio.num * one, given = scale * cutoff->ratio.den;
    /* j (1 - s) + s >= t, times all denominators */
    return least <= given || akin_jaro_is_not_less(j.num, (one - scale) * cutoff->ratio.den, j.den, least - given);
}

/* Whether strings with these matches qualify; without any they do not. */
AKIN_EVERYWHERE static inline int akin_cutoff_reached(const akin_cutoff *cutoff, akin_jaro jaro, uint32_t a, uint32_t b,
                                                      uint32_t prefix)
{
    const akin_winkler jaro_alone = {cutoff->winkler.floored, {0, 1}, 0};
    double least = (double)cutoff->ratio.num / cutoff->ratio.den;
    if (jaro.matched == 0)
        return 0;
    double similarity = akin_jaro_similarity(jaro, a, b, prefix, &cutoff->winkler);
    if (similarity > least + AKIN_SIMILARITY_NEAR || similarity < least - AKIN_SIMILARITY_NEAR)
        return similarity > least;
    double alone = akin_jaro_similarity(jaro, a, b, 0, &jaro_alone);
    int counts = akin_winkler_counts(&cutoff->winkler, jaro, a, b, alone);
    return akin_cutoff_reached_exactly(cutoff, jaro, a, b, counts ? prefix : 0);
}

#endif
