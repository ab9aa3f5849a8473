/*
 * How much heap the library holds, and held at most: the linker puts functions that count in the place of the C
 * library's and of those that map pages (--wrap). For one file of a test, whose main part it is.
 */
#ifndef AKIN_TEST_BASE_HEAP_H
#define AKIN_TEST_BASE_HEAP_H

#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__real_akin_pages_map(size_t size);
void *__real_akin_pages_remap(void *pages, size_t old, size_t size);
void __real_akin_pages_unmap(void *pages, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);
void *__wrap_akin_pages_map(size_t size);
void *__wrap_akin_pages_remap(void *pages, size_t old, size_t size);
void __wrap_akin_pages_unmap(void *pages, size_t size);

static _Atomic int64_t held, peak;

static inline void count(int64_t bytes)
{
    int64_t now = atomic_fetch_add(&held, bytes) + bytes, most = atomic_load(&peak);
    while (now > most && !atomic_compare_exchange_weak(&peak, &most, now)) {
    }
}

static inline int64_t size_of(void *block)
{
    return block ? (int64_t)malloc_usable_size(block) : 0;
}

void *__wrap_malloc(size_t size)
{
    void *block = __real_malloc(size);
    count(size_of(block));
    return block;
}

void *__wrap_calloc(size_t number, size_t size)
{
    void *block = __real_calloc(number, size);
    count(size_of(block));
    return block;
}

void *__wrap_realloc(void *block, size_t size)
{
    int64_t before = size_of(block);
    void *moved = __real_realloc(block, size);
    if (moved)
        count(size_of(moved) - before);
    return moved;
}

void __wrap_free(void *block)
{
    count(-size_of(block));
    __real_free(block);
}

void *__wrap_akin_pages_map(size_t size)
{
    void *pages = __real_akin_pages_map(size);
    if (pages)
        count((int64_t)size);
    return pages;
}

void *__wrap_akin_pages_remap(void *pages, size_t old, size_t size)
{
    void *moved = __real_akin_pages_remap(pages, old, size);
    if (moved)
        count((int64_t)size - (int64_t)old);
    return moved;
}

void __wrap_akin_pages_unmap(void *pages, size_t size)
{
    count(-(int64_t)size);
    __real_akin_pages_unmap(pages, size);
}

#endif
