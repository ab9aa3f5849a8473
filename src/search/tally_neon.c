/* What counts enough in a range, in NEON: 64 objects at a time. */
#include "search/tally.h"

#include "base/neon.h"

void akin_tally_find_neon(const akin_tally_job *job, uint32_t first)
{
    akin_top *top = job->top;
    uint8x16_t least = vdupq_n_u8((uint8_t)top->least);
    for (uint32_t i = 0; i < AKIN_RANGE && top->least <= UINT8_MAX; i += 64) {
        uint8x16x4_t counts = vld1q_u8_x4(job->counters + i);
        for (uint32_t b = first; b < job->bit_count; b++) {
            const uint64_t there = akin_load_word((const char *)(job->bits[b].cells + i / 16));
            const uint8x16_t weight = vdupq_n_u8((uint8_t)job->bits[b].weight);
            for (int p = 0; p < 4; p++)
                counts.val[p] = vaddq_u8(counts.val[p], vandq_u8(akin_neon_spread(there, p), weight));
        }
        const uint64_t found = akin_neon_bits_64(vcgeq_u8(counts.val[0], least), vcgeq_u8(counts.val[1], least),
                                                 vcgeq_u8(counts.val[2], least), vcgeq_u8(counts.val[3], least));
        if (found == 0)
            continue;
        uint8_t of[64];
        vst1q_u8_x4(of, counts);
        akin_top_add_found(top, akin_tally_objects(job, i, found), of, job->first + i);
        least = vdupq_n_u8((uint8_t)top->least);
    }
}
