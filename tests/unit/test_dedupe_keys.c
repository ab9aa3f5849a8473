/* Keys of records as text: each kind of key, records without one, several parts, and every allocation that fails. */
#define _POSIX_C_SOURCE 200809L

#include "unit/test_base_cancel.h"
#include "unit/test_base_failing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "akin.h"
#include "base/context.h"

enum { ROWS = 5 };

static akin_context context = {.scope = {.context = &context, .threads = 1}};

static const char *const cells[2][ROWS] = {{"Robert", "Rupert", "", "10:4 a", "\xc3\xa4h"},
                                           {"1970-01-05", "1970-01-11", "12", "7.5", "-1"}};

/* The cells of the columns. Row 2 of the first one is missing. */
static void make_columns(akin_column columns[2], char bytes[2][64], uint64_t offsets[2][ROWS + 1])
{
    for (int c = 0; c < 2; c++) {
        uint64_t length = 0;
        for (int row = 0; row < ROWS; row++) {
            offsets[c][row] = length;
            memcpy(bytes[c] + length, cells[c][row], strlen(cells[c][row]));
            length += strlen(cells[c][row]);
        }
        offsets[c][ROWS] = length;
        columns[c] = (akin_column){.size = sizeof(akin_column), .bytes = bytes[c], .offsets = offsets[c]};
    }
}

/* The keys by a rule of the option "window" or "block". */
static akin_status make_keys(const char *option, const char *word, uint32_t selection, akin_frame **out,
                             akin_error *error)
{
    akin_column columns[2], ordered[2];
    char bytes[2][64];
    uint64_t offsets[2][ROWS + 1];
    akin_dedupe_plan *plan = NULL;
    make_columns(columns, bytes, offsets);
    akin_status status = akin_dedupe_plan_create(NULL, &plan, error);
    if (status == AKIN_OK)
        status = akin_dedupe_plan_add(plan, "compare", "a:exact", error);
    if (status == AKIN_OK)
        status = akin_dedupe_plan_add(plan, "threshold", "0.5", error);
    if (status == AKIN_OK)
        status = akin_dedupe_plan_add(plan, option, word, error);
    if (status == AKIN_OK)
        status = akin_dedupe_plan_finish(plan, error);
    if (status == AKIN_OK) {
        const akin_dedupe_titles *titles = akin_dedupe_plan_titles(plan);
        for (uint32_t i = 0; i < titles->column_count; i++)
            ordered[i] = columns[strcmp(titles->columns[i], "b") == 0];
        status = akin_dedupe_keys(&context, ordered, ROWS, titles->column_count, akin_dedupe_plan_options(plan),
                                  selection, out, error);
    }
    akin_dedupe_plan_free(plan);
    return status;
}

static void expect_keys(const char *option, const char *word, uint32_t selection, const char *const expected[ROWS])
{
    akin_frame *frame = NULL;
    akin_error error;
    struct ArrowSchema schema;
    struct ArrowArray array;
    assert_int_equal(make_keys(option, word, selection, &frame, &error), AKIN_OK);
    assert_int_equal(akin_frame_export_array(frame, &schema, &array, &error), AKIN_OK);
    assert_string_equal(schema.children[0]->name, "key");
    assert_int_equal(array.length, ROWS);
    const struct ArrowArray *keys = array.children[0];
    const uint8_t *valid = keys->buffers[0];
    const char *bytes = keys->buffers[2];
    assert_non_null(bytes);
    const int is_large = strcmp(schema.children[0]->format, "U") == 0;
    for (int row = 0; row < ROWS; row++) {
        const int64_t first =
            is_large ? ((const int64_t *)keys->buffers[1])[row] : ((const int32_t *)keys->buffers[1])[row];
        const int64_t end =
            is_large ? ((const int64_t *)keys->buffers[1])[row + 1] : ((const int32_t *)keys->buffers[1])[row + 1];
        const int has = !valid || (valid[row / 8] >> row % 8 & 1);
        assert_int_equal(has, expected[row] != NULL);
        if (!has || !expected[row])
            continue;
        assert_int_equal(end - first, strlen(expected[row]));
        assert_memory_equal(bytes + first, expected[row], strlen(expected[row]));
    }
    array.release(&array);
    schema.release(&schema);
    akin_frame_free(frame);
}

static void every_key(void **state)
{
    (void)state;
    expect_keys("window", "3:a", 0, (const char *const[]){"Robert", "Rupert", NULL, "10:4 a", "\xc3\xa4h"});
    expect_keys("block", "a:prefix:1", 0, (const char *const[]){"R", "R", NULL, "1", "\xc3\xa4"});
    expect_keys("block", "a:digits", 0, (const char *const[]){NULL, NULL, NULL, "00000000000000001104", NULL});
    /* "R163" of both, "A000" and "H000", as bytes of a number */
    const char *const code = "00000000001378956851";
    expect_keys("window", "2:a:soundex", 0,
                (const char *const[]){code, code, NULL, "00000000001093677104", "00000000001211117616"});
    const char *const monday = "02305843009213693953";
    expect_keys("window", "2:b:week", 0, (const char *const[]){monday, monday, NULL, NULL, NULL});
    expect_keys("block", "a:prefix:2+b:digits", 0,
                (const char *const[]){"2:Ro20:00000000000119700105", "2:Ru20:00000000000119700111", NULL,
                                      "2:1020:00000000000000000175", "3:\xc3\xa4h20:00000000000000000011"});
}

/* Neighbouring buckets are blocks in two passes. */
static void every_pass(void **state)
{
    const char *const even[] = {NULL, NULL, "01152921504606846979", "01152921504606846977", "01152921504606846975"};
    const char *const odd[] = {NULL, NULL, "01152921504606846979", "01152921504606846978", "01152921504606846976"};
    (void)state;
    expect_keys("block", "b:round:2", 0, even);
    expect_keys("block", "b:round:2", 1, odd);
}

static void refusals(void **state)
{
    akin_frame *frame = NULL;
    akin_error error;
    (void)state;
    assert_int_equal(make_keys("block", "a", 1, &frame, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "there is no selection 1; expected one from 0 to 0");
    assert_int_equal(make_keys("all-pairs", "", 0, &frame, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "selection 0 is all-pairs, which has no keys");
    assert_null(frame);
}

/* A plan with one of its selections. */
static void one_selection(void **state)
{
    akin_dedupe_plan *plan;
    akin_error error;
    (void)state;
    assert_int_equal(akin_dedupe_plan_create(NULL, &plan, &error), AKIN_OK);
    assert_int_equal(akin_dedupe_plan_add(plan, "compare", "a:exact", &error), AKIN_OK);
    assert_int_equal(akin_dedupe_plan_add(plan, "threshold", "0.5", &error), AKIN_OK);
    assert_int_equal(akin_dedupe_plan_add(plan, "block", "a", &error), AKIN_OK);
    assert_int_equal(akin_dedupe_plan_add(plan, "window", "3:b", &error), AKIN_OK);
    assert_int_equal(akin_dedupe_plan_select(plan, 0, &error), AKIN_E_OPTION);
    assert_int_equal(akin_dedupe_plan_finish(plan, &error), AKIN_OK);
    assert_int_equal(akin_dedupe_plan_select(plan, 2, &error), AKIN_E_OPTION);
    assert_int_equal(akin_dedupe_plan_select(plan, 1, &error), AKIN_OK);
    const akin_dedupe_options *options = akin_dedupe_plan_options(plan);
    assert_int_equal(options->selection_count, 1);
    assert_int_equal(akin_selection_locality(&options->selections[0]), AKIN_LOCALITY_BLOCK);
    assert_string_equal(akin_dedupe_plan_titles(plan)->selections[0], "block a");
    assert_int_equal(akin_dedupe_plan_finish(plan, &error), AKIN_OK);
    assert_int_equal(akin_dedupe_plan_options(plan)->selection_count, 2);
    assert_int_equal(akin_selection_locality(&akin_dedupe_plan_options(plan)->selections[0]), AKIN_LOCALITY_WINDOW);
    akin_dedupe_plan_free(plan);
}

static void every_allocation(void **state)
{
    akin_error error;
    (void)state;
    for (int alone = 0; alone < 2; alone++)
        for (unsigned n = 0, goes_on = 1; goes_on; n++) {
            akin_frame *frame = NULL;
            begin_failing(n, alone);
            const akin_status status = make_keys("block", "a:prefix:1+b", 0, &frame, &error);
            armed = 0;
            assert_int_equal(status, failed ? AKIN_E_NOMEM : AKIN_OK);
            assert_true(!failed == (frame != NULL));
            goes_on = failed;
            akin_frame_free(frame);
            assert_true(goes_on || n > 10);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_key), cmocka_unit_test(every_pass),
                                       cmocka_unit_test(refusals), cmocka_unit_test(one_selection),
                                       cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
