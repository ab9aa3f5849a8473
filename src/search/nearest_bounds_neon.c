/* Bounds by bags in NEON. */
#include "search/nearest_bounds.h"

#include "base/bits.h"
#include "base/neon.h"

#include <string.h>

#define TARGET
#define INLINE   AKIN_NEON_INLINE
#define REGISTER 16

typedef uint8_t vector_8 __attribute__((vector_size(REGISTER)));

#define least(a, b)    ((vector_8)vminq_u8((uint8x16_t)(a), (uint8x16_t)(b)))
#define greatest(a, b) ((vector_8)vmaxq_u8((uint8x16_t)(a), (uint8x16_t)(b)))
#define bits_8(x)      ((uint64_t)akin_neon_bits_16((uint8x16_t)(x)))

#include "search/nearest_level.h"

int akin_nearest_screen_neon(const akin_bags_job *job)
{
    return screen(job);
}
