/*
 * Joins of trees against every pair by Zhang and Shasha: random collections with edited copies, within one and between
 * two, with one thread and more, with and without a memory bound, pairs sorted or in any order; the best partners of
 * each row, within a distance or at any; and these from an index, as it was made and as it was opened.
 *
 *     AKIN_PROPERTY_SEED    the random seed, 1 if not given
 *     AKIN_PROPERTY_CASES   how many cases, 150 if not given
 */
#define _GNU_SOURCE /* nftw, mkdtemp */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "property/setting.h"
#include "unit/test_base_files.h"
#include "unit/test_trees_support.h"

#include "akin.h"
#include "trees/collection.h"

#define ROWS_MOST 70

/* A column of trees that are made up, and these as they are read. */
typedef struct drawn_column {
    uint32_t rows;
    uint64_t offsets[ROWS_MOST + 1];
    char bytes[ROWS_MOST * TREE_TEXT];
    akin_column column;
    akin_tree_collection trees;
} drawn_column;

typedef struct found_pairs {
    akin_pair pairs[ROWS_MOST * ROWS_MOST];
    size_t count;
} found_pairs;

static void draw_column(akin_random *random, uint32_t most_nodes, uint32_t labels, drawn_column *out)
{
    static drawn_tree trees[ROWS_MOST];
    out->rows = (uint32_t)akin_random_below(random, ROWS_MOST + 1);
    out->offsets[0] = 0;
    for (uint32_t row = 0; row < out->rows; row++) {
        if (row > 0 && akin_random_below(random, 2)) {
            trees[row] = trees[akin_random_below(random, row)];
            edit_tree(random, (uint32_t)akin_random_below(random, 7), labels, &trees[row]);
        } else {
            draw_tree(random, 1 + (uint32_t)akin_random_below(random, most_nodes), labels,
                      (int)akin_random_below(random, SHAPES), &trees[row]);
        }
        char *to = out->bytes + out->offsets[row];
        const size_t length = akin_random_below(random, 20) ? write_tree(&trees[row], to) : 0;
        out->offsets[row + 1] = out->offsets[row] + length;
    }
    out->column = (akin_column){.size = sizeof out->column, .offsets = out->offsets, .bytes = out->bytes};
}

static int take_pairs(void *user, const akin_pair *pairs, size_t count)
{
    found_pairs *found = user;
    for (size_t i = 0; i < count; i++)
        found->pairs[found->count++] = pairs[i];
    return 0;
}

static int compare_pairs(const void *a, const void *b)
{
    const akin_pair *x = a, *y = b;
    return x->left != y->left ? (x->left > y->left ? 1 : -1) : (x->right > y->right) - (x->right < y->right);
}

/* All pairs by Zhang and Shasha. */
static void expect_pairs(const drawn_column *left, const drawn_column *right, uint32_t most, found_pairs *out)
{
    out->count = 0;
    for (uint32_t l = 0; l < left->rows; l++)
        for (uint32_t r = right == left ? l + 1 : 0; r < right->rows; r++) {
            const akin_tree *a = &left->trees.trees[l], *b = &right->trees.trees[r];
            const uint32_t distance = a->nodes > 0 && b->nodes > 0 ? plain_distance(a, b) : UINT32_MAX;
            if (distance <= most)
                out->pairs[out->count++] = (akin_pair){l, r, distance};
        }
}

/* Of each left row the first `top` pairs by distance, then by row; within one column both orders of a pair count. */
static void expect_best(const drawn_column *left, const drawn_column *right, uint32_t most, uint32_t top,
                        found_pairs *out)
{
    out->count = 0;
    for (uint32_t l = 0; l < left->rows; l++) {
        uint32_t distances[ROWS_MOST], taken = 0;
        for (uint32_t r = 0; r < right->rows; r++) {
            const akin_tree *a = &left->trees.trees[l], *b = &right->trees.trees[r];
            distances[r] =
                a->nodes > 0 && b->nodes > 0 && (right != left || l != r) ? plain_distance(a, b) : UINT32_MAX;
        }
        for (; taken < top; taken++) {
            uint32_t best = 0;
            for (uint32_t r = 1; r < right->rows; r++)
                best = distances[r] < distances[best] ? r : best;
            if (right->rows == 0 || distances[best] > most || distances[best] == UINT32_MAX)
                break;
            out->pairs[out->count++] = (akin_pair){l, best, distances[best]};
            distances[best] = UINT32_MAX;
        }
    }
}

static void check_join(const drawn_column *left, const drawn_column *right, akin_trees_options *options,
                       const found_pairs *expected)
{
    static found_pairs found;
    static const struct {
        uint32_t threads;
        uint64_t memory;
    } ways[] = {{1, 0}, {3, 0}, {2, UINT64_C(16) << 20}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        akin_context_options how = AKIN_CONTEXT_OPTIONS_INIT;
        akin_trees_report report = {.size = sizeof report};
        akin_context *context = NULL;
        akin_error error;
        uint64_t count = 0;
        how.threads = threads_at_most(ways[i].threads);
        how.memory = ways[i].memory;
        found.count = 0;
        assert_int_equal(akin_context_create(&how, &context, NULL), AKIN_OK);
        const akin_status status =
            akin_trees_join(context, &left->column, left->rows, right == left ? NULL : &right->column,
                            right == left ? 0 : right->rows, options, take_pairs, &found, &count, &report, &error);
        if (status != AKIN_OK)
            fail_msg("%s", error.message);
        if (options->any_order)
            qsort(found.pairs, found.count, sizeof *found.pairs, compare_pairs);
        assert_int_equal(found.count, expected->count);
        assert_int_equal(count, expected->count);
        assert_int_equal(report.pairs_found, expected->count);
        assert_memory_equal(found.pairs, expected->pairs, expected->count * sizeof *found.pairs);
        assert_true(report.candidates >= report.compared && report.compared >= report.pairs_found);
        akin_context_free(context);
    }
}

typedef struct found_hits {
    akin_search_hit hits[ROWS_MOST * ROWS_MOST];
    size_t count;
} found_hits;

static int take_hits(void *user, const akin_search_hit *hits, size_t count)
{
    found_hits *found = user;
    memcpy(found->hits + found->count, hits, count * sizeof *hits);
    found->count += count;
    return 0;
}

/* Whether proven hits are those that are expected, and others are at true distances, in order. */
static void assert_hits(const found_hits *found, const found_pairs *expected, const drawn_column *queries,
                        const drawn_column *trees, int is_bounded)
{
    size_t at = 0;
    for (size_t i = 0; i < found->count; i++) {
        const akin_search_hit *hit = &found->hits[i];
        const int is_first = i == 0 || found->hits[i - 1].query != hit->query;
        if (hit->certificate == AKIN_CERTIFICATE_NONE) {
            assert_true(is_bounded);
            assert_int_equal(plain_distance(&queries->trees.trees[hit->query], &trees->trees.trees[hit->object]),
                             hit->count);
            assert_true(is_first || found->hits[i - 1].count < hit->count ||
                        (found->hits[i - 1].count == hit->count && found->hits[i - 1].object < hit->object));
            continue;
        }
        while (at < expected->count && expected->pairs[at].left < hit->query)
            at++;
        assert_true(at < expected->count && expected->pairs[at].left == hit->query);
        assert_int_equal(expected->pairs[at].right, hit->object);
        assert_int_equal(expected->pairs[at++].overlap, hit->count);
    }
    assert_true(is_bounded || found->count == expected->count);
}

/* Searches an index with and without the help of rare nodes, and with few comparisons. */
static void check_index(akin_context *context, const akin_search_index *index, const drawn_column *queries,
                        const drawn_column *trees, const akin_trees_options *join, const found_pairs *expected)
{
    static found_hits found;
    for (int way = 0; way < 3; way++) {
        akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
        akin_search_report report = {.size = sizeof report};
        akin_error error;
        options.k = join->top;
        options.within = join->most;
        options.technique = way == 1 ? AKIN_SEARCH_SCAN : AKIN_SEARCH_AUTO;
        options.one_round = way == 2;
        options.candidates = way == 2 ? 2 : 0;
        found.count = 0;
        if (akin_search(context, index, &queries->column, 1, queries->rows, &options, take_hits, &found, &report,
                        &error) != AKIN_OK)
            fail_msg("%s", error.message);
        assert_hits(&found, expected, queries, trees, way == 2);
        assert_int_equal(report.found, found.count);
        assert_int_equal(report.by_count + report.by_scan + report.uncertified, queries->rows);
        assert_true(way == 2 || report.uncertified == 0);
    }
}

static void check_search(const drawn_column *queries, const drawn_column *trees, const akin_trees_options *join,
                         const found_pairs *expected)
{
    static const uint32_t threads[] = {1, 3};
    const akin_search_objects objects = {
        .size = sizeof objects, .columns = &trees->column, .column_count = 1, .rows = trees->rows};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        akin_context_options how = AKIN_CONTEXT_OPTIONS_INIT;
        akin_search_index_options options = AKIN_SEARCH_INDEX_OPTIONS_INIT;
        akin_context *context = NULL;
        akin_search_index *index = NULL, *opened = NULL;
        how.threads = threads_at_most(threads[i]);
        options.trees = join;
        assert_int_equal(akin_context_create(&how, &context, NULL), AKIN_OK);
        assert_int_equal(akin_search_index_make(context, AKIN_KIND_TREES, &objects, &options, NULL, &index, NULL),
                         AKIN_OK);
        check_index(context, index, queries, trees, join, expected);
        assert_int_equal(akin_search_index_save(context, index, scratch_path("trees.akin"), NULL), AKIN_OK);
        assert_int_equal(akin_search_index_open(context, scratch_path("trees.akin"), &opened, NULL), AKIN_OK);
        check_index(context, opened, queries, trees, join, expected);
        akin_search_index_free(index);
        akin_search_index_free(opened);
        akin_context_free(context);
    }
}

static void joins(void **state)
{
    static drawn_column columns[2];
    static found_pairs expected;
    akin_account account = {0};
    akin_random random;
    akin_context *context = NULL;
    (void)state;
    akin_random_seed(&random, setting("AKIN_PROPERTY_SEED", 1));
    assert_int_equal(akin_context_create(NULL, &context, NULL), AKIN_OK);
    for (uint64_t c = setting("AKIN_PROPERTY_CASES", 150); c > 0; c--) {
        const uint32_t labels = 1 + (uint32_t)akin_random_below(&random, 30),
                       nodes = 1 + (uint32_t)akin_random_below(&random, 40);
        akin_dictionary *dictionary = NULL;
        akin_trees_options options = AKIN_TREES_OPTIONS_INIT;
        options.most = (uint32_t)akin_random_below(&random, 9);
        options.any_order = (uint32_t)akin_random_below(&random, 2);
        assert_int_equal(akin_dictionary_create(context, &dictionary, NULL), AKIN_OK);
        for (int s = 0; s < 2; s++) {
            draw_column(&random, nodes, labels, &columns[s]);
            assert_int_equal(akin_tree_collection_make(akin_scope_of(context), &account, options.format,
                                                       &columns[s].column, columns[s].rows, "left", dictionary,
                                                       &columns[s].trees, NULL),
                             AKIN_OK);
        }
        for (int s = 0; s < 2; s++) {
            expect_pairs(&columns[0], &columns[s], options.most, &expected);
            check_join(&columns[0], &columns[s], &options, &expected);
        }
        options.top = 1 + (uint32_t)akin_random_below(&random, 6);
        options.any_order = 0;
        options.most = akin_random_below(&random, 3) ? options.most : UINT32_MAX;
        for (int s = 0; s < 2; s++) {
            expect_best(&columns[0], &columns[s], options.most, options.top, &expected);
            check_join(&columns[0], &columns[s], &options, &expected);
        }
        check_search(&columns[0], &columns[1], &options, &expected);
        akin_tree_collection_clear(&columns[0].trees);
        akin_tree_collection_clear(&columns[1].trees);
        akin_dictionary_free(dictionary);
    }
    akin_context_free(context);
    assert_int_equal(account.held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(joins)};
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
