/* Nearest strings in AVX2: 8 queries, 4 a register. */
#include "search/nearest.h"

#include "base/bits.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET          __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define INLINE          TARGET static inline __attribute__((always_inline))
#define or_nor(a, b, c) ((a) | ~((b) | (c)))
#define WIDTH           4

typedef uint64_t four __attribute__((vector_size(32)));

/* Bits of 4 at a time, by a table, and the sums of bytes. */
INLINE four popcounts(four x)
{
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2,
                                           2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(15), all = (__m256i)x;
    __m256i sum = _mm256_shuffle_epi8(table, _mm256_and_si256(all, low));
    sum = _mm256_add_epi8(sum, _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(all, 4), low)));
    return (four)_mm256_sad_epu8(sum, _mm256_setzero_si256());
}

#include "search/nearest_body.h"

akin_nearest_level akin_nearest_avx2(void)
{
    return (akin_nearest_level){LANES, scan};
}
#else
akin_nearest_level akin_nearest_avx2(void)
{
    return (akin_nearest_level){0, NULL};
}
#endif
