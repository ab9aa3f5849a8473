/* From edits and matches to similarities: the same operations in the same order on CPU and GPU, so the same bits. */
#ifndef AKIN_STRINGS_SIMILARITY_H
#define AKIN_STRINGS_SIMILARITY_H

#include "base/bits.h"

/* 1 - distance / the longer length; two empty strings are equal. */
AKIN_EVERYWHERE static inline double akin_edit_similarity(uint32_t distance, uint32_t a, uint32_t b)
{
    uint32_t longer = a > b ? a : b;
    return longer == 0 ? 1.0 : 1.0 - (double)distance / longer;
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
    int floored;            /* half of `apart` is rounded down, as some programs have it */
    double scale;           /* of the prefix; 0: Jaro's similarity alone */
    double boost_threshold; /* the prefix counts above it alone; 0: it always does */
} akin_winkler;

#define AKIN_WINKLER_PREFIX 4 /* symbols that count at most */

/* The similarity of strings of lengths a and b with that many symbols matched, and a common prefix of `prefix` symbols. Two
 * empty strings are equal; an empty one is similar to no other. */
AKIN_EVERYWHERE static inline double akin_jaro_similarity(akin_jaro jaro, uint32_t a, uint32_t b, uint32_t prefix,
                                                          const akin_winkler *winkler)
{
    if (jaro.matched == 0)
        return a == 0 && b == 0 ? 1.0 : 0.0;
    double matched = jaro.matched;
    double moved = (winkler->floored ? jaro.apart & ~1u : jaro.apart) / 2.0;
    double similarity = (matched / a + matched / b + (matched - moved) / matched) / 3.0;
    if (similarity > winkler->boost_threshold)
        similarity += prefix * winkler->scale * (1.0 - similarity);
    return similarity;
}

#endif
