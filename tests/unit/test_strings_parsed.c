/* Values in which a comparator finds nothing: counted as a list of known values says, with one thread and several. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "akin.h"
#include "base/random.h"

#define ROWS 200000 /* several tasks */

/* Values, and what is in each of them; NULL: a null. */
static const struct known {
    const char *text;
    int is_number, is_date, has_letter;
} known[] = {
    {NULL, 0, 0, 0},       {"", 0, 0, 0},           {"7", 1, 0, 0},          {" -1250.5 ", 1, 0, 0},
    {"1,250", 0, 0, 0},    {"n/a", 0, 0, 1},        {"2020-02-29", 0, 1, 0}, {"2021-02-29", 0, 0, 0},
    {"20200229", 1, 1, 0}, {"2020/02/29", 0, 1, 0}, {"29.2.2020", 0, 0, 0},  {"Anna", 0, 0, 1},
    {"2e9", 1, 0, 1},      {"\xc3\xa9", 0, 0, 0},
};
#define KNOWN (sizeof known / sizeof known[0])

typedef struct column {
    uint8_t which[ROWS], validity[(ROWS + 7) / 8];
    uint64_t offsets[ROWS + 1];
    char bytes[ROWS * 12];
} column;

/* Rows from `from` on are drawn; those before it have the first value. */
static void fill(column *c, uint32_t from, uint64_t seed)
{
    akin_random random;
    akin_random_seed(&random, seed);
    memset(c->validity, 0, sizeof c->validity);
    c->offsets[0] = 0;
    for (uint32_t row = 0; row < ROWS; row++) {
        c->which[row] = row < from ? 0 : (uint8_t)akin_random_below(&random, KNOWN);
        const char *text = known[c->which[row]].text;
        size_t length = text ? strlen(text) : 1; /* a null has bytes that do not count */
        memcpy(c->bytes + c->offsets[row], text ? text : "x", length);
        c->offsets[row + 1] = c->offsets[row] + length;
        if (text)
            c->validity[row / 8] |= (uint8_t)(1 << row % 8);
    }
}

static int is_found(const char *comparator, const struct known *value)
{
    return comparator[0] == 'n' ? value->is_number : comparator[0] == 'd' ? value->is_date : value->has_letter;
}

static akin_parsed expected_of(const column *c, const char *comparator)
{
    akin_parsed expected = {.values = 0};
    for (uint32_t row = 0; row < ROWS; row++) {
        const struct known *value = &known[c->which[row]];
        if (!value->text || !*value->text)
            continue;
        expected.values++;
        if (!is_found(comparator, value) && expected.unparsed++ == 0) {
            expected.row = row;
            snprintf(expected.text, sizeof expected.text, "%s", value->text);
        }
    }
    return expected;
}

static akin_parsed parsed_by(uint32_t threads, const char *comparator, const akin_column *column, uint32_t rows)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_compare_options compare = {.size = sizeof compare};
    akin_context *context;
    akin_parsed parsed;
    options.threads = threads;
    assert_int_equal(akin_compare_options_parse(comparator, &compare, NULL), AKIN_OK);
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
    assert_int_equal(akin_compare_parse(context, &compare, column, rows, &parsed, NULL), AKIN_OK);
    akin_context_free(context);
    return parsed;
}

static void counts(void **state)
{
    (void)state;
    static const char *const comparators[] = {"number", "number/10", "date", "soundex"};
    column *c = malloc(sizeof *c);
    assert_non_null(c);
    for (uint64_t seed = 0; seed < 2; seed++) {
        fill(c, seed ? 150000 : 0, seed);
        const akin_column column = {
            .size = sizeof column, .offsets = c->offsets, .bytes = c->bytes, .validity = c->validity};
        for (size_t i = 0; i < sizeof comparators / sizeof comparators[0]; i++) {
            const akin_parsed expected = expected_of(c, comparators[i]);
            assert_true(expected.values > 0 && expected.unparsed > 0);
            for (uint32_t threads = 1; threads <= 3; threads += 2) {
                const akin_parsed parsed = parsed_by(threads, comparators[i], &column, ROWS);
                assert_int_equal(parsed.values, expected.values);
                assert_int_equal(parsed.unparsed, expected.unparsed);
                assert_int_equal(parsed.row, expected.row);
                assert_string_equal(parsed.text, expected.text);
            }
        }
        assert_int_equal(parsed_by(1, "levenshtein", &column, ROWS).values, 0);
    }
    free(c);
}

/* Less than a tenth is poor, and no value at all is not. */
static void poor(void **state)
{
    (void)state;
    static const struct {
        uint64_t values, unparsed;
        int is_poor;
    } cases[] = {{0, 0, 0},   {1, 1, 1},   {1, 0, 0},       {2, 1, 0},   {9, 9, 1},   {10, 9, 0},   {11, 10, 1},
                 {20, 18, 0}, {20, 19, 1}, {4000, 4000, 1}, {99, 89, 0}, {99, 90, 1}, {100, 90, 0}, {UINT64_MAX, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const akin_parsed parsed = {.values = cases[i].values, .unparsed = cases[i].unparsed};
        assert_int_equal(akin_parsed_is_poor(&parsed), cases[i].is_poor);
    }
}

/* A value that is too long to be shown is cut between two characters. */
static void described(void **state)
{
    (void)state;
    char bytes[201], text[400];
    for (uint32_t shift = 0; shift < 2; shift++) {
        memset(bytes, 'a', shift);
        for (size_t i = shift; i < 200; i += 2)
            memcpy(bytes + i, "\xc3\xa9", 2);
        const uint64_t offsets[2] = {0, 200 + shift};
        const akin_column column = {.size = sizeof column, .offsets = offsets, .bytes = bytes};
        const akin_parsed parsed = parsed_by(1, "number", &column, 1);
        const size_t length = strlen(parsed.text);
        assert_true(length >= sizeof parsed.text - 3 && strcmp(parsed.text + length - 3, "...") == 0);
        assert_memory_equal(parsed.text, bytes, length - 3);
        assert_true((length - 3 - shift) % 2 == 0);
    }
    akin_parsed parsed = {4000, 4000, 0, "n/a"};
    akin_compare_options compare = {.size = sizeof compare};
    assert_int_equal(akin_compare_options_parse("number", &compare, NULL), AKIN_OK);
    akin_parsed_describe(&compare, &parsed, "column 'price'", text, sizeof text);
    assert_string_equal(text,
                        "number finds no number in 4,000 of 4,000 values of column 'price'; the first is 'n/a'; a "
                        "number is written as -1250.5 or 2e9, without commas or units");
    akin_parsed_describe(&compare, &parsed, NULL, text, 12);
    assert_string_equal(text, "number find");
    assert_int_equal(akin_compare_options_parse("exact", &compare, NULL), AKIN_OK);
    akin_parsed_describe(&compare, &parsed, NULL, text, sizeof text);
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),
        cmocka_unit_test(poor),
        cmocka_unit_test(described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
