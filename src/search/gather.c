/* Puts the keys of units together, some units at a time. */
#include "search/gather.h"

#include "base/bits.h"
#include "base/context.h"

#define GATHER ((uint64_t)1 << 17) /* keys that a block puts together, unless k are more than half */

akin_status akin_gather_keys(const akin_gathering *gathering, const akin_gpu_batch *batch, uint32_t most,
                             uint32_t objects, akin_gpu_groups *best, akin_error *error)
{
    const akin_gathering *a = gathering;
    const uint64_t wished = akin_wishes_of(a->scope)->gathered_keys;
    const uint64_t at_once = akin_max_u64(wished ? wished : GATHER, 2 * (uint64_t)batch->k);
    akin_gpu_groups g = {.keys = batch->keys,
                         .found = batch->found,
                         .count = batch->count,
                         .units = batch->units,
                         .room = batch->room,
                         .k = batch->k,
                         .most = most,
                         .objects = akin_max_u32(objects, 1)};
    akin_status status = AKIN_OK;
    for (int at = 0, is_done = 0; !is_done && status == AKIN_OK; at ^= 1) {
        g.group = (uint32_t)akin_max_u64(akin_min_u64(akin_ceil_div(at_once, akin_max_u32(g.room, 1)), g.units), 1);
        const uint64_t groups = akin_ceil_div(g.units, g.group), slots = groups * g.count;
        status = akin_device_reserve(a->device, &a->best[at], slots * g.k, sizeof *g.best, a->what, error);
        if (status == AKIN_OK)
            status = akin_device_reserve(a->device, &a->best_found[at], slots, sizeof *g.best_found, a->what, error);
        g.best = a->best[at].data;
        g.best_found = a->best_found[at].data;
        if (status == AKIN_OK)
            status = akin_kernels(a->stream)->ranges->gather(a->stream, &g, error);
        is_done = groups == 1;
        g.keys = g.best;
        g.found = g.best_found;
        g.units = (uint32_t)groups;
        g.room = g.k;
    }
    if (status == AKIN_OK && g.k <= AKIN_RANGES_SORTED)
        status = akin_kernels(a->stream)->ranges->sort(a->stream, &g, error);
    *best = g;
    return status;
}

akin_status akin_gather_take(const akin_gathering *gathering, const akin_gpu_groups *best, uint64_t *keys,
                             uint32_t *found, akin_error *error)
{
    const akin_gathering *a = gathering;
    const uint64_t bytes = (uint64_t)best->count * best->k * sizeof *keys;
    akin_status status = akin_device_download(a->stream, keys, best->best, bytes, error);
    if (status == AKIN_OK)
        status = akin_device_download(a->stream, found, best->best_found, best->count * sizeof *found, error);
    return status;
}
