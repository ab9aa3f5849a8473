/* Sets from columns of text: by hand, and random ones against an oracle that looks every token up in the order of
 * the rows. */
#include "base/context.h"
#include "test_text_columns.h"
#include "test_sanitizers.h"

#include "base/sort.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---------------------------------------------------------------------------------------------------------- by hand */

/* The collection of one column, as text, and the dictionary, as words. */
static void assert_made(const char *const *strings, uint32_t rows, const akin_text_options *options,
                        const char *sets_are, const char *words_are)
{
    for (uint32_t threads = 1; threads <= 3; threads++) {
        akin_context context = context_of(&context, threads);
        akin_error error;
        akin_dictionary *dictionary = NULL;
        akin_sets *sets = NULL;
        builder b = builder_of(strings, rows);
        akin_column column = builder_column(&b, "text");
        assert_int_equal(akin_dictionary_create(&context, &dictionary, &error), AKIN_OK);
        assert_int_equal(akin_sets_from_columns(&context, &column, 1, rows, options, dictionary, &sets, &error),
                         AKIN_OK);
        assert_sets_valid(sets);
        assert_sets_text(sets, sets_are);
        for (uint32_t row = 0; row < rows; row++) {
            uint32_t size;
            const akin_column one = {.size = sizeof one, .offsets = column.offsets + row, .bytes = column.bytes};
            assert_int_equal(akin_sets_sizes(&context, &one, 1, 1, options, 0, &size, &error), AKIN_OK);
            assert_int_equal(size, strings[row] ? akin_sets_row(sets, row, NULL) : 1); /* "hidden" */
        }
        text words = {0};
        text_add(&words, "", 0);
        for (uint32_t id = 0; id < akin_dictionary_count(dictionary); id++) {
            const char *bytes;
            size_t length;
            assert_int_equal(akin_dictionary_string(dictionary, id, &bytes, &length, &error), AKIN_OK);
            text_add_string(&words, id ? "|" : "");
            text_add(&words, bytes, length);
        }
        assert_string_equal(words.bytes, words_are);
        text_clear(&words);
        builder_clear(&b);
        akin_sets_free(sets);
        akin_dictionary_free(dictionary);
    }
}

static void test_words(void **state)
{
    static const char *const strings[] = {"To be, or not to be:",      "that is", "", NULL, "Not THAT!", "  ",
                                          "na\xc3\xafve Stra\xc3\237e"};
    (void)state;
    assert_made(strings, COUNT(strings), NULL, "0 1 2 3\n4 5\n\n\n3 4\n\n6 7\n",
                "to|be|or|not|that|is|na\xc3\xafve|strasse");
}

static void test_blanks(void **state)
{
    static const char *const strings[] = {"To be,\tor", "to be or", "nai\xcc\x88ve", "na\xc3\xafve", "a\nb\r\nc"};
    akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
    (void)state;
    options.tokens = AKIN_TOKENS_WHITESPACE;
    assert_made(strings, COUNT(strings), &options, "0 1 2\n2 3 4\n5\n5\n6 7 8\n", "To|be,|or|to|be|na\xc3\xafve|a|b|c");
    options.fold = 1;
    assert_made(strings, COUNT(strings), &options, "0 1 2\n0 2 3\n4\n4\n5 6 7\n", "to|be,|or|be|na\xc3\xafve|a|b|c");
}

static void test_qgrams(void **state)
{
    static const char *const strings[] = {"banana", "ba", "", "B\xc3\xa4na", "\xf0\x9f\x98\x80"};
    akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
    (void)state;
    options.tokens = AKIN_TOKENS_QGRAMS;
    assert_made(strings, COUNT(strings), &options, "0 1 2\n3\n\n4 5\n6\n",
                "ban|ana|nan|ba|B\xc3\xa4n|\xc3\xa4na|\xf0\x9f\x98\x80");
    options.q = 1;
    options.fold = 1;
    assert_made(strings, COUNT(strings), &options, "0 1 2\n0 1\n\n0 1 2 3\n4\n", "b|a|n|\xc3\xa4|\xf0\x9f\x98\x80");
}

static void test_multiset(void **state)
{
    static const char *const strings[] = {"a a b a", "a b b", "averyveryverylongword averyveryverylongword"};
    akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
    (void)state;
    options.multiset = 1;
    assert_made(strings, COUNT(strings), &options, "0 1 2 3\n0 2 4\n5 6\n",
                "a|a\3772|b|a\3773|b\3772|averyveryverylongword|averyveryverylongword\3772");
    options.multiset = 0;
    assert_made(strings, COUNT(strings), &options, "0 1\n0 1\n2\n", "a|b|averyveryverylongword");
}

static void test_stop_words(void **state)
{
    static const char *const strings[] = {"The end of THE w\xc3\xb6rld", "the", "\xc3\234ber the end"};
    static const char *const stops[] = {"the", "OF", "u\xcc\210ber", "", "the"};
    static const char *const phrases[] = {" of the\t", "-", "\xc3\234ber-"};
    akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
    (void)state;
    options.stop_words = stops;
    options.stop_word_count = COUNT(stops);
    assert_made(strings, COUNT(strings), &options, "0 1\n\n0\n", "end|w\xc3\xb6rld");
    options.multiset = 1;
    assert_made(strings, COUNT(strings), &options, "0 1\n\n0\n", "end|w\xc3\xb6rld");
    options.fold = 0;
    assert_made(strings, COUNT(strings), &options, "0 1 2 3 4\n\n1 5\n", "The|end|of|THE|w\xc3\xb6rld|\xc3\234ber");
    options = (akin_text_options)AKIN_TEXT_OPTIONS_INIT; /* several words each, or none */
    options.stop_words = phrases;
    options.stop_word_count = COUNT(phrases);
    assert_made(strings, COUNT(strings), &options, "0 1\n\n0\n", "end|w\xc3\xb6rld");
    options.tokens = AKIN_TOKENS_WHITESPACE;
    assert_made(strings, COUNT(strings), &options, "0 1 2 3\n\n1 4\n", "The|end|THE|w\xc3\xb6rld|\xc3\234ber");
    options.tokens = AKIN_TOKENS_QGRAMS;
    options.q = 6;
    options.stop_words = &strings[1]; /* shorter than q-grams are, and longer */
    options.stop_word_count = 2;
    assert_made(&strings[1], 2, &options, "\n\n", "");
}

static void test_columns(void **state)
{
    static const char *const titles[] = {"abc", NULL, "xy"}, *const names[] = {"cab", "ab", NULL};
    akin_context context = context_of(&context, 2);
    akin_error error;
    akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
    builder a = builder_of(titles, 3), b = builder_of(names, 3);
    akin_column columns[] = {builder_column(&a, "title"), builder_column(&b, "name")};
    akin_dictionary *dictionary = NULL;
    akin_sets *sets = NULL, *more = NULL;
    (void)state;
    options.tokens = AKIN_TOKENS_QGRAMS;
    options.q = 2;
    assert_int_equal(akin_dictionary_create(&context, &dictionary, &error), AKIN_OK);
    assert_int_equal(akin_sets_from_columns(&context, columns, 2, 3, &options, dictionary, &sets, &error), AKIN_OK);
    assert_sets_text(sets, "0 1 2\n0\n3\n"); /* ab, bc, ca: no cc */
    assert_int_equal(akin_sets_from_columns(&context, &columns[1], 1, 3, &options, dictionary, &more, &error), AKIN_OK);
    assert_sets_text(more, "0 2\n0\n\n"); /* the same dictionary: the same ids */
    assert_int_equal(akin_dictionary_count(dictionary), 4);
    akin_sets_free(more);
    assert_int_equal(akin_sets_from_columns(&context, &columns[1], 1, 3, &options, NULL, &more, &error), AKIN_OK);
    assert_sets_text(more, "0 1\n1\n\n"); /* one of its own */
    akin_sets_free(more);
    akin_sets_free(sets);
    akin_dictionary_free(dictionary);
    builder_clear(&a);
    builder_clear(&b);
}

static void test_no_rows(void **state)
{
    akin_context context = context_of(&context, 1);
    akin_error error;
    akin_column column = {.size = sizeof column};
    akin_sets *sets = NULL;
    (void)state;
    assert_int_equal(akin_sets_from_columns(&context, &column, 1, 0, NULL, NULL, &sets, &error), AKIN_OK);
    assert_int_equal(akin_sets_rows(sets), 0);
    akin_sets_free(sets);
}

/* ------------------------------------------------------------------------------------------------------- the oracle */

/* Adds the tokens of a row to the dictionary, one by one, and to the collection, as text. */
static void oracle_row(const akin_column *columns, uint32_t count, uint32_t row, const akin_text_options *options,
                       akin_dictionary *dictionary, text *sets)
{
    uint32_t *ids = NULL, id_count = 0;
    text tokens = {0}; /* all tokens of the row, each with a byte before that no token has */
    for (uint32_t c = 0; c < count; c++) {
        const akin_column *column = &columns[c];
        if (column->validity && !(column->validity[row / 8] >> row % 8 & 1))
            continue;
        oracle o = oracle_of(column->bytes + column->offsets[row], column->offsets[row + 1] - column->offsets[row],
                             options->tokens, options->q, options->fold);
        ids = realloc(ids, (id_count + o.count + 1) * sizeof *ids);
        assert_non_null(ids);
        for (size_t i = 0; i < o.count; i++) {
            text token = {0};
            uint32_t id, seen = 0;
            text_add(&token, o.text + o.starts[i], o.ends[i] - o.starts[i]);
            for (uint32_t k = 1;; k++) { /* the first occurrence that the row does not have */
                text name = {0};
                text_add(&name, token.bytes, token.length);
                if (k > 1) {
                    text_add_string(&name, "\xff");
                    text_add_number(&name, k);
                }
                assert_int_equal(akin_dictionary_add(dictionary, name.bytes, name.length, &id, NULL), AKIN_OK);
                text_clear(&name);
                for (seen = 0; seen < id_count && ids[seen] != id; seen++) {
                }
                if (seen == id_count || !options->multiset)
                    break;
            }
            if (seen == id_count)
                ids[id_count++] = id;
            text_clear(&token);
        }
        oracle_clear(&o);
    }
    akin_sort_u32(ids, id_count);
    for (uint32_t i = 0; i < id_count; i++) {
        text_add_string(sets, i ? " " : "");
        text_add_number(sets, ids[i]);
    }
    text_add_string(sets, "\n");
    text_clear(&tokens);
    free(ids);
}

/* Texts with a token, and those of them with fewer words or code points than a token has. */
static akin_text_counts oracle_counts(const akin_column *columns, uint32_t count, uint32_t rows,
                                      const akin_text_options *options)
{
    const akin_tokens unit = options->tokens == AKIN_TOKENS_SHINGLES ? AKIN_TOKENS_WORDS : options->tokens;
    akin_text_counts counts = {0, 0};
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t c = 0; c < count; c++) {
            const akin_column *column = &columns[c];
            if (column->validity && !(column->validity[row / 8] >> row % 8 & 1))
                continue;
            oracle o = oracle_of(column->bytes + column->offsets[row], column->offsets[row + 1] - column->offsets[row],
                                 unit, 1, options->fold);
            counts.texts += o.count > 0;
            counts.brief += akin_tokens_facts_of(options->tokens)->takes_length && o.count > 0 && o.count < options->q;
            oracle_clear(&o);
        }
    return counts;
}

/* Sizes alone are those of the sets; stop words and folds are not the oracle's. */
static void assert_sizes(akin_context *context, const akin_column *columns, uint32_t count,
                         const akin_text_options *options, const akin_sets *sets, const akin_text_counts *counts)
{
    const uint32_t rows = akin_sets_rows(sets);
    akin_text_counts seen = {0, 0};
    akin_text_options own = *options;
    akin_error error;
    uint32_t *sizes = calloc(rows + 1, sizeof *sizes);
    assert_non_null(sizes);
    own.counts = &seen;
    assert_int_equal(akin_sets_sizes(context, columns, count, rows, &own, 0, sizes, &error), AKIN_OK);
    for (uint32_t row = 0; row < rows; row++)
        assert_int_equal(sizes[row], akin_sets_row(sets, row, NULL));
    assert_memory_equal(&seen, counts, sizeof seen);
    free(sizes);
}

static void assert_as_oracle(const builder *builders, uint32_t count, const akin_text_options *options)
{
    akin_context one = context_of(&one, 1);
    akin_column columns[4];
    akin_dictionary *expected = NULL;
    text sets_are = {0};
    assert_int_equal(akin_dictionary_create(&one, &expected, NULL), AKIN_OK);
    char *exact[4] = {NULL}; /* blocks of their very length, so that reading beyond one shows */
    for (uint32_t c = 0; c < count; c++) {
        columns[c] = builder_column(&builders[c], NULL);
        exact[c] = malloc(builders[c].bytes.length + !builders[c].bytes.length);
        assert_non_null(exact[c]);
        if (builders[c].bytes.length > 0)
            memcpy(exact[c], builders[c].bytes.bytes, builders[c].bytes.length);
        columns[c].bytes = exact[c];
    }
    text_add(&sets_are, "", 0);
    for (uint32_t row = 0; row < builders->rows; row++)
        oracle_row(columns, count, row, options, expected, &sets_are);
    const akin_text_counts counts_are = oracle_counts(columns, count, builders->rows, options);
    for (akin_cpu cpu = AKIN_CPU_SCALAR; cpu <= akin_cpu_detect(); cpu++)
        for (uint32_t threads = 1; threads <= 4; threads += 3) {
            akin_context context = context_of(&context, threads);
            akin_error error;
            akin_dictionary *dictionary = NULL;
            akin_sets *sets = NULL;
            akin_text_counts counts = {7, 5}; /* to which they are added */
            akin_text_options own = *options;
            own.counts = &counts;
            context.scope.cpu = cpu;
            assert_int_equal(akin_dictionary_create(&context, &dictionary, &error), AKIN_OK);
            assert_int_equal(
                akin_sets_from_columns(&context, columns, count, builders->rows, &own, dictionary, &sets, &error),
                AKIN_OK);
            assert_int_equal(counts.texts, 7 + counts_are.texts);
            assert_int_equal(counts.brief, 5 + counts_are.brief);
            assert_sets_valid(sets);
            assert_sets_text(sets, sets_are.bytes);
            assert_sizes(&context, columns, count, options, sets, &counts_are);
            assert_int_equal(akin_dictionary_count(dictionary), akin_dictionary_count(expected));
            for (uint32_t id = 0; id < akin_dictionary_count(expected); id++) {
                const char *a, *b;
                size_t a_length, b_length;
                assert_int_equal(akin_dictionary_string(expected, id, &a, &a_length, NULL), AKIN_OK);
                assert_int_equal(akin_dictionary_string(dictionary, id, &b, &b_length, NULL), AKIN_OK);
                assert_int_equal(a_length, b_length);
                assert_memory_equal(a, b, a_length);
            }
            akin_sets_free(sets);
            akin_dictionary_free(dictionary);
        }
    for (uint32_t c = 0; c < count; c++)
        free(exact[c]);
    text_clear(&sets_are);
    akin_dictionary_free(expected);
}

static builder random_builder(akin_random *random, uint32_t rows, uint64_t most)
{
    builder b = {0};
    for (uint32_t row = 0; row < rows; row++) {
        text t = random_text(random, most);
        if (akin_random_below(random, 9) == 0)
            builder_null(&b);
        else
            builder_add(&b, t.bytes, t.length);
        text_clear(&t);
    }
    return b;
}

static void test_random(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 11);
    for (int round = 0; round < 24; round++) {
        akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
        builder builders[3] = {{{0}, 0, 0, NULL, NULL, 0}};
        uint32_t count = 1 + (uint32_t)akin_random_below(&random, 3), rows = (uint32_t)akin_random_below(&random, 120);
        options.tokens = (akin_tokens)(1 + round % 5);
        options.q = 1 + (uint32_t)akin_random_below(&random, 8);
        options.fold = (int)akin_random_below(&random, 2);
        options.multiset = (int)akin_random_below(&random, 2);
        for (uint32_t c = 0; c < count; c++)
            builders[c] = random_builder(&random, rows, 60);
        assert_as_oracle(builders, count, &options);
        for (uint32_t c = 0; c < count; c++)
            builder_clear(&builders[c]);
    }
}

/* Several batches of several chunks, words that come back and words that do not. */
static void test_large(void **state)
{
    akin_random random;
    (void)state;
    for (int kind = AKIN_TOKENS_WORDS; akin_tokens_facts_of((akin_tokens)kind); kind++) {
        akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
        builder b = {0};
        akin_random_seed(&random, 5);
        for (uint32_t row = 0; row < (UNDER_SANITIZER ? 10000 : 40000); row++) {
            text t = {0};
            for (uint64_t words = akin_random_below(&random, 12); words > 0; words--) {
                uint64_t bound = UINT64_C(1) << akin_random_below(&random, 24);
                text_add_string(&t, akin_random_below(&random, 9) ? "w" : "\xc3\xa9quivalence-de-longue-");
                text_add_number(&t, akin_random_below(&random, bound));
                text_add_string(&t, " ");
            }
            text_add(&t, "", 0);
            builder_add(&b, t.bytes, t.length);
            text_clear(&t);
        }
        options.tokens = (akin_tokens)kind;
        options.fold = 0;
        assert_as_oracle(&b, 1, &options);
        builder_clear(&b);
    }
}

/* A row of its own chunk, and of more tokens than are sorted by counting. */
static void test_long_row(void **state)
{
    akin_random random;
    builder b = {0};
    akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
    text t = {0};
    (void)state;
    akin_random_seed(&random, 6);
    for (int i = 0; i < 3000; i++) {
        text_add_number(&t, akin_random_below(&random, 2000));
        text_add_string(&t, " ");
    }
    builder_add(&b, "1 2 3", 5);
    builder_add(&b, t.bytes, t.length);
    builder_add(&b, "3 2 1", 5);
    options.fold = 1;
    assert_as_oracle(&b, 1, &options);
    options.multiset = 1;
    assert_as_oracle(&b, 1, &options);
    text_clear(&t);
    builder_clear(&b);
}

/* --------------------------------------------------------------------------------------------------------- refusals */

static void assert_refused(const akin_column *columns, uint32_t count, uint32_t rows, const akin_text_options *options,
                           akin_status status, const char *message)
{
    akin_context context = context_of(&context, 2);
    akin_error error = {0};
    akin_dictionary *dictionary = NULL;
    akin_sets *sets = NULL;
    uint32_t id = 77;
    assert_int_equal(akin_dictionary_create(&context, &dictionary, &error), AKIN_OK);
    assert_int_equal(akin_dictionary_add(dictionary, "before", 6, &id, &error), AKIN_OK);
    assert_int_equal(akin_sets_from_columns(&context, columns, count, rows, options, dictionary, &sets, &error),
                     status);
    assert_int_equal(error.code, status);
    assert_string_equal(error.message, message);
    assert_null(sets);
    error = (akin_error){0};
    assert_int_equal(akin_sets_sizes(&context, columns, count, rows, options, 0, (uint32_t[4]){0}, &error), status);
    assert_string_equal(error.message, message);
    assert_int_equal(akin_dictionary_count(dictionary), 1);
    assert_true(akin_dictionary_find(dictionary, "before", 6, &id));
    assert_int_equal(id, 0);
    assert_false(akin_dictionary_find(dictionary, "fine", 4, &id));
    akin_dictionary_free(dictionary);
}

static void test_options(void **state)
{
    static const char *const strings[] = {"fine"};
    builder b = builder_of(strings, 1);
    akin_column column = builder_column(&b, "text");
    static const char *const nothing[] = {NULL}, *const broken[] = {"ok", "\xff"};
    akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
    (void)state;
    options.tokens = (akin_tokens)9;
    assert_refused(
        &column, 1, 1, &options, AKIN_E_OPTION,
        "tokens is 9; expected words (1), whitespace (2), q-grams (3), shingles (4), codes (5), lines (6) or "
        "paragraphs (7)");
    options.tokens = AKIN_TOKENS_QGRAMS;
    options.q = 0;
    assert_refused(&column, 1, 1, &options, AKIN_E_OPTION, "q is 0; expected 1 to 255");
    options.q = 256;
    assert_refused(&column, 1, 1, &options, AKIN_E_OPTION, "q is 256; expected 1 to 255");
    options.q = 3;
    options.fold = 2;
    assert_refused(&column, 1, 1, &options, AKIN_E_OPTION, "fold is 2; expected 0, 1, or -1 for what is usual");
    options.fold = -1;
    options.stop_word_count = 1;
    assert_refused(&column, 1, 1, &options, AKIN_E_OPTION, "there are said to be 1 stop words, and they are NULL");
    options.stop_words = nothing;
    assert_refused(&column, 1, 1, &options, AKIN_E_OPTION, "stop word 0 is NULL");
    options.stop_words = broken;
    options.stop_word_count = 2;
    assert_refused(&column, 1, 1, &options, AKIN_E_INPUT, "stop word 1 is not valid UTF-8");
    options.stop_word_count = 0;
    options.reserved = 1;
    assert_refused(&column, 1, 1, &options, AKIN_E_OPTION, "akin_text_options: reserved is 1; expected 0");
    assert_refused(&column, 0, 1, NULL, AKIN_E_OPTION, "no columns to make sets from; expected at least 1");
    builder_clear(&b);
}

static void test_bad_columns(void **state)
{
    static const char *const strings[] = {"fine", "fine", "\xc3\xa9 caf\xe9", "never"};
    builder b = builder_of(strings, 4);
    akin_column column = builder_column(&b, "text"), unnamed = builder_column(&b, NULL);
    akin_column two[] = {column, column};
    (void)state;
    assert_refused(&column, 1, 4, NULL, AKIN_E_INPUT, "row 2, column 'text': the text is not valid UTF-8");
    assert_refused(&unnamed, 1, 4, NULL, AKIN_E_INPUT, "row 2, column 0: the text is not valid UTF-8");
    two[1].size--;
    assert_refused(two, 2, 1, NULL, AKIN_E_OPTION, "column 1: its size is 63, expected 64, as in all of them");
    column.size = 0;
    assert_refused(&column, 1, 4, NULL, AKIN_E_OPTION,
                   "akin_column: its size is 0, expected 64 (set it with its _INIT or with sizeof)");
    akin_column empty = AKIN_COLUMN_INIT;
    assert_refused(&empty, 1, 4, NULL, AKIN_E_OPTION, "column 0: its offsets are NULL, expected 5 of them");
    b.offsets[1] = 10;
    assert_refused(&unnamed, 1, 4, NULL, AKIN_E_OPTION, "column 0, row 1: its offset 10 is above the next one, 8");
    builder_clear(&b);
}

/* Columns of a later version of the library, whose struct is longer. */
static void test_longer_struct(void **state)
{
    static const char *const strings[] = {"a b"}, *const others[] = {"b c"};
    builder a = builder_of(strings, 1), b = builder_of(others, 1);
    struct {
        akin_column column;
        uint64_t later;
    } columns[2] = {{builder_column(&a, "a"), 0}, {builder_column(&b, "b"), 0}};
    akin_context context = context_of(&context, 1);
    akin_sets *sets = NULL;
    (void)state;
    columns[0].column.size = columns[1].column.size = sizeof *columns;
    assert_int_equal(akin_sets_from_columns(&context, &columns[0].column, 2, 1, NULL, NULL, &sets, NULL), AKIN_OK);
    assert_sets_text(sets, "0 1 2\n");
    akin_sets_free(sets);
    builder_clear(&a);
    builder_clear(&b);
}

static int stop_at(void *user)
{
    return (*(int *)user)-- <= 0;
}

/* Cancelled at its first, second, third ... question: nothing is left, and the dictionary is as it was. */
static void test_cancel(void **state)
{
    builder b = {0};
    int done = 0;
    (void)state;
    for (int i = 0; i < 3000; i++)
        builder_add(&b, "some words that are fine", 24);
    akin_column column = builder_column(&b, "text");
    for (int n = 0; !done; n++) {
        int left = n;
        akin_context context = context_of(&context, 2);
        akin_error error;
        akin_dictionary *dictionary = NULL;
        akin_sets *sets = NULL;
        uint32_t id;
        assert_int_equal(akin_dictionary_create(&context, &dictionary, &error), AKIN_OK);
        assert_int_equal(akin_dictionary_add(dictionary, "fine", 4, &id, &error), AKIN_OK);
        context.scope.reporter.cancel = stop_at;
        context.scope.reporter.user = &left;
        akin_status status = akin_sets_from_columns(&context, &column, 1, b.rows, NULL, dictionary, &sets, &error);
        done = status == AKIN_OK;
        if (!done) {
            assert_int_equal(status, AKIN_E_CANCELLED);
            assert_null(sets);
            assert_int_equal(akin_dictionary_count(dictionary), 1);
            assert_false(akin_dictionary_find(dictionary, "some", 4, &id));
        } else {
            assert_true(n >= 3);
            assert_int_equal(akin_dictionary_count(dictionary), 5);
        }
        akin_sets_free(sets);
        akin_dictionary_free(dictionary);
    }
    builder_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),      cmocka_unit_test(test_large),         cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_words),       cmocka_unit_test(test_blanks),        cmocka_unit_test(test_qgrams),
        cmocka_unit_test(test_multiset),    cmocka_unit_test(test_stop_words),    cmocka_unit_test(test_columns),
        cmocka_unit_test(test_no_rows),     cmocka_unit_test(test_long_row),      cmocka_unit_test(test_options),
        cmocka_unit_test(test_bad_columns), cmocka_unit_test(test_longer_struct),
    };
    return RUN_TESTS(tests, 3, NULL, NULL);
}
