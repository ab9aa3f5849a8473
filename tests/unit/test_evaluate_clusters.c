/* The evaluation of clusters against matrices: clusters are found by ways from each record to each other, B-cubed
 * compares the clusters of each record, and a plain bootstrap draws entities one by one. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "unit/test_dedupe_support.h"
#include "unit/test_sanitizers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "akin.h"

#define IDS   12 /* on either side */
#define NODES (2 * IDS)

/* A case: pairs, gold pairs, records; and what the pairs make of the nodes: left ids, then right ones. */
typedef struct example {
    pair_list pairs, gold, records; /* records: the ids of either column are of either side */
    int linked, closed, shift;
    int counts[NODES];       /* whether a node is a record at all */
    int found[NODES][NODES]; /* pairs, those that are evaluated */
    int gold_pairs[NODES][NODES];
    int in_found[NODES][NODES]; /* of one cluster */
    int in_gold[NODES][NODES];
} example;

static akin_context *create(uint32_t threads, uint64_t memory)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    options.threads = threads;
    options.device = "cpu";
    options.memory = memory;
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
    return context;
}

/* Fills the matrix of pairs, and that of ways between nodes. */
static void connect(example *x, const pair_list *list, int pairs[NODES][NODES], int ways[NODES][NODES])
{
    memset(pairs, 0, sizeof x->found);
    memset(ways, 0, sizeof x->in_found);
    for (int i = 0; i < NODES; i++)
        ways[i][i] = 1;
    for (uint32_t i = 0; i < list->rows; i++) {
        const int a = list->ids[0][i], b = list->ids[1][i] + x->shift;
        x->counts[a] = x->counts[b] = 1;
        pairs[a][b] = pairs[b][a] = ways[a][b] = ways[b][a] = 1;
    }
    for (int via = 0; via < NODES; via++)
        for (int i = 0; i < NODES; i++)
            for (int j = 0; j < NODES; j++)
                ways[i][j] |= ways[i][via] && ways[via][j];
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < NODES; j++) {
            if (x->closed)
                pairs[i][j] = ways[i][j];
            pairs[i][j] &= i != j && (!x->linked || (i < IDS) != (j < IDS));
        }
}

static void draw_pairs(akin_random *random, pair_list *list, uint64_t rows, uint64_t ids)
{
    list->rows = 0;
    while (list->rows < rows)
        add_pair(list, (int)akin_random_below(random, ids), (int)akin_random_below(random, ids), 0);
}

static void draw_example(akin_random *random, example *x, int linked, int closed)
{
    const uint64_t ids = 2 + akin_random_below(random, IDS - 1);
    x->linked = linked;
    x->closed = closed;
    x->shift = linked ? IDS : 0;
    memset(x->counts, 0, sizeof x->counts);
    draw_pairs(random, &x->pairs, akin_random_below(random, 10), ids);
    draw_pairs(random, &x->gold, akin_random_below(random, 10), ids);
    draw_pairs(random, &x->records, akin_random_below(random, 10), ids);
    connect(x, &x->pairs, x->found, x->in_found);
    connect(x, &x->gold, x->gold_pairs, x->in_gold);
    for (uint32_t i = 0; i < x->records.rows; i++)
        x->counts[x->records.ids[0][i]] = x->counts[x->records.ids[1][i] + x->shift] = 1;
}

static akin_status evaluate(akin_context *context, example *x, uint32_t bootstrap, akin_cluster_evaluation *out)
{
    akin_evaluate_options options = AKIN_EVALUATE_OPTIONS_INIT;
    akin_error error;
    const akin_column *records = columns_of(&x->records);
    options.linked = (uint32_t)x->linked;
    options.closed = (uint32_t)x->closed;
    options.bootstrap = bootstrap;
    for (int side = 0; side < 2; side++) {
        options.records[side] = &records[side];
        options.record_rows[side] = x->records.rows;
    }
    out->size = sizeof *out;
    return akin_evaluate_clusters(context, columns_of(&x->pairs), x->pairs.rows, columns_of(&x->gold), x->gold.rows,
                                  &options, out, &error);
}

/* ------------------------------------------------------------------------------------------------------------ plain */

static uint64_t count_common(const example *x, const int a[NODES], const int b[NODES])
{
    uint64_t count = 0;
    for (int i = 0; i < NODES; i++)
        count += x->counts[i] && a[i] && b[i];
    return count;
}

/* Whether a node is the first of its cluster, which has two records or more. */
static int begins_cluster(const example *x, int ways[NODES][NODES], int node)
{
    for (int i = 0; i < node; i++)
        if (ways[node][i])
            return 0;
    return x->counts[node] && count_common(x, ways[node], ways[node]) > 1;
}

static double divide(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static void expect(example *x, akin_cluster_evaluation *out)
{
    double precision = 0, recall = 0;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < NODES; i++) {
        const int *found = x->in_found[i], *gold = x->in_gold[i];
        if (!x->counts[i])
            continue;
        const uint64_t both = count_common(x, found, gold);
        out->records++;
        precision += (double)both / (double)count_common(x, found, found);
        recall += (double)both / (double)count_common(x, gold, gold);
        out->found_clusters += (uint64_t)begins_cluster(x, x->in_found, i);
        out->gold_clusters += (uint64_t)begins_cluster(x, x->in_gold, i);
        out->both_clusters +=
            (uint64_t)(begins_cluster(x, x->in_found, i) && memcmp(found, gold, sizeof x->in_found[i]) == 0);
        for (int j = i + 1; j < NODES; j++) {
            out->pairs.pairs += (uint64_t)x->found[i][j];
            out->pairs.gold += (uint64_t)x->gold_pairs[i][j];
            out->pairs.both += (uint64_t)(x->found[i][j] && x->gold_pairs[i][j]);
        }
    }
    out->bcubed.precision = divide(precision, (double)out->records);
    out->bcubed.recall = divide(recall, (double)out->records);
    out->bcubed.f1 = divide(2 * out->bcubed.precision * out->bcubed.recall, out->bcubed.precision + out->bcubed.recall);
}

static void check_quality(const akin_quality *got, const akin_quality *expected)
{
    assert_true(fabs(got->precision - expected->precision) < 1e-12);
    assert_true(fabs(got->recall - expected->recall) < 1e-12);
    assert_true(fabs(got->f1 - expected->f1) < 1e-12);
}

static void test_random(void **state)
{
    static example x;
    static const akin_quality none;
    akin_context *contexts[2] = {create(1, 0), create(2, (uint64_t)16 << 20)};
    akin_random random;
    (void)state;
    akin_random_seed(&random, 23);
    for (int round = 0; round < 800; round++) {
        akin_cluster_evaluation got, expected;
        draw_example(&random, &x, round & 1, round >> 1 & 1);
        expect(&x, &expected);
        assert_int_equal(evaluate(contexts[round >> 2 & 1], &x, 0, &got), AKIN_OK);
        assert_int_equal(got.records, expected.records);
        assert_int_equal(got.pairs.pairs, expected.pairs.pairs);
        assert_int_equal(got.pairs.gold, expected.pairs.gold);
        assert_int_equal(got.pairs.both, expected.pairs.both);
        assert_int_equal(got.found_clusters, expected.found_clusters);
        assert_int_equal(got.gold_clusters, expected.gold_clusters);
        assert_int_equal(got.both_clusters, expected.both_clusters);
        check_quality(&got.bcubed, &expected.bcubed);
        const double both = (double)got.both_clusters, found = (double)got.found_clusters,
                     gold = (double)got.gold_clusters;
        check_quality(&got.clusters,
                      &(akin_quality){divide(both, found), divide(both, gold), divide(2 * both, found + gold)});
        check_quality(&got.pairs_low, &none);
        check_quality(&got.bcubed_high, &none);
    }
    akin_context_free(contexts[0]);
    akin_context_free(contexts[1]);
}

/* -------------------------------------------------------------------------------------------------------- bootstrap */

enum { TIMES = 20000, SKIPPED = TIMES / 40 };

/* What the draws of a plain bootstrap come to: precision, recall and F1 of pairs, then B-cubed. */
static double drawn[6][TIMES];

/* Adds what an entity adds to the sums, by looking at all pairs of nodes. */
static void add_entity(example *x, const int entity[NODES], double sums[6])
{
    for (int i = 0; i < NODES; i++) {
        if (!entity[i] || !x->counts[i])
            continue;
        const double both = (double)count_common(x, x->in_found[i], entity);
        sums[3]++;
        sums[4] += both / (double)count_common(x, x->in_found[i], x->in_found[i]);
        sums[5] += both / (double)count_common(x, entity, entity);
        for (int j = 0; j < NODES; j++) {
            sums[0] += x->found[i][j]; /* once from here, and once from there */
            sums[1] += x->gold_pairs[i][j];
            sums[2] += x->found[i][j] && x->gold_pairs[i][j];
        }
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void draw_plainly(example *x, akin_random *random)
{
    int firsts[NODES], count = 0;
    for (int i = 0; i < NODES; i++) {
        int is_first = x->counts[i];
        for (int j = 0; j < i; j++)
            is_first &= !x->in_gold[i][j];
        if (is_first)
            firsts[count++] = i;
    }
    for (int t = 0; t < TIMES; t++) {
        double sums[6] = {0};
        for (int i = 0; i < count; i++)
            add_entity(x, x->in_gold[firsts[akin_random_below(random, (uint64_t)count)]], sums);
        const double ratios[6] = {divide(sums[2], sums[0]),
                                  divide(sums[2], sums[1]),
                                  divide(2 * sums[2], sums[0] + sums[1]),
                                  divide(sums[4], sums[3]),
                                  divide(sums[5], sums[3]),
                                  divide(2 * sums[4] * sums[5] / sums[3], sums[4] + sums[5])};
        for (int i = 0; i < 6; i++)
            drawn[i][t] = ratios[i];
    }
    for (int i = 0; i < 6; i++)
        qsort(drawn[i], TIMES, sizeof **drawn, compare);
}

/* The ends of an interval lie at about the same places among plain draws. Where many draws are equal, these are a
 * range of places. */
static void check_end(const double *sorted, double end, int place)
{
    const int slack = TIMES / 100;
    assert_true(end >= sorted[place > slack ? place - slack : 0] - 1e-8);
    assert_true(end <= sorted[place + slack < TIMES ? place + slack : TIMES - 1] + 1e-8);
}

static void test_bootstrap(void **state)
{
    static example x;
    akin_context *contexts[2] = {create(1, 0), create(3, 0)};
    akin_random random;
    (void)state;
    akin_random_seed(&random, 29);
    for (int round = 0; round < (UNDER_SANITIZER ? 4 : 24); round++) {
        akin_cluster_evaluation one, three;
        do
            draw_example(&random, &x, round & 1, round >> 1 & 1);
        while (x.pairs.rows == 0 && x.gold.rows == 0 && x.records.rows == 0);
        draw_plainly(&x, &random);
        assert_int_equal(evaluate(contexts[0], &x, TIMES, &one), AKIN_OK);
        assert_int_equal(evaluate(contexts[1], &x, TIMES, &three), AKIN_OK);
        assert_memory_equal(&one, &three, sizeof one);
        const akin_quality *const ends[2][2] = {{&one.pairs_low, &one.pairs_high}, {&one.bcubed_low, &one.bcubed_high}};
        for (int i = 0; i < 6; i++)
            for (int end = 0; end < 2; end++) {
                const akin_quality *q = ends[i / 3][end];
                check_end(drawn[i],
                          i % 3 == 0   ? q->precision
                          : i % 3 == 1 ? q->recall
                                       : q->f1,
                          end ? TIMES - 1 - SKIPPED : SKIPPED);
            }
    }
    akin_context_free(contexts[0]);
    akin_context_free(contexts[1]);
}

/* Many entities of few kinds, 200,000 pairs of which nine tenths were found: the interval is that of a binomial
 * number. */
static void test_many(void **state)
{
    enum { N = 200000 };
    static char bytes[8 * N];
    static uint64_t offsets[2 * N + 1];
    akin_column pairs[2], gold[2];
    static uint64_t sides[2][N + 1];
    akin_evaluate_options options = AKIN_EVALUATE_OPTIONS_INIT;
    akin_cluster_evaluation out = {.size = sizeof out};
    akin_context *context = create(2, 0);
    (void)state;
    for (uint32_t i = 0; i < 2 * N; i++) {
        memcpy(bytes + 4 * (size_t)i, &i, 4);
        offsets[i] = 4 * (uint64_t)i;
    }
    offsets[2 * N] = 8 * (uint64_t)N;
    for (uint32_t i = 0; i <= N; i++) { /* left ids are the first half, right ones the second */
        sides[0][i] = offsets[i];
        sides[1][i] = offsets[N + i];
    }
    for (int side = 0; side < 2; side++)
        pairs[side] = gold[side] = (akin_column){.size = sizeof *pairs, .offsets = sides[side], .bytes = bytes};
    options.bootstrap = 2000;
    assert_int_equal(akin_evaluate_clusters(context, pairs, N / 10 * 9, gold, N, &options, &out, NULL), AKIN_OK);
    assert_int_equal(out.records, 2 * N);
    assert_int_equal(out.gold_clusters, N);
    assert_int_equal(out.both_clusters, N / 10 * 9);
    assert_true(out.pairs_low.precision == 1 && out.pairs_high.precision == 1 && out.bcubed_low.precision == 1);
    const double error = 1.96 * sqrt(0.9 * 0.1 / N); /* 0.0013 */
    assert_true(fabs(out.pairs_low.recall - (0.9 - error)) < error / 8);
    assert_true(fabs(out.pairs_high.recall - (0.9 + error)) < error / 8);
    assert_true(fabs(out.bcubed_low.recall - (0.95 - error / 2)) < error / 16);
    const akin_quality low = out.pairs_low;
    options.seed = 2;
    assert_int_equal(akin_evaluate_clusters(context, pairs, N / 10 * 9, gold, N, &options, &out, NULL), AKIN_OK);
    assert_true(low.recall != out.pairs_low.recall);
    akin_context_free(context);
}

/* ---------------------------------------------------------------------------------------------------------- refused */

static void test_nothing(void **state)
{
    static const akin_cluster_evaluation none = {.size = sizeof none};
    akin_evaluate_options options = AKIN_EVALUATE_OPTIONS_INIT;
    akin_cluster_evaluation out;
    akin_context *context = create(1, 0);
    (void)state;
    for (options.linked = 0; options.linked < 2; options.linked++)
        for (options.closed = 0; options.closed < 2; options.closed++) {
            options.bootstrap = 100;
            memset(&out, 0xff, sizeof out);
            out.size = sizeof out;
            assert_int_equal(akin_evaluate_clusters(context, NULL, 0, NULL, 0, &options, &out, NULL), AKIN_OK);
            assert_memory_equal(&out, &none, sizeof out);
        }
    akin_context_free(context);
}

static void test_refused(void **state)
{
    static pair_list list;
    static const uint64_t gap[] = {0, 1, 1};
    akin_evaluate_options options = AKIN_EVALUATE_OPTIONS_INIT;
    akin_cluster_evaluation out = {.size = sizeof out, .records = 7};
    akin_context *context = create(1, 0);
    akin_error error;
    (void)state;
    list.rows = 0;
    add_pair(&list, 1, 2, 1);
    add_pair(&list, 3, 4, 1);
    const akin_column *columns = columns_of(&list);
    akin_column broken = columns[0];
    broken.offsets = gap;
    options.bootstrap = 39;
    assert_int_equal(akin_evaluate_clusters(context, columns, 2, columns, 2, &options, &out, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "bootstrap is 39; expected 0, or 40 at least");
    options.bootstrap = 0;
    options.records[1] = &broken;
    options.record_rows[1] = 2;
    assert_int_equal(akin_evaluate_clusters(context, columns, 2, columns, 2, &options, &out, &error), AKIN_E_INPUT);
    assert_string_equal(error.message, "row 1 of the records has no right id");
    options.records[1] = NULL;
    assert_int_equal(akin_evaluate_clusters(context, columns, 2, columns, 2, &options, &out, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "the records have 2 rows and no right column");
    options.record_rows[1] = 0;
    assert_int_equal(out.records, 7);
    out.size = 3;
    assert_int_equal(akin_evaluate_clusters(context, columns, 2, columns, 2, &options, &out, &error), AKIN_E_OPTION);
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
    static example x;
    akin_context_options with = AKIN_CONTEXT_OPTIONS_INIT;
    akin_cluster_evaluation out;
    akin_context *context = NULL;
    akin_status status;
    akin_random random;
    int left = 0, n = 0;
    (void)state;
    akin_random_seed(&random, 31);
    draw_example(&random, &x, 0, 1);
    with.cancel = stop;
    with.user = &left;
    with.threads = 1;
    assert_int_equal(akin_context_create(&with, &context, NULL), AKIN_OK);
    do {
        left = n++;
        status = evaluate(context, &x, 100, &out);
        assert_true(status == AKIN_OK || status == AKIN_E_CANCELLED);
    } while (status != AKIN_OK);
    assert_true(n > 7); /* reading all, connecting, counting, comparing, drawing */
    akin_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bootstrap), cmocka_unit_test(test_many),    cmocka_unit_test(test_random),
        cmocka_unit_test(test_nothing),   cmocka_unit_test(test_refused), cmocka_unit_test(test_cancel),
    };
    return RUN_TESTS(tests, 2, NULL, NULL);
}
