/* Two batches of what a filter on the GPU finds: verified and brought back while the next one is filtered. */
#include "join/batches.h"

#include "base/bits.h"

#include <string.h>

static akin_status make_visit_batch(akin_gpu_batches *b, akin_gpu_batch *batch, akin_error *error)
{
    static const char what[] = "the candidates";
    akin_device *device = b->gpu->device;
    int keep = b->gpu->job->keep;
    akin_status status = akin_device_reserve(device, &batch->tally, 1, sizeof(akin_gpu_tally), what, error);
    if (status == AKIN_OK)
        status = akin_pinned_reserve(device, &batch->told, 1, sizeof(akin_gpu_tally), what, error);
    if (status == AKIN_OK)
        status = akin_device_event_create(device, &batch->filtered, error);
    if (status == AKIN_OK)
        status = akin_device_event_create(device, &batch->verified, error);
    if (status == AKIN_OK && !b->exact)
        status = akin_device_reserve(device, &batch->candidates, b->room, sizeof(akin_gpu_pair), what, error);
    if (status == AKIN_OK && keep)
        status = akin_device_reserve(device, &batch->pairs, b->room, sizeof(akin_gpu_pair), what, error);
    if (status == AKIN_OK && keep)
        status = akin_device_reserve(device, &batch->overlaps, b->room, sizeof(uint32_t), what, error);
    return status;
}

akin_status akin_gpu_batches_begin(akin_gpu_join *gpu, uint32_t count, int exact, uint64_t room, uint64_t least,
                                   akin_gpu_batches *out, akin_error *error)
{
    const uint64_t size = 2 * sizeof(akin_gpu_pair) + sizeof(uint32_t);
    uint64_t fits = akin_device_room(gpu->device) / 2 / size / count;
    *out = (akin_gpu_batches){.gpu = gpu, .exact = exact, .count = count};
    out->room = akin_max_u64(akin_min_u64(room, fits), least);
    akin_status status = AKIN_OK;
    for (uint32_t k = 0; k < count && status == AKIN_OK; k++)
        status = make_visit_batch(out, &out->batch[k], error);
    if (status == AKIN_OK && count > 1)
        status = akin_device_stream_create(gpu->device, &out->checking, error);
    if (status == AKIN_OK && count > 1)
        status = akin_device_stream_create(gpu->device, &out->copying, error);
    return status;
}

void akin_gpu_batches_clear(akin_gpu_batches *b)
{
    if (!b->gpu)
        return;
    akin_device *device = b->gpu->device;
    akin_device_stream_free(b->checking);
    akin_device_stream_free(b->copying);
    for (uint32_t k = 0; k < b->count; k++) {
        akin_gpu_batch *batch = &b->batch[k];
        akin_device_release(device, &batch->candidates);
        akin_device_release(device, &batch->tally);
        akin_device_release(device, &batch->pairs);
        akin_device_release(device, &batch->overlaps);
        akin_pinned_release(device, &batch->told);
        akin_device_event_free(batch->filtered);
        akin_device_event_free(batch->verified);
    }
}

akin_gpu_pair *akin_gpu_batch_pairs(const akin_gpu_batches *b, uint32_t which)
{
    const akin_gpu_batch *batch = &b->batch[which];
    return b->exact ? batch->pairs.data : batch->candidates.data;
}

akin_status akin_gpu_batch_reset(akin_gpu_batches *b, uint32_t which, akin_error *error)
{
    return akin_gpu_tally_reset(b->gpu->stream, b->batch[which].tally.data, error);
}

akin_status akin_gpu_batch_verify(akin_gpu_batches *b, uint32_t which, akin_error *error)
{
    const akin_gpu_join *gpu = b->gpu;
    akin_gpu_batch *batch = &b->batch[which];
    akin_device_stream *stream = b->checking ? b->checking : gpu->stream;
    akin_status status = AKIN_OK;
    if (b->checking) {
        status = akin_device_event_record(batch->filtered, gpu->stream, error);
        if (status == AKIN_OK)
            status = akin_device_stream_wait(stream, batch->filtered, error);
    }
    if (status == AKIN_OK && !b->exact)
        status = akin_kernels(stream)->sets->verify(stream, &gpu->probes->sets, &gpu->indexed->sets, gpu->rule,
                                                    gpu->way, batch->candidates.data, b->room, batch->tally.data,
                                                    batch->pairs.data, batch->overlaps.data, error);
    if (status == AKIN_OK)
        status = akin_device_read(stream, batch->told.data, batch->tally.data, sizeof(akin_gpu_tally), error);
    if (status == AKIN_OK)
        status = akin_device_event_record(batch->verified, stream, error);
    return status;
}

akin_status akin_gpu_batch_take(akin_gpu_batches *b, uint32_t which, akin_gpu_tally *told, akin_error *error)
{
    akin_gpu_join *gpu = b->gpu;
    const akin_gpu_batch *batch = &b->batch[which];
    akin_join_worker *worker = &gpu->job->workers[0];
    akin_status status = akin_device_event_finish(batch->verified, error);
    if (status != AKIN_OK)
        return status;
    memcpy(told, batch->told.data, sizeof *told);
    uint64_t appended = akin_gpu_tally_appended(told, b->room);
    if (b->exact && gpu->job->keep)
        told->found = appended;
    worker->candidates += b->exact ? told->found : appended;
    if (!gpu->job->keep) {
        worker->count += told->found;
        return AKIN_OK;
    }
    return akin_gpu_join_fetch(gpu, b->copying ? b->copying : gpu->stream, batch->pairs.data, batch->overlaps.data,
                               told->found, error);
}
