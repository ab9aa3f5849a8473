/* The fields of an error besides its message: each reason, and known rows, columns, lines and words. */
#define _GNU_SOURCE

#include "akin_papers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "test_base_files.h"

static akin_context *context;

static int begin(void **state)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    options.threads = 1;
    options.device = "cpu";
    return scratch_make(state) != 0 || akin_context_create(&options, &context, NULL) != AKIN_OK;
}

static int end(void **state)
{
    akin_context_free(context);
    return scratch_remove(state);
}

/* The expected fields of an error; fields that are not set must be unknown. row is one more than the row. */
typedef struct expected {
    akin_status code;
    akin_reason reason;
    uint32_t row_after;
    uint64_t line;
    const char *column, *word, *meant, *option, *rest; /* rest: how the message goes on behind what it begins with */
} expected;

static void assert_error(const akin_error *error, akin_status status, const expected *e)
{
    assert_int_equal(status, e->code);
    assert_int_equal(error->code, e->code);
    if (error->reason != e->reason)
        fail_msg("reason %d of \"%s\"", (int)error->reason, error->message);
    assert_int_equal(error->row, e->row_after ? e->row_after - 1 : AKIN_NO_ROW);
    assert_int_equal(error->line, e->line);
    assert_string_equal(error->column, e->column ? e->column : "");
    assert_string_equal(error->word, e->word ? e->word : "");
    assert_string_equal(error->meant, e->meant ? e->meant : "");
    assert_true(error->rest <= strlen(error->message));
    if (e->rest)
        assert_memory_equal(error->message + error->rest, e->rest, strlen(e->rest));
    assert_string_equal(error->option, e->option ? e->option : "");
    assert_memory_equal(error->message, error->option, strlen(error->option));
    assert_int_equal(error->rest > 0, e->line > 0 || e->rest || e->option);
}

#define CHECK(call, ...)                                                                                               \
    do {                                                                                                               \
        akin_error error;                                                                                              \
        memset(&error, 0xaa, sizeof error); /* what stood there before does not matter */                              \
        akin_status status = (call);                                                                                   \
        assert_error(&error, status, &(expected){__VA_ARGS__});                                                        \
    } while (0)

/* ------------------------------------------------------------------------------------------------------------ files */

/* Reads text as a table, with the column of that name only; NULL: with all columns. */
static akin_status read_text(const char *name, const char *text, size_t length, const char *column, akin_error *error)
{
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    akin_table *table = NULL;
    options.columns = &column;
    options.column_count = column != NULL;
    akin_status status = akin_table_read(context, scratch_write(name, text, length), &options, &table, error);
    akin_table_free(table);
    return status;
}

#define READ(name, text, column) read_text(name, text, sizeof(text) - 1, column, &error)

static void files_are_refused(void **state)
{
    (void)state;
    akin_table *table = NULL;
    akin_trie *trie = NULL;
    akin_output *output = NULL;
    akin_format format;
    akin_matrix_format layout;
    CHECK(akin_table_read(context, scratch_path("none.csv"), NULL, &table, &error), .code = AKIN_E_INPUT,
          .reason = AKIN_REASON_NO_FILE);
    akin_error error;
    akin_table_read(context, scratch_path("none.csv"), NULL, &table, &error);
    assert_int_equal(error.system, 2);
    CHECK(akin_output_open(context, scratch_path("no/none.csv"), &output, &error), .code = AKIN_E_IO,
          .reason = AKIN_REASON_NO_FILE);
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.format = AKIN_FORMAT_CSV;
    CHECK(akin_table_read(context, scratch, &options, &table, &error), .code = AKIN_E_INPUT,
          .reason = AKIN_REASON_FILE);
    CHECK(akin_trie_open(context, scratch_path("none.akin"), &trie, &error), .code = AKIN_E_INPUT,
          .reason = AKIN_REASON_NO_FILE);
    CHECK(akin_trie_open(context, scratch_write("text.akin", "some text\n", 10), &trie, &error), .code = AKIN_E_INPUT,
          .reason = AKIN_REASON_OTHER_KIND);
    CHECK(READ("cut.csv.gz", "\x1f\x8b\x08\0\0\0\0\0\0\x03\x4b", NULL), .code = AKIN_E_INPUT,
          .reason = AKIN_REASON_DAMAGED);
    CHECK(READ("bad.csv.gz", "\x1f\x8b\x08\0\0\0\0\0\0\x03\xff\xff\xff\xff\xff\xff\xff\xff", NULL),
          .code = AKIN_E_INPUT, .reason = AKIN_REASON_DAMAGED);
    CHECK(akin_format_of_name("a.doc", &format, &error), .code = AKIN_E_OPTION, .reason = AKIN_REASON_UNKNOWN_FORMAT);
    CHECK(akin_format_of_name("a.PARQUET.gz", &format, &error), .code = AKIN_E_OPTION,
          .reason = AKIN_REASON_FOREIGN_FORMAT);
    CHECK(akin_matrix_format_of_name("a.doc", &layout, &error), .code = AKIN_E_OPTION,
          .reason = AKIN_REASON_UNKNOWN_FORMAT);
}

static void saved_files_are_damaged(void **state)
{
    (void)state;
    const uint64_t bounds[] = {0, 2, 3};
    const uint32_t tokens[] = {1, 2, 3};
    akin_sets *sets = NULL;
    akin_trie *trie = NULL;
    size_t length;
    assert_int_equal(akin_sets_from_arrays(context, 2, bounds, tokens, &sets, NULL), AKIN_OK);
    assert_int_equal(akin_sets_save(context, sets, scratch_path("s.akin"), NULL), AKIN_OK);
    akin_sets_free(sets);
    CHECK(akin_trie_open(context, scratch_path("s.akin"), &trie, &error), .code = AKIN_E_INPUT,
          .reason = AKIN_REASON_OTHER_KIND);
    char *bytes = scratch_read(scratch_path("s.akin"), &length);
    CHECK(akin_sets_read(context, scratch_write("cut.akin", bytes, length - 1), &sets, &error), .code = AKIN_E_INPUT,
          .reason = AKIN_REASON_DAMAGED);
    bytes[length - 1] ^= 1;
    CHECK(akin_sets_read(context, scratch_write("altered.akin", bytes, length), &sets, &error), .code = AKIN_E_INPUT,
          .reason = AKIN_REASON_DAMAGED);
    free(bytes);
}

static void temporary_files_are_missed(void **state)
{
    (void)state;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *bounded = NULL;
    akin_table *table = NULL;
    size_t length = 64 << 20;
    char *text = malloc(length);
    assert_non_null(text);
    for (size_t i = 0; i < length; i++)
        text[i] = i % 4 == 3 ? '\n' : 'x';
    const char *path = scratch_write("long.txt", text, length);
    free(text);
    options.threads = 1;
    options.memory = 16 << 20;
    options.temporary = scratch_path("no folder");
    assert_int_equal(akin_context_create(&options, &bounded, NULL), AKIN_OK);
    CHECK(akin_table_read(bounded, path, NULL, &table, &error), .code = AKIN_E_IO, .reason = AKIN_REASON_TEMPORARY);
    akin_context_free(bounded);
}

static void lines_are_known(void **state)
{
    (void)state;
    CHECK(READ("a.csv", "a,b\n1,\xff\n", NULL), .code = AKIN_E_INPUT, .reason = AKIN_REASON_NOT_UTF8, .line = 2);
    CHECK(READ("a.csv", "a,b\n1,2\n3,\0\n", NULL), .code = AKIN_E_INPUT, .reason = AKIN_REASON_NUL, .line = 3,
          .rest = "has a NUL byte, which text never has");
    CHECK(READ("a.csv", "a\n\xff\n\0\n", NULL), .code = AKIN_E_INPUT, .reason = AKIN_REASON_NOT_UTF8, .line = 2);
    CHECK(READ("a.csv", "a\n\xff\0\n", NULL), .code = AKIN_E_INPUT, .reason = AKIN_REASON_NUL,
          .line = 2); /* nothing would repair it */
    CHECK(READ("a.csv",
               "\xff\xfe"
               "a\0\n\0",
               NULL),
          .code = AKIN_E_INPUT, .reason = AKIN_REASON_UTF16, .line = 1);
    CHECK(READ("a.csv", "a\rb\rc", NULL), .code = AKIN_E_INPUT, .reason = AKIN_REASON_MALFORMED, .line = 1);
    CHECK(READ("a.csv", "a,b\n1,2\n3\n", NULL), .code = AKIN_E_INPUT, .reason = AKIN_REASON_MALFORMED, .line = 3,
          .rest = "has 1 field; expected 2, as in the header");
    CHECK(READ("a.csv", "a,b\n1,\"2", NULL), .code = AKIN_E_INPUT, .reason = AKIN_REASON_MALFORMED, .line = 2);
    CHECK(READ("a.csv", "a,b\n1,2\"\n", NULL), .code = AKIN_E_INPUT, .reason = AKIN_REASON_MALFORMED, .line = 2);
    CHECK(READ("a.csv", "a,b,a\n", NULL), .code = AKIN_E_INPUT, .reason = AKIN_REASON_REPEATED, .line = 1,
          .column = "a");
    CHECK(READ("a.jsonl", "{\"a\": 1}\n{\"a\" 2}\n", NULL), .code = AKIN_E_INPUT, .reason = AKIN_REASON_MALFORMED,
          .line = 2);
}

static void json_has_lines(void **state)
{
    (void)state;
    akin_json *json = NULL;
    CHECK(akin_json_parse("j", "{\n\"a\" 1}", 8, &json, &error), .code = AKIN_E_INPUT, .reason = AKIN_REASON_MALFORMED,
          .line = 2);
    CHECK(akin_json_parse("j", "{\n\n\xff}", 5, &json, &error), .code = AKIN_E_INPUT, .reason = AKIN_REASON_NOT_UTF8,
          .line = 3);
    CHECK(akin_json_parse("j", "{\n\0}", 4, &json, &error), .code = AKIN_E_INPUT, .reason = AKIN_REASON_NUL, .line = 2);
    CHECK(akin_json_parse("j", "\xff\xfe{\0}\0", 6, &json, &error), .code = AKIN_E_INPUT, .reason = AKIN_REASON_UTF16,
          .line = 1);
}

static void rankings_have_lines(void **state)
{
    (void)state;
    akin_trec_evaluation out = {.size = sizeof out};
    const char *gold = scratch_write("gold", "1 0 d 1\n", 8);
    const char *bad = scratch_write("bad", "1 Q0 d 1 2 x\n1 Q0 d\n", 20);
    const char *twice = scratch_write("twice", "1 Q0 d 1 2 x\n1 Q0 e 1 2 x\n1 Q0 d 1 2 x\n", 39);
    CHECK(akin_evaluate_trec(context, bad, gold, &out, &error), .code = AKIN_E_INPUT, .reason = AKIN_REASON_MALFORMED,
          .line = 2);
    CHECK(akin_evaluate_trec(context, twice, gold, &out, &error), .code = AKIN_E_INPUT, .reason = AKIN_REASON_REPEATED,
          .line = 3, .rest = "document 'd' is there twice for its query");
}

static akin_status read_sets(const char *text, size_t length, akin_error *error)
{
    akin_sets *sets = NULL;
    akin_status status = akin_sets_read(context, scratch_write("ids", text, length), &sets, error);
    akin_sets_free(sets);
    return status;
}

static void words_are_no_tokens(void **state)
{
    (void)state;
    CHECK(read_sets("1 2\n3 five\n", 11, &error), .code = AKIN_E_INPUT, .reason = AKIN_REASON_NOT_A_TOKEN, .line = 2,
          .word = "five", .rest = "'five' is not a token id (a number from 0 to 4294967295)");
    CHECK(read_sets("{\"a\":1}\n", 8, &error), .code = AKIN_E_INPUT, .reason = AKIN_REASON_NOT_A_TOKEN, .line = 1,
          .word = "{\"a\":1}");
    CHECK(read_sets("1\n\n5000000000\n", 14, &error), .code = AKIN_E_INPUT, .reason = AKIN_REASON_NONE, .line = 3,
          .word = "5000000000");
    CHECK(read_sets("\xef\xbb\xbf"
                    "1\n",
                    5, &error),
          .code = AKIN_E_INPUT, .reason = AKIN_REASON_MALFORMED, .line = 1);
    CHECK(read_sets("1\0\n\0"
                    "2\0\n\0",
                    8, &error),
          .code = AKIN_E_INPUT, .reason = AKIN_REASON_UTF16, .line = 1);
}

/* ------------------------------------------------------------------------------------------------------------ names */

static void names_are_not_there(void **state)
{
    (void)state;
    const akin_choice *choice = NULL;
    akin_compare_options compare = AKIN_COMPARE_OPTIONS_INIT;
    akin_context *other = NULL;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    CHECK(READ("a.csv", "name ,age\n1,2\n", "Name"), .code = AKIN_E_OPTION, .reason = AKIN_REASON_NO_COLUMN,
          .column = "Name", .meant = "name ");
    CHECK(READ("a.csv", "name2,name:first,age\n1,2,3\n", "name"), .code = AKIN_E_OPTION,
          .reason = AKIN_REASON_NO_COLUMN, .column = "name", .meant = "name:first");
    CHECK(READ("a.csv", "name2,age\n1,2\n", "name"), .code = AKIN_E_OPTION, .reason = AKIN_REASON_NO_COLUMN,
          .column = "name", .meant = "name2");
    CHECK(READ("a.csv", "age\n1\n", "name"), .code = AKIN_E_OPTION, .reason = AKIN_REASON_NO_COLUMN, .column = "name");
    CHECK(READ("a.txt", "age\n", "name"), .code = AKIN_E_OPTION, .reason = AKIN_REASON_NO_COLUMN, .column = "name");
    CHECK(READ("a.jsonl", "{\"NAME\": 1}\n", "name"), .code = AKIN_E_OPTION, .reason = AKIN_REASON_NO_COLUMN,
          .column = "name", .meant = "NAME");
    CHECK(akin_choice_find("techniques", "ppjion", &choice, &error), .code = AKIN_E_OPTION,
          .reason = AKIN_REASON_UNKNOWN_CHOICE, .word = "ppjion", .meant = "ppjoin");
    CHECK(akin_choice_find("techniques", "zzz", &choice, &error), .code = AKIN_E_OPTION,
          .reason = AKIN_REASON_UNKNOWN_CHOICE, .word = "zzz");
    CHECK(akin_compare_options_parse("jario/3", &compare, &error), .code = AKIN_E_OPTION,
          .reason = AKIN_REASON_UNKNOWN_CHOICE, .word = "jario", .meant = "jaro");
    options.device = "gpu";
    CHECK(akin_context_create(&options, &other, &error), .code = AKIN_E_OPTION, .reason = AKIN_REASON_UNKNOWN_CHOICE,
          .word = "gpu");
    options.device = "cuda:900";
    CHECK(akin_context_create(&options, &other, &error), .code = AKIN_E_DEVICE, .reason = AKIN_REASON_NO_DEVICE);
}

static akin_status plan(const char *option, const char *word, akin_error *error)
{
    akin_dedupe_plan *made = NULL;
    assert_int_equal(akin_dedupe_plan_create(akin_papers(), &made, NULL), AKIN_OK);
    akin_status status = akin_dedupe_plan_add(made, "compare", "name:exact", NULL);
    if (status == AKIN_OK)
        status = akin_dedupe_plan_add(made, "all-pairs", "", NULL);
    if (status == AKIN_OK)
        status = akin_dedupe_plan_add(made, "threshold", "0.8", NULL);
    assert_int_equal(status, AKIN_OK);
    status = akin_dedupe_plan_add(made, option, word, error);
    if (status == AKIN_OK)
        status = akin_dedupe_plan_finish(made, error);
    akin_dedupe_plan_free(made);
    return status;
}

/* The message of a plan has that of a part within. */
static void reasons_of_parts_are_kept(void **state)
{
    (void)state;
    CHECK(plan("compare", "city:jario", &error), .code = AKIN_E_OPTION, .reason = AKIN_REASON_UNKNOWN_CHOICE,
          .word = "jario", .meant = "jaro", .option = "compare", .rest = " city:jario: ");
    CHECK(plan("compare", "city:jaro:1.5", &error), .code = AKIN_E_OPTION, .reason = AKIN_REASON_NOT_A_NUMBER,
          .word = "1.5", .option = "compare", .rest = " city:jaro:1.5: threshold '1.5'");
    CHECK(plan("compare", "name", &error), .code = AKIN_E_OPTION, .reason = AKIN_REASON_MALFORMED, .word = "name",
          .option = "compare");
    CHECK(plan("combine", "both", &error), .code = AKIN_E_OPTION, .reason = AKIN_REASON_MALFORMED, .word = "both",
          .option = "combine");
    CHECK(plan("fold", "nam", &error), .code = AKIN_E_OPTION, .reason = AKIN_REASON_NO_COLUMN, .word = "nam",
          .column = "nam", .option = "fold");
    CHECK(plan("windw", "3", &error), .code = AKIN_E_OPTION, .reason = AKIN_REASON_UNKNOWN_CHOICE, .word = "windw",
          .meant = "window");
    CHECK(plan("block", "name:soundx", &error), .code = AKIN_E_OPTION, .reason = AKIN_REASON_UNKNOWN_CHOICE,
          .word = "soundx", .meant = "soundex", .option = "block");
    CHECK(plan("fold", "name:cse", &error), .code = AKIN_E_OPTION, .reason = AKIN_REASON_UNKNOWN_CHOICE, .word = "cse",
          .meant = "case", .option = "fold");
    CHECK(plan("missing", "skp", &error), .code = AKIN_E_OPTION, .reason = AKIN_REASON_UNKNOWN_CHOICE, .word = "skp",
          .meant = "skip", .option = "missing");
}

/* ------------------------------------------------------------------------------------------------------------- rows */

static const uint64_t offsets[] = {0, 1, 3, 3, 4};
static const akin_column good = {sizeof good, "good", offsets, "abcd", NULL, 0, NULL, 0, 0};
static const akin_column bad = {sizeof bad,
                                "bad",
                                offsets,
                                "ab\xff"
                                "d",
                                NULL,
                                0,
                                NULL,
                                0,
                                0};
static const akin_column unnamed = {sizeof unnamed,
                                    NULL,
                                    offsets,
                                    "ab\xff"
                                    "d",
                                    NULL,
                                    0,
                                    NULL,
                                    0,
                                    0};
static const akin_column falling = {
    sizeof falling, NULL, (const uint64_t[]){0, 1, 3, 2, 4}, "abcd", NULL, 0, NULL, 0, 0};

static akin_status make_sets(const akin_column *first, const akin_column *second, akin_error *error)
{
    akin_dictionary *dictionary = NULL;
    akin_sets *sets = NULL;
    const akin_column columns[] = {*first, *second};
    assert_int_equal(akin_dictionary_create(context, &dictionary, NULL), AKIN_OK);
    akin_status status = akin_sets_from_columns(context, columns, 2, 4, NULL, dictionary, &sets, error);
    akin_sets_free(sets);
    akin_dictionary_free(dictionary);
    return status;
}

static void rows_and_columns_are_known(void **state)
{
    (void)state;
    akin_compared out[4];
    akin_sets *sets = NULL;
    const uint32_t tokens[] = {1, 2, 3, 4};
    const akin_compare_options compare = AKIN_COMPARE_OPTIONS_INIT;
    CHECK(make_sets(&good, &bad, &error), .code = AKIN_E_INPUT, .reason = AKIN_REASON_NOT_UTF8, .row_after = 2,
          .column = "bad", .rest = "column 'bad': the text is not valid UTF-8");
    CHECK(make_sets(&good, &unnamed, &error), .code = AKIN_E_INPUT, .reason = AKIN_REASON_NOT_UTF8, .row_after = 2,
          .column = "1", .rest = "column 1: the text is not valid UTF-8");
    CHECK(make_sets(&falling, &good, &error), .code = AKIN_E_OPTION, .reason = AKIN_REASON_NONE, .row_after = 3,
          .column = "0");
    CHECK(akin_sets_from_arrays(context, 4, falling.offsets, tokens, &sets, &error), .code = AKIN_E_OPTION,
          .reason = AKIN_REASON_NONE, .row_after = 3, .rest = "its offset 3 is above the next one, 2");
    CHECK(akin_compare_pairs(context, &compare, &good, 4, &bad, 4, NULL, NULL, 4, NULL, out, &error),
          .code = AKIN_E_INPUT, .reason = AKIN_REASON_NOT_UTF8, .row_after = 2, .column = "bad",
          .rest = "right column 'bad': the text is not valid UTF-8");
    CHECK(akin_compare_pairs(context, &compare, &unnamed, 4, &good, 4, NULL, NULL, 4, NULL, out, &error),
          .code = AKIN_E_INPUT, .reason = AKIN_REASON_NOT_UTF8, .row_after = 2, .column = "left",
          .rest = "left column: the text is not valid UTF-8");
    CHECK(akin_compare_pairs(context, &compare, &good, 4, &good, 4, (const uint32_t[]){7}, NULL, 1, NULL, out, &error),
          .code = AKIN_E_OPTION, .reason = AKIN_REASON_NONE, .row_after = 8, .column = "good");
}

static void ids_are_missing(void **state)
{
    (void)state;
    const akin_column pairs[] = {good, good};
    akin_evaluation out;
    CHECK(akin_evaluate(context, pairs, 4, pairs, 4, NULL, &out, &error), .code = AKIN_E_INPUT,
          .reason = AKIN_REASON_MISSING, .row_after = 3, .column = "good", .rest = "of the pairs has no left id");
}

static void numbers_are_not_finite(void **state)
{
    (void)state;
    const float numbers[] = {1, 2, 3, INFINITY};
    akin_matrix matrix = {
        .size = sizeof matrix, .rows = 2, .columns = 2, .number = AKIN_NUMBER_F32, .numbers = numbers};
    akin_matrix *read = NULL;
    akin_search_index *index = NULL;
    const uint32_t head[] = {2, 2};
    char file[24];
    memcpy(file, head, 8);
    memcpy(file + 8, numbers, 16);
    CHECK(akin_matrix_read(context, scratch_write("a.fbin", file, 24), AKIN_MATRIX_AUTO, &read, &error),
          .code = AKIN_E_INPUT, .reason = AKIN_REASON_NOT_A_NUMBER, .row_after = 2, .column = "1");
    CHECK(akin_matrix_read(context, scratch_write("a.fbin", file, 18), AKIN_MATRIX_AUTO, &read, &error),
          .code = AKIN_E_INPUT, .reason = AKIN_REASON_DAMAGED, .row_after = 2);
    CHECK(akin_search_index_of_vectors(context, &matrix, NULL, NULL, &index, &error), .code = AKIN_E_INPUT,
          .reason = AKIN_REASON_NOT_A_NUMBER, .row_after = 2, .column = "1",
          .rest = "column 1: expected a finite number");
}

static void values_are_no_numbers(void **state)
{
    (void)state;
    const char *const numeric[] = {"good"}, *const absent[] = {"age"};
    const akin_column twice[] = {good, good};
    akin_search_index *index = NULL;
    akin_rows_options options = AKIN_ROWS_OPTIONS_INIT;
    options.numeric = numeric;
    options.numeric_count = 1;
    CHECK(akin_search_index_of_rows(context, &good, 1, 4, &options, NULL, &index, &error), .code = AKIN_E_INPUT,
          .reason = AKIN_REASON_NOT_A_NUMBER, .row_after = 1, .column = "good", .word = "a",
          .rest = "column 'good': 'a' is no number");
    options.numeric = absent;
    CHECK(akin_search_index_of_rows(context, &good, 1, 4, &options, NULL, &index, &error), .code = AKIN_E_OPTION,
          .reason = AKIN_REASON_NO_COLUMN, .column = "age");
    CHECK(akin_search_index_of_rows(context, twice, 2, 4, NULL, NULL, &index, &error), .code = AKIN_E_OPTION,
          .reason = AKIN_REASON_REPEATED, .column = "good");
}

/* One row of 32 MiB has more tokens than a bound of 16 MiB has room for. */
static void a_bound_is_too_small_for_a_row(void **state)
{
    (void)state;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *bounded = NULL;
    akin_dictionary *dictionary = NULL;
    akin_sets *sets = NULL;
    const size_t length = 32 << 20;
    char *text = malloc(length);
    assert_non_null(text);
    for (size_t i = 0, word = 0; i < length; word++)
        for (size_t end = i + 8, left = word; i < end; i++, left /= 26)
            text[i] = i + 1 == end ? ' ' : (char)('a' + left % 26);
    const uint64_t bounds[] = {0, 0, length};
    const akin_column column = {sizeof column, "long", bounds, text, NULL, 0, NULL, 0, 0};
    options.threads = 1;
    options.memory = 16 << 20;
    options.temporary = scratch;
    assert_int_equal(akin_context_create(&options, &bounded, NULL), AKIN_OK);
    assert_int_equal(akin_dictionary_create(bounded, &dictionary, NULL), AKIN_OK);
    CHECK(akin_sets_from_columns(bounded, &column, 1, 2, NULL, dictionary, &sets, &error), .code = AKIN_E_NOMEM,
          .reason = AKIN_REASON_MEMORY_BOUND, .row_after = 2,
          .rest = "a memory bound of 16 MiB is too small for a text of 33554432 bytes");
    akin_dictionary_free(dictionary);
    akin_context_free(bounded);
    free(text);
}

/* --------------------------------------------------------------------------------------------------------- programs */

static void programs_fill_errors(void **state)
{
    (void)state;
    CHECK(akin_error_set(&error, AKIN_E_INPUT, AKIN_REASON_MISSING, "%s: %d\n", "a", 7), .code = AKIN_E_INPUT,
          .reason = AKIN_REASON_MISSING);
    akin_error error;
    akin_error_set(&error, AKIN_E_INPUT, AKIN_REASON_MISSING, "%s: %d\n", "a", 7);
    assert_string_equal(error.message, "a: 7?");
    assert_int_equal(akin_error_set(NULL, AKIN_E_IO, AKIN_REASON_NONE, "a"), AKIN_E_IO);
}

/* All of the enum have a row, and a name of their own; none stands for no reason. */
static void reasons_have_names(void **state)
{
    (void)state;
    const akin_choice *row;
    uint32_t count = 0;
    for (; (row = akin_choices("reasons", count)); count++)
        assert_int_equal(row->value, count + 1);
    assert_int_equal(count, AKIN_REASON_MEMORY_ULIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_refused),
        cmocka_unit_test(saved_files_are_damaged),
        cmocka_unit_test(temporary_files_are_missed),
        cmocka_unit_test(lines_are_known),
        cmocka_unit_test(json_has_lines),
        cmocka_unit_test(rankings_have_lines),
        cmocka_unit_test(words_are_no_tokens),
        cmocka_unit_test(names_are_not_there),
        cmocka_unit_test(reasons_of_parts_are_kept),
        cmocka_unit_test(rows_and_columns_are_known),
        cmocka_unit_test(ids_are_missing),
        cmocka_unit_test(numbers_are_not_finite),
        cmocka_unit_test(values_are_no_numbers),
        cmocka_unit_test(a_bound_is_too_small_for_a_row),
        cmocka_unit_test(programs_fill_errors),
        cmocka_unit_test(reasons_have_names),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
