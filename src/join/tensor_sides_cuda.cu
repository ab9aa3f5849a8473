/* Makes parity signatures on the GPU, and arranges the sides of the tensor join (join/tensor_cuda.cu). */
#include "device/kernel.h"
#include "join/kernels.h"
#include "join/warp.cuh"

/* The class of a set: the last one that begins at it or before. */
static __device__ uint32_t class_of(const uint32_t *class_first, uint32_t classes, uint32_t set)
{
    uint32_t low = 0, high = classes;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (class_first[middle] <= set)
            low = middle;
        else
            high = middle;
    }
    return low;
}

#define SIGN_WARPS 8

/* A warp for each set, whose signature is gathered in shared memory. */
template <typename Token>
static __global__ void __launch_bounds__(32 * SIGN_WARPS)
    sign(akin_gpu_sets sets, uint32_t words, const uint32_t *class_first, uint32_t classes, uint32_t *signatures,
         uint32_t *keys, uint32_t *numbers)
{
    extern __shared__ uint32_t shared[];
    uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    uint32_t *own = shared + warp * words;
    uint64_t set = (uint64_t)blockIdx.x * SIGN_WARPS + warp;
    if (set >= sets.count)
        return;
    for (uint32_t w = lane; w < words; w += 32)
        own[w] = 0;
    __syncwarp();
    for (uint64_t i = sets.offsets[set] + lane; i < sets.offsets[set + 1]; i += 32) {
        uint32_t bit = ((const Token *)sets.tokens)[i] & (32 * words - 1);
        atomicXor(&own[bit / 32], 1u << bit % 32);
    }
    __syncwarp();
    uint32_t count = 0;
    for (uint32_t w = lane; w < words; w += 32) {
        signatures[set * words + w] = own[w];
        count += __popc(own[w]);
    }
    count = warp_sum(count);
    if (lane == 0) {
        keys[set] = class_of(class_first, classes, (uint32_t)set) << AKIN_TENSOR_KEY | count;
        numbers[set] = (uint32_t)set;
    }
}

static akin_status tensor_sign(akin_device_stream *stream, const akin_gpu_sets *sets, uint32_t bits,
                               const uint32_t *class_first, uint32_t classes, uint32_t *signatures, uint32_t *keys,
                               uint32_t *numbers, akin_error *error)
{
    uint32_t words = bits / 32, blocks = (sets->count + SIGN_WARPS - 1) / SIGN_WARPS;
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    uint32_t shared = SIGN_WARPS * words * (uint32_t)sizeof(uint32_t);
    cudaStream_t cuda = akin_device_stream_cuda(stream);
    if (sets->narrow)
        sign<uint16_t>
            <<<blocks, 32 * SIGN_WARPS, shared, cuda>>>(*sets, words, class_first, classes, signatures, keys, numbers);
    else
        sign<uint32_t>
            <<<blocks, 32 * SIGN_WARPS, shared, cuda>>>(*sets, words, class_first, classes, signatures, keys, numbers);
    return akin_device_launched(stream, "sign", error);
}

/* A warp for each step of columns. Behind the last set there are zeros, and a slack that no pair reaches. No pair
 * reaches the term of an exact rule there either, since the zeros have no bit in common with anything. */
static __global__ void __launch_bounds__(32 * SIGN_WARPS)
    arrange(akin_gpu_sets sets, akin_measure_rule rule, akin_tensor_rule decides, uint32_t words,
            const uint32_t *signatures, akin_tensor_side side)
{
    uint32_t warp = blockIdx.x * SIGN_WARPS + threadIdx.x / 32, lane = threadIdx.x % 32;
    uint32_t first = warp * AKIN_TENSOR_STEP;
    if (first >= sets.count + AKIN_TENSOR_PADDING)
        return;
    int32_t slack = 1 << 28, size = 1;
    for (uint32_t k = 0; k < AKIN_TENSOR_STEP; k++) {
        uint32_t position = first + k;
        bool there = position < sets.count;
        uint32_t set = there ? side.set[position] : 0, count = 0;
        for (uint32_t w = lane; w < words; w += 32) {
            uint32_t word = there ? signatures[(uint64_t)set * words + w] : 0;
            side.signatures[(uint64_t)position * words + w] = word;
            count += __popc(word);
        }
        count = warp_sum(count);
        if (there && lane == k) {
            size = (int32_t)(sets.offsets[set + 1] - sets.offsets[set]);
            slack = (int32_t)count - (int32_t)akin_rule_share(rule, (uint32_t)size);
        }
    }
    side.slack[first + lane] = slack;
    if (decides.exact)
        side.term[first + lane] = decides.squared ? size : (int32_t)decides.share * size;
    slack = warp_least(slack);
    if (lane == 0)
        side.low[warp] = slack;
}

static akin_status tensor_arrange(akin_device_stream *stream, const akin_gpu_sets *sets, akin_measure_rule rule,
                                  akin_tensor_rule decides, uint32_t bits, const uint32_t *signatures,
                                  const akin_tensor_side *side, akin_error *error)
{
    uint32_t steps = (sets->count + AKIN_TENSOR_PADDING + AKIN_TENSOR_STEP - 1) / AKIN_TENSOR_STEP;
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    arrange<<<(steps + SIGN_WARPS - 1) / SIGN_WARPS, 32 * SIGN_WARPS, 0, akin_device_stream_cuda(stream)>>>(
        *sets, rule, decides, bits / 32, signatures, *side);
    return akin_device_launched(stream, "arrange", error);
}

const akin_tensor_side_kernels akin_cuda_tensor_side = {tensor_sign, tensor_arrange};
