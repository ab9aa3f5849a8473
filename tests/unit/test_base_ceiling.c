/* The memory ceiling: joins that meet it begin again under a bound with the same pairs, other jobs fail and say so. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/budget.h"
#include "base/ceiling.h"
#include "base/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CEILING AKIN_MEMORY_LEAST /* ten MiB for a job */
#define ROWS    2500              /* of which most are pairs: 37 MB of pairs */

static int notes;

static void take_note(void *user, const char *text)
{
    (void)user;
    assert_non_null(strstr(text, "begins again"));
    notes++;
}

static akin_context *context_of(uint64_t memory, uint64_t ceiling)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    options.memory = memory;
    options.ceiling = ceiling;
    options.note = take_note;
    options.device = "cpu";
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
    notes = 0;
    return context;
}

/* Pairs that are received, mixed in their order. */
typedef struct received {
    uint64_t count, mixed;
    int stops; /* at the first ones */
} received;

static int receive(void *user, const akin_pair *pairs, size_t count)
{
    received *r = user;
    for (size_t i = 0; i < count; i++)
        r->mixed = (r->mixed ^ pairs[i].left ^ (uint64_t)pairs[i].right << 32 ^ pairs[i].overlap) * 0x9e3779b97f4a7c15u;
    r->count += count;
    return r->stops;
}

static int receive_scored(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    (void)pairs;
    (void)each;
    ((received *)user)->count += count;
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- jobs */

static akin_sets *make_sets(akin_context *context)
{
    static uint32_t tokens[ROWS * 4];
    static uint64_t offsets[ROWS + 1];
    akin_sets *sets = NULL;
    for (uint32_t row = 0; row < ROWS; row++) {
        offsets[row + 1] = (row + UINT64_C(1)) * 4;
        for (uint32_t t = 0; t < 4; t++)
            tokens[row * 4 + t] = t < 3 ? t : 3 + row % (ROWS - 100);
    }
    assert_int_equal(akin_sets_from_arrays(context, ROWS, offsets, tokens, &sets, NULL), AKIN_OK);
    return sets;
}

static akin_status join_sets(akin_context *context, received *r, akin_error *error)
{
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_sets *sets = make_sets(context);
    options.threshold = (akin_ratio){1, 2};
    const akin_status status = akin_join(context, sets, NULL, &options, receive, r, NULL, NULL, error);
    akin_sets_free(sets);
    return status;
}

static char bytes[ROWS * 6 + 1];
static uint64_t ends[ROWS + 1];

static akin_column make_strings(void)
{
    for (uint32_t row = 0; row < ROWS; row++) {
        snprintf(bytes + row * (size_t)6, 7, "ab%04u", row);
        ends[row + 1] = (row + UINT64_C(1)) * 6;
    }
    akin_column strings = AKIN_COLUMN_INIT;
    strings.bytes = bytes;
    strings.offsets = ends;
    return strings;
}

static akin_status join_strings(akin_context *context, received *r, akin_error *error)
{
    akin_match_options options = AKIN_MATCH_OPTIONS_INIT;
    const akin_column strings = make_strings();
    options.cutoff = (akin_ratio){0, 1};
    options.most = 4;
    return akin_match(context, &strings, ROWS, NULL, 0, &options, receive, r, NULL, NULL, error);
}

typedef akin_status (*job)(akin_context *context, received *r, akin_error *error);
static const job joins[] = {join_sets, join_strings};

/* ------------------------------------------------------------------------------------------------------------ tests */

static void test_join_begins_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof joins / sizeof *joins; i++) {
        akin_context *free_one = context_of(0, AKIN_NO_CEILING), *other = context_of(0, CEILING);
        received all = {0}, again = {0};
        akin_error error;
        assert_int_equal(joins[i](free_one, &all, &error), AKIN_OK);
        assert_true(all.count * sizeof(akin_pair) > CEILING);
        assert_int_equal(notes, 0);
        assert_int_equal(joins[i](other, &again, &error), AKIN_OK);
        assert_int_equal(notes, 1);
        assert_int_equal(again.count, all.count);
        assert_int_equal(again.mixed, all.mixed);
        akin_context_free(free_one);
        akin_context_free(other);
    }
}

/* The limit of pairs counts those of the second run alone, and a receiver that stops is no reason to begin again. */
static void test_limits_and_stops(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof joins / sizeof *joins; i++) {
        akin_context *free_one = context_of(0, AKIN_NO_CEILING), *other = context_of(0, CEILING);
        received all = {0}, again = {0}, none = {.stops = 1};
        akin_error error;
        assert_int_equal(joins[i](free_one, &all, &error), AKIN_OK);
        assert_int_equal(akin_context_limit(other, AKIN_LIMIT_PAIRS, all.count, NULL), AKIN_OK);
        assert_int_equal(joins[i](other, &again, &error), AKIN_OK);
        assert_int_equal(again.mixed, all.mixed);
        assert_int_equal(akin_context_limit(other, AKIN_LIMIT_PAIRS, all.count - 1, NULL), AKIN_OK);
        assert_int_equal(joins[i](other, &again, &error), AKIN_E_LIMIT);
        notes = 0;
        assert_int_equal(joins[i](free_one, &none, &error), AKIN_E_CANCELLED);
        assert_int_equal(notes, 0);
        akin_context_free(free_one);
        akin_context_free(other);
    }
}

static void test_dedupe_fails(void **state)
{
    (void)state;
    const akin_column strings = make_strings();
    akin_compare_options compare = AKIN_COMPARE_OPTIONS_INIT;
    const akin_attribute attribute = {.compare = &compare, .threshold = {1, 10}, .weight = {1, 1}};
    const akin_selection all = {.kind = AKIN_SELECT_ALL};
    akin_dedupe_options options = AKIN_DEDUPE_OPTIONS_INIT;
    akin_context *context = context_of(0, CEILING);
    received r = {0};
    akin_error error;
    options.attributes = &attribute;
    options.attribute_count = 1;
    options.selections = &all;
    options.selection_count = 1;
    options.threshold = (akin_ratio){1, 10};
    assert_int_equal(akin_dedupe(context, &strings, ROWS, NULL, 0, 1, &options, receive_scored, &r, NULL, NULL, &error),
                     AKIN_E_NOMEM);
    assert_int_equal(error.reason, AKIN_REASON_MEMORY_CEILING);
    assert_int_equal(r.count + (uint64_t)notes, 0);
    akin_context_free(context);
}

/* The ceiling is the caller's, or three quarters of some memory; with a bound there is none. */
static void test_wishes(void **state)
{
    (void)state;
    akin_context *usual = context_of(0, 0), *none = context_of(0, AKIN_NO_CEILING), *own = context_of(0, CEILING),
                 *bounded = context_of(CEILING, 0);
    assert_true(akin_scope_of(usual)->ceiling >= AKIN_MEMORY_LEAST);
    assert_int_equal(akin_scope_of(none)->ceiling, 0);
    assert_int_equal(akin_scope_of(own)->ceiling, CEILING);
    assert_int_equal(akin_scope_of(bounded)->ceiling, 0);
    akin_context_options small = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *refused = NULL;
    small.ceiling = CEILING - 1;
    assert_int_equal(akin_context_create(&small, &refused, NULL), AKIN_E_OPTION);
    akin_context_free(usual);
    akin_context_free(none);
    akin_context_free(own);
    akin_context_free(bounded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_join_begins_again),
        cmocka_unit_test(test_limits_and_stops),
        cmocka_unit_test(test_dedupe_fails),
        cmocka_unit_test(test_wishes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
