/*
 * The filter by wgmma, the matrix instructions of compute capability 9.0 alone: four warps, a warpgroup, multiply 64
 * rows, which they have in registers, by WIDE columns in shared memory, which the tensor cores read themselves. Sums
 * begin at zero. For each row the largest sum is compared with the need of the row.
 *
 * There are two tiles of columns: one is read while the other is filled. 8 columns are two blocks of 8 times 16 bytes,
 * the unit that the instruction reads. Words are dealt as in registers, where a lane has two neighbours:
 *
 *     bytes  0 .. 127    words 0 2 4 6 of column 0, of column 1, ... of column 7
 *          128 .. 255    words 1 3 5 7 of column 0, ...
 *          256 ..        columns 8 to 15
 */
#ifndef AKIN_JOIN_TENSOR_WGMMA_CUH
#define AKIN_JOIN_TENSOR_WGMMA_CUH

#include "join/tensor_step.cuh"

#define EIGHT(i)                                                                                                       \
    "+r"(sums[i]), "+r"(sums[i + 1]), "+r"(sums[i + 2]), "+r"(sums[i + 3]), "+r"(sums[i + 4]), "+r"(sums[i + 5]),      \
        "+r"(sums[i + 6]), "+r"(sums[i + 7])

/* Begins 64 rows by 64 or 128 columns by 256 bits: sums = (more ? sums : 0) + the bits in common. */
// clang-format off
static __device__ __forceinline__ void begin(int32_t (&sums)[32], const uint32_t a[4], uint64_t columns, int more)
{
    asm volatile("{\n"
        ".reg .pred more;\n"
        "setp.ne.b32 more, %37, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k256.s32.b1.b1.and.popc {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
        "{%32, %33, %34, %35}, %36, more;\n"
        "}"
        : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(columns), "r"(more));
}

static __device__ __forceinline__ void begin(int32_t (&sums)[64], const uint32_t a[4], uint64_t columns, int more)
{
    asm volatile("{\n"
        ".reg .pred more;\n"
        "setp.ne.b32 more, %69, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k256.s32.b1.b1.and.popc {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
        "{%64, %65, %66, %67}, %68, more;\n"
        "}"
        : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48), EIGHT(56)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(columns), "r"(more));
}
// clang-format on

/* The descriptor of a tile in shared memory for the instruction: where the tile begins, and the distances from a block
 * to that of the other words and to that of the next 8 columns; not swizzled. All are in units of 16 bytes. */
static __device__ __forceinline__ uint64_t describe(const void *tile)
{
    return (uint64_t)((__cvta_generic_to_shared(tile) & 0x3ffff) >> 4) | (uint64_t)(128 >> 4) << 16 |
           (uint64_t)(256 >> 4) << 32;
}

/* The largest of 2 n - slack, over the sums of a fragment of rows. */
template <int WIDE>
static __device__ __forceinline__ int32_t most_of(const int32_t (&sums)[WIDE / 2], const int32_t slack[2])
{
    int32_t most[2][2] = {{0, 0}, {0, 0}};
#pragma unroll
    for (int j = 0; j < WIDE / 8; j++) {
        most[0][j % 2] = __vimax3_s32(most[0][j % 2], sums[4 * j], sums[4 * j + 1]);
        most[1][j % 2] = __vimax3_s32(most[1][j % 2], sums[4 * j + 2], sums[4 * j + 3]);
    }
    return max(2 * max(most[0][0], most[0][1]) - slack[0], 2 * max(most[1][0], most[1][1]) - slack[1]);
}

template <int SLICES, int FRAGMENTS, int WIDE, int GROUP, int BLOCKS, bool SQUARED>
static __global__ void __launch_bounds__(128 * GROUP, BLOCKS)
    filter_by_groups(const akin_tensor_side probes, const akin_tensor_side indexed, const akin_tensor_rule rule,
                     int self, int zero, const akin_tensor_task *tasks, const akin_tensor_taken out)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    constexpr int threads = 128 * GROUP, all = WIDE * SLICES * 2, pieces = (all + threads - 1) / threads;
    __shared__ alignas(256) uint2 tiles[2][SLICES][WIDE * 4];
    const akin_tensor_task task = tasks[blockIdx.x];
    uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = lane / 4, q = lane % 4;
    uint32_t row = task.row + warp * 16 * FRAGMENTS;
    bool idle = row >= probes.count; /* a warp without rows, or that found no room, takes part all the same */
    rows<SLICES, FRAGMENTS> own;
    load_rows<SLICES, FRAGMENTS>(own, probes, idle ? task.row : row, g, q);
    uint32_t last = self ? min(task.end, task.row + threads / 2 * FRAGMENTS) : task.end;
    uint32_t end = self ? min(task.end, row + 16 * FRAGMENTS) : task.end;
    work at = {row, end, self ? min(end, row) : end, rule.exact ? rule.extra : task.extra, self, 0};
    const uint4 *from = (const uint4 *)indexed.signatures + (uint64_t)task.column * SLICES * 2;
    uint4 ahead[pieces];
    auto fetch = [&](uint32_t column) {
#pragma unroll
        for (int p = 0; p < pieces; p++) {
            uint32_t piece = threadIdx.x + (uint32_t)p * threads;
            if (piece < all)
                ahead[p] = from[(uint64_t)(column - task.column) * SLICES * 2 + piece];
        }
    };
    auto store = [&](int tile) {
#pragma unroll
        for (int p = 0; p < pieces; p++) {
            uint32_t piece = threadIdx.x + (uint32_t)p * threads, n = piece / (2 * SLICES), rest = piece % (2 * SLICES);
            if (piece >= all)
                continue;
            uint2 *to = &tiles[tile][rest / 2][n / 8 * 32 + n % 8 * 2 + rest % 2];
            to[0] = make_uint2(ahead[p].x, ahead[p].z);
            to[16] = make_uint2(ahead[p].y, ahead[p].w);
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); /* the tensor cores are to see it */
    };
    if (task.column < last)
        fetch(task.column);
    int tile = 0;
    for (uint32_t column = task.column; column < last; column += WIDE, tile = !tile) {
        store(tile);
        __syncthreads(); /* the tile is there; the other one, all are done with */
        if (column + WIDE < last)
            fetch(column + WIDE);
        int32_t low = INT32_MAX, best = INT32_MIN;
#pragma unroll
        for (int i = 0; i < WIDE / STEP; i++)
            low = min(low, indexed.low[column / STEP + i]);
        int32_t sums[2][WIDE / 2];
#pragma unroll
        for (int m = 0; m <= FRAGMENTS; m++) {
            if (m < FRAGMENTS) {
                asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
                for (int k = 0; k < SLICES; k++)
                    begin(sums[m % 2], own.words[k][m], describe(tiles[tile][k]), k > 0);
                asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
            }
            if (m == 0)
                continue;
            if (m < FRAGMENTS)
                asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
            else
                asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
            for (int i = 0; i < WIDE / 2; i++) /* they are not to be looked at before */
                asm volatile("" : "+r"(sums[(m - 1) % 2][i]));
            best = max(best, most_of<WIDE>(sums[(m - 1) % 2], own.slack[m - 1]));
        }
        if (idle || !__any_sync(WARP, best >= low + task.extra))
            continue;
        for (uint32_t c = column; c < min(column + WIDE, end) && !idle; c += STEP) {
            columns<SLICES> step;
            bool none;
            load_columns<SLICES>(step, indexed, c, g, q);
            idle = !take<SLICES, FRAGMENTS, SQUARED>(own, step, at, c, probes, indexed, rule, out, none);
            if (idle)
                put_aside(at, c, task, out);
        }
    }
    if (!out.pairs)
        tell(at, out);
#endif
}

#endif
