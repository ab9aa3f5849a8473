/* The screen of bags in NEON: sixteen at a time, a byte for what each differs in. */
#include "base/neon.h"
#include "strings/bag_screen.h"

#define INLINE AKIN_NEON_INLINE
#define BAGS   16

/* What a distance must be below to pass; by_prefix: for each length of a common prefix. */
typedef struct bounds {
    uint8x16_t of;
    uint32x4_t head;
    int by_prefix;
} bounds;

/* In how many bits each byte differs of a word of two bags. */
INLINE uint8x16_t apart_in_bytes(const uint64_t *bags, uint64_t word)
{
    return vcntq_u8(vreinterpretq_u8_u64(veorq_u64(vld1q_u64(bags), vdupq_n_u64(word))));
}

/* In how many bits the sixteen bags from place i on differ in two of their words: at most 128. */
INLINE uint8x16_t apart(const akin_bag_strip *strip, const akin_bag_query *query, uint32_t word, uint32_t i)
{
    const uint64_t *one = strip->bags[word] + i, *other = strip->bags[word + 1] + i, *words = query->bag.words + word;
    uint8x16_t sums[BAGS / 2];
    for (uint32_t two = 0; two < BAGS / 2; two++)
        sums[two] = vaddq_u8(apart_in_bytes(one + 2 * two, words[0]), apart_in_bytes(other + 2 * two, words[1]));
    for (uint32_t left = BAGS / 4; left > 0; left /= 2)
        for (uint32_t k = 0; k < left; k++)
            sums[k] = vpaddq_u8(sums[2 * k], sums[2 * k + 1]);
    return sums[0];
}

INLINE bounds load_bounds(const akin_bag_query *query)
{
    uint8_t of[BAGS] = {0};
    for (uint32_t prefix = 0; prefix < AKIN_PREFIXES; prefix++)
        of[prefix] = (uint8_t)(query->limit[prefix] < 0 ? 0 : query->limit[prefix] + 1);
    return (bounds){query->by_prefix ? vld1q_u8(of) : vdupq_n_u8(of[0]), vdupq_n_u32(query->head), query->by_prefix};
}

/* The zero bits above the first one that differs, of four heads. */
INLINE uint16x8_t equal_bits(const uint32_t *heads, uint32x4_t head)
{
    return vreinterpretq_u16_u32(vclzq_u32(veorq_u32(vld1q_u32(heads), head)));
}

/* The bounds of the sixteen from place i on. */
INLINE uint8x16_t bounds_of(const akin_bag_strip *strip, const bounds *b, uint32_t i)
{
    if (!b->by_prefix)
        return b->of;
    const uint32_t *heads = strip->heads + i;
    const uint16x8_t low = vuzp1q_u16(equal_bits(heads, b->head), equal_bits(heads + 4, b->head));
    const uint16x8_t high = vuzp1q_u16(equal_bits(heads + 8, b->head), equal_bits(heads + 12, b->head));
    const uint8x16_t bits = vuzp1q_u8(vreinterpretq_u8_u16(low), vreinterpretq_u8_u16(high));
    return vqtbl1q_u8(b->of, vshrq_n_u8(bits, 3));
}

/* Sixteen at a time, as long as all of them are too far apart in the first words: for few the others are looked at. */
INLINE uint32_t screen_with(const akin_bag_strip *strip, const akin_bag_query *query, int by_prefix, uint32_t end,
                            uint32_t *passed)
{
    bounds b = load_bounds(query);
    uint32_t count = 0;
    b.by_prefix = by_prefix;
    for (uint32_t i = 0; i < end; i += BAGS) {
        const uint8x16_t bound = bounds_of(strip, &b, i), first = apart(strip, query, 0, i);
        if (!akin_neon_nibbles(vcltq_u8(first, bound)))
            continue;
        const uint8x16_t sum = vqaddq_u8(first, apart(strip, query, 2, i));
        for (uint64_t mask = akin_neon_nibbles(vcltq_u8(sum, bound)) & UINT64_C(0x1111111111111111); mask;
             mask &= mask - 1)
            passed[count++] = i + (uint32_t)__builtin_ctzll(mask) / 4;
    }
    return count;
}

/* Whether the limits, with one added, are bytes. Others let all pass, or nearly all. */
static int are_bytes(const akin_bag_query *query)
{
    int64_t most = query->limit[0];
    for (uint32_t prefix = 1; query->by_prefix && prefix < AKIN_PREFIXES; prefix++)
        most = query->limit[prefix] > most ? query->limit[prefix] : most;
    return most < UINT8_MAX;
}

uint32_t akin_bag_screen_neon(const akin_bag_strip *strip, const akin_bag_query *query, uint32_t *passed)
{
    const uint32_t end = are_bytes(query) ? strip->count / BAGS * BAGS : 0;
    uint32_t count =
        query->by_prefix ? screen_with(strip, query, 1, end, passed) : screen_with(strip, query, 0, end, passed);
    for (uint32_t i = end; i < strip->count; i++) {
        passed[count] = i;
        count += (uint32_t)akin_bag_passes(strip, query, i);
    }
    return count;
}
