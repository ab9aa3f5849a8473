/* Scores candidates on the GPU, a thread for each: gpu_score.h says how. */
#include "dedupe/gpu_score.h"
#include "device/kernel.h"

#define THREADS 128

static __global__ void __launch_bounds__(THREADS)
    score(const __grid_constant__ akin_gpu_scoring scoring, const akin_gpu_candidate *candidates, uint64_t count,
          uint32_t border, akin_scored_pair *pairs, void *kept, akin_gpu_told *tally)
{
    uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x;
    uint32_t compared = 0;
    if (i < count)
        akin_gpu_score_candidate(&scoring, candidates[i], border, pairs, kept, tally, &compared);
    for (int step = 16; step > 0; step /= 2)
        compared += __shfl_down_sync(0xffffffffu, compared, step);
    if (threadIdx.x % 32 == 0 && compared > 0)
        atomicAdd(&tally->compared, (unsigned long long)compared);
}

static akin_status gpu_score(akin_device_stream *stream, const akin_gpu_scoring *scoring,
                             const akin_gpu_candidate *candidates, uint64_t count, uint32_t border,
                             akin_scored_pair *pairs, void *kept, akin_gpu_told *tally, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    score<<<(unsigned)((count + THREADS - 1) / THREADS), THREADS, 0, akin_device_stream_cuda(stream)>>>(
        *scoring, candidates, count, border, pairs, kept, tally);
    return akin_device_launched(stream, "score", error);
}

const akin_dedupe_score_kernels akin_cuda_dedupe_score = {gpu_score};
