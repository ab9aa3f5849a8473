/* akin_dedupe: what it refuses, what is exactly on the threshold, what it says of text that is none, and that it can be
 * cancelled. Pairs and scores in general are property_dedupe's. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/context.h"

static akin_context context = {.threads = 2};

/* Three columns of one letter, or none, each. */
static const uint64_t offsets[] = {0, 1, 2, 3};
static akin_column columns[3] = {{sizeof(akin_column), "a", offsets, "xxz", NULL, 0},
                                 {sizeof(akin_column), "b", offsets, "xyy", NULL, 0},
                                 {sizeof(akin_column), "c", offsets, "xxx", NULL, 0}};

static const akin_compare_options exact = {sizeof exact, AKIN_EXACT,        0, {1, 10}, {0, 1}, {0, 1},
                                           AKIN_JACCARD, AKIN_TOKENS_WORDS, 3, -1};

typedef struct question {
    akin_selection selection;
    akin_key_part part;
    akin_attribute attributes[3];
    akin_dedupe_options options;
} question;

static question *ask(question *q)
{
    *q = (question){.selection = {.kind = AKIN_SELECT_ALL}, .part = {0, AKIN_KEY_VALUE}};
    for (uint32_t i = 0; i < 3; i++)
        q->attributes[i] = (akin_attribute){.column = i, .compare = &exact, .weight = 1};
    q->options = (akin_dedupe_options)AKIN_DEDUPE_OPTIONS_INIT;
    q->options.selections = &q->selection;
    q->options.selection_count = 1;
    q->options.attributes = q->attributes;
    q->options.attribute_count = 3;
    q->selection.parts = &q->part;
    return q;
}

static akin_status find(const question *q, uint64_t *count, akin_error *error)
{
    return akin_dedupe(&context, columns, 3, NULL, 0, 3, &q->options, NULL, NULL, count, NULL, error);
}

static void refused(const question *q, const char *message)
{
    akin_error error = {.message = ""};
    assert_int_equal(find(q, NULL, &error), AKIN_E_OPTION);
    if (!strstr(error.message, message))
        fail_msg("'%s' does not say '%s'", error.message, message);
}

static void options(void **state)
{
    question q;
    (void)state;
    ask(&q)->options.selection_count = 0;
    refused(&q, "expected a selection");
    ask(&q)->options.attribute_count = 0;
    refused(&q, "expected an attribute");
    ask(&q)->options.threshold = 0;
    refused(&q, "threshold 0");
    ask(&q)->options.threshold = 1.5;
    refused(&q, "threshold 1.5");
    ask(&q)->options.missing = (akin_missing)4;
    refused(&q, "no way 4");
    ask(&q)->selection.kind = (akin_selection_kind)9;
    refused(&q, "no kind 9");
    ask(&q)->selection = (akin_selection){.kind = AKIN_SELECT_WINDOW, .window = 1, .parts = &q.part, .part_count = 1};
    refused(&q, "window of 1");
    q.selection.window = 2;
    q.selection.part_count = 0;
    refused(&q, "0 keys");
    q.selection.part_count = 1;
    q.part.column = 3;
    refused(&q, "no column 3 of 3");
    q.part = (akin_key_part){0, (akin_key)7};
    refused(&q, "no key 7");
    ask(&q)->selection.kind = AKIN_SELECT_BLOCK;
    refused(&q, "0 keys");
    ask(&q)->attributes[2].column = 3;
    refused(&q, "attribute 2: there is no column 3");
    ask(&q)->attributes[1].threshold = -0.1;
    refused(&q, "attribute 1: threshold -0.1");
    ask(&q)->attributes[1].weight = 0;
    refused(&q, "attribute 1: weight 0");
    assert_int_equal(find(ask(&q), NULL, NULL), AKIN_OK);
}

/* 0.1 and 0.7 of 0.1 + 0.2 + 0.7 are 0.7999999999999999 as doubles add. */
static void on_the_threshold(void **state)
{
    question q;
    uint64_t count;
    (void)state;
    ask(&q)->attributes[0].weight = 0.1;
    q.attributes[1].weight = 0.2;
    q.attributes[2].weight = 0.7;
    q.options.threshold = 0.8;
    assert_int_equal(find(&q, &count, NULL), AKIN_OK);
    assert_int_equal(count, 2); /* rows 0 and 1, and 1 and 2, which have 0.2 and 0.7 in common */
    q.options.threshold = 0.80001;
    assert_int_equal(find(&q, &count, NULL), AKIN_OK);
    assert_int_equal(count, 1);
}

static void not_utf8(void **state)
{
    question q;
    akin_error error;
    akin_column good = columns[1];
    (void)state;
    columns[1].bytes = "x\xffy";
    assert_int_equal(find(ask(&q), NULL, &error), AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "row 1"));
    columns[1] = good;
}

static int always(void *user)
{
    (void)user;
    return 1;
}

static void cancelled(void **state)
{
    question q;
    akin_error error;
    (void)state;
    context.cancel = always;
    assert_int_equal(find(ask(&q), NULL, &error), AKIN_E_CANCELLED);
    context.cancel = NULL;
}

/* Tables without rows have no pairs. */
static void empty(void **state)
{
    question q;
    uint64_t count = 7;
    akin_dedupe_report report = {.size = sizeof report};
    (void)state;
    ask(&q);
    assert_int_equal(akin_dedupe(&context, columns, 0, NULL, 0, 3, &q.options, NULL, NULL, &count, &report, NULL),
                     AKIN_OK);
    assert_int_equal(count, 0);
    assert_int_equal(report.pairs_all, 0);
    assert_int_equal(akin_dedupe(&context, columns, 3, columns, 0, 3, &q.options, NULL, NULL, &count, &report, NULL),
                     AKIN_OK);
    assert_int_equal(count, 0);
    assert_int_equal(akin_dedupe(&context, columns, 3, columns, 3, 3, &q.options, NULL, NULL, &count, &report, NULL),
                     AKIN_OK);
    assert_int_equal(report.pairs_all, 9);
    assert_int_equal(count, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(options), cmocka_unit_test(on_the_threshold),
                                       cmocka_unit_test(not_utf8), cmocka_unit_test(cancelled),
                                       cmocka_unit_test(empty)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
