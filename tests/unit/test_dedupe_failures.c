/* Evaluation while memory runs out: every allocation fails once, alone and with all that follow. Leaks show under the
 * address sanitizer. */
#define _POSIX_C_SOURCE 200809L

#include "unit/test_base_cancel.h"
#include "unit/test_base_failing.h"
#include "unit/test_dedupe_support.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/context.h"

static akin_context context = {.scope = {.context = &context, .threads = 1}};

static pair_list pairs, gold;

static void fail_each(const akin_evaluate_options *options, int alone)
{
    akin_evaluation expected[AKIN_CURVE_POINTS], out[AKIN_CURVE_POINTS];
    const akin_column *found = columns_of(&pairs), *right = columns_of(&gold);
    akin_error error;
    unsigned n = 0;
    assert_int_equal(akin_evaluate_curve(&context, found, pairs.similarities, pairs.rows, right, gold.rows, options,
                                         expected, &error),
                     AKIN_OK);
    do {
        memset(out, 0, sizeof out);
        begin_failing(n++, alone);
        akin_status status = akin_evaluate_curve(&context, found, pairs.similarities, pairs.rows, right, gold.rows,
                                                 options, out, &error);
        armed = 0;
        assert_int_equal(status, failed ? AKIN_E_NOMEM : AKIN_OK);
        assert_true(!failed || (error.code == AKIN_E_NOMEM && strstr(error.message, "not enough memory for ")));
        assert_true(!failed || (out[0].gold == 0 && out[0].recall == 0)); /* untouched */
    } while (failed);
    for (int k = 0; k < AKIN_CURVE_POINTS; k++)
        assert_true(out[k].pairs == expected[k].pairs && out[k].both == expected[k].both);
    assert_true(n > (options->closed ? 12u : 5u));
}

static void count_warnings(void *user, const char *text)
{
    assert_non_null(text);
    ++*(int *)user;
}

/* The evaluation of one threshold, and the look whether the sides are swapped. */
static akin_status evaluate(int swapped, akin_error *error)
{
    akin_evaluate_options options = AKIN_EVALUATE_OPTIONS_INIT;
    akin_evaluation out;
    const akin_column *found = columns_of(&pairs), *right = columns_of(&gold);
    const akin_column turned[2] = {right[1], right[0]};
    int warnings = 0;
    options.linked = 1;
    options.related = 1;
    akin_status status =
        akin_evaluate(&context, found, pairs.rows, swapped ? turned : right, gold.rows, &options, &out, error);
    if (status == AKIN_OK)
        status = akin_evaluate_warn_swapped(&context, found, pairs.rows, right, gold.rows, &options, &out,
                                            count_warnings, &warnings, error);
    return status;
}

static void fail_each_of_one(int swapped)
{
    akin_error error;
    CANCEL_EACH(&context, error, evaluate(swapped, &error));
    for (int alone = 0; alone < 2; alone++)
        for (unsigned n = 0, goes_on = 1; goes_on; n++) {
            begin_failing(n, alone);
            const akin_status status = evaluate(swapped, &error);
            armed = 0;
            assert_int_equal(status, failed ? AKIN_E_NOMEM : AKIN_OK);
            goes_on = failed;
        }
}

/* The same of the evaluation of clusters. */
static void fail_each_of_clusters(const akin_evaluate_options *options, int alone)
{
    akin_cluster_evaluation expected = {.size = sizeof expected}, out;
    const akin_column *found = columns_of(&pairs), *right = columns_of(&gold);
    akin_error error;
    unsigned n = 0;
    assert_int_equal(akin_evaluate_clusters(&context, found, pairs.rows, right, gold.rows, options, &expected, &error),
                     AKIN_OK);
    do {
        out = (akin_cluster_evaluation){.size = sizeof out};
        begin_failing(n++, alone);
        akin_status status =
            akin_evaluate_clusters(&context, found, pairs.rows, right, gold.rows, options, &out, &error);
        armed = 0;
        assert_true(status == AKIN_OK || status == AKIN_E_NOMEM);
        assert_true(failed || status == AKIN_OK); /* sorting needs less than it takes */
        assert_true(status == AKIN_OK || strstr(error.message, "not enough memory for "));
        assert_true(status == AKIN_OK || out.records == 0); /* untouched */
        if (status == AKIN_OK)
            assert_memory_equal(&out, &expected, sizeof out); /* doubles and whole numbers, without padding */
    } while (failed);
    assert_true(n > 15);
}

static void every_allocation(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        add_pair(&pairs, i, (3 * i + 1) % 8, i / 8.0);
        add_pair(&gold, i, (5 * i + 2) % 8, 1);
    }
    for (uint32_t way = 0; way < 8; way++) {
        akin_evaluate_options options = AKIN_EVALUATE_OPTIONS_INIT;
        options.linked = way & 1;
        options.closed = way >> 1 & 1;
        fail_each(&options, (int)(way >> 2));
        options.bootstrap = 40;
        fail_each_of_clusters(&options, (int)(way >> 2));
    }
    fail_each_of_one(0);
    fail_each_of_one(1);
}

/* And of merged records, by each rule. */
static void every_allocation_of_a_merge(void **state)
{
    static const uint64_t offsets[] = {0, 1, 2, 3, 4};
    static const uint32_t clusters[] = {0, 1, 0, 1};
    static const akin_column column = {.size = sizeof column, .offsets = offsets, .bytes = "1221"};
    akin_error error;
    (void)state;
    for (uint32_t way = 0; way < 8; way++) {
        akin_merge_options options = AKIN_MERGE_OPTIONS_INIT;
        const int alone = (int)(way >> 2);
        unsigned n = 0;
        options.rule = way & 3;
        options.by = options.rule == AKIN_MERGE_NEWEST ? &column : NULL;
        do {
            uint32_t sources[2];
            begin_failing(n++, alone);
            akin_status status = akin_merge(&context, &column, 4, clusters, 2, &options, sources, &error);
            armed = 0;
            assert_int_equal(status, failed ? AKIN_E_NOMEM : AKIN_OK);
            assert_true(!failed || strstr(error.message, "not enough memory for "));
        } while (failed);
        assert_true(n > (options.rule == AKIN_MERGE_FREQUENT ? 4u : options.rule == AKIN_MERGE_FIRST ? 0u : 1u));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation),
                                       cmocka_unit_test(every_allocation_of_a_merge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
