/*
 * Folds of strings against values that are folded first, one by one: whatever is compared, parsed, joined, searched or
 * indexed with folds gives, byte for byte, what the folded values give without. On random strings, by every fold, at
 * every SIMD level, with one thread and more, whole and under a bound of memory. (test_text_fold.c holds a single value
 * against the book.)
 *
 *     AKIN_PROPERTY_SEED    the random seed, 1 if not given
 *     AKIN_PROPERTY_CASES   how many cases, 40 if not given
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "property/setting.h"

#include "akin.h"
#include "base/context.h"
#include "base/random.h"
#include "strings/comparators.h"
#include "match/options.h"
#include "text/folded.h"

#include <stdio.h>
#include <string.h>

#define ROWS_MOST  120
#define TEXT_MOST  64
#define PAIRS_MOST ((size_t)ROWS_MOST * ROWS_MOST)

#define OK(call)                                                                                                       \
    do {                                                                                                               \
        akin_error failed = {.message = ""};                                                                           \
        akin_error *const error = &failed;                                                                             \
        if ((call) != AKIN_OK)                                                                                         \
            fail_msg("%s", failed.message);                                                                            \
    } while (0)

/* Rows of text. */
typedef struct rows {
    uint32_t count;
    uint64_t offsets[ROWS_MOST + 1];
    char bytes[ROWS_MOST * TEXT_MOST];
    uint8_t validity[ROWS_MOST / 8 + 1];
    akin_column column;
} rows;

static void begin(rows *r)
{
    memset(r, 0, sizeof *r);
    r->column = (akin_column){sizeof r->column, "name", r->offsets, r->bytes, r->validity, 0, NULL, 0, 0};
}

static void add(rows *r, const char *text, uint64_t length, int is_null)
{
    const uint32_t row = r->count++;
    if (length > 0)
        memcpy(r->bytes + r->offsets[row], text, (size_t)length);
    r->offsets[row + 1] = r->offsets[row] + length;
    if (!is_null)
        r->validity[row / 8] = (uint8_t)(r->validity[row / 8] | 1u << row % 8);
}

/* Names of few letters, so that many are near one another, in several ways to write each. */
static void draw(akin_random *random, rows *r, uint32_t count)
{
    static const char *const parts[] = {"a", "A",        "\xc3\xa4",     "\xc3\x84", "a\xcc\x88", "b",
                                        "B", "ss",       "\xc3\x9f",     "o'",       "O",         "\xc3\xb8",
                                        " ", "  ",       "\t",           "-",        "1",         "2",
                                        ".", "\xc2\xad", "\xe4\xba\xac", "\xd0\x96", "\xd0\xb6",  "\xcc\x81"};
    begin(r);
    for (uint32_t row = 0; row < count; row++) {
        char text[TEXT_MOST] = "";
        size_t length = 0;
        for (uint64_t i = akin_random_below(random, 9); i > 0; i--) {
            const char *part = parts[akin_random_below(random, sizeof parts / sizeof *parts)];
            memcpy(text + length, part, strlen(part));
            length += strlen(part);
        }
        const int is_null = akin_random_below(random, 12) == 0;
        add(r, text, is_null ? 0 : length, is_null);
    }
}

/* The oracle: each value is folded on its own. */
static void fold(const rows *from, uint32_t folds, rows *to)
{
    akin_folder folder;
    akin_folder_begin(&folder, NULL, folds);
    begin(to);
    for (uint32_t row = 0; row < from->count; row++) {
        const uint64_t at = from->offsets[row], length = from->offsets[row + 1] - at;
        assert_int_equal(akin_folder_take(&folder, from->bytes + at, length), AKIN_OK);
        assert_true(folder.length < TEXT_MOST);
        add(to, folder.text, folder.length, !(from->validity[row / 8] >> row % 8 & 1));
    }
    akin_folder_clear(&folder);
}

/* ---------------------------------------------------------------------------------------------------------- columns */

/* A column of many chunks, and one whose text goes to a temporary file. */
static void columns(void **state)
{
    enum { COUNT = 70000 };
    static const char *const values[] = {"\xc3\x84nne", "", "O'Neill", "a  b", "X"};
    uint64_t *offsets = calloc(COUNT + 1, sizeof *offsets), used = 0;
    char *bytes = malloc(COUNT * (size_t)8);
    akin_folder folder;
    (void)state;
    assert_true(offsets && bytes);
    for (uint32_t row = 0; row < COUNT; row++, offsets[row] = used) {
        const char *value = values[row * 7 % 5];
        memcpy(bytes + used, value, strlen(value));
        used += strlen(value);
    }
    const akin_column given = {sizeof given, "name", offsets, bytes, NULL, 0, NULL, 0, 0};
    akin_folder_begin(&folder, NULL, AKIN_FOLD_ALL);
    for (uint32_t way = 0; way < 4; way++) {
        akin_context context = {
            .scope = {.context = &context, .threads = way % 2 ? 3 : 1, .memory = way / 2 ? (uint64_t)16 << 20 : 0}};
        akin_column column = given;
        akin_folded folded;
        OK(akin_folded_make(akin_scope_of(&context), NULL, 1000, AKIN_FOLD_ALL, COUNT, &column, &folded, error));
        assert_int_equal(folded.bytes.mapped, context.scope.memory > 0);
        for (uint32_t row = 0; row < COUNT; row++) {
            assert_int_equal(akin_folder_take(&folder, bytes + offsets[row], offsets[row + 1] - offsets[row]), AKIN_OK);
            assert_int_equal(column.offsets[row + 1] - column.offsets[row], folder.length);
            assert_memory_equal(column.bytes + column.offsets[row], folder.text, folder.length);
        }
        akin_folded_clear(&folded);
        /* The first of two rows that are not UTF-8 is refused. */
        akin_error refused;
        column = given;
        bytes[offsets[60001]] = bytes[offsets[30001]] = '\xff';
        assert_int_equal(
            akin_folded_make(akin_scope_of(&context), NULL, 1000, AKIN_FOLD_CASE, COUNT, &column, &folded, &refused),
            AKIN_E_INPUT);
        assert_int_equal(refused.row, 30001);
        assert_ptr_equal(column.bytes, bytes);
        akin_folded_clear(&folded);
        bytes[offsets[60001]] = values[60001 * 7 % 5][0];
        bytes[offsets[30001]] = values[30001 * 7 % 5][0];
    }
    akin_folder_clear(&folder);
    free(offsets);
    free(bytes);
}

/* ------------------------------------------------------------------------------------------------------------ joins */

typedef struct list {
    akin_pair pairs[PAIRS_MOST];
    size_t count;
} list;

static int keep(void *user, const akin_pair *pairs, size_t count)
{
    list *l = user;
    assert_true(l->count + count <= PAIRS_MOST);
    memcpy(l->pairs + l->count, pairs, count * sizeof *pairs);
    l->count += count;
    return 0;
}

static const akin_choice *draw_comparator(akin_random *random, unsigned capability)
{
    const akin_choice *row;
    do
        row = akin_choice_at(&akin_comparators, (uint32_t)akin_random_below(random, akin_comparators.count));
    while (!row || !(row->capabilities & capability));
    return row;
}

static void join(akin_context *context, akin_random *random, uint32_t folds, const rows given[2], const rows folded[2])
{
    static list found, expected;
    akin_compare_options compare = AKIN_COMPARE_OPTIONS_INIT;
    akin_match_options options = AKIN_MATCH_OPTIONS_INIT;
    const akin_choice *row = draw_comparator(random, AKIN_FOR_MATCH);
    const int two = (int)akin_random_below(random, 2);
    uint64_t counts[2];
    compare.comparator = (akin_comparator)row->value;
    options.compare = &compare;
    options.cutoff = (akin_ratio){6 + (uint32_t)akin_random_below(random, 5), 10};
    options.top = akin_random_below(random, 3) ? 0 : 1 + (uint32_t)akin_random_below(random, 4);
    if (!options.top && akin_comparator_of(compare.comparator)->form == AKIN_BY_EDITS)
        options.technique = (akin_match_technique)akin_random_below(random, akin_match_techniques.count);
    expected.count = found.count = 0;
    OK(akin_match(context, &folded[0].column, folded[0].count, two ? &folded[1].column : NULL,
                  two ? folded[1].count : 0, &options, keep, &expected, &counts[0], NULL, error));
    compare.folds = folds;
    OK(akin_match(context, &given[0].column, given[0].count, two ? &given[1].column : NULL, two ? given[1].count : 0,
                  &options, keep, &found, &counts[1], NULL, error));
    assert_int_equal(counts[0], counts[1]);
    assert_int_equal(found.count, expected.count);
    assert_memory_equal(found.pairs, expected.pairs, found.count * sizeof *found.pairs);
}

/* ------------------------------------------------------------------------------------------------------ comparisons */

/* Values that cannot be read are counted as they are compared, too. */
static void check_parsed(akin_context *context, akin_compare_options options, uint32_t folds, const rows *given,
                         const rows *folded)
{
    akin_parsed found, expected;
    OK(akin_compare_parse(context, &options, &folded->column, folded->count, &expected, error));
    options.folds = folds;
    OK(akin_compare_parse(context, &options, &given->column, given->count, &found, error));
    assert_int_equal(found.values, expected.values);
    assert_int_equal(found.unparsed, expected.unparsed);
    assert_int_equal(found.row, expected.row);
}

static void compare(akin_context *context, akin_random *random, uint32_t folds, const rows given[2],
                    const rows folded[2])
{
    static akin_compared found[ROWS_MOST], expected[ROWS_MOST];
    const akin_choice *row = draw_comparator(random, AKIN_FOR_COMPARE);
    const akin_ratio cutoff = {1, 2};
    const uint32_t count = given[0].count;
    akin_compare_options options = {.size = sizeof options};
    akin_error refused;
    OK(akin_compare_options_parse(row->name, &options, error));
    if (akin_comparator_of(options.comparator)->has_punctuation && (folds & AKIN_FOLD_PUNCTUATION)) {
        options.folds = folds;
        assert_int_equal(akin_compare_pairs(context, &options, &given[0].column, count, &given[1].column, count, NULL,
                                            NULL, count, NULL, found, &refused),
                         AKIN_E_OPTION);
        assert_non_null(strstr(refused.message, "punctuation means something"));
        return;
    }
    const akin_ratio *const least = akin_random_below(random, 2) ? &cutoff : NULL;
    check_parsed(context, options, folds, &given[0], &folded[0]);
    OK(akin_compare_pairs(context, &options, &folded[0].column, count, &folded[1].column, count, NULL, NULL, count,
                          least, expected, error));
    options.folds = folds;
    OK(akin_compare_pairs(context, &options, &given[0].column, count, &given[1].column, count, NULL, NULL, count, least,
                          found, error));
    assert_memory_equal(found, expected, count * sizeof *found);
    for (uint32_t i = 0; i < count && i < 5; i++) {
        akin_compared one, other;
        const uint64_t *a = given[0].offsets + i, *b = given[1].offsets + i, *c = folded[0].offsets + i,
                       *d = folded[1].offsets + i;
        options.folds = folds;
        OK(akin_compare(context, &options, given[0].bytes + *a, (size_t)(a[1] - *a), given[1].bytes + *b,
                        (size_t)(b[1] - *b), &one, error));
        options.folds = 0;
        OK(akin_compare(context, &options, folded[0].bytes + *c, (size_t)(c[1] - *c), folded[1].bytes + *d,
                        (size_t)(d[1] - *d), &other, error));
        assert_memory_equal(&one, &other, sizeof one);
    }
}

/* ---------------------------------------------------------------------------------------------------------- batches */

static void search_batch(akin_context *context, akin_random *random, uint32_t folds, const rows given[2],
                         const rows folded[2])
{
    static akin_hit found[ROWS_MOST], expected[ROWS_MOST];
    akin_compare_options compare = AKIN_COMPARE_OPTIONS_INIT;
    akin_match_options options = AKIN_MATCH_OPTIONS_INIT;
    akin_batch *plain = NULL, *folding = NULL;
    akin_error refused;
    compare.comparator = (akin_comparator)draw_comparator(random, AKIN_FOR_MATCH)->value;
    options.compare = &compare;
    options.cutoff = (akin_ratio){1, 2};
    OK(akin_batch_create(context, &folded[0].column, folded[0].count, 0, &plain, error));
    OK(akin_batch_create(context, &given[0].column, given[0].count, folds, &folding, error));
    for (uint32_t i = 0; i < given[1].count; i++) {
        const uint64_t *a = given[1].offsets + i, *b = folded[1].offsets + i;
        uint64_t counts[2];
        OK(akin_batch_search(context, folding, &options, given[1].bytes + *a, (size_t)(a[1] - *a), found, ROWS_MOST,
                             &counts[0], error));
        OK(akin_batch_search(context, plain, &options, folded[1].bytes + *b, (size_t)(b[1] - *b), expected, ROWS_MOST,
                             &counts[1], error));
        assert_int_equal(counts[0], counts[1]);
        assert_memory_equal(found, expected, (size_t)counts[0] * sizeof *found);
    }
    compare.folds = AKIN_FOLD_CASE;
    assert_int_equal(akin_batch_search(context, folding, &options, "a", 1, found, 0, &(uint64_t){0}, &refused),
                     AKIN_E_OPTION);
    assert_non_null(strstr(refused.message, "set no folds here"));
    akin_batch_free(plain);
    akin_batch_free(folding);
}

/* ---------------------------------------------------------------------------------------------------------- indexes */

typedef struct hits {
    akin_search_hit list[PAIRS_MOST];
    size_t count;
} hits;

static int take(void *user, const akin_search_hit *list, size_t count)
{
    hits *h = user;
    assert_true(h->count + count <= PAIRS_MOST);
    memcpy(h->list + h->count, list, count * sizeof *list);
    h->count += count;
    return 0;
}

static void ask(akin_context *context, const akin_search_index *index, const rows *queries,
                const akin_search_options *options, hits *out)
{
    out->count = 0;
    OK(akin_search(context, index, &queries->column, 1, queries->count, options, take, out, NULL, error));
}

static akin_search_index *make(akin_context *context, const rows *r, const akin_strings_options *options)
{
    akin_search_index *index = NULL;
    OK(akin_search_index_of_strings(context, &r->column, r->count, options, NULL, &index, error));
    return index;
}

static akin_search_index *extend(akin_context *context, akin_search_index *index, const rows *r)
{
    akin_search_index *longer = NULL;
    OK(akin_search_index_append(context, index, &r->column, 1, r->count, NULL, NULL, &longer, error));
    akin_search_index_free(index);
    return longer;
}

static void check_index(akin_context *context, akin_random *random, uint32_t folds, const rows given[2],
                        const rows folded[2])
{
    static hits found, expected;
    akin_strings_options options = AKIN_STRINGS_OPTIONS_INIT;
    akin_search_options asked = AKIN_SEARCH_OPTIONS_INIT;
    akin_search_statistics about = {.size = sizeof about};
    options.ngram = (uint32_t)akin_random_below(random, 3);
    options.bytes = (uint32_t)akin_random_below(random, 2);
    asked.k = 1 + (uint32_t)akin_random_below(random, 9);
    asked.candidates = options.ngram && akin_random_below(random, 2) ? 12 : 0;
    akin_search_index *plain = make(context, &folded[0], &options);
    options.folds = folds;
    akin_search_index *index = make(context, &given[0], &options);
    for (int longer = 0; longer < 2; longer++) {
        ask(context, plain, &folded[1], &asked, &expected);
        ask(context, index, &given[1], &asked, &found);
        assert_int_equal(found.count, expected.count);
        assert_memory_equal(found.list, expected.list, found.count * sizeof *found.list);
        plain = extend(context, plain, &folded[1]);
        index = extend(context, index, &given[1]);
        OK(akin_search_index_describe(index, &about, error));
        assert_int_equal(about.folds, folds);
    }
    akin_search_index_free(plain);
    akin_search_index_free(index);
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static void every_case(void **state)
{
    static rows given[2], folded[2];
    const uint64_t seed = setting("AKIN_PROPERTY_SEED", 1), cases = setting("AKIN_PROPERTY_CASES", 40);
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    (void)state;
    options.device = "cpu";
    OK(akin_context_create(&options, &context, error));
    for (uint64_t i = 0; i < cases; i++) {
        akin_random random;
        akin_random_seed(&random, seed * 1000003 + i);
        const uint32_t folds = 1 + (uint32_t)(i % AKIN_FOLD_ALL),
                       count = (uint32_t)akin_random_below(&random, ROWS_MOST);
        for (int side = 0; side < 2; side++) {
            draw(&random, &given[side], count);
            fold(&given[side], folds, &folded[side]);
        }
        for (uint32_t cpu = AKIN_CPU_SCALAR; cpu <= (uint32_t)context->cpu_best; cpu++)
            for (uint32_t threads = 1; threads <= 3; threads += 2)
                for (int bound = 0; bound < 2; bound++) {
                    context->scope.cpu = (akin_cpu)cpu;
                    context->scope.threads = threads;
                    context->scope.memory = bound ? (uint64_t)64 << 20 : 0;
                    join(context, &random, folds, given, folded);
                    compare(context, &random, folds, given, folded);
                    search_batch(context, &random, folds, given, folded);
                    check_index(context, &random, folds, given, folded);
                }
    }
    akin_context_free(context);
}

/* Names of folds, and what is none. */
static void names(void **state)
{
    static const struct {
        const char *text;
        uint32_t folds;
    } good[] = {{"case", AKIN_FOLD_CASE},
                {"none", 0},
                {"all", AKIN_FOLD_ALL},
                {"accents+case", AKIN_FOLD_CASE | AKIN_FOLD_ACCENTS},
                {"none+blanks", AKIN_FOLD_BLANKS}};
    static const char *const bad[] = {"", "Case", "case+", "+case", "case,accents", "case accents"};
    akin_compare_options compare = AKIN_COMPARE_OPTIONS_INIT;
    akin_strings_options strings = AKIN_STRINGS_OPTIONS_INIT;
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    const uint64_t offsets[] = {0};
    const akin_column column = {sizeof column, NULL, offsets, "", NULL, 0, NULL, 0, 0};
    akin_search_index *index = NULL;
    akin_batch *batch = NULL;
    akin_compared compared;
    akin_error error;
    uint32_t folds = 0;
    char text[64];
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(akin_folds_parse(good[i].text, &folds, &error), AKIN_OK);
        assert_int_equal(folds, good[i].folds);
        akin_folds_write(folds, text, sizeof text);
        assert_int_equal(akin_folds_parse(text, &folds, &error), AKIN_OK);
        assert_int_equal(folds, good[i].folds);
    }
    akin_folds_write(AKIN_FOLD_CASE | AKIN_FOLD_BLANKS, text, sizeof text);
    assert_string_equal(text, "case+blanks");
    akin_folds_write(AKIN_FOLD_CASE | AKIN_FOLD_BLANKS, text, 6);
    assert_string_equal(text, "case+");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(akin_folds_parse(bad[i], &folds, &error), AKIN_E_OPTION);
        assert_int_equal(error.reason, AKIN_REASON_UNKNOWN_CHOICE);
    }
    compare.folds = strings.folds = 16;
    assert_int_equal(akin_compare(&context, &compare, "", 0, "", 0, &compared, &error), AKIN_E_OPTION);
    assert_int_equal(akin_search_index_of_strings(&context, &column, 0, &strings, NULL, &index, &error), AKIN_E_OPTION);
    assert_int_equal(akin_batch_create(&context, &column, 0, 16, &batch, &error), AKIN_E_OPTION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(columns),
                                       cmocka_unit_test(every_case)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
