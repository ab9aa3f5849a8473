/* Tests of checked and accounted allocation. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"

#include <string.h>

/* The sanitizers' allocators end the process for a size that is too large, unless this option makes them answer as
 * malloc does. */
const char *__asan_default_options(void);
const char *__tsan_default_options(void);

const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

const char *__tsan_default_options(void)
{
    return "allocator_may_return_null=1";
}

#define HUGE_BYTES ((uint64_t)PTRDIFF_MAX - 4096) /* countable, but more than any machine has */

static void blocks_are_aligned(void **state)
{
    (void)state;
    enum { blocks = 300 };
    unsigned char *block[blocks];
    for (size_t i = 0; i < blocks; i++) {
        block[i] = i % 2 ? akin_alloc_zero(NULL, i, 3) : akin_alloc(NULL, i, 3);
        assert_non_null(block[i]);
        assert_int_equal((uintptr_t)block[i] % 64, 0);
        for (size_t j = 0; j < 3 * i && i % 2; j++)
            assert_int_equal(block[i][j], 0);
        memset(block[i], (int)i, 3 * i);
    }
    for (size_t i = 0; i < blocks; i++) {
        for (size_t j = 0; j < 3 * i; j++)
            assert_int_equal(block[i][j], i & 255);
        akin_free(block[i]);
    }
    akin_free(NULL);
}

static void cleared_also_when_memory_is_used_again(void **state)
{
    (void)state;
    for (size_t size = 1; size < 1 << 20; size *= 3) {
        unsigned char *block = akin_alloc(NULL, size, 1);
        assert_non_null(block);
        memset(block, 0xff, size);
        akin_free(block);
        block = akin_alloc_zero(NULL, 1, size);
        assert_non_null(block);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(block[i], 0);
        akin_free(block);
    }
}

static void nothing_is_a_valid_size(void **state)
{
    (void)state;
    akin_account account = {0};
    void *a = akin_alloc(&account, 0, 8), *b = akin_alloc_zero(&account, 8, 0),
         *c = akin_alloc(&account, UINT64_MAX, 0);
    assert_true(a && b && c && a != b && b != c);
    assert_int_equal(account.peak, 0);
    b = akin_resize(&account, b, 0, 0);
    assert_non_null(b);
    akin_free(a);
    akin_free(b);
    akin_free(c);
}

static void overflow_is_refused(void **state)
{
    (void)state;
    static const struct {
        uint64_t count;
        size_t size;
    } cases[] = {
        {UINT64_MAX, 1},         {UINT64_MAX, 2},
        {UINT64_MAX / 2 + 1, 2}, {1, SIZE_MAX},
        {SIZE_MAX, SIZE_MAX},    {(uint64_t)1 << 62, 4},
        {(uint64_t)1 << 61, 8},  {((uint64_t)1 << 61) + 1, 8},
        {1, PTRDIFF_MAX},        {PTRDIFF_MAX / 64 + 1, 64},
        {HUGE_BYTES, 1},
    };
    akin_account account = {0};
    char *block = akin_alloc(&account, 100, 1);
    assert_non_null(block);
    memset(block, 'x', 100);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(akin_alloc(&account, cases[i].count, cases[i].size));
        assert_null(akin_alloc_zero(&account, cases[i].count, cases[i].size));
        assert_null(akin_resize(&account, NULL, cases[i].count, cases[i].size));
        assert_null(akin_resize(&account, block, cases[i].count, cases[i].size));
        for (size_t j = 0; j < 100; j++)
            assert_int_equal(block[j], 'x');
        assert_int_equal(account.held, 100);
        assert_int_equal(account.peak, 100);
    }
    akin_free(block);
    assert_int_equal(account.held, 0);
}

static void account_holds_sum_and_peak(void **state)
{
    (void)state;
    akin_account account = {0};
    void *a = akin_alloc(&account, 10, 100), *b = akin_alloc_zero(&account, 500, 1);
    assert_int_equal(account.held, 1500);
    akin_free(a);
    assert_int_equal(account.held, 500);
    assert_int_equal(account.peak, 1500);
    b = akin_resize(NULL, b, 100, 20); /* stays in its account */
    assert_int_equal(account.held, 2000);
    assert_int_equal(account.peak, 2000);
    b = akin_resize(&account, b, 30, 1);
    assert_int_equal(account.held, 30);
    void *c = akin_resize(&account, NULL, 7, 1);
    assert_int_equal(account.held, 37);
    assert_int_equal(account.peak, 2000);
    akin_free(b);
    akin_free(c);
    assert_int_equal(account.held, 0);
}

static void account_with_a_limit(void **state)
{
    (void)state;
    akin_account account = {.limit = 1000};
    char *a = akin_alloc(&account, 600, 1);
    assert_non_null(a);
    memset(a, 'x', 600);
    assert_null(akin_alloc(&account, 401, 1));
    assert_null(akin_alloc_zero(&account, 401, 1));
    assert_null(akin_resize(&account, a, 1001, 1));
    assert_int_equal(account.refused, 3);
    assert_true(account.held == 600 && account.peak == 600);
    char *b = akin_alloc(&account, 400, 1);
    assert_non_null(b);
    b = akin_resize(&account, b, 300, 1);
    a = akin_resize(&account, a, 700, 1); /* what it holds already counts once */
    assert_true(a && b && account.held == 1000 && account.peak == 1000);
    for (size_t i = 0; i < 600; i++)
        assert_int_equal(a[i], 'x');
    akin_free(a);
    akin_free(b);
    assert_true(account.held == 0 && account.refused == 3);
}

static void resizing_keeps_the_content(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 3);
    uint32_t *block = NULL;
    size_t count = 0;
    void *others[400];
    for (size_t round = 0; round < 400; round++) {
        size_t before = count;
        count = (size_t)akin_random_below(&random, round % 50 == 49 ? 300000 : 600);
        block = akin_resize(NULL, block, count, sizeof *block);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % 64, 0);
        for (size_t i = 0; i < before && i < count; i++)
            assert_int_equal(block[i], i * 2654435761u & UINT32_MAX);
        for (size_t i = before; i < count; i++)
            block[i] = (uint32_t)(i * 2654435761u);
        others[round] = akin_alloc(NULL, akin_random_below(&random, 500), 1); /* so that places differ */
        assert_non_null(others[round]);
    }
    akin_free(block);
    for (size_t round = 0; round < 400; round++)
        akin_free(others[round]);
}

/* Sizes, in bytes, on both sides of where blocks come in pages (8 MB), growing and shrinking between all of them. */
static void large_blocks_keep_the_content(void **state)
{
    (void)state;
    static const size_t sizes[] = {1000,     8388480,  8388481, 8388608,  10485600, 10485632,
                                   10485760, 31 << 20, 8388481, 12 << 20, 5,        40 << 20};
    akin_account account = {0};
    uint32_t *block = NULL;
    size_t count = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t before = count;
        count = sizes[i] / sizeof *block;
        block = akin_resize(&account, block, count, sizeof *block);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % 64, 0);
        assert_int_equal(account.held, count * sizeof *block);
        size_t wrong = 0;
        for (size_t k = 0; k < before && k < count; k++)
            wrong += block[k] != (uint32_t)(k * 2654435761u);
        assert_int_equal(wrong, 0);
        for (size_t k = before; k < count; k++)
            block[k] = (uint32_t)(k * 2654435761u);
    }
    akin_free(block);
    assert_int_equal(account.held, 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *cleared = akin_alloc_zero(&account, sizes[i], 1), any = 0;
        assert_non_null(cleared);
        for (size_t k = 0; k < sizes[i]; k++)
            any |= cleared[k];
        assert_int_equal(any, 0);
        memset(cleared, 'x', sizes[i]);
        akin_free(cleared);
    }
}

static akin_status allocate_some(void *argument, uint64_t task, uint32_t thread)
{
    (void)thread;
    void *a = akin_alloc(argument, task + 1, 10), *b = akin_alloc_zero(argument, 100, 1);
    akin_status status = a && b ? AKIN_OK : AKIN_E_NOMEM;
    akin_free(a);
    akin_free(b);
    return status;
}

static void account_is_shared_by_threads(void **state)
{
    (void)state;
    akin_account account = {0};
    akin_context context = {.scope = {.context = &context, .threads = 4}};
    assert_int_equal(akin_parallel(akin_scope_of(&context), NULL, 1000, allocate_some, &account), AKIN_OK);
    assert_int_equal(account.held, 0);
    assert_in_range(account.peak, 10000 + 100, 4 * (10000 + 100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_aligned),           cmocka_unit_test(cleared_also_when_memory_is_used_again),
        cmocka_unit_test(nothing_is_a_valid_size),      cmocka_unit_test(overflow_is_refused),
        cmocka_unit_test(account_holds_sum_and_peak),   cmocka_unit_test(account_with_a_limit),
        cmocka_unit_test(resizing_keeps_the_content),   cmocka_unit_test(large_blocks_keep_the_content),
        cmocka_unit_test(account_is_shared_by_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
