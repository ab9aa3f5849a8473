/* akin_dedupe where a cluster has one record of each source at most: pairs, clusters, learnt weights, reports. */
#include "unit/test_base_failing.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/context.h"
#include "unit/test_dedupe_learn.h"
#include "unit/test_failing_step.h"

#define FOUND_MOST 300000
#define SHOPS      7
#define COLUMNS    (FIELDS + 1) /* the last one has the shop of each record */

/* People, each record of whom is of a shop; a few of none. */
typedef struct offers {
    people people;
    char bytes[PEOPLE];
    uint64_t offsets[PEOPLE + 1];
    akin_column columns[COLUMNS];
} offers;

/* What a job comes to. */
typedef struct answer {
    akin_scored_pair *pairs;
    uint64_t count;
    uint32_t labels[2 * PEOPLE];
    akin_dedupe_report report;
} answer;

static offers one, two;
static answer first, second;

/* The shops of a person's records follow one another, so a person has no shop twice; `seed` shifts them. */
static void make_offers(offers *o, uint64_t seed, uint32_t persons, uint32_t least, uint32_t most)
{
    uint64_t at = 0;
    make_people(&o->people, seed, persons, least, most);
    for (uint32_t r = 0; r < o->people.rows; r++) {
        o->offsets[r] = at;
        if (r % 29 != 7)
            o->bytes[at++] = (char)('a' + (r + seed) % SHOPS);
    }
    o->offsets[o->people.rows] = at;
    memcpy(o->columns, o->people.columns, sizeof o->people.columns);
    o->columns[FIELDS] =
        (akin_column){.size = sizeof(akin_column), .name = "shop", .offsets = o->offsets, .bytes = o->bytes};
}

/* The shop of a row; 0: none. */
static char shop_of(const offers *o, uint32_t row)
{
    return o->offsets[row] < o->offsets[row + 1] ? o->bytes[o->offsets[row]] : 0;
}

static int are_of_one(const offers *left, uint32_t a, const offers *right, uint32_t b)
{
    return shop_of(left, a) && shop_of(left, a) == shop_of(right, b);
}

static int take(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    answer *a = user;
    (void)each;
    assert_true(a->count + count <= FOUND_MOST);
    memcpy(a->pairs + a->count, pairs, count * sizeof *pairs);
    a->count += count;
    return 0;
}

static void find(uint32_t threads, const offers *left, const offers *right, const akin_dedupe_options *given,
                 const char *clustering, answer *out)
{
    akin_context context = {.scope = {.context = &context, .threads = threads}};
    const uint32_t rows = left->people.rows, rights = right ? right->people.rows : 0;
    akin_clusters_options how = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_dedupe_options options = *given;
    akin_error error = {.message = ""};
    if (!out->pairs)
        out->pairs = malloc(FOUND_MOST * sizeof *out->pairs);
    assert_non_null(out->pairs);
    out->count = 0;
    out->report = (akin_dedupe_report){.size = sizeof out->report};
    akin_status status = akin_clusters_options_parse(NULL, clustering, &how, &error);
    if (status == AKIN_OK)
        status = akin_clusters_create_by(&context, rows, rights, &how, &options.clusters, &error);
    if (status == AKIN_OK)
        status = akin_dedupe(&context, left->columns, rows, right ? right->columns : NULL, rights, COLUMNS, &options,
                             take, out, NULL, &out->report, &error);
    if (status == AKIN_OK)
        status = akin_clusters_close(&context, options.clusters, &error);
    assert_string_equal(status == AKIN_OK ? "" : error.message, "");
    assert_int_equal(out->report.pairs_found, out->count);
    for (uint32_t r = 0; r < rows + rights; r++)
        out->labels[r] = akin_clusters_row(options.clusters, r);
    akin_clusters_free(options.clusters);
}

/* No pair and no cluster has two records of one shop. */
static void expect_apart(const offers *left, const offers *right, const answer *a)
{
    const offers *other = right ? right : left;
    const uint32_t rows = left->people.rows, all = rows + (right ? right->people.rows : 0);
    static uint8_t has[2 * PEOPLE][SHOPS];
    memset(has, 0, sizeof has);
    for (uint64_t i = 0; i < a->count; i++)
        assert_false(are_of_one(left, a->pairs[i].left, other, a->pairs[i].right));
    for (uint32_t r = 0; r < all; r++) {
        const char shop = r < rows ? shop_of(left, r) : shop_of(other, r - rows);
        if (shop)
            assert_int_equal(has[a->labels[r]][shop - 'a']++, 0);
    }
}

static void expect_equal(const answer *a, const answer *b, uint32_t records)
{
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->pairs, b->pairs, a->count * sizeof *a->pairs);
    assert_memory_equal(a->labels, b->labels, records * sizeof *a->labels);
}

/* Given weights: the pairs are those without sources, but for pairs of one source. */
static void give(question *q)
{
    ask(q)->options.weights = AKIN_WEIGHTS_GIVEN;
    q->options.threshold = (akin_ratio){6, 10};
}

static const char *const clusterings[] = {"components", "average:.4", "center", "merge-center", "correlation:.4"};
#define CLUSTERINGS (sizeof clusterings / sizeof *clusterings)

static void test_given(void **state)
{
    question q;
    (void)state;
    make_offers(&one, 1, 200, 1, 4);
    make_offers(&two, 3, 150, 1, 3);
    for (int tables = 1; tables <= 2; tables++) {
        const offers *right = tables == 2 ? &two : NULL, *other = right ? right : &one;
        const uint32_t records = one.people.rows + (right ? right->people.rows : 0);
        uint64_t kept = 0;
        give(&q);
        find(2, &one, right, &q.options, "components", &second);
        for (uint64_t i = 0; i < second.count; i++)
            if (!are_of_one(&one, second.pairs[i].left, other, second.pairs[i].right))
                second.pairs[kept++] = second.pairs[i];
        assert_true(kept > 0 && kept < second.count);
        second.count = kept;
        q.options.one_per_source = FIELDS + 1;
        for (size_t i = 0; i < CLUSTERINGS; i++) {
            find(1, &one, right, &q.options, clusterings[i], &first);
            expect_apart(&one, right, &first);
            assert_int_equal(first.count, kept);
            assert_memory_equal(first.pairs, second.pairs, kept * sizeof *first.pairs);
            memcpy(second.labels, first.labels, sizeof second.labels);
            find(3, &one, right, &q.options, clusterings[i], &first);
            expect_equal(&first, &second, records);
        }
        q.options.one_to_one = 1;
        find(2, &one, right, &q.options, "components", &first);
        expect_apart(&one, right, &first);
        assert_true(first.count > 0 && first.count < kept);
    }
}

static uint64_t count_right(const offers *o, const answer *a)
{
    uint64_t right = 0;
    for (uint64_t i = 0; i < a->count; i++)
        right += o->people.of[a->pairs[i].left] == o->people.of[a->pairs[i].right];
    return right;
}

/* Learnt weights, and those of a model. */
static void test_learnt(void **state)
{
    question q;
    (void)state;
    make_offers(&one, 5, 300, 1, 4);
    for (size_t i = 0; i < CLUSTERINGS; i++) {
        akin_dedupe_model *model = NULL;
        ask(&q)->options.one_per_source = FIELDS + 1;
        q.options.titles = &(akin_dedupe_titles){.columns = (const char *const[]){people_columns[0], people_columns[1],
                                                                                  people_columns[2], people_columns[3],
                                                                                  people_columns[4], "shop"},
                                                 .column_count = COLUMNS,
                                                 .comparators = people_comparators};
        q.options.learnt_model = &model;
        find(1, &one, NULL, &q.options, clusterings[i], &first);
        expect_apart(&one, NULL, &first);
        assert_true(count_right(&one, &first) > first.count * 9 / 10 && first.count > 100);
        q.options.learnt_model = NULL;
        find(3, &one, NULL, &q.options, clusterings[i], &second);
        expect_equal(&first, &second, one.people.rows);
        q.options.model = model;
        find(2, &one, NULL, &q.options, clusterings[i], &second);
        expect_equal(&first, &second, one.people.rows);
        akin_dedupe_model_free(model);
    }
}

/* Equal records of one source are different entities. */
static void test_equals(void **state)
{
    question q;
    (void)state;
    make_offers(&one, 7, 60, 1, 3);
    for (uint32_t r = 20; r < 60; r++)
        memcpy(one.people.texts[r], one.people.texts[19], sizeof one.people.texts[0]);
    finish_people(&one.people);
    memcpy(one.columns, one.people.columns, sizeof one.people.columns);
    ask(&q);
    find(2, &one, NULL, &q.options, "average:.25", &first);
    assert_true(first.report.equal_records > 0);
    q.options.one_per_source = FIELDS + 1;
    for (size_t i = 0; i < CLUSTERINGS; i++) {
        find(2, &one, NULL, &q.options, clusterings[i], &first);
        expect_apart(&one, NULL, &first);
        assert_int_equal(first.report.equal_records, 0);
    }
}

/* A report follows the job, with clusters of its own or with those of the job. */
static akin_status report(akin_context *context, const question *q, int has_clusters, const char *clustering,
                          akin_error *error)
{
    akin_clusters_options how = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_report_options options = AKIN_REPORT_OPTIONS_INIT;
    akin_dedupe_options with = q->options;
    akin_output *output = NULL;
    uint64_t count = 0;
    akin_status status = akin_clusters_options_parse(NULL, clustering, &how, error);
    options.clustering = has_clusters == 2 ? NULL : &how;
    if (status == AKIN_OK)
        status = akin_report_create(context, &options, &with.report, error);
    if (status == AKIN_OK && has_clusters == 1)
        status = akin_clusters_create_by(context, one.people.rows, 0, &how, &with.clusters, error);
    if (status == AKIN_OK)
        status = akin_dedupe(context, one.columns, one.people.rows, NULL, 0, COLUMNS, &with, NULL, NULL, &count, NULL,
                             error);
    akin_clusters_free(with.clusters);
    if (status == AKIN_OK)
        status = akin_output_open(context, "/dev/null", &output, error);
    if (status == AKIN_OK)
        status = akin_report_write(with.report, output, error);
    if (output && status == AKIN_OK)
        status = akin_output_commit(output, error);
    else
        akin_output_discard(output);
    akin_report_free(with.report);
    return status;
}

static void test_report(void **state)
{
    akin_context context = {.scope = {.context = &context, .threads = 2}};
    akin_error error;
    question q;
    (void)state;
    make_offers(&one, 9, 80, 1, 4);
    for (int is_learnt = 0; is_learnt < 2; is_learnt++)
        for (int has_clusters = 0; has_clusters <= 2; has_clusters++)
            for (size_t i = 0; i < CLUSTERINGS; i++) {
                give(&q);
                if (is_learnt)
                    ask(&q);
                q.options.one_per_source = FIELDS + 1;
                assert_int_equal(report(&context, &q, has_clusters, clusterings[i], &error), AKIN_OK);
            }
}

static void test_refused(void **state)
{
    static const uint64_t offsets[] = {0, 1, 2, 3};
    static const akin_column columns[] = {{.size = sizeof(akin_column), .offsets = offsets, .bytes = "aab"},
                                          {.size = sizeof(akin_column), .offsets = offsets, .bytes = "x\xffy"}};
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    akin_attribute attribute = {.column = 0, .weight = {1, 1}};
    akin_selection selection = {.kind = AKIN_SELECT_ALL};
    akin_dedupe_options options = AKIN_DEDUPE_OPTIONS_INIT;
    akin_error error;
    uint64_t count = 0;
    (void)state;
    options.attributes = &attribute;
    options.selections = &selection;
    options.attribute_count = options.selection_count = 1;
    options.one_per_source = 3;
    assert_int_equal(akin_dedupe_check("cpu", 2, &options, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "one_per_source is 3: there is no column 2 of 2");
    options.one_per_source = 2;
    assert_int_equal(akin_dedupe(&context, columns, 3, NULL, 0, 2, &options, NULL, NULL, &count, NULL, &error),
                     AKIN_E_INPUT);
    options.one_per_source = 1; /* the compared column: equal values are of one source */
    assert_int_equal(akin_dedupe(&context, columns, 3, NULL, 0, 2, &options, NULL, NULL, &count, NULL, &error),
                     AKIN_OK);
    assert_int_equal(count, 0);
}

/* Every allocation fails once, alone and with all that follow. */
static void test_failures(void **state)
{
    static akin_context context = {.scope = {.context = &context, .threads = 1}};
    question q;
    (void)state;
    make_offers(&one, 11, 8, 2, 4);
    for (int way = 0; way < 4; way++)
        for (unsigned n = 0, goes_on = 1; goes_on; n += FAILING_STEP) {
            akin_error error;
            give(&q);
            if (way & 1)
                ask(&q);
            q.options.one_per_source = FIELDS + 1;
            begin_failing(n, way >> 1);
            const akin_status status = report(&context, &q, way & 1, way & 1 ? "components" : "average", &error);
            armed = 0;
            assert_true(status == AKIN_OK || (failed && status == AKIN_E_NOMEM));
            assert_true(status != AKIN_OK || !failed || !(way & 1)); /* what gives room back may fail */
            goes_on = failed;
            assert_true(goes_on || n > 60);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_given),   cmocka_unit_test(test_learnt),
                                       cmocka_unit_test(test_equals),  cmocka_unit_test(test_report),
                                       cmocka_unit_test(test_refused), cmocka_unit_test(test_failures)};
    const int status = cmocka_run_group_tests(tests, NULL, NULL);
    free(first.pairs);
    free(second.pairs);
    return status;
}
