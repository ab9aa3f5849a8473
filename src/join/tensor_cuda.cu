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
 *
 * To look closer is to multiply once more and hold each result against the rule: a lane gathers the signs in one bit a
 * pair, and only then writes the pairs of the bits that are clear. After a step in which something was taken the next one
 * is looked at closer at once, since where pairs are many the first look would be for nothing.
 */
#include "device/kernel.h"
#include "join/kernels.h"

#define WARP   0xffffffffu
#define STEP   AKIN_TENSOR_STEP
#define GROUPS (STEP / 8)
#define MOST   2

/* 16 rows by 8 columns by 256 bits: out = start + the bits in common. */
static __device__ __forceinline__ void multiply(int32_t out[4], const uint32_t a[4], uint2 b, const int32_t start[4])
{
    asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%10,%11,%12,%13};"
        : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b.x), "r"(b.y), "r"(start[0]), "r"(start[1]), "r"(start[2]),
          "r"(start[3]));
}

/* What one warp is at: FRAGMENTS times 16 rows, whose signatures are SLICES times 256 bits. */
template <int SLICES, int FRAGMENTS> struct rows {
    uint32_t words[SLICES][FRAGMENTS][4];
    int32_t slack[FRAGMENTS][2];
};

/* The columns of a step. */
template <int SLICES> struct columns {
    uint2 words[GROUPS][SLICES];
    int32_t low;
};

/* Behind the last set there are zeros, and a slack that nothing reaches. */
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
            own.slack[m][half] = side.slack[position];
#pragma unroll
            for (int k = 0; k < SLICES; k++) {
                uint2 two = signatures[((uint64_t)position * SLICES + k) * 4 + q];
                own.words[k][m][half] = two.x;
                own.words[k][m][2 + half] = two.y;
            }
        }
}

template <int SLICES>
static __device__ __forceinline__ void load_columns(columns<SLICES> &out, const akin_tensor_side &side, uint32_t column,
                                                    uint32_t g, uint32_t q)
{
    const uint2 *from = (const uint2 *)side.signatures + ((uint64_t)column + g) * SLICES * 4 + q;
#pragma unroll
    for (int j = 0; j < GROUPS; j++)
#pragma unroll
        for (int k = 0; k < SLICES; k++)
            out.words[j][k] = from[(8 * j * SLICES + k) * 4];
    out.low = side.low[column / STEP];
}

/* The bits in common, above `start`, of a fragment of rows and 8 columns. */
template <int SLICES, int FRAGMENTS>
static __device__ __forceinline__ void count(int32_t out[4], const rows<SLICES, FRAGMENTS> &own, int m,
                                             const uint2 column[SLICES], const int32_t start[4])
{
    multiply(out, own.words[0][m], column[0], start);
#pragma unroll
    for (int k = 1; k < SLICES; k++)
        multiply(out, own.words[k][m], column[k], out);
}

/* Whether all pairs of a step need more bits in common than they have. LATE: signs are gathered so many fragments after
 * their products were begun. */
template <int SLICES, int FRAGMENTS, int LATE>
static __device__ __forceinline__ bool hopeless(const rows<SLICES, FRAGMENTS> &own, const columns<SLICES> &step,
                                                int32_t extra, int zero)
{
    /* Halves, rounded down: at most one less than half the sum. `zero` is 0, but the compiler does not know, and so
     * keeps the four start values apart that mma wants in four registers. */
    int32_t low = (step.low >> 1) + (extra >> 1), same = low + zero, signs = -1;
    int32_t common[LATE + 1][GROUPS][4];
#pragma unroll
    for (int m = 0; m < FRAGMENTS + LATE; m++) {
        if (m < FRAGMENTS) {
            int32_t a = -(own.slack[m][0] >> 1), b = -(own.slack[m][1] >> 1);
            const int32_t start[4] = {a - low, a - same, b - low, b - same};
#pragma unroll
            for (int j = 0; j < GROUPS; j++)
                count<SLICES, FRAGMENTS>(common[m % (LATE + 1)][j], own, m, step.words[j], start);
        }
        if (m < LATE)
            continue;
#pragma unroll
        for (int j = 0; j < GROUPS; j++) {
            const int32_t *some = common[(m - LATE) % (LATE + 1)][j];
            signs &= some[0] & some[1];
            signs &= some[2] & some[3];
        }
    }
    return !__any_sync(WARP, signs >= 0);
}

/* The same by the most that is in common: where there is an instruction for the largest of three, as from compute
 * capability 9.0 on, sums need no start values. */
template <int SLICES, int FRAGMENTS>
static __device__ __forceinline__ bool too_few(const rows<SLICES, FRAGMENTS> &own, const columns<SLICES> &step,
                                               int32_t extra)
{
    const int32_t zero[4] = {0, 0, 0, 0};
    int32_t best = INT32_MIN;
#pragma unroll
    for (int m = 0; m < FRAGMENTS; m++) {
        int32_t most[2] = {0, 0};
#pragma unroll
        for (int j = 0; j < GROUPS; j++) {
            int32_t common[4];
            count<SLICES, FRAGMENTS>(common, own, m, step.words[j], zero);
            most[0] = __vimax3_s32(most[0], common[0], common[1]);
            most[1] = __vimax3_s32(most[1], common[2], common[3]);
        }
        best = __vimax3_s32(best, 2 * most[0] - own.slack[m][0], 2 * most[1] - own.slack[m][1]);
    }
    return !__any_sync(WARP, best >= step.low + extra);
}

/*
 * Holds each pair of a step against the rule. A lane has 16 pairs of each fragment; of two of these a word of `taken`
 * tells, from its highest bit on in the order of the loops.
 */
template <int SLICES, int FRAGMENTS, bool SQUARED>
static __device__ __forceinline__ void look(uint32_t taken[FRAGMENTS / 2], const rows<SLICES, FRAGMENTS> &own,
                                            const columns<SLICES> &step, const int32_t *row_term, const int2 *term,
                                            const akin_tensor_rule &rule, int32_t extra)
{
    const int32_t zero[4] = {0, 0, 0, 0};
    int2 ask[GROUPS];
#pragma unroll
    for (int j = 0; j < GROUPS; j++) {
        ask[j] = term[4 * j];
        if (!SQUARED) {
            ask[j].x += extra;
            ask[j].y += extra;
        }
    }
#pragma unroll
    for (int m = 0; m < FRAGMENTS; m++)
#pragma unroll
        for (int j = 0; j < GROUPS; j++) {
            int32_t common[4];
            count<SLICES, FRAGMENTS>(common, own, m, step.words[j], zero);
#pragma unroll
            for (int e = 0; e < 4; e++) {
                int32_t r = row_term[16 * m + 8 * (e / 2)], s = e % 2 ? ask[j].y : ask[j].x;
                uint32_t *word = &taken[m / 2];
                if (SQUARED) {
                    uint64_t n = (uint32_t)(common[e] * common[e]), sizes = (uint32_t)(r * s);
                    *word = *word << 1 | (n * rule.factor >= sizes * rule.share);
                } else {
                    int32_t left = common[e] * (int32_t)rule.factor - (r + s); /* its sign is shifted in */
                    *word = __funnelshift_l((uint32_t)left, *word, 1);
                }
            }
        }
    if (!SQUARED)
#pragma unroll
        for (int w = 0; w < FRAGMENTS / 2; w++)
            taken[w] = ~taken[w];
}

/* Where the pair of a bit is. */
struct place {
    uint32_t row, column;
};

static __device__ __forceinline__ place place_of(int word, uint32_t bit, uint32_t row, uint32_t column)
{
    uint32_t lane = threadIdx.x % 32, m = 2 * word + bit / 16, j = bit / 4 % 4, e = bit % 4;
    return {row + 16 * m + 8 * (e / 2) + lane / 4, column + 8 * j + 2 * (lane % 4) + e % 2};
}

/* The bits of the pairs that are before `end` and, in a self-join, below the diagonal. */
static __device__ __noinline__ uint32_t allowed(int word, uint32_t row, uint32_t column, uint32_t end, int self)
{
    uint32_t bits = 0;
    for (uint32_t bit = 0; bit < 32; bit++) {
        place at = place_of(word, bit, row, column);
        bits = bits << 1 | (at.column < end && (!self || at.column < at.row));
    }
    return bits;
}

/* The bits in common of two signatures. */
template <int SLICES>
static __device__ uint32_t overlap_of(const akin_tensor_side &probes, uint32_t row, const akin_tensor_side &indexed,
                                      uint32_t column)
{
    const uint4 *a = (const uint4 *)probes.signatures + (uint64_t)row * SLICES * 2;
    const uint4 *b = (const uint4 *)indexed.signatures + (uint64_t)column * SLICES * 2;
    uint32_t common = 0;
    for (int k = 0; k < SLICES * 2; k++)
        common += __popc(a[k].x & b[k].x) + __popc(a[k].y & b[k].y) + __popc(a[k].z & b[k].z) + __popc(a[k].w & b[k].w);
    return common;
}

/* Appends the pairs of the bits, all of the warp's or none; 0 if there is no room for them. */
template <int SLICES, int WORDS>
static __device__ __forceinline__ int append(const uint32_t taken[WORDS], uint32_t found,
                                             const akin_tensor_side &probes, const akin_tensor_side &indexed,
                                             uint32_t row, uint32_t column, const akin_tensor_taken &out)
{
    uint32_t lane = threadIdx.x % 32, before = found; /* becomes the sum of the lanes up to this one */
#pragma unroll
    for (uint32_t distance = 1; distance < 32; distance *= 2) {
        uint32_t other = __shfl_up_sync(WARP, before, distance);
        before += lane >= distance ? other : 0;
    }
    unsigned long long at = 0, all = __shfl_sync(WARP, before, 31);
    if (lane == 0)
        at = atomicAdd(&out.tally->count, all);
    at = __shfl_sync(WARP, at, 0);
    if (at + all > out.room) {
        if (lane == 0)
            atomicMin(&out.tally->valid, at);
        return 0;
    }
    at += before - found;
#pragma unroll
    for (int w = 0; w < WORDS; w++)
        for (uint32_t bits = taken[w]; bits; at++) {
            uint32_t bit = (uint32_t)__clz((int)bits);
            bits &= ~(0x80000000u >> bit);
            place pair = place_of(w, bit, row, column);
            out.pairs[at] = (uint64_t)probes.set[pair.row] << 32 | indexed.set[pair.column];
            if (out.overlaps)
                out.overlaps[at] = overlap_of<SLICES>(probes, pair.row, indexed, pair.column);
        }
    return 1;
}

/* Warps of a block. */
template <int SLICES, int FRAGMENTS> constexpr uint32_t warps = AKIN_TENSOR_ROWS(256 * SLICES) / (16 * FRAGMENTS);

template <int SLICES, int FRAGMENTS, int BLOCKS, int LATE, bool SQUARED>
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
    uint32_t edge = self ? min(end, row) : end; /* from here on not all pairs are allowed */
    int32_t extra = rule.exact ? rule.extra : task.extra;
    uint32_t counted = 0;
    bool closer = false;
    columns<SLICES> step, ahead; /* the next one; behind the last there is padding */
    load_columns<SLICES>(ahead, indexed, task.column, g, q);
    for (uint32_t column = task.column; column < end; column += STEP) {
        step = ahead;
        load_columns<SLICES>(ahead, indexed, column + STEP, g, q);
        if (!closer && (LATE == MOST ? too_few<SLICES, FRAGMENTS>(own, step, task.extra)
                                     : hopeless<SLICES, FRAGMENTS, LATE % MOST>(own, step, task.extra, zero)))
            continue;
        uint32_t taken[FRAGMENTS / 2] = {0}, found = 0;
        const int2 *term = (const int2 *)(indexed.term + column) + q;
        look<SLICES, FRAGMENTS, SQUARED>(taken, own, step, probes.term + row + g, term, rule, extra);
#pragma unroll
        for (int w = 0; w < FRAGMENTS / 2; w++) {
            if (column + STEP > edge)
                taken[w] &= allowed(w, row, column, end, self);
            found += __popc(taken[w]);
        }
        closer = __any_sync(WARP, found > 0);
        counted += found;
        if (out.pairs && closer && !append<SLICES, FRAGMENTS / 2>(taken, found, probes, indexed, row, column, out)) {
            if (lane == 0)
                out.resume[atomicAdd(&out.tally->resumed, 1u)] = {row, column, task.end, task.extra, 1};
            return;
        }
    }
    if (out.pairs)
        return;
    unsigned long long all = counted;
    for (uint32_t distance = 16; distance > 0; distance /= 2)
        all += __shfl_down_sync(WARP, all, distance);
    if (lane == 0 && all > 0)
        atomicAdd(&out.tally->found, all);
}

typedef void (*kernel)(akin_tensor_side, akin_tensor_side, akin_tensor_rule, int, int, const akin_tensor_task *,
                       akin_tensor_taken);

/* A kernel, and how many threads its blocks have. */
struct choice {
    kernel kernel;
    uint32_t threads;
};

template <int SLICES, int FRAGMENTS, int BLOCKS, int LATE> static choice choose(akin_tensor_rule rule)
{
    return {rule.squared ? filter<SLICES, FRAGMENTS, BLOCKS, LATE, true>
                         : filter<SLICES, FRAGMENTS, BLOCKS, LATE, false>,
            32 * warps<SLICES, FRAGMENTS>};
}

static choice find(uint32_t bits, akin_tensor_rule rule, int way)
{
    switch (bits * 10 + (uint32_t)way) {
    case 2560:
        return choose<1, 8, 2, 0>(rule);
    case 2561:
        return choose<1, 8, 2, 1>(rule);
    case 2562:
        return choose<1, 8, 3, 0>(rule);
    case 2563:
        return choose<1, 4, 2, 0>(rule);
    case 2564:
        return choose<1, 4, 2, 1>(rule);
    case 2565:
        return choose<1, 4, 3, 0>(rule);
    case 2566:
        return choose<1, 8, 3, 1>(rule);
    case 2567:
        return choose<1, 8, 4, 0>(rule);
    case 2568:
        return choose<1, 8, 4, MOST>(rule);
    case 2569:
        return choose<1, 8, 3, MOST>(rule);
    case 5120:
        return choose<2, 4, 2, 0>(rule);
    case 5121:
        return choose<2, 4, 2, 1>(rule);
    case 5122:
        return choose<2, 4, 3, 0>(rule);
    case 5123:
        return choose<2, 4, 4, 0>(rule);
    case 5124:
        return choose<2, 2, 2, 0>(rule);
    case 5125:
        return choose<2, 4, 4, MOST>(rule);
    case 5126:
        return choose<2, 4, 3, MOST>(rule);
    case 10240:
        return choose<4, 4, 2, 0>(rule);
    case 10241:
        return choose<4, 2, 2, 0>(rule);
    case 10242:
        return choose<4, 4, 2, 1>(rule);
    case 10243:
        return choose<4, 2, 2, MOST>(rule);
    case 10244:
        return choose<4, 4, 2, MOST>(rule);
    case 20480:
        return choose<8, 2, 2, 0>(rule);
    case 20481:
        return choose<8, 2, 2, 1>(rule);
    default:
        return {NULL, 0};
    }
}

akin_status akin_tensor_filter(akin_device_stream *stream, const akin_tensor_side *probes,
                               const akin_tensor_side *indexed, akin_tensor_rule rule, int self, uint32_t bits,
                               const akin_tensor_task *tasks, uint32_t count, const akin_tensor_taken *taken,
                               akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    choice found = find(bits, rule, taken->way);
    if (!found.kernel)
        return akin_fail(error, AKIN_E_DEVICE, "no way %d", taken->way);
    found.kernel<<<count, found.threads, 0, akin_device_stream_cuda(stream)>>>(*probes, *indexed, rule, self, 0, tasks,
                                                                               *taken);
    return akin_device_launched(stream, "filter", error);
}
