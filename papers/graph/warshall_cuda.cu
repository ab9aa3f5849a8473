/*
 * The phases of Warshall's algorithm on tiles in device memory: a block of threads for a tile, a thread for a row of
 * it, which is 8 registers. The right factor of a product is in shared memory, where a row takes 12 words, so that
 * threads that read different rows at once seldom meet in a bank.
 */
#include "device/kernel.h"
#include "papers/graph/kernels.h"

#define WORDS AKIN_TILE_WORDS
#define PITCH (WORDS + 4)

struct shared_tile {
    __align__(16) uint32_t rows[AKIN_TILE][PITCH];
};

struct row {
    uint32_t words[WORDS];
};

static __device__ row load(const uint32_t *from)
{
    uint4 low = *(const uint4 *)from, high = *(const uint4 *)(from + 4);
    return {{low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w}};
}

static __device__ void store(uint32_t *to, const row &r)
{
    *(uint4 *)to = make_uint4(r.words[0], r.words[1], r.words[2], r.words[3]);
    *(uint4 *)(to + 4) = make_uint4(r.words[4], r.words[5], r.words[6], r.words[7]);
}

static __device__ bool is_filled(const row &r)
{
    uint32_t any = 0;
    for (uint32_t w = 0; w < WORDS; w++)
        any |= r.words[w];
    return any != 0;
}

static __device__ void unite(row &a, const row &b)
{
    for (uint32_t w = 0; w < WORDS; w++)
        a.words[w] |= b.words[w];
}

/* out |= the rows of b whose bits are set in a */
static __device__ void multiply_rows(row &out, const row &a, const shared_tile &b)
{
#pragma unroll
    for (uint32_t w = 0; w < WORDS; w++)
        for (uint32_t bits = a.words[w]; bits; bits &= bits - 1)
            unite(out, load(b.rows[32 * w + __ffs((int)bits) - 1]));
}

static __device__ akin_tile *tile_of(const akin_bit_matrix &matrix, uint32_t i, uint32_t j)
{
    return matrix.tiles + (uint64_t)i * matrix.side + j;
}

/* By one block: in step `by` nobody writes row `by`, which unites with itself at most. */
static __global__ void __launch_bounds__(AKIN_TILE) close_pivot(akin_bit_matrix matrix, uint32_t pivot)
{
    __shared__ shared_tile tile;
    uint32_t i = threadIdx.x, *own = tile_of(matrix, pivot, pivot)->rows[i];
    row r = load(own);
    store(tile.rows[i], r);
    for (uint32_t by = 0; by < AKIN_TILE; by++) {
        __syncthreads();
        if (by != i && tile.rows[i][by / 32] >> (by % 32) & 1) {
            unite(r, load(tile.rows[by]));
            store(tile.rows[i], r);
        }
    }
    store(own, r);
}

/* Blocks [0, side) have the tiles in the pivot's row, the others those in its column. */
static __global__ void __launch_bounds__(AKIN_TILE) close_cross(akin_bit_matrix matrix, uint32_t pivot)
{
    __shared__ shared_tile right;
    uint32_t i = threadIdx.x, at = blockIdx.x % matrix.side;
    bool in_row = blockIdx.x < matrix.side;
    if (at == pivot)
        return;
    uint32_t *own = (in_row ? tile_of(matrix, pivot, at) : tile_of(matrix, at, pivot))->rows[i];
    row out = load(own), closed = load(tile_of(matrix, pivot, pivot)->rows[i]);
    if (!__syncthreads_or(is_filled(out)))
        return;
    row left = in_row ? closed : out;
    store(right.rows[i], in_row ? out : closed);
    __syncthreads();
    multiply_rows(out, left, right);
    store(own, out);
}

/* A block for tile first + blockIdx.x of out, not counting tiles in row or column `skipped`. */
static __global__ void __launch_bounds__(AKIN_TILE)
    multiply_tiles(akin_bit_matrix out, akin_bit_matrix a, akin_bit_matrix b, uint32_t from, uint32_t to,
                   uint64_t first, uint32_t skipped)
{
    __shared__ shared_tile right;
    uint64_t number = first + blockIdx.x;
    uint32_t row_of = (uint32_t)(number / out.side), column = (uint32_t)(number % out.side), i = threadIdx.x;
    if (row_of == skipped || column == skipped)
        return;
    uint32_t *own = tile_of(out, row_of, column)->rows[i];
    bool loaded = false;
    row r;
    for (uint32_t k = from; k < to; k++) {
        row left = load(tile_of(a, row_of, k)->rows[i]);
        if (!__syncthreads_or(is_filled(left)))
            continue;
        row own_right = load(tile_of(b, k, column)->rows[i]);
        store(right.rows[i], own_right);
        if (!__syncthreads_or(is_filled(own_right)))
            continue;
        if (!loaded)
            r = load(own);
        loaded = true;
        multiply_rows(r, left, right);
    }
    if (loaded)
        store(own, r);
}

static akin_status warshall_pivot(akin_device_stream *stream, const akin_bit_matrix *matrix, uint32_t pivot,
                                  akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    close_pivot<<<1, AKIN_TILE, 0, akin_device_stream_cuda(stream)>>>(*matrix, pivot);
    return akin_device_launched(stream, "close_pivot", error);
}

static akin_status warshall_cross(akin_device_stream *stream, const akin_bit_matrix *matrix, uint32_t pivot,
                                  akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    close_cross<<<2 * matrix->side, AKIN_TILE, 0, akin_device_stream_cuda(stream)>>>(*matrix, pivot);
    return akin_device_launched(stream, "close_cross", error);
}

static akin_status warshall_rest(akin_device_stream *stream, const akin_bit_matrix *matrix, uint32_t pivot,
                                 uint64_t first, uint64_t count, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    multiply_tiles<<<(unsigned)count, AKIN_TILE, 0, akin_device_stream_cuda(stream)>>>(*matrix, *matrix, *matrix, pivot,
                                                                                       pivot + 1, first, pivot);
    return akin_device_launched(stream, "multiply_tiles", error);
}

static akin_status warshall_multiply(akin_device_stream *stream, const akin_bit_matrix *out, const akin_bit_matrix *a,
                                     const akin_bit_matrix *b, uint32_t from, uint32_t to, uint64_t first,
                                     uint64_t count, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    multiply_tiles<<<(unsigned)count, AKIN_TILE, 0, akin_device_stream_cuda(stream)>>>(*out, *a, *b, from, to, first,
                                                                                       UINT32_MAX);
    return akin_device_launched(stream, "multiply_tiles", error);
}

const akin_warshall_kernels akin_cuda_warshall = {warshall_pivot, warshall_cross, warshall_rest, warshall_multiply};
