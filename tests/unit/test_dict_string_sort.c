/* Tests of the sort of strings, against qsort. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/bits.h"
#include "base/random.h"
#include "dict/string_sort.h"

#include <stdlib.h>
#include <string.h>

#define ROWS 3000
#define LONG 200 /* bytes of a string, at most */

static akin_column column;

static int compare_rows(const void *a, const void *b)
{
    const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    const uint64_t *offsets = column.offsets;
    const uint64_t left = offsets[i + 1] - offsets[i], right = offsets[j + 1] - offsets[j];
    const int order = memcmp(column.bytes + offsets[i], column.bytes + offsets[j], (size_t)akin_min_u64(left, right));
    if (order != 0 || left != right)
        return order != 0 ? order : left < right ? -1 : 1;
    return i < j ? -1 : 1;
}

static int refuse(void *user)
{
    ++*(int *)user;
    return 1;
}

static int accept(void *user)
{
    ++*(int *)user;
    return 0;
}

/* Sorts rows without repetitions. */
static akin_status sort(akin_context *context, uint32_t *rows, uint32_t count, akin_error *error)
{
    atomic_int cancelled = 0;
    akin_cancellation asking = {akin_scope_of(context), &cancelled, 0, 0};
    akin_store store = {0};
    assert_int_equal(akin_store_begin(&store, akin_scope_of(context), 1, "a test", error), AKIN_OK);
    akin_status status = akin_strings_sort(&column, rows, count, &store, &asking, "a test", error);
    akin_store_clear(&store);
    return status;
}

/* Strings of few different bytes, NUL among them, that often begin as others do: with `shared` bytes that all have. */
static void check(uint32_t shared, uint32_t most, uint32_t kinds, akin_random *random)
{
    static uint64_t offsets[ROWS + 1];
    static char bytes[ROWS * LONG];
    uint32_t rows[ROWS], expected[ROWS], count = 0;
    int calls = 0;
    akin_context context = {
        .scope = {.context = &context, .threads = 1, .reporter = {.cancel = accept, .user = &calls}}};
    akin_error error;
    for (uint32_t row = 0; row < ROWS; row++) {
        const uint64_t length = akin_random_below(random, most + 1);
        memset(bytes + offsets[row], 'p', shared);
        for (uint64_t i = 0; i < length; i++)
            bytes[offsets[row] + shared + i] = "\0a\xffzq"[akin_random_below(random, kinds)];
        offsets[row + 1] = offsets[row] + shared + length;
        if (akin_random_below(random, 10) > 0)
            rows[count++] = row;
    }
    column = (akin_column){.size = sizeof column, .offsets = offsets, .bytes = bytes};
    memcpy(expected, rows, sizeof rows);
    qsort(expected, count, sizeof *expected, compare_rows);
    assert_int_equal(sort(&context, rows, count, &error), AKIN_OK);
    assert_memory_equal(rows, expected, count * sizeof *rows);
    assert_true(calls > 0);
}

static void as_qsort_does(void **state)
{
    static const uint32_t shared[] = {0, 1, 10, 11, 12, 21, 22, 23, 100};
    akin_random random;
    (void)state;
    akin_random_seed(&random, 21);
    for (size_t s = 0; s < sizeof shared / sizeof *shared; s++)
        for (uint32_t kinds = 1; kinds <= 5; kinds += 2)
            for (uint32_t most = 0; most <= 40; most += most < 12 ? 3 : 14)
                check(shared[s], most, kinds, &random);
}

static void none_and_one(void **state)
{
    static const uint64_t offsets[] = {0, 0};
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    uint32_t row = 0;
    (void)state;
    column = (akin_column){.size = sizeof column, .offsets = offsets, .bytes = NULL};
    assert_int_equal(sort(&context, NULL, 0, NULL), AKIN_OK);
    assert_int_equal(sort(&context, &row, 1, NULL), AKIN_OK);
    assert_int_equal(row, 0);
}

static void stops(void **state)
{
    static const uint64_t offsets[] = {0, 1, 2};
    int calls = 0;
    akin_context context = {
        .scope = {.context = &context, .threads = 1, .reporter = {.cancel = refuse, .user = &calls}}};
    akin_error error;
    uint32_t rows[] = {0, 1};
    (void)state;
    column = (akin_column){.size = sizeof column, .offsets = offsets, .bytes = "ba"};
    assert_int_equal(sort(&context, rows, 2, &error), AKIN_E_CANCELLED);
    assert_int_equal(error.code, AKIN_E_CANCELLED);
    assert_int_equal(calls, 1);
    assert_true(rows[0] == 0 && rows[1] == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_qsort_does),
        cmocka_unit_test(none_and_one),
        cmocka_unit_test(stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
