/* Screens in NEON: two pairs an instruction, whose bytes have their bits counted. */
#include "signature/screen.h"

#include "base/neon.h"

#include <string.h>

#define INLINE AKIN_NEON_INLINE

enum { PAIRS = AKIN_SCREEN_GROUP / 2, WORDS = 16, FEW = 4 };

_Static_assert(WORDS * 8 <= UINT8_MAX && FEW * 8 * 4 <= UINT8_MAX, "a byte has the bits of so many words");

/* The bits in which a word differs from those of two sets, of each byte. */
INLINE uint8x16_t differ(uint64_t word, const uint64_t *sets)
{
    return vcntq_u8(vreinterpretq_u8_u64(veorq_u64(vdupq_n_u64(word), vld1q_u64(sets))));
}

/* Sums of 8 bytes each, which are the distances of eight sets. Those of few words are added up without a carry. */
INLINE uint16x8_t add_up(const uint8x16_t bytes[PAIRS], uint32_t words)
{
    if (words <= FEW)
        return vpaddlq_u8(vpaddq_u8(vpaddq_u8(bytes[0], bytes[1]), vpaddq_u8(bytes[2], bytes[3])));
    const uint16x8_t low = vpaddq_u16(vpaddlq_u8(bytes[0]), vpaddlq_u8(bytes[1]));
    const uint16x8_t high = vpaddq_u16(vpaddlq_u8(bytes[2]), vpaddlq_u8(bytes[3]));
    return vpaddq_u16(low, high);
}

/* Distances to the eight sets of a group. */
INLINE uint16x8_t distances(const uint64_t *probe, const uint64_t *group, uint32_t stride)
{
    uint16x8_t sum = vdupq_n_u16(0);
    for (uint32_t start = 0; start < stride; start += WORDS) {
        const uint32_t words = stride - start < WORDS ? stride - start : WORDS;
        uint8x16_t bytes[PAIRS];
        for (int i = 0; i < PAIRS; i++)
            bytes[i] = differ(probe[start], group + (size_t)start * AKIN_SCREEN_GROUP + 2 * i);
        for (uint32_t w = start + 1; w < start + words; w++)
            for (int i = 0; i < PAIRS; i++)
                bytes[i] = vaddq_u8(bytes[i], differ(probe[w], group + (size_t)w * AKIN_SCREEN_GROUP + 2 * i));
        sum = vaddq_u16(sum, add_up(bytes, words));
    }
    return sum;
}

/* Limits of eight sets in 16 bits: distances are 0 to 2048. */
INLINE uint16x8_t limits_of(int64_t limit, const int64_t *slack)
{
    const int64x2_t all = vdupq_n_s64(limit);
    const int32x4_t low =
        vcombine_s32(vqmovn_s64(vaddq_s64(all, vld1q_s64(slack))), vqmovn_s64(vaddq_s64(all, vld1q_s64(slack + 2))));
    const int32x4_t high = vcombine_s32(vqmovn_s64(vaddq_s64(all, vld1q_s64(slack + 4))),
                                        vqmovn_s64(vaddq_s64(all, vld1q_s64(slack + 6))));
    return vcombine_u16(vqmovun_s32(low), vqmovun_s32(high));
}

INLINE uint16x8_t limit_of(int64_t limit)
{
    return vdupq_n_u16((uint16_t)(limit < 0 ? 0 : limit > UINT16_MAX ? UINT16_MAX : limit));
}

INLINE void screen_words(const akin_screen_block *block, uint32_t stride)
{
    static const uint16_t places[AKIN_SCREEN_GROUP] = {1, 2, 4, 8, 16, 32, 64, 128};
    const uint16x8_t bits = vld1q_u16(places);
    const uint32_t groups = block->groups;
    const int64_t *const slack = block->slack;
    for (uint32_t p = 0; p < block->probe_count; p++) {
        const uint64_t *probe = block->probes + (uint64_t)p * stride;
        uint8_t *hits = (uint8_t *)(block->hits + (uint64_t)p * AKIN_SCREEN_WORDS); /* little-endian: a byte a group */
        memset(hits, 0, AKIN_SCREEN_WORDS * sizeof *block->hits);
        const uint64_t *group = block->strip;
        const int64_t limit = block->limits[p];
        uint16x8_t limits = limit_of(limit);
        for (uint32_t g = 0; g < groups; g++, group += stride * AKIN_SCREEN_GROUP) {
            if (slack)
                limits = limits_of(limit, slack + (size_t)g * AKIN_SCREEN_GROUP);
            hits[g] = (uint8_t)vaddvq_u16(vandq_u16(vcltq_u16(distances(probe, group, stride), limits), bits));
        }
    }
}
AKIN_SCREEN_VERSIONS(, screen)

akin_screen akin_screen_neon(uint32_t bits)
{
    return screen_versions[akin_screen_width(bits)];
}

/* The distance to one set: computed for two, which share a register. */
INLINE int64_t distance_of(const uint64_t *probe, const uint64_t *two, uint32_t second, uint32_t stride)
{
    uint16x8_t sum = vdupq_n_u16(0);
    for (uint32_t start = 0; start < stride; start += WORDS) {
        const uint32_t end = stride - start < WORDS ? stride : start + WORDS;
        uint8x16_t bytes = differ(probe[start], two + (size_t)start * AKIN_SCREEN_GROUP);
        for (uint32_t w = start + 1; w < end; w++)
            bytes = vaddq_u8(bytes, differ(probe[w], two + (size_t)w * AKIN_SCREEN_GROUP));
        sum = vpadalq_u8(sum, bytes);
    }
    return vaddv_u16(second ? vget_high_u16(sum) : vget_low_u16(sum));
}

INLINE void refine_words(const akin_screen_block *block, uint32_t stride)
{
    for (uint32_t p = 0; p < block->probe_count; p++)
        for (uint32_t i = 0; i < AKIN_SCREEN_WORDS; i++) {
            uint64_t *hits = &block->hits[(uint64_t)p * AKIN_SCREEN_WORDS + i];
            for (uint64_t some = *hits; some; some &= some - 1) {
                const uint32_t bit = (uint32_t)__builtin_ctzll(some), set = i * 64 + bit;
                const uint64_t *group = block->strip + (uint64_t)(set / AKIN_SCREEN_GROUP) * stride * AKIN_SCREEN_GROUP;
                const int64_t limit = block->limits[p] + (block->slack ? block->slack[set] : 0);
                const int64_t distance = distance_of(block->probes + (uint64_t)p * stride,
                                                     group + set % AKIN_SCREEN_GROUP / 2 * 2, set % 2, stride);
                *hits &= ~((uint64_t)(distance >= limit) << bit);
            }
        }
}
AKIN_SCREEN_VERSIONS(, refine)

akin_screen akin_refine_neon(uint32_t bits)
{
    return refine_versions[akin_screen_width(bits)];
}

uint32_t akin_hamming_neon(const uint64_t *a, const uint64_t *b, uint32_t stride)
{
    uint16x8_t sums = vdupq_n_u16(0);
    uint32_t w = 0;
    for (; w + 2 <= stride; w += 2)
        sums = vpadalq_u8(sums, vcntq_u8(vreinterpretq_u8_u64(veorq_u64(vld1q_u64(a + w), vld1q_u64(b + w)))));
    const uint32_t sum = vaddlvq_u16(sums);
    return w == stride ? sum : sum + (uint32_t)__builtin_popcountll(a[w] ^ b[w]);
}
