/* Sweeps over counters: the portable one, and the choice of one. */
#include "sets/sweep.h"

#include "base/bits.h"

#define TARGET
#define INLINE   static inline __attribute__((always_inline))
#define REGISTER 16
#define VECTOR   vector

typedef uint64_t vector __attribute__((vector_size(REGISTER)));

#define most_of(a, b, c) (((a) & (b)) | (((a) ^ (b)) & (c)))

/* A byte of one or zero for each of eight bits. */
INLINE uint64_t spread(uint64_t bits)
{
    const uint64_t own = (bits & 0xff) * 0x0101010101010101 & 0x8040201008040201;
    return (own + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101;
}

/* No counter overflows, so that eight are added to at once. */
INLINE void add_words(uint8_t *counters, const uint64_t *words, uint32_t apart, uint32_t count, uint32_t weight)
{
    for (uint32_t i = 0; i < 64; i += 8) {
        uint64_t eight;
        memcpy(&eight, counters + i, sizeof eight);
        for (uint32_t p = 0; p < count; p++)
            eight += spread(words[(size_t)p * apart] >> i) * (weight << p);
        memcpy(counters + i, &eight, sizeof eight);
    }
}

static uint32_t find_in_sweep(const uint8_t *counters, uint32_t places, uint32_t least, uint16_t *found)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < places; i++) {
        found[count] = (uint16_t)i;
        count += counters[i] >= least;
    }
    return count;
}

#include "sets/sweep_body.h"

const akin_sweep *akin_sweep_choose(akin_cpu cpu)
{
    static const akin_sweep portable = {add, add_groups, find_in_sweep};
    static const akin_sweep *const by_level[] =
        AKIN_CPU_ROW(&portable, &akin_sweep_neon, &akin_sweep_avx2, &akin_sweep_avx512);
    return by_level[cpu];
}
