/* Enlarged collections against the definition: copy c replaces each token by the one c places on in frequency order. */
#include "base/context.h"
#include "test_sets_support.h"

static akin_sets *grow(const akin_sets *sets, uint32_t copies, uint32_t threads)
{
    akin_context context = context_of(&context, threads);
    akin_error error;
    akin_sets *grown = NULL;
    if (akin_sets_grow(&context, sets, copies, &grown, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    assert_sets_valid(grown);
    return grown;
}

static void test_example(void **state)
{
    static const uint64_t offsets[] = {0, 2, 4, 5, 5};
    static const uint32_t tokens[] = {1, 20, 20, 3, 20};
    akin_context context = context_of(&context, 1);
    akin_sets *sets = NULL;
    (void)state;
    assert_int_equal(akin_sets_from_arrays(&context, 4, offsets, tokens, &sets, NULL), AKIN_OK);
    akin_sets *grown = grow(sets, 4, 1); /* 1 (once) -> 3 (once) -> 20 (three times) -> 1 */
    assert_sets_text(grown,
                     "1 20\n3 20\n20\n\n"
                     "1 3\n1 20\n1\n\n"
                     "3 20\n1 3\n3\n\n"
                     "1 20\n3 20\n20\n\n");
    akin_sets_free(grown);
    akin_sets_free(sets);
}

typedef struct entry {
    uint32_t count;
    uint32_t token;
} entry;

static int by_frequency(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return x->count != y->count ? (x->count > y->count) - (x->count < y->count)
                                : (x->token > y->token) - (x->token < y->token);
}

static int ascending(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Tokens are below 1000 or multiples of 4000000. */
#define STEP 4000000u

static void check(const akin_sets *sets, uint32_t copies, uint32_t threads)
{
    entry order[2048] = {{0}};
    uint32_t distinct = 0, rows = akin_sets_rows(sets), place[2048] = {0};
    for (uint32_t i = 0; i < 2048; i++)
        order[i].token = i < 1000 ? i : (i - 1000) * STEP;
    for (uint64_t i = 0; i < sets->offsets[rows]; i++)
        order[sets->tokens[i] < 1000 ? sets->tokens[i] : sets->tokens[i] / STEP + 1000].count++;
    for (uint32_t i = 0; i < 2048; i++)
        if (order[i].count > 0)
            order[distinct++] = order[i];
    qsort(order, distinct, sizeof *order, by_frequency);
    for (uint32_t i = 0; i < distinct; i++)
        place[order[i].token < 1000 ? order[i].token : order[i].token / STEP + 1000] = i;
    akin_sets *grown = grow(sets, copies, threads);
    assert_int_equal(akin_sets_rows(grown), rows * copies);
    for (uint32_t copy = 0; copy < copies; copy++)
        for (uint32_t row = 0; row < rows; row++) {
            const uint32_t *from, *to;
            uint32_t size = akin_sets_row(sets, row, &from), expected[64];
            assert_int_equal(akin_sets_row(grown, copy * rows + row, &to), size);
            for (uint32_t i = 0; i < size; i++) {
                uint32_t at = place[from[i] < 1000 ? from[i] : from[i] / STEP + 1000];
                expected[i] = order[(at + copy) % distinct].token;
            }
            qsort(expected, size, sizeof *expected, ascending);
            assert_memory_equal(to, expected, size * sizeof *expected);
        }
    akin_sets_free(grown);
}

static void test_random(void **state)
{
    static const struct {
        uint32_t rows, size_bound;
        uint64_t token_bound;
    } shapes[] = {{0, 1, 1}, {3, 1, 1}, {1, 2, 1}, {20, 10, 15}, {9000, 6, 1000}, {500, 60, 700}};
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        akin_sets *sets = random_sets(i, shapes[i].rows, shapes[i].size_bound, shapes[i].token_bound);
        for (uint32_t copies = 1; copies <= 20; copies = copies * 3 + 1)
            check(sets, copies, copies % 3 + 1);
        akin_sets_free(sets);
    }
}

static void test_sparse_tokens(void **state)
{
    uint64_t offsets[301];
    uint32_t tokens[300 * 20];
    akin_random random;
    akin_context context = context_of(&context, 1);
    akin_sets *sets = NULL;
    (void)state;
    akin_random_seed(&random, 1);
    for (uint32_t i = 0; i <= 300; i++)
        offsets[i] = i * UINT64_C(20);
    for (uint32_t i = 0; i < 300 * 20; i++)
        tokens[i] = (uint32_t)akin_random_below(&random, akin_random_below(&random, 1000) + 1) * STEP;
    assert_int_equal(akin_sets_from_arrays(&context, 300, offsets, tokens, &sets, NULL), AKIN_OK);
    check(sets, 7, 2);
    akin_sets_free(sets);
}

static int say_stop(void *user)
{
    (void)user;
    return 1;
}

static void test_refused(void **state)
{
    akin_context context = context_of(&context, 1);
    akin_error error;
    akin_sets *sets = random_sets(1, 70000, 2, 3), *grown = NULL;
    (void)state;
    assert_int_equal(akin_sets_grow(&context, sets, 0, &grown, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "copies is 0; expected at least 1");
    assert_int_equal(akin_sets_grow(&context, sets, 61357, &grown, &error), AKIN_E_LIMIT);
    assert_string_equal(error.message, "61357 copies of 70000 rows are more than 4294967295 rows");
    context.scope.reporter.cancel = say_stop;
    assert_int_equal(akin_sets_grow(&context, sets, 2, &grown, &error), AKIN_E_CANCELLED);
    assert_null(grown);
    akin_sets_free(sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_sparse_tokens),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
