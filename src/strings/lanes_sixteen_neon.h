/* Sixteen lanes of 2, 4 or 8 bytes in registers of NEON, for patterns of up to 64 symbols: register i has the lanes
 * from i * 16 / bytes on. The number of bytes is a constant wherever this is inlined. */
#ifndef AKIN_STRINGS_LANES_SIXTEEN_NEON_H
#define AKIN_STRINGS_LANES_SIXTEEN_NEON_H

#include "base/neon.h"
#include "strings/lanes.h"

#include <string.h>

#define INLINE AKIN_NEON_INLINE
#define LANES  AKIN_LANES
#define MOST   8 /* bytes of a lane */
#define STEP   8 /* symbols that are turned at once */

_Static_assert(LANES == 16, "a register has a byte for each lane");

INLINE uint8x16_t add(uint8x16_t a, uint8x16_t b, uint32_t bytes)
{
    if (bytes == 2)
        return vreinterpretq_u8_u16(vaddq_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
    if (bytes == 4)
        return vreinterpretq_u8_u32(vaddq_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)));
    return vreinterpretq_u8_u64(vaddq_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b)));
}

INLINE uint8x16_t subtract(uint8x16_t a, uint8x16_t b, uint32_t bytes)
{
    if (bytes == 2)
        return vreinterpretq_u8_u16(vsubq_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
    if (bytes == 4)
        return vreinterpretq_u8_u32(vsubq_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)));
    return vreinterpretq_u8_u64(vsubq_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b)));
}

INLINE uint8x16_t lowest_bit(uint8x16_t a, uint32_t bytes)
{
    return vandq_u8(a, subtract(vdupq_n_u8(0), a, bytes));
}

/* All ones in lanes that are not 0. */
INLINE uint8x16_t is_any(uint8x16_t a, uint32_t bytes)
{
    if (bytes == 2)
        return vreinterpretq_u8_u16(vtstq_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(a)));
    if (bytes == 4)
        return vreinterpretq_u8_u32(vtstq_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(a)));
    return vreinterpretq_u8_u64(vtstq_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(a)));
}

/* All ones in lanes that are above a number. */
INLINE uint8x16_t is_above(uint8x16_t a, uint32_t number, uint32_t bytes)
{
    if (bytes == 2)
        return vreinterpretq_u8_u16(vcgtq_u16(vreinterpretq_u16_u8(a), vdupq_n_u16((uint16_t)number)));
    if (bytes == 4)
        return vreinterpretq_u8_u32(vcgtq_u32(vreinterpretq_u32_u8(a), vdupq_n_u32(number)));
    return vreinterpretq_u8_u64(vcgtq_u64(vreinterpretq_u64_u8(a), vdupq_n_u64(number)));
}

/* The lowest bytes of a word for each lane. */
INLINE void load_lanes(const uint64_t words[LANES], uint32_t bytes, uint8x16_t *out)
{
    uint8_t lanes[LANES * MOST];
#pragma GCC unroll 16
    for (uint32_t lane = 0; lane < LANES; lane++)
        memcpy(lanes + lane * bytes, &words[lane], bytes);
    for (uint32_t i = 0; i < bytes; i++)
        out[i] = vld1q_u8(lanes + LANES * i);
}

/* The sum of the bytes of each lane. */
INLINE int8x16_t sum_bytes(int8x16_t sums[MOST], uint32_t bytes)
{
    if (bytes >= 8)
        for (uint32_t i = 0; i < 4; i++)
            sums[i] = vpaddq_s8(sums[2 * i], sums[2 * i + 1]);
    if (bytes >= 4)
        for (uint32_t i = 0; i < 2; i++)
            sums[i] = vpaddq_s8(sums[2 * i], sums[2 * i + 1]);
    return vpaddq_s8(sums[0], sums[1]);
}

/* The bits of each lane. */
INLINE uint8x16_t count_bits(const uint8x16_t *lanes, uint32_t bytes)
{
    int8x16_t sums[MOST];
    for (uint32_t i = 0; i < bytes; i++)
        sums[i] = vreinterpretq_s8_u8(vcntq_u8(lanes[i]));
    return vreinterpretq_u8_s8(sum_bytes(sums, bytes));
}

/* Turns two squares of eight bytes side by side: byte k of register i of each becomes byte i of register k. */
INLINE void turn(uint8x16_t r[STEP])
{
    for (uint32_t i = 0; i < STEP; i += 2) {
        const uint8x16_t a = r[i], b = r[i + 1];
        r[i] = vtrn1q_u8(a, b);
        r[i + 1] = vtrn2q_u8(a, b);
    }
    for (uint32_t k = 0; k < STEP / 2; k++) {
        const uint32_t i = k / 2 * 4 + k % 2;
        const uint16x8_t a = vreinterpretq_u16_u8(r[i]), b = vreinterpretq_u16_u8(r[i + 2]);
        r[i] = vreinterpretq_u8_u16(vtrn1q_u16(a, b));
        r[i + 2] = vreinterpretq_u8_u16(vtrn2q_u16(a, b));
    }
    for (uint32_t i = 0; i < STEP / 2; i++) {
        const uint32x4_t a = vreinterpretq_u32_u8(r[i]), b = vreinterpretq_u32_u8(r[i + 4]);
        r[i] = vreinterpretq_u8_u32(vtrn1q_u32(a, b));
        r[i + 4] = vreinterpretq_u8_u32(vtrn2q_u32(a, b));
    }
}

#endif
