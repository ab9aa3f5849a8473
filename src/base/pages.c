/*
 * Large blocks straight from the system, in huge pages where it has them: they are cheaper to get, and random access
 * misses fewer translations. malloc's own large blocks cannot have both huge pages and cheap growing: advice for the
 * aligned part of a mapping splits it, and a split mapping cannot be moved.
 *
 * A mapping is a whole number of huge pages, and what is touched of it becomes resident in such steps.
 *
 *     | trimmed | huge page | huge page | ...  | trimmed |       one mapping, aligned and advised as a whole
 */
#define _GNU_SOURCE /* mremap */

#include "base/pages.h"

#if defined(__linux__)

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE ((size_t)2 << 20)

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

const int akin_pages_are_there = 1;

static size_t whole(size_t size)
{
    return size > SIZE_MAX - 2 * PAGE ? 0 : (size + PAGE - 1) & ~(PAGE - 1);
}

/* Maps `size` bytes (a multiple of PAGE) at an address that is one, too. */
static char *map_aligned(size_t size, int protection)
{
    char *start = mmap(NULL, size + PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    size_t before = (0 - (uintptr_t)start) & (PAGE - 1);
    if (before)
        munmap(start, before);
    munmap(start + before + size, PAGE - before);
    return start + before;
}

void *akin_pages_map(size_t size)
{
    size = whole(size);
    char *pages = size ? map_aligned(size, PROT_READ | PROT_WRITE) : NULL;
#ifdef MADV_HUGEPAGE
    if (pages)
        (void)madvise(pages, size, MADV_HUGEPAGE);
#endif
    return pages;
}

#if defined(__SANITIZE_THREAD__)

/* ThreadSanitizer does not see mremap. It would compare accesses with those to what stood at the same place before. */
static char *grow_pages(char *pages, size_t old, size_t size)
{
    char *place = map_aligned(size, PROT_READ | PROT_WRITE);
    if (place) {
        memcpy(place, pages, old);
        munmap(pages, old);
    }
    return place;
}

#else

static char *grow_pages(char *pages, size_t old, size_t size)
{
    if (mremap(pages, old, size, 0) != MAP_FAILED)
        return pages;
    char *place = map_aligned(size, PROT_NONE);
    if (!place)
        return NULL;
    if (mremap(pages, old, size, MREMAP_MAYMOVE | MREMAP_FIXED, place) != MAP_FAILED)
        return place;
    /* Older kernels have given the place free by now, and it may be another thread's: it is unmapped if it can be had
     * again. */
    char *again = mmap(place, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (again == place)
        munmap(place, size);
    else if (again != MAP_FAILED)
        munmap(again, size);
    return NULL;
}

#endif

void *akin_pages_remap(void *pages, size_t old, size_t size)
{
    old = whole(old);
    size = whole(size);
    if (size == 0 || size == old)
        return size ? pages : NULL;
    if (size > old)
        return grow_pages(pages, old, size);
    munmap((char *)pages + size, old - size);
    return pages;
}

void akin_pages_scatter(void *block, size_t size)
{
#ifdef MADV_NOHUGEPAGE
    const size_t small = (size_t)sysconf(_SC_PAGESIZE); /* 4 KiB; on ARM up to 64 KiB */
    const size_t before = (0 - (uintptr_t)block) & (small - 1);
    if (size >= PAGE)
        (void)madvise((char *)block + before, (size - before) & ~(small - 1), MADV_NOHUGEPAGE);
#else
    (void)block;
    (void)size;
#endif
}

void akin_pages_unmap(void *pages, size_t size)
{
    munmap(pages, whole(size));
}

#else

const int akin_pages_are_there = 0;

void *akin_pages_map(size_t size)
{
    (void)size;
    return NULL;
}

void *akin_pages_remap(void *pages, size_t old, size_t size)
{
    (void)pages;
    (void)old;
    (void)size;
    return NULL;
}

void akin_pages_scatter(void *block, size_t size)
{
    (void)block;
    (void)size;
}

void akin_pages_unmap(void *pages, size_t size)
{
    (void)pages;
    (void)size;
}

#endif
