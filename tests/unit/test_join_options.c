/* What akin_join takes and refuses, and what it says; the names of techniques; the value of a measure. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "property/rows.h"

#include <math.h>
#include <string.h>

static akin_context *context;
static akin_sets *sets; /* two pairs of equal rows */

static int make(void **state)
{
    rows all = {0};
    (void)state;
    for (uint32_t row = 0; row < 4; row++)
        rows_add(&all, (uint32_t[]){row / 2, row / 2 + 5, row / 2 + 9}, 3);
    sets = rows_to_sets(&all);
    rows_clear(&all);
    return akin_context_create(NULL, &context, NULL) == AKIN_OK ? 0 : -1;
}

static int unmake(void **state)
{
    (void)state;
    akin_sets_free(sets);
    akin_context_free(context);
    return 0;
}

static int expect_none(void *user, const akin_pair *pairs, size_t count)
{
    (void)user;
    (void)pairs;
    (void)count;
    fail_msg("pairs were delivered");
    return 0;
}

static void assert_says(const akin_error *error, const char *text)
{
    assert_int_equal(error->code, AKIN_E_OPTION);
    if (!strstr(error->message, text))
        fail_msg("'%s' does not say '%s'", error->message, text);
}

/* Joins with options that are refused, with a message that holds `text`; nothing is written. */
static void refuse(const akin_join_options *options, const char *text)
{
    akin_error error = {.code = AKIN_OK};
    akin_join_report report, before;
    uint64_t count = 77;
    memset(&report, 0x55, sizeof report);
    report.size = sizeof report;
    before = report;
    assert_int_equal(akin_join(context, sets, NULL, options, expect_none, NULL, &count, &report, &error),
                     AKIN_E_OPTION);
    assert_says(&error, text);
    assert_int_equal(count, 77);
    assert_memory_equal(&report, &before, sizeof report);
    assert_int_equal(akin_join(context, sets, sets, options, NULL, NULL, NULL, NULL, NULL), AKIN_E_OPTION);
}

static uint64_t accept(const akin_join_options *options)
{
    akin_error error;
    uint64_t count = 77;
    akin_status status = akin_join(context, sets, NULL, options, NULL, NULL, &count, NULL, &error);
    if (status != AKIN_OK)
        fail_msg("%s", error.message);
    return count;
}

static void refuse_threshold(akin_measure measure, akin_ratio threshold, const char *text)
{
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    options.measure = measure;
    options.threshold = threshold;
    refuse(&options, text);
}

static void measures_and_thresholds(void **state)
{
    (void)state;
    refuse_threshold((akin_measure)0, (akin_ratio){1, 2}, "unknown measure 0");
    refuse_threshold((akin_measure)5, (akin_ratio){1, 2}, "unknown measure 5");
    for (akin_measure measure = AKIN_JACCARD; measure <= AKIN_OVERLAP; measure++) {
        refuse_threshold(measure, (akin_ratio){0, 1}, "above 0");
        refuse_threshold(measure, (akin_ratio){0, 0}, "denominator cannot be 0");
        refuse_threshold(measure, (akin_ratio){1, 0}, "denominator cannot be 0");
    }
    for (akin_measure measure = AKIN_JACCARD; measure <= AKIN_DICE; measure++) {
        refuse_threshold(measure, (akin_ratio){101, 100}, "at most 1, not 101/100");
        refuse_threshold(measure, (akin_ratio){3, 1}, "at most 1, not 3/1");
        refuse_threshold(measure, (akin_ratio){1, 1000000001}, "at most 9 digits");
    }
    refuse_threshold(AKIN_OVERLAP, (akin_ratio){15, 10}, "whole number of tokens, not 3/2");
    refuse_threshold(AKIN_OVERLAP, (akin_ratio){4294967295u, 1}, "at most 9 digits");
}

static void techniques_and_widths(void **state)
{
    (void)state;
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    options.technique = (akin_technique)6;
    refuse(&options, "unknown technique 6");
    for (akin_technique technique = AKIN_AUTO; technique <= AKIN_SCREENED; technique++) {
        int signatures = technique == AKIN_AUTO || technique == AKIN_BITMAP || technique == AKIN_SCREENED;
        options.technique = technique;
        options.bits = 0;
        assert_int_equal(accept(&options), 2);
        for (options.bits = 64; options.bits <= 2048; options.bits *= 2)
            if (signatures)
                assert_int_equal(accept(&options), 2);
            else
                refuse(&options, akin_technique_name(technique));
        static const uint32_t bad[] = {1, 2, 32, 63, 65, 96, 192, 2047, 2049, 4096, 1u << 31, UINT32_MAX};
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            options.bits = bad[i];
            refuse(&options, signatures ? "expected a power of two from 64 to 2048" : "uses no signatures");
        }
    }
}

static void sizes_of_options(void **state)
{
    (void)state;
    struct {
        akin_join_options now;
        uint64_t later[3];
    } options = {AKIN_JOIN_OPTIONS_INIT, {0}};
    options.now.size = sizeof options;
    assert_int_equal(accept(&options.now), 2);
    options.later[1] = 1;
    refuse(&options.now, "a field");
    options.now.size = 0;
    refuse(&options.now, "akin_join_options: its size is 0");
    options.now.size = sizeof options.now - 1;
    refuse(&options.now, "akin_join_options: its size is");
    options.now.size = (size_t)-1;
    refuse(&options.now, "akin_join_options: its size is");
    assert_int_equal(accept(NULL), 2);
}

/* A report of an earlier version is written as far as it goes, one of a later version is filled up with zeros. */
static void sizes_of_reports(void **state)
{
    (void)state;
    struct {
        akin_join_report now;
        unsigned char later[16];
    } report;
    memset(&report, 0x55, sizeof report);
    report.now.size = sizeof report;
    assert_int_equal(akin_join(context, sets, NULL, NULL, NULL, NULL, NULL, &report.now, NULL), AKIN_OK);
    assert_int_equal(report.now.size, sizeof report);
    assert_int_equal(report.now.pairs_found, 2);
    for (size_t i = 0; i < sizeof report.later; i++)
        assert_int_equal(report.later[i], 0);
    memset(&report, 0x55, sizeof report);
    report.now.size = offsetof(akin_join_report, tokens_left);
    assert_int_equal(akin_join(context, sets, NULL, NULL, NULL, NULL, NULL, &report.now, NULL), AKIN_OK);
    assert_int_equal(report.now.rows_left, 4);
    assert_int_equal(report.now.tokens_left, 0x5555555555555555);
}

static void refuse_report(size_t size)
{
    akin_error error = {.code = AKIN_OK};
    akin_join_report report, before;
    uint64_t count = 77;
    memset(&report, 0x55, sizeof report);
    report.size = size;
    before = report;
    assert_int_equal(akin_join(context, sets, NULL, NULL, expect_none, NULL, &count, &report, &error), AKIN_E_OPTION);
    assert_says(&error, "akin_join_report: its size is");
    assert_int_equal(count, 77);
    assert_memory_equal(&report, &before, sizeof report);
}

static void reports_of_no_size(void **state)
{
    (void)state;
    refuse_report(0);
    refuse_report(sizeof(size_t) - 1);
    refuse_report((size_t)-1);
}

static void all_that_may_be_null(void **state)
{
    (void)state;
    assert_int_equal(akin_join(context, sets, NULL, NULL, NULL, NULL, NULL, NULL, NULL), AKIN_OK);
    assert_int_equal(akin_join(context, sets, sets, NULL, NULL, NULL, NULL, NULL, NULL), AKIN_OK);
}

static void technique_names(void **state)
{
    (void)state;
    static const char *const names[] = {"auto", "allpairs", "ppjoin", "groupjoin", "bitmap", "screened"};
    static const char *const bad[] = {"", "Bitmap", "bitmap ", "ppjoin+", "0"};
    akin_error error;
    akin_technique technique;
    for (int i = 0; i < 6; i++) {
        assert_string_equal(akin_technique_name((akin_technique)i), names[i]);
        assert_int_equal(akin_technique_parse(names[i], &technique, &error), AKIN_OK);
        assert_int_equal(technique, i);
    }
    assert_null(akin_technique_name((akin_technique)6));
    technique = AKIN_PPJOIN;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(akin_technique_parse(bad[i], &technique, &error), AKIN_E_OPTION);
        for (int k = 0; k < 6; k++)
            assert_says(&error, names[k]);
        assert_int_equal(akin_technique_parse(bad[i], &technique, NULL), AKIN_E_OPTION);
        assert_int_equal(technique, AKIN_PPJOIN);
    }
}

static void assert_value(akin_measure measure, uint32_t r, uint32_t s, uint32_t n, double expected)
{
    assert_true(akin_measure_value(measure, r, s, n) == expected);
    assert_true(akin_measure_value(measure, s, r, n) == expected);
}

static void values_of_measures(void **state)
{
    (void)state;
    assert_value(AKIN_JACCARD, 3, 4, 2, 2.0 / 5.0);
    assert_value(AKIN_JACCARD, 16, 17, 13, 0.65);
    assert_value(AKIN_JACCARD, UINT32_MAX, UINT32_MAX, 1, 1.0 / 8589934589.0);
    assert_value(AKIN_JACCARD, UINT32_MAX, UINT32_MAX, UINT32_MAX, 1.0);
    assert_value(AKIN_DICE, 3, 4, 2, 4.0 / 7.0);
    assert_value(AKIN_DICE, UINT32_MAX, UINT32_MAX - 1, UINT32_MAX - 1, 8589934588.0 / 8589934589.0);
    assert_value(AKIN_OVERLAP, 3, 4, 2, 2.0);
    assert_value(AKIN_OVERLAP, UINT32_MAX, UINT32_MAX, UINT32_MAX, 4294967295.0);
    assert_value(AKIN_COSINE, 4, 9, 3, 0.5);
    assert_value(AKIN_COSINE, 100, 49, 49, 0.7);
    assert_value(AKIN_COSINE, 2, 1, 1, 1.0 / sqrt(2.0));
    assert_value(AKIN_COSINE, UINT32_MAX, UINT32_MAX, UINT32_MAX, 1.0);
    for (akin_measure measure = AKIN_JACCARD; measure <= AKIN_OVERLAP; measure++) {
        assert_value(measure, 3, 4, 0, 0.0);
        assert_value(measure, 0, 0, 0, 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_and_thresholds), cmocka_unit_test(techniques_and_widths),
        cmocka_unit_test(sizes_of_options),        cmocka_unit_test(sizes_of_reports),
        cmocka_unit_test(reports_of_no_size),      cmocka_unit_test(all_that_may_be_null),
        cmocka_unit_test(technique_names),         cmocka_unit_test(values_of_measures),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
