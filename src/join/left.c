/* Weighs sampled pairs by the widths of signatures that leave them. */
#include "join/left.h"

#include "signature/parity.h"

#include <string.h>

#define WORDS (AKIN_PARITY_BITS_MOST / 64)

uint32_t akin_left_stride(const akin_join_job *job)
{
    uint64_t size = akin_average_size(job->probes), stride = 1;
    while (stride < WORDS && stride * 64 < 16 * size)
        stride *= 2;
    return (uint32_t)stride;
}

uint32_t akin_left_weigh(const akin_join_job *job, uint32_t probe, uint32_t set, uint32_t stride)
{
    static const uint64_t nothing[WORDS] = {0};
    akin_hamming hamming = akin_hamming_choose(job->scope->cpu);
    const akin_ranked *probes = job->probes, *sets = job->indexed;
    uint64_t x[WORDS], r = akin_ranked_size(probes, probe), s = akin_ranked_size(sets, set);
    uint64_t need = akin_join_need(job, r, s);
    uint32_t left = 0;
    memset(x, 0, stride * sizeof *x);
    akin_parity_add(x, stride, probes->tokens + probes->offsets[probe], (uint32_t)r);
    akin_parity_add(x, stride, sets->tokens + sets->offsets[set], (uint32_t)s);
    for (uint32_t index = AKIN_SCREEN_WIDTHS, words = WORDS; index-- > 0; words /= 2) {
        if (words > stride)
            continue;
        left |= (uint32_t)(hamming(x, nothing, words) + 2 * need <= r + s) << index;
        for (uint32_t w = 0; w < words / 2; w++)
            x[w] ^= x[w + words / 2];
    }
    return left;
}

void akin_left_add(double *sum, uint32_t left, double what)
{
    for (uint32_t index = 0; index < AKIN_SCREEN_WIDTHS; index++)
        sum[index] += (left >> index & 1) * what;
}

void akin_left_fill(uint32_t stride, double *left)
{
    for (uint32_t index = 1; index < AKIN_SCREEN_WIDTHS; index++)
        if (1u << index > stride)
            left[index] = left[index - 1];
}

double akin_share_of_sample(double seen, double n, double expected)
{
    return (seen + 0.5) / (n + 0.5 / expected);
}

void akin_left_shares(double n, const double *expected, double *left)
{
    for (uint32_t index = 0; index < AKIN_SCREEN_WIDTHS; index++)
        left[index] = akin_share_of_sample(left[index], n, expected ? expected[index] : 0.5);
}
