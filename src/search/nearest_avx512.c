/* Nearest strings in AVX-512: 16 queries, 8 a register. */
#include "search/nearest.h"

#include "base/bits.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq")))
#define INLINE TARGET static inline __attribute__((always_inline))
#define WIDTH  8

#define popcounts(x)    ((words)_mm512_popcnt_epi64((__m512i)(x)))
#define or_nor(a, b, c) ((words)_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), 0xf1))

#include "search/nearest_body.h"

akin_nearest_level akin_nearest_avx512(void)
{
    return (akin_nearest_level){LANES, scan};
}
#else
akin_nearest_level akin_nearest_avx512(void)
{
    return (akin_nearest_level){0, NULL};
}
#endif
