/* Merged records against a search that compares each row of a cluster with all the others. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "akin.h"

#define ROWS 60

static akin_context *context;

static int create(void **state)
{
    (void)state;
    return akin_context_create(NULL, &context, NULL) != AKIN_OK;
}

static int destroy(void **state)
{
    (void)state;
    akin_context_free(context);
    return 0;
}

/* A column of texts, NULL: null. */
typedef struct texts {
    const char *all[ROWS];
    uint64_t offsets[ROWS + 1];
    uint8_t validity[ROWS / 8 + 1];
    char bytes[16 * ROWS];
    akin_column column;
} texts;

static const akin_column *column_of(texts *t, uint32_t rows)
{
    uint64_t used = 0;
    memset(t->validity, 0, sizeof t->validity);
    for (uint32_t row = 0; row < rows; row++) {
        const char *text = t->all[row] ? t->all[row] : "null";
        t->offsets[row] = used;
        memcpy(t->bytes + used, text, strlen(text));
        used += strlen(text);
        if (t->all[row])
            t->validity[row / 8] |= (uint8_t)(1u << row % 8);
    }
    t->offsets[rows] = used;
    t->column = (akin_column){
        .size = sizeof t->column, .name = "x", .offsets = t->offsets, .bytes = t->bytes, .validity = t->validity};
    return &t->column;
}

static int has_value(const texts *t, uint32_t row)
{
    return t->all[row] && *t->all[row];
}

static uint32_t symbols(const char *text)
{
    uint32_t count = 0;
    for (; *text; text++)
        count += (*text & 0xc0) != 0x80;
    return count;
}

/* A case. */
typedef struct example {
    texts values, by;
    uint32_t rows, count, clusters[ROWS];
    akin_merge_rule rule;
    int kind; /* of `by`: dates, numbers, text */
} example;

/* How good the value of a row is, in its cluster; the greatest is wanted. */
static double worth(const example *x, uint32_t row)
{
    double equal = 0;
    switch (x->rule) {
    case AKIN_MERGE_FREQUENT:
        for (uint32_t other = 0; other < x->rows; other++)
            equal += x->clusters[other] == x->clusters[row] && has_value(&x->values, other) &&
                     strcmp(x->values.all[other], x->values.all[row]) == 0;
        return equal;
    case AKIN_MERGE_LONGEST:
        return symbols(x->values.all[row]);
    case AKIN_MERGE_NEWEST:
        if (!has_value(&x->by, row))
            return -1e9;
        if (x->kind == 0)
            return atof(x->by.all[row] + 8); /* the day */
        return x->kind == 1 ? atof(x->by.all[row]) : x->by.all[row][0];
    case AKIN_MERGE_FIRST:
        return 0;
    }
    return 0;
}

static void draw(akin_random *random, example *x)
{
    static const char *const values[] = {NULL, "", "a", "bb", "\xc3\xa4\xc3\xa4", "ccc", "dd", "z"};
    static const char *const by[3][5] = {{NULL, "2024-01-02", "2024-01-10", " 2024-01-03", "2024-01-04"},
                                         {NULL, "9", "10", "-3.5", "1e1"},
                                         {NULL, "x", "y", "10", ""}};
    x->rows = (uint32_t)akin_random_below(random, ROWS);
    x->count = 1 + (uint32_t)akin_random_below(random, 12);
    x->rule = (akin_merge_rule)akin_random_below(random, 4);
    x->kind = (int)akin_random_below(random, 3);
    for (uint32_t row = 0; row < x->rows; row++) {
        x->clusters[row] = (uint32_t)akin_random_below(random, x->count);
        x->values.all[row] = values[akin_random_below(random, 8)];
        x->by.all[row] = by[x->kind][akin_random_below(random, x->kind == 0 ? 3 : 5)];
    }
}

static void test_random(void **state)
{
    static example x;
    akin_random random;
    (void)state;
    akin_random_seed(&random, 41);
    for (int round = 0; round < 4000; round++) {
        akin_merge_options options = AKIN_MERGE_OPTIONS_INIT;
        uint32_t sources[12];
        draw(&random, &x);
        options.rule = x.rule;
        options.by = x.rule == AKIN_MERGE_NEWEST ? column_of(&x.by, x.rows) : NULL;
        assert_int_equal(
            akin_merge(context, column_of(&x.values, x.rows), x.rows, x.clusters, x.count, &options, sources, NULL),
            AKIN_OK);
        for (uint32_t c = 0; c < x.count; c++) {
            uint32_t best = AKIN_NO_ROW;
            for (uint32_t row = 0; row < x.rows; row++)
                if (x.clusters[row] == c && has_value(&x.values, row) &&
                    (best == AKIN_NO_ROW || worth(&x, row) > worth(&x, best)))
                    best = row;
            assert_int_equal(sources[c], best);
        }
    }
}

/* Without options: the most frequent value. Texts are compared as wholes, one that is the beginning of another comes
 * before. */
static void test_order(void **state)
{
    static texts values = {.all = {"x", "y", "y"}}, by = {.all = {"aa", "a", "b1"}};
    static const uint32_t clusters[] = {0, 0, 0}, apart[] = {0, 0, 1};
    akin_merge_options options = {sizeof options, AKIN_MERGE_NEWEST, 0, column_of(&by, 3)};
    uint32_t sources[2];
    (void)state;
    assert_int_equal(akin_merge(context, column_of(&values, 3), 3, clusters, 1, NULL, sources, NULL), AKIN_OK);
    assert_int_equal(sources[0], 1);
    assert_int_equal(akin_merge(context, &values.column, 3, apart, 2, &options, sources, NULL), AKIN_OK);
    assert_int_equal(sources[0], 0);
    assert_int_equal(sources[1], 2);
    assert_int_equal(akin_merge(context, NULL, 0, NULL, 0, NULL, NULL, NULL), AKIN_OK);
    assert_int_equal(akin_merge(context, NULL, 0, NULL, 1, NULL, sources, NULL), AKIN_OK);
    assert_int_equal(sources[0], AKIN_NO_ROW);
}

static void test_refused(void **state)
{
    static texts values = {.all = {"x", "y"}};
    static const uint32_t clusters[] = {0, 2};
    const akin_column *column = column_of(&values, 2);
    akin_merge_options options = AKIN_MERGE_OPTIONS_INIT;
    uint32_t sources[2] = {7, 7};
    akin_error error;
    (void)state;
    assert_int_equal(akin_merge(context, column, 2, clusters, 2, &options, sources, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "row 1 is of cluster 2, and there are 2");
    assert_int_equal(akin_merge(context, NULL, 2, clusters, 3, &options, sources, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "there are 2 rows, and no column of values");
    options.rule = AKIN_MERGE_NEWEST;
    assert_int_equal(akin_merge(context, column, 2, clusters, 3, &options, sources, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "newest: by is NULL; expected a column");
    options.rule = AKIN_MERGE_FIRST;
    options.by = column;
    assert_int_equal(akin_merge(context, column, 2, clusters, 3, &options, sources, &error), AKIN_E_OPTION);
    options.rule = 77;
    assert_int_equal(akin_merge(context, column, 2, clusters, 3, &options, sources, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "rule is 77, which is not a merge rule");
    assert_int_equal(sources[0], 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, create, destroy);
}
