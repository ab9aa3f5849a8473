/*
 * The filter without matrix instructions, for GPUs before compute capability 8.0: a lane has a column of the step, and
 * it goes through the rows of the warp in turn.
 */
#ifndef AKIN_JOIN_TENSOR_PLAIN_CUH
#define AKIN_JOIN_TENSOR_PLAIN_CUH

#include "join/tensor_step.cuh"

/* The number of common bits of two signatures; one of the two is in registers. */
template <int SLICES> static __device__ __forceinline__ int32_t common_of(const uint4 a[2 * SLICES], const uint4 *b)
{
    int common = 0;
#pragma unroll
    for (int k = 0; k < 2 * SLICES; k++) {
        uint4 other = b[k];
        common +=
            __popc(a[k].x & other.x) + __popc(a[k].y & other.y) + __popc(a[k].z & other.z) + __popc(a[k].w & other.w);
    }
    return common;
}

template <int SLICES, bool SQUARED>
static __global__ void __launch_bounds__(32 * AKIN_TENSOR_WARPS)
    filter_plainly(const akin_tensor_side probes, const akin_tensor_side indexed, const akin_tensor_rule rule, int self,
                   int zero, const akin_tensor_task *tasks, const akin_tensor_taken out)
{
    constexpr uint32_t own_rows = AKIN_TENSOR_WARP_ROWS(256 * SLICES);
    const akin_tensor_task task = tasks[blockIdx.x];
    uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = task.row + warp * own_rows;
    if (row >= probes.count || (task.alone && warp > 0))
        return;
    (void)zero;
    const uint4 *rows = (const uint4 *)probes.signatures + (uint64_t)row * 2 * SLICES;
    uint32_t end = self ? min(task.end, row + own_rows) : task.end;
    work at = {row, end, self ? min(end, row) : end, rule.exact ? rule.extra : task.extra, self, 0};
    for (uint32_t column = task.column; column < end; column += STEP) {
        const uint4 *from = (const uint4 *)indexed.signatures + (uint64_t)(column + lane) * 2 * SLICES;
        uint4 own[2 * SLICES];
#pragma unroll
        for (int k = 0; k < 2 * SLICES; k++)
            own[k] = from[k];
        int32_t term = indexed.term[column + lane] + (SQUARED ? 0 : at.extra);
        uint32_t taken[own_rows / 32];
        bool none;
#pragma unroll
        for (int w = 0; w < (int)(own_rows / 32); w++) {
            taken[w] = 0;
#pragma unroll 4
            for (uint32_t i = 32 * (uint32_t)w; i < 32 * (uint32_t)w + 32; i++)
                taken[w] = shift_in<SQUARED>(taken[w], common_of<SLICES>(own, rows + i * 2 * SLICES),
                                             probes.term[row + i], term, rule);
            taken[w] = ~taken[w];
        }
        if (!keep<SLICES, own_rows / 32, false>(taken, at, column, probes, indexed, out, none)) {
            put_aside(at, column, task, out);
            return;
        }
    }
    if (!out.pairs)
        tell(at, out);
}

#endif
