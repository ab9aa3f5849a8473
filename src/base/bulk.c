/* Arrays on the heap that move to a mapped temporary file when they grow beyond a limit. */
#define _GNU_SOURCE /* mremap */

#include "base/bulk.h"

#include "base/context.h"
#include "base/budget.h"
#include "base/bits.h"
#include "base/parallel.h"
#include "base/temporary.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define STEP ((uint64_t)1 << 16) /* a file is a multiple of that long */
#define SPAN ((uint64_t)1 << 22) /* bytes that a task touches */
#define PAGE 4096
#define MORE ((uint64_t)1 << 26) /* bytes that an array in a file grows by, at most, beyond what is needed */

akin_bulk akin_bulk_of(const akin_scope *scope, akin_account *account, uint64_t share)
{
    return (akin_bulk){
        .account = account, .limit = share, .directory = scope->memory ? akin_context_temporary(scope) : NULL};
}

akin_bulk akin_bulk_adopt(void *block)
{
    return (akin_bulk){.data = block};
}

static void *map(int fd, uint64_t size)
{
    void *data = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return data == MAP_FAILED ? NULL : data;
}

static void *remap(const akin_bulk *bulk, uint64_t size)
{
#if defined(MREMAP_MAYMOVE) && !defined(__SANITIZE_THREAD__) /* which does not see mremap */
    void *data = mremap(bulk->data, (size_t)bulk->capacity, (size_t)size, MREMAP_MAYMOVE);
    return data == MAP_FAILED ? NULL : data;
#else
    void *data = map(bulk->file - 1, size); /* both mappings show the same file */
    if (data)
        munmap(bulk->data, (size_t)bulk->capacity);
    return data;
#endif
}

/* Makes the file `size` bytes long, after creating it if there is none. Returns 0 or an errno value. */
static int grow_file(akin_bulk *bulk, uint64_t size)
{
    if (!bulk->file) {
        int fd = -1, reason = akin_temporary_open(bulk->directory, &fd);
        if (reason)
            return reason;
        bulk->file = fd + 1;
    }
    return akin_temporary_grow(bulk->file - 1, bulk->mapped ? bulk->capacity : 0, size);
}

static void close_file(akin_bulk *bulk)
{
    if (bulk->file)
        close(bulk->file - 1);
    bulk->file = 0;
}

/* Moves the array to its file, or grows it there. */
static akin_status move_to_file(akin_bulk *bulk, uint64_t bytes, const char *what, akin_error *error)
{
    if (bytes > (uint64_t)PTRDIFF_MAX - STEP)
        return akin_fail_memory(error, what);
    uint64_t size = akin_max_u64(1, akin_ceil_div(bytes, STEP)) * STEP;
    int reason = grow_file(bulk, size);
    if (reason && bulk->reason)
        atomic_store_explicit(bulk->reason, reason, memory_order_relaxed);
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

/* The same; an array that cannot move is as before, without a file. */
static akin_status in_file(akin_bulk *bulk, uint64_t bytes, const char *what, akin_error *error)
{
    akin_status status = move_to_file(bulk, bytes, what, error);
    if (!bulk->mapped)
        close_file(bulk);
    return status;
}

/* On the heap, all zeros if there is nothing to keep, or in the file where the account has no room. */
static akin_status place_bulk(akin_bulk *bulk, uint64_t bytes, int zeros, const char *what, akin_error *error)
{
    if (bulk->mapped || (bulk->directory && bytes > bulk->limit))
        return in_file(bulk, bytes, what, error);
    uint64_t refused = bulk->account ? bulk->account->refused : 0;
    void *block = zeros ? akin_alloc_zero(bulk->account, bytes, 1) : akin_resize(bulk->account, bulk->data, bytes, 1);
    if (!block && bulk->directory && bulk->account && bulk->account->refused != refused)
        return in_file(bulk, bytes, what, error);
    if (!block)
        return akin_fail_memory(error, what);
    bulk->data = block;
    bulk->capacity = bytes;
    return AKIN_OK;
}

akin_status akin_bulk_reserve(akin_bulk *bulk, uint64_t bytes, const char *what, akin_error *error)
{
    if (bulk->data && bytes <= bulk->capacity)
        return AKIN_OK;
    return place_bulk(bulk, bytes, 0, what, error);
}

akin_status akin_bulk_grow(akin_bulk *bulk, uint64_t bytes, const char *what, akin_error *error)
{
    if (bulk->data && bytes <= bulk->capacity)
        return AKIN_OK;
    const uint64_t half = bulk->capacity / 2;
    uint64_t room = akin_max_u64(bytes, bulk->capacity + (bulk->mapped ? akin_min_u64(half, MORE) : half));
    akin_bulk_release(bulk);
    if (bulk->directory && bytes <= bulk->limit && room > bulk->limit) /* it stays on the heap as long as it can */
        room = bulk->limit;
    return akin_bulk_reserve(bulk, room, what, error);
}

akin_status akin_bulk_reserve_zeros(akin_bulk *bulk, uint64_t bytes, const char *what, akin_error *error)
{
    return place_bulk(bulk, bytes, 1, what, error);
}

static akin_status touch(void *argument, uint64_t task, uint32_t thread)
{
    const akin_bulk *bulk = argument;
    const uint64_t end = akin_min_u64((task + 1) * SPAN, bulk->capacity);
    volatile char *bytes = bulk->data;
    (void)thread;
    for (uint64_t at = task * SPAN; at < end; at += PAGE)
        bytes[at] = 0;
    return AKIN_OK;
}

akin_status akin_bulk_touch(const akin_scope *scope, akin_bulk *bulk, const char *what, akin_error *error)
{
    if (bulk->mapped || bulk->capacity <= SPAN)
        return AKIN_OK;
    akin_status status = akin_parallel(scope, NULL, akin_ceil_div(bulk->capacity, SPAN), touch, bulk);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
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

void akin_bulk_release(const akin_bulk *bulk)
{
    if (bulk->mapped)
        madvise(bulk->data, (size_t)bulk->capacity, MADV_DONTNEED); /* of a shared file: what is in it stays */
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

void akin_bulk_empty(akin_bulk *bulk)
{
    const akin_bulk before = *bulk;
    akin_bulk_clear(bulk);
    *bulk = (akin_bulk){
        .account = before.account, .limit = before.limit, .directory = before.directory, .reason = before.reason};
}

/* ----------------------------------------------------------------------------------------------------------- stores */

akin_status akin_store_begin(akin_store *store, const akin_scope *scope, akin_budget_share share, const char *what,
                             akin_error *error)
{
    if (!scope || !scope->memory)
        return AKIN_OK;
    const char *directory = akin_context_temporary(scope);
    size_t length = strlen(directory) + 1;
    store->directory = akin_alloc(NULL, length, 1);
    if (!store->directory)
        return akin_fail_memory(error, what);
    memcpy(store->directory, directory, length);
    store->account.limit = akin_budget(scope, share);
    return AKIN_OK;
}

void akin_store_clear(akin_store *store)
{
    akin_free(store->directory);
    store->directory = NULL;
}

akin_bulk akin_bulk_in(akin_store *store)
{
    return (akin_bulk){
        .account = &store->account, .limit = UINT64_MAX, .directory = store->directory, .reason = &store->reason};
}

akin_status akin_store_fail(const akin_store *store, akin_status status, const char *what, akin_error *error)
{
    if (status == AKIN_E_IO)
        return akin_temporary_fail(error, atomic_load(&store->reason), store->directory);
    return akin_fail_memory(error, what);
}
