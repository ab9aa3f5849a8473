/* Verifies candidates on the GPU. */
#include "device/kernel.h"
#include "join/rule.cuh"

#define WARPS  8
#define BLOCKS 2112 /* 16 for each multiprocessor of a large GPU: warps take candidates in turn */

/* Whether `token` is among the `count` ascending ones at `tokens`. */
template <typename Token>
static __device__ __forceinline__ bool holds(const Token *tokens, uint32_t count, uint32_t token)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (tokens[middle] < token)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && tokens[low] == token;
}

template <typename Token>
static __global__ void __launch_bounds__(32 * WARPS)
    verify(akin_gpu_sets probes, akin_gpu_sets indexed, akin_gpu_rule rule, const akin_gpu_pair *candidates,
           uint64_t room, akin_gpu_tally *tally, akin_gpu_pair *pairs, uint32_t *overlaps)
{
    uint64_t count = min(min((uint64_t)tally->count, (uint64_t)tally->valid), room);
    uint32_t lane = threadIdx.x % 32;
    uint64_t step = (uint64_t)gridDim.x * WARPS;
    for (uint64_t at = (uint64_t)blockIdx.x * WARPS + threadIdx.x / 32; at < count; at += step) {
        akin_gpu_pair pair = candidates[at];
        uint32_t probe = (uint32_t)(pair >> 32), set = (uint32_t)pair;
        const Token *few = (const Token *)probes.tokens + probes.offsets[probe];
        const Token *many = (const Token *)indexed.tokens + indexed.offsets[set];
        uint32_t r = (uint32_t)(probes.offsets[probe + 1] - probes.offsets[probe]);
        uint32_t s = (uint32_t)(indexed.offsets[set + 1] - indexed.offsets[set]);
        uint32_t less = r, more = s, overlap = 0;
        if (less > more) {
            const Token *swap = few;
            few = many;
            many = swap;
            less = s;
            more = r;
        }
        for (uint32_t first = 0; first < less; first += 32) {
            if (!suffices(rule, (uint64_t)overlap + less - first, r, s))
                break;
            uint32_t i = first + lane;
            bool common = i < less && holds(many, more, few[i]);
            overlap += __popc(__ballot_sync(0xffffffffu, common));
        }
        if (lane == 0 && overlap > 0 && suffices(rule, overlap, r, s)) {
            unsigned long long to = atomicAdd(&tally->found, 1ull);
            if (pairs) {
                pairs[to] = pair;
                overlaps[to] = overlap;
            }
        }
    }
}

akin_status akin_gpu_verify(akin_device_stream *stream, const akin_gpu_sets *probes, const akin_gpu_sets *indexed,
                            akin_gpu_rule rule, const akin_gpu_pair *candidates, uint64_t room, akin_gpu_tally *tally,
                            akin_gpu_pair *pairs, uint32_t *overlaps, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    cudaStream_t cuda = akin_device_stream_cuda(stream);
    if (probes->narrow)
        verify<uint16_t>
            <<<BLOCKS, 32 * WARPS, 0, cuda>>>(*probes, *indexed, rule, candidates, room, tally, pairs, overlaps);
    else
        verify<uint32_t>
            <<<BLOCKS, 32 * WARPS, 0, cuda>>>(*probes, *indexed, rule, candidates, room, tally, pairs, overlaps);
    return akin_device_launched(stream, "verify", error);
}
