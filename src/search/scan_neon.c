/* The scan of columns in NEON: 16 objects an instruction, or 8 where codes have 16 bits; a test is read for 64. */
#include "search/scan.h"

#include "base/neon.h"

#define INLINE AKIN_NEON_INLINE

enum { PARTS = 4, REGISTER = 16, SOME = PARTS * REGISTER }; /* objects at a time */

INLINE void count_narrow(const akin_scan_job *job, uint32_t i, uint8x16_t counts[PARTS])
{
    for (uint32_t t = 0; t < job->narrow; t++) {
        const akin_scan_test *test = &job->tests[t];
        const uint8x16_t low = vdupq_n_u8((uint8_t)test->low), span = vdupq_n_u8((uint8_t)test->span);
        const uint8x16_t weight = vdupq_n_u8((uint8_t)test->weight);
        for (uint32_t p = 0; p < PARTS; p++) {
            const uint8x16_t above = vsubq_u8(vld1q_u8(test->codes + i + p * REGISTER), low);
            counts[p] = vaddq_u8(counts[p], vandq_u8(vcleq_u8(above, span), weight));
        }
    }
}

INLINE void count_wide(const akin_scan_job *job, uint32_t i, uint8x16_t counts[PARTS])
{
    for (uint32_t t = job->narrow; t < job->count; t++) {
        const akin_scan_test *test = &job->tests[t];
        const uint16x8_t low = vdupq_n_u16(test->low), span = vdupq_n_u16(test->span);
        const uint8x16_t weight = vdupq_n_u8((uint8_t)test->weight);
        for (uint32_t p = 0; p < PARTS; p++) {
            const uint8_t *codes = test->codes + 2 * ((uint64_t)i + p * REGISTER);
            const uint16x8_t a = vcleq_u16(vsubq_u16(vreinterpretq_u16_u8(vld1q_u8(codes)), low), span);
            const uint16x8_t b = vcleq_u16(vsubq_u16(vreinterpretq_u16_u8(vld1q_u8(codes + REGISTER)), low), span);
            const uint8x16_t there = vuzp1q_u8(vreinterpretq_u8_u16(a), vreinterpretq_u8_u16(b));
            counts[p] = vaddq_u8(counts[p], vandq_u8(there, weight));
        }
    }
}

INLINE void count_both(const akin_scan_job *job, uint32_t i, uint8_t of[SOME])
{
    uint8x16_t counts[PARTS] = {vdupq_n_u8(0), vdupq_n_u8(0), vdupq_n_u8(0), vdupq_n_u8(0)};
    count_narrow(job, i, counts);
    count_wide(job, i, counts);
    for (uint32_t p = 0; p < PARTS; p++)
        vst1q_u8(of + p * REGISTER, counts[p]);
}

static void find_best(const akin_scan_job *job)
{
    akin_top *top = job->top;
    uint8x16_t least = vdupq_n_u8((uint8_t)top->least);
    for (uint32_t i = job->first; i < job->end && top->least <= UINT8_MAX; i += SOME) {
        uint8_t of[SOME];
        count_both(job, i, of);
        uint64_t found = akin_neon_bits_64(vcgeq_u8(vld1q_u8(of), least), vcgeq_u8(vld1q_u8(of + 16), least),
                                           vcgeq_u8(vld1q_u8(of + 32), least), vcgeq_u8(vld1q_u8(of + 48), least));
        if (job->end - i < SOME)
            found &= (UINT64_C(1) << (job->end - i)) - 1;
        if (found == 0)
            continue;
        akin_top_add_found(top, found, of, i);
        least = vdupq_n_u8((uint8_t)top->least);
    }
}

void akin_scan_neon(const akin_scan_job *job)
{
    if (job->top) {
        find_best(job);
        return;
    }
    for (uint32_t i = job->first; i < job->end; i += SOME)
        count_both(job, i, job->counts + (i - job->first));
}
