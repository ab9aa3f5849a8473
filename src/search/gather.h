/* The keys of units on a GPU are put together, until there are the best of all. */
#ifndef AKIN_SEARCH_GATHER_H
#define AKIN_SEARCH_GATHER_H

#include "search/kernels.h"

typedef struct akin_gathering {
    const akin_scope *scope;
    akin_device *device;
    akin_device_stream *stream;
    akin_device_buffer *best, *best_found; /* two of each: groups of one become the keys of the other */
    const char *what;                      /* the memory is for */
} akin_gathering;

/* Gathers the keys of a batch, of `objects` objects that count `most` at most, *later*: *best is what comes of them, in
 * order if k is at most AKIN_RANGES_SORTED. Errors: AKIN_E_NOMEM, AKIN_E_DEVICE. */
akin_status akin_gather_keys(const akin_gathering *gathering, const akin_gpu_batch *batch, uint32_t most,
                             uint32_t objects, akin_gpu_groups *best, akin_error *error);

/* Brings the best keys of each query: a row of k keys, and found has the number of keys in the row. Errors:
 * AKIN_E_DEVICE. */
akin_status akin_gather_take(const akin_gathering *gathering, const akin_gpu_groups *best, uint64_t *keys,
                             uint32_t *found, akin_error *error);

#endif
