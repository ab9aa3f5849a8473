/* What a plan of near-duplicates foresees, against what the job then takes: exactly, where the sample is all documents,
 * and about, where it is a part of them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/random.h"
#include "corpus/near_duplicates.h"
#include "corpus/near_plan.h"

#define ROWS 40000
#define LESS 500
#define MOST 120 /* words of a document */

static akin_context context;

/* Documents of rare and frequent words. Every tenth is a copy of one before with a word changed. */
static char *bytes;
static uint64_t *offsets, tokens;
static akin_column column;

static int draw_word(akin_random *random, char *to)
{
    const uint64_t most = UINT64_C(1) << (1 + akin_random_below(random, 20));
    return sprintf(to, "w%u ", (unsigned)akin_random_below(random, most));
}

static void make_documents(uint32_t rows)
{
    akin_random random;
    uint64_t at = 0;
    akin_random_seed(&random, 7);
    tokens = 0;
    bytes = calloc(rows, MOST * 10);
    offsets = calloc(rows + 1, sizeof *offsets);
    assert_true(bytes && offsets);
    for (uint32_t row = 0; row < rows; row++) {
        const int is_copy = row % 10 == 9;
        const uint64_t from = offsets[row - row % 10];
        uint64_t words = 0;
        if (is_copy) {
            const uint64_t length = offsets[row - row % 10 + 1] - from;
            memcpy(bytes + at, bytes + from, length);
            for (uint64_t i = 0; i < length; i++)
                words += bytes[from + i] == ' ';
            at += length;
        } else {
            const uint64_t count = row % 100 == 5 ? 0 : 60 + akin_random_below(&random, MOST - 60);
            for (; words < count; words++)
                at += (uint64_t)draw_word(&random, bytes + at);
        }
        tokens += words > 4 ? words - 4 : words > 0;
        offsets[row + 1] = at;
    }
    column = (akin_column)AKIN_COLUMN_INIT;
    column.bytes = bytes;
    column.offsets = offsets;
}

static void free_documents(void)
{
    free(bytes);
    free(offsets);
}

static void begin_context(uint32_t threads, uint64_t memory)
{
    context =
        (akin_context){.scope = {.context = &context, .threads = threads, .cpu = akin_cpu_detect(), .memory = memory}};
}

/* The report of the job. */
static akin_duplicates_report run_job(const akin_duplicates_options *options, uint32_t rows)
{
    akin_duplicates *found = NULL;
    akin_duplicates_report report = {.size = sizeof report};
    akin_error error;
    assert_int_equal(akin_duplicates_find(&context, &column, rows, options, &found, &error), AKIN_OK);
    assert_int_equal(akin_duplicates_describe(found, &report, &error), AKIN_OK);
    akin_duplicates_free(found);
    return report;
}

static akin_duplicates_cost plan(const akin_duplicates_options *options, uint32_t rows, uint64_t most, double times)
{
    akin_duplicates_plan_options asked = AKIN_DUPLICATES_PLAN_OPTIONS_INIT;
    akin_duplicates_cost cost = {.size = sizeof cost};
    akin_error error;
    asked.find = options;
    asked.bytes = most;
    asked.times = times;
    assert_int_equal(akin_duplicates_plan(&context, &column, rows, &asked, &cost, &error), AKIN_OK);
    assert_true(cost.seconds > 0 || rows == 0);
    return cost;
}

static void assert_about(double found, double expected, double factor)
{
    if (found > expected * factor || found < expected / factor)
        printf("%g is not within a factor %g of %g\n", found, factor, expected);
    assert_true(found <= expected * factor && found >= expected / factor);
}

/* All documents are the sample: the figures are those of the job. */
static void of_all_documents(void **state)
{
    static const uint32_t sizes[] = {0, 1, LESS, 5000};
    static const uint64_t frequent[] = {0, 3};
    akin_duplicates_options options = AKIN_DUPLICATES_OPTIONS_INIT;
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < 2; k++) {
            const uint32_t rows = sizes[i];
            make_documents(rows);
            begin_context(1, 0);
            options.ignore_frequent = frequent[k];
            const akin_duplicates_report report = run_job(&options, rows);
            const akin_duplicates_cost cost = plan(&options, rows, UINT64_C(1) << 40, 1);
            assert_int_equal(cost.sampled, rows);
            assert_int_equal(cost.documents, rows);
            assert_int_equal(cost.text, offsets[rows]);
            assert_int_equal(cost.tokens, tokens);
            assert_int_equal(cost.memory, offsets[rows] + 8 * (rows + UINT64_C(1)) + rows * sizeof(akin_duplicate) +
                                              report.memory_peak);
            assert_int_equal(cost.rounds, report.rounds);
            assert_int_equal(cost.readings, (k > 0 ? 2 : 1) + report.rounds);
            assert_int_equal(cost.temporary, 0);
            free_documents();
        }
}

/* A part of the documents is, and these stand for more. */
static void of_a_part(void **state)
{
    static const uint64_t bounds[] = {0, UINT64_C(16) << 20, UINT64_C(20) << 20, UINT64_C(32) << 20};
    akin_duplicates_options options = AKIN_DUPLICATES_OPTIONS_INIT;
    (void)state;
    make_documents(ROWS);
    options.keep = AKIN_KEEP_LONGEST;
    begin_context(1, 0);
    const uint64_t memory =
        offsets[ROWS] + (8 + sizeof(akin_duplicate)) * (uint64_t)ROWS + run_job(&options, ROWS).memory_peak;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        begin_context(1, bounds[i]);
        const akin_duplicates_report report = run_job(&options, ROWS);
        const akin_duplicates_cost whole = plan(&options, ROWS, UINT64_C(1) << 40, 1);
        assert_int_equal(whole.rounds, report.rounds);
        for (uint64_t part = 3; part <= 9; part += 3) {
            const akin_duplicates_cost cost = plan(&options, ROWS, offsets[ROWS] / part, 1);
            assert_about((double)cost.sampled, ROWS / (double)part, 1.1);
            assert_about((double)cost.documents, ROWS, 1.05);
            assert_about((double)cost.text, (double)offsets[ROWS], 1.01);
            assert_about((double)cost.tokens, (double)tokens, 1.05);
            assert_about((double)cost.memory, (double)memory, 1.4);
            assert_about((double)cost.rounds, (double)report.rounds, 2);
            assert_int_equal(cost.readings, 1 + cost.rounds);
            assert_about((double)cost.temporary + !bounds[i], bounds[i] ? (double)offsets[ROWS] + 28.0 * ROWS : 1, 1.2);
        }
    }
    free_documents();
}

/* The first documents stand for all. */
static void of_so_many_times(void **state)
{
    akin_duplicates_options options = AKIN_DUPLICATES_OPTIONS_INIT;
    (void)state;
    make_documents(ROWS / 4);
    begin_context(2, 0);
    const akin_duplicates_cost once = plan(&options, ROWS / 4, UINT64_C(1) << 40, 1);
    const akin_duplicates_cost often = plan(&options, ROWS / 4, UINT64_C(1) << 40, 1e6);
    const akin_duplicates_cost part = plan(&options, ROWS / 4, offsets[ROWS / 4] / 2, 1e6);
    assert_int_equal(often.sampled, once.sampled);
    assert_true(often.documents == once.documents * 1000000 && often.text == once.text * 1000000);
    assert_int_equal(often.tokens, once.tokens * 1000000);
    const double least = (double)once.text + 24.0 * ROWS / 4; /* a batch is not more than it was */
    assert_true((double)often.memory > least * 1e6 && (double)often.memory < (double)once.memory * 1e6);
    assert_about((double)part.text, (double)often.text, 1.01);
    assert_about((double)part.documents, (double)often.documents, 1.05);
    free_documents();
}

static void refused(void **state)
{
    akin_duplicates_options find = AKIN_DUPLICATES_OPTIONS_INIT;
    akin_duplicates_plan_options asked = AKIN_DUPLICATES_PLAN_OPTIONS_INIT;
    akin_duplicates_cost cost = {.size = sizeof cost};
    akin_error error;
    (void)state;
    make_documents(10);
    begin_context(1, 0);
    asked.bytes = 0;
    assert_int_equal(akin_duplicates_plan(&context, &column, 10, &asked, &cost, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "bytes is 0; expected 1 or more");
    asked.bytes = 1;
    asked.times = 0.5;
    assert_int_equal(akin_duplicates_plan(&context, &column, 10, &asked, &cost, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "times is not a number from 1 on");
    asked.times = 1;
    asked.find = &find;
    find.components = 1;
    assert_int_equal(akin_duplicates_plan(&context, &column, 10, &asked, &cost, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "a plan and components are wanted: expected one of the two");
    find.components = 0;
    context.scope.device_choice = AKIN_DEVICE_CUDA;
    assert_int_equal(akin_duplicates_plan(&context, &column, 10, &asked, &cost, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "a plan is made on the CPU alone: use the device cpu or auto");
    context.scope.device_choice = AKIN_DEVICE_AUTO;
    asked.bytes = 1; /* the first document of each stretch */
    assert_int_equal(akin_duplicates_plan(&context, &column, 10, &asked, &cost, &error), AKIN_OK);
    assert_int_equal(cost.documents, cost.sampled);
    free_documents();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_all_documents), cmocka_unit_test(of_a_part),
                                       cmocka_unit_test(of_so_many_times), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
