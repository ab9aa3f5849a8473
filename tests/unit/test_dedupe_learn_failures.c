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

static void every_allocation(void **state)
{
    question q;
    (void)state;
    make_people(&one, 1, 12, 3, 4);
    make_people(&two, 1, 12, 1, 1);
    fail_each(ask(&q), NULL);
    fail_each(&q, &two);
    for (uint32_t r = 1; r < 9; r++) /* equal records, which are left out */
        memcpy(one.texts[r], one.texts[0], sizeof one.texts[0]);
    finish_people(&one);
    fail_each(&q, NULL);
    q.options.one_to_one = 1;
    fail_each(&q, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
