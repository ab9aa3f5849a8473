/*
 * The filter on binary tensor cores: parity signatures as rows of a bit matrix, times its transpose.
 *
 * popcount(a ^ b) = popcount(a) + popcount(b) - 2 popcount(a & b), and the tensor cores count the bits of a & b for 16
 * rows and 8 columns of 256 bits in one instruction, mma.m16n8k256. The start value of the sum is minus the number that
 * a pair needs to qualify, so the sign of the result decides. The signs of many pairs are ANDed, and only where a sign
 * is clear does the warp look at the pairs closer. Rates on an H200 after each improvement, for 256 bits and a million
 * sets:
 *
 *     7.0e12 pairs/s   signs of a step's pairs ANDed, columns loaded ahead
 *     8.4e12           start values in four registers of their own, so that none has to be copied
 *     9.3e12           16 warps a multiprocessor instead of 8, in 128 registers each
 *     1.38e13          wgmma (tensor_wgmma.cuh), whose sums begin at zero, and the largest of three by one instruction
 *
 * These did not help: gathering signs a fragment later than they were begun, 12 warps, warps with half the rows.
 * Largest sums instead of signs help here, too (1.27e13). But their instruction is emulated before compute capability
 * 9.0, and from there on wgmma is faster. mma.sync alone could do 2.0e13, and wgmma 3.0e13.
 *
 * Each warp keeps its rows in registers and runs along the columns. A step takes 32 of them:
 *
 *               columns 0-7   8-15   16-23   24-31
 *     rows 0-15    mma        mma    mma     mma        lane 4 g + q has, of rows g and g + 8 and of column g,
 *     rows 16-31   mma        ...                       words 2 q and 2 q + 1 of each 8; of the results, rows g and
 *      ...                                              g + 8, columns 2 q and 2 q + 1
 *
 * The closer look multiplies once more and compares each result with the rule. A lane gathers the signs in one bit a
 * pair, and only then writes the pairs whose bits are clear. After a step that took a pair, the warp looks at the next
 * step closer at once: where pairs are many, the first look would be wasted.
 */
#include "device/kernel.h"
#include "join/tensor_plain.cuh"
#include "join/tensor_step.cuh"
#include "join/tensor_wgmma.cuh"

/* Whether all pairs of a step need more bits in common than they have. */
template <int SLICES, int FRAGMENTS>
static __device__ __forceinline__ bool hopeless(const rows<SLICES, FRAGMENTS> &own, const columns<SLICES> &step,
                                                int32_t extra, int zero)
{
    /* Halves, rounded down: at most one less than half the sum. `zero` is 0, but the compiler does not know, and so
     * keeps the four start values apart that mma wants in four registers. */
    int32_t low = (step.low >> 1) + (extra >> 1), same = low + zero, signs = -1;
#pragma unroll
    for (int m = 0; m < FRAGMENTS; m++) {
        int32_t a = -(own.slack[m][0] >> 1), b = -(own.slack[m][1] >> 1);
        const int32_t start[4] = {a - low, a - same, b - low, b - same};
#pragma unroll
        for (int j = 0; j < GROUPS; j++) {
            int32_t common[4];
            count<SLICES, FRAGMENTS>(common, own, m, step.words[j], start);
            signs &= common[0] & common[1];
            signs &= common[2] & common[3];
        }
    }
    return !__any_sync(WARP, signs >= 0);
}

/* Warps of a block. */
template <int SLICES, int FRAGMENTS> constexpr uint32_t warps = AKIN_TENSOR_ROWS(256 * SLICES) / (16 * FRAGMENTS);

template <int SLICES, int FRAGMENTS, int BLOCKS, bool SQUARED>
static __global__ void __launch_bounds__(32 * warps<SLICES, FRAGMENTS>, BLOCKS)
    filter(const akin_tensor_side probes, const akin_tensor_side indexed, const akin_tensor_rule rule, int self,
           int zero, const akin_tensor_task *tasks, const akin_tensor_taken out)
{
    const akin_tensor_task task = tasks[blockIdx.x];
    uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = lane / 4, q = lane % 4;
    uint32_t row = task.row + warp * 16 * FRAGMENTS;
    if (row >= probes.count || (task.alone && warp > 0))
        return;
    rows<SLICES, FRAGMENTS> own;
    load_rows<SLICES, FRAGMENTS>(own, probes, row, g, q);
    uint32_t end = self ? min(task.end, row + 16 * FRAGMENTS) : task.end;
    work at = {row, end, self ? min(end, row) : end, rule.exact ? rule.extra : task.extra, self, 0};
    bool closer = false, none;
    columns<SLICES> step, ahead; /* the next one; behind the last there is padding */
    load_columns<SLICES>(ahead, indexed, task.column, g, q);
    for (uint32_t column = task.column; column < end; column += STEP) {
        step = ahead;
        load_columns<SLICES>(ahead, indexed, column + STEP, g, q);
        if (!closer && hopeless<SLICES, FRAGMENTS>(own, step, task.extra, zero))
            continue;
        if (!take<SLICES, FRAGMENTS, SQUARED>(own, step, at, column, probes, indexed, rule, out, none)) {
            put_aside(at, column, task, out);
            return;
        }
        closer = !none;
    }
    if (!out.pairs)
        tell(at, out);
}

typedef void (*kernel)(akin_tensor_side, akin_tensor_side, akin_tensor_rule, int, int, const akin_tensor_task *,
                       akin_tensor_taken);

/* A kernel, and how many threads its blocks have. */
struct choice {
    kernel kernel;
    uint32_t threads;
};

template <int SLICES, int FRAGMENTS, int WIDE, int GROUP, int BLOCKS> static choice choose_group(akin_tensor_rule rule)
{
    return {rule.squared ? filter_by_groups<SLICES, FRAGMENTS, WIDE, GROUP, BLOCKS, true>
                         : filter_by_groups<SLICES, FRAGMENTS, WIDE, GROUP, BLOCKS, false>,
            128 * GROUP};
}

template <int SLICES> static choice choose_plain(akin_tensor_rule rule)
{
    return {rule.squared ? filter_plainly<SLICES, true> : filter_plainly<SLICES, false>, 32 * AKIN_TENSOR_WARPS};
}

template <int SLICES, int FRAGMENTS, int BLOCKS> static choice choose(akin_tensor_rule rule)
{
    return {rule.squared ? filter<SLICES, FRAGMENTS, BLOCKS, true> : filter<SLICES, FRAGMENTS, BLOCKS, false>,
            32 * warps<SLICES, FRAGMENTS>};
}

static choice find(uint32_t bits, akin_tensor_rule rule, akin_tensor_kernel kernel)
{
    switch (bits * 10 + (uint32_t)kernel) {
    case 2560 + AKIN_TENSOR_PLAIN:
        return choose_plain<1>(rule);
    case 5120 + AKIN_TENSOR_PLAIN:
        return choose_plain<2>(rule);
    case 10240 + AKIN_TENSOR_PLAIN:
        return choose_plain<4>(rule);
    case 20480 + AKIN_TENSOR_PLAIN:
        return choose_plain<8>(rule);
    case 2560 + AKIN_TENSOR_MMA:
        return choose<1, 8, 4>(rule);
    case 5120 + AKIN_TENSOR_MMA:
        return choose<2, 4, 4>(rule);
    case 10240 + AKIN_TENSOR_MMA:
        return choose<4, 4, 2>(rule);
    case 20480 + AKIN_TENSOR_MMA:
        return choose<8, 2, 2>(rule);
    case 2560 + AKIN_TENSOR_WGMMA:
        return choose_group<1, 8, 64, 1, 3>(rule);
    case 5120 + AKIN_TENSOR_WGMMA:
        return choose_group<2, 4, 128, 1, 2>(rule);
    case 10240 + AKIN_TENSOR_WGMMA:
        return choose_group<4, 4, 64, 1, 2>(rule);
    case 20480 + AKIN_TENSOR_WGMMA:
        return choose_group<8, 2, 64, 1, 2>(rule);
    default:
        return {NULL, 0};
    }
}

/* The abilities of the code that was compiled for this GPU. PTX of 7.5 has no matrix instructions even on a newer GPU.
 * The kernel by wgmma is empty, with no tiles, except in machine code for 9.0a. */
static akin_status tensor_kernel_of(akin_device *device, uint32_t bits, akin_tensor_kernel wanted,
                                    akin_tensor_kernel *out, akin_error *error)
{
    cudaFuncAttributes mma = {}, wgmma = {};
    akin_tensor_rule rule = {};
    *out = wanted;
    akin_status status = akin_device_enter(device, error);
    if (status == AKIN_OK)
        status = akin_device_check(device, cudaFuncGetAttributes(&mma, find(bits, rule, AKIN_TENSOR_MMA).kernel),
                                   "cudaFuncGetAttributes", error);
    if (status == AKIN_OK)
        status = akin_device_check(device, cudaFuncGetAttributes(&wgmma, find(256, rule, AKIN_TENSOR_WGMMA).kernel),
                                   "cudaFuncGetAttributes", error);
    if (status != AKIN_OK)
        return status;
    if (wanted == AKIN_TENSOR_BEST)
        *out = AKIN_TENSOR_WGMMA;
    if (*out == AKIN_TENSOR_WGMMA && (wgmma.sharedSizeBytes == 0 || !find(bits, rule, *out).kernel))
        *out = AKIN_TENSOR_MMA;
    if (*out == AKIN_TENSOR_MMA && mma.ptxVersion < 80)
        *out = AKIN_TENSOR_PLAIN;
    return AKIN_OK;
}

static akin_status tensor_filter(akin_device_stream *stream, const akin_tensor_side *probes,
                                 const akin_tensor_side *indexed, akin_tensor_rule rule, int self, uint32_t bits,
                                 const akin_tensor_task *tasks, uint32_t count, const akin_tensor_taken *taken,
                                 akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    choice found = find(bits, rule, taken->kernel);
    if (!found.kernel)
        return akin_fail(error, AKIN_E_DEVICE, "there is no kernel %d for %u bits", (int)taken->kernel, bits);
    found.kernel<<<count, found.threads, 0, akin_device_stream_cuda(stream)>>>(*probes, *indexed, rule, self, 0, tasks,
                                                                               *taken);
    return akin_device_launched(stream, "filter", error);
}

const akin_tensor_kernels akin_cuda_tensor = {tensor_kernel_of, tensor_filter};
