/* Several columns as one: by hand, and random ones against an oracle that joins the values of a row. */
#include "test_text_columns.h"

#include "base/random.h"

static void test_rule(void **state)
{
    static const char *const first[] = {"Ann", "Bob", "", NULL, NULL, "", " "};
    static const char *const second[] = {"Lodz", NULL, "Ulm", "Bonn", "", "", " "};
    static const char *const expected[] = {"Ann Lodz", "Bob", "Ulm", "Bonn", "", "", "   "};
    akin_context context = context_of(&context, 1);
    builder a = builder_of(first, 7), b = builder_of(second, 7);
    const akin_column columns[] = {builder_column(&a, "name"), builder_column(&b, "city")};
    akin_column made = {.size = sizeof made};
    akin_table *table = NULL;
    (void)state;
    assert_int_equal(akin_table_combine(&context, columns, 2, 7, &table, NULL), AKIN_OK);
    assert_int_equal(akin_table_rows(table), 7);
    assert_int_equal(akin_table_columns(table), 1);
    assert_int_equal(akin_table_column(table, 0, &made, NULL), AKIN_OK);
    assert_string_equal(made.name, "combined");
    assert_null(made.validity);
    for (uint32_t row = 0; row < 7; row++) {
        assert_int_equal(made.offsets[row + 1] - made.offsets[row], strlen(expected[row]));
        assert_memory_equal(made.bytes + made.offsets[row], expected[row], strlen(expected[row]));
    }
    akin_table_free(table);
    builder_clear(&a);
    builder_clear(&b);
}

/* Strings of some bytes, and nulls. */
static builder draw(akin_random *random, uint32_t rows)
{
    builder b = {0};
    for (uint32_t row = 0; row < rows; row++) {
        static const char letters[] = "abc \xc3\xa9";
        const size_t from = akin_random_below(random, 4);
        if (akin_random_below(random, 4) == 0)
            builder_null(&b);
        else
            builder_add(&b, letters + from, akin_random_below(random, 2) ? 0 : 4 - from);
    }
    return b;
}

static void assert_as_oracle(const builder *builders, uint32_t count, uint32_t rows, uint64_t memory)
{
    akin_context context = context_of(&context, 2);
    akin_column columns[4], made = {.size = sizeof made};
    akin_table *table = NULL;
    context.scope.memory = memory;
    for (uint32_t c = 0; c < count; c++)
        columns[c] = builder_column(&builders[c], NULL);
    assert_int_equal(akin_table_combine(&context, columns, count, rows, &table, NULL), AKIN_OK);
    assert_int_equal(akin_table_column(table, 0, &made, NULL), AKIN_OK);
    for (uint32_t row = 0; row < rows; row++) {
        text t = {0};
        text_add(&t, "", 0);
        for (uint32_t c = 0; c < count; c++) {
            const uint64_t begin = columns[c].offsets[row], length = columns[c].offsets[row + 1] - begin;
            if (length == 0 || (columns[c].validity && !(columns[c].validity[row / 8] >> row % 8 & 1)))
                continue;
            text_add_string(&t, t.length > 0 ? " " : "");
            text_add(&t, columns[c].bytes + begin, length);
        }
        assert_int_equal(made.offsets[row + 1] - made.offsets[row], t.length);
        assert_memory_equal(made.bytes + made.offsets[row], t.bytes, t.length);
        text_clear(&t);
    }
    akin_table_free(table);
}

static void test_random(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 3);
    for (int round = 0; round < 40; round++) {
        const uint32_t rows = round < 38 ? 1 + (uint32_t)akin_random_below(&random, 300) : 200000;
        const uint32_t count = 1 + (uint32_t)akin_random_below(&random, 4);
        builder builders[4] = {{{0}, 0, 0, NULL, NULL, 0}};
        for (uint32_t c = 0; c < count; c++)
            builders[c] = draw(&random, rows);
        assert_as_oracle(builders, count, rows, round % 2 ? UINT64_C(16) << 20 : 0);
        for (uint32_t c = 0; c < count; c++)
            builder_clear(&builders[c]);
    }
}

static int stop(void *user)
{
    return ++*(int *)user > 0;
}

static void test_refusals(void **state)
{
    static const uint64_t nothing[] = {0}, falling[] = {0, 2, 1};
    const akin_column none = {.size = sizeof none, .offsets = nothing, .bytes = ""};
    const akin_column wrong = {.size = sizeof wrong, .name = "w", .offsets = falling, .bytes = "ab"};
    akin_context context = context_of(&context, 1);
    akin_table *table = NULL;
    akin_error error;
    int asked = 0;
    (void)state;
    assert_int_equal(akin_table_combine(&context, &none, 0, 0, &table, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "no columns to combine; expected at least 1");
    assert_int_equal(akin_table_combine(&context, &wrong, 1, 2, &table, &error), AKIN_E_OPTION);
    assert_int_equal(error.row, 1);
    context.scope.reporter.cancel = stop;
    context.scope.reporter.user = &asked;
    assert_int_equal(akin_table_combine(&context, &wrong, 1, 1, &table, &error), AKIN_E_CANCELLED);
    assert_null(table);
    context = context_of(&context, 1);
    assert_int_equal(akin_table_combine(&context, &none, 1, 0, &table, &error), AKIN_OK);
    assert_int_equal(akin_table_rows(table), 0);
    akin_table_free(table);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rule),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
