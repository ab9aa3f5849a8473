/*
 * The filter on binary tensor cores: parity signatures as rows of a bit matrix, times its transpose.
 *
 * popcount(a ^ b) = popcount(a) + popcount(b) - 2 popcount(a & b), and the tensor cores count the bits of a & b for 16
 * rows and 8 columns of 256 bits in one instruction, mma.m16n8k256. What a pair needs to qualify is put into the sum's
 * start value, negative, so that the sign of the result tells; signs of many pairs are ANDed, and only where one is
 * clear are they looked at closer. On an H200, what each step of the way there gave for 256 bits, a million sets:
 *
 *     7.0e12 pairs/s   signs of a step's pairs ANDed, columns loaded ahead
 *     8.4e12           start values in four registers of their own, so that none has to be copied
 *
 * Each warp keeps its rows in registers and runs along the columns. A step takes 32 of them:
 *
 *               columns 0-7   8-15   16-23   24-31
 *     rows 0-15    mma        mma    mma     mma        lane 4 g + q has, of rows g and g + 8 and of column g,
 *     rows 16-31   mma        ...                       words 2 q and 2 q + 1 of each 8; of the results, rows g and
 *      ...                                              g + 8, columns 2 q and 2 q + 1
 */
#include "device/kernel.h"
#include "join/kernels.h"

#define WARP 0xffffffffu

/* ---------------------------------------------------------------------------------------------------- signatures */

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
    count = __reduce_add_sync(WARP, count);
    if (lane == 0) {
        keys[set] = class_of(class_first, classes, (uint32_t)set) << AKIN_TENSOR_KEY | count;
        numbers[set] = (uint32_t)set;
    }
}

akin_status akin_tensor_sign(akin_device_stream *stream, const akin_gpu_sets *sets, uint32_t bits,
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

/* By how much the distance that a pair may have grows for a set of that size; see akin_threshold_share. By cosine the
 * distance cannot be taken apart like that, and all but r + s is in the task's `extra`. */
static __device__ __forceinline__ int32_t share(akin_gpu_rule rule, uint64_t size)
{
    uint64_t num = rule.num, den = rule.den;
    if (rule.measure == AKIN_COSINE)
        return (int32_t)size;
    if (rule.measure == AKIN_OVERLAP)
        return (int32_t)((int64_t)size - (int64_t)num);
    return (int32_t)(size * (den - num) / (rule.measure == AKIN_DICE ? den : den + num));
}

/* A warp for each step of columns. Behind the last set there are zeros, and a slack that nothing reaches. */
static __global__ void __launch_bounds__(32 * SIGN_WARPS)
    arrange(akin_gpu_sets sets, akin_gpu_rule rule, uint32_t words, const uint32_t *signatures, akin_tensor_side side)
{
    uint32_t warp = blockIdx.x * SIGN_WARPS + threadIdx.x / 32, lane = threadIdx.x % 32;
    uint32_t first = warp * AKIN_TENSOR_STEP;
    if (first >= sets.count + AKIN_TENSOR_PADDING)
        return;
    int32_t slack = 1 << 28;
    for (uint32_t k = 0; k < AKIN_TENSOR_STEP; k++) {
        uint32_t position = first + k;
        bool there = position < sets.count;
        uint32_t set = there ? side.set[position] : 0, count = 0;
        for (uint32_t w = lane; w < words; w += 32) {
            uint32_t word = there ? signatures[(uint64_t)set * words + w] : 0;
            side.signatures[(uint64_t)position * words + w] = word;
            count += __popc(word);
        }
        count = __reduce_add_sync(WARP, count);
        if (there && lane == k)
            slack = (int32_t)count - share(rule, sets.offsets[set + 1] - sets.offsets[set]);
    }
    side.slack[first + lane] = slack;
    slack = __reduce_min_sync(WARP, slack);
    if (lane == 0)
        side.low[warp] = slack;
}

akin_status akin_tensor_arrange(akin_device_stream *stream, const akin_gpu_sets *sets, akin_gpu_rule rule,
                                uint32_t bits, const uint32_t *signatures, const akin_tensor_side *side,
                                akin_error *error)
{
    uint32_t steps = (sets->count + AKIN_TENSOR_PADDING + AKIN_TENSOR_STEP - 1) / AKIN_TENSOR_STEP;
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    arrange<<<(steps + SIGN_WARPS - 1) / SIGN_WARPS, 32 * SIGN_WARPS, 0, akin_device_stream_cuda(stream)>>>(
        *sets, rule, bits / 32, signatures, *side);
    return akin_device_launched(stream, "arrange", error);
}

/* ------------------------------------------------------------------------------------------------------------ filter */

/* 16 rows by 8 columns by 256 bits: out = start + the bits in common. */
static __device__ __forceinline__ void multiply(int32_t out[4], const uint32_t a[4], uint2 b, const int32_t start[4])
{
    asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%10,%11,%12,%13};"
        : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b.x), "r"(b.y), "r"(start[0]), "r"(start[1]), "r"(start[2]),
          "r"(start[3]));
}

/* What one warp is at: ROWS rows (fragments of 16), whose signatures are SLICES times 256 bits. */
template <int SLICES, int FRAGMENTS> struct rows {
    uint32_t words[SLICES][FRAGMENTS][4];
    int32_t slack[FRAGMENTS][2];
};

template <int SLICES, int FRAGMENTS>
static __device__ __forceinline__ void load_rows(rows<SLICES, FRAGMENTS> &own, const akin_tensor_side &side,
                                                 uint32_t row, uint32_t g, uint32_t q)
{
    const uint2 *signatures = (const uint2 *)side.signatures;
#pragma unroll
    for (int m = 0; m < FRAGMENTS; m++)
#pragma unroll
        for (int half = 0; half < 2; half++) {
            uint32_t position = row + 16 * m + 8 * half + g;
            bool there = position < side.count;
            own.slack[m][half] = there ? side.slack[position] : 1 << 28;
#pragma unroll
            for (int k = 0; k < SLICES; k++) {
                uint2 two = there ? signatures[((uint64_t)position * SLICES + k) * 4 + q] : make_uint2(0, 0);
                own.words[k][m][half] = two.x;
                own.words[k][m][2 + half] = two.y;
            }
        }
}

/* The bits in common, above `start`, of a fragment of rows and 8 columns. */
template <int SLICES, int FRAGMENTS>
static __device__ __forceinline__ void count(int32_t out[4], const rows<SLICES, FRAGMENTS> &own, int m,
                                             const uint2 columns[SLICES], const int32_t start[4])
{
    multiply(out, own.words[0][m], columns[0], start);
#pragma unroll
    for (int k = 1; k < SLICES; k++)
        multiply(out, own.words[k][m], columns[k], out);
}

/*
 * Looks at a step's pairs one by one, and appends those that may qualify. It is done twice: to count them, so that room
 * is taken for all of the warp's or none, and to write them. 0 if there is no room.
 */
template <int SLICES, int FRAGMENTS>
static __device__ __noinline__ int append(const akin_tensor_side probes, const akin_tensor_side indexed, uint32_t row,
                                          uint32_t column, uint32_t end, int32_t extra, int self,
                                          akin_gpu_pair *candidates, uint64_t room, akin_gpu_tally *tally)
{
    const int32_t zero[4] = {0, 0, 0, 0};
    uint32_t lane = threadIdx.x % 32, g = lane / 4, q = lane % 4, found = 0;
    const uint2 *signatures = (const uint2 *)indexed.signatures;
    unsigned long long at = 0;
    rows<SLICES, FRAGMENTS> own; /* loaded again: if the caller's were passed on, they could not stay in registers */
    load_rows<SLICES, FRAGMENTS>(own, probes, row, g, q);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t j = 0; j < AKIN_TENSOR_STEP; j += 8) {
            uint2 columns[SLICES];
#pragma unroll
            for (int k = 0; k < SLICES; k++)
                columns[k] = signatures[((uint64_t)(column + j + g) * SLICES + k) * 4 + q];
#pragma unroll
            for (int m = 0; m < FRAGMENTS; m++) {
                int32_t common[4];
                count<SLICES, FRAGMENTS>(common, own, m, columns, zero);
#pragma unroll
                for (int e = 0; e < 4; e++) {
                    uint32_t i = row + 16 * m + g + 8 * (e / 2), c = column + j + 2 * q + e % 2;
                    if (i >= probes.count || c >= end || (self && c >= i) ||
                        2 * common[e] < own.slack[m][e / 2] + indexed.slack[c] + extra)
                        continue;
                    if (pass == 0)
                        found++;
                    else
                        candidates[at++] = (uint64_t)probes.set[i] << 32 | indexed.set[c];
                }
            }
        }
        if (pass == 1)
            return 1;
        uint32_t before = found; /* becomes the sum of the lanes before this one */
        for (uint32_t distance = 1; distance < 32; distance *= 2) {
            uint32_t other = __shfl_up_sync(WARP, before, distance);
            before += lane >= distance ? other : 0;
        }
        uint32_t all = __shfl_sync(WARP, before, 31);
        if (all == 0)
            return 1;
        if (lane == 0)
            at = atomicAdd(&tally->count, (unsigned long long)all);
        at = __shfl_sync(WARP, at, 0);
        if (at + all > room) {
            if (lane == 0)
                atomicMin(&tally->valid, at);
            return 0;
        }
        at += before - found;
    }
    return 1;
}

#define GROUPS (AKIN_TENSOR_STEP / 8)

template <int SLICES>
static __device__ __forceinline__ void load_columns(uint2 columns[GROUPS][SLICES], const uint2 *from)
{
#pragma unroll
    for (int j = 0; j < GROUPS; j++)
#pragma unroll
        for (int k = 0; k < SLICES; k++)
            columns[j][k] = from[(8 * j * SLICES + k) * 4];
}

template <int SLICES, int FRAGMENTS>
static __global__ void __launch_bounds__(32 * AKIN_TENSOR_WARPS, 2)
    filter(akin_tensor_side probes, akin_tensor_side indexed, int self, int zero, const akin_tensor_task *tasks,
           akin_gpu_pair *candidates, uint64_t room, akin_gpu_tally *tally, akin_tensor_task *resume)
{
    const akin_tensor_task task = tasks[blockIdx.x];
    uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = lane / 4, q = lane % 4;
    uint32_t row = task.row + warp * 16 * FRAGMENTS;
    if (row >= probes.count || (task.alone && warp > 0))
        return;
    rows<SLICES, FRAGMENTS> own;
    load_rows<SLICES, FRAGMENTS>(own, probes, row, g, q);
    uint32_t end = self ? min(task.end, row + 16 * FRAGMENTS) : task.end;
    const uint2 *from = (const uint2 *)indexed.signatures + ((uint64_t)task.column + g) * SLICES * 4 + q;
    uint2 ahead[GROUPS][SLICES]; /* the columns of the next step; behind the last there is padding */
    load_columns<SLICES>(ahead, from);
    for (uint32_t column = task.column; column < end; column += AKIN_TENSOR_STEP) {
        uint2 columns[GROUPS][SLICES];
#pragma unroll
        for (int j = 0; j < GROUPS; j++)
#pragma unroll
            for (int k = 0; k < SLICES; k++)
                columns[j][k] = ahead[j][k];
        from += AKIN_TENSOR_STEP * SLICES * 4;
        load_columns<SLICES>(ahead, from);
        /* Halves, rounded down: at most one less than half the sum. `zero` is 0, but the compiler does not know, and so
         * keeps the four start values apart that mma wants in four registers. */
        int32_t low = (indexed.low[column / AKIN_TENSOR_STEP] >> 1) + (task.extra >> 1), same = low + zero;
        int32_t signs = -1;
#pragma unroll
        for (int m = 0; m < FRAGMENTS; m++) {
            int32_t a = -(own.slack[m][0] >> 1), b = -(own.slack[m][1] >> 1);
            const int32_t start[4] = {a - low, a - same, b - low, b - same};
#pragma unroll
            for (int j = 0; j < GROUPS; j++) {
                int32_t common[4];
                count<SLICES, FRAGMENTS>(common, own, m, columns[j], start);
                signs &= common[0] & common[1];
                signs &= common[2] & common[3];
            }
        }
        if (__any_sync(WARP, signs >= 0) &&
            !append<SLICES, FRAGMENTS>(probes, indexed, row, column, end, task.extra, self, candidates, room, tally)) {
            if (lane == 0)
                resume[atomicAdd(&tally->resumed, 1u)] = {row, column, task.end, task.extra, 1};
            return;
        }
    }
}

akin_status akin_tensor_filter(akin_device_stream *stream, const akin_tensor_side *probes,
                               const akin_tensor_side *indexed, int self, uint32_t bits, const akin_tensor_task *tasks,
                               uint32_t count, akin_gpu_pair *candidates, uint64_t room, akin_gpu_tally *tally,
                               akin_tensor_task *resume, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    cudaStream_t cuda = akin_device_stream_cuda(stream);
    uint32_t threads = 32 * AKIN_TENSOR_WARPS;
    if (bits == 256)
        filter<1, 8><<<count, threads, 0, cuda>>>(*probes, *indexed, self, 0, tasks, candidates, room, tally, resume);
    else if (bits == 512)
        filter<2, 4><<<count, threads, 0, cuda>>>(*probes, *indexed, self, 0, tasks, candidates, room, tally, resume);
    else if (bits == 1024)
        filter<4, 4><<<count, threads, 0, cuda>>>(*probes, *indexed, self, 0, tasks, candidates, room, tally, resume);
    else
        filter<8, 2><<<count, threads, 0, cuda>>>(*probes, *indexed, self, 0, tasks, candidates, room, tally, resume);
    return akin_device_launched(stream, "filter", error);
}
