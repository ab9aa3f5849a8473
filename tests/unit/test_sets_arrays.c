/* Collections made from arrays, and their statistics, against plain counts. */
#include "test_sets_support.h"

/* ----------------------------------------------------------------------------------------------------------- making */

static akin_sets *make(uint32_t rows, const uint64_t *offsets, const uint32_t *tokens)
{
    akin_context context = context_of(&context, 1);
    akin_error error;
    akin_sets *sets = NULL;
    assert_int_equal(akin_sets_from_arrays(&context, rows, offsets, tokens, &sets, &error), AKIN_OK);
    assert_sets_valid(sets);
    return sets;
}

static void test_from_arrays(void **state)
{
    static const uint64_t offsets[] = {0, 3, 3, 7, 8};
    static const uint32_t tokens[] = {3, 1, 2, 9, 9, 0, 9, UINT32_MAX};
    (void)state;
    akin_sets *sets = make(4, offsets, tokens);
    assert_sets_text(sets, "1 2 3\n\n0 9\n4294967295\n");
    assert_int_equal(akin_sets_rows(sets), 4);
    const uint32_t *row;
    assert_int_equal(akin_sets_row(sets, 2, &row), 2);
    assert_int_equal(row[1], 9);
    assert_int_equal(akin_sets_row(sets, 1, NULL), 0);
    akin_sets_free(sets);
}

/* A part of larger arrays: the first offset is not 0. */
static void test_from_a_part(void **state)
{
    static const uint64_t offsets[] = {2, 4, 5};
    static const uint32_t tokens[] = {100, 101, 6, 5, 7, 102};
    (void)state;
    akin_sets *sets = make(2, offsets, tokens);
    assert_sets_text(sets, "5 6\n7\n");
    akin_sets_free(sets);
}

static void test_from_nothing(void **state)
{
    static const uint64_t offsets[] = {0, 0, 0};
    (void)state;
    akin_sets *sets = make(0, NULL, NULL);
    assert_sets_text(sets, "");
    akin_sets_free(sets);
    sets = make(2, offsets, NULL);
    assert_sets_text(sets, "\n\n");
    akin_sets_free(sets);
    akin_sets_free(NULL);
}

static void test_falling_offsets(void **state)
{
    static const uint64_t offsets[] = {0, 2, 1, 2};
    static const uint32_t tokens[] = {1, 2};
    akin_context context = context_of(&context, 1);
    akin_error error;
    akin_sets *sets = NULL;
    (void)state;
    assert_int_equal(akin_sets_from_arrays(&context, 3, offsets, tokens, &sets, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "row 1: its offset 2 is above the next one, 1");
    assert_null(sets);
    assert_int_equal(akin_sets_from_arrays(&context, 3, offsets, tokens, &sets, NULL), AKIN_E_OPTION);
}

static int ascending(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void test_arranging(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 1);
    for (size_t count = 0; count < 300; count++) {
        uint32_t tokens[300], sorted[300];
        size_t kept = 0;
        uint64_t falls = 0;
        for (size_t i = 0; i < count; i++) {
            tokens[i] = (uint32_t)akin_random_below(&random, count % 3 ? 200 : UINT64_C(1) << 32);
            falls += i > 0 && tokens[i] <= tokens[i - 1];
        }
        assert_int_equal(akin_tokens_falls(tokens, count), falls);
        memcpy(sorted, tokens, sizeof sorted);
        qsort(sorted, count, sizeof *sorted, ascending);
        for (size_t i = 0; i < count; i++)
            if (kept == 0 || sorted[i] != sorted[kept - 1])
                sorted[kept++] = sorted[i];
        assert_int_equal(akin_tokens_arrange(tokens, count), kept);
        assert_memory_equal(tokens, sorted, kept * sizeof *sorted);
        assert_int_equal(akin_tokens_falls(tokens, kept), 0);
        assert_int_equal(akin_tokens_arrange(tokens, kept), kept);
        assert_memory_equal(tokens, sorted, kept * sizeof *sorted);
    }
}

/* --------------------------------------------------------------------------------------------------------- counting */

static uint32_t *all_tokens(const akin_sets *sets, uint64_t *count)
{
    *count = sets->offsets[sets->rows];
    uint32_t *tokens = malloc((*count + 1) * sizeof *tokens);
    assert_non_null(tokens);
    if (*count > 0) {
        memcpy(tokens, sets->tokens, *count * sizeof *tokens);
        qsort(tokens, *count, sizeof *tokens, ascending);
    }
    return tokens;
}

static void check_statistics(const akin_sets *sets)
{
    akin_context context = context_of(&context, 1);
    akin_error error;
    akin_sets_statistics own = {.size = sizeof own};
    uint64_t total, distinct = 0;
    uint32_t *tokens = all_tokens(sets, &total);
    uint32_t *sizes = malloc(((size_t)sets->rows + 1) * sizeof *sizes), filled = 0;
    assert_non_null(sizes);
    for (uint32_t row = 0; row < sets->rows; row++)
        if (akin_sets_row(sets, row, NULL) > 0)
            sizes[filled++] = akin_sets_row(sets, row, NULL);
    qsort(sizes, filled, sizeof *sizes, ascending);
    assert_int_equal(akin_sets_describe(&context, sets, &own, &error), AKIN_OK);
    for (uint64_t i = 0; i < total; i++)
        distinct += i == 0 || tokens[i] != tokens[i - 1];
    assert_int_equal(own.size, sizeof own);
    assert_int_equal(own.rows, sets->rows);
    assert_int_equal(own.empty, sets->rows - filled);
    assert_int_equal(own.tokens, sets->offsets[sets->rows]);
    assert_int_equal(own.universe, distinct);
    assert_int_equal(own.smallest, filled ? sizes[0] : 0);
    assert_int_equal(own.median, filled ? sizes[(filled - 1) / 2] : 0);
    assert_int_equal(own.largest, filled ? sizes[filled - 1] : 0);
    free(sizes);
    free(tokens);
}

static void test_counting(void **state)
{
    static const struct {
        uint32_t rows, size_bound;
        uint64_t token_bound;
    } shapes[] = {
        {0, 1, 1},
        {5, 1, 1},
        {1, 2, 1},
        {100, 20, 30},
        {300, 9, 100000},
        {100, 20, UINT64_C(1) << 32},
        {30000, 10, UINT64_C(1) << 32}, /* sparse and more than the first room for slots */
        {40000, 12, 5000},              /* dense */
        {4, 150000, UINT64_C(1) << 32}, /* sizes beyond 16 bits */
    };
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        akin_sets *sets = random_sets(i, shapes[i].rows, shapes[i].size_bound, shapes[i].token_bound);
        check_statistics(sets);
        akin_sets_free(sets);
    }
}

/* Few tokens far apart that are repeated often. */
static void test_sparse_repetitions(void **state)
{
    uint64_t offsets[20001];
    uint32_t *tokens = malloc(20000 * 10 * sizeof *tokens);
    assert_non_null(tokens);
    (void)state;
    for (uint32_t row = 0; row < 20000; row++) {
        offsets[row] = row * UINT64_C(10);
        for (uint32_t i = 0; i < 10; i++)
            tokens[row * 10 + i] = (i + row % 7) * 200000000u;
    }
    offsets[20000] = 200000;
    akin_sets *sets = make(20000, offsets, tokens);
    check_statistics(sets);
    akin_sets_free(sets);
    free(tokens);
}

/* Sizes that differ in their lower and in their upper 16 bits, and an even number of them: the lower one of two is the
 * median. */
static void test_median(void **state)
{
    static const uint32_t sizes[] = {65543, 5, 131073, 0, 65541, 65545, 65536};
    uint64_t offsets[8] = {0};
    uint32_t *tokens = malloc(400000 * sizeof *tokens);
    akin_context context = context_of(&context, 1);
    akin_sets_statistics own = {.size = sizeof own};
    (void)state;
    assert_non_null(tokens);
    for (uint32_t row = 0; row < 7; row++) {
        offsets[row + 1] = offsets[row] + sizes[row];
        for (uint32_t i = 0; i < sizes[row]; i++)
            tokens[offsets[row] + i] = i;
    }
    akin_sets *sets = make(7, offsets, tokens);
    assert_int_equal(akin_sets_describe(&context, sets, &own, NULL), AKIN_OK);
    assert_int_equal(own.median, 65541);
    assert_int_equal(own.empty, 1);
    assert_int_equal(own.universe, 131073);
    check_statistics(sets);
    akin_sets_free(sets);
    free(tokens);
}

static void test_statistics_size(void **state)
{
    akin_context context = context_of(&context, 1);
    akin_error error;
    akin_sets *sets = random_sets(3, 10, 5, 9);
    akin_sets_statistics own;
    (void)state;
    memset(&own, 0x5a, sizeof own);
    own.size = 0;
    assert_int_equal(akin_sets_describe(&context, sets, &own, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "akin_sets_statistics"));
    own.size = offsetof(akin_sets_statistics, universe);
    assert_int_equal(akin_sets_describe(&context, sets, &own, &error), AKIN_OK);
    assert_int_equal(own.rows, 10);
    assert_int_equal(own.tokens, sets->offsets[10]);
    assert_int_equal(own.universe, 0x5a5a5a5a5a5a5a5a); /* beyond the size: not written */
    akin_sets_free(sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_from_arrays),        cmocka_unit_test(test_from_a_part),
        cmocka_unit_test(test_from_nothing),       cmocka_unit_test(test_falling_offsets),
        cmocka_unit_test(test_arranging),          cmocka_unit_test(test_counting),
        cmocka_unit_test(test_sparse_repetitions), cmocka_unit_test(test_median),
        cmocka_unit_test(test_statistics_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
