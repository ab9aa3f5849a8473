/* Makes shapes and symbols of texts, and keys of these, a thread for each value. */
#include "dedupe/gpu_kernels.h"
#include "device/kernel.h"
#include "text/utf8.h"

#define THREADS 256
#define SAMPLED 16 /* of so many values the symbols of one are counted */

static uint32_t blocks_for(uint32_t count)
{
    return (count + THREADS - 1) / THREADS;
}

/* ---------------------------------------------------------------------------------------------------------- lengths */

/* Decodes one symbol; AKIN_NO_POINT: it is none. See text/utf8.h. */
static __device__ __forceinline__ uint32_t decode(const unsigned char *at, uint64_t left, uint32_t *size)
{
    uint32_t first = at[0], point;
    *size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (first < 0x80)
        return first;
    if (first < 0xc2 || first > 0xf4 || left < *size)
        return AKIN_NO_POINT;
    point = first & 0x7fu >> *size;
    for (uint32_t i = 1; i < *size; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return AKIN_NO_POINT;
        point = point << 6 | (at[i] & 0x3fu);
    }
    if (*size == 3)
        return point >= 0x800 && (point < 0xd800 || point > 0xdfff) ? point : AKIN_NO_POINT;
    return *size == 2 || (point >= 0x10000 && point <= 0x10ffff) ? point : AKIN_NO_POINT;
}

/* The bytes of a row; none: it is missing. */
static __device__ __forceinline__ uint64_t bytes_of(const akin_gpu_texts &texts, uint32_t row,
                                                    const unsigned char **out)
{
    uint64_t begin = texts.offsets[row], end = texts.offsets[row + 1ull];
    bool is_there = !texts.validity || (texts.validity[row / 8] >> row % 8 & 1);
    *out = (const unsigned char *)texts.bytes + (begin - texts.offsets[0]);
    return is_there ? end - begin : 0;
}

/* What a block of threads counts. */
struct counted {
    uint32_t lengths[AKIN_GPU_LONGEST + 1], bins[AKIN_GPU_BINS];
};

static __device__ __forceinline__ void add_counted(const counted &counts, akin_gpu_survey *survey)
{
    for (uint32_t i = threadIdx.x; i <= AKIN_GPU_LONGEST; i += THREADS)
        if (counts.lengths[i])
            atomicAdd(&survey->lengths[i], counts.lengths[i]);
    for (uint32_t i = threadIdx.x; i < AKIN_GPU_BINS; i += THREADS)
        if (counts.bins[i])
            atomicAdd(&survey->bins[i], counts.bins[i]);
}

static __device__ __forceinline__ void measure_row(const akin_gpu_texts &texts, uint32_t row, uint32_t *lengths,
                                                   counted *counts, akin_gpu_survey *survey)
{
    uint32_t length = 0, highest = 0, size;
    const unsigned char *text;
    uint64_t bytes = bytes_of(texts, row, &text);
    bool unfit = bytes > 4 * AKIN_GPU_LONGEST;
    for (uint64_t i = 0; i < bytes && !unfit; i += size, length++) {
        uint32_t point = decode(text + i, bytes - i, &size);
        unfit = point == AKIN_NO_POINT || length == AKIN_GPU_LONGEST;
        highest = unfit ? highest : max(highest, point);
        if (row % SAMPLED == 0 && !unfit)
            atomicAdd(&counts->bins[AKIN_GPU_BIN(point)], 1u);
    }
    if (unfit) {
        atomicAdd(&survey->unfit, 1u);
        length = 0;
    }
    lengths[texts.first + row] = length;
    atomicAdd(&counts->lengths[length], 1u);
    if (length > survey->longest)
        atomicMax(&survey->longest, length);
    if (highest > survey->point)
        atomicMax(&survey->point, highest);
}

static __global__ void measure(akin_gpu_texts texts, uint32_t *lengths, akin_gpu_survey *survey)
{
    __shared__ counted counts;
    uint32_t row = blockIdx.x * THREADS + threadIdx.x;
    for (uint32_t i = threadIdx.x; i < sizeof counts / sizeof(uint32_t); i += THREADS)
        ((uint32_t *)&counts)[i] = 0;
    __syncthreads();
    if (row < texts.rows)
        measure_row(texts, row, lengths, &counts, survey);
    __syncthreads();
    add_counted(counts, survey);
}

static akin_status gpu_measure(akin_device_stream *stream, const akin_gpu_texts *texts, uint32_t *lengths,
                               akin_gpu_survey *survey, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || texts->rows == 0)
        return status;
    measure<<<blocks_for(texts->rows), THREADS, 0, akin_device_stream_cuda(stream)>>>(*texts, lengths, survey);
    return akin_device_launched(stream, "measure", error);
}

/* ----------------------------------------------------------------------------------------------------------- shapes */

static __device__ __forceinline__ void put_symbol(const akin_gpu_column &column, uint64_t at, uint32_t point)
{
    if (column.width == 1)
        ((uint8_t *)column.symbols)[at] = (uint8_t)point;
    else if (column.width == 2)
        ((uint16_t *)column.symbols)[at] = (uint16_t)point;
    else
        ((uint32_t *)column.symbols)[at] = point;
}

static __device__ __forceinline__ uint32_t symbol_at(const akin_gpu_column &column, uint64_t at)
{
    if (column.width == 1)
        return ((const uint8_t *)column.symbols)[at];
    return column.width == 2 ? ((const uint16_t *)column.symbols)[at] : ((const uint32_t *)column.symbols)[at];
}

/* Counts a symbol of a kind: see strings/bag.h. */
static __device__ __forceinline__ void count_symbol(uint64_t words[4], uint32_t kind, bool deep)
{
    uint32_t shift = kind % 16 * 4, at = kind / 16;
#pragma unroll
    for (uint32_t w = 0; w < 4; w++) {
        bool is_full = (words[w] >> shift & 15) == 15, here = w == at;
        if (here && deep && is_full && w < 2)
            at = w + 2;
        else if (here)
            words[w] |= ((words[w] >> shift & 15) << 1 | 1) << shift & 15ull << shift;
    }
}

static __global__ void shape(akin_gpu_texts texts, const uint32_t *lengths, const uint64_t *starts,
                             const uint8_t *kinds, bool deep, akin_gpu_column column)
{
    uint32_t row = blockIdx.x * THREADS + threadIdx.x, size;
    if (row >= texts.rows)
        return;
    uint32_t record = texts.first + row;
    akin_gpu_shape made = {{0, 0, 0, 0}, starts[record], 0, lengths[record]};
    const unsigned char *text;
    uint64_t bytes = bytes_of(texts, row, &text), at = 0;
    for (uint32_t i = 0; i < made.length; i++, at += size) {
        uint32_t point = decode(text + at, bytes - at, &size);
        put_symbol(column, made.at + i, point);
        count_symbol(made.words, kinds[AKIN_GPU_BIN(point)], deep);
        made.head |= i < 4 ? (point & 255) << (24 - 8 * i) : 0;
    }
    for (uint32_t i = made.length; i < 4; i++)
        made.head |= 255u << (24 - 8 * i);
    column.shapes[record] = made;
}

static akin_status gpu_shape_texts(akin_device_stream *stream, const akin_gpu_texts *texts, const uint32_t *lengths,
                                   const uint64_t *starts, const uint8_t *kinds, int deep,
                                   const akin_gpu_column *column, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || texts->rows == 0)
        return status;
    shape<<<blocks_for(texts->rows), THREADS, 0, akin_device_stream_cuda(stream)>>>(*texts, lengths, starts, kinds,
                                                                                    deep != 0, *column);
    return akin_device_launched(stream, "shape", error);
}

/* ------------------------------------------------------------------------------------------------------------- keys */

/* See strings/soundex.c; 0: there is no letter. */
static __device__ uint32_t soundex_of(const akin_gpu_column &column, const akin_gpu_shape &shape)
{
    const char *digits = "01230120022455012623010202";
    uint32_t code = 0, count = 0;
    char last = 0;
    for (uint32_t i = 0; i < shape.length && count < 4; i++) {
        uint32_t point = symbol_at(column, shape.at + i), letter = (point | 0x20u) - 'a';
        if (point >= 128 || letter > 'z' - 'a')
            continue;
        char digit = digits[letter];
        bool is_silent = letter == 'h' - 'a' || letter == 'w' - 'a';
        if (count > 0 && is_silent)
            continue;
        if (count == 0 || (digit != '0' && digit != last)) {
            code = code << 8 | (count == 0 ? 'A' + letter : (uint32_t)digit);
            count++;
        }
        last = digit;
    }
    for (; count > 0 && count < 4; count++)
        code = code << 8 | '0';
    return code;
}

static __global__ void make_keys(akin_gpu_column column, bool soundex, bool coded, uint32_t *keys, uint32_t *order)
{
    uint32_t record = blockIdx.x * THREADS + threadIdx.x;
    if (record >= column.count)
        return;
    const akin_gpu_shape shape = column.shapes[record];
    uint32_t key = 0;
    if (soundex) {
        key = soundex_of(column, shape);
        key = coded && shape.length > 0 && key == 0 ? 1 : key;
    } else if (shape.length > 0) {
        key = 1000 * shape.length + symbol_at(column, shape.at);
    }
    keys[record] = key;
    if (order)
        order[record] = record;
}

static akin_status gpu_keys(akin_device_stream *stream, const akin_gpu_column *column, akin_gpu_key key, uint32_t *keys,
                            uint32_t *order, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || column->count == 0)
        return status;
    make_keys<<<blocks_for(column->count), THREADS, 0, akin_device_stream_cuda(stream)>>>(
        *column, key != AKIN_GPU_SIMPLE, key == AKIN_GPU_CODE, keys, order);
    return akin_device_launched(stream, "make_keys", error);
}

static __global__ void invert(const uint32_t *order, uint32_t count, uint32_t *places)
{
    uint32_t i = blockIdx.x * THREADS + threadIdx.x;
    if (i < count)
        places[order[i]] = i;
}

static akin_status gpu_invert(akin_device_stream *stream, const uint32_t *order, uint32_t count, uint32_t *places,
                              akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    invert<<<blocks_for(count), THREADS, 0, akin_device_stream_cuda(stream)>>>(order, count, places);
    return akin_device_launched(stream, "invert", error);
}

static __global__ void take_lengths(const akin_gpu_shape *shapes, uint32_t first, uint32_t count, uint32_t *lengths,
                                    uint32_t *order)
{
    uint32_t i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= count)
        return;
    lengths[i] = shapes[first + i].length;
    order[i] = first + i;
}

static akin_status gpu_lengths(akin_device_stream *stream, const akin_gpu_column *column, uint32_t first,
                               uint32_t count, uint32_t *lengths, uint32_t *order, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    take_lengths<<<blocks_for(count), THREADS, 0, akin_device_stream_cuda(stream)>>>(column->shapes, first, count,
                                                                                     lengths, order);
    return akin_device_launched(stream, "take_lengths", error);
}

const akin_dedupe_texts_kernels akin_cuda_dedupe_texts = {gpu_measure, gpu_shape_texts, gpu_keys, gpu_invert,
                                                          gpu_lengths};
