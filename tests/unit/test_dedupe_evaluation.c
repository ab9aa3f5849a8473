/* Evaluation against a matrix of all pairs: the test looks pairs up there, and finds closures by a search for a way
 * from each node to each other. And what it refuses, and cancelling. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "unit/test_dedupe_support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "akin.h"

#define IDS 14 /* on either side */

/* Which ids are pairs: [left][right], on one side [i][j] and [j][i]. */
typedef struct matrix {
    int is[IDS][IDS];
} matrix;

static matrix matrix_of(const pair_list *list, double threshold, int linked)
{
    matrix m = {0};
    for (uint32_t i = 0; i < list->rows; i++) {
        int a = list->ids[0][i], b = list->ids[1][i];
        if (!(list->similarities[i] > threshold - 0.5e-9)) /* as 9 digits have it */
            continue;
        m.is[a][b] = 1;
        if (!linked)
            m.is[b][a] = 1;
    }
    return m;
}

/* Warshall: one side: ways from i to j; two: in the graph whose nodes are the left ids, then the right ones. */
static matrix close_matrix(const matrix *m, int linked)
{
    int ways[2 * IDS][2 * IDS] = {{0}}, nodes = linked ? 2 * IDS : IDS, shift = linked ? IDS : 0;
    matrix closed = {0};
    for (int i = 0; i < IDS; i++)
        for (int j = 0; j < IDS; j++)
            if (m->is[i][j])
                ways[i][j + shift] = ways[j + shift][i] = 1;
    for (int via = 0; via < nodes; via++)
        for (int i = 0; i < nodes; i++)
            for (int j = 0; j < nodes; j++)
                ways[i][j] |= ways[i][via] && ways[via][j];
    for (int i = 0; i < IDS; i++)
        for (int j = 0; j < IDS; j++)
            closed.is[i][j] = ways[i][j + shift];
    return closed;
}

/* What evaluation must say. */
static akin_evaluation expect(const pair_list *pairs, const pair_list *gold, double threshold, int linked, int closed)
{
    matrix a = matrix_of(pairs, threshold, linked), b = matrix_of(gold, 0, linked);
    akin_evaluation out = {0};
    if (closed) {
        a = close_matrix(&a, linked);
        b = close_matrix(&b, linked);
    }
    for (int i = 0; i < IDS; i++) {
        for (int j = linked ? 0 : i + 1; j < IDS; j++) {
            out.pairs += (uint64_t)a.is[i][j];
            out.gold += (uint64_t)b.is[i][j];
            out.both += (uint64_t)(a.is[i][j] && b.is[i][j]);
        }
    }
    out.precision = out.pairs ? (double)out.both / (double)out.pairs : 0;
    out.recall = out.gold ? (double)out.both / (double)out.gold : 0;
    out.f1 = out.pairs + out.gold ? 2 * (double)out.both / (double)(out.pairs + out.gold) : 0;
    return out;
}

static void check_equal(const akin_evaluation *got, const akin_evaluation *expected)
{
    assert_int_equal(got->pairs, expected->pairs);
    assert_int_equal(got->gold, expected->gold);
    assert_int_equal(got->both, expected->both);
    assert_true(got->precision == expected->precision);
    assert_true(got->recall == expected->recall);
    assert_true(got->f1 == expected->f1);
}

static akin_context *create(uint64_t memory)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    options.threads = 1;
    options.device = "cpu";
    options.memory = memory;
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
    return context;
}

/* Random pairs of a few ids. Similarities are thresholds, their neighbours among the doubles and a little further off,
 * and what is beyond. */
static void draw(akin_random *random, pair_list *list, uint32_t rows, uint64_t ids)
{
    static const double special[] = {-0.5, -0.0, 1.5, INFINITY, -INFINITY, NAN};
    list->rows = 0;
    while (list->rows < rows) {
        double threshold = (double)akin_random_below(random, 101) / 100.0;
        uint64_t kind = akin_random_below(random, 10);
        add_pair(list, (int)akin_random_below(random, ids), (int)akin_random_below(random, ids),
                 kind == 0   ? special[akin_random_below(random, 6)]
                 : kind == 1 ? nextafter(threshold, 2)
                 : kind == 2 ? nextafter(threshold, -1)
                 : kind == 3 ? threshold - 0.51e-9
                 : kind == 4 ? threshold - 0.49e-9
                 : kind == 5 ? threshold - 1e-12
                             : threshold);
    }
}

static void check_lists(akin_context *context, pair_list *pairs, pair_list *gold, int linked, int closed)
{
    akin_evaluate_options options = AKIN_EVALUATE_OPTIONS_INIT;
    akin_evaluation out = {0}, curve[AKIN_CURVE_POINTS], expected;
    akin_error error;
    options.linked = (uint32_t)linked;
    options.closed = (uint32_t)closed;
    const akin_column *found = columns_of(pairs), *right = columns_of(gold);
    for (uint32_t i = 0; i < gold->rows; i++) /* they have none */
        gold->similarities[i] = 0;
    assert_int_equal(akin_evaluate_curve(context, found, pairs->similarities, pairs->rows, right, gold->rows, &options,
                                         curve, &error),
                     AKIN_OK);
    for (int k = 0; k < AKIN_CURVE_POINTS; k++) {
        expected = expect(pairs, gold, k / 100.0, linked, closed);
        check_equal(&curve[k], &expected);
    }
    for (uint32_t i = 0; i < pairs->rows; i++) /* without a threshold they all count */
        pairs->similarities[i] = 0;
    expected = expect(pairs, gold, 0, linked, closed);
    assert_int_equal(akin_evaluate(context, found, pairs->rows, right, gold->rows, &options, &out, &error), AKIN_OK);
    check_equal(&out, &expected);
}

static void test_random(void **state)
{
    static pair_list pairs, gold;
    akin_context *contexts[2] = {create(0), create((uint64_t)16 << 20)};
    akin_random random;
    (void)state;
    akin_random_seed(&random, 17);
    for (int round = 0; round < 400; round++) {
        uint64_t ids = 2 + akin_random_below(&random, IDS - 1);
        draw(&random, &pairs, (uint32_t)akin_random_below(&random, 40), ids);
        draw(&random, &gold, (uint32_t)akin_random_below(&random, 40), ids);
        check_lists(contexts[round / 4 % 2], &pairs, &gold, round & 1, round >> 1 & 1);
    }
    akin_context_free(contexts[0]);
    akin_context_free(contexts[1]);
}

/* Large clusters: two chains of 200,000 ids against one, all of whose pairs are counted, but not listed. */
static void test_large(void **state)
{
    enum { N = 200000 };
    static char bytes[4 * N];
    static uint64_t offsets[2][N];
    akin_column pairs[2], gold[2];
    akin_evaluate_options options = AKIN_EVALUATE_OPTIONS_INIT;
    akin_evaluation out;
    akin_context *context = create(0);
    (void)state;
    for (uint32_t i = 0; i < N; i++) {
        memcpy(bytes + 4 * (size_t)i, &i, 4);
        offsets[0][i] = 4 * (uint64_t)i;
    }
    for (int side = 0; side < 2; side++) /* row i is of the ids i and i + 1 */
        gold[side] = (akin_column){.size = sizeof(akin_column), .offsets = offsets[0] + side, .bytes = bytes};
    memcpy(offsets[1], offsets[0], sizeof offsets[1]);
    pairs[0] = pairs[1] = (akin_column){.size = sizeof(akin_column), .bytes = bytes};
    options.closed = 1;
    pairs[0].offsets = offsets[0];
    pairs[1].offsets = offsets[0] + 1;
    const uint32_t half = N / 2 - 1; /* rows of the first half, whose ids are those below N / 2 */
    assert_int_equal(akin_evaluate(context, pairs, half, gold, N - 2, &options, &out, NULL), AKIN_OK);
    const uint64_t all = (uint64_t)(N - 1) * (N - 2) / 2, some = (uint64_t)(N / 2) * (N / 2 - 1) / 2;
    assert_int_equal(out.pairs, some);
    assert_int_equal(out.gold, all);
    assert_int_equal(out.both, some);
    options.linked = 1; /* left i with right i + 1: no two pairs have an id in common */
    assert_int_equal(akin_evaluate(context, pairs, half, gold, N - 2, &options, &out, NULL), AKIN_OK);
    assert_int_equal(out.pairs, half);
    assert_int_equal(out.gold, N - 2);
    assert_int_equal(out.both, half);
    akin_context_free(context);
}

/* Ids are bytes, not numbers: 1 is not 01; and it does not matter how long they are. */
static void test_bytes(void **state)
{
    static const char bytes[] =
        "1"
        "01"
        "1.0"
        "a name of more than sixteen bytes"
        "a name of more than sixteen bytes";
    static const uint64_t left[] = {0, 1, 3, 6}, right[] = {1, 3, 6, 39}, gold_left[] = {39, 72}, gold_right[] = {3, 6};
    const akin_column pairs[2] = {{.size = sizeof *pairs, .offsets = left, .bytes = bytes},
                                  {.size = sizeof *pairs, .offsets = right, .bytes = bytes}};
    const akin_column gold[2] = {{.size = sizeof *gold, .offsets = gold_left, .bytes = bytes},
                                 {.size = sizeof *gold, .offsets = gold_right, .bytes = bytes}};
    akin_context *context = create(0);
    akin_evaluation out;
    (void)state;
    assert_int_equal(akin_evaluate(context, pairs, 3, gold, 1, NULL, &out, NULL), AKIN_OK);
    assert_int_equal(out.pairs, 3);
    assert_int_equal(out.both, 1);
    akin_context_free(context);
}

/* Counts warnings, and keeps the last one. */
typedef struct heard {
    int count;
    char text[256];
} heard;

static void hear(void *user, const char *text)
{
    heard *h = user;
    h->count++;
    snprintf(h->text, sizeof h->text, "%s", text);
}

/* Pairs of an id with itself are counted, unless the ids are of two collections; "1" is not "01". */
static void test_equal_ids(void **state)
{
    static const char bytes[] = "1011";
    static const uint64_t left[] = {0, 1, 3, 4}, right[] = {0, 1, 2, 3};
    const akin_column pairs[2] = {{.size = sizeof *pairs, .offsets = left, .bytes = bytes},
                                  {.size = sizeof *pairs, .offsets = right, .bytes = bytes}};
    akin_evaluate_options options = AKIN_EVALUATE_OPTIONS_INIT;
    heard h = {0};
    (void)state;
    akin_evaluate_warn(pairs, 3, pairs, 1, NULL, hear, &h); /* 1 1, 01 0, 1 1; and 1 1 */
    assert_int_equal(h.count, 1);
    assert_string_equal(h.text, "2 of 3 pairs and 1 of 1 gold pairs are of an id with itself, and were left out");
    options.linked = 1;
    akin_evaluate_warn(pairs, 3, pairs, 1, &options, hear, &h);
    options.linked = 0;
    akin_evaluate_warn(NULL, 0, NULL, 0, &options, hear, &h);
    assert_int_equal(h.count, 1);
    akin_evaluate_warn(NULL, 0, pairs, 3, &options, hear, &h);
    assert_int_equal(h.count, 2);
}

/* Gold pairs whose sides are swapped: `rows` pairs of i and i + 1, and the same ones the other way round. */
static void test_swapped(void **state)
{
    static pair_list list;
    akin_evaluate_options options = AKIN_EVALUATE_OPTIONS_INIT;
    akin_context *context = create(0);
    akin_evaluation out;
    akin_error error;
    heard h = {0};
    (void)state;
    for (uint32_t rows = 1; rows <= 10; rows++) {
        list.rows = 0;
        for (uint32_t i = 0; i < rows; i++)
            add_pair(&list, (uint8_t)i, (uint8_t)((i + 1) % (rows + 1)), 1);
        const akin_column *pairs = columns_of(&list), gold[2] = {pairs[1], pairs[0]};
        options = (akin_evaluate_options)AKIN_EVALUATE_OPTIONS_INIT;
        options.linked = 1;
        assert_int_equal(akin_evaluate(context, pairs, rows, gold, rows, &options, &out, &error), AKIN_OK);
        const int one_way = out.both == 0;
        h.count = 0;
        assert_int_equal(akin_evaluate_warn_swapped(context, pairs, rows, gold, rows, &options, &out, hear, &h, &error),
                         AKIN_OK);
        assert_int_equal(h.count, rows > 1 && one_way);
        akin_evaluate_warn_swapped(context, pairs, rows, pairs, rows, &options, &(akin_evaluation){.both = rows}, hear,
                                   &h, &error);
        assert_int_equal(h.count, rows > 1 && one_way);
        options.related = 1;
        assert_int_equal(akin_evaluate(context, pairs, rows, gold, rows, &options, &out, &error),
                         rows < 10 && rows > 1 ? AKIN_OK : AKIN_E_INPUT);
    }
    assert_string_equal(error.message,
                        "left and right of the gold pairs seem swapped: 0 of 10 gold pairs are found, "
                        "and 10 after a swap");
    options.linked = 0;
    assert_int_equal(akin_evaluate(context, columns_of(&list), 10, columns_of(&list), 10, &options, &out, NULL),
                     AKIN_OK);
    akin_context_free(context);
}

static const char *const left_ids[] = {"carriage\r", "forty bytes and then some more are not shown of it",
                                       "nine and thirty bytes before a letter: \xc3\xb6\xc3\xb6"},
                         *const shown_ids[] = {"'carriage\\r'", "'forty bytes and then some more are not s'",
                                               "'nine and thirty bytes before a letter: '"};

static akin_column column_of(const char *const *texts, uint32_t rows, uint64_t *offsets, char *bytes)
{
    for (uint32_t i = 0; i < rows; i++) {
        const size_t length = strlen(texts[i]);
        memcpy(bytes + offsets[i], texts[i], length);
        offsets[i + 1] = offsets[i] + length;
    }
    return (akin_column){.size = sizeof(akin_column), .offsets = offsets, .bytes = bytes};
}

/* The first and the last id of both files are shown, cut at a character; and whether sides were swapped. */
static void test_unrelated(void **state)
{
    static const char *const others[] = {"x", "y"}, *const one[] = {"z"};
    akin_evaluate_options options = AKIN_EVALUATE_OPTIONS_INIT;
    akin_context *context = create(0);
    akin_evaluation out;
    akin_error error;
    (void)state;
    options.related = 1;
    for (size_t i = 0; i < 3; i++) {
        uint64_t offsets[2][4] = {{0}};
        char bytes[2][200];
        const akin_column left = column_of(&left_ids[i], 1, offsets[0], bytes[0]),
                          right = column_of(others, 2, offsets[1], bytes[1]);
        const akin_column pairs[2] = {left, left}, gold[2] = {right, right};
        char expected[300];
        options.linked = 0;
        assert_int_equal(akin_evaluate(context, pairs, 1, gold, 2, &options, &out, &error), AKIN_E_INPUT);
        snprintf(expected, sizeof expected,
                 "the pairs and the gold pairs have no id in common: ids of the pairs are like %s, those of the gold "
                 "pairs like 'x', 'y'",
                 shown_ids[i]);
        assert_string_equal(error.message, expected);
    }
    uint64_t offsets[2][4] = {{0}};
    char bytes[2][200];
    const akin_column x = column_of(others, 2, offsets[0], bytes[0]), z = column_of(one, 1, offsets[1], bytes[1]);
    const akin_column pairs[2] = {x, z}, swapped[2] = {z, x}, half[2] = {z, z};
    options.linked = 1;
    assert_int_equal(akin_evaluate(context, pairs, 1, swapped, 1, &options, &out, &error), AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "; left and right of the gold pairs are swapped"));
    assert_int_equal(akin_evaluate(context, pairs, 1, half, 1, &options, &out, &error), AKIN_E_INPUT);
    assert_null(strstr(error.message, "swapped"));
    assert_int_equal(akin_evaluate(context, pairs, 0, half, 1, &options, &out, &error), AKIN_OK);
    akin_context_free(context);
}

/* No pair is in both: the first ones are shown. */
static void test_apart(void **state)
{
    static const uint64_t offsets[4][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
    akin_column columns[4]; /* a pair, and a gold pair */
    akin_evaluation out = {.pairs = 1, .gold = 1};
    heard h = {0};
    (void)state;
    for (int i = 0; i < 4; i++)
        columns[i] = (akin_column){.size = sizeof *columns, .offsets = offsets[i], .bytes = "1234"};
    akin_evaluate_warn_apart(columns, 1, columns + 2, 1, &out, hear, &h);
    assert_int_equal(h.count, 1);
    assert_string_equal(h.text,
                        "the pairs and the gold pairs have no pair in common: the first pair is '1', '2', the "
                        "first gold pair '3', '4'");
    out.both = 1;
    akin_evaluate_warn_apart(columns, 1, columns + 2, 1, &out, hear, &h);
    out = (akin_evaluation){.pairs = 1};
    akin_evaluate_warn_apart(columns, 1, NULL, 0, &out, hear, &h);
    assert_int_equal(h.count, 1);
}

static void test_nothing(void **state)
{
    static const akin_evaluation none;
    static pair_list one;
    akin_evaluate_options options = AKIN_EVALUATE_OPTIONS_INIT;
    akin_evaluation out, curve[AKIN_CURVE_POINTS];
    akin_context *context = create(0);
    (void)state;
    one.rows = 0;
    add_pair(&one, 1, 2, 1);
    for (uint32_t way = 0; way < 4; way++) {
        options.linked = way & 1;
        options.closed = way >> 1;
        memset(&out, 0xff, sizeof out);
        assert_int_equal(akin_evaluate(context, NULL, 0, NULL, 0, &options, &out, NULL), AKIN_OK);
        check_equal(&out, &none);
        assert_int_equal(akin_evaluate(context, NULL, 0, columns_of(&one), 1, &options, &out, NULL), AKIN_OK);
        check_equal(&out, &(akin_evaluation){.gold = 1});
        assert_int_equal(akin_evaluate(context, columns_of(&one), 1, NULL, 0, &options, &out, NULL), AKIN_OK);
        check_equal(&out, &(akin_evaluation){.pairs = 1});
        assert_int_equal(akin_evaluate_curve(context, NULL, NULL, 0, NULL, 0, &options, curve, NULL), AKIN_OK);
        check_equal(&curve[100], &none);
    }
    akin_context_free(context);
}

static void test_refused(void **state)
{
    static pair_list list;
    akin_evaluate_options options = AKIN_EVALUATE_OPTIONS_INIT;
    akin_evaluation out = {.pairs = 7};
    akin_context *context = create(0);
    akin_error error;
    (void)state;
    list.rows = 0;
    add_pair(&list, 1, 2, 1);
    add_pair(&list, 3, 4, 1);
    const akin_column *columns = columns_of(&list);
    static const uint64_t gap[] = {0, 1, 1};
    akin_column broken[2] = {columns[0], columns[1]};
    broken[1].offsets = gap;
    assert_int_equal(akin_evaluate(context, broken, 2, columns, 2, NULL, &out, &error), AKIN_E_INPUT);
    assert_string_equal(error.message, "row 1 of the pairs has no right id");
    assert_int_equal(akin_evaluate(context, columns, 2, broken, 2, NULL, &out, &error), AKIN_E_INPUT);
    assert_string_equal(error.message, "row 1 of the gold pairs has no right id");
    static const uint64_t falling[] = {0, 2, 1};
    static const uint8_t null[] = {1};
    broken[1] = columns[1];
    broken[1].validity = null;
    assert_int_equal(akin_evaluate(context, broken, 2, columns, 2, NULL, &out, &error), AKIN_E_INPUT);
    broken[1].offsets = falling;
    assert_int_equal(akin_evaluate(context, broken, 2, columns, 2, NULL, &out, &error), AKIN_E_OPTION);
    broken[0].size = 3;
    assert_int_equal(akin_evaluate(context, broken, 2, columns, 2, NULL, &out, &error), AKIN_E_OPTION);
    assert_int_equal(akin_evaluate(context, NULL, 2, columns, 2, NULL, &out, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "the pairs have 2 rows and no left column");
    assert_int_equal(akin_evaluate_curve(context, columns, NULL, 2, columns, 2, NULL, &out, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "the pairs have 2 rows and no similarities");
    options.size = 3;
    assert_int_equal(akin_evaluate(context, columns, 2, columns, 2, &options, &out, &error), AKIN_E_OPTION);
    assert_int_equal(out.pairs, 7);
    akin_context_free(context);
}

/* A job that is cancelled at its n-th check, for each n, until it ends before. */
static int stop(void *user)
{
    int *left = user;
    return (*left)-- == 0;
}

static void test_cancel(void **state)
{
    static pair_list list;
    akin_context_options with = AKIN_CONTEXT_OPTIONS_INIT;
    akin_evaluate_options options = AKIN_EVALUATE_OPTIONS_INIT;
    akin_evaluation out;
    akin_context *context = NULL;
    akin_error error;
    akin_status status;
    int left = 0, n = 0;
    (void)state;
    list.rows = 0;
    add_pair(&list, 1, 2, 1);
    with.cancel = stop;
    with.user = &left;
    options.closed = 1;
    assert_int_equal(akin_context_create(&with, &context, NULL), AKIN_OK);
    do {
        left = n++;
        status = akin_evaluate(context, columns_of(&list), 1, columns_of(&list), 1, &options, &out, &error);
        assert_true(status == AKIN_OK || status == AKIN_E_CANCELLED);
    } while (status != AKIN_OK);
    assert_true(n > 4); /* reading either, connecting, counting */
    akin_context_free(context);
}

/* What does not fit the bound is refused. */
static void test_bound(void **state)
{
    enum { N = 1 << 20 };
    static uint64_t offsets[N + 1];
    static char bytes[N];
    const akin_column pairs[2] = {{.size = sizeof *pairs, .offsets = offsets, .bytes = bytes},
                                  {.size = sizeof *pairs, .offsets = offsets, .bytes = bytes}};
    akin_context *context = create((uint64_t)16 << 20);
    akin_evaluation out;
    akin_error error;
    (void)state;
    for (uint64_t i = 0; i <= N; i++)
        offsets[i] = i;
    assert_int_equal(akin_evaluate(context, pairs, N, pairs, 1, NULL, &out, &error), AKIN_E_NOMEM);
    assert_string_equal(error.message, "not enough memory for the pairs to evaluate");
    assert_int_equal(akin_evaluate(context, pairs, N / 2, pairs, 1, NULL, &out, &error), AKIN_OK);
    assert_int_equal(out.pairs, 0); /* of an id with itself */
    akin_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),  cmocka_unit_test(test_large),     cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_swapped), cmocka_unit_test(test_unrelated), cmocka_unit_test(test_apart),
        cmocka_unit_test(test_nothing), cmocka_unit_test(test_equal_ids), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_cancel),  cmocka_unit_test(test_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
