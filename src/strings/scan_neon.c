/* Candidates among the strings that passed a screen, in NEON: four at a time. */
#include "base/neon.h"
#include "strings/scan.h"

#include <string.h>

#define INLINE AKIN_NEON_INLINE
#define LANES  4

/* The limits by the number of equal first symbols, words. */
typedef struct table {
    uint8x16x2_t bound, apart, rest;
} table;

INLINE uint8x16x2_t load_words(const void *words)
{
    return vld1q_u8_x2(words);
}

INLINE table load_table(const akin_scan_limits *limits)
{
    int32_t bound[2 * LANES] = {0}, apart[2 * LANES] = {0};
    float rest[2 * LANES] = {0};
    for (uint32_t prefix = 0; prefix < AKIN_PREFIXES; prefix++) {
        bound[prefix] = (int32_t)limits->bound[prefix];
        apart[prefix] = (int32_t)limits->apart[prefix]; /* at most INT32_MAX */
        rest[prefix] = (float)limits->rest[prefix];
    }
    return (table){load_words(bound), load_words(apart), load_words(rest)};
}

/* The words of a table that the lanes of `prefix` name. */
INLINE uint32x4_t pick(uint8x16x2_t words, uint32x4_t prefix)
{
    const uint32x4_t bytes = vmlaq_n_u32(vdupq_n_u32(0x03020100), prefix, 0x04040404);
    return vreinterpretq_u32_u8(vqtbl2q_u8(words, vreinterpretq_u8_u32(bytes)));
}

/* The first words of so many, at least 1; copies of the last one follow. */
INLINE uint32x4_t load_first(const uint32_t *words, uint32_t count)
{
    uint32_t first[LANES];
    if (count >= LANES)
        return vld1q_u32(words);
    for (uint32_t i = 0; i < LANES; i++)
        first[i] = words[i < count ? i : count - 1];
    return vld1q_u32(first);
}

/* How many first symbols are equal, as akin_head_prefix has it. */
INLINE uint32x4_t prefixes_of(const akin_scan_passed *passed, uint32x4_t places)
{
    const uint32_t *heads = passed->heads;
    const uint32_t own[] = {heads[places[0]], heads[places[1]], heads[places[2]], heads[places[3]]};
    return vshrq_n_u32(vclzq_u32(veorq_u32(vld1q_u32(own), vdupq_n_u32(passed->head))), 3);
}

/* Moves the lanes of a mask of four bits to the front. */
INLINE uint32x4_t compress(uint32x4_t lanes, uint32_t mask)
{
#define LANE(i) (UINT32_C(0x03020100) + (i)*UINT32_C(0x04040404))
    static const uint32_t moves[16][LANES] = {{0},
                                              {LANE(0)},
                                              {LANE(1)},
                                              {LANE(0), LANE(1)},
                                              {LANE(2)},
                                              {LANE(0), LANE(2)},
                                              {LANE(1), LANE(2)},
                                              {LANE(0), LANE(1), LANE(2)},
                                              {LANE(3)},
                                              {LANE(0), LANE(3)},
                                              {LANE(1), LANE(3)},
                                              {LANE(0), LANE(1), LANE(3)},
                                              {LANE(2), LANE(3)},
                                              {LANE(0), LANE(2), LANE(3)},
                                              {LANE(1), LANE(2), LANE(3)},
                                              {LANE(0), LANE(1), LANE(2), LANE(3)}};
#undef LANE
    const uint8x16_t move = vreinterpretq_u8_u32(vld1q_u32(moves[mask]));
    return vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(lanes), move));
}

/* Where the strings begin. */
INLINE void store_begins(const akin_scan_passed *passed, uint32x4_t places, uint64_t *at)
{
    const uint64x2_t origin = vdupq_n_u64(passed->origin);
    vst1q_u64(at, vmlal_n_u32(origin, vget_low_u32(places), passed->length));
    vst1q_u64(at + 2, vmlal_high_n_u32(origin, places, passed->length));
}

INLINE void store_bytes(uint32x4_t lanes, uint8_t *out)
{
    const uint16x4_t words = vmovn_u32(lanes);
    const uint32_t bytes = vget_lane_u32(vreinterpret_u32_u8(vmovn_u16(vcombine_u16(words, words))), 0);
    memcpy(out, &bytes, sizeof bytes);
}

INLINE uint32_t sift_by(const akin_scan_passed *given, int by_prefix, int by_counts)
{
    const akin_scan_passed passed = *given; /* of its own, as what is stored could change the other */
    const table t = load_table(passed.limits);
    const uint32_t bits[] = {1, 2, 4, 8};
    uint32_t count = 0;
    for (uint32_t i = 0; i < passed.count; i += LANES) {
        const uint32_t left = passed.count - i;
        const uint32x4_t places = load_first(passed.places + i, left);
        const uint32x4_t prefix = by_prefix ? prefixes_of(&passed, places) : vdupq_n_u32(0);
        uint32x4_t near = vdupq_n_u32(~0u);
        if (by_counts)
            near = vcleq_s32(vreinterpretq_s32_u32(load_first(passed.apart + i, left)),
                             vreinterpretq_s32_u32(pick(t.apart, prefix)));
        const uint32_t there = left < LANES ? (1u << left) - 1 : 15;
        const uint32_t mask = vaddvq_u32(vandq_u32(near, vld1q_u32(bits))) & there;
        const uint32x4_t kept = compress(prefix, mask);
        const uint32x4_t place = vaddq_u32(compress(places, mask), vdupq_n_u32(passed.first));
        vst1q_u32(passed.place + count, place);
        vst1q_u32(passed.runs + count, vdupq_n_u32(passed.run));
        vst1q_u32(passed.lengths + count, vdupq_n_u32(passed.length));
        store_begins(&passed, place, passed.at + count);
        store_bytes(kept, passed.prefix + count);
        vst1q_u32(passed.bound + count, pick(t.bound, kept));
        vst1q_f32(passed.rest + count, vreinterpretq_f32_u32(pick(t.rest, kept)));
        count += (uint32_t)__builtin_popcount(mask);
    }
    return count;
}

uint32_t akin_scan_sift_neon(const akin_scan_passed *passed)
{
    if (passed->by_prefix)
        return passed->apart ? sift_by(passed, 1, 1) : sift_by(passed, 1, 0);
    return passed->apart ? sift_by(passed, 0, 1) : sift_by(passed, 0, 0);
}
