/* Checked, accounted allocation on top of malloc, calloc and realloc. */
#define _DEFAULT_SOURCE /* madvise */

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

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
 * The system's own malloc and realloc are used, rather than its aligned ones, because realloc grows a large block by
 * remapping its pages: no copy, and no moment in which both copies are held.
 *
 *     raw                        block (aligned)          raw + size + 128
 *     | 0 .. 63 bytes | header   | size bytes  | the rest |
 */
typedef struct header {
    uint64_t size;
    akin_account *account;
    char *raw;
    char unused[ALIGNMENT - sizeof(uint64_t) - 2 * sizeof(void *)];
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
    const char *end = head->raw + size + OVERHEAD;
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
    __asan_unpoison_memory_region(head->raw, head->size + OVERHEAD);
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

static void charge(akin_account *account, uint64_t size)
{
    if (!account)
        return;
    uint64_t held = atomic_fetch_add_explicit(&account->held, size, memory_order_relaxed) + size;
    uint64_t peak = atomic_load_explicit(&account->peak, memory_order_relaxed);
    while (held > peak && !atomic_compare_exchange_weak_explicit(&account->peak, &peak, held, memory_order_relaxed,
                                                                 memory_order_relaxed)) {
    }
}

static void discharge(akin_account *account, uint64_t size)
{
    if (account)
        atomic_fetch_sub_explicit(&account->held, size, memory_order_relaxed);
}

#define LARGE ((size_t)8 << 20)
#define PAGE  ((uintptr_t)2 << 20)

/* Asks for huge pages in a large block: they are cheaper to get, and random access misses fewer translations. */
static void prefer_huge_pages(char *raw, size_t total)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    uintptr_t first = ((uintptr_t)raw + PAGE - 1) & ~(PAGE - 1), end = ((uintptr_t)raw + total) & ~(PAGE - 1);
    if (total >= LARGE && end > first)
        (void)madvise(raw + (first - (uintptr_t)raw), end - first, MADV_HUGEPAGE);
#else
    (void)raw;
    (void)total;
#endif
}

static void *dress(akin_account *account, char *raw, size_t size)
{
    char *block = block_in(raw);
    *(header *)(void *)(block - ALIGNMENT) = (header){.size = size, .account = account, .raw = raw};
    charge(account, size);
    fence(block, size);
    prefer_huge_pages(raw, size + OVERHEAD);
    return block;
}

void *akin_alloc(akin_account *account, uint64_t count, size_t size)
{
    size_t total = gross(count, size);
    char *raw = total ? malloc(total) : NULL;
    return raw ? dress(account, raw, total - OVERHEAD) : NULL;
}

void *akin_alloc_zero(akin_account *account, uint64_t count, size_t size)
{
    /* calloc, because it knows which pages are fresh from the system and need no clearing */
    size_t total = gross(count, size);
    char *raw = total ? calloc(1, total) : NULL;
    return raw ? dress(account, raw, total - OVERHEAD) : NULL;
}

void *akin_resize(akin_account *account, void *block, uint64_t count, size_t size)
{
    if (!block)
        return akin_alloc(account, count, size);
    size_t total = gross(count, size);
    if (!total)
        return NULL;
    header *head = unfence(block);
    header old = *head;
    size_t offset = (size_t)((char *)block - old.raw);
    char *raw = realloc(old.raw, total);
    if (!raw) {
        fence(block, (size_t)old.size);
        return NULL;
    }
    size_t net = total - OVERHEAD;
    char *moved = block_in(raw);
    if (moved != raw + offset) /* the new place is aligned otherwise */
        memmove(moved, raw + offset, net < old.size ? net : (size_t)old.size);
    discharge(old.account, old.size);
    return dress(old.account, raw, net);
}

void akin_free(void *block)
{
    if (!block)
        return;
    header *head = unfence(block);
    discharge(head->account, head->size);
    free(head->raw);
}
