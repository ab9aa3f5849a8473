/* Clusters against a search, breadth first, of the same graph; and the clusters of whole joins. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/random.h"

#include <stdlib.h>
#include <math.h>
#include <string.h>

#include "annex.h"
#include "graph/clustering.h"

#define ROWS  300
#define PAIRS 1500

/* A graph: pairs of rows_left and rows_right rows (0: of the left ones alone). */
typedef struct graph {
    uint32_t rows_left, rows_right;
    size_t count;
    akin_pair pairs[PAIRS];
} graph;

static uint32_t rows_of(const graph *g)
{
    return g->rows_left + g->rows_right;
}

static uint32_t right_of(const graph *g, size_t i)
{
    return g->pairs[i].right + (g->rows_right ? g->rows_left : 0);
}

static void join_rows(graph *g, uint32_t left, uint32_t right)
{
    assert_true(g->count < PAIRS);
    g->pairs[g->count++] = (akin_pair){left, right, 1};
}

/* Visits everything that can be reached from `start`, which becomes its label. */
static void search(const graph *g, uint32_t start, uint32_t *labels)
{
    uint32_t queue[ROWS], tail = 0;
    queue[tail++] = start;
    labels[start] = start;
    for (uint32_t head = 0; head < tail; head++) {
        for (size_t i = 0; i < g->count; i++) {
            uint32_t a = g->pairs[i].left, b = right_of(g, i);
            uint32_t next = a == queue[head] ? b : b == queue[head] ? a : start;
            if (labels[next] == UINT32_MAX) {
                labels[next] = start;
                queue[tail++] = next;
            }
        }
    }
}

/* Holds the clusters of a graph, all of whose pairs have been added, against the search. */
static void check_clusters(const graph *g, akin_clusters *clusters)
{
    uint32_t labels[ROWS], sizes[ROWS] = {0}, places[ROWS], numbers[ROWS], count = 0;
    memset(labels, 0xff, sizeof labels);
    for (uint32_t row = 0; row < rows_of(g); row++) {
        if (labels[row] == UINT32_MAX) {
            search(g, row, labels);
            places[row] = count++;
        }
        sizes[labels[row]]++;
    }
    akin_clusters_finish(clusters);
    assert_int_equal(akin_clusters_rows(clusters), rows_of(g));
    assert_int_equal(akin_clusters_count(clusters), count);
    akin_clusters_number(clusters, numbers);
    akin_clusters_shape shape = {.size = sizeof shape};
    uint64_t pairs = 0;
    uint32_t many = 0, largest = 0;
    for (uint32_t a = 0; a < rows_of(g); a++) {
        many += sizes[a] > 1;
        largest = sizes[a] > 1 && sizes[a] > largest ? sizes[a] : largest;
        for (uint32_t b = a + 1; b < rows_of(g); b++)
            pairs += labels[a] == labels[b] && (g->rows_right == 0 || (a < g->rows_left && b >= g->rows_left));
    }
    assert_int_equal(akin_clusters_describe(clusters, &shape, NULL), AKIN_OK);
    assert_int_equal(shape.pairs, pairs);
    assert_int_equal(shape.clusters, many);
    assert_int_equal(shape.largest, largest);
    assert_true(largest == 0 || sizes[shape.first] == largest);
    for (uint32_t row = 0; row < rows_of(g); row++) {
        assert_int_equal(akin_clusters_row(clusters, row), labels[row]);
        assert_int_equal(akin_clusters_size(clusters, row), sizes[labels[row]]);
        assert_int_equal(numbers[row], places[labels[row]]);
    }
}

static akin_clusters *create(uint32_t rows_left, uint32_t rows_right)
{
    akin_clusters *clusters = NULL;
    akin_error error;
    assert_int_equal(akin_clusters_create(NULL, rows_left, rows_right, &clusters, &error), AKIN_OK);
    return clusters;
}

/* Adds the pairs `from` .. `to`-1. */
static void add(const graph *g, size_t from, size_t to, akin_clusters *clusters)
{
    akin_error error;
    assert_int_equal(akin_clusters_add(clusters, g->pairs + from, NULL, to - from, &error), AKIN_OK);
}

static void check_graph(const graph *g)
{
    akin_clusters *clusters = create(g->rows_left, g->rows_right);
    add(g, 0, g->count, clusters);
    check_clusters(g, clusters);
    akin_clusters_free(clusters);
}

static void test_no_pairs(void **state)
{
    static const graph graphs[] = {{0}, {.rows_left = 1}, {.rows_left = 7}, {.rows_left = 3, .rows_right = 4}};
    (void)state;
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++)
        check_graph(&graphs[i]);
    akin_clusters *clusters = create(5, 0); /* as they are made, even before they are finished */
    assert_int_equal(akin_clusters_count(clusters), 5);
    assert_int_equal(akin_clusters_row(clusters, 4), 4);
    assert_int_equal(akin_clusters_size(clusters, 4), 1);
    akin_clusters_free(clusters);
    akin_clusters_free(NULL);
}

/* Few pairs leave many clusters, many leave one; and pairs come in any order, twice, or of a row with itself. */
static void test_random(void **state)
{
    static graph g;
    akin_random random;
    (void)state;
    akin_random_seed(&random, 7);
    for (int round = 0; round < 300; round++) {
        memset(&g, 0, sizeof g);
        g.rows_left = 1 + (uint32_t)akin_random_below(&random, 60);
        g.rows_right = round % 2 ? 1 + (uint32_t)akin_random_below(&random, 60) : 0;
        size_t count = (size_t)akin_random_below(&random, 2 * rows_of(&g));
        while (g.count < count)
            join_rows(&g, (uint32_t)akin_random_below(&random, g.rows_left),
                      (uint32_t)akin_random_below(&random, g.rows_right ? g.rows_right : g.rows_left));
        check_graph(&g);
    }
}

/* Chains, rising and falling, a star around the last row, and a tree whose halves meet last: long ways to the root. */
static void test_shapes(void **state)
{
    static graph g;
    (void)state;
    for (int shape = 0; shape < 4; shape++) {
        memset(&g, 0, sizeof g);
        g.rows_left = ROWS;
        if (shape == 3)
            for (uint32_t step = 1; step < ROWS; step *= 2)
                for (uint32_t row = 0; row + step < ROWS; row += 2 * step)
                    join_rows(&g, row + step - 1, row + 2 * step - 1 < ROWS ? row + 2 * step - 1 : ROWS - 1);
        for (uint32_t i = 0; shape < 3 && i + 1 < ROWS; i++) {
            uint32_t row = shape == 0 ? i : ROWS - 2 - i;
            join_rows(&g, row, shape == 2 ? ROWS - 1 : row + 1);
        }
        check_graph(&g);
        akin_clusters *clusters = create(ROWS, 0);
        add(&g, 0, g.count, clusters);
        akin_clusters_finish(clusters);
        assert_int_equal(akin_clusters_count(clusters), 1);
        akin_clusters_free(clusters);
    }
}

/* Clusters that were finished take further pairs, and are right when finished again. */
static void test_again(void **state)
{
    static graph g, half;
    akin_random random;
    (void)state;
    akin_random_seed(&random, 11);
    g.rows_left = 200;
    while (g.count < 240)
        join_rows(&g, (uint32_t)akin_random_below(&random, 200), (uint32_t)akin_random_below(&random, 200));
    half = g;
    half.count /= 2;
    akin_clusters *clusters = create(200, 0);
    add(&half, 0, half.count, clusters);
    check_clusters(&half, clusters);
    check_clusters(&half, clusters);
    add(&g, half.count, g.count, clusters);
    check_clusters(&g, clusters);
    akin_clusters_free(clusters);
}

/* A batch with a row that there is not is refused, and nothing of it is added. */
static void test_refused(void **state)
{
    static const akin_pair self[] = {{0, 1, 1}, {2, 3, 1}}, sides[] = {{0, 1, 1}, {0, 2, 1}}, left[] = {{2, 0, 1}};
    akin_error error;
    (void)state;
    akin_clusters *clusters = create(3, 0);
    assert_int_equal(akin_clusters_add(clusters, self, NULL, 2, &error), AKIN_E_OPTION);
    assert_int_equal(error.code, AKIN_E_OPTION);
    assert_string_equal(error.message, "a pair is of the rows 2 and 3, but there are 3, numbered from 0 on");
    assert_int_not_equal(akin_clusters_sink(clusters, self, 2), 0);
    akin_clusters_finish(clusters);
    assert_int_equal(akin_clusters_count(clusters), 3);
    assert_int_equal(akin_clusters_sink(clusters, self, 1), 0);
    akin_clusters_finish(clusters);
    assert_int_equal(akin_clusters_count(clusters), 2);
    akin_clusters_free(clusters);

    clusters = create(2, 2);
    assert_int_equal(akin_clusters_add(clusters, sides, NULL, 2, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "the rows 0 and 2, but there are 2 left and 2 right ones"));
    assert_int_equal(akin_clusters_add(clusters, left, NULL, 1, NULL), AKIN_E_OPTION);
    akin_clusters_finish(clusters);
    assert_int_equal(akin_clusters_count(clusters), 4);
    akin_clusters_free(clusters);
}

static void test_limit(void **state)
{
    akin_clusters *clusters = NULL;
    akin_error error;
    (void)state;
    assert_int_equal(akin_clusters_create(NULL, UINT32_MAX, 1, &clusters, &error), AKIN_E_LIMIT);
    assert_string_equal(error.message, "clusters of 4294967295 rows and 1 rows: expected at most 4294967295 together");
    assert_int_equal(akin_clusters_create(NULL, 1u << 31, 1u << 31, &clusters, NULL), AKIN_E_LIMIT);
    assert_null(clusters);
}

/* The clusters of a join's pairs, which the join hands over by itself. */
static void check_join(akin_context *context, const akin_sets *left, const akin_sets *right, const uint32_t *labels)
{
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_error error;
    options.measure = AKIN_OVERLAP;
    options.threshold = (akin_ratio){2, 1};
    akin_clusters *clusters = create(akin_sets_rows(left), right ? akin_sets_rows(right) : 0);
    assert_int_equal(akin_join(context, left, right, &options, akin_clusters_sink, clusters, NULL, NULL, &error),
                     AKIN_OK);
    akin_clusters_finish(clusters);
    for (uint32_t row = 0; row < akin_clusters_rows(clusters); row++)
        assert_int_equal(akin_clusters_row(clusters, row), labels[row]);
    akin_clusters_free(clusters);
}

static void test_join(void **state)
{
    static const uint64_t offsets[] = {0, 2, 4, 6, 8, 10};
    static const uint32_t tokens[] = {7, 8, 1, 2, 5, 6, 2, 1, 8, 7};
    static const uint64_t other_offsets[] = {0, 4, 6, 7};
    static const uint32_t other_tokens[] = {1, 2, 5, 6, 3, 4, 7};
    static const uint32_t self[] = {0, 1, 2, 1, 0}, sides[] = {0, 1, 1, 1, 4, 1, 6, 7};
    akin_context *context = NULL;
    akin_sets *left = NULL, *right = NULL;
    akin_error error;
    (void)state;
    assert_int_equal(akin_context_create(NULL, &context, &error), AKIN_OK);
    assert_int_equal(akin_sets_from_arrays(context, 5, offsets, tokens, &left, &error), AKIN_OK);
    assert_int_equal(akin_sets_from_arrays(context, 3, other_offsets, other_tokens, &right, &error), AKIN_OK);
    check_join(context, left, NULL, self);
    check_join(context, left, right, sides);
    akin_sets_free(left);
    akin_sets_free(right);
    akin_context_free(context);
}

/* Any clustering takes pairs with similarities, but none that is not a number. */
static void test_similarities(void **state)
{
    static const akin_pair pairs[] = {{0, 1, 1}, {1, 2, 1}};
    const double similarities[] = {0.9, 0.8}, wrong[] = {0.9, NAN};
    const akin_choice *choice;
    (void)state;
    for (uint32_t i = 0; (choice = choice_of_both("clusterings", i)); i++) {
        akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
        akin_context *context = NULL;
        akin_clusters *clusters = NULL;
        akin_error error;
        options.clustering = (uint32_t)choice->value;
        assert_int_equal(akin_context_create(NULL, &context, NULL), AKIN_OK);
        assert_int_equal(akin_context_use(context, akin_papers(), NULL), AKIN_OK);
        assert_int_equal(akin_clusters_create_by(context, 5, 0, &options, &clusters, NULL), AKIN_OK);
        assert_int_equal(akin_clusters_add(clusters, pairs, wrong, 2, &error), AKIN_E_OPTION);
        assert_string_equal(error.message, "pair 1 of rows 1 and 2: the similarity is not a number");
        assert_int_equal(akin_clusters_connect(context, clusters, pairs, wrong, 2, &error), AKIN_E_OPTION);
        assert_int_equal(akin_clusters_close(context, clusters, NULL), AKIN_OK);
        assert_int_equal(akin_clusters_count(clusters), 5);
        assert_int_equal(akin_clusters_add(clusters, pairs, similarities, 1, NULL), AKIN_OK);
        assert_int_equal(akin_clusters_connect(context, clusters, pairs + 1, similarities + 1, 1, NULL), AKIN_OK);
        assert_int_equal(akin_clusters_close(context, clusters, NULL), AKIN_OK);
        /* a clustering by similarities may split the chain of three rows */
        const int splits = (choice->capabilities & AKIN_BY_SIMILARITY) != 0;
        assert_true(akin_clusters_count(clusters) == 3 || (splits && akin_clusters_count(clusters) == 4));
        assert_int_equal(akin_clusters_row(clusters, 1), 0);
        akin_clusters_free(clusters);
        akin_context_free(context);
    }
}

/* ----------------------------------------------------------------------------------------------- another clustering */

/* Clusters of pairs whose similarity reaches a parameter: what a further row of the table may be made of. */
typedef struct cut {
    double least;
} cut;

static akin_status begin_cut(const akin_scope *scope, akin_clusters *clusters, const akin_clusters_options *options,
                             akin_error *error)
{
    cut *c = akin_alloc_zero(NULL, 1, sizeof *c);
    (void)scope;
    if (!c)
        return akin_fail_memory(error, "the clusters");
    c->least = (double)options->parameter.num / options->parameter.den;
    clusters->own = c;
    return AKIN_OK;
}

static akin_status add_cut(const akin_scope *scope, akin_clusters *clusters, const akin_edges *edges, akin_error *error)
{
    const cut *c = clusters->own;
    akin_status status = AKIN_OK;
    for (uint64_t i = 0; i < edges->count && status == AKIN_OK; i++) {
        akin_edges one = *edges;
        one.pairs += i;
        one.count = 1;
        if (edges->similarities[i] >= c->least)
            status = akin_components_link(scope, &clusters->components, &one, error);
    }
    return status;
}

static void clear_cut(akin_clusters *clusters)
{
    akin_free(clusters->own);
}

static const akin_clustering_functions cut_functions = {.begin = begin_cut, .add = add_cut, .clear = clear_cut};
static const akin_clustering_row cut_row = {{"cut", ":T", "pairs of similarity T at least", 7, AKIN_BY_SIMILARITY},
                                            .functions = &cut_functions};

/* A clustering has what it keeps, its parameter, and the similarities, which nobody may leave out. */
static void test_another(void **state)
{
    static const akin_pair pairs[] = {{0, 1, 1}, {1, 2, 1}, {3, 4, 1}};
    static const double similarities[] = {0.9, 0.5, 0.7};
    akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_clusters *clusters = create(5, 0);
    akin_error error;
    (void)state;
    options.parameter = (akin_ratio){7, 10};
    clusters->clustering = &cut_row;
    clusters->functions = &cut_functions;
    assert_int_equal(cut_functions.begin(NULL, clusters, &options, &error), AKIN_OK);
    assert_int_equal(akin_clusters_add(clusters, pairs, NULL, 3, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "the clustering cut needs the similarities of pairs, and they are NULL");
    assert_int_equal(akin_clusters_connect(NULL, clusters, pairs, NULL, 3, &error), AKIN_E_OPTION);
    assert_int_not_equal(akin_clusters_sink(clusters, pairs, 3), 0);
    assert_int_equal(akin_clusters_add(clusters, NULL, NULL, 0, &error), AKIN_OK);
    assert_int_equal(akin_clusters_add(clusters, pairs, similarities, 3, &error), AKIN_OK);
    assert_int_equal(akin_clusters_close(NULL, clusters, &error), AKIN_OK);
    assert_int_equal(akin_clusters_count(clusters), 3);
    assert_int_equal(akin_clusters_row(clusters, 1), 0);
    assert_int_equal(akin_clusters_row(clusters, 4), 3);
    akin_clusters_free(clusters);
}

/* ---------------------------------------------------------------------------------------------------------- options */

static void test_parse(void **state)
{
    static const struct {
        const char *text, *said;
    } bad[] = {
        {"component",
         "unknown clustering 'component' (did you mean 'components'?): expected components, average[:T], center, "
         "merge-center, correlation[:T] or warshall"},
        {"closure", "the clustering 'closure' is now called 'components'"},
        {"",
         "unknown clustering '': expected components, average[:T], center, merge-center, correlation[:T] or warshall"},
        {"components:0.5", "clustering 'components:0.5': expected components"},
        {"average:x", "clustering 'average:x': expected average[:T]"},
        {"warshall:", "clustering 'warshall:': expected warshall"},
    };
    akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
    const akin_choice *row;
    akin_error error;
    (void)state;
    for (uint32_t i = 0; (row = choice_of_both("clusterings", i)); i++) {
        assert_int_equal(akin_clusters_options_parse(akin_papers(), row->name, &options, &error), AKIN_OK);
        assert_int_equal(options.clustering, row->value);
        assert_true(options.size == sizeof options && options.parameter.num == 0 && options.parameter.den == 1);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(akin_clusters_options_parse(akin_papers(), bad[i].text, &options, &error), AKIN_E_OPTION);
        assert_string_equal(error.message, bad[i].said);
    }
}

static void test_parameter_refused(void **state)
{
    akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_clusters *clusters = NULL;
    akin_error error;
    (void)state;
    options.parameter = (akin_ratio){1, 2};
    assert_int_equal(akin_clusters_create_by(NULL, 5, 0, &options, &clusters, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "akin_clusters_options: parameter is 1/2; expected 0, as components has none");
    options.parameter = (akin_ratio){0, 0};
    assert_int_equal(akin_clusters_create_by(NULL, 5, 0, &options, &clusters, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "its denominator cannot be 0"));
    assert_null(clusters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_pairs),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_again),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_join),
        cmocka_unit_test(test_similarities),
        cmocka_unit_test(test_another),
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_parameter_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
