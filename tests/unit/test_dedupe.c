/* akin_dedupe: what it refuses, what is exactly on the threshold, what it says of bytes that are not text, and that it
 * can be cancelled. Pairs and scores in general are property_dedupe's. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/context.h"
#include "unit/test_ratio.h"

static akin_context context = {.scope = {.context = &context, .threads = 2}};

/* Three columns of one letter, or none, each. */
static const uint64_t offsets[] = {0, 1, 2, 3};
static akin_column columns[3] = {{sizeof(akin_column), "a", offsets, "xxz", NULL, 0, NULL, 0, 0},
                                 {sizeof(akin_column), "b", offsets, "xyy", NULL, 0, NULL, 0, 0},
                                 {sizeof(akin_column), "c", offsets, "xxx", NULL, 0, NULL, 0, 0}};

static const akin_compare_options exact = {sizeof exact, AKIN_EXACT,        0, {1, 10}, {0, 1}, {0, 1},
                                           AKIN_JACCARD, AKIN_TOKENS_WORDS, 3, -1,      0,      0};

typedef struct question {
    akin_selection selection;
    akin_key_part part;
    akin_attribute attributes[3];
    akin_dedupe_options options;
} question;

static question *ask(question *q)
{
    *q = (question){.selection = {.kind = AKIN_SELECT_ALL}, .part = {.column = 0, .key = AKIN_KEY_VALUE}};
    for (uint32_t i = 0; i < 3; i++)
        q->attributes[i] = (akin_attribute){.column = i, .compare = &exact, .weight = {1, 1}};
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

/* Pairs that are given, and what is wrong with them. */
static void given(void **state)
{
    static const uint32_t left[] = {2, 1, 0, 2}, right[] = {0, 1, 2, 3};
    question q;
    akin_error error;
    uint64_t count = 0;
    (void)state;
    ask(&q)->selection.kind = AKIN_SELECT_GIVEN;
    q.options.threshold = (akin_ratio){1, 3};
    assert_int_equal(find(&q, &count, NULL), AKIN_OK);
    assert_int_equal(count, 0);
    q.options.given_left = left;
    q.options.given_right = right;
    q.options.given_count = 3; /* (0, 2) twice, and a row with itself; rows 0 and 2 agree in the third column */
    assert_int_equal(find(&q, &count, NULL), AKIN_OK);
    assert_int_equal(count, 1);
    q.options.given_count = 4;
    assert_int_equal(find(&q, NULL, &error), AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "given pair 3, of rows 2 and 3: the table has 3 rows"));
    q.options.given_right = NULL;
    refused(&q, "there are no pairs where given_left and given_right point");
    q.options.given_right = right;
    q.selection.kind = AKIN_SELECT_ALL;
    refused(&q, "no selection takes them");
}

static void options(void **state)
{
    question q;
    (void)state;
    ask(&q)->options.selection_count = 0;
    refused(&q, "expected a selection");
    ask(&q)->options.attribute_count = 0;
    refused(&q, "expected an attribute");
    ask(&q)->options.threshold = (akin_ratio){0, 1};
    refused(&q, "threshold 0/1: expected a number above 0, to 1");
    ask(&q)->options.threshold = (akin_ratio){3, 2};
    refused(&q, "threshold 3/2");
    ask(&q)->options.threshold = (akin_ratio){1, 0};
    refused(&q, "threshold 1/0");
    ask(&q)->options.threshold = (akin_ratio){1, 1000000001};
    refused(&q, "threshold 1/1000000001");
    ask(&q)->options.missing = (akin_missing)4;
    refused(&q, "no way 4");
    ask(&q)->options.evidence = (akin_ratio){3, 2};
    refused(&q, "evidence 3/2: expected 0 to 1");
    ask(&q)->options.evidence = (akin_ratio){0, 0};
    refused(&q, "evidence 0/0");
    ask(&q)->selection.kind = (akin_selection_kind)9;
    refused(&q, "no kind 9");
    ask(&q)->selection = (akin_selection){.kind = AKIN_SELECT_WINDOW, .window = 1, .parts = &q.part, .part_count = 1};
    refused(&q, "window of 1: expected 2 to 1000000");
    q.selection.window = 1000001;
    refused(&q, "window of 1000001: expected 2 to 1000000");
    q.selection.window = 2;
    q.selection.part_count = 0;
    refused(&q, "0 keys");
    q.selection.part_count = 1;
    q.part.column = 3;
    refused(&q, "no column 3 of 3");
    q.part = (akin_key_part){.column = 0, .key = (akin_key)99};
    refused(&q, "no key 99");
    ask(&q)->selection.kind = AKIN_SELECT_BLOCK;
    refused(&q, "0 keys");
    ask(&q)->attributes[2].column = 3;
    refused(&q, "attribute 2: there is no column 3");
    ask(&q)->attributes[1].threshold = (akin_ratio){11, 10};
    refused(&q, "attribute 1: threshold 11/10: expected 0 to 1");
    ask(&q)->attributes[1].weight = (akin_ratio){0, 1};
    refused(&q, "attribute 1: weight 0/1: expected a number above 0");
    ask(&q)->attributes[1].weight = (akin_ratio){1, 3};
    refused(&q, "attribute 1: weight 1/3: expected a number above 0, to 1e9, with at most 9 digits");
    ask(&q)->attributes[1].weight = (akin_ratio){1000000001, 1};
    refused(&q, "attribute 1: weight 1000000001/1");
    ask(&q)->attributes[1].weight = (akin_ratio){1000000000, 1};
    refused(&q, "the weights come to more than 1e9 together");
    ask(&q)->attributes[1].reserved = 1;
    refused(&q, "attribute 1: reserved");
    ask(&q)->selection.reserved = 1;
    refused(&q, "selection 0: reserved");
    ask(&q)->options.one_to_one = 2;
    refused(&q, "one_to_one is neither 0 nor 1");
    ask(&q)->options.attributes = NULL;
    refused(&q, "where it points");
    ask(&q)->options.max_block = 1;
    refused(&q, "blocks of 1 records");
    ask(&q)->selection = (akin_selection){.kind = AKIN_SELECT_BLOCK, .part_count = 1};
    refused(&q, "where parts point");
    ask(&q)->selection = (akin_selection){.kind = AKIN_SELECT_NEAREST, .parts = &q.part, .part_count = 1};
    refused(&q, "the nearest 0 records: expected 1 to 1000");
    q.selection.nearest = 1001;
    refused(&q, "the nearest 1001 records");
    q.selection.nearest = 10;
    q.selection.reserved = 1;
    refused(&q, "reserved is not 0");
    ask(&q)->selection.kind = AKIN_SELECT_SIMILAR;
    q.selection.part_count = 1;
    refused(&q, "expected jaccard");
    q.selection.measure = AKIN_DICE;
    q.selection.cutoff = (akin_ratio){3, 2};
    refused(&q, "above 0, to 1");
    columns[1].size = 8;
    ask(&q);
    refused(&q, "column");
    columns[1].size = sizeof columns[1];
    assert_int_equal(find(ask(&q), NULL, NULL), AKIN_OK);
}

/* What each key takes: an argument, a scale, buckets. */
static void options_of_keys(void **state)
{
    static const struct {
        akin_key_part part;
        const char *why; /* NULL: it can be */
    } cases[] = {
        {{.key = AKIN_KEY_PREFIX, .argument = 3}, NULL},
        {{.key = AKIN_KEY_PREFIX, .argument = 255}, NULL},
        {{.key = AKIN_KEY_PREFIX}, "an argument that it cannot have"},
        {{.key = AKIN_KEY_PREFIX, .argument = 256}, "an argument that it cannot have"},
        {{.key = AKIN_KEY_VALUE, .argument = 1}, "an argument that it cannot have"},
        {{.key = AKIN_KEY_ROUND, .scale = {5, 1}}, NULL},
        {{.key = AKIN_KEY_ROUND}, "a scale that it cannot have"},
        {{.key = AKIN_KEY_ROUND, .scale = {0, 1}}, "a scale that it cannot have"},
        {{.key = AKIN_KEY_ROUND, .scale = {1, 0}}, "a scale that it cannot have"},
        {{.key = AKIN_KEY_VALUE, .scale = {1, 1}}, "a scale that it cannot have"},
        {{.key = AKIN_KEY_YEAR, .buckets = AKIN_BUCKETS_EVEN}, NULL},
        {{.key = AKIN_KEY_YEAR, .buckets = AKIN_BUCKETS_ODD}, NULL},
        {{.key = AKIN_KEY_YEAR, .buckets = (akin_bucket_pairs)77}, "buckets is 77"},
        {{.key = AKIN_KEY_VALUE, .buckets = AKIN_BUCKETS_EVEN}, "which the key cannot have"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        question q;
        ask(&q)->selection.kind = AKIN_SELECT_BLOCK;
        q.selection.part_count = 1;
        q.part = cases[i].part;
        if (cases[i].why)
            refused(&q, cases[i].why);
        else
            assert_int_equal(find(&q, NULL, NULL), AKIN_OK);
    }
}

static void combined(void **state)
{
    static const uint32_t parts[] = {0, 1, 2}, beyond[] = {0, 3};
    akin_combined of[] = {{parts, 2, 0}, {parts + 1, 2, 0}};
    uint64_t count;
    question q;
    (void)state;
    ask(&q)->options.combined = of;
    q.options.combined_count = 2;
    q.options.attribute_count = 1;
    q.attributes[0].column = 3;
    assert_int_equal(find(&q, &count, NULL), AKIN_OK);
    assert_int_equal(count, 0); /* "x x", "x y", "z y" */
    q.attributes[0].column = 4;
    assert_int_equal(find(&q, &count, NULL), AKIN_OK);
    assert_int_equal(count, 1); /* "x x", "y x", "y x" */
    q.attributes[0].column = 5;
    refused(&q, "no column 5 of 5");
    of[1].columns = beyond;
    refused(&q, "combined column 1: there is no column 3 of 3");
    of[1].count = 0;
    refused(&q, "combined column 1: expected one column or more");
    of[0].reserved = 1;
    refused(&q, "combined column 0: reserved");
    q.options.combined = NULL;
    refused(&q, "no combined columns where they should be");
    q.options.combined_count = UINT32_MAX;
    refused(&q, "4294967295 combined columns");
}

/* Words that count as equal are, in blocks and comparisons, and in the columns that have them. */
static void synonyms(void **state)
{
    static const char text[] = "x,z";
    akin_synonyms *equal = NULL;
    const akin_synonyms *of[3] = {NULL};
    akin_compare_options number = exact;
    uint64_t count;
    question q;
    (void)state;
    assert_int_equal(akin_synonyms_create(&equal, NULL), AKIN_OK);
    assert_int_equal(akin_synonyms_add(equal, "text", text, sizeof text - 1, NULL), AKIN_OK);
    ask(&q)->options.attribute_count = 1;
    q.selection.kind = AKIN_SELECT_BLOCK;
    q.selection.part_count = 1;
    q.options.synonyms = of;
    assert_int_equal(find(&q, &count, NULL), AKIN_OK);
    assert_int_equal(count, 1); /* x and x */
    of[1] = equal;
    assert_int_equal(find(&q, &count, NULL), AKIN_OK);
    assert_int_equal(count, 1);
    of[0] = equal;
    assert_int_equal(find(&q, &count, NULL), AKIN_OK);
    assert_int_equal(count, 3);
    number.comparator = AKIN_NUMBER;
    q.attributes[0].compare = &number;
    refused(&q, "attribute 0: numbers and dates have no synonyms: expected column 0 without them");
    akin_synonyms_free(equal);
}

static void folds(void **state)
{
    static const uint64_t at[] = {0, 2, 4, 6};
    const akin_column cased = {sizeof cased, "a", at, "Xxx!\xc3\xa9", NULL, 0, NULL, 0, 0};
    const akin_column broken = {sizeof broken, "a", at, "XxyyX\xc3", NULL, 0, NULL, 0, 0};
    uint32_t of[] = {AKIN_FOLD_ALL, 0, 16};
    akin_compare_options number = exact;
    akin_error error;
    uint64_t count;
    question q;
    (void)state;
    ask(&q)->options.folds = of;
    refused(&q, "column 2: there is no way 16");
    of[2] = AKIN_FOLD_CASE | AKIN_FOLD_PUNCTUATION;
    number.comparator = AKIN_NUMBER;
    q.attributes[2].compare = &number;
    refused(&q, "attribute 2: in numbers and dates punctuation means something: expected column 2");
    ask(&q)->options.attribute_count = 1;
    q.options.folds = of;
    assert_int_equal(find(&q, &count, NULL), AKIN_OK);
    assert_int_equal(count, 1);
    assert_int_equal(akin_dedupe(&context, &broken, 3, NULL, 0, 1, &q.options, NULL, NULL, NULL, NULL, &error),
                     AKIN_E_INPUT);
    assert_string_equal(error.message, "row 2, column 'a': the text is not valid UTF-8");
    assert_int_equal(akin_dedupe(&context, &cased, 2, &broken, 3, 1, &q.options, NULL, NULL, NULL, NULL, &error),
                     AKIN_E_INPUT);
    assert_string_equal(error.message, "row 2, column 'a': the text is not valid UTF-8"); /* of the right table */
    assert_int_equal(akin_dedupe(&context, &cased, 3, &cased, 3, 1, &q.options, NULL, NULL, &count, NULL, NULL),
                     AKIN_OK);
    assert_int_equal(count, 3); /* "xx", "x" and "e" */
}

/* As many records as have no numbers are refused before any is read. */
static void too_many(void **state)
{
    question q;
    akin_error error;
    (void)state;
    ask(&q);
    assert_int_equal(
        akin_dedupe(&context, columns, UINT32_MAX, columns, 1, 3, &q.options, NULL, NULL, NULL, NULL, &error),
        AKIN_E_LIMIT);
    assert_string_equal(error.message, "4294967295 and 1 records: expected fewer than 4294967295 together");
    assert_int_equal(akin_dedupe(&context, columns, UINT32_MAX, NULL, 0, 3, &q.options, NULL, NULL, NULL, NULL, &error),
                     AKIN_E_LIMIT);
    assert_string_equal(error.message, "4294967295 records: expected fewer than 4294967295");
}

/* 0.1 and 0.7 of 0.1 + 0.2 + 0.7 are 0.7999999999999999 as doubles add. */
static void on_the_threshold(void **state)
{
    question q;
    uint64_t count;
    (void)state;
    ask(&q)->attributes[0].weight = ratio_of(0.1);
    q.attributes[1].weight = ratio_of(0.2);
    q.attributes[2].weight = ratio_of(0.7);
    q.options.threshold = ratio_of(0.8);
    assert_int_equal(find(&q, &count, NULL), AKIN_OK);
    assert_int_equal(count, 2); /* rows 0 and 1, and 1 and 2, which have 0.2 and 0.7 in common */
    q.options.threshold = ratio_of(0.80001);
    assert_int_equal(find(&q, &count, NULL), AKIN_OK);
    assert_int_equal(count, 1);
}

/* Three similarities of 1/3 and one of 1 average 0.5, and less as doubles and as multiples of 2^-40. */
static void thirds(void **state)
{
    static const uint64_t names[] = {0, 3, 6}, same[] = {0, 1, 2};
    akin_compare_options edits = AKIN_COMPARE_OPTIONS_INIT;
    const akin_column own[2] = {{sizeof own[0], "name", names, "abcaxy", NULL, 0, NULL, 0, 0},
                                {sizeof own[0], "same", same, "aa", NULL, 0, NULL, 0, 0}};
    akin_attribute attributes[4];
    question q;
    uint64_t count;
    (void)state;
    for (uint32_t i = 0; i < 4; i++)
        attributes[i] = (akin_attribute){i / 3, 0, i < 3 ? &edits : &exact, {1, 3}, {1, 1}};
    ask(&q)->options.attributes = attributes;
    q.options.attribute_count = 4;
    for (uint32_t more = 0; more < 2; more++) {
        q.options.threshold = (akin_ratio){500000000 + more, 1000000000};
        assert_int_equal(akin_dedupe(&context, own, 2, NULL, 0, 2, &q.options, NULL, NULL, &count, NULL, NULL),
                         AKIN_OK);
        assert_int_equal(count, !more);
    }
    for (uint32_t i = 0; i < 3; i++) /* above what the columns have */
        attributes[i].threshold = (akin_ratio){333333334, 1000000000};
    q.options.threshold = (akin_ratio){26, 100};
    assert_int_equal(akin_dedupe(&context, own, 2, NULL, 0, 2, &q.options, NULL, NULL, &count, NULL, NULL), AKIN_OK);
    assert_int_equal(count, 0);
}

static int take_lefts(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    uint32_t *lefts = user;
    (void)each;
    for (size_t i = 0; i < count; i++)
        lefts[pairs[i].left] += pairs[i].right;
    return 0;
}

/* Values whose simple keys take more than 32 bits: of rows 0, 1 and 2 the order is 1, 2, 0. */
static void long_values(void **state)
{
    enum { LONGEST = 4300000, LONGER = 4294968 };
    static char text[LONGEST + 1 + LONGER];
    static const uint64_t ends[] = {0, LONGEST, LONGEST + 1, sizeof text};
    const akin_column both[] = {{sizeof(akin_column), "long", ends, text, NULL, 0, NULL, 0, 0}, columns[2]};
    uint32_t lefts[3] = {0};
    question q;
    (void)state;
    memset(text, 'a', sizeof text);
    ask(&q)->selection = (akin_selection){.kind = AKIN_SELECT_WINDOW, .window = 2, .parts = &q.part, .part_count = 1};
    q.part.key = AKIN_KEY_SIMPLE;
    q.attributes[0].column = 1;
    q.options.attribute_count = 1;
    assert_int_equal(akin_dedupe(&context, both, 3, NULL, 0, 2, &q.options, take_lefts, lefts, NULL, NULL, NULL),
                     AKIN_OK);
    assert_int_equal(lefts[0], 2);
    assert_int_equal(lefts[1], 2);
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

/* Of a callback that cancels: how often it was called, and when it cancels. */
typedef struct canceller {
    uint32_t asked, at;
} canceller;

static int cancel(void *user)
{
    canceller *c = user;
    return c->asked++ >= c->at;
}

static int take(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    (void)user, (void)pairs, (void)each, (void)count;
    return 0;
}

/* The job ends at whichever check the callback cancels it. */
static void cancelled(void **state)
{
    question q;
    akin_error error;
    canceller c = {0, UINT32_MAX};
    uint32_t times;
    (void)state;
    ask(&q)->selection = (akin_selection){.kind = AKIN_SELECT_BLOCK, .parts = &q.part, .part_count = 1};
    q.options.threshold = ratio_of(0.1);
    context.scope.threads = 1;
    context.scope.reporter.cancel = cancel;
    context.scope.reporter.user = &c;
    assert_int_equal(akin_dedupe(&context, columns, 3, NULL, 0, 3, &q.options, take, NULL, NULL, NULL, &error),
                     AKIN_OK);
    times = c.asked;
    assert_true(times > 4);
    for (uint32_t at = 0; at < times; at++) {
        c = (canceller){0, at};
        akin_status status = akin_dedupe(&context, columns, 3, NULL, 0, 3, &q.options, take, NULL, NULL, NULL, &error);
        assert_int_equal(status, c.asked > at ? AKIN_E_CANCELLED : AKIN_OK); /* the clock makes calls rarer */
    }
    context.scope.reporter.cancel = NULL;
    context.scope.threads = 2;
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(options),
                                       cmocka_unit_test(options_of_keys),
                                       cmocka_unit_test(folds),
                                       cmocka_unit_test(synonyms),
                                       cmocka_unit_test(combined),
                                       cmocka_unit_test(too_many),
                                       cmocka_unit_test(on_the_threshold),
                                       cmocka_unit_test(thirds),
                                       cmocka_unit_test(long_values),
                                       cmocka_unit_test(not_utf8),
                                       cmocka_unit_test(cancelled),
                                       cmocka_unit_test(empty),
                                       cmocka_unit_test(given)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
