/* Large blocks when the system refuses: nothing is lost, nothing is unmapped that is not ours. */
#define _GNU_SOURCE /* mremap */

#include "base/memory.h"
#include "base/pages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

/* The linker puts these in the place of the C library's. */
void *__real_mmap(void *start, size_t length, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap(void *start, size_t length, int protection, int flags, int fd, off_t offset);
int __real_munmap(void *start, size_t length);
int __wrap_munmap(void *start, size_t length);
void *__wrap_mremap(void *start, size_t before, size_t length, int flags, ...);
void *__real_mremap(void *start, size_t before, size_t length, int flags, ...);

static int maps_left, moves_left; /* calls that still succeed */
static long long mapped;          /* bytes mapped and not unmapped */
static int taken;                 /* somebody maps the place that a move gave free */

void *__wrap_mmap(void *start, size_t length, int protection, int flags, int fd, off_t offset)
{
    if (maps_left-- <= 0)
        return MAP_FAILED;
    void *place = __real_mmap(start, length, protection, flags, fd, offset);
    mapped += place == MAP_FAILED ? 0 : (long long)length;
    return place;
}

int __wrap_munmap(void *start, size_t length)
{
    mapped -= (long long)length;
    return __real_munmap(start, length);
}

/* Growing in place is refused, so that blocks move. A move that fails has given its place free, as older kernels do. */
void *__wrap_mremap(void *start, size_t before, size_t length, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    void *place = flags & MREMAP_FIXED ? va_arg(arguments, void *) : NULL;
    va_end(arguments);
    if (!(flags & MREMAP_FIXED))
        return MAP_FAILED;
    if (moves_left-- > 0) {
        mapped -= (long long)before; /* what the place had is replaced */
        return __real_mremap(start, before, length, flags, place);
    }
    __wrap_munmap(place, length);
    if (taken)
        assert_ptr_equal(__real_mmap(place, length, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0),
                         place);
    if (taken)
        memset(place, 't', 1);
    return MAP_FAILED;
}

#define MB ((size_t)1 << 20)

static void allow(int maps, int moves)
{
    maps_left = maps;
    moves_left = moves;
}

static void fill(char *block, size_t length)
{
    for (size_t i = 0; i < length; i += 1000)
        block[i] = (char)(i / 1000);
}

static void check(const char *block, size_t length)
{
    for (size_t i = 0; i < length; i += 1000)
        assert_int_equal(block[i], (char)(i / 1000));
}

static void moved_and_refused(void **state)
{
    (void)state;
    akin_account account = {0};
    allow(1000, 1000);
    char *block = akin_alloc(&account, 9 * MB, 1);
    assert_non_null(block);
    fill(block, 9 * MB);
    for (int maps = 0; maps < 2; maps++) { /* no place to move to; a place, but no move */
        allow(maps, 0);
        assert_null(akin_resize(&account, block, 20 * MB, 1));
        check(block, 9 * MB);
        assert_int_equal(account.held, 9 * MB);
    }
    allow(1000, 1);
    block = akin_resize(&account, block, 20 * MB, 1);
    assert_non_null(block);
    check(block, 9 * MB);
    allow(0, 0); /* making it smaller needs nothing */
    block = akin_resize(&account, block, 10 * MB, 1);
    assert_non_null(block);
    check(block, 9 * MB);
    akin_free(block);
    assert_int_equal(account.held, 0);
    assert_true(mapped == 0);
}

static void refused_from_the_start(void **state)
{
    (void)state;
    akin_account account = {0};
    char *small = akin_alloc(&account, MB, 1);
    assert_non_null(small);
    fill(small, MB);
    allow(0, 0);
    assert_null(akin_alloc(&account, 9 * MB, 1));
    assert_null(akin_alloc_zero(&account, 9 * MB, 1));
    assert_null(akin_resize(&account, small, 9 * MB, 1));
    check(small, MB);
    assert_int_equal(account.held, MB);
    assert_true(mapped == 0);
    akin_free(small);
}

/* Between a move that fails and the clean-up after it another thread may map the same place. */
static void the_place_of_another_stays(void **state)
{
    (void)state;
    allow(1000, 0);
    char *pages = akin_pages_map(2 * MB);
    assert_non_null(pages);
    taken = 1;
    assert_null(akin_pages_remap(pages, 2 * MB, 4 * MB));
    taken = 0;
    akin_pages_unmap(pages, 2 * MB);
    assert_true(mapped == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moved_and_refused),
        cmocka_unit_test(refused_from_the_start),
        cmocka_unit_test(the_place_of_another_stays),
    };
    return akin_pages_are_there ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
