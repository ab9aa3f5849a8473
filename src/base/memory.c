/* Checked, accounted allocation on top of malloc, calloc and realloc, and of whole pages for large blocks. */
#include "base/memory.h"

#include "base/pages.h"

#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONING
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define POISONING
#endif

#ifdef POISONING
#include <sanitizer/asan_interface.h>
#endif

#define ALIGNMENT 64
#define OVERHEAD  128 /* the header, and what aligning it may take */

/*
 * malloc and realloc are used rather than their aligned kin, which cannot grow a block in place; large blocks are
 * mapped, and grow by moving their pages.
 *
 *     raw                        block (aligned)          raw + size + 128
 *     | 0 .. 63 bytes | header   | size bytes  | the rest |
 */
typedef struct header {
    uint64_t size;
    akin_account *account;
    uint64_t offset; /* of the block from raw */
    char unused[ALIGNMENT - 2 * sizeof(uint64_t) - sizeof(void *)];
} header;

_Static_assert(sizeof(header) == ALIGNMENT, "the header keeps the block aligned");

static char *block_in(char *raw)
{
    size_t gap = (0 - (uintptr_t)raw) & (ALIGNMENT - 1);
    return raw + gap + ALIGNMENT;
}

/* Lets the address sanitizer see an access just outside a block, which it would else take for one of the same malloc.
 */
static void fence(const char *block, size_t size)
{
#ifdef POISONING
    const header *head = (const header *)(const void *)(block - ALIGNMENT);
    const char *end = block - head->offset + size + OVERHEAD;
    __asan_poison_memory_region(block + size, (size_t)(end - (block + size)));
    __asan_poison_memory_region(block - ALIGNMENT, ALIGNMENT);
#else
    (void)block;
    (void)size;
#endif
}

static header *unfence(void *block)
{
    header *head = (header *)(void *)((char *)block - ALIGNMENT);
#ifdef POISONING
    __asan_unpoison_memory_region(head, ALIGNMENT);
    __asan_unpoison_memory_region((char *)block - head->offset, head->size + OVERHEAD);
#endif
    return head;
}

/* The bytes to ask the system for, or 0 if they cannot be counted. */
static size_t gross(uint64_t count, size_t size)
{
    if (size != 0 && count > (PTRDIFF_MAX - OVERHEAD) / size)
        return 0;
    return (size_t)count * size + OVERHEAD;
}

static void discharge(akin_account *account, uint64_t size)
{
    if (account)
        atomic_fetch_sub_explicit(&account->held, size, memory_order_relaxed);
}

/* Charges a block that is about to be had; 0 if that is beyond the limit. *held is what is held then. */
static int charge(akin_account *account, uint64_t size, uint64_t *held)
{
    *held = 0;
    if (!account)
        return 1;
    *held = atomic_fetch_add_explicit(&account->held, size, memory_order_relaxed) + size;
    const uint64_t most = account->limit ? account->limit : account->ceiling;
    if (most == 0 || *held <= most)
        return 1;
    atomic_fetch_add_explicit(&account->refused, 1, memory_order_relaxed);
    discharge(account, size);
    return 0;
}

/* The block was had: the account held that much. */
static void raise_peak(akin_account *account, uint64_t held)
{
    uint64_t peak = account ? atomic_load_explicit(&account->peak, memory_order_relaxed) : held;
    while (held > peak && !atomic_compare_exchange_weak_explicit(&account->peak, &peak, held, memory_order_relaxed,
                                                                 memory_order_relaxed)) {
    }
}

int akin_account_reserve(akin_account *account, uint64_t bytes)
{
    uint64_t held;
    return charge(account, bytes, &held);
}

void akin_account_release(akin_account *account, uint64_t bytes)
{
    discharge(account, bytes);
}

#define LARGE ((size_t)8 << 20)

/* Whether a block of `total` bytes is mapped. The address sanitizer knows malloc's blocks better. */
static int is_mapped(size_t total)
{
#ifdef POISONING
    (void)total;
    return 0;
#else
    return akin_pages_are_there && total >= LARGE;
#endif
}

static char *obtain(size_t total)
{
    return is_mapped(total) ? akin_pages_map(total) : malloc(total);
}

static void release_block(char *raw, size_t total)
{
    if (is_mapped(total))
        akin_pages_unmap(raw, total);
    else
        free(raw);
}

/*
 * Resizes a raw block whose content begins at `offset`, and keeps `shared` bytes of it; block_in finds where these end
 * up. Returns NULL when memory is short, and the old block stays.
 */
static char *resize_raw(char *raw, size_t offset, size_t shared, size_t before, size_t total)
{
    char *moved;
    if (is_mapped(before) != is_mapped(total)) {
        moved = obtain(total);
        if (moved) {
            memcpy(block_in(moved), raw + offset, shared);
            release_block(raw, before);
        }
        return moved;
    }
    if (is_mapped(total))
        return akin_pages_remap(raw, before, total);
    moved = realloc(raw, total);
    if (moved && block_in(moved) != moved + offset) /* the new place is aligned otherwise */
        memmove(block_in(moved), moved + offset, shared);
    return moved;
}

static void *dress(akin_account *account, char *raw, size_t size)
{
    char *block = block_in(raw);
    *(header *)(void *)(block - ALIGNMENT) =
        (header){.size = size, .account = account, .offset = (uint64_t)(block - raw)};
    fence(block, size);
    return block;
}

/* Allocates by malloc's kin, or as mapped pages. */
static void *allocate(akin_account *account, uint64_t count, size_t size, int zero)
{
    size_t total = gross(count, size);
    uint64_t held;
    if (!total || !charge(account, total - OVERHEAD, &held))
        return NULL;
    /* calloc, because it knows which pages are fresh from the system and need no clearing; mapped ones all are */
    char *raw = zero && !is_mapped(total) ? calloc(1, total) : obtain(total);
    if (!raw) {
        discharge(account, total - OVERHEAD);
        return NULL;
    }
    raise_peak(account, held);
    return dress(account, raw, total - OVERHEAD);
}

void *akin_alloc(akin_account *account, uint64_t count, size_t size)
{
    return allocate(account, count, size, 0);
}

void *akin_alloc_zero(akin_account *account, uint64_t count, size_t size)
{
    return allocate(account, count, size, 1);
}

void *akin_resize(akin_account *account, void *block, uint64_t count, size_t size)
{
    if (!block)
        return akin_alloc(account, count, size);
    size_t total = gross(count, size);
    if (!total)
        return NULL;
    header old = *unfence(block);
    size_t net = total - OVERHEAD, shared = net < old.size ? net : (size_t)old.size;
    size_t offset = (size_t)old.offset, more = net - shared;
    uint64_t held;
    if (!charge(old.account, more, &held)) {
        fence(block, (size_t)old.size);
        return NULL;
    }
    char *raw = resize_raw((char *)block - offset, offset, shared, (size_t)old.size + OVERHEAD, total);
    if (!raw) {
        discharge(old.account, more);
        fence(block, (size_t)old.size);
        return NULL;
    }
    discharge(old.account, old.size - shared);
    raise_peak(old.account, held);
    return dress(old.account, raw, net);
}

void akin_free(void *block)
{
    if (!block)
        return;
    header *head = unfence(block);
    discharge(head->account, head->size);
    release_block((char *)block - head->offset, (size_t)head->size + OVERHEAD);
}
