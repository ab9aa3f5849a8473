/* Learning of weights, and models that are kept, while memory runs out: allocations fail, alone or with all that
 * follow. Leaks show under the address sanitizer. */
#define _POSIX_C_SOURCE 200809L

#include "unit/test_base_failing.h"
#include "unit/test_base_cancel.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "unit/test_dedupe_learn.h"

/* Learning takes long, and has many calls that are alike: one in three fails, alone or with all that follow. */
#define LEARNING_STEP (3 * FAILING_STEP)

static akin_wishes wishes; /* of the tests below */
static akin_context context = {.scope = {.context = &context, .threads = 1}, .wishes = &wishes};

static people one, two;

static int count_pairs(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    (void)pairs, (void)each;
    *(size_t *)user += count;
    return 0;
}

/* Learns, and with what was learnt finds the same once more. */
static akin_status find(const question *q, const people *right, akin_clusters *clusters, size_t *found,
                        akin_error *error)
{
    akin_dedupe_options options = q->options;
    akin_dedupe_model *model = NULL;
    size_t again = 0;
    options.clusters = clusters;
    options.learnt_model = &model;
    options.titles = &people_titles;
    *found = 0;
    akin_status status = akin_dedupe(&context, one.columns, one.rows, right ? right->columns : NULL,
                                     right ? right->rows : 0, FIELDS, &options, count_pairs, found, NULL, NULL, error);
    assert_true((model != NULL) == (status == AKIN_OK));
    options.model = model;
    options.learnt_model = NULL;
    options.clusters = NULL;
    if (status == AKIN_OK)
        status = akin_dedupe(&context, one.columns, one.rows, right ? right->columns : NULL, right ? right->rows : 0,
                             FIELDS, &options, count_pairs, &again, NULL, NULL, error);
    assert_true(status != AKIN_OK || again == *found);
    akin_dedupe_model_free(model);
    return status;
}

/* Reads a model from its text. */
static void fail_reading(void)
{
    question q;
    akin_dedupe_model *model = NULL, *again;
    akin_json *json;
    akin_error error;
    ask(&q)->options.learnt_model = &model;
    q.options.titles = &people_titles;
    assert_int_equal(
        akin_dedupe(&context, one.columns, one.rows, NULL, 0, FIELDS, &q.options, NULL, NULL, NULL, NULL, &error),
        AKIN_OK);
    const char *text = akin_dedupe_model_text(model);
    assert_int_equal(akin_json_parse("a text", text, strlen(text), &json, &error), AKIN_OK);
    for (int alone = 0; alone < 2; alone++)
        for (unsigned n = 0, goes_on = 1; goes_on; n++) {
            again = NULL;
            begin_failing(n, alone);
            const akin_status status = akin_dedupe_model_read(json, "a text", &again, &error);
            armed = 0;
            assert_int_equal(status, failed ? AKIN_E_NOMEM : AKIN_OK);
            assert_true(failed || strcmp(akin_dedupe_model_text(again), text) == 0);
            akin_dedupe_model_free(again);
            goes_on = failed;
        }
    akin_json_free(json);
    akin_dedupe_model_free(model);
}

static void fail_each(const question *q, const people *right)
{
    akin_clusters_options clustering = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_clusters *clusters;
    akin_error error;
    size_t expected = 0, found;
    clustering.clustering = AKIN_CLUSTERING_AVERAGE;
    assert_int_equal(find(q, right, NULL, &expected, &error), AKIN_OK);
    assert_true(expected > 0);
    CANCEL_EACH(&context, error, find(q, right, NULL, &found, &error));
    for (int alone = 0; alone < 2; alone++)
        for (unsigned n = (unsigned)alone, goes_on = 1; goes_on; n += LEARNING_STEP) {
            assert_int_equal(
                akin_clusters_create_by(&context, one.rows, right ? right->rows : 0, &clustering, &clusters, &error),
                AKIN_OK);
            begin_failing(n, alone);
            akin_status status = find(q, right, clusters, &found, &error);
            armed = 0;
            akin_clusters_free(clusters);
            assert_int_equal(status, failed ? AKIN_E_NOMEM : AKIN_OK);
            assert_true(!failed || (error.code == AKIN_E_NOMEM && strstr(error.message, "memory")));
            goes_on = failed;
            assert_true(goes_on || (found == expected && n > 60));
        }
}

/* With a report, which has clusters of its own or reads those of the job. */
static akin_status report_all(const question *q, int has_clusters, akin_error *error)
{
    akin_clusters_options clustering = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_report_options options = AKIN_REPORT_OPTIONS_INIT;
    akin_clusters *clusters = NULL;
    akin_output *output = NULL;
    akin_dedupe_options with = q->options;
    size_t found = 0;
    clustering.clustering = AKIN_CLUSTERING_AVERAGE;
    options.clustering = &clustering;
    akin_status status = akin_report_create(&context, &options, &with.report, error);
    if (status == AKIN_OK && has_clusters)
        status = akin_clusters_create_by(&context, one.rows, 0, &clustering, &clusters, error);
    with.clusters = clusters;
    if (status == AKIN_OK)
        status = akin_dedupe(&context, one.columns, one.rows, NULL, 0, FIELDS, &with, count_pairs, &found, NULL, NULL,
                             error);
    akin_clusters_free(clusters);
    if (status == AKIN_OK)
        status = akin_output_open(&context, "/dev/null", &output, error);
    if (status == AKIN_OK)
        status = akin_report_write(with.report, output, error);
    if (output && status == AKIN_OK)
        status = akin_output_commit(output, error);
    else
        akin_output_discard(output);
    akin_report_free(with.report);
    return status;
}

static void every_allocation_of_reports(void **state)
{
    akin_error error;
    question q;
    (void)state;
    make_people(&one, 1, 12, 3, 4);
    ask(&q);
    CANCEL_EACH(&context, error, report_all(&q, 1, &error));
    for (int alone = 0; alone < 2; alone++)
        for (unsigned n = (unsigned)alone, goes_on = 1; goes_on; n += LEARNING_STEP) {
            begin_failing(n, alone);
            akin_status status = report_all(&q, alone, &error);
            armed = 0;
            assert_int_equal(status, failed ? AKIN_E_NOMEM : AKIN_OK);
            assert_true(!failed || (error.code == AKIN_E_NOMEM && strstr(error.message, "memory")));
            goes_on = failed;
            assert_true(goes_on || n > 80);
        }
}

/* A job with answers, and the question after it. */
static akin_status ask_next(const question *q, const people *right, akin_labelling *labelling, akin_error *error)
{
    akin_dedupe_options options = q->options;
    akin_scored_pair pair;
    int is_there;
    options.labelling = labelling;
    const akin_status status = akin_dedupe(&context, one.columns, one.rows, right ? right->columns : NULL,
                                           right ? right->rows : 0, FIELDS, &options, NULL, NULL, NULL, NULL, error);
    return status == AKIN_OK ? akin_labelling_next(labelling, &pair, &is_there, error) : status;
}

/* The answers are about six pairs of the first records and the last ones. */
static akin_status label(const question *q, const people *right, akin_error *error)
{
    akin_labelling *labelling = NULL;
    akin_status status = akin_labelling_create(&labelling, error);
    for (uint32_t i = 0; i < 6 && status == AKIN_OK; i++) {
        const uint32_t a = right ? i / 2 : i, b = !right ? i + 1 : i % 2 ? right->rows - 3 + i / 2 : i / 2;
        const int is_same = one.of[a] == (right ? right : &one)->of[b];
        status = akin_labelling_answer(labelling, a, b, is_same ? AKIN_ANSWER_YES : AKIN_ANSWER_NO, error);
    }
    if (status == AKIN_OK)
        status = ask_next(q, right, labelling, error);
    akin_labelling_free(labelling);
    return status;
}

static void fail_labelling(const question *q, const people *right)
{
    akin_error error;
    CANCEL_EACH(&context, error, label(q, right, &error));
    for (int alone = 0; alone < 2; alone++)
        for (unsigned n = (unsigned)alone, goes_on = 1; goes_on; n += LEARNING_STEP) {
            begin_failing(n, alone);
            const akin_status status = label(q, right, &error);
            armed = 0;
            assert_int_equal(status, failed ? AKIN_E_NOMEM : AKIN_OK);
            assert_true(!failed || (error.code == AKIN_E_NOMEM && strstr(error.message, "memory")));
            goes_on = failed;
        }
}

/* Three persons have a second record on the right, so the model thinks that a record has one partner: the answers say
 * many. */
static void make_few_twice(void)
{
    make_people(&one, 1, 40, 1, 1);
    make_people(&two, 1, 40, 1, 1);
    for (uint32_t r = 0; r < 3; r++) {
        memcpy(two.texts[two.rows], one.texts[r], sizeof two.texts[0]);
        two.of[two.rows++] = r;
    }
    finish_people(&two);
}

/* Pairs are given of records that are left out, too. */
static void fail_given(const question *q)
{
    static const uint32_t lefts[] = {0, 8, 10}, rights[] = {8, 9, 2};
    question own = *q;
    own.options.selections = own.selections;
    own.selections[0] = (akin_selection){.kind = AKIN_SELECT_GIVEN};
    own.options.given_left = lefts;
    own.options.given_right = rights;
    own.options.given_count = 3;
    fail_each(&own, NULL);
}

static void every_allocation(void **state)
{
    question q;
    (void)state;
    make_few_twice();
    fail_labelling(ask(&q), &two);
    make_people(&one, 1, 12, 3, 4);
    make_people(&two, 1, 12, 1, 1);
    fail_each(ask(&q), NULL);
    fail_each(&q, &two);
    fail_labelling(&q, NULL);
    for (uint32_t r = 1; r < 9; r++) /* equal records, which are left out */
        memcpy(one.texts[r], one.texts[0], sizeof one.texts[0]);
    finish_people(&one);
    fail_each(&q, NULL);
    fail_given(&q);
    q.options.one_to_one = 1;
    fail_labelling(&q, NULL);
    fail_each(&q, NULL);
    q.options.one_to_one = 0;
    wishes.learnt_pairs = 1;
    fail_each(&q, NULL);
    wishes.learnt_pairs = 0;
    fail_reading();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation),
                                       cmocka_unit_test(every_allocation_of_reports)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
