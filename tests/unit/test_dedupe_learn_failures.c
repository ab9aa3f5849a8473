/* Learning of weights while memory runs out: every allocation fails once, alone and with all that follow. Leaks show
 * under the address sanitizer. */
#include "unit/test_base_failing.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "unit/test_dedupe_learn.h"

static akin_context context = {.scope = {.context = &context, .threads = 1}};

static people one, two;

static int count_pairs(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    (void)pairs, (void)each;
    *(size_t *)user += count;
    return 0;
}

static akin_status find(const question *q, const people *right, akin_clusters *clusters, size_t *found,
                        akin_error *error)
{
    akin_dedupe_options options = q->options;
    options.clusters = clusters;
    *found = 0;
    return akin_dedupe(&context, one.columns, one.rows, right ? right->columns : NULL, right ? right->rows : 0, FIELDS,
                       &options, count_pairs, found, NULL, NULL, error);
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
    for (int alone = 0; alone < 2; alone++)
        for (unsigned n = 0, goes_on = 1; goes_on; n += FAILING_STEP) {
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
    question with = *q;
    size_t found;
    clustering.clustering = AKIN_CLUSTERING_AVERAGE;
    options.clustering = &clustering;
    akin_status status = akin_report_create(&context, &options, &with.options.report, error);
    if (status == AKIN_OK && has_clusters)
        status = akin_clusters_create_by(&context, one.rows, 0, &clustering, &clusters, error);
    if (status == AKIN_OK)
        status = find(&with, NULL, clusters, &found, error);
    akin_clusters_free(clusters);
    if (status == AKIN_OK)
        status = akin_output_open(&context, "/dev/null", &output, error);
    if (status == AKIN_OK)
        status = akin_report_write(with.options.report, output, error);
    if (output && status == AKIN_OK)
        status = akin_output_commit(output, error);
    else
        akin_output_discard(output);
    akin_report_free(with.options.report);
    return status;
}

static void every_allocation_of_reports(void **state)
{
    akin_error error;
    question q;
    (void)state;
    make_people(&one, 1, 12, 3, 4);
    ask(&q);
    for (int alone = 0; alone < 2; alone++)
        for (unsigned n = 0, goes_on = 1; goes_on; n += FAILING_STEP) {
            begin_failing(n, alone);
            akin_status status = report_all(&q, alone, &error);
            armed = 0;
            assert_int_equal(status, failed ? AKIN_E_NOMEM : AKIN_OK);
            assert_true(!failed || (error.code == AKIN_E_NOMEM && strstr(error.message, "memory")));
            goes_on = failed;
            assert_true(goes_on || n > 80);
        }
}

static void every_allocation(void **state)
{
    question q;
    (void)state;
    make_people(&one, 1, 12, 3, 4);
    make_people(&two, 1, 12, 1, 1);
    fail_each(ask(&q), NULL);
    fail_each(&q, &two);
    q.options.one_to_one = 1;
    fail_each(&q, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation),
                                       cmocka_unit_test(every_allocation_of_reports)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
