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
    char bytes[ROWS * 20];
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
    switch (comparator[0]) {
    case 'c': /* codes */
        return strpbrk(value->text, "0123456789") != NULL;
    case 'n':
    case 'p':
        return value->is_number;
    case 'd':
    case 'a':
        return value->is_date;
    default:
        return value->has_letter;
    }
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

static akin_parsed parsed_with(uint32_t threads, const char *comparator, akin_tokens tokens, const akin_column *column,
                               uint32_t rows)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_compare_options compare = {.size = sizeof compare};
    akin_context *context;
    akin_parsed parsed;
    options.threads = threads;
    assert_int_equal(akin_compare_options_parse(comparator, &compare, NULL), AKIN_OK);
    compare.tokens = tokens ? tokens : compare.tokens;
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
    assert_int_equal(akin_compare_parse(context, &compare, column, rows, &parsed, NULL), AKIN_OK);
    akin_context_free(context);
    return parsed;
}

static akin_parsed parsed_by(uint32_t threads, const char *comparator, const akin_column *column, uint32_t rows)
{
    return parsed_with(threads, comparator, (akin_tokens)0, column, rows);
}

static void counts(void **state)
{
    (void)state;
    static const char *const comparators[] = {"number", "number/10", "date", "soundex", "percent", "after", "codes"};
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
                assert_int_equal(parsed.texts.texts, 0);
            }
        }
        assert_int_equal(parsed_by(1, "levenshtein", &column, ROWS).values, 0);
    }
    free(c);
}

/* A column is poor if a tenth of its values or more cannot be read; one without values is not. */
static void poor(void **state)
{
    (void)state;
    static const struct {
        uint64_t values, unparsed;
        int is_poor;
    } cases[] = {{0, 0, 0},  {1, 1, 1},  {1, 0, 0},       {2, 1, 1},  {9, 1, 1},   {10, 1, 1},   {11, 1, 0},
                 {20, 1, 0}, {20, 2, 1}, {4000, 4000, 1}, {99, 9, 0}, {99, 10, 1}, {100, 10, 1}, {UINT64_MAX, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const akin_parsed parsed = {.values = cases[i].values, .unparsed = cases[i].unparsed};
        assert_int_equal(akin_parsed_is_poor(&parsed), cases[i].is_poor);
    }
}

/* Values of a column, and how many code points and words each has after its case and accents are gone; NULL: a null. */
static const struct measured {
    const char *text;
    uint32_t points, words;
} measured[] = {
    {NULL, 0, 0},
    {"", 0, 0},
    {"...", 3, 0},
    {"ab", 2, 1},
    {"a b c", 5, 3},
    {"abcd", 4, 1},
    {"\xc3\xa9\xc3\xa9", 2, 1},
    {"one two", 7, 2},
    {"one, two, three four", 20, 4},
};
#define MEASURED (sizeof measured / sizeof measured[0])

/* A comparator of tokens counts the values that are too short for one: each row once, with any number of threads. */
static void brief(void **state)
{
    (void)state;
    static const struct {
        const char *comparator;
        akin_tokens tokens; /* 0: those of its name */
        uint32_t q;
    } cases[] = {{"jaccard/3", (akin_tokens)0, 3},  {"dice/5", (akin_tokens)0, 5},  {"cosine", AKIN_TOKENS_SHINGLES, 3},
                 {"tfidf/4", (akin_tokens)0, 4},    {"jaccard", (akin_tokens)0, 0}, {"monge-elkan", (akin_tokens)0, 0},
                 {"levenshtein", (akin_tokens)0, 0}};
    column *c = malloc(sizeof *c);
    akin_random random;
    assert_non_null(c);
    akin_random_seed(&random, 5);
    memset(c->validity, 0, sizeof c->validity);
    c->offsets[0] = 0;
    for (uint32_t row = 0; row < ROWS; row++) {
        c->which[row] = (uint8_t)akin_random_below(&random, MEASURED - (row > 150000 ? 4 : 0));
        const char *text = measured[c->which[row]].text ? measured[c->which[row]].text : "x";
        c->offsets[row + 1] = c->offsets[row] + strlen(text);
        memcpy(c->bytes + c->offsets[row], text, strlen(text));
        if (measured[c->which[row]].text)
            c->validity[row / 8] |= (uint8_t)(1 << row % 8);
    }
    const akin_column column = {
        .size = sizeof column, .offsets = c->offsets, .bytes = c->bytes, .validity = c->validity};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        akin_text_counts want = {0, 0};
        for (uint32_t row = 0; row < ROWS && cases[i].q; row++) {
            const struct measured *m = &measured[c->which[row]];
            const uint32_t units = cases[i].tokens == AKIN_TOKENS_SHINGLES ? m->words : m->points;
            want.texts += units > 0;
            want.brief += units > 0 && units < cases[i].q;
        }
        assert_true(!cases[i].q || (want.brief > 0 && want.brief < want.texts));
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            const akin_parsed parsed = parsed_with(threads, cases[i].comparator, cases[i].tokens, &column, ROWS);
            assert_int_equal(parsed.texts.texts, want.texts);
            assert_int_equal(parsed.texts.brief, want.brief);
            assert_int_equal(parsed.values, 0);
        }
    }
    free(c);
}

static void keep(void *user, const char *text)
{
    snprintf(user, 400, "%s", text);
}

static const char *warned(const char *comparator, const akin_parsed *parsed, const char *where, char said[400])
{
    akin_compare_options compare = {.size = sizeof compare};
    assert_int_equal(akin_compare_options_parse(comparator, &compare, NULL), AKIN_OK);
    snprintf(said, 400, "nothing");
    akin_compare_warn(&compare, parsed, where, keep, said);
    return said;
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
    const akin_parsed unread = {.values = 4000, .unparsed = 4000, .text = "n/a"}, read = {.values = 4000},
                      few = {.values = 4000, .unparsed = 3999, .text = "n/a"};
    assert_string_equal(warned("number", &unread, "column 'price'", text),
                        "number finds no number in 4,000 of 4,000 values of column 'price'; the first is 'n/a'; a "
                        "number is written as -1250.5 or 2e9, without commas or units");
    assert_string_equal(warned("date", &unread, NULL, text),
                        "date finds no date in 'n/a'; a date is written as YYYY-MM-DD, YYYY/MM/DD or YYYYMMDD");
    assert_string_equal(warned("number", &read, "column 'price'", text), "nothing");
    assert_string_equal(warned("percent", &unread, "column 'price'", text),
                        "percent finds no number in 4,000 of 4,000 values of column 'price'; the first is 'n/a'; a "
                        "number is written as -1250.5 or 2e9, without commas or units");
    assert_string_equal(warned("codes", &unread, "column 'name'", text),
                        "codes finds no code in 4,000 of 4,000 values of column 'name'; the first is 'n/a'; a code is "
                        "a word with a digit, such as DSC-W120");
    assert_string_equal(warned("codes", &few, "column 'name'", text), "nothing"); /* that is usual */
    assert_string_equal(warned("exact", &unread, NULL, text), "nothing");
}

/* Most values of a column are too short. A string that is compared alone is no reason to warn. */
static void described_brief(void **state)
{
    (void)state;
    char text[400];
    const akin_parsed most = {.texts = {1000, 500}}, few = {.texts = {1000, 499}};
    assert_string_equal(warned("jaccard/3", &most, "column 'state'", text),
                        "column 'state': 500 of 1,000 texts have fewer than 3 characters, so each is a single token, "
                        "which only texts of the same characters have: use shorter q-grams");
    assert_string_equal(warned("jaccard/3", &few, "column 'state'", text), "nothing");
    assert_string_equal(warned("jaccard/3", &most, NULL, text), "nothing");
    assert_string_equal(warned("jaccard", &most, "column 'state'", text), "nothing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),          cmocka_unit_test(poor), cmocka_unit_test(described), cmocka_unit_test(brief),
        cmocka_unit_test(described_brief),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
