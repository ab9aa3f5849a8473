/*
 * Similarities as numbers of 32 bits, which stand where counts do: the score of p / q is the integer part of 2^32 p /
 * q, but 1 at least, and AKIN_SCORE_MOST at most. What is more similar has no smaller score.
 *
 *     SUM       p = count      q = query + object - count         Jaccard; Dice puts objects in the same order
 *     PRODUCT   p = count^2    q = query object                   cosine, squared
 *
 * These are the forms of sets/measure.h that have scores.
 *
 * Unlike similarities have unlike scores, unless sets are large: see akin_score_tells. It is compiled into kernels,
 * too.
 */
#ifndef AKIN_SEARCH_SCORE_H
#define AKIN_SEARCH_SCORE_H

#include <stdint.h>

#ifdef __CUDACC__
#define AKIN_SCORE static __device__ __forceinline__
#else
#define AKIN_SCORE static inline
#endif

#define AKIN_SCORE_ONE  UINT64_C(0x100000000) /* what the fraction is multiplied by */
#define AKIN_SCORE_MOST (UINT32_MAX - 1)

/* Whether an object of `size` keywords, with `count` (at least 1) of them in common with `query`, has that score or a
 * larger one: 2^32 p >= score q, of 96 bits. */
AKIN_SCORE int akin_score_reaches(uint32_t is_cosine, uint32_t query, uint32_t size, uint32_t count, uint32_t score)
{
    const uint64_t p = is_cosine ? (uint64_t)count * count : count;
    const uint64_t q = is_cosine ? (uint64_t)query * size : (uint64_t)query + size - count;
    const uint64_t low = (q & UINT32_MAX) * score, high = (q >> 32) * score + (low >> 32);
    return score <= 1 || p > high || (p == high && (uint32_t)low == 0);
}

AKIN_SCORE uint32_t akin_score_of(uint32_t is_cosine, uint32_t query, uint32_t size, uint32_t count)
{
    const uint64_t p = is_cosine ? (uint64_t)count * count : count;
    const uint64_t q = is_cosine ? (uint64_t)query * size : (uint64_t)query + size - count;
    uint32_t low = 1, high = AKIN_SCORE_MOST;
    if (p <= UINT32_MAX && q > 0) { /* 0 if a file says so */
        const uint64_t score = (p << 32) / q;
        return score < low ? low : score > high ? high : (uint32_t)score;
    }
    while (low < high) {
        const uint32_t middle = low + (high - low + 1) / 2;
        if (akin_score_reaches(is_cosine, query, size, count, middle))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* What an object must count to have that score: it has as many keywords at least, so its similarity is at most count /
 * query, squared or not. */
AKIN_SCORE uint32_t akin_score_least(uint32_t query, uint32_t score)
{
    const uint32_t least = (uint32_t)(((uint64_t)query * score + UINT32_MAX) >> 32);
    return least > 1 ? least : 1;
}

#ifndef __CUDACC__

/* The count of an object that has that score; 0: there is none, or several counts have it. */
static inline uint32_t akin_score_count(uint32_t is_cosine, uint32_t query, uint32_t size, uint32_t score)
{
    const uint32_t most = query < size ? query : size;
    uint32_t low = 1, high = most;
    while (low < high) { /* the first one that reaches it */
        const uint32_t middle = low + (high - low) / 2;
        if (akin_score_reaches(is_cosine, query, size, middle, score))
            high = middle;
        else
            low = middle + 1;
    }
    return most > 0 && akin_score_of(is_cosine, query, size, low) == score &&
                   (low == most || akin_score_of(is_cosine, query, size, low + 1) > score)
               ? low
               : 0;
}

/*
 * Whether all objects of that score, which have `most` keywords at most, are equally similar. Two fractions that differ
 * do so by 1 / (q q') at least, or of cosine, where both have the factor query, by 1 / (query s s'); and what has the
 * score has so few keywords that q, and s, are at most query 2^32 / score.
 */
static inline int akin_score_tells(uint32_t is_cosine, uint32_t query, uint32_t most, uint32_t score)
{
    const uint64_t bound = query * AKIN_SCORE_ONE / score, all = (uint64_t)query + most;
    if (!is_cosine)
        return (bound < all ? bound : all) <= 65536;
    const uint64_t longest = bound < most ? bound : most;
    return longest <= 65536 && longest * longest <= AKIN_SCORE_ONE / (query > 0 ? query : 1);
}

#endif

#endif
