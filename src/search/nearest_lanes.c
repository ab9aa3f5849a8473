/* Bounds of nearest strings: the portable level, and the choice of one. */
#include "search/nearest_lanes.h"

#include "base/bits.h"

#include <string.h>

#define TARGET
#define INLINE   static inline __attribute__((always_inline))
#define REGISTER 16

typedef uint8_t vector_8 __attribute__((vector_size(REGISTER)));
typedef uint32_t vector_32 __attribute__((vector_size(REGISTER)));
typedef uint64_t vector_64 __attribute__((vector_size(REGISTER)));

#define or_but(a, b, c) ((a) | ((b) & ~(c)))

INLINE vector_8 least(vector_8 a, vector_8 b)
{
    const vector_8 is_less = (vector_8)(a < b);
    return (a & is_less) | (b & ~is_less);
}

INLINE vector_8 greatest(vector_8 a, vector_8 b)
{
    const vector_8 is_less = (vector_8)(a < b);
    return (b & is_less) | (a & ~is_less);
}

INLINE vector_64 popcounts_64(vector_64 x)
{
    return (vector_64){akin_popcount64(x[0]), akin_popcount64(x[1])};
}

INLINE vector_32 popcounts_32(vector_32 x)
{
    const vector_64 low = popcounts_64((vector_64)x & UINT32_MAX), high = popcounts_64((vector_64)x >> 32);
    return (vector_32)(low | high << 32);
}

INLINE uint64_t bits_8(vector_8 x)
{
    const vector_64 words = (vector_64)x;
    return akin_gather(words[0]) | akin_gather(words[1]) << 8;
}

INLINE uint64_t within_32(vector_32 a, vector_32 b, vector_32 c, vector_32 d)
{
    const vector_32 both = (vector_32)((a <= b) & (c <= d));
    return (both[0] & 1) | (both[1] & 2) | (both[2] & 4) | (both[3] & 8);
}

INLINE uint64_t within_64(vector_64 a, vector_64 b, vector_64 c, vector_64 d)
{
    const vector_64 both = (vector_64)((a <= b) & (c <= d));
    return (both[0] & 1) | (both[1] & 2);
}

#include "search/nearest_level.h"

const akin_nearest_level *akin_nearest_choose(akin_cpu cpu)
{
    const akin_nearest_level *chosen = cpu >= AKIN_CPU_AVX512 ? akin_nearest_avx512() : NULL;
    if (!chosen && cpu >= AKIN_CPU_AVX2)
        chosen = akin_nearest_avx2();
    return chosen ? chosen : &level;
}
