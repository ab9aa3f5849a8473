/* Made-up documents: the same with any number of threads, lengths and frequencies of the options, no more than the
 * limit. */
#define _GNU_SOURCE

#include "unit/test_sanitizers.h"
#include "akin_generate.h"
#include "base/context.h"
#include "base/elementary.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct made {
    char *text;
    size_t length;
    FILE *out;
    int calls, stop; /* the call that is to end it; 0: none */
} made;

static int take(void *user, const char *bytes, uint64_t length)
{
    made *m = user;
    if (++m->calls == m->stop)
        return 1;
    assert_true(length > 0);
    assert_int_equal(fwrite(bytes, 1, length, m->out), length);
    return 0;
}

static akin_status make_with(uint32_t threads, const akin_documents_options *options, made *m)
{
    akin_context context = {.scope = {.context = &context, .threads = threads}};
    akin_error error;
    m->calls = 0;
    m->out = open_memstream(&m->text, &m->length);
    assert_non_null(m->out);
    akin_status status = akin_documents_generate(&context, options, take, m, &error);
    fclose(m->out);
    return status;
}

static made make(uint32_t threads, const akin_documents_options *options)
{
    made m = {0};
    assert_int_equal(make_with(threads, options, &m), AKIN_OK);
    return m;
}

/* What a text has; it ends with a line feed, and has no two blanks or more than one empty line together. */
typedef struct tally {
    uint32_t documents, words, lengths[4096];
    double logarithms, squares; /* sums over documents */
} tally;

static tally *count(const made *m)
{
    tally *t = calloc(1, sizeof *t);
    assert_non_null(t);
    uint32_t words = 0;
    for (size_t i = 0; i < m->length; i++) {
        char next = i + 1 < m->length ? m->text[i + 1] : '\n';
        int is_letter = m->text[i] >= 'a' && m->text[i] <= 'z';
        assert_true(is_letter || m->text[i] == ' ' || m->text[i] == '\n');
        if (is_letter && (next == ' ' || next == '\n'))
            words++;
        if (m->text[i] == ' ')
            assert_true(next >= 'a' && next <= 'z');
        if (m->text[i] != '\n' || next != '\n')
            continue;
        assert_true(words > 0);
        if (t->documents < 4096)
            t->lengths[t->documents] = words;
        t->documents++;
        t->words += words;
        t->logarithms += log(words);
        t->squares += log(words) * log(words);
        words = 0;
        i++;
    }
    return t;
}

static void any_number_of_threads(void **state)
{
    (void)state;
    akin_documents_options options = AKIN_DOCUMENTS_OPTIONS_INIT;
    options.documents = 700;
    options.length_mu = 3;
    made one = make(1, &options), five = make(5, &options);
    assert_int_equal(one.length, five.length);
    assert_memory_equal(one.text, five.text, one.length);
    tally *t = count(&one);
    assert_int_equal(t->documents, 700);
    options.seed = 2;
    made other = make(1, &options);
    assert_true(other.length != one.length || memcmp(other.text, one.text, one.length) != 0);
    free(t);
    free(one.text);
    free(five.text);
    free(other.text);
}

static void lengths_are_lognormal(void **state)
{
    (void)state;
    akin_documents_options options = AKIN_DOCUMENTS_OPTIONS_INIT;
    options.documents = 4000;
    options.length_mu = 5;
    options.length_sigma = 0.7;
    made m = make(2, &options);
    tally *t = count(&m);
    double mean = t->logarithms / 4000, deviation = sqrt(t->squares / 4000 - mean * mean);
    assert_int_equal(t->documents, 4000);
    assert_true(fabs(mean - 5) < 0.05);
    assert_true(fabs(deviation - 0.7) < 0.05);
    free(t);
    free(m.text);
    options.length_mu = 2.302585092994046; /* ln 10 */
    options.length_sigma = 0;
    options.documents = 50;
    m = make(1, &options);
    t = count(&m);
    assert_int_equal(t->words, 500);
    for (int i = 0; i < 50; i++)
        assert_int_equal(t->lengths[i], 10);
    free(t);
    free(m.text);
}

static uint32_t count_word(const made *m, const char *word)
{
    uint32_t found = 0;
    size_t length = strlen(word);
    for (size_t i = 0; i + length < m->length; i++)
        found +=
            memcmp(m->text + i, word, length) == 0 && m->text[i + length] <= ' ' && (i == 0 || m->text[i - 1] <= ' ');
    return found;
}

static void frequencies_are_those_given(void **state)
{
    (void)state;
    static const uint64_t offsets[] = {0, 1, 4, 6};
    static const double weights[] = {6, 3, 1};
    akin_column words = {.size = sizeof words, .offsets = offsets, .bytes = "atheof"};
    akin_documents_options options = AKIN_DOCUMENTS_OPTIONS_INIT;
    options.documents = 200;
    options.length_sigma = 0;
    options.words = &words;
    options.word_count = 3;
    options.weights = weights;
    made m = make(1, &options);
    tally *t = count(&m);
    assert_true(fabs(count_word(&m, "a") / (double)t->words - 0.6) < 0.01);
    assert_true(fabs(count_word(&m, "the") / (double)t->words - 0.3) < 0.01);
    free(m.text);
    for (int way = 0; way < 2; way++) { /* equal weights, by two options */
        options.uniform = way == 0;
        options.weights = way == 0 ? weights : NULL;
        m = make(1, &options);
        assert_true(fabs(count_word(&m, "of") / (double)t->words - 1 / 3.0) < 0.01);
        free(m.text);
    }
    free(t);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* If the words of a long text are drawn evenly from a small vocabulary, all of them occur, and no two are alike. */
static void made_up_words_are_distinct(void **state)
{
    (void)state;
    akin_documents_options options = AKIN_DOCUMENTS_OPTIONS_INIT;
    options.documents = 1;
    options.length_mu = 11;
    options.length_sigma = 0;
    options.uniform = 1;
    options.vocabulary = 3000;
    made m = make(1, &options);
    char **words = calloc(60000, sizeof *words);
    assert_non_null(words);
    size_t total = 0, distinct = 1;
    for (char *word = strtok(m.text, " \n"); word; word = strtok(NULL, " \n")) {
        assert_true(total < 60000);
        words[total++] = word;
    }
    qsort(words, total, sizeof *words, by_text);
    for (size_t i = 1; i < total; i++)
        distinct += strcmp(words[i - 1], words[i]) != 0;
    assert_int_equal(distinct, 3000);
    free(words);
    free(m.text);
}

static void text_is_cut_behind_a_word(void **state)
{
    (void)state;
    akin_documents_options options = AKIN_DOCUMENTS_OPTIONS_INIT;
    options.bytes = 100000;
    options.vocabulary = 1000; /* words are made each time */
    made whole = make(1, &options);
    assert_true(whole.length <= 100000 && whole.length > 100000 - 64);
    for (uint64_t bytes = 1; bytes < 400; bytes++) {
        options.bytes = bytes;
        made m = make(2, &options);
        assert_true(m.length <= bytes);
        if (m.length > 0) {
            assert_memory_equal(m.text, whole.text, m.length - 1);
            assert_int_equal(m.text[m.length - 1], '\n');
            assert_true(whole.text[m.length - 1] <= ' ' && m.text[m.length - 2] > ' ');
        }
        size_t next = m.length > 0 ? m.length : 0; /* the next word would not have fitted */
        while (whole.text[next] <= ' ')
            next++;
        while (whole.text[next] > ' ')
            next++;
        assert_true(next + 1 > bytes);
        free(m.text);
    }
    free(whole.text);
    options.bytes = 0; /* both bounds: whichever comes first */
    options.documents = 5;
    made five = make(1, &options);
    options.bytes = 1000000;
    made also = make(1, &options);
    assert_int_equal(five.length, also.length);
    free(five.text);
    free(also.text);
}

static void the_sink_stops_it(void **state)
{
    (void)state;
    akin_documents_options options = AKIN_DOCUMENTS_OPTIONS_INIT;
    options.documents = 1000;
    made m = {.stop = 2};
    assert_int_equal(make_with(2, &options, &m), AKIN_E_CANCELLED);
    assert_int_equal(m.calls, 2);
    free(m.text);
}

static void options_out_of_range(void **state)
{
    (void)state;
    static const uint64_t offsets[] = {0, 1, 1};
    static const double weights[] = {0, 0}, negative[] = {1, -1};
    akin_column words = {.size = sizeof words, .offsets = offsets, .bytes = "a"};
    const akin_documents_options good = AKIN_DOCUMENTS_OPTIONS_INIT;
    akin_documents_options bad[9];
    for (int i = 0; i < 9; i++) {
        bad[i] = good;
        bad[i].documents = 1;
    }
    bad[0].documents = 0;
    bad[1].length_mu = NAN;
    bad[2].length_sigma = 5;
    bad[3].vocabulary = 0;
    bad[4].words = bad[5].words = bad[6].words = bad[7].words = &words;
    bad[5].word_count = 2; /* the second one is empty */
    bad[6].word_count = 1;
    bad[6].weights = weights;
    bad[7].word_count = 1;
    bad[7].weights = negative + 1;
    bad[8].reserved = 1;
    for (int i = 0; i < 9; i++) {
        made m = {0};
        assert_int_equal(make_with(1, &bad[i], &m), AKIN_E_OPTION);
        assert_int_equal(m.calls, 0);
        free(m.text);
    }
}

static void elementary_functions(void **state)
{
    (void)state;
    for (int i = -2000; i < 2000; i++)
        assert_true(fabs(akin_exponential(i * 0.3) / exp(i * 0.3) - 1) < 1e-12);
    for (uint64_t k = 1; k < 1000000000000; k = k * 3 / 2 + 1)
        assert_true(fabs(akin_logarithm(k) - log((double)k)) < 1e-13 * (1 + log((double)k)));
    assert_true(akin_exponential(0) == 1 && akin_exponential(-1e9) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads),      cmocka_unit_test(the_sink_stops_it),
        cmocka_unit_test(lengths_are_lognormal),      cmocka_unit_test(frequencies_are_those_given),
        cmocka_unit_test(made_up_words_are_distinct), cmocka_unit_test(text_is_cut_behind_a_word),
        cmocka_unit_test(options_out_of_range),       cmocka_unit_test(elementary_functions),
    };
    return RUN_TESTS(tests, 2, NULL, NULL);
}
