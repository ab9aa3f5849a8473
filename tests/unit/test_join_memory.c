/*
 * Text under a memory bound, from the file to the clusters: results are the same bytes, and the whole heap of the
 * library stays below the bound. The linker puts functions that count in the place of the C library's and of those that
 * map pages (--wrap); what zstd and zlib take is not seen by them.
 */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/random.h"
#include "unit/test_base_cancel.h"
#include "unit/test_base_files.h"
#include "unit/test_base_heap.h"
#include "unit/test_sanitizers.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#define MIB ((uint64_t)1 << 20)

/* ------------------------------------------------------------------------------------------------------------- text */

#define ROWS 120000

/* Writes records of nine words, one of them of its own, or the words of an earlier record with one changed. */
static void write_records(const char *name, akin_format format, uint64_t seed, uint32_t rows)
{
    static uint32_t words[ROWS][9];
    akin_random random;
    akin_random_seed(&random, seed);
    FILE *out = fopen(scratch_path(name), "w");
    assert_non_null(out);
    if (format == AKIN_FORMAT_CSV)
        fputs("id,title\r\n", out);
    for (uint32_t row = 0; row < rows; row++) {
        int again = row > 0 && akin_random_below(&random, 4) == 0;
        for (int i = 0; i < 8; i++)
            words[row][i] = (uint32_t)akin_random_below(&random, 20000);
        words[row][8] = 1000000 + row;
        if (again) {
            memcpy(words[row], words[akin_random_below(&random, row)], sizeof *words);
            words[row][akin_random_below(&random, 8)] = (uint32_t)akin_random_below(&random, 20000);
        }
        if (format == AKIN_FORMAT_CSV)
            fprintf(out, "%u,\"", row);
        else if (format == AKIN_FORMAT_JSONL)
            fprintf(out, "{\"id\":%u,\"title\":\"\\u00e9", row);
        for (int i = 0; i < 9; i++)
            fprintf(out, "%sword-%u", i ? " " : "", words[row][i]);
        fputs(format == AKIN_FORMAT_CSV ? "\"\"\n\"\n" : format == AKIN_FORMAT_JSONL ? "\"}\n" : "\n", out);
    }
    assert_int_equal(fclose(out), 0);
}

static akin_context context_of(akin_context *self, uint32_t threads, uint64_t memory)
{
    return (akin_context){.scope = {.context = self, .threads = threads, .cpu = akin_cpu_detect(), .memory = memory},
                          .cpu_best = akin_cpu_detect(),
                          .temporary = scratch};
}

/* The result of reading a file, as numbers that are the same for the same result. */
typedef struct outcome {
    uint64_t pairs, clusters, records, sets, strings, count;
    int64_t peak;
    akin_clusters *grouped;
} outcome;

static uint64_t mix(uint64_t hash, const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static int receive(void *user, const akin_pair *pairs, size_t number)
{
    outcome *o = user;
    o->pairs = mix(o->pairs, pairs, number * sizeof *pairs);
    return o->grouped ? akin_clusters_sink(o->grouped, pairs, number) : 0;
}

static void expect(akin_status status, const akin_error *error)
{
    if (status != AKIN_OK)
        fail_msg("%s", error->message);
}

static akin_table *read_table(akin_context *context, const char *name, akin_format format, int records)
{
    static const char *const title[] = {"title"};
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    akin_table *table = NULL;
    akin_error error;
    options.format = format;
    options.column_count = format != AKIN_FORMAT_TEXT;
    options.columns = title;
    options.keep_records = records;
    expect(akin_table_read(context, scratch_path(name), &options, &table, &error), &error);
    return table;
}

static akin_sets *make_sets(akin_context *context, const akin_table *table, akin_tokens tokens,
                            akin_dictionary *dictionary)
{
    akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
    akin_column column = {.size = sizeof column};
    akin_sets *sets = NULL;
    akin_error error;
    options.tokens = tokens;
    assert_int_equal(akin_table_column(table, 0, &column, NULL), AKIN_OK);
    expect(akin_sets_from_columns(context, &column, 1, akin_table_rows(table), &options, dictionary, &sets, &error),
           &error);
    return sets;
}

/* Looks at all sets and strings. */
static void look(const akin_sets *sets, const akin_dictionary *dictionary, outcome *o)
{
    for (uint32_t row = 0; row < akin_sets_rows(sets); row++) {
        const uint32_t *tokens;
        uint32_t size = akin_sets_row(sets, row, &tokens);
        o->sets = mix(o->sets, tokens, size * sizeof *tokens);
    }
    for (uint32_t id = 0; id < akin_dictionary_count(dictionary); id++) {
        const char *bytes;
        size_t length;
        assert_int_equal(akin_dictionary_string(dictionary, id, &bytes, &length, NULL), AKIN_OK);
        o->strings = mix(o->strings, bytes, length);
    }
}

static void join(akin_context *context, const akin_sets *left, const akin_sets *right, outcome *o)
{
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_error error;
    options.threshold = (akin_ratio){8, 10};
    expect(akin_join(context, left, right, &options, receive, o, &o->count, NULL, &error), &error);
    assert_true(o->count > 1000);
}

static void deduplicate(const akin_table *table, outcome *o)
{
    akin_clusters_finish(o->grouped);
    for (uint32_t row = 0; row < akin_table_rows(table); row++) {
        const char *bytes;
        uint64_t length;
        uint32_t label = akin_clusters_row(o->grouped, row);
        o->clusters = mix(o->clusters, &label, sizeof label);
        if (label != row)
            continue;
        assert_int_equal(akin_table_record(table, row, &bytes, &length, NULL), AKIN_OK);
        o->records = mix(o->records, bytes, length);
    }
}

/* A self-join with clusters and the records without duplicates; or, of another file, too, the join of both. */
static outcome run(uint64_t memory, uint32_t threads, akin_format format, const char *name, const char *other)
{
    akin_context context = context_of(&context, threads, memory);
    akin_dictionary *dictionary = NULL;
    outcome o = {0};
    akin_table *second = NULL;
    akin_sets *right = NULL;
    atomic_store(&held, 0);
    atomic_store(&peak, 0);
    assert_int_equal(akin_dictionary_create(&context, &dictionary, NULL), AKIN_OK);
    akin_table *table = read_table(&context, name, format, 1);
    akin_sets *left = make_sets(&context, table, AKIN_TOKENS_WORDS, dictionary);
    if (other) {
        second = read_table(&context, other, format, 0);
        right = make_sets(&context, second, AKIN_TOKENS_WORDS, dictionary);
    } else {
        assert_int_equal(akin_clusters_create(&context, akin_sets_rows(left), 0, &o.grouped, NULL), AKIN_OK);
    }
    assert_int_equal(scratch_entries("."), 5); /* temporary files have no names */
    join(&context, left, right, &o);
    look(left, dictionary, &o);
    if (!other)
        deduplicate(table, &o);
    o.peak = atomic_load(&peak);
    akin_dictionary_free(dictionary);
    akin_table_free(table);
    akin_table_free(second);
    akin_sets_free(left);
    akin_sets_free(right);
    akin_clusters_free(o.grouped);
    o.grouped = NULL;
    assert_int_equal(atomic_load(&held), 0);
    return o;
}

static void check_same(const outcome *a, const outcome *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->pairs, b->pairs);
    assert_int_equal(a->clusters, b->clusters);
    assert_int_equal(a->records, b->records);
    assert_int_equal(a->sets, b->sets);
    assert_int_equal(a->strings, b->strings);
}

static void check_bounds(akin_format format, const char *name, const char *other)
{
    outcome whole = run(0, 2, format, name, other);
    assert_true(whole.peak > (int64_t)(40 * MIB));
    for (uint64_t memory = 16 * MIB; memory <= 256 * MIB; memory *= UNDER_ASAN ? 16 : memory < 64 * MIB ? 2 : 4) {
        outcome bounded = run(memory, memory > 32 * MIB ? 3 : 1, format, name, other);
        check_same(&whole, &bounded);
        if (bounded.peak > (int64_t)memory)
            fail_msg("%lld bytes of heap with a bound of %llu", (long long)bounded.peak, (unsigned long long)memory);
    }
}

static void delimited(void **state)
{
    (void)state;
    check_bounds(AKIN_FORMAT_CSV, "a.csv", NULL);
    check_bounds(AKIN_FORMAT_CSV, "a.csv", "b.csv");
}

static void json_lines(void **state)
{
    (void)state;
    check_bounds(AKIN_FORMAT_JSONL, "a.jsonl", NULL);
}

static void plain_text(void **state)
{
    (void)state;
    check_bounds(AKIN_FORMAT_TEXT, "a.txt", NULL);
}

/* Q-grams, which are cut only: many tokens of few bytes, and rows that one batch has no room for, beside short ones. */
static outcome cut(uint64_t memory, uint32_t threads, akin_format format, const char *name)
{
    akin_context context = context_of(&context, threads, memory);
    akin_dictionary *dictionary = NULL;
    outcome o = {0};
    atomic_store(&held, 0);
    atomic_store(&peak, 0);
    assert_int_equal(akin_dictionary_create(&context, &dictionary, NULL), AKIN_OK);
    akin_table *table = read_table(&context, name, format, 0);
    akin_sets *sets = make_sets(&context, table, AKIN_TOKENS_QGRAMS, dictionary);
    o.peak = atomic_load(&peak);
    look(sets, dictionary, &o);
    akin_sets_free(sets);
    akin_table_free(table);
    akin_dictionary_free(dictionary);
    return o;
}

static void qgrams(void **state)
{
    (void)state;
    static const char *const names[] = {"a.txt", "long.txt"};
    for (int i = 0; i < 2; i++) {
        outcome whole = cut(0, 2, AKIN_FORMAT_TEXT, names[i]);
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            outcome bounded = cut(16 * MIB, threads, AKIN_FORMAT_TEXT, names[i]);
            check_same(&whole, &bounded);
            assert_true(whole.peak > (int64_t)(16 * MIB) && bounded.peak <= (int64_t)(16 * MIB));
        }
    }
}

/* What cannot be bounded is the tokens of one row. */
static void one_long_row(void **state)
{
    (void)state;
    akin_context context = context_of(&context, 1, 16 * MIB);
    akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
    akin_random random;
    const uint64_t offsets[] = {0, 1, 1, 4 * MIB, 4 * MIB + 2};
    akin_sets *sets = NULL;
    akin_error error;
    char *bytes = malloc(4 * MIB + 2);
    assert_non_null(bytes);
    akin_random_seed(&random, 7);
    for (uint64_t i = 0; i < 4 * MIB + 2; i++)
        bytes[i] = (char)('!' + akin_random_below(&random, 90));
    akin_column column = {sizeof column, "long", offsets, bytes, NULL, 0, NULL, 0, 0};
    options.tokens = AKIN_TOKENS_QGRAMS;
    options.q = 8;
    assert_int_equal(akin_sets_from_columns(&context, &column, 1, 4, &options, NULL, &sets, &error), AKIN_E_NOMEM);
    static const char said[] = "row 2: a memory bound of 16 MiB is too small for a text of 4194303 bytes: about ";
    assert_memory_equal(error.message, said, strlen(said));
    context.scope.memory = strtoull(error.message + strlen(said), NULL, 10) * MIB;
    assert_int_equal(akin_sets_from_columns(&context, &column, 1, 4, &options, NULL, &sets, &error), AKIN_OK);
    akin_sets_free(sets);
    context.scope.memory = 0;
    assert_int_equal(akin_sets_from_columns(&context, &column, 1, 4, &options, NULL, &sets, &error), AKIN_OK);
    akin_sets_free(sets);
    free(bytes);
}

/* Rows whose batches were cut at the same place again and again: every attempt is to be smaller than the one before. */
static void each_attempt_is_smaller(void **state)
{
    (void)state;
    akin_context context = context_of(&context, 1, 16 * MIB);
    akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
    akin_random random;
    const uint64_t offsets[] = {0, 119999, 179999, 240000};
    asking stop = {.stop_at = 100};
    akin_sets *sets = NULL;
    akin_error error;
    char *bytes = malloc(offsets[3]);
    assert_non_null(bytes);
    akin_random_seed(&random, 8);
    for (uint64_t i = 0; i < offsets[3]; i++)
        bytes[i] = (char)('!' + akin_random_below(&random, 90));
    akin_column column = {sizeof column, "long", offsets, bytes, NULL, 0, NULL, 0, 0};
    options.tokens = AKIN_TOKENS_QGRAMS;
    options.q = 4;
    context.scope.reporter.cancel = asking_answer;
    context.scope.reporter.user = &stop;
    akin_status status = akin_sets_from_columns(&context, &column, 1, 3, &options, NULL, &sets, &error);
    assert_true(status == AKIN_OK || status == AKIN_E_NOMEM);
    akin_sets_free(sets);
    free(bytes);
}

/* Descriptors that are open. */
static int open_files(void)
{
    int count = 0;
    for (int fd = 0; fd < 4096; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void check_full(akin_status status, const akin_error *error)
{
    assert_int_equal(status, AKIN_E_IO);
    assert_memory_equal(error->message, scratch, strlen(scratch));
    assert_non_null(strstr(error->message, "too large"));
}

/* No file may be longer than 256 KiB, which is what a full disk looks like: each step fails, and says where. */
static void a_full_disk(void **state)
{
    (void)state;
    akin_context context = context_of(&context, 2, 16 * MIB), whole = context_of(&whole, 2, 0);
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    akin_dictionary *dictionary = NULL;
    akin_table *read = NULL, *table = read_table(&whole, "a.csv", AKIN_FORMAT_CSV, 0);
    akin_column column = {.size = sizeof column};
    akin_clusters *clusters = NULL;
    akin_sets *sets = NULL;
    akin_error error;
    uint32_t id = 0, before;
    struct rlimit limit, less;
    assert_int_equal(akin_table_column(table, 0, &column, NULL), AKIN_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    less = limit;
    less.rlim_cur = 256 << 10;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
    check_full(akin_table_read(&context, scratch_path("a.csv"), NULL, &read, &error), &error);
    options.keep_records = 1;
    check_full(akin_table_read(&context, scratch_path("a.jsonl"), &options, &read, &error), &error);
    check_full(akin_clusters_create(&context, 1 << 20, 0, &clusters, &error), &error);
    assert_int_equal(akin_dictionary_create(&context, &dictionary, NULL), AKIN_OK);
    assert_int_equal(akin_dictionary_add(dictionary, "", 0, &id, NULL), AKIN_OK);
    check_full(akin_sets_from_columns(&context, &column, 1, 1 << 16, NULL, dictionary, &sets, &error), &error);
    assert_int_equal(akin_dictionary_count(dictionary), 1);
    akin_status status = AKIN_OK;
    do {
        char word[64];
        before = akin_dictionary_count(dictionary);
        int length = snprintf(word, sizeof word, "a word that is longer than sixteen bytes: %u", before);
        status = akin_dictionary_add(dictionary, word, (size_t)length, &id, &error);
    } while (status == AKIN_OK && before < 1 << 20);
    check_full(status, &error);
    assert_int_equal(akin_dictionary_count(dictionary), before);
    int files = open_files();
    for (int i = 0; i < 50; i++)
        assert_int_equal(akin_dictionary_add(dictionary, "one that is not there yet, and longer", 37, &id, &error),
                         AKIN_E_IO);
    assert_int_equal(open_files(), files);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    akin_dictionary_free(dictionary);
    akin_table_free(table);
}

/* Files of records, and one with rows of very different lengths. */
static int make_files(void **state)
{
    if (scratch_make(state) != 0)
        return -1;
    write_records("a.csv", AKIN_FORMAT_CSV, 1, ROWS);
    write_records("b.csv", AKIN_FORMAT_CSV, 1, ROWS / 4);
    write_records("a.jsonl", AKIN_FORMAT_JSONL, 2, ROWS);
    write_records("a.txt", AKIN_FORMAT_TEXT, 3, ROWS);
    FILE *out = fopen(scratch_path("long.txt"), "w");
    akin_random random;
    akin_random_seed(&random, 4);
    for (int row = 0; row < 20 && out; row++) {
        for (uint32_t i = akin_random_below(&random, 3) ? 20 : 60000; i > 0; i--)
            fputc((int)('!' + akin_random_below(&random, 90)), out);
        fputs("\n\nshort\n", out);
    }
    return out && fclose(out) == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delimited),   cmocka_unit_test(json_lines),   cmocka_unit_test(plain_text),
        cmocka_unit_test(qgrams),      cmocka_unit_test(one_long_row), cmocka_unit_test(each_attempt_is_smaller),
        cmocka_unit_test(a_full_disk),
    };
    signal(SIGXFSZ, SIG_IGN);
    return cmocka_run_group_tests(tests, make_files, scratch_remove);
}
