/* The page of a report where there is little to say, or much: it is true, and no longer than it may be. */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "report/report.h"
#include "unit/test_base_files.h"
#include "unit/test_ratio.h"

#define ROWS       1000
#define LENGTH     600 /* of a value, at most */
#define COLUMNS    32
#define ATTRIBUTES 64
#define ROOM       ((size_t)8 << 20)

/* A table of columns. All odd columns hold the same in every row. */
static struct {
    char bytes[2][ROWS * LENGTH];
    uint64_t offsets[2][ROWS + 1];
    akin_column columns[COLUMNS];
    akin_attribute attributes[ATTRIBUTES];
    akin_compare_options exact;
    char page[ROOM];
} w;

static akin_context context;

/* Rows of an even column hold "0000" and so on, or every two the same, and then dots up to a length. */
static void fill(uint32_t every, uint32_t length)
{
    w.exact = (akin_compare_options)AKIN_COMPARE_OPTIONS_INIT;
    for (uint32_t row = 0; row < ROWS; row++)
        for (int odd = 0; odd < 2; odd++) {
            char *to = w.bytes[odd] + (size_t)row * length;
            char number[16];
            snprintf(number, sizeof number, "%04u", odd ? 0 : row / every);
            memset(to, '.', length);
            memcpy(to, number, 4);
            w.offsets[odd][row + 1] = w.offsets[odd][row] + length;
        }
    for (uint32_t i = 0; i < COLUMNS; i++)
        w.columns[i] =
            (akin_column){sizeof w.columns[i], "name", w.offsets[i % 2], w.bytes[i % 2], NULL, 0, NULL, 0, 0};
    w.exact.comparator = AKIN_EXACT;
    for (uint32_t i = 0; i < ATTRIBUTES; i++)
        w.attributes[i] = (akin_attribute){i % COLUMNS, 0, &w.exact, {0, 1}, {1, 1}};
}

static uint32_t reproducible; /* as the options of the next reports have it */

/* Writes the page of a job, and reads it. Returns its length. */
static size_t write_page_of(const akin_selection *selection, uint32_t lefts, uint32_t rows, uint32_t attributes,
                            double threshold)
{
    akin_dedupe_options options = AKIN_DEDUPE_OPTIONS_INIT;
    akin_report_options of_report = AKIN_REPORT_OPTIONS_INIT;
    akin_error error = {.message = ""};
    akin_output *output = NULL;
    akin_report *report = NULL;
    of_report.reproducible = reproducible;
    options.selections = selection;
    options.selection_count = 1;
    options.attributes = w.attributes;
    options.attribute_count = attributes;
    options.threshold = ratio_of(threshold);
    assert_int_equal(akin_report_create(&context, &of_report, &report, NULL), AKIN_OK);
    options.report = report;
    akin_status status = akin_dedupe(&context, w.columns, lefts ? lefts : rows, lefts ? w.columns : NULL,
                                     lefts ? rows : 0, COLUMNS, &options, NULL, NULL, NULL, NULL, &error);
    if (status != AKIN_OK)
        fail_msg("%s", error.message);
    assert_int_equal(akin_output_open(&context, scratch_path("page.html"), &output, NULL), AKIN_OK);
    assert_int_equal(akin_report_write(report, output, NULL), AKIN_OK);
    assert_int_equal(akin_output_commit(output, NULL), AKIN_OK);
    akin_report_free(report);
    FILE *file = fopen(scratch_path("page.html"), "rb");
    assert_non_null(file);
    size_t length = fread(w.page, 1, ROOM - 1, file);
    w.page[length] = '\0';
    fclose(file);
    assert_true(length < ROOM - 1);
    char *script = strstr(w.page, "<script>"); /* which says such things, too */
    assert_non_null(script);
    *script = '\0';
    assert_null(strstr(w.page, "{{"));
    return length;
}

/* The same of all pairs of `rows` rows. */
static size_t write_page(uint32_t rows, uint32_t attributes, double threshold)
{
    const akin_selection all = {.kind = AKIN_SELECT_ALL};
    return write_page_of(&all, 0, rows, attributes, threshold);
}

static void says(const char *text)
{
    if (!strstr(w.page, text))
        fail_msg("the page does not say '%s'", text);
}

static void says_not(const char *text)
{
    if (strstr(w.page, text))
        fail_msg("the page says '%s'", text);
}

/* A threshold that next to nothing is below: whether anything is, and why that is not listed; and how it is written. */
static void low(void **state)
{
    (void)state;
    context = (akin_context){.scope = {.context = &context, .threads = 2}};
    fill(1, 4);
    write_page(20, 2, 0.005);
    says("nearest to the threshold. No pair is below it.");
    says("Counts from 0.005 up are exact. No pair is lower.");
    says_not("too many");
    write_page(20, 2, 0.000001);
    says("data-threshold=\"0.000001\"");
    says("reach the similarity 0.000001.");
    says_not("e-0");
    write_page(20, 1, 0.005); /* all pairs are below it */
    says("There are none: no pair reaches the threshold.");
    fill(2, 4);
    write_page(20, 1, 0.005); /* most pairs are below it */
    says("The pairs below it are not listed.");
    says("Counts from 0.005 up are exact, and so are the counts below.");
    says_not("too many");
}

/* Pairs below the threshold that are too many for the memory there is, and the number of those drawn. */
static void crowded(void **state)
{
    (void)state;
    context = (akin_context){.scope = {.context = &context, .threads = 2, .memory = (uint64_t)64 << 20}};
    fill(2, 4);
    write_page(ROWS, 2, 0.505);
    says("The pairs below it are too many to list.");
    says("Too many pairs are below the threshold");
    says(" of the 499,500 compared pairs, compared completely");
    says("The same search with the same memory draws the same sample.");
}

/* A block with few records of one table has few pairs, whatever the other one has, and all are drawn. */
static void lopsided(void **state)
{
    const akin_key_part part = {.column = 1, .key = AKIN_KEY_VALUE};
    const akin_selection block = {.kind = AKIN_SELECT_BLOCK, .parts = &part, .part_count = 1};
    (void)state;
    context = (akin_context){.scope = {.context = &context, .threads = 2}};
    fill(1, 4);
    write_page_of(&block, 2, ROWS - 2, 1, 0.9);
    says("those of all 1,996 compared pairs");
}

/* Nothing compared, nothing found: the page does not describe pairs that do not exist. */
static void empty(void **state)
{
    (void)state;
    context = (akin_context){.scope = {.context = &context, .threads = 2}};
    fill(1, 4);
    for (int one = 0; one < 2; one++) {
        const akin_key_part part = {.column = 0, .key = AKIN_KEY_VALUE}; /* blocks of one record each, or one record */
        const akin_selection block = {.kind = AKIN_SELECT_BLOCK, .parts = &part, .part_count = 1};
        write_page_of(&block, 0, one ? 1 : 20, 2, 0.9);
        says("No pair of records was compared");
        says("There are none: no pair was compared.");
        says("No record is like another.");
        says_not("<table class=\"pairs\"");
        says_not("data-chart=\"overall\"");
        says_not("0.0 %");
    }
    write_page(20, 1, 0.9);
    says("There are none: no pair reaches the threshold, or is near to it.");
    says("exact \xc2\xb7 missing in 0.0 % of compared pairs");
    says("absent, as no pair was found");
    says("<td>\xe2\x80\x93</td>");
    says_not("<table class=\"pairs\"");
    says_not("of found");
}

/* Many columns of long values, compared in many ways. */
static void large(void **state)
{
    (void)state;
    context = (akin_context){.scope = {.context = &context, .threads = 2}};
    fill(2, LENGTH);
    size_t length = write_page(400, ATTRIBUTES, 0.6);
    says("above and below it");
    assert_true(length > 200000 && length < 2000000);
}

/* Two pages are the same bytes without seconds and memory, which others have. */
static void same_bytes(void **state)
{
    static char before[ROOM];
    (void)state;
    context = (akin_context){.scope = {.context = &context, .threads = 2}};
    fill(2, 4);
    write_page(20, 2, 0.5);
    says("id=\"steps\"");
    says("of memory");
    reproducible = 1;
    write_page(20, 2, 0.5);
    says_not("id=\"steps\"");
    says_not("of memory");
    memcpy(before, w.page, sizeof before);
    context.scope.threads = 1;
    write_page(20, 2, 0.5);
    assert_string_equal(w.page, before);
    reproducible = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(same_bytes, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(low, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(crowded, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(lopsided, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(empty, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(large, scratch_make, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
