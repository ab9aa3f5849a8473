/* A report while memory runs out: every allocation fails once, alone and with all that follow. Leaks show under the
 * address sanitizer. */
#define _POSIX_C_SOURCE 200809L

#include "unit/test_base_failing.h"
#include "unit/test_base_cancel.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/context.h"
#include "unit/test_ratio.h"

#define RECORDS 5

static akin_context context = {.scope = {.context = &context, .threads = 1}};

static const char names[] = "mary annmary anna\xce\xb1\xce\xb2jonathan", numbers[] = "12no1314", ids[] = "abcde";
static const uint64_t at_names[] = {0, 8, 17, 17, 21, 29}, at_numbers[] = {0, 2, 4, 4, 6, 8},
                      at_ids[] = {0, 1, 2, 3, 4, 5};
static const akin_column columns[] = {{sizeof(akin_column), "name", at_names, names, NULL, 0, NULL, 0, 0},
                                      {sizeof(akin_column), "number", at_numbers, numbers, NULL, 0, NULL, 0, 0}};
static const akin_column id = {sizeof id, "id", at_ids, ids, NULL, 0, NULL, 0, 0};
/* a and b, b and c, c and d, d and f, which is nobody. */
static const akin_column gold[] = {{sizeof id, "left", at_ids, "abcd", NULL, 0, NULL, 0, 0},
                                   {sizeof id, "right", at_ids, "bcdf", NULL, 0, NULL, 0, 0}};

static akin_status find(akin_report *report, akin_error *error)
{
    static akin_compare_options by[] = {AKIN_COMPARE_OPTIONS_INIT, AKIN_COMPARE_OPTIONS_INIT};
    by[0].comparator = AKIN_JARO_WINKLER;
    by[1].comparator = AKIN_NUMBER;
    static const uint32_t both[] = {0, 1}, folds[] = {0, 0, AKIN_FOLD_ALL};
    const akin_combined combined = {both, 2, 0};
    const akin_attribute attributes[] = {
        {0, 0, &by[0], {1, 2}, {1, 1}}, {1, 0, &by[1], {0, 1}, {1, 2}}, {2, 0, &by[0], {1, 10}, {1, 10}}};
    const akin_key_part parts[] = {{.column = 0, .key = AKIN_KEY_VALUE},
                                   {.column = 0, .key = AKIN_KEY_SOUNDEX},
                                   {.column = 1, .key = AKIN_KEY_SIMPLE}};
    const akin_selection selections[] = {{.kind = AKIN_SELECT_WINDOW, .window = 2, .parts = parts, .part_count = 1},
                                         {.kind = AKIN_SELECT_BLOCK, .parts = parts + 1, .part_count = 2}};
    akin_dedupe_options options = AKIN_DEDUPE_OPTIONS_INIT;
    options.selections = selections;
    options.selection_count = 2;
    options.attributes = attributes;
    options.attribute_count = 3;
    options.combined = &combined;
    options.combined_count = 1;
    options.folds = folds;
    options.one_to_one = 1;
    options.threshold = ratio_of(0.6);
    options.report = report;
    return akin_dedupe(&context, columns, RECORDS, NULL, 0, 2, &options, NULL, NULL, NULL, NULL, error);
}

/* All of it, from nothing to a page that nobody reads. */
static akin_status report_all(akin_error *error)
{
    akin_report_options options = AKIN_REPORT_OPTIONS_INIT;
    akin_report *report = NULL;
    akin_output *output = NULL;
    options.ids[0] = &id;
    options.gold[0] = &gold[0];
    options.gold[1] = &gold[1];
    options.gold_rows = 4;
    akin_status status = akin_report_create(&context, &options, &report, error);
    if (status == AKIN_OK)
        status = find(report, error);
    if (status == AKIN_OK)
        status = akin_output_open(&context, "/dev/null", &output, error);
    if (status == AKIN_OK)
        status = akin_report_write(report, output, error);
    if (output && status == AKIN_OK)
        status = akin_output_commit(output, error);
    else
        akin_output_discard(output);
    akin_report_free(report);
    return status;
}

static void every_allocation(void **state)
{
    akin_error error;
    (void)state;
    CANCEL_EACH(&context, error, report_all(&error));
    for (int alone = 0; alone < 2; alone++) {
        unsigned n = 0;
        do {
            begin_failing(n++, alone);
            akin_status status = report_all(&error);
            armed = 0;
            assert_int_equal(status, failed ? AKIN_E_NOMEM : AKIN_OK);
            assert_true(!failed || strstr(error.message, "not enough memory for "));
        } while (failed);
        assert_true(n > 80);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
