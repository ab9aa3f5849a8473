/* Clusterings by similarities against plain searches of the same graph, with any order of pairs and threads. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "akin.h"
#include "base/random.h"

#define ROWS    60
#define PAIRS   (ROWS * ROWS)
#define TRIPLES 100003u
#define ONE     (INT64_C(1) << 24) /* a similarity of 1 */

/* A graph of rows, the pairs of which have similarities in 1 / 16; 0: no pair. */
typedef struct graph {
    uint32_t rows;
    uint32_t lefts; /* of two tables: rows of the left one, the first rows; else all */
    uint32_t sims[ROWS][ROWS];
} graph;

static akin_context *contexts[3];
static int calls_left = INT_MAX; /* until a job is cancelled */

static int stop(void *user)
{
    int *left = user;
    return *left < INT_MAX && --*left <= 0;
}

/* Draws pairs among the first rows of groups, of few similarities, so many are equal. */
static void draw(akin_random *random, uint32_t rows, uint32_t groups, uint32_t chance, graph *g)
{
    memset(g, 0, sizeof *g);
    g->rows = g->lefts = rows;
    for (uint32_t a = 0; a < rows; a++)
        for (uint32_t b = a + 1; b < rows; b++)
            if (a % groups == b % groups && akin_random_below(random, 100) < chance)
                g->sims[a][b] = g->sims[b][a] = 4 + 2 * (uint32_t)akin_random_below(random, 7);
}

/* The labels of a clustering, of pairs in some order, each in some direction, some of them twice. */
static void cluster(const graph *g, const char *clustering, akin_random *random, akin_context *context,
                    uint32_t *labels)
{
    static akin_pair pairs[2 * PAIRS];
    static double similarities[2 * PAIRS];
    akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_clusters *clusters = NULL;
    akin_error error;
    uint64_t count = 0;
    for (uint32_t a = 0; a < g->rows; a++)
        for (uint32_t b = a; b < g->rows; b++)
            for (uint64_t i = 0, times = a == b || g->sims[a][b] == 0 ? 0 : 1 + akin_random_below(random, 2); i < times;
                 i++) {
                const uint64_t to = akin_random_below(random, ++count);
                const int turned = akin_random_below(random, 2) == 1;
                pairs[count - 1] = pairs[to];
                similarities[count - 1] = similarities[to];
                pairs[to] = g->lefts < g->rows ? (akin_pair){a, b - g->lefts, 0}
                                               : (akin_pair){turned ? b : a, turned ? a : b, 0};
                similarities[to] = g->sims[a][b] / (g->lefts < g->rows ? 65536.0 : 16.0) - (i > 0 ? 0.25 : 0);
            }
    if (g->lefts == g->rows) {
        pairs[count] = (akin_pair){0, 0, 0}; /* a row with itself */
        similarities[count++] = 1;
    }
    assert_int_equal(akin_clusters_options_parse(NULL, clustering, &options, &error), AKIN_OK);
    assert_int_equal(akin_clusters_create_by(context, g->lefts, g->rows - g->lefts, &options, &clusters, &error),
                     AKIN_OK);
    const uint64_t half = akin_random_below(random, count + 1);
    assert_int_equal(akin_clusters_add(clusters, pairs, similarities, half, &error), AKIN_OK);
    if (akin_random_below(random, 2)) /* clusters so far may be wanted */
        assert_int_equal(akin_clusters_close(context, clusters, &error), AKIN_OK);
    assert_int_equal(akin_clusters_connect(context, clusters, pairs + half, similarities + half, count - half, &error),
                     AKIN_OK);
    assert_int_equal(akin_clusters_close(context, clusters, &error), AKIN_OK);
    for (uint32_t row = 0; row < g->rows; row++)
        labels[row] = akin_clusters_row(clusters, row);
    akin_clusters_free(clusters);
}

/* Holds the clusters by all contexts against what is expected. */
static void check(const graph *g, const char *clustering, akin_random *random, const uint32_t *expected)
{
    uint32_t labels[ROWS];
    for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++) {
        cluster(g, clustering, random, contexts[i], labels);
        for (uint32_t row = 0; row < g->rows; row++)
            if (labels[row] != expected[row])
                fail_msg("%s, context %zu: row %u is with row %u; expected %u", clustering, i, row, labels[row],
                         expected[row]);
    }
}

/* ---------------------------------------------------------------------------------------------------------- average */

/* The sum of similarities between two clusters, and the pairs of their rows. */
static uint64_t sum_between(const graph *g, const uint32_t *labels, uint32_t x, uint32_t y, uint64_t *pairs)
{
    uint64_t sum = 0;
    *pairs = 0;
    for (uint32_t a = 0; a < g->rows; a++)
        for (uint32_t b = 0; b < g->rows; b++)
            if (labels[a] == x && labels[b] == y) {
                sum += g->sims[a][b];
                *pairs += g->lefts == g->rows || (a < g->lefts) != (b < g->lefts);
            }
    return sum;
}

/* Merges the best two clusters, looked for among all, until their mean is below least / 16. */
static void merge_best(const graph *g, uint32_t least, uint32_t *labels)
{
    for (uint32_t row = 0; row < g->rows; row++)
        labels[row] = row;
    for (;;) {
        uint64_t best_sum = 0, best_pairs = 1;
        uint32_t best[2] = {0, 0};
        for (uint32_t x = 0; x < g->rows; x++)
            for (uint32_t y = x + 1; y < g->rows; y++) {
                uint64_t pairs, sum = sum_between(g, labels, x, y, &pairs);
                if (sum * best_pairs > best_sum * pairs) { /* x and y ascend: of equal means the first pair */
                    best_sum = sum;
                    best_pairs = pairs;
                    best[0] = x;
                    best[1] = y;
                }
            }
        if (best_sum == 0 || best_sum < least * best_pairs)
            return;
        for (uint32_t row = 0; row < g->rows; row++)
            if (labels[row] == best[1])
                labels[row] = best[0];
    }
}

static void test_average(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 1);
    for (int i = 0; i < 150; i++) {
        static graph g;
        uint32_t expected[ROWS];
        draw(&random, 2 + (uint32_t)akin_random_below(&random, i % 10 == 0 ? ROWS - 1 : 15),
             1 + (uint32_t)akin_random_below(&random, 4), 20 + (uint32_t)akin_random_below(&random, 80), &g);
        merge_best(&g, 8, expected);
        check(&g, "average", &random, expected);
        merge_best(&g, 4, expected);
        check(&g, "average:.25", &random, expected);
        merge_best(&g, 14, expected);
        check(&g, "average:7/8", &random, expected);
    }
}

/* Pairs between two tables, no two of the same similarity: rows of one table do not count. */
static void test_average_of_two(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 5);
    for (int i = 0; i < 200; i++) {
        static graph g;
        uint32_t expected[ROWS], used = 0;
        draw(&random, 4 + (uint32_t)akin_random_below(&random, 14), 1 + (uint32_t)akin_random_below(&random, 3),
             30 + (uint32_t)akin_random_below(&random, 70), &g);
        g.lefts = 1 + (uint32_t)akin_random_below(&random, g.rows - 1);
        for (uint32_t a = 0; a < g.rows; a++)
            for (uint32_t b = a + 1; b < g.rows; b++) {
                const int is_pair = g.sims[a][b] > 0 && a < g.lefts && b >= g.lefts;
                used += (uint32_t)is_pair;
                g.sims[a][b] = g.sims[b][a] = is_pair ? 4 * 4096 + (used * 977 + (uint32_t)i) % 4093 * 3 : 0;
            }
        merge_best(&g, 8 * 4096, expected);
        check(&g, "average", &random, expected);
        merge_best(&g, 5 * 4096, expected);
        check(&g, "average:5/16", &random, expected);
    }
}

/* ---------------------------------------------------------------------------------------------------------- centers */

static void join_clusters(const graph *g, uint32_t *labels, uint32_t a, uint32_t b)
{
    const uint32_t x = labels[a] < labels[b] ? labels[a] : labels[b], y = labels[a] < labels[b] ? labels[b] : labels[a];
    for (uint32_t row = 0; row < g->rows; row++)
        if (labels[row] == y)
            labels[row] = x;
}

/* Looks at the pairs of each similarity in turn. */
static void find_centers(const graph *g, int merges, uint32_t *labels)
{
    int is_seen[ROWS] = {0}, is_center[ROWS] = {0};
    for (uint32_t row = 0; row < g->rows; row++)
        labels[row] = row;
    for (uint32_t similarity = 16; similarity > 0; similarity--)
        for (uint32_t a = 0; a < g->rows; a++)
            for (uint32_t b = a + 1; b < g->rows; b++) {
                if (g->sims[a][b] != similarity)
                    continue;
                const int joins = is_seen[a] != is_seen[b] && (is_center[a] || is_center[b]);
                const int merged = merges && is_seen[a] && is_seen[b] && (is_center[a] || is_center[b]);
                const int both = !is_seen[a] && !is_seen[b];
                if (joins || merged || both)
                    join_clusters(g, labels, a, b);
                if (!joins && !is_seen[a])
                    is_center[a] = 1;
                else if (!joins && !is_seen[b])
                    is_center[b] = 1;
                is_seen[a] = is_seen[b] = 1;
            }
}

static void test_centers(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 2);
    for (int i = 0; i < 200; i++) {
        static graph g;
        uint32_t expected[ROWS];
        draw(&random, 2 + (uint32_t)akin_random_below(&random, 30), 1 + (uint32_t)akin_random_below(&random, 4),
             5 + (uint32_t)akin_random_below(&random, 60), &g);
        find_centers(&g, 0, expected);
        check(&g, "center", &random, expected);
        find_centers(&g, 1, expected);
        check(&g, "merge-center", &random, expected);
    }
}

/* ------------------------------------------------------------------------------------------------------ correlation */

/* The sum of 2 * similarity - 1, in 1 / 16, over the pairs in a cluster. */
static int64_t sum_inside(const graph *g, const uint32_t *labels)
{
    int64_t sum = 0;
    for (uint32_t a = 0; a < g->rows; a++)
        for (uint32_t b = a + 1; b < g->rows; b++)
            if (labels[a] == labels[b] && (g->lefts == g->rows || (a < g->lefts) != (b < g->lefts)))
                sum += 2 * (int64_t)g->sims[a][b] - (g->lefts < g->rows ? 65536 : 16);
    return sum;
}

/* The largest sum of all ways to part rows from `row` on, given those of the rows before. */
static int64_t find_most(const graph *g, uint32_t row, uint32_t used, uint32_t *labels)
{
    int64_t most = INT64_MIN;
    if (row == g->rows)
        return sum_inside(g, labels);
    for (uint32_t label = 0; label <= used; label++) {
        labels[row] = label;
        const int64_t sum = find_most(g, row + 1, label == used ? used + 1 : used, labels);
        most = sum > most ? sum : most;
    }
    return most;
}

/* No row can be moved to raise the sum. */
static void check_moves(const graph *g, const uint32_t *labels)
{
    const int64_t sum = sum_inside(g, labels);
    uint32_t moved[ROWS];
    for (uint32_t row = 0; row < g->rows; row++)
        for (uint32_t to = 0; to <= g->rows; to++) {
            memcpy(moved, labels, sizeof moved);
            moved[row] = to;
            assert_true(sum_inside(g, moved) <= sum);
        }
}

/* The sum is at least that of average linkage, no move raises it, and it is the largest one of most small graphs. */
static void test_correlation(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 3);
    int found = 0;
    for (int i = 0; i < 200; i++) {
        static graph g;
        uint32_t labels[ROWS], average[ROWS], other[ROWS];
        draw(&random, 7, 1 + (uint32_t)akin_random_below(&random, 2), 30 + (uint32_t)akin_random_below(&random, 70),
             &g);
        cluster(&g, "correlation", &random, contexts[0], labels);
        check(&g, "correlation", &random, labels);
        check_moves(&g, labels);
        cluster(&g, "average", &random, contexts[0], average);
        assert_true(sum_inside(&g, labels) >= sum_inside(&g, average));
        const int64_t most = find_most(&g, 0, 0, other);
        assert_true(sum_inside(&g, labels) <= most);
        found += sum_inside(&g, labels) == most;
    }
    assert_true(found >= 180);
    for (int i = 0; i < 50; i++) {
        static graph g;
        uint32_t labels[ROWS];
        draw(&random, 20, 2, 60, &g);
        g.lefts = 1 + (uint32_t)akin_random_below(&random, 19);
        for (uint32_t a = 0; a < g.rows; a++)
            for (uint32_t b = a + 1; b < g.rows; b++)
                g.sims[a][b] = g.sims[b][a] = a < g.lefts && b >= g.lefts ? 4096 * g.sims[a][b] : 0;
        cluster(&g, "correlation", &random, contexts[0], labels);
        check(&g, "correlation", &random, labels);
        check_moves(&g, labels);
    }
    for (int i = 0; i < 20; i++) {
        static graph g;
        uint32_t labels[ROWS];
        draw(&random, ROWS, 3, 40, &g);
        cluster(&g, "correlation", &random, contexts[0], labels);
        check(&g, "correlation", &random, labels);
        check_moves(&g, labels);
    }
}

/* ----------------------------------------------------------------------------------------------------------- others */

/* A chain of rows is one component, and clusters of two. */
static void test_chain(void **state)
{
    (void)state;
    enum { LONG = 100000 };
    static akin_pair pairs[LONG];
    static double similarities[LONG];
    akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
    options.clustering = AKIN_CLUSTERING_AVERAGE;
    akin_clusters *clusters = NULL;
    akin_error error;
    for (uint32_t i = 0; i + 1 < LONG; i++) {
        pairs[i] = (akin_pair){i, i + 1, 0};
        similarities[i] = 0.9;
    }
    assert_int_equal(akin_clusters_create_by(contexts[1], LONG / 2, LONG / 2, &options, &clusters, &error), AKIN_OK);
    for (uint32_t i = 0; i + 1 < LONG / 2; i++)
        pairs[i] = (akin_pair){i, i, 0}; /* row i of the right side, too */
    assert_int_equal(akin_clusters_add(clusters, pairs, similarities, LONG / 2 - 1, &error), AKIN_OK);
    assert_int_equal(akin_clusters_close(contexts[1], clusters, &error), AKIN_OK);
    assert_int_equal(akin_clusters_count(clusters), LONG - (LONG / 2 - 1));
    assert_int_equal(akin_clusters_row(clusters, LONG / 2), 0);
    akin_clusters_free(clusters);

    for (uint32_t i = 0; i + 1 < LONG; i++)
        pairs[i] = (akin_pair){i, i + 1, 0};
    assert_int_equal(akin_clusters_create_by(contexts[1], LONG, 0, &options, &clusters, &error), AKIN_OK);
    assert_int_equal(akin_clusters_add(clusters, pairs, similarities, LONG - 1, &error), AKIN_OK);
    assert_int_equal(akin_clusters_close(contexts[1], clusters, &error), AKIN_OK);
    assert_int_equal(akin_clusters_count(clusters), LONG / 2);
    for (uint32_t i = 0; i < LONG; i++)
        assert_int_equal(akin_clusters_row(clusters, i), i / 2 * 2);
    akin_clusters_free(clusters);
}

/* Similarities beyond the bounds count as the bounds; negative ones part rows. */
static void test_extreme(void **state)
{
    static const akin_pair pairs[] = {{0, 1, 0}, {1, 2, 0}, {0, 2, 0}, {3, 4, 0}};
    static const double similarities[] = {INFINITY, 1e300, -INFINITY, 127};
    akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_clusters *clusters = NULL;
    akin_error error;
    (void)state;
    options.clustering = AKIN_CLUSTERING_AVERAGE;
    assert_int_equal(akin_clusters_create_by(contexts[0], 5, 0, &options, &clusters, &error), AKIN_OK);
    assert_int_equal(akin_clusters_connect(contexts[0], clusters, pairs, similarities, 4, &error), AKIN_OK);
    assert_int_equal(akin_clusters_close(contexts[0], clusters, &error), AKIN_OK);
    assert_int_equal(akin_clusters_row(clusters, 1), 0);
    assert_int_equal(akin_clusters_row(clusters, 2), 2); /* (127 - 127) / 2 is below 1/2 */
    assert_int_equal(akin_clusters_row(clusters, 4), 3);
    akin_clusters_free(clusters);
}

/* A job that is cancelled at any call can be closed again. */
static void test_cancel(void **state)
{
    (void)state;
    enum { MANY = 300000 };
    static akin_pair pairs[MANY];
    static double similarities[MANY];
    akin_random random;
    akin_random_seed(&random, 4);
    for (uint32_t i = 0; i < MANY; i++) {
        pairs[i] =
            (akin_pair){(uint32_t)akin_random_below(&random, 2000), (uint32_t)akin_random_below(&random, 2000), 0};
        similarities[i] = 0.5 + (double)akin_random_below(&random, 100) / 200;
    }
    static const uint32_t splits[] = {AKIN_CLUSTERING_AVERAGE, AKIN_CLUSTERING_CENTER, AKIN_CLUSTERING_MERGE_CENTER,
                                      AKIN_CLUSTERING_CORRELATION};
    for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) {
        akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
        akin_clusters *clusters = NULL;
        akin_error error;
        int cancelled = 0;
        akin_status status = AKIN_E_CANCELLED;
        options.clustering = splits[i];
        assert_int_equal(akin_clusters_create_by(contexts[1], 2000, 0, &options, &clusters, &error), AKIN_OK);
        assert_int_equal(akin_clusters_add(clusters, pairs, similarities, MANY, &error), AKIN_OK);
        for (int limit = 1; status == AKIN_E_CANCELLED; limit += 3, cancelled++) {
            calls_left = limit;
            status = akin_clusters_close(contexts[1], clusters, &error);
        }
        calls_left = INT_MAX;
        assert_int_equal(status, AKIN_OK);
        assert_true(cancelled > 1);
        akin_clusters *whole = NULL;
        assert_int_equal(akin_clusters_create_by(contexts[0], 2000, 0, &options, &whole, &error), AKIN_OK);
        assert_int_equal(akin_clusters_add(whole, pairs, similarities, MANY, &error), AKIN_OK);
        assert_int_equal(akin_clusters_close(contexts[0], whole, &error), AKIN_OK);
        for (uint32_t row = 0; row < 2000; row++)
            assert_int_equal(akin_clusters_row(clusters, row), akin_clusters_row(whole, row));
        akin_clusters_free(whole);
        akin_clusters_free(clusters);
    }
}

static int open_contexts(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof contexts / sizeof *contexts; i++) {
        akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
        options.threads = i + 1;
        options.device = "cpu";
        options.memory = i == 2 ? 16 << 20 : 0;
        options.cancel = stop;
        options.user = &calls_left;
        if (akin_context_create(&options, &contexts[i], NULL) != AKIN_OK)
            return 1;
    }
    return 0;
}

/* Adds the pairs of many triples of rows, which are in any order, some of them twice: row i, and the rows TRIPLES and
 * 2 * TRIPLES behind it. Those of each fifth row are alone, as their pairs are of a row with itself. */
static uint64_t list_triples(akin_random *random, akin_pair *pairs, double *similarities)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < 4 * TRIPLES; i++) {
        const uint32_t row = i % TRIPLES, side = i / TRIPLES;
        const uint32_t a = row + side % 3 * TRIPLES, b = row % 5 ? row + (side + 1) % 3 * TRIPLES : a;
        const uint64_t to = akin_random_below(random, ++count);
        pairs[count - 1] = pairs[to];
        pairs[to] = (akin_pair){.left = a, .right = b};
        similarities[count - 1] = 1;
    }
    return count;
}

/* Each thread has many tasks. */
static void test_triples(void **state)
{
    akin_pair *pairs = malloc(4 * TRIPLES * sizeof *pairs);
    double *similarities = malloc(4 * TRIPLES * sizeof *similarities);
    akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_random random;
    (void)state;
    assert_true(pairs && similarities);
    akin_random_seed(&random, 12);
    const uint64_t count = list_triples(&random, pairs, similarities);
    options.clustering = AKIN_CLUSTERING_AVERAGE;
    for (size_t c = 0; c < sizeof contexts / sizeof *contexts; c++) {
        akin_clusters *clusters = NULL;
        assert_int_equal(akin_clusters_create_by(contexts[c], 3 * TRIPLES, 0, &options, &clusters, NULL), AKIN_OK);
        assert_int_equal(akin_clusters_connect(contexts[c], clusters, pairs, similarities, count, NULL), AKIN_OK);
        assert_int_equal(akin_clusters_close(contexts[c], clusters, NULL), AKIN_OK);
        for (uint32_t row = 0; row < 3 * TRIPLES; row++) {
            const int is_alone = row % TRIPLES % 5 == 0;
            assert_int_equal(akin_clusters_row(clusters, row), is_alone ? row : row % TRIPLES);
            assert_int_equal(akin_clusters_size(clusters, row), is_alone ? 1 : 3);
        }
        akin_clusters_free(clusters);
    }
    free(pairs);
    free(similarities);
}

/* A parameter is above 0, and at most 1. */
static void test_parameters(void **state)
{
    static const akin_ratio bad[] = {{2, 1}, {UINT32_MAX, 1}, {1, UINT32_MAX}};
    akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_clusters *clusters = NULL;
    akin_error error;
    (void)state;
    assert_int_equal(akin_clusters_options_parse(NULL, "average:0", &options, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "clustering 'average:0': expected average[:T]");
    options.clustering = AKIN_CLUSTERING_CORRELATION;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        options.parameter = bad[i];
        assert_int_equal(akin_clusters_create_by(contexts[0], 2, 0, &options, &clusters, &error), AKIN_E_OPTION);
        assert_non_null(strstr(error.message, "clustering correlation: its parameter is "));
    }
}

static int close_contexts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++)
        akin_context_free(contexts[i]);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_average),     cmocka_unit_test(test_average_of_two), cmocka_unit_test(test_centers),
        cmocka_unit_test(test_correlation), cmocka_unit_test(test_chain),          cmocka_unit_test(test_extreme),
        cmocka_unit_test(test_cancel),      cmocka_unit_test(test_triples),        cmocka_unit_test(test_parameters),
    };
    return cmocka_run_group_tests(tests, open_contexts, close_contexts);
}
