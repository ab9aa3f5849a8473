/* Clusterings that keep the rows of a source apart, against plain searches, with any order of pairs and threads. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "akin.h"
#include "akin_papers.h"
#include "base/random.h"

#define ROWS  40
#define PAIRS (ROWS * ROWS)

/* A graph of rows, the pairs of which have similarities in 1 / 65536; 0: no pair. */
typedef struct graph {
    uint32_t rows;
    uint32_t lefts; /* of two tables: rows of the left one, the first rows; else all */
    uint32_t sims[ROWS][ROWS];
    uint32_t sources[ROWS];
} graph;

#define UNIT 4096 /* of similarities, so many are equal */
#define ONE  65536

static akin_context *contexts[3];

/* Draws pairs, and sources that are `apart` from one another: so their numbers are large, and equal modulo 64. */
static void draw(akin_random *random, uint32_t rows, uint32_t sources, uint32_t apart, graph *g)
{
    const uint32_t chance = 20 + (uint32_t)akin_random_below(random, 80);
    memset(g, 0, sizeof *g);
    g->rows = g->lefts = rows;
    for (uint32_t a = 0; a < rows; a++) {
        const uint32_t source = (uint32_t)akin_random_below(random, sources + 1);
        g->sources[a] = source == sources ? AKIN_NO_SOURCE : source * apart;
        for (uint32_t b = 0; b < a; b++)
            if (akin_random_below(random, 100) < chance)
                g->sims[a][b] = g->sims[b][a] = UNIT * (4 + 2 * (uint32_t)akin_random_below(random, 7));
    }
}

/* Makes the rows those of two tables, with pairs of different similarities between them alone. */
static void part(akin_random *random, graph *g)
{
    uint32_t used = 0;
    g->lefts = 1 + (uint32_t)akin_random_below(random, g->rows - 1);
    for (uint32_t a = 0; a < g->rows; a++)
        for (uint32_t b = a + 1; b < g->rows; b++) {
            const int is_pair = a < g->lefts && b >= g->lefts && g->sims[a][b] > 0;
            used += (uint32_t)is_pair;
            g->sims[a][b] = g->sims[b][a] = is_pair ? ONE / 4 + used * 977 % 4093 * 11 : 0;
        }
}

static int is_of_one(const graph *g, uint32_t a, uint32_t b)
{
    return g->sources[a] == g->sources[b] && g->sources[a] != AKIN_NO_SOURCE;
}

/* The labels of a clustering, of pairs in some order, each in some direction. */
static void cluster(const graph *g, const char *clustering, akin_random *random, akin_context *context,
                    uint32_t *labels)
{
    static akin_pair pairs[PAIRS];
    static double similarities[PAIRS];
    akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_clusters *clusters = NULL;
    akin_error error;
    uint64_t count = 0;
    for (uint32_t a = 0; a < g->rows; a++)
        for (uint32_t b = a + 1; b < g->rows; b++) {
            if (g->sims[a][b] == 0)
                continue;
            const uint64_t to = akin_random_below(random, ++count);
            const int turned = g->lefts == g->rows && akin_random_below(random, 2) == 1;
            const uint32_t right = g->lefts < g->rows ? b - g->lefts : b;
            pairs[count - 1] = pairs[to];
            similarities[count - 1] = similarities[to];
            pairs[to] = (akin_pair){turned ? right : a, turned ? a : right, 0};
            similarities[to] = (double)g->sims[a][b] / ONE;
        }
    assert_int_equal(akin_clusters_options_parse(NULL, clustering, &options, &error), AKIN_OK);
    assert_int_equal(akin_clusters_create_by(context, g->lefts, g->rows - g->lefts, &options, &clusters, &error),
                     AKIN_OK);
    assert_int_equal(akin_clusters_separate(context, clusters, g->sources, &error), AKIN_OK);
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
    for (uint32_t a = 0; a < g->rows; a++)
        for (uint32_t b = a + 1; b < g->rows; b++)
            assert_false(labels[a] == labels[b] && is_of_one(g, a, b));
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

/* ------------------------------------------------------------------------------------------------------------ plain */

/* Whether two clusters have rows of one source. */
static int are_apart(const graph *g, const uint32_t *labels, uint32_t x, uint32_t y)
{
    for (uint32_t a = 0; a < g->rows; a++)
        for (uint32_t b = 0; b < g->rows; b++)
            if (labels[a] == x && labels[b] == y && is_of_one(g, a, b))
                return 1;
    return 0;
}

/* Makes one cluster of those of two rows; 0: sources keep them apart. */
static int join(const graph *g, uint32_t *labels, uint32_t a, uint32_t b)
{
    const uint32_t x = labels[a] < labels[b] ? labels[a] : labels[b], y = labels[a] < labels[b] ? labels[b] : labels[a];
    if (x != y && are_apart(g, labels, x, y))
        return 0;
    for (uint32_t row = 0; row < g->rows; row++)
        if (labels[row] == y)
            labels[row] = x;
    return 1;
}

static void begin_plain(const graph *g, uint32_t *labels)
{
    for (uint32_t row = 0; row < g->rows; row++)
        labels[row] = row;
}

/* The largest similarity of the pairs below that one; 0: there is none. */
static uint32_t next_below(const graph *g, uint32_t similarity)
{
    uint32_t next = 0;
    for (uint32_t a = 0; a < g->rows; a++)
        for (uint32_t b = 0; b < a; b++)
            if (g->sims[a][b] < similarity && g->sims[a][b] > next)
                next = g->sims[a][b];
    return next;
}

/* Takes the pairs of each similarity in turn, by their rows. */
static void find_components(const graph *g, uint32_t *labels)
{
    begin_plain(g, labels);
    for (uint32_t similarity = next_below(g, UINT32_MAX); similarity > 0; similarity = next_below(g, similarity))
        for (uint32_t a = 0; a < g->rows; a++)
            for (uint32_t b = a + 1; b < g->rows; b++)
                if (g->sims[a][b] == similarity)
                    join(g, labels, a, b);
}

/* Merges the best two clusters that may be, looked for among all, until their mean is below `least`. */
static void merge_best(const graph *g, uint32_t least, uint32_t *labels)
{
    begin_plain(g, labels);
    for (;;) {
        uint64_t best_sum = 0, best_pairs = 1;
        uint32_t best[2] = {0, 0};
        for (uint32_t x = 0; x < g->rows; x++)
            for (uint32_t y = x + 1; y < g->rows; y++) {
                uint64_t sum = 0, pairs = 0;
                for (uint32_t a = 0; a < g->rows; a++)
                    for (uint32_t b = 0; b < g->rows; b++)
                        if (labels[a] == x && labels[b] == y) {
                            sum += g->sims[a][b];
                            pairs += g->lefts == g->rows || (a < g->lefts) != (b < g->lefts);
                        }
                if (sum * best_pairs <= best_sum * pairs || are_apart(g, labels, x, y))
                    continue; /* x and y ascend: of equal means the first pair */
                best_sum = sum;
                best_pairs = pairs;
                best[0] = x;
                best[1] = y;
            }
        if (best_sum == 0 || best_sum < least * best_pairs)
            return;
        assert_true(join(g, labels, best[0], best[1]));
    }
}

/* Takes the pairs of each similarity in turn, as long as the first pair of a row that counts is not found. */
static void find_centers(const graph *g, int merges, uint32_t *labels)
{
    int is_seen[ROWS] = {0}, is_center[ROWS] = {0};
    begin_plain(g, labels);
    for (uint32_t similarity = next_below(g, UINT32_MAX); similarity > 0; similarity = next_below(g, similarity))
        for (uint32_t a = 0; a < g->rows; a++)
            for (uint32_t b = a + 1; b < g->rows; b++) {
                if (g->sims[a][b] != similarity || is_of_one(g, a, b))
                    continue;
                const uint32_t fresh = is_seen[a] ? b : a, other = is_seen[a] ? a : b;
                if (is_seen[a] && is_seen[b]) {
                    if (merges && (is_center[a] || is_center[b]))
                        join(g, labels, a, b);
                } else if (!is_seen[a] && !is_seen[b]) {
                    is_seen[a] = is_seen[b] = is_center[a] = join(g, labels, a, b);
                } else if (!is_center[other]) {
                    is_seen[fresh] = is_center[fresh] = 1;
                } else {
                    is_seen[fresh] = join(g, labels, fresh, other);
                }
            }
}

/* ------------------------------------------------------------------------------------------------------------ tests */

/* Numbers that sources are apart: few sources, many, and many that are equal modulo 64. */
static const uint32_t aparts[] = {1, 7, 64};
#define APARTS (sizeof aparts / sizeof *aparts)

static void draw_any(akin_random *random, int i, graph *g)
{
    draw(random, 2 + (uint32_t)akin_random_below(random, i % 10 == 0 ? ROWS - 1 : 12),
         1 + (uint32_t)akin_random_below(random, 12), aparts[(size_t)i % APARTS], g);
}

static void test_components(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 1);
    for (int i = 0; i < 60; i++) {
        static graph g;
        uint32_t expected[ROWS];
        draw_any(&random, i, &g);
        if (i % 4 == 3)
            part(&random, &g);
        find_components(&g, expected);
        check(&g, "components", &random, expected);
    }
}

static void test_average(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 2);
    for (int i = 0; i < 150; i++) {
        static graph g;
        uint32_t expected[ROWS];
        draw_any(&random, i, &g);
        if (i % 4 == 3)
            part(&random, &g);
        merge_best(&g, ONE / 2, expected);
        check(&g, "average", &random, expected);
        merge_best(&g, ONE / 4, expected);
        check(&g, "average:.25", &random, expected);
        merge_best(&g, 1, expected);
        check(&g, "average:1/65536", &random, expected);
    }
}

static void test_centers(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 3);
    for (int i = 0; i < 60; i++) {
        static graph g;
        uint32_t expected[ROWS];
        draw_any(&random, i, &g);
        if (i % 4 == 3)
            part(&random, &g);
        find_centers(&g, 0, expected);
        check(&g, "center", &random, expected);
        find_centers(&g, 1, expected);
        check(&g, "merge-center", &random, expected);
    }
}

/* The sum of 2 * similarity - 1 over the pairs in a cluster. */
static int64_t sum_inside(const graph *g, const uint32_t *labels)
{
    int64_t sum = 0;
    for (uint32_t a = 0; a < g->rows; a++)
        for (uint32_t b = a + 1; b < g->rows; b++)
            if (labels[a] == labels[b] && (g->lefts == g->rows || (a < g->lefts) != (b < g->lefts)))
                sum += 2 * (int64_t)g->sims[a][b] - ONE;
    return sum;
}

/* The largest sum of all ways to part rows from `row` on that sources permit, given the labels of the rows before. */
static int64_t find_most(const graph *g, uint32_t row, uint32_t used, uint32_t *labels)
{
    int64_t most = INT64_MIN;
    if (row == g->rows)
        return sum_inside(g, labels);
    for (uint32_t label = 0; label <= used; label++) {
        int is_open = 1;
        for (uint32_t before = 0; before < row; before++)
            is_open = is_open && !(labels[before] == label && is_of_one(g, before, row));
        labels[row] = label;
        const int64_t sum = is_open ? find_most(g, row + 1, label == used ? used + 1 : used, labels) : INT64_MIN;
        most = sum > most ? sum : most;
    }
    return most;
}

/* No row can be moved to raise the sum, where sources permit it. */
static void check_moves(const graph *g, const uint32_t *labels)
{
    const int64_t sum = sum_inside(g, labels);
    uint32_t moved[ROWS];
    for (uint32_t row = 0; row < g->rows; row++)
        for (uint32_t to = 0; to <= g->rows; to++) {
            int is_open = 1;
            for (uint32_t other = 0; other < g->rows; other++)
                is_open = is_open && (other == row || labels[other] != to || !is_of_one(g, other, row));
            memcpy(moved, labels, sizeof moved);
            moved[row] = to;
            assert_true(!is_open || sum_inside(g, moved) <= sum);
        }
}

/* The sum is at least that of average linkage, no move raises it, and it is the largest one of most small graphs. */
static void test_correlation(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 4);
    int found = 0;
    for (int i = 0; i < 200; i++) {
        static graph g;
        uint32_t labels[ROWS], average[ROWS], other[ROWS];
        draw(&random, i < 150 ? 7 : ROWS, 1 + (uint32_t)akin_random_below(&random, 12), aparts[(size_t)i % APARTS], &g);
        if (i % 4 == 3)
            part(&random, &g);
        cluster(&g, "correlation", &random, contexts[0], labels);
        check(&g, "correlation", &random, labels);
        check_moves(&g, labels);
        cluster(&g, "average", &random, contexts[0], average);
        assert_true(sum_inside(&g, labels) >= sum_inside(&g, average));
        if (i >= 150)
            continue;
        const int64_t most = find_most(&g, 0, 0, other);
        assert_true(sum_inside(&g, labels) <= most);
        found += sum_inside(&g, labels) == most;
    }
    assert_true(found >= 120);
}

/* Without sources the clusters are those of the clustering, and connected components. */
static void test_no_sources(void **state)
{
    (void)state;
    static const akin_pair pairs[] = {{4, 1, 0}, {1, 2, 0}, {3, 5, 0}};
    static const double similarities[] = {0.1, 0.9, -1};
    static const uint32_t expected[] = {0, 1, 1, 3, 1, 3}, none[6] = {AKIN_NO_SOURCE, AKIN_NO_SOURCE, AKIN_NO_SOURCE,
                                                                      AKIN_NO_SOURCE, AKIN_NO_SOURCE, AKIN_NO_SOURCE};
    akin_clusters *clusters = NULL;
    akin_error error;
    assert_int_equal(akin_clusters_create(NULL, 6, 0, &clusters, &error), AKIN_OK);
    assert_int_equal(akin_clusters_separate(NULL, clusters, (const uint32_t[]){1, 1, 1, 1, 1, 1}, &error), AKIN_OK);
    assert_int_equal(akin_clusters_separate(NULL, clusters, none, &error), AKIN_OK); /* in their place */
    assert_int_equal(akin_clusters_add(clusters, pairs, similarities, 3, &error), AKIN_OK);
    assert_int_equal(akin_clusters_close(contexts[0], clusters, &error), AKIN_OK);
    for (uint32_t row = 0; row < 6; row++)
        assert_int_equal(akin_clusters_row(clusters, row), expected[row]);
    akin_clusters_free(clusters);
    assert_int_equal(akin_clusters_create(NULL, 0, 0, &clusters, &error), AKIN_OK);
    assert_int_equal(akin_clusters_separate(NULL, clusters, NULL, &error), AKIN_OK);
    assert_int_equal(akin_clusters_close(contexts[0], clusters, &error), AKIN_OK);
    akin_clusters_free(clusters);
}

static void test_refused(void **state)
{
    (void)state;
    static const akin_pair pair = {0, 1, 0};
    static const uint32_t sources[2] = {0, 1};
    akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_clusters *clusters = NULL;
    akin_context *context = NULL;
    akin_error error;
    const double similarity = 1;
    assert_int_equal(akin_clusters_create(NULL, 2, 0, &clusters, &error), AKIN_OK);
    assert_int_equal(akin_clusters_separate(NULL, clusters, sources, &error), AKIN_OK);
    assert_int_equal(akin_clusters_add(clusters, &pair, NULL, 1, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "components that keeps sources apart needs the similarities"));
    assert_int_not_equal(akin_clusters_sink(clusters, &pair, 1), 0);
    assert_int_equal(akin_clusters_add(clusters, &pair, &similarity, 1, &error), AKIN_OK);
    assert_int_equal(akin_clusters_separate(NULL, clusters, sources, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "have pairs already"));
    akin_clusters_free(clusters);
    assert_int_equal(akin_context_create(NULL, &context, &error), AKIN_OK);
    assert_int_equal(akin_context_use(context, akin_papers(), &error), AKIN_OK);
    options.clustering = AKIN_CLUSTERING_WARSHALL;
    assert_int_equal(akin_clusters_create_by(context, 2, 0, &options, &clusters, &error), AKIN_OK);
    assert_int_equal(akin_clusters_separate(context, clusters, sources, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "cannot keep the records of a source apart: expected components"));
    akin_clusters_free(clusters);
    akin_context_free(context);
}

/* A large component of many sources: rows of one entity have one group, and pairs of other rows are less similar. */
static void test_many(void **state)
{
    (void)state;
    enum { ENTITIES = 300, SOURCES = 100, CHAINS = ENTITIES - 1, MANY = ENTITIES * SOURCES };
    static const char *const clusterings[] = {"components", "average", "center", "merge-center", "correlation"};
    static akin_pair pairs[2 * MANY];
    static double similarities[2 * MANY];
    static uint32_t sources[MANY];
    uint64_t count = 0;
    for (uint32_t row = 0; row < MANY; row++) {
        sources[row] = row / ENTITIES;
        if (row >= ENTITIES) { /* with the first row of its entity */
            pairs[count] = (akin_pair){row % ENTITIES, row, 0};
            similarities[count++] = 0.9;
        }
        if (row % ENTITIES < CHAINS && row >= ENTITIES) { /* with one of another entity */
            pairs[count] = (akin_pair){row % ENTITIES + 1, row, 0};
            similarities[count++] = 0.8;
        }
    }
    for (size_t i = 0; i < sizeof clusterings / sizeof *clusterings; i++) {
        akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
        akin_clusters *clusters = NULL;
        akin_error error;
        uint32_t largest = 0;
        assert_int_equal(akin_clusters_options_parse(NULL, clusterings[i], &options, &error), AKIN_OK);
        assert_int_equal(akin_clusters_create_by(contexts[2], MANY, 0, &options, &clusters, &error), AKIN_OK);
        assert_int_equal(akin_clusters_separate(contexts[2], clusters, sources, &error), AKIN_OK);
        assert_int_equal(akin_clusters_connect(contexts[2], clusters, pairs, similarities, count, &error), AKIN_OK);
        assert_int_equal(akin_clusters_close(contexts[2], clusters, &error), AKIN_OK);
        for (uint32_t row = 0; row < MANY; row++)
            largest = akin_clusters_size(clusters, row) > largest ? akin_clusters_size(clusters, row) : largest;
        assert_true(largest <= SOURCES);
        if (i == 0) /* the pairs of an entity come first, and no other one has a place then */
            for (uint32_t row = 0; row < MANY; row++)
                assert_int_equal(akin_clusters_row(clusters, row), row % ENTITIES);
        akin_clusters_free(clusters);
    }
}

/* The last one has little memory, so pairs are in a file. */
static int open_contexts(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof contexts / sizeof *contexts; i++) {
        akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
        options.threads = i + 1;
        options.device = "cpu";
        options.memory = i == 2 ? 16 << 20 : 0;
        if (akin_context_create(&options, &contexts[i], NULL) != AKIN_OK)
            return 1;
    }
    return 0;
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_components), cmocka_unit_test(test_average),
                                       cmocka_unit_test(test_centers),    cmocka_unit_test(test_correlation),
                                       cmocka_unit_test(test_no_sources), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_many)};
    return cmocka_run_group_tests(tests, open_contexts, close_contexts);
}
