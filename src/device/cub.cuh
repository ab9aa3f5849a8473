/* How this room calls CUB: once for the size of the scratch memory, once for the work. To be included before the
 * headers of CUB. */
#ifndef AKIN_DEVICE_CUB_CUH
#define AKIN_DEVICE_CUB_CUH

/* CUB includes <iostream> for the sake of one function that prints. Its stream objects would make all of libakin need
 * the C++ library, so here is what that function needs, and the guard of libstdc++'s header. */
#include <ostream>
#define _GLIBCXX_IOSTREAM 1

#include "device/cuda_primitives.h"
#include "device/kernel.h"

#include <pthread.h>

/* CUB keeps what it learns of the devices in static variables, which are initialised by the call that returns the size:
 * one thread at a time, since we compile without the guards that are in the C++ library. */
inline pthread_mutex_t akin_device_cub_lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * Calls `call(scratch, bytes)`, which stands for a function of CUB, on the device of the stream: with scratch NULL it
 * stores the bytes that it needs, else it puts the work into the stream. `name` is for messages.
 */
template <typename Call>
static akin_status akin_device_run_cub(akin_device_stream *stream, const char *name, Call call, akin_error *error)
{
    akin_device *device = akin_device_stream_device(stream);
    akin_status status = akin_device_enter(device, error);
    if (status != AKIN_OK)
        return status;
    void *scratch = nullptr;
    size_t bytes = 0;
    pthread_mutex_lock(&akin_device_cub_lock);
    cudaError_t code = call(scratch, bytes);
    pthread_mutex_unlock(&akin_device_cub_lock);
    status = akin_device_check(device, code, name, error);
    if (status == AKIN_OK)
        status = akin_device_scratch(stream, bytes, &scratch, error);
    if (status == AKIN_OK)
        status = akin_device_check(device, call(scratch, bytes), name, error);
    return status;
}

/* Refuses more items than a call takes. */
static inline akin_status akin_device_check_items(uint64_t n, const char *name, akin_error *error)
{
    if (n <= AKIN_DEVICE_ITEMS)
        return AKIN_OK;
    return akin_fail(error, AKIN_E_LIMIT, "%s: %llu items are too many for a call on the GPU, which takes %llu", name,
                     (unsigned long long)n, (unsigned long long)AKIN_DEVICE_ITEMS);
}

#endif
