/*
 * Collections while memory runs out: every allocation of every job fails once, alone and with all that follow. Leaks
 * show under the address sanitizer.
 */
#define _GNU_SOURCE

#include "base/context.h"
#include "test_text_columns.h"

#include "test_base_failing.h"
#include "test_base_files.h"

#include <zlib.h>

/* ------------------------------------------------------------------------------------------------------------- jobs */

typedef akin_status (*job)(const akin_sets *input, akin_sets **out, akin_error *error);

static akin_context context = {.scope = {.context = &context, .threads = 1}};

static akin_status read_plain(const akin_sets *input, akin_sets **out, akin_error *error)
{
    (void)input;
    return akin_sets_read(&context, scratch_path("sets.txt"), out, error);
}

/* By three threads, in small blocks. A piece that finds no memory is parsed again, so this may succeed. */
static akin_status read_by_threads(const akin_sets *input, akin_sets **out, akin_error *error)
{
    static const akin_wishes wishes = {.block_bytes = 4096};
    context.scope.threads = 3;
    context.wishes = &wishes;
    const akin_status status = read_plain(input, out, error);
    context.scope.threads = 1;
    context.wishes = NULL;
    return status;
}

static akin_status read_gzip(const akin_sets *input, akin_sets **out, akin_error *error)
{
    (void)input;
    return akin_sets_read(&context, scratch_path("sets.gz"), out, error);
}

static akin_status read_saved(const akin_sets *input, akin_sets **out, akin_error *error)
{
    (void)input;
    return akin_sets_read(&context, scratch_path("saved.akin"), out, error);
}

static akin_status read_saved_gzip(const akin_sets *input, akin_sets **out, akin_error *error)
{
    (void)input;
    return akin_sets_read(&context, scratch_path("saved.gz"), out, error);
}

static akin_status save(const akin_sets *input, akin_sets **out, akin_error *error)
{
    (void)out;
    return akin_sets_save(&context, input, scratch_path("again.akin"), error);
}

static akin_status describe(const akin_sets *input, akin_sets **out, akin_error *error)
{
    akin_sets_statistics statistics = {.size = sizeof statistics};
    (void)out;
    return akin_sets_describe(&context, input, &statistics, error);
}

static akin_status grow(const akin_sets *input, akin_sets **out, akin_error *error)
{
    return akin_sets_grow(&context, input, 3, out, error);
}

static akin_status from_arrays(const akin_sets *input, akin_sets **out, akin_error *error)
{
    uint64_t whole[2] = {0, input->offsets[input->rows]}; /* all in one set: there are repetitions to remove */
    return akin_sets_from_arrays(&context, 1, whole, input->tokens, out, error);
}

static akin_status generate(const akin_sets *input, akin_sets **out, akin_error *error)
{
    akin_generate_options options = AKIN_GENERATE_OPTIONS_INIT;
    (void)input;
    options.rows = 200;
    options.universe = 300;
    options.size_mean = 80;
    options.size_deviation = 60; /* by trying and from the urn */
    return akin_sets_generate(&context, &options, out, error);
}

/* Texts of all kinds, and a null. */
static builder difficult_texts(void)
{
    static const char *const strings[] = {
        "plain words", "e\xcc\x81t\xc3\xa9 \xe0\xa4\xb9\xe0\xa4\xbf\xe0\xa4\xa8\xe0\xa5\x8d",
        "plain plain", "a word of more than sixteen: antidisestablishmentarianism",
        NULL,          "the stop word",
    };
    builder b = {0};
    for (int i = 0; i < 40; i++)
        builder_add(&b, strings[i % 4], strlen(strings[i % 4]));
    builder_null(&b);
    text marks = {0};
    for (int i = 0; i < 100; i++)
        text_add_string(&marks, i % 2 ? "\xcc\x81" : "\xcc\xa3");
    builder_add(&b, marks.bytes, marks.length);
    text_clear(&marks);
    for (int i = 0; i < 3000; i++) {
        text t = {0};
        text_add_number(&t, (uint64_t)i);
        text_add_string(&t, i % 50 ? " the" : " e\xcc\x81 antidisestablishmentarianism");
        text_add_number(&t, (uint64_t)i);
        builder_add(&b, t.bytes, t.length);
        text_clear(&t);
    }
    return b;
}

/* Text of all sorts, whose tokens are words in several ways; a dictionary that is not empty must be as before. */
static akin_status from_text(const akin_text_options *options, akin_sets **out, akin_error *error)
{
    akin_dictionary *dictionary = NULL;
    uint32_t id;
    armed = 0;
    builder b = difficult_texts();
    akin_column column = builder_column(&b, "text");
    armed = 1;
    akin_status status = akin_dictionary_create(&context, &dictionary, error);
    if (status == AKIN_OK)
        status = akin_dictionary_add(dictionary, "a string of more than sixteen bytes", 35, &id, error);
    if (status == AKIN_OK) {
        status = akin_sets_from_columns(&context, &column, 1, b.rows, options, dictionary, out, error);
        armed = 0;
        assert_true(status == AKIN_OK ? akin_dictionary_count(dictionary) > 3000
                                      : akin_dictionary_count(dictionary) == 1);
        assert_int_equal(akin_dictionary_find(dictionary, "plain", 5, &id), status == AKIN_OK && options->q != 4);
    }
    armed = 0;
    akin_dictionary_free(dictionary);
    builder_clear(&b);
    return status;
}

static akin_status from_words(const akin_sets *input, akin_sets **out, akin_error *error)
{
    static const char *const stops[] = {"The", "of"};
    akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
    (void)input;
    options.multiset = 1;
    options.stop_words = stops;
    options.stop_word_count = 2;
    return from_text(&options, out, error);
}

static akin_status from_qgrams(const akin_sets *input, akin_sets **out, akin_error *error)
{
    akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
    (void)input;
    options.tokens = AKIN_TOKENS_QGRAMS;
    options.q = 4;
    return from_text(&options, out, error);
}

/* With a bound so small that results are in temporary files, and batches are small. */
static akin_status from_words_within(const akin_sets *input, akin_sets **out, akin_error *error)
{
    context.scope.memory = 320 << 10;
    context.temporary = scratch;
    akin_status status = from_words(input, out, error);
    context.scope.memory = 0;
    return status;
}

/* The sizes alone of sets of words but for stop words, folded; there are no sets. */
static akin_status only_sizes(const akin_sets *input, akin_sets **out, akin_error *error)
{
    static const char *const stops[] = {"The", "antidisestablishmentarianism"};
    akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
    static uint32_t sizes[4096];
    (void)input;
    (void)out;
    armed = 0;
    builder b = difficult_texts();
    const akin_column column = builder_column(&b, "text");
    assert_true(b.rows < sizeof sizes / sizeof *sizes);
    options.stop_words = stops;
    options.stop_word_count = 2;
    armed = 1;
    akin_status status = akin_sets_sizes(&context, &column, 1, b.rows, &options, AKIN_FOLD_ACCENTS, sizes, error);
    armed = 0;
    if (status == AKIN_OK) {
        assert_int_equal(sizes[0], 2);
        assert_int_equal(sizes[2], 1);
        assert_int_equal(sizes[40], 0);
    }
    builder_clear(&b);
    return status;
}

static akin_status only_lengths(const akin_sets *input, akin_sets **out, akin_error *error)
{
    static uint32_t lengths[4096];
    (void)input;
    (void)out;
    armed = 0;
    builder b = difficult_texts();
    const akin_column column = builder_column(&b, "text");
    assert_true(b.rows < sizeof lengths / sizeof *lengths);
    armed = 1;
    akin_status status = akin_strings_lengths(&context, &column, b.rows, AKIN_FOLD_ALL, lengths, error);
    armed = 0;
    assert_true(status != AKIN_OK || lengths[0] == 11);
    builder_clear(&b);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static void fail_each(job run, const akin_sets *input, int once)
{
    for (unsigned n = 0;; n++) {
        akin_sets *sets = NULL;
        akin_error error;
        begin_failing(n, once);
        akin_status status = run(input, &sets, &error);
        armed = 0;
        if (status == AKIN_OK) {
            akin_sets_free(sets);
        } else {
            assert_int_equal(status, AKIN_E_NOMEM);
            assert_int_equal(error.code, AKIN_E_NOMEM);
            assert_non_null(strstr(error.message, "memory"));
            assert_int_equal(error.reason, AKIN_REASON_MEMORY);
            assert_null(sets);
            assert_true(failed > 0);
        }
        if (failed == 0) {
            assert_int_equal(status, AKIN_OK);
            assert_true(n > 0);
            return;
        }
    }
}

static void test_all(const akin_sets *input)
{
    static const job jobs[] = {
        read_plain,  read_by_threads, read_gzip,  read_saved,  read_saved_gzip,   save,       describe,    grow,
        from_arrays, generate,        from_words, from_qgrams, from_words_within, only_sizes, only_lengths};
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        fail_each(jobs[i], input, 1);
        fail_each(jobs[i], input, 0);
    }
}

static void write_gzip(const char *name, const void *bytes, size_t length)
{
    gzFile file = gzopen(scratch_path(name), "wb");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, bytes, (unsigned)length), length);
    assert_int_equal(gzclose(file), Z_OK);
}

static void test_with(uint32_t rows, uint32_t size_bound, uint64_t token_bound)
{
    akin_error error;
    size_t length;
    akin_sets *input = random_sets(1, rows, size_bound, token_bound);
    text t = sets_text(input);
    scratch_write("sets.txt", t.bytes, t.length);
    write_gzip("sets.gz", t.bytes, t.length);
    text_clear(&t);
    assert_int_equal(akin_sets_save(&context, input, scratch_path("saved.akin"), &error), AKIN_OK);
    char *bytes = scratch_read(scratch_path("saved.akin"), &length);
    write_gzip("saved.gz", bytes, length);
    free(bytes);
    test_all(input);
    akin_sets_free(input);
}

static void test_dense_tokens(void **state)
{
    (void)state;
    test_with(4000, 12, 500); /* more rows and tokens than there is room for at first */
}

static void test_sparse_tokens(void **state)
{
    (void)state;
    test_with(7000, 32, UINT64_C(1) << 32); /* more distinct tokens than the first counters */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dense_tokens), cmocka_unit_test(test_sparse_tokens)};
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
