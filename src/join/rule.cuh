/* Whether a pair qualifies, as kernels ask. */
#ifndef AKIN_JOIN_RULE_CUH
#define AKIN_JOIN_RULE_CUH

#include "join/kernels.h"

/* Whether an overlap of n is enough; the arithmetic of join/threshold.c, turned round. */
static __device__ __forceinline__ bool suffices(akin_gpu_rule rule, uint64_t n, uint64_t r, uint64_t s)
{
    if (rule.measure == AKIN_JACCARD)
        return n * ((uint64_t)rule.num + rule.den) >= rule.num * (r + s);
    if (rule.measure == AKIN_DICE)
        return 2 * n * rule.den >= rule.num * (r + s);
    if (rule.measure == AKIN_COSINE) {
        unsigned __int128 have = n * rule.den, most = (unsigned __int128)((uint64_t)rule.num * rule.num) * (r * s);
        return have * have >= most;
    }
    return n >= rule.num;
}

#endif
