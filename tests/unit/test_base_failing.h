/* Allocations that fail on request: the linker puts the functions here in the place of the C library's (--wrap). */
#ifndef AKIN_TEST_BASE_FAILING_H
#define AKIN_TEST_BASE_FAILING_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "unit/test_failing_step.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
int __real_posix_memalign(void **block, size_t alignment, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

static atomic_int armed;          /* allocations fail as set by what follows, whatever thread asks for them */
static _Atomic int64_t countdown; /* allocations that succeed before; below 0: one has failed */
static int only_once;
static _Atomic unsigned failed;

static int fails(void)
{
    if (!armed)
        return 0;
    const int64_t left = countdown--;
    if (left > 0 || (left < 0 && only_once))
        return 0;
    failed++;
    return 1;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return fails() ? NULL : __real_realloc(block, size);
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
    return fails() ? 12 : __real_posix_memalign(block, alignment, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __real_aligned_alloc(alignment, size);
}

/* From here on the allocation behind `n` others fails, alone or with all that follow, until `armed` is 0 again. */
static inline void begin_failing(unsigned n, int alone)
{
    countdown = n;
    failed = 0;
    only_once = alone;
    armed = 1;
}

#endif
