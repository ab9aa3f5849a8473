/* What akin_join takes and refuses, and what it says; the names of techniques; the value of a measure. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "annex.h"
#include "property/rows.h"

#include <math.h>
#include <stdio.h>
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
    return akin_context_create(NULL, &context, NULL) == AKIN_OK &&
                   akin_context_use(context, akin_papers(), NULL) == AKIN_OK
               ? 0
               : -1;
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
    akin_join_report *report = NULL;
    uint64_t count = 77;
    assert_int_equal(akin_join(context, sets, NULL, options, expect_none, NULL, &count, &report, &error),
                     AKIN_E_OPTION);
    assert_says(&error, text);
    assert_int_equal(count, 77);
    assert_null(report);
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
    refuse_threshold((akin_measure)999, (akin_ratio){1, 2}, "unknown measure 999");
    const akin_choice *row;
    for (uint32_t i = 0; (row = akin_choices("measures", i)); i++) {
        const akin_measure measure = (akin_measure)row->value;
        if (!(row->capabilities & AKIN_FOR_JOIN))
            continue;
        refuse_threshold(measure, (akin_ratio){0, 1}, "above 0");
        refuse_threshold(measure, (akin_ratio){0, 0}, "denominator cannot be 0");
        refuse_threshold(measure, (akin_ratio){1, 0}, "denominator cannot be 0");
        if (row->capabilities & AKIN_TAKES_COUNT)
            continue;
        refuse_threshold(measure, (akin_ratio){101, 100}, "at most 1, not 1.01");
        refuse_threshold(measure, (akin_ratio){3, 1}, "at most 1, not 3");
        refuse_threshold(measure, (akin_ratio){1, 1000000001}, "at most 9 digits");
    }
    refuse_threshold(AKIN_OVERLAP, (akin_ratio){15, 10}, "whole number of tokens, not 3/2");
    refuse_threshold(AKIN_OVERLAP, (akin_ratio){4294967295u, 1}, "at most 9 digits");
}

static void techniques_and_widths(void **state)
{
    (void)state;
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    options.technique = (akin_technique)999;
    refuse(&options, "there is no technique 999");
    const akin_choice *row;
    for (uint32_t t = 0; (row = choice_of_both("techniques", t)); t++) {
        int signatures = (row->capabilities & AKIN_TAKES_BITS) != 0;
        if (!(row->capabilities & AKIN_ON_CPU))
            continue;
        options.technique = (akin_technique)row->value;
        options.bits = 0;
        assert_int_equal(accept(&options), 2);
        for (options.bits = 64; options.bits <= 2048; options.bits *= 2)
            if (signatures)
                assert_int_equal(accept(&options), 2);
            else
                refuse(&options, row->name);
        static const uint32_t bad[] = {1, 2, 32, 63, 65, 96, 192, 2047, 2049, 4096, 1u << 31, UINT32_MAX};
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            options.bits = bad[i];
            refuse(&options, signatures ? "expected a power of two from 64 to 2048" : "uses no signatures");
        }
    }
}

/* What is refused of blocks, with and without a GPU. */
static void blocks_where_there_are_some(void **state)
{
    (void)state;
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_papers_join_options papers = AKIN_PAPERS_JOIN_OPTIONS_INIT;
    options.annex = &papers;
    static const uint32_t bad[] = {65537, 100000, UINT32_MAX};
    const akin_choice *row;
    for (uint32_t t = 0; (row = choice_of_both("techniques", t)); t++) {
        const int blocks = (row->capabilities & AKIN_TAKES_BLOCK) != 0,
                  has_blocks = blocks || row->value == AKIN_BITMAP;
        options.technique = (akin_technique)row->value;
        papers.block = 10;
        if (has_blocks && !blocks) {
            char text[64];
            snprintf(text, sizeof text, "%s has blocks on a GPU alone", row->name);
            refuse(&options, text);
        } else if (!blocks)
            refuse(&options, "has no blocks; expected fgssjoin, sf-gssjoin or bitmap");
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            papers.block = bad[i];
            refuse(&options, blocks ? "expected 1 to 65536" : "blocks");
        }
        papers.block = 0;
        options.bits = 256;
        if (!(row->capabilities & AKIN_TAKES_BITS))
            refuse(&options, "uses no signatures");
        options.bits = 0;
    }
}

/* What finds candidates is a choice of hybrid alone, and who verifies them one of hybrid and, on a GPU, of bitmap. */
static void stages_where_there_are_some(void **state)
{
    (void)state;
    const akin_choice *row, *sharing;
    for (uint32_t t = 0; (row = choice_of_both("techniques", t)); t++) {
        akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
        akin_papers_join_options papers = AKIN_PAPERS_JOIN_OPTIONS_INIT;
        options.annex = &papers;
        if (row->capabilities & AKIN_TAKES_FILTER)
            continue;
        options.technique = (akin_technique)row->value;
        papers.filter = AKIN_PPJOIN;
        refuse(&options, "goes with the technique hybrid");
        papers.filter = AKIN_AUTO;
        for (uint32_t i = 0; (sharing = choice_of_both("sharings", i)); i++) {
            papers.sharing = (akin_sharing)sharing->value;
            if (!(sharing->capabilities & AKIN_IS_DEFAULT))
                refuse(&options, row->value == AKIN_BITMAP ? "bitmap has a choice on a GPU alone"
                                                           : "goes with hybrid or bitmap, on a GPU, and not with");
        }
        papers.sharing = (akin_sharing)999;
        refuse(&options, "unknown sharing 999");
    }
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_papers_join_options papers = AKIN_PAPERS_JOIN_OPTIONS_INIT;
    options.annex = &papers;
    options.technique = AKIN_HYBRID;
    for (uint32_t t = 0; (row = choice_of_both("techniques", t)); t++) {
        papers.filter = (akin_technique)row->value;
        if (!(row->capabilities & (AKIN_IS_FILTER | AKIN_IS_DEFAULT)))
            refuse(&options, "expected allpairs, ppjoin or groupjoin");
    }
    papers.filter = (akin_technique)77;
    refuse(&options, "a filter by an unknown technique: expected");
}

/* Techniques of the annex, and their options, are refused by a context without it; the message says what to do. */
static void a_context_without_the_annex(void **state)
{
    const akin_papers_join_options papers = AKIN_PAPERS_JOIN_OPTIONS_INIT;
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    const akin_choice *row;
    akin_error error;
    (void)state;
    assert_int_equal(akin_context_use(context, NULL, NULL), AKIN_OK);
    for (uint32_t i = 0; (row = akin_annex_choices(akin_papers(), "techniques", i)); i++) {
        options.technique = (akin_technique)row->value;
        refuse(&options, "call akin_context_use(context, akin_papers(), error) first");
    }
    options.technique = AKIN_BITMAP;
    assert_int_equal(akin_join_check(NULL, "cuda", &options, 1, &error), AKIN_E_OPTION);
    assert_says(&error, "bitmap runs on the CPU alone: use the device cpu or auto, or on a GPU auto, tensor or prefix");
    assert_int_equal(akin_join_check(akin_papers(), "cuda", &options, 1, &error), AKIN_OK);
    options.annex = &papers;
    refuse(&options, "options of an annex that the context does not use");
    assert_int_equal(akin_context_use(context, akin_papers(), NULL), AKIN_OK);
    assert_int_equal(accept(&options), 2);
}

static void sharing_names(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "Many", "one ", "warp"};
    const akin_choice *row;
    akin_error error;
    akin_sharing sharing;
    for (uint32_t i = 0; (row = choice_of_both("sharings", i)); i++) {
        assert_string_equal(akin_sharing_name((akin_sharing)row->value), row->name);
        assert_int_equal(akin_sharing_parse(row->name, &sharing, &error), AKIN_OK);
        assert_int_equal(sharing, row->value);
    }
    assert_null(akin_sharing_name((akin_sharing)999));
    sharing = AKIN_SHARING_ONE;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(akin_sharing_parse(bad[i], &sharing, &error), AKIN_E_OPTION);
        assert_says(&error, "expected auto, many, one or part");
        assert_int_equal(akin_sharing_parse(bad[i], &sharing, NULL), AKIN_E_OPTION);
        assert_int_equal(sharing, AKIN_SHARING_ONE);
    }
}

/* The message names a technique that runs on a GPU alone, where the options name the CPU. */
static void a_device_that_lacks_a_technique(void **state)
{
    (void)state;
    akin_context_options cpu = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *usual = context;
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    cpu.device = "cpu";
    assert_int_equal(akin_context_create(&cpu, &context, NULL), AKIN_OK);
    assert_int_equal(akin_context_use(context, akin_papers(), NULL), AKIN_OK);
    const akin_choice *row;
    for (uint32_t i = 0; (row = choice_of_both("techniques", i)); i++) {
        char text[64];
        if (row->capabilities & AKIN_ON_CPU)
            continue;
        snprintf(text, sizeof text, "%s runs on a GPU alone", row->name);
        options.technique = (akin_technique)row->value;
        refuse(&options, text);
    }
    akin_context_free(context);
    context = usual;
}

/* What akin_join_check says of options on a device; NULL: nothing. */
static akin_status check(const char *device, akin_technique technique, const char *expected)
{
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_error error = {.code = AKIN_OK};
    options.technique = technique;
    akin_status status = akin_join_check(akin_papers(), device, &options, 0, &error);
    assert_int_equal(error.code, status);
    if (!strstr(error.message, expected ? expected : ""))
        fail_msg("'%s' does not say '%s'", error.message, expected);
    assert_int_equal(akin_join_check(akin_papers(), device, &options, 0, NULL), status);
    return status;
}

/* A measure in which the two sides play different parts is refused of one collection, with the one to take instead. */
static void measures_of_two_collections(void **state)
{
    const akin_choice *row;
    (void)state;
    for (uint32_t i = 0; (row = akin_choices("measures", i)); i++) {
        akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
        akin_error error = {.code = AKIN_OK};
        const int is_directed = (row->capabilities & AKIN_IS_DIRECTED) != 0;
        if (!(row->capabilities & AKIN_FOR_JOIN))
            continue;
        options.measure = (akin_measure)row->value;
        options.threshold = (akin_ratio){1, 1};
        assert_int_equal(akin_join_check(akin_papers(), "cpu", &options, 0, &error), AKIN_OK);
        assert_int_equal(akin_join_check(akin_papers(), "cpu", &options, 1, &error),
                         is_directed ? AKIN_E_OPTION : AKIN_OK);
        assert_true(!is_directed || strstr(error.message, "needs two collections; of one use overlap-coefficient"));
        akin_status status = akin_join(context, sets, NULL, &options, NULL, NULL, NULL, NULL, &error);
        assert_int_equal(status, is_directed ? AKIN_E_OPTION : AKIN_OK);
    }
}

/* It is known before there is a context, and whether or not there is a GPU. */
static void a_device_that_need_not_be_there(void **state)
{
    (void)state;
    static const char *const gpus[] = {"cuda", "cuda:0", "cuda:9999", "cuda:1,2", "cuda:all"};
    akin_info info = {.size = sizeof info};
    assert_int_equal(akin_context_info(context, &info, NULL), AKIN_OK);
    int there = info.devices > 0;
    const akin_choice *row;
    for (uint32_t t = 0; (row = choice_of_both("techniques", t)); t++) {
        const akin_technique technique = (akin_technique)row->value;
        int on_cpu = (row->capabilities & AKIN_ON_CPU) != 0;
        int on_gpu = (row->capabilities & AKIN_ON_GPU) != 0 || row->value == AKIN_BITMAP;
        char text[96];
        snprintf(text, sizeof text, "%s runs on the CPU alone: use the device cpu or auto, or on a GPU auto, tensor,",
                 akin_technique_name(akin_papers(), technique));
        for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++)
            if (on_cpu)
                assert_int_equal(check(gpus[i], technique, on_gpu ? NULL : text), on_gpu ? AKIN_OK : AKIN_E_OPTION);
        snprintf(text, sizeof text,
                 "%s runs on a GPU alone: use the device cuda or auto, or on the CPU auto, allpairs,",
                 akin_technique_name(akin_papers(), technique));
        assert_int_equal(check("cpu", technique, on_cpu ? NULL : text), on_cpu ? AKIN_OK : AKIN_E_OPTION);
        snprintf(text, sizeof text, "%s runs on a GPU, and there is none that can be used",
                 akin_technique_name(akin_papers(), technique));
        int done = on_cpu || there;
        assert_int_equal(check("auto", technique, done ? NULL : text), done ? AKIN_OK : AKIN_E_DEVICE);
        assert_int_equal(check(NULL, technique, done ? NULL : text), done ? AKIN_OK : AKIN_E_DEVICE);
        if (!on_cpu)
            assert_int_equal(check("cuda", technique, done ? NULL : text), done ? AKIN_OK : AKIN_E_DEVICE);
    }
    assert_int_equal(check("gpu", AKIN_AUTO, "unknown device 'gpu'"), AKIN_E_OPTION);
    assert_int_equal(akin_join_check(akin_papers(), "cpu", NULL, 1, NULL), AKIN_OK);
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

static akin_join_report *make_report(void)
{
    akin_join_report *report = NULL;
    assert_int_equal(akin_join(context, sets, NULL, NULL, NULL, NULL, NULL, &report, NULL), AKIN_OK);
    assert_non_null(report);
    return report;
}

/* A summary or step of an earlier version is written as far as it goes, one of a later version is filled up with zeros.
 */
static void sizes_of_answers(void **state)
{
    (void)state;
    struct {
        akin_join_summary now;
        unsigned char later[16];
    } summary;
    akin_join_report *report = make_report();
    memset(&summary, 0x55, sizeof summary);
    summary.now.size = sizeof summary;
    assert_int_equal(akin_join_report_summary(report, &summary.now, NULL), AKIN_OK);
    assert_int_equal(summary.now.size, sizeof summary);
    assert_int_equal(summary.now.pairs_found, 2);
    for (size_t i = 0; i < sizeof summary.later; i++)
        assert_int_equal(summary.later[i], 0);
    memset(&summary, 0x55, sizeof summary);
    summary.now.size = offsetof(akin_join_summary, tokens_left);
    assert_int_equal(akin_join_report_summary(report, &summary.now, NULL), AKIN_OK);
    assert_int_equal(summary.now.rows_left, 4);
    assert_int_equal(summary.now.tokens_left, 0x5555555555555555);
    akin_join_step step;
    memset(&step, 0x55, sizeof step);
    step.size = offsetof(akin_join_step, seconds);
    assert_int_equal(akin_join_report_step(report, AKIN_JOIN_STEPS_DONE, 0, &step, NULL), AKIN_OK);
    assert_true(step.technique != AKIN_AUTO);
    uint64_t bytes;
    memcpy(&bytes, &step.seconds, sizeof bytes);
    assert_int_equal(bytes, 0x5555555555555555);
    akin_join_report_free(report);
}

static void answers_of_no_size(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, sizeof(size_t) - 1, (size_t)-1};
    akin_join_report *report = make_report();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        akin_error error = {.code = AKIN_OK};
        akin_join_summary summary = {.size = sizes[i], .pairs_found = 77};
        akin_join_step step = {.size = sizes[i], .candidates = 77};
        assert_int_equal(akin_join_report_summary(report, &summary, &error), AKIN_E_OPTION);
        assert_says(&error, "akin_join_summary: its size is");
        assert_int_equal(summary.pairs_found, 77);
        assert_int_equal(akin_join_report_step(report, AKIN_JOIN_STEPS_DONE, 0, &step, &error), AKIN_E_OPTION);
        assert_says(&error, "akin_join_step: its size is");
        assert_int_equal(step.candidates, 77);
    }
    akin_join_report_free(report);
}

static void steps_that_are_not_there(void **state)
{
    (void)state;
    akin_join_report *report = make_report();
    akin_join_step step = {.size = sizeof step};
    akin_error error;
    uint32_t weighed = akin_join_report_steps(report, AKIN_JOIN_STEPS_WEIGHED);
    assert_int_equal(akin_join_report_steps(report, AKIN_JOIN_STEPS_DONE), 1);
    assert_true(weighed > 1);
    assert_int_equal(akin_join_report_steps(report, (akin_join_step_kind)2), 0);
    assert_int_equal(akin_join_report_step(report, AKIN_JOIN_STEPS_DONE, 1, &step, &error), AKIN_E_OPTION);
    assert_says(&error, "step 1");
    assert_int_equal(akin_join_report_step(report, AKIN_JOIN_STEPS_WEIGHED, weighed, &step, &error), AKIN_E_OPTION);
    assert_int_equal(akin_join_report_step(report, (akin_join_step_kind)2, 0, &step, &error), AKIN_E_OPTION);
    assert_int_equal(akin_join_report_step(report, AKIN_JOIN_STEPS_WEIGHED, weighed - 1, &step, &error), AKIN_OK);
    akin_join_report_free(report);
    akin_join_report_free(NULL);
}

/* Sets of sizes that cannot match: nothing is weighed, and nothing is said to be predicted. */
static void nothing_to_predict(void **state)
{
    (void)state;
    static const uint64_t offsets[] = {0, 1, 9};
    static const uint32_t tokens[] = {1, 1, 2, 3, 4, 5, 6, 7, 8};
    akin_sets *two = NULL;
    akin_join_report *report = NULL;
    akin_join_step step = {.size = sizeof step};
    assert_int_equal(akin_sets_from_arrays(context, 2, offsets, tokens, &two, NULL), AKIN_OK);
    assert_int_equal(akin_join(context, two, NULL, NULL, NULL, NULL, NULL, &report, NULL), AKIN_OK);
    assert_int_equal(akin_join_report_steps(report, AKIN_JOIN_STEPS_WEIGHED), 0);
    assert_int_equal(akin_join_report_steps(report, AKIN_JOIN_STEPS_DONE), 0);
    assert_int_equal(akin_join_report_step(report, AKIN_JOIN_STEPS_DONE, 0, &step, NULL), AKIN_E_OPTION);
    akin_join_report_free(report);
    akin_sets_free(two);
}

/* The technique that is predicted to be the fastest on the rows of a calibrated context. */
static akin_technique first_choice(const akin_calibration *calibration)
{
    akin_join_report *report = NULL;
    akin_join_step step = {.size = sizeof step};
    assert_int_equal(akin_context_calibrate(context, calibration, NULL), AKIN_OK);
    report = make_report();
    assert_int_equal(akin_join_report_step(report, AKIN_JOIN_STEPS_WEIGHED, 0, &step, NULL), AKIN_OK);
    akin_join_report_free(report);
    return step.technique;
}

static void calibrations_decide(void **state)
{
    (void)state;
    akin_calibration calibration = {.size = sizeof calibration, .index = 50, .screened = 0.02, .bitmap = 50};
    akin_technique before = first_choice(NULL);
    assert_int_equal(first_choice(&calibration), AKIN_SCREENED);
    calibration.index = 0.02;
    calibration.screened = 50;
    assert_in_range(first_choice(&calibration), AKIN_ALLPAIRS, AKIN_GROUPJOIN);
    assert_int_equal(first_choice(NULL), before);
    static const double wrong[] = {0, -1, 0.019, 50.1, 1.0 / 0.0, 0.0 / 0.0};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        akin_error error;
        calibration.index = wrong[i];
        assert_int_equal(akin_context_calibrate(context, &calibration, &error), AKIN_E_OPTION);
        assert_says(&error, "expected 0.02 to 50");
    }
    calibration = (akin_calibration){.size = sizeof calibration};
    assert_int_equal(akin_context_measure(context, &calibration, NULL), AKIN_OK);
    assert_int_equal(akin_context_calibrate(context, &calibration, NULL), AKIN_OK);
    assert_int_equal(akin_context_calibrate(context, NULL, NULL), AKIN_OK);
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
    const akin_choice *row;
    static const char *const bad[] = {"", "Bitmap", "bitmap ", "ppjoin+", "0"};
    akin_error error;
    akin_technique technique;
    for (uint32_t i = 0; (row = choice_of_both("techniques", i)); i++) {
        assert_string_equal(akin_technique_name(akin_papers(), (akin_technique)row->value), row->name);
        assert_int_equal(akin_technique_parse(akin_papers(), row->name, &technique, &error), AKIN_OK);
        assert_int_equal(technique, row->value);
    }
    assert_null(akin_technique_name(akin_papers(), (akin_technique)999));
    technique = AKIN_PPJOIN;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(akin_technique_parse(akin_papers(), bad[i], &technique, &error), AKIN_E_OPTION);
        assert_says(&error, "unknown technique '");
        assert_says(&error,
                    "expected auto, allpairs, ppjoin, groupjoin, bitmap, screened, tensor, prefix, gssjoin, "
                    "fgssjoin, sf-gssjoin or hybrid");
        assert_int_equal(akin_technique_parse(akin_papers(), bad[i], &technique, NULL), AKIN_E_OPTION);
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
    assert_value(AKIN_COSINE, 2, 1, 1, sqrt(0.5)); /* 1 / sqrt(2) rounds twice */
    assert_value(AKIN_COSINE, UINT32_MAX, UINT32_MAX, UINT32_MAX, 1.0);
    const akin_choice *row;
    for (uint32_t i = 0; (row = akin_choices("measures", i)); i++) {
        assert_value((akin_measure)row->value, 3, 4, 0, 0.0);
        assert_value((akin_measure)row->value, 0, 0, 0, 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_and_thresholds),
        cmocka_unit_test(techniques_and_widths),
        cmocka_unit_test(blocks_where_there_are_some),
        cmocka_unit_test(stages_where_there_are_some),
        cmocka_unit_test(a_context_without_the_annex),
        cmocka_unit_test(sharing_names),
        cmocka_unit_test(a_device_that_lacks_a_technique),
        cmocka_unit_test(measures_of_two_collections),
        cmocka_unit_test(a_device_that_need_not_be_there),
        cmocka_unit_test(sizes_of_options),
        cmocka_unit_test(sizes_of_answers),
        cmocka_unit_test(answers_of_no_size),
        cmocka_unit_test(calibrations_decide),
        cmocka_unit_test(steps_that_are_not_there),
        cmocka_unit_test(nothing_to_predict),
        cmocka_unit_test(all_that_may_be_null),
        cmocka_unit_test(technique_names),
        cmocka_unit_test(values_of_measures),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
