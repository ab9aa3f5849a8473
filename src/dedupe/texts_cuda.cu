/* Makes shapes and symbols of texts, and keys of these, a thread for each value: gpu_texts.h says how. */
#include "dedupe/gpu_texts.h"
#include "device/kernel.h"

#define THREADS 256

static uint32_t text_blocks_for(uint32_t count)
{
    return (count + THREADS - 1) / THREADS;
}

static __global__ void measure(akin_gpu_texts texts, uint32_t *lengths, akin_gpu_survey *survey)
{
    __shared__ akin_gpu_counted counts;
    uint32_t row = blockIdx.x * THREADS + threadIdx.x;
    akin_gpu_clear_counted(&counts, threadIdx.x, THREADS);
    __syncthreads();
    if (row < texts.rows)
        akin_gpu_measure_row(&texts, row, lengths, &counts, survey);
    __syncthreads();
    akin_gpu_add_counted(&counts, survey, threadIdx.x, THREADS);
}

static akin_status gpu_measure(akin_device_stream *stream, const akin_gpu_texts *texts, uint32_t *lengths,
                               akin_gpu_survey *survey, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || texts->rows == 0)
        return status;
    measure<<<text_blocks_for(texts->rows), THREADS, 0, akin_device_stream_cuda(stream)>>>(*texts, lengths, survey);
    return akin_device_launched(stream, "measure", error);
}

static __global__ void shape(akin_gpu_texts texts, const uint32_t *lengths, const uint64_t *starts,
                             const uint8_t *kinds, bool deep, akin_gpu_column column)
{
    uint32_t row = blockIdx.x * THREADS + threadIdx.x;
    if (row < texts.rows)
        akin_gpu_shape_row(&texts, row, lengths, starts, kinds, deep, &column);
}

static akin_status gpu_shape_texts(akin_device_stream *stream, const akin_gpu_texts *texts, const uint32_t *lengths,
                                   const uint64_t *starts, const uint8_t *kinds, int deep,
                                   const akin_gpu_column *column, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || texts->rows == 0)
        return status;
    shape<<<text_blocks_for(texts->rows), THREADS, 0, akin_device_stream_cuda(stream)>>>(*texts, lengths, starts, kinds,
                                                                                         deep != 0, *column);
    return akin_device_launched(stream, "shape", error);
}

static __global__ void make_keys(akin_gpu_column column, bool soundex, bool coded, uint32_t *keys, uint32_t *order)
{
    uint32_t record = blockIdx.x * THREADS + threadIdx.x;
    if (record >= column.count)
        return;
    keys[record] = akin_gpu_key_of(&column, record, soundex, coded);
    if (order)
        order[record] = record;
}

static akin_status gpu_keys(akin_device_stream *stream, const akin_gpu_column *column, akin_gpu_key key, uint32_t *keys,
                            uint32_t *order, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || column->count == 0)
        return status;
    make_keys<<<text_blocks_for(column->count), THREADS, 0, akin_device_stream_cuda(stream)>>>(
        *column, key != AKIN_GPU_SIMPLE, key == AKIN_GPU_CODE, keys, order);
    return akin_device_launched(stream, "make_keys", error);
}

static __global__ void invert_order(const uint32_t *order, uint32_t count, uint32_t *places)
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
    invert_order<<<text_blocks_for(count), THREADS, 0, akin_device_stream_cuda(stream)>>>(order, count, places);
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
    take_lengths<<<text_blocks_for(count), THREADS, 0, akin_device_stream_cuda(stream)>>>(column->shapes, first, count,
                                                                                          lengths, order);
    return akin_device_launched(stream, "take_lengths", error);
}

const akin_dedupe_texts_kernels akin_cuda_dedupe_texts = {gpu_measure, gpu_shape_texts, gpu_keys, gpu_invert,
                                                          gpu_lengths};
