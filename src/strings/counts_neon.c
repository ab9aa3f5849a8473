/* Counts of symbols compared in NEON: a string takes four registers, and its sum two parts of 16 bits. */
#include "strings/counts.h"

#include <arm_neon.h>

typedef struct registers {
    uint16x8_t of[AKIN_COUNTS_KINDS / 8];
} registers;

static inline registers load(const akin_counts *counts)
{
    registers r;
    for (int i = 0; i < AKIN_COUNTS_KINDS / 8; i++)
        r.of[i] = vld1q_u16(counts->of + 8 * i);
    return r;
}

/* The sum of the differences, in eight parts: at most 510 together. */
static inline uint16x8_t parts_of(const akin_counts *counts, const registers *query)
{
    const registers r = load(counts);
    uint16x8_t parts = vabdq_u16(r.of[0], query->of[0]);
    for (int i = 1; i < AKIN_COUNTS_KINDS / 8; i++)
        parts = vabaq_u16(parts, r.of[i], query->of[i]);
    return parts;
}

void akin_counts_compare_neon(const akin_counts *counts, const akin_counts *query, const uint32_t *places,
                              uint32_t count, uint32_t *apart)
{
    const registers q = load(query);
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const uint16x8_t low = vpaddq_u16(parts_of(&counts[places[i]], &q), parts_of(&counts[places[i + 1]], &q));
        const uint16x8_t high = vpaddq_u16(parts_of(&counts[places[i + 2]], &q), parts_of(&counts[places[i + 3]], &q));
        vst1q_u32(apart + i, vpaddlq_u16(vpaddq_u16(low, high)));
    }
    for (; i < count; i++)
        apart[i] = vaddvq_u16(parts_of(&counts[places[i]], &q));
}
