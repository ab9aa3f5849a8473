/* Shared by the kernels of the tensor filter: rows in registers, columns of a step, the second look at pairs. */
#ifndef AKIN_JOIN_TENSOR_STEP_CUH
#define AKIN_JOIN_TENSOR_STEP_CUH

#include "join/kernels.h"
#include "join/warp.cuh"

#define STEP   AKIN_TENSOR_STEP
#define GROUPS (STEP / 8)

/* 16 rows by 8 columns by 256 bits: out = start + the bits in common. */
static __device__ __forceinline__ void multiply(int32_t out[4], const uint32_t a[4], uint2 b, const int32_t start[4])
{
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%10,%11,%12,%13};"
        : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b.x), "r"(b.y), "r"(start[0]), "r"(start[1]), "r"(start[2]),
          "r"(start[3]));
#else
    (void)a, (void)b;
    for (int e = 0; e < 4; e++) /* never launched */
        out[e] = start[e];
#endif
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

/* A word with one more bit at its end. The bit is set if a pair with n bits in common is not taken. r and s are the
 * terms; one of them includes the rule's extra. */
template <bool SQUARED>
static __device__ __forceinline__ uint32_t shift_in(uint32_t word, int32_t n, int32_t r, int32_t s,
                                                    const akin_tensor_rule &rule)
{
    if (SQUARED)
        return word << 1 | ((uint64_t)(uint32_t)(n * n) * rule.factor < (uint64_t)(uint32_t)(r * s) * rule.share);
    return __funnelshift_l((uint32_t)(n * (int32_t)rule.factor - (r + s)), word, 1); /* the sign */
}

/*
 * Compares each pair of a step with the rule. A lane has 16 pairs of each fragment. A word of `taken` has a bit for
 * each pair of two fragments, from its highest bit on, in the order of the loops.
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
                *word = shift_in<SQUARED>(*word, common[e], r, s, rule);
            }
        }
#pragma unroll
    for (int w = 0; w < FRAGMENTS / 2; w++)
        taken[w] = ~taken[w];
}

/* Where the pair of a bit is. FRAGMENTS: bits are those of `look`; else a lane has a column, and a bit is a row. */
struct place {
    uint32_t row, column;
};

template <bool FRAGMENTS>
static __device__ __forceinline__ place place_of(int word, uint32_t bit, uint32_t row, uint32_t column)
{
    uint32_t lane = threadIdx.x % 32, m = 2 * word + bit / 16, j = bit / 4 % 4, e = bit % 4;
    if (!FRAGMENTS)
        return {row + 32 * word + bit, column + lane};
    return {row + 16 * m + 8 * (e / 2) + lane / 4, column + 8 * j + 2 * (lane % 4) + e % 2};
}

/* The bits of the pairs that are before `end` and, in a self-join, below the diagonal. */
template <bool FRAGMENTS>
static __device__ __noinline__ uint32_t allowed(int word, uint32_t row, uint32_t column, uint32_t end, int self)
{
    uint32_t bits = 0;
    for (uint32_t bit = 0; bit < 32; bit++) {
        place at = place_of<FRAGMENTS>(word, bit, row, column);
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
template <int SLICES, int WORDS, bool FRAGMENTS>
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
            place pair = place_of<FRAGMENTS>(w, bit, row, column);
            out.pairs[at] = (uint64_t)probes.set[pair.row] << 32 | indexed.set[pair.column];
            if (out.overlaps)
                out.overlaps[at] = overlap_of<SLICES>(probes, pair.row, indexed, pair.column);
        }
    return 1;
}

/* What a warp does, and where. */
struct work {
    uint32_t row, end; /* its first row, and where its columns end */
    uint32_t edge;     /* the column from which on not all pairs are allowed */
    int32_t extra;     /* of the rule */
    int self;
    uint32_t counted; /* pairs, in this lane */
};

/* Takes the allowed pairs of a step whose bits are set; `none` becomes whether there are none. 0: there was no room. */
template <int SLICES, int WORDS, bool FRAGMENTS>
static __device__ __forceinline__ int keep(uint32_t taken[WORDS], work &at, uint32_t column,
                                           const akin_tensor_side &probes, const akin_tensor_side &indexed,
                                           const akin_tensor_taken &out, bool &none)
{
    uint32_t found = 0;
#pragma unroll
    for (int w = 0; w < WORDS; w++) {
        if (column + STEP > at.edge)
            taken[w] &= allowed<FRAGMENTS>(w, at.row, column, at.end, at.self);
        found += __popc(taken[w]);
    }
    at.counted += found;
    none = !__any_sync(WARP, found > 0);
    return none || !out.pairs || append<SLICES, WORDS, FRAGMENTS>(taken, found, probes, indexed, at.row, column, out);
}

/* Looks at a step closer, and takes the pairs that the rule permits. */
template <int SLICES, int FRAGMENTS, bool SQUARED>
static __device__ __forceinline__ int take(const rows<SLICES, FRAGMENTS> &own, const columns<SLICES> &step, work &at,
                                           uint32_t column, const akin_tensor_side &probes,
                                           const akin_tensor_side &indexed, const akin_tensor_rule &rule,
                                           const akin_tensor_taken &out, bool &none)
{
    uint32_t taken[FRAGMENTS / 2] = {0}, lane = threadIdx.x % 32;
    look<SLICES, FRAGMENTS, SQUARED>(taken, own, step, probes.term + at.row + lane / 4,
                                     (const int2 *)(indexed.term + column) + lane % 4, rule, at.extra);
    return keep<SLICES, FRAGMENTS / 2, true>(taken, at, column, probes, indexed, out, none);
}

/* Adds the number of pairs that the warp's lanes have counted to the tally. */
static __device__ __forceinline__ void tell(const work &at, const akin_tensor_taken &out)
{
    unsigned long long all = at.counted;
    for (uint32_t distance = 16; distance > 0; distance /= 2)
        all += __shfl_down_sync(WARP, all, distance);
    if (threadIdx.x % 32 == 0 && all > 0)
        atomicAdd(&out.tally->found, all);
}

/* Puts the rest of a warp's task aside. */
static __device__ __forceinline__ void put_aside(const work &at, uint32_t column, const akin_tensor_task &task,
                                                 const akin_tensor_taken &out)
{
    if (threadIdx.x % 32 == 0)
        out.resume[atomicAdd(&out.tally->resumed, 1u)] = {at.row, column, task.end, task.extra, 1};
}

#endif
