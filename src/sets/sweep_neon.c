/* Sweeps over counters in NEON: 16 places an instruction. */
#include "sets/sweep.h"

#include "base/bits.h"
#include "base/neon.h"

#define TARGET
#define INLINE   AKIN_NEON_INLINE
#define REGISTER 16
#define VECTOR   uint64x2_t

#define most_of(a, b, c) (((a) & (b)) | (((a) ^ (b)) & (c)))

INLINE void add_words(uint8_t *counters, const uint64_t *words, uint32_t apart, uint32_t count, uint32_t weight)
{
    uint8x16x4_t counts = vld1q_u8_x4(counters);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t word = words[(size_t)i * apart];
        const uint8x16_t more = vdupq_n_u8((uint8_t)(weight << i));
        for (int p = 0; p < 4; p++)
            counts.val[p] = vaddq_u8(counts.val[p], vandq_u8(akin_neon_spread(word, p), more));
    }
    vst1q_u8_x4(counters, counts);
}

static uint32_t find(const uint8_t *counters, uint32_t places, uint32_t least, uint16_t *found)
{
    const uint8x16_t bar = vdupq_n_u8((uint8_t)least);
    uint32_t count = 0, i = 0;
    for (; i + 64 <= places; i += 64) {
        const uint8x16x4_t counts = vld1q_u8_x4(counters + i);
        uint64_t most = akin_neon_bits_64(vcgeq_u8(counts.val[0], bar), vcgeq_u8(counts.val[1], bar),
                                          vcgeq_u8(counts.val[2], bar), vcgeq_u8(counts.val[3], bar));
        for (; most; most &= most - 1)
            found[count++] = (uint16_t)(i + (uint32_t)__builtin_ctzll(most));
    }
    for (; i < places; i++)
        if (counters[i] >= least)
            found[count++] = (uint16_t)i;
    return count;
}

#include "sets/sweep_body.h"

const akin_sweep akin_sweep_neon = {add, add_groups, find};
