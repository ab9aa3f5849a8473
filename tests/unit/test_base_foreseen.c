/* What samples foretell: about as many pairs as there are, and nothing where they are few. */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "unit/test_lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 60000 /* 1.8 billion pairs of rows */

static int notes, stops_at_note;
static double foretold; /* billions of pairs */

static void take_note(void *user, const char *text)
{
    const char *number = strstr(text, "predicts ");
    (void)user;
    assert_non_null(number);
    foretold = strtod(number + strlen("predicts "), NULL);
    notes++;
}

static int is_noted_and_stops(void *user)
{
    (void)user;
    return stops_at_note && notes > 0;
}

static int refuse(void *user, const akin_pair *pairs, size_t count)
{
    (void)user;
    (void)pairs;
    (void)count;
    return 1;
}

/* Rows of two words, of which each is one of `kinds`; and numbers with that many values, of two digits at least. */
static void make_lines(lines *made, uint32_t kinds, int are_words)
{
    akin_random random;
    akin_random_seed(&random, kinds);
    lines_begin(made, ROWS);
    for (uint32_t row = 0; row < ROWS; row++) {
        const uint32_t a = (uint32_t)akin_random_below(&random, kinds), b = (uint32_t)akin_random_below(&random, kinds);
        if (are_words)
            fprintf(made->out, "a%u b%u", a, b);
        else
            fprintf(made->out, "%u", 10 + a);
        lines_end_row(made);
    }
}

static akin_context *make_context(void)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    options.device = "cpu";
    options.note = take_note;
    options.cancel = is_noted_and_stops;
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
    notes = 0;
    foretold = 0;
    return context;
}

static akin_status join_sets(akin_context *context, const akin_column *column, int is_counted, uint64_t *count)
{
    akin_text_options text = AKIN_TEXT_OPTIONS_INIT;
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_sets *sets = NULL;
    options.threshold = (akin_ratio){1, 3};
    assert_int_equal(akin_sets_from_columns(context, column, 1, ROWS, &text, NULL, &sets, NULL), AKIN_OK);
    const akin_status status =
        akin_join(context, sets, NULL, &options, is_counted ? NULL : refuse, NULL, count, NULL, NULL);
    akin_sets_free(sets);
    return status;
}

static akin_status join_strings(akin_context *context, const akin_column *column, int is_counted, uint64_t *count)
{
    akin_match_options options = AKIN_MATCH_OPTIONS_INIT;
    options.cutoff = (akin_ratio){0, 1};
    options.most = 1;
    return akin_match(context, column, ROWS, NULL, 0, &options, is_counted ? NULL : refuse, NULL, count, NULL, NULL);
}

typedef struct foretelling {
    akin_status (*join)(akin_context *context, const akin_column *column, int is_counted, uint64_t *count);
    uint32_t kinds;
    int are_words;
} foretelling;

static void assert_foretold(const foretelling *f, int is_noted)
{
    lines made;
    make_lines(&made, f->kinds, f->are_words);
    const akin_column column = lines_column(&made);
    akin_context *context = make_context();
    uint64_t count = 0;
    assert_int_equal(f->join(context, &column, 1, &count), AKIN_OK);
    assert_int_equal(notes, 0); /* pairs that are counted are no trouble */
    assert_int_equal(f->join(context, &column, 0, NULL), AKIN_E_CANCELLED);
    assert_int_equal(notes, is_noted);
    assert_true(!is_noted || fabs(foretold - (double)count / 1e9) < 0.06 + 0.1 * foretold);
    akin_context_free(context);
    lines_clear(&made);
}

static void test_many_pairs(void **state)
{
    (void)state;
    assert_foretold(&(foretelling){join_sets, 5, 1}, 1);
    assert_foretold(&(foretelling){join_strings, 20, 0}, 1);
}

static void test_few_pairs(void **state)
{
    (void)state;
    assert_foretold(&(foretelling){join_sets, 30000, 1}, 0);
    assert_foretold(&(foretelling){join_strings, 60000, 0}, 0);
}

/* Pairs that a deduplication selects by a join of sets, of records that differ in what is compared: equal ones stand
 * for one another. Whoever reads the note may stop it. */
static void test_pairs_to_compare(void **state)
{
    (void)state;
    for (uint32_t kinds = 5; kinds <= 30000; kinds += 29995) {
        lines made, numbers;
        make_lines(&made, kinds, 1);
        make_lines(&numbers, 1000000000, 0);
        const akin_column columns[] = {lines_column(&made), lines_column(&numbers)};
        const akin_compare_options compare = AKIN_COMPARE_OPTIONS_INIT;
        const akin_attribute attribute = {.column = 1, .compare = &compare, .weight = {1, 1}};
        const akin_key_part part = {.column = 0};
        const akin_selection similar = {
            .kind = AKIN_SELECT_SIMILAR, .parts = &part, .part_count = 1, .measure = AKIN_JACCARD, .cutoff = {1, 3}};
        akin_dedupe_options options = AKIN_DEDUPE_OPTIONS_INIT;
        options.attributes = &attribute;
        options.attribute_count = 1;
        options.selections = &similar;
        options.selection_count = 1;
        options.threshold = (akin_ratio){1, 1};
        akin_context *context = make_context();
        stops_at_note = 1;
        const akin_status status =
            akin_dedupe(context, columns, ROWS, NULL, 0, 2, &options, NULL, NULL, NULL, NULL, NULL);
        stops_at_note = 0;
        assert_int_equal(status, kinds == 5 ? AKIN_E_CANCELLED : AKIN_OK);
        assert_int_equal(notes, kinds == 5);
        akin_context_free(context);
        lines_clear(&made);
        lines_clear(&numbers);
    }
}

/* Two equal collections: the pairs of a row with itself are few, though each side draws rows of its own. An empty right
 * side has no pairs. */
static void test_two_sides(void **state)
{
    (void)state;
    lines made;
    make_lines(&made, ROWS, 0);
    const akin_column column = lines_column(&made);
    akin_column none = AKIN_COLUMN_INIT;
    const uint64_t offsets[1] = {0};
    none.offsets = offsets;
    akin_match_options strings = AKIN_MATCH_OPTIONS_INIT;
    akin_text_options text = AKIN_TEXT_OPTIONS_INIT;
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_context *context = make_context();
    akin_sets *sets = NULL, *empty = NULL;
    strings.cutoff = (akin_ratio){0, 1};
    assert_int_equal(akin_match(context, &column, ROWS, &column, ROWS, &strings, refuse, NULL, NULL, NULL, NULL),
                     AKIN_E_CANCELLED);
    assert_int_equal(akin_match(context, &column, ROWS, &none, 0, &strings, refuse, NULL, NULL, NULL, NULL), AKIN_OK);
    assert_int_equal(akin_sets_from_columns(context, &column, 1, ROWS, &text, NULL, &sets, NULL), AKIN_OK);
    assert_int_equal(akin_sets_from_columns(context, &none, 1, 0, &text, NULL, &empty, NULL), AKIN_OK);
    assert_int_equal(akin_join(context, sets, sets, &options, refuse, NULL, NULL, NULL, NULL), AKIN_E_CANCELLED);
    assert_int_equal(akin_join(context, sets, empty, &options, refuse, NULL, NULL, NULL, NULL), AKIN_OK);
    assert_int_equal(akin_join(context, empty, sets, &options, refuse, NULL, NULL, NULL, NULL), AKIN_OK);
    assert_int_equal(notes, 0);
    akin_sets_free(sets);
    akin_sets_free(empty);
    akin_context_free(context);
    lines_clear(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_pairs),
        cmocka_unit_test(test_few_pairs),
        cmocka_unit_test(test_two_sides),
        cmocka_unit_test(test_pairs_to_compare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
