/* akin_dedupe with learnt weights: how many partners records have, what is found, what is expected of it, what clusters
 * are made of, and tables without anything to learn from. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/context.h"
#include "unit/test_dedupe_learn.h"
#include "unit/test_sanitizers.h"

#define FOUND_MOST 300000

/* What a job comes to. */
typedef struct answer {
    akin_scored_pair *pairs;
    double *each;
    uint64_t count;
    uint32_t attributes;
    uint32_t labels[2 * PEOPLE]; /* of each record: its cluster */
    akin_dedupe_report report;
} answer;

static people one, two;
static answer first, second;
static akin_wishes wishes; /* of the tests below */
static int is_silent;      /* nobody receives pairs */

static int take(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    answer *a = user;
    assert_true(a->count + count <= FOUND_MOST);
    memcpy(a->pairs + a->count, pairs, count * sizeof *pairs);
    memcpy(a->each + a->count * a->attributes, each, count * a->attributes * sizeof *each);
    a->count += count;
    return 0;
}

/* Answers a question; the clusters are those of learnt probabilities, with that parameter. */
static void find_with(uint32_t threads, const people *left, const people *right, const question *q,
                      akin_ratio parameter, answer *out)
{
    akin_context context = {.scope = {.context = &context, .threads = threads}, .wishes = &wishes};
    const uint32_t rows = right ? right->rows : 0;
    akin_clusters_options clustering = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_dedupe_options options = q->options;
    akin_error error = {.message = ""};
    uint64_t count = 0;
    if (!out->pairs) {
        out->pairs = malloc(FOUND_MOST * sizeof *out->pairs);
        out->each = malloc(FOUND_MOST * FIELDS * sizeof *out->each);
        assert_true(out->pairs && out->each);
    }
    out->count = 0;
    out->attributes = options.attribute_count;
    out->report = (akin_dedupe_report){.size = sizeof out->report};
    clustering.clustering = AKIN_CLUSTERING_AVERAGE;
    clustering.parameter = parameter;
    akin_status status = akin_clusters_create_by(&context, left->rows, rows, &clustering, &options.clusters, &error);
    if (status == AKIN_OK)
        status = akin_dedupe(&context, left->columns, left->rows, right ? right->columns : NULL, rows, FIELDS, &options,
                             is_silent ? NULL : take, out, &count, &out->report, &error);
    if (status == AKIN_OK)
        status = akin_clusters_close(&context, options.clusters, &error);
    assert_string_equal(status == AKIN_OK ? "" : error.message, "");
    for (uint32_t r = 0; r < left->rows + rows; r++)
        out->labels[r] = akin_clusters_row(options.clusters, r);
    akin_clusters_free(options.clusters);
    assert_int_equal(count, is_silent ? count : out->count);
    assert_int_equal(out->report.pairs_found, count);
    for (uint64_t i = 0; i < out->count; i++)
        assert_true(out->pairs[i].similarity >= 0 && out->pairs[i].similarity <= 1);
}

static void find(const people *left, const people *right, const question *q, answer *out)
{
    find_with(2, left, right, q, (akin_ratio)AKIN_LEARNT_AVERAGE, out);
}

/* The same bytes, but for numbers of work and seconds. */
static void expect_same(const answer *a, const answer *b, uint32_t records)
{
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->pairs, b->pairs, a->count * sizeof *a->pairs);
    assert_memory_equal(a->each, b->each, a->count * a->attributes * sizeof *a->each);
    assert_memory_equal(a->labels, b->labels, records * sizeof *a->labels);
    assert_true(a->report.threshold == b->report.threshold && a->report.partners == b->report.partners);
    assert_true(a->report.expected_matches == b->report.expected_matches);
    assert_true(a->report.expected_precision == b->report.expected_precision);
    assert_true(a->report.expected_recall == b->report.expected_recall && a->report.learnt == b->report.learnt);
}

/* Found pairs of one person, and pairs of one person that there are. */
static uint64_t count_right(const people *left, const people *right, const answer *a, uint64_t *all)
{
    const people *other = right ? right : left;
    uint64_t found = 0;
    *all = 0;
    for (uint64_t i = 0; i < a->count; i++)
        found += left->of[a->pairs[i].left] == other->of[a->pairs[i].right];
    for (uint32_t l = 0; l < left->rows; l++)
        for (uint32_t r = right ? 0 : l + 1; r < other->rows; r++)
            *all += left->of[l] == other->of[r];
    return found;
}

/* The figures that the report expects are near the truth. */
static void expect_truth(const people *left, const people *right, const answer *a, double tolerance)
{
    uint64_t all;
    const uint64_t found = count_right(left, right, a, &all);
    assert_true(a->count > 0 && all > 0);
    const double precision = (double)found / (double)a->count, recall = (double)found / (double)all;
    assert_true(precision > 0.9 && recall > 0.9);
    assert_true(fabs(a->report.expected_precision - precision) < tolerance);
    assert_true(fabs(a->report.expected_recall - recall) < tolerance);
    assert_true(fabs(a->report.expected_matches / (double)all - 1) < tolerance);
}

/* Each record is in one pair at most. */
static void expect_one_partner(const people *left, const people *right, const answer *a)
{
    uint8_t taken[2][PEOPLE] = {{0}};
    assert_int_equal(a->report.partners, AKIN_PARTNERS_ONE);
    for (uint64_t i = 0; i < a->count; i++) {
        assert_true(a->pairs[i].left < left->rows && a->pairs[i].right < (right ? right : left)->rows);
        assert_int_equal(taken[0][a->pairs[i].left]++, 0);
        assert_int_equal(taken[right ? 1 : 0][a->pairs[i].right]++, 0);
    }
}

/* ---------------------------------------------------------------------------------------------------------- threads */

static void check_threads(const people *left, const people *right, const question *q)
{
    const uint32_t records = left->rows + (right ? right->rows : 0);
    find_with(1, left, right, q, (akin_ratio)AKIN_LEARNT_AVERAGE, &first);
    for (uint32_t threads = 2; threads <= 4; threads += 2) {
        find_with(threads, left, right, q, (akin_ratio)AKIN_LEARNT_AVERAGE, &second);
        expect_same(&first, &second, records);
    }
}

static void same_for_any_threads(void **state)
{
    question q;
    (void)state;
    make_people(&one, 1, 120, 1, 5);
    make_people(&two, 1, 120, 1, 2);
    ask(&q);
    check_threads(&one, NULL, &q);
    check_threads(&one, &two, &q);
    make_people(&one, 2, 150, 1, 2);
    check_threads(&one, NULL, &q);
}

/* Learnt from a sample of the pairs, weights find what those of all pairs find. */
static void from_a_sample(void **state)
{
    question q;
    (void)state;
    make_people(&one, 7, 200, 3, 5);
    find(&one, NULL, ask(&q), &first);
    const uint64_t count = first.count;
    const double matches = first.report.expected_matches;
    wishes.learnt_pairs = 4000;
    check_threads(&one, NULL, &q);
    assert_true(first.report.pairs_selected > 3 * wishes.learnt_pairs);
    expect_truth(&one, NULL, &first, 0.1);
    assert_true(first.report.expected_matches != matches);
    assert_true(fabs(first.report.expected_matches / matches - 1) < 0.01);
    assert_true(fabs((double)first.count / (double)count - 1) < 0.01);
    wishes.learnt_pairs = 0;
}

/* The order of selections does not matter. */
static void any_order_of_selections(void **state)
{
    question q;
    (void)state;
    make_people(&one, 3, 200, 1, 4);
    ask(&q)->selections[1].kind = AKIN_SELECT_BLOCK;
    find(&one, NULL, &q, &first);
    for (uint32_t f = 0; f < FIELDS / 2; f++) {
        const akin_selection held = q.selections[f];
        q.selections[f] = q.selections[FIELDS - 1 - f];
        q.selections[FIELDS - 1 - f] = held;
    }
    find(&one, NULL, &q, &second);
    expect_same(&first, &second, one.rows);
    assert_true(first.count > 100);
}

/* --------------------------------------------------------------------------------------------------------- partners */

static void one_partner(void **state)
{
    question q;
    (void)state;
    make_people(&one, 4, 300, 1, 2);
    find(&one, NULL, ask(&q), &first);
    expect_one_partner(&one, NULL, &first);
    expect_truth(&one, NULL, &first, 0.1);
    assert_int_equal(first.report.learnt, FIELDS);
    for (uint64_t i = 0; i < first.count; i++) /* each found pair is a cluster */
        assert_int_equal(first.labels[first.pairs[i].left], first.labels[first.pairs[i].right]);
}

/* Persons of two records each, whose relatives live at the same place and have the same name. */
static void one_partner_among_relatives(void **state)
{
    question q;
    (void)state;
    make_people(&one, 5, 200, 2, 2);
    for (uint32_t r = 4; r + 3 < one.rows; r += 8) /* every other person is like the one before */
        for (uint32_t k = 0; k < 2; k++)
            for (uint32_t f = 1; f < 4; f++)
                memcpy(one.texts[r + k][f], one.texts[r + k - 2][f], sizeof one.texts[0][0]);
    finish_people(&one);
    find(&one, NULL, ask(&q), &first);
    expect_one_partner(&one, NULL, &first);
    expect_truth(&one, NULL, &first, 0.1);
}

static void many_partners(void **state)
{
    question q;
    (void)state;
    make_people(&one, 6, 120, 3, 5);
    find(&one, NULL, ask(&q), &first);
    assert_int_equal(first.report.partners, AKIN_PARTNERS_MANY);
    expect_truth(&one, NULL, &first, 0.1);
    q.options.one_to_one = 1; /* the caller knows it better */
    find(&one, NULL, &q, &first);
    expect_one_partner(&one, NULL, &first);
}

/* Where nobody receives pairs, their number and the clusters are the same. */
static void without_receiver(void **state)
{
    question q;
    (void)state;
    for (uint32_t partners = 1; partners <= 3; partners += 2) {
        make_people(&one, 6, 120, partners, 5);
        find(&one, NULL, ask(&q), &first);
        is_silent = 1;
        find(&one, NULL, &q, &second);
        q.options.precision = (akin_ratio){9, 10};
        find(&one, NULL, &q, &second);
        q.options.precision = (akin_ratio){0, 1};
        find(&one, NULL, &q, &second);
        is_silent = 0;
        assert_int_equal(second.report.pairs_found, first.count);
        assert_true(second.report.threshold == first.report.threshold);
        assert_true(second.report.expected_recall == first.report.expected_recall);
        assert_memory_equal(first.labels, second.labels, one.rows * sizeof *first.labels);
    }
}

static void linked_partners(void **state)
{
    question q;
    (void)state;
    make_people(&one, 7, 350, 1, 1);
    make_people(&two, 7, 350, 1, 1); /* the same persons and errors, so others are made */
    for (uint32_t r = 0; r < two.rows; r++) {
        two.texts[r][r % FIELDS][0] = (char)('a' + r % 20);
        if (r % 3 == 0) { /* a stranger */
            akin_random random;
            akin_random_seed(&random, 1000 + r);
            draw_person(&random, two.texts[r]);
            two.of[r] = 1000 + r;
        }
    }
    finish_people(&two);
    find(&one, &two, ask(&q), &first);
    expect_one_partner(&one, &two, &first);
    expect_truth(&one, &two, &first, 0.1);
}

/* -------------------------------------------------------------------------------------------------------- threshold */

/* A threshold that is given keeps the pairs that reach it; the automatic one is a probability of a found pair. */
static void check_thresholds(const people *left, const people *right, question *q)
{
    static const akin_ratio thresholds[] = {{1, 100}, {1, 2}, {9, 10}, {1, 1}};
    q->options.threshold = (akin_ratio){1, 1000000000};
    find(left, right, q, &first); /* nearly all */
    for (uint32_t t = 0; t <= sizeof thresholds / sizeof *thresholds; t++) {
        uint64_t at = 0;
        double right_ones = 0;
        q->options.threshold = t == 0 ? (akin_ratio){0, 1} : thresholds[t - 1];
        find(left, right, q, &second);
        const double least = second.report.threshold;
        assert_true(t == 0 || least == (double)thresholds[t - 1].num / thresholds[t - 1].den);
        int is_there = t > 0;
        for (uint64_t i = 0; i < first.count; i++)
            if (first.pairs[i].similarity >= least) {
                assert_true(at < second.count);
                assert_memory_equal(&first.pairs[i], &second.pairs[at++], sizeof *first.pairs);
                right_ones += first.pairs[i].similarity;
                is_there |= first.pairs[i].similarity == least;
            }
        assert_true(at == second.count && is_there);
        const akin_dedupe_report *report = &second.report;
        assert_true(report->expected_matches == first.report.expected_matches);
        assert_true(fabs(report->expected_recall - right_ones / report->expected_matches) < 1e-9);
        assert_true(fabs(report->expected_precision - (at ? right_ones / (double)at : 0)) < 1e-9);
    }
}

static void thresholds(void **state)
{
    question q;
    (void)state;
    make_people(&one, 8, 60, 3, 5);
    check_thresholds(&one, NULL, ask_of_all(&q));
    make_people(&one, 9, 150, 1, 2);
    check_thresholds(&one, NULL, ask(&q));
    make_people(&two, 9, 150, 1, 1);
    check_thresholds(&one, &two, ask(&q));
}

/* --------------------------------------------------------------------------------------------------------- clusters */

/* The clusters are those of the found pairs of 1% and more. */
static void expect_clusters_of_found(akin_ratio parameter)
{
    akin_context context = {.scope = {.context = &context, .threads = 2}};
    akin_clusters_options clustering = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_clusters *clusters;
    clustering.clustering = AKIN_CLUSTERING_AVERAGE;
    clustering.parameter = parameter;
    assert_int_equal(akin_clusters_create_by(&context, one.rows, 0, &clustering, &clusters, NULL), AKIN_OK);
    for (uint64_t i = 0; i < first.count; i++) {
        const akin_pair pair = {.left = first.pairs[i].left, .right = first.pairs[i].right};
        if (first.pairs[i].similarity >= 0.01)
            assert_int_equal(akin_clusters_add(clusters, &pair, &first.pairs[i].similarity, 1, NULL), AKIN_OK);
    }
    assert_int_equal(akin_clusters_close(&context, clusters, NULL), AKIN_OK);
    for (uint32_t r = 0; r < one.rows; r++)
        assert_int_equal(first.labels[r], akin_clusters_row(clusters, r));
    akin_clusters_free(clusters);
}

/* Where all pairs are selected, the pairs found from a very low threshold on are all that clusters are made of. */
static void clusters_of_all_pairs(void **state)
{
    question q;
    (void)state;
    make_people(&one, 10, 100, 1, 6);
    ask_of_all(&q)->options.threshold = (akin_ratio){1, 1000000000};
    find(&one, NULL, &q, &first);
    assert_int_equal(first.report.partners, AKIN_PARTNERS_MANY);
    expect_clusters_of_found((akin_ratio)AKIN_LEARNT_AVERAGE);
    q.options.threshold = (akin_ratio){0, 1}; /* clusters do not depend on it */
    find(&one, NULL, &q, &second);
    assert_memory_equal(first.labels, second.labels, one.rows * sizeof *first.labels);
}

/* Whether a pair of four records in a circle is selected: those beside one another. */
static int is_beside(const akin_scored_pair *pair)
{
    return (pair->right - pair->left) % 2 == 1;
}

/* Found are the selected pairs that reach the threshold, and of the pairs across the circle those that reach it, too,
 * and whose records other found pairs connect. `first` has all pairs within circles. */
static void expect_pairs_of_circles(double threshold)
{
    uint64_t at = 0, across = 0;
    for (uint64_t i = 0; i < first.count; i++) {
        const akin_scored_pair *pair = &first.pairs[i];
        uint32_t labels[4] = {0, 1, 2, 3};
        assert_int_equal(pair->left / 4, pair->right / 4);
        for (uint64_t k = 0; k < first.count; k++) {
            const akin_scored_pair *other = &first.pairs[k];
            if (other->left / 4 != pair->left / 4 || !is_beside(other) || other->similarity < threshold)
                continue;
            const uint32_t to = labels[other->left % 4], from = labels[other->right % 4];
            for (uint32_t r = 0; r < 4; r++)
                labels[r] = labels[r] == from ? to : labels[r];
        }
        if (pair->similarity < threshold || labels[pair->left % 4] != labels[pair->right % 4])
            continue;
        assert_true(at < second.count);
        across += !is_beside(pair);
        assert_memory_equal(pair, &second.pairs[at], sizeof *pair);
        assert_memory_equal(first.each + i * first.attributes, second.each + at++ * first.attributes,
                            first.attributes * sizeof *first.each);
    }
    assert_int_equal(at, second.count);
    assert_true(across > 20);
}

/* Pairs that no selection selects count, too: of four records one and two, two and three and so on are in a block. */
static void clusters_of_pairs_that_are_not_selected(void **state)
{
    uint32_t whole = 0;
    question q;
    (void)state;
    make_people(&one, 11, 100, 4, 4);
    for (uint32_t r = 0; r < one.rows; r++) {
        spell(one.texts[r][2], r / 2, 9);
        snprintf(one.texts[r][4], LETTERS + 1, "%06u", r / 4 * 7919 + (r % 4 == 1 || r % 4 == 2));
    }
    finish_people(&one);
    ask(&q)->selections[0].parts = &q.parts[2];
    q.selections[1].parts = &q.parts[4];
    q.selections[0].kind = q.selections[1].kind = AKIN_SELECT_BLOCK;
    q.options.selection_count = 2;
    q.options.threshold = (akin_ratio){1, 1000000000};
    find_with(2, &one, NULL, &q, (akin_ratio){7, 10}, &first);
    assert_int_equal(first.report.partners, AKIN_PARTNERS_MANY);
    assert_int_equal(first.report.pairs_selected, one.rows);
    for (uint32_t r = 0; r < one.rows; r += 4)
        whole += first.labels[r] == first.labels[r + 1] && first.labels[r] == first.labels[r + 2] &&
                 first.labels[r] == first.labels[r + 3];
    assert_true(whole > 60); /* without the other two pairs the mean between two pairs would be 1/2 at most */
    for (uint32_t t = 1; t < 10; t += 4) {
        q.options.threshold = (akin_ratio){t, 10};
        find_with(2, &one, NULL, &q, (akin_ratio){7, 10}, &second);
        expect_pairs_of_circles(t / 10.0);
    }
}

/* With given weights clusters are made of the found pairs. */
static void clusters_of_given_weights(void **state)
{
    question q;
    (void)state;
    make_people(&one, 21, 100, 1, 4);
    ask(&q)->options.weights = AKIN_WEIGHTS_GIVEN;
    q.options.threshold = (akin_ratio){8, 10};
    for (uint32_t one_to_one = 0; one_to_one < 2; one_to_one++) {
        q.options.one_to_one = one_to_one;
        find_with(2, &one, NULL, &q, (akin_ratio){6, 10}, &first);
        assert_true(first.count > 20 && first.report.learnt == 0 && first.report.expected_matches == 0);
        expect_clusters_of_found((akin_ratio){6, 10});
    }
}

/* ------------------------------------------------------------------------------------------------------ little data */

/* Weights are learnt from comparisons of three columns and more; others have default weights. */
static void expect_learnt(question *q, uint32_t learnt)
{
    find(&one, NULL, q, &first);
    assert_int_equal(first.report.learnt, learnt);
    assert_int_equal(first.report.partners, AKIN_PARTNERS_MANY);
    q->options.one_to_one = 1;
    find(&one, NULL, q, &first);
    assert_int_equal(first.report.learnt, 0);
    expect_one_partner(&one, NULL, &first);
    q->options.one_to_one = 0;
    find(&one, NULL, q, &first);
}

static void few_comparisons(void **state)
{
    static const uint32_t parts[] = {0, 1};
    const akin_combined combined = {parts, 2, 0};
    question q;
    uint64_t all;
    (void)state;
    make_people(&one, 12, 150, 1, 3);
    ask(&q)->options.attribute_count = 2;
    expect_learnt(&q, 2);
    assert_true(first.count > 0 && first.report.expected_matches > 0);
    assert_true((double)count_right(&one, NULL, &first, &all) > 0.8 * (double)first.count);
    q.attributes[2].column = 1; /* twice the same column */
    q.compare[2].comparator = AKIN_LEVENSHTEIN;
    q.options.attribute_count = 3;
    expect_learnt(&q, 2);
    q.options.combined = &combined; /* of columns that are compared */
    q.options.combined_count = 1;
    q.attributes[2].column = FIELDS;
    expect_learnt(&q, 2);
    q.options.attribute_count = 4;
    find(&one, NULL, &q, &first);
    assert_int_equal(first.report.learnt, first.report.partners == AKIN_PARTNERS_ONE ? 4 : 3);
}

/* A column that is combined of columns that are compared adds nothing where records have many partners. */
static void overlapping_columns(void **state)
{
    static const uint32_t parts[] = {0, 1, 3};
    const akin_combined combined = {parts, 3, 0};
    question q;
    (void)state;
    make_people(&one, 6, 120, 3, 5);
    ask(&q)->options.attribute_count = FIELDS - 1;
    find(&one, NULL, &q, &first);
    assert_int_equal(first.report.partners, AKIN_PARTNERS_MANY);
    assert_int_equal(first.report.learnt, FIELDS - 1);
    q.attributes[FIELDS - 1].column = FIELDS;
    q.options.combined = &combined;
    q.options.combined_count = 1;
    q.options.attribute_count = FIELDS;
    find(&one, NULL, &q, &second);
    assert_int_equal(second.report.learnt, FIELDS - 1);
    assert_int_equal(first.count, second.count);
    assert_memory_equal(first.pairs, second.pairs, first.count * sizeof *first.pairs);
    assert_memory_equal(first.labels, second.labels, one.rows * sizeof *first.labels);
}

/* One column is compared as numbers, and as texts where it has none. */
static void texts_among_numbers(void **state)
{
    question q;
    (void)state;
    make_people(&one, 20, 150, 1, 3);
    for (uint32_t r = 0; r < one.rows; r += 2)
        snprintf(one.texts[r][4], LETTERS + 1, "%s", r % 4 ? "none" : "known");
    finish_people(&one);
    ask(&q)->compare[4].comparator = AKIN_NUMBER;
    q.attributes[3].column = 4;
    for (int first_of_texts = 0; first_of_texts < 2; first_of_texts++) {
        find(&one, NULL, &q, &first);
        assert_int_equal(first.report.learnt, FIELDS - 1);
        assert_true(first.count > 0);
        q.attributes[3].compare = &q.compare[4];
        q.attributes[4].compare = &q.compare[3];
    }
}

/* Several attributes of a column are one comparison. */
static void one_comparison_of_a_column(void **state)
{
    question q;
    (void)state;
    make_people(&one, 13, 150, 1, 3);
    ask(&q)->attributes[4].column = 0;
    find(&one, NULL, &q, &first);
    assert_int_equal(first.report.learnt, FIELDS - 1);
}

static void nothing_to_learn_from(void **state)
{
    question q;
    (void)state;
    for (uint32_t rows = 0; rows <= 3; rows++) {
        make_people(&one, 14, rows, 1, 1);
        find(&one, NULL, ask(&q), &first);
        find(&one, NULL, ask_of_all(&q), &first);
        make_people(&two, 14, 2, 1, 1);
        find(&one, &two, ask(&q), &first);
        find(&two, &one, ask_of_all(&q), &first);
        assert_int_equal(first.report.pairs_all, 2 * rows);
    }
    make_people(&one, 15, 50, 1, 1);
    for (uint32_t r = 0; r < one.rows; r++)
        snprintf(one.texts[r][4], LETTERS + 1, "%06u", r);
    finish_people(&one);
    ask(&q)->selections[0] = q.selections[4]; /* a block by a column of distinct values selects no pair */
    q.selections[0].kind = AKIN_SELECT_BLOCK;
    q.options.selection_count = 1;
    find(&one, NULL, &q, &first);
    assert_int_equal(first.report.pairs_selected, 0);
    assert_int_equal(first.count, 0);
    assert_true(first.report.threshold == 1 && first.report.expected_matches == 0);
    assert_true(first.report.expected_precision == 0 && first.report.expected_recall == 0);
}

/* Adds `count` records that are equal to one. */
static void repeat_record(people *p, uint32_t record, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        memcpy(p->texts[p->rows], p->texts[record], sizeof p->texts[0]);
        p->of[p->rows++] = p->of[record];
    }
    finish_people(p);
}

/* Some records once more, with another letter in one of the first columns. */
static void repeat_some(akin_random *random, uint32_t times, uint32_t columns)
{
    const uint32_t persons = one.rows;
    for (uint32_t i = 0; i < times && i < persons; i++) {
        repeat_record(&one, i, 1);
        char *value = one.texts[one.rows - 1][akin_random_below(random, columns)];
        if (value[0])
            value[akin_random_below(random, strlen(value))] = 'y';
    }
    finish_people(&one);
}

/* Tables of 3 to 20 records, and 3 to 5 columns: duplicates are found, and where there are none, hardly any is. */
static void few_records(void **state)
{
    uint64_t there = 0, found = 0, right = 0, all;
    question q;
    (void)state;
    for (uint32_t seed = 0; seed < 400; seed++) {
        akin_random random;
        akin_random_seed(&random, seed);
        const uint32_t times = seed % 4, columns = 3 + (uint32_t)akin_random_below(&random, FIELDS - 2);
        make_people(&one, seed, 3 + (uint32_t)akin_random_below(&random, 18) - times / 2, 1, 1);
        repeat_some(&random, times, columns);
        ask_of_all(&q)->options.attribute_count = columns;
        find(&one, NULL, &q, &first);
        right += count_right(&one, NULL, &first, &all);
        found += first.count;
        there += all;
    }
    assert_true((double)right > 0.95 * (double)there);
    assert_true((double)right > 0.95 * (double)found);
}

static void missing_values(void **state)
{
    question q;
    (void)state;
    make_people(&one, 16, 120, 1, 4);
    for (uint32_t r = 0; r < one.rows; r++)
        one.texts[r][2][0] = 0;
    finish_people(&one);
    find(&one, NULL, ask(&q), &first); /* of a whole column */
    expect_truth(&one, NULL, &first, 0.1);
    for (uint64_t i = 0; i < first.count; i++)
        assert_true(isnan(first.each[i * FIELDS + 2]));
    q.options.missing = AKIN_MISSING_EQUAL; /* it is ignored */
    find(&one, NULL, &q, &second);
    expect_same(&first, &second, one.rows);
    for (uint32_t r = 0; r < one.rows; r++)
        for (uint32_t f = 0; f < FIELDS; f++)
            one.texts[r][f][0] = 0;
    finish_people(&one);
    find(&one, NULL, ask_of_all(&q), &first); /* of all columns: nothing tells pairs apart */
    assert_true(first.count == 0 || first.report.expected_precision < 0.01);
}

static void equal_records(void **state)
{
    question q;
    (void)state;
    make_people(&one, 17, 1, 1, 1);
    for (one.rows = 1; one.rows < 700; one.rows++)
        memcpy(one.texts[one.rows], one.texts[0], sizeof one.texts[0]);
    finish_people(&one);
    find(&one, NULL, ask(&q), &first);
    find_with(4, &one, NULL, &q, (akin_ratio)AKIN_LEARNT_AVERAGE, &second);
    expect_same(&first, &second, one.rows);
}

/* Whether a pair was found. */
static int is_found(const answer *a, uint32_t left, uint32_t right)
{
    for (uint64_t i = 0; i < a->count; i++)
        if (a->pairs[i].left == left && a->pairs[i].right == right)
            return 1;
    return 0;
}

/* A person with hundreds of equal records among others: they are one cluster, their pairs are sorted, and the others
 * are found as without them. */
static void many_equal_records(void **state)
{
    question q;
    (void)state;
    make_people(&one, 21, 300, 1, 3);
    const uint32_t before = one.rows, record = 7;
    one.texts[record][2][0] = 0; /* a missing value is equal to another one */
    finish_people(&one);
    find(&one, NULL, ask(&q), &first);
    const uint64_t others = first.count;
    assert_int_equal(first.report.equal_records, 0);
    repeat_record(&one, record, 400);
    find(&one, NULL, &q, &first);
    find_with(1, &one, NULL, &q, (akin_ratio)AKIN_LEARNT_AVERAGE, &second);
    expect_same(&first, &second, one.rows);
    assert_int_equal(first.report.equal_records, 397);
    assert_int_equal(first.report.equal_pairs, 401 * 400 / 2);
    for (uint32_t r = before; r < one.rows; r++) {
        assert_int_equal(first.labels[r], first.labels[record]);
        assert_true(is_found(&first, record, r));
    }
    for (uint64_t i = 1; i < first.count; i++)
        assert_true(first.pairs[i - 1].left < first.pairs[i].left || (first.pairs[i - 1].left == first.pairs[i].left &&
                                                                      first.pairs[i - 1].right < first.pairs[i].right));
    for (uint64_t i = 0; i < first.count; i++)
        if (first.pairs[i].left == record && first.pairs[i].right >= before)
            assert_true(isnan(first.each[i * FIELDS + 2]) && first.each[i * FIELDS] == 1);
    assert_true(first.count >= others + 400 - 10 && first.count <= others + 400 + 20);
    assert_true(first.report.expected_precision > 0.9 && first.report.expected_recall > 0.9);
}

/* Records of a few frequent values are equal by chance, and records with hardly any value say nothing. */
static void equal_by_chance(void **state)
{
    question q;
    akin_random random;
    (void)state;
    akin_random_seed(&random, 22);
    make_people(&one, 22, 900, 1, 1);
    for (uint32_t r = 0; r < one.rows; r++)
        for (uint32_t f = 0; f < FIELDS; f++)
            spell(one.texts[r][f], akin_random_below(&random, 3), 5);
    finish_people(&one);
    find(&one, NULL, ask(&q), &first);
    assert_int_equal(first.report.equal_records, 0);
    make_people(&one, 22, 900, 1, 1);
    for (uint32_t r = 0; r < 300; r++)
        for (uint32_t f = 0; f < FIELDS; f++)
            snprintf(one.texts[r][f], LETTERS + 1, "%s", f < 2 ? "same" : "");
    finish_people(&one);
    find(&one, NULL, &q, &first);
    assert_int_equal(first.report.equal_records, 0);
}

/* A single column of one table: equal values are of one entity, as often as they occur. */
static void one_column(void **state)
{
    question q;
    (void)state;
    make_people(&one, 23, 200, 1, 1);
    for (uint32_t r = 0; r < one.rows; r++)
        snprintf(one.texts[r][4], LETTERS + 1, "%06u", r / 3 * 7919);
    finish_people(&one);
    ask(&q)->attributes[0].column = 4;
    q.compare[0].comparator = AKIN_EXACT;
    q.options.attribute_count = 1;
    find(&one, NULL, &q, &first);
    for (uint32_t r = 0; r < one.rows; r++)
        assert_int_equal(first.labels[r], r / 3 * 3);
    assert_int_equal(first.count, 200 - 67);
}

/* Weights and thresholds of attributes are ignored. */
static void given_weights_are_ignored(void **state)
{
    question q;
    (void)state;
    make_people(&one, 18, 150, 1, 4);
    find(&one, NULL, ask(&q), &first);
    for (uint32_t f = 0; f < FIELDS; f++) {
        q.attributes[f].weight = (akin_ratio){1 + f, 1};
        q.attributes[f].threshold = (akin_ratio){9, 10};
    }
    find(&one, NULL, &q, &second);
    expect_same(&first, &second, one.rows);
}

/* --------------------------------------------------------------------------------------------------------- refusals */

static void refused(const question *q, const char *device, const char *message)
{
    akin_error error = {.message = ""};
    assert_int_equal(akin_dedupe_check(device, FIELDS, &q->options, &error), AKIN_E_OPTION);
    if (!strstr(error.message, message))
        fail_msg("'%s' does not say '%s'", error.message, message);
}

static void refusals(void **state)
{
    question q;
    (void)state;
    assert_int_equal(akin_dedupe_check("cpu", FIELDS, &ask(&q)->options, NULL), AKIN_OK);
    assert_int_equal(akin_dedupe_check("auto", FIELDS, &q.options, NULL), AKIN_OK);
    assert_int_equal(akin_dedupe_check("cuda", FIELDS, &q.options, NULL), AKIN_OK);
    q.options.threshold = (akin_ratio){3, 2};
    refused(&q, "cpu", "threshold 3/2");
    ask(&q)->options.weights = (akin_weighting)3;
    refused(&q, "cpu", "there is no such way to weigh comparisons");
    ask(&q)->options.clusters_by_threshold = 2;
    refused(&q, "cpu", "clusters_by_threshold is neither 0 nor 1");
    ask(&q)->options.weights = AKIN_WEIGHTS_GIVEN;
    refused(&q, "cpu", "threshold 0/1");
}

/* ----------------------------------------------------------------------------------------------------- cancellation */

typedef struct canceller {
    uint32_t asked, at;
} canceller;

static int cancel(void *user)
{
    canceller *c = user;
    return c->asked++ >= c->at;
}

static int ignore(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    (void)user, (void)pairs, (void)each, (void)count;
    return 0;
}

/* The job ends at whichever check the callback cancels it. */
static void check_cancelled(const people *left, const people *right, const question *q)
{
    canceller c = {0, UINT32_MAX};
    akin_context context = {.scope = {.context = &context, .threads = 1, .reporter = {.cancel = cancel, .user = &c}}};
    akin_clusters_options clustering = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_dedupe_options options = q->options;
    const uint32_t rows = right ? right->rows : 0;
    uint32_t times = 1;
    clustering.clustering = AKIN_CLUSTERING_AVERAGE;
    for (uint32_t at = 0; at <= times; at++) {
        akin_error error;
        c = (canceller){0, at > 0 ? at - 1 : UINT32_MAX};
        options.clusters = NULL;
        akin_status status =
            akin_clusters_create_by(&context, left->rows, rows, &clustering, &options.clusters, &error);
        if (status == AKIN_OK)
            status = akin_dedupe(&context, left->columns, left->rows, right ? right->columns : NULL, rows, FIELDS,
                                 &options, ignore, NULL, NULL, NULL, &error);
        assert_int_equal(status, c.asked > c.at ? AKIN_E_CANCELLED : AKIN_OK); /* the clock makes calls rarer */
        times = at > 0 ? times : c.asked;
        akin_clusters_free(options.clusters);
    }
    assert_true(times > 20);
}

static void cancelled(void **state)
{
    question q;
    (void)state;
    make_people(&one, 19, 8, 3, 4);
    make_people(&two, 19, 12, 1, 1);
    check_cancelled(&one, NULL, ask(&q));
    check_cancelled(&one, &two, &q);
    q.options.one_to_one = 1;
    check_cancelled(&one, NULL, &q);
}

static int free_answers(void **state)
{
    (void)state;
    free(first.pairs);
    free(first.each);
    free(second.pairs);
    free(second.each);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(from_a_sample),
        cmocka_unit_test(any_order_of_selections),
        cmocka_unit_test(one_partner),
        cmocka_unit_test(one_partner_among_relatives),
        cmocka_unit_test(many_partners),
        cmocka_unit_test(without_receiver),
        cmocka_unit_test(linked_partners),
        cmocka_unit_test(thresholds),
        cmocka_unit_test(clusters_of_all_pairs),
        cmocka_unit_test(clusters_of_pairs_that_are_not_selected),
        cmocka_unit_test(clusters_of_given_weights),
        cmocka_unit_test(few_comparisons),
        cmocka_unit_test(overlapping_columns),
        cmocka_unit_test(texts_among_numbers),
        cmocka_unit_test(one_comparison_of_a_column),
        cmocka_unit_test(nothing_to_learn_from),
        cmocka_unit_test(few_records),
        cmocka_unit_test(missing_values),
        cmocka_unit_test(equal_records),
        cmocka_unit_test(many_equal_records),
        cmocka_unit_test(equal_by_chance),
        cmocka_unit_test(one_column),
        cmocka_unit_test(given_weights_are_ignored),
        cmocka_unit_test(refusals),
        cmocka_unit_test(cancelled),
    };
    return RUN_TESTS(tests, 1, NULL, free_answers);
}
