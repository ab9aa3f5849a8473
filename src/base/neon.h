/* Bytes of NEON as bits of a word, and back: what x86 has instructions for. For files of 64-bit ARM alone. */
#ifndef AKIN_BASE_NEON_H
#define AKIN_BASE_NEON_H

#include <arm_neon.h>

#define AKIN_NEON_INLINE static inline __attribute__((always_inline))

/* In each byte the bit of its place among eight. */
AKIN_NEON_INLINE uint8x16_t akin_neon_places(void)
{
    return vreinterpretq_u8_u64(vdupq_n_u64(UINT64_C(0x8040201008040201)));
}

/* Bit i for byte i of four registers, whose bytes are all ones or all zeros. */
AKIN_NEON_INLINE uint64_t akin_neon_bits_64(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d)
{
    const uint8x16_t places = akin_neon_places();
    const uint8x16_t low = vpaddq_u8(vandq_u8(a, places), vandq_u8(b, places));
    const uint8x16_t high = vpaddq_u8(vandq_u8(c, places), vandq_u8(d, places));
    const uint8x16_t all = vpaddq_u8(low, high);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all, all)), 0);
}

/* The same of one register. */
AKIN_NEON_INLINE uint32_t akin_neon_bits_16(uint8x16_t a)
{
    const uint8x16_t own = vandq_u8(a, akin_neon_places());
    return vaddv_u8(vget_low_u8(own)) | (uint32_t)vaddv_u8(vget_high_u8(own)) << 8;
}

/* Four bits for each byte: the first byte that is set is number ctz / 4. */
AKIN_NEON_INLINE uint64_t akin_neon_nibbles(uint8x16_t a)
{
    return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(a), 4)), 0);
}

/* Whether any bit is set. */
AKIN_NEON_INLINE int akin_neon_any(uint8x16_t a)
{
    const uint64x2_t words = vreinterpretq_u64_u8(a);
    return (vgetq_lane_u64(words, 0) | vgetq_lane_u64(words, 1)) != 0;
}

/* Bytes of ones where bits 16 * part to 16 * part + 15 of a word are ones. */
AKIN_NEON_INLINE uint8x16_t akin_neon_spread(uint64_t word, int part)
{
    const uint8x16_t bytes = vreinterpretq_u8_u64(vdupq_n_u64(word));
    const uint8_t low = (uint8_t)(2 * part);
    const uint8x16_t from = vcombine_u8(vdup_n_u8(low), vdup_n_u8((uint8_t)(low + 1)));
    return vtstq_u8(vqtbl1q_u8(bytes, from), akin_neon_places());
}

#endif
