/* Arrays on the heap that move to a mapped temporary file when they grow beyond a limit. */
#define _GNU_SOURCE /* mremap */

#include "base/bulk.h"

#include "base/bits.h"
#include "base/temporary.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define STEP ((uint64_t)1 << 20) /* a file is a multiple of that long */

akin_bulk akin_bulk_of(const akin_context *context, akin_account *account, uint64_t share)
{
    return (akin_bulk){.account = account,
                       .limit = context->memory ? share : UINT64_MAX,
                       .directory = akin_context_temporary(context)};
}

akin_bulk akin_bulk_adopt(void *block)
{
    return (akin_bulk){.data = block};
}

static akin_status on_heap(akin_bulk *bulk, uint64_t bytes, const char *what, akin_error *error)
{
    void *block = akin_resize(bulk->account, bulk->data, bytes, 1);
    if (!block)
        return akin_fail_memory(error, what);
    bulk->data = block;
    bulk->capacity = bytes;
    return AKIN_OK;
}

static void *map(int fd, uint64_t size)
{
    void *data = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return data == MAP_FAILED ? NULL : data;
}

static void *remap(const akin_bulk *bulk, uint64_t size)
{
#if defined(MREMAP_MAYMOVE)
    void *data = mremap(bulk->data, (size_t)bulk->capacity, (size_t)size, MREMAP_MAYMOVE);
    return data == MAP_FAILED ? NULL : data;
#else
    void *data = map(bulk->file - 1, size); /* both mappings show the same file */
    if (data)
        munmap(bulk->data, (size_t)bulk->capacity);
    return data;
#endif
}

static akin_status in_file(akin_bulk *bulk, uint64_t bytes, const char *what, akin_error *error)
{
    if (bytes > (uint64_t)PTRDIFF_MAX - STEP)
        return akin_fail_memory(error, what);
    uint64_t size = akin_ceil_div(bytes, STEP) * STEP, before = bulk->mapped ? bulk->capacity : 0;
    if (!bulk->file) {
        int fd = -1;
        akin_status status = akin_temporary_open(bulk->directory, &fd, error);
        if (status != AKIN_OK)
            return status;
        bulk->file = fd + 1;
    }
    int reason = akin_temporary_grow(bulk->file - 1, before, size);
    if (reason)
        return akin_temporary_fail(error, reason, bulk->directory);
    void *data = bulk->mapped ? remap(bulk, size) : map(bulk->file - 1, size);
    if (!data)
        return akin_fail_memory(error, what);
    if (!bulk->mapped && bulk->data) {
        memcpy(data, bulk->data, (size_t)bulk->capacity);
        akin_free(bulk->data);
    }
    bulk->mapped = 1;
    bulk->data = data;
    bulk->capacity = size;
    return AKIN_OK;
}

akin_status akin_bulk_reserve(akin_bulk *bulk, uint64_t bytes, const char *what, akin_error *error)
{
    if (bulk->data && bytes <= bulk->capacity)
        return AKIN_OK;
    int fits = !bulk->mapped && bytes <= bulk->limit;
    return fits ? on_heap(bulk, bytes, what, error) : in_file(bulk, bytes, what, error);
}

akin_status akin_bulk_grow(akin_bulk *bulk, uint64_t bytes, const char *what, akin_error *error)
{
    if (bulk->data && bytes <= bulk->capacity)
        return AKIN_OK;
    uint64_t room = akin_max_u64(bytes, bulk->capacity + bulk->capacity / 2);
    if (bytes <= bulk->limit && room > bulk->limit) /* it stays on the heap as long as it can */
        room = bulk->limit;
    return akin_bulk_reserve(bulk, room, what, error);
}

static void close_file(akin_bulk *bulk)
{
    if (bulk->file)
        close(bulk->file - 1);
    bulk->file = 0;
}

void akin_bulk_trim(akin_bulk *bulk, uint64_t bytes)
{
    close_file(bulk);
    bulk->directory = NULL;
    if (bulk->mapped || bytes >= bulk->capacity)
        return;
    void *cut = akin_resize(bulk->account, bulk->data, bytes, 1);
    if (!cut) /* it stays as long as it is */
        return;
    bulk->data = cut;
    bulk->capacity = bytes;
}

void akin_bulk_clear(akin_bulk *bulk)
{
    if (bulk->mapped)
        munmap(bulk->data, (size_t)bulk->capacity);
    else
        akin_free(bulk->data);
    close_file(bulk);
    *bulk = (akin_bulk){0};
}
