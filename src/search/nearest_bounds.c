/* Bounds by bags: the portable level, and the choice of one. */
#include "search/nearest_bounds.h"

#include "base/bits.h"

#include <string.h>

#define TARGET
#define INLINE   static inline __attribute__((always_inline))
#define REGISTER 16

typedef uint8_t vector_8 __attribute__((vector_size(REGISTER)));
typedef uint64_t vector_64 __attribute__((vector_size(REGISTER)));

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

INLINE uint64_t bits_8(vector_8 x)
{
    const vector_64 words = (vector_64)x;
    return akin_gather(words[0]) | akin_gather(words[1]) << 8;
}

#include "search/nearest_level.h"

akin_nearest_screen akin_nearest_screen_choose(akin_cpu cpu)
{
    static const akin_nearest_screen by_level[] =
        AKIN_CPU_ROW(screen, akin_nearest_screen_neon, akin_nearest_screen_avx2, akin_nearest_screen_avx512);
    return by_level[cpu];
}
