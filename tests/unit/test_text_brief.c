/* The warning about texts that are too short for their tokens. */
#include "akin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static char said[1200];
static int times;

static void keep(void *user, const char *text)
{
    assert_ptr_equal(user, said);
    assert_true(strlen(text) < sizeof said);
    memcpy(said, text, strlen(text) + 1);
    times++;
}

/* The warning for `texts` texts, `brief` of them without enough; "": none. */
static const char *warned(akin_tokens tokens, uint32_t q, uint64_t texts, uint64_t brief, const char *where)
{
    akin_text_counts counts = {texts, brief};
    akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
    options.tokens = tokens;
    options.q = q;
    options.counts = &counts;
    said[0] = '\0';
    times = 0;
    akin_text_warn(&options, where, keep, said);
    assert_int_equal(times, said[0] != '\0');
    return said;
}

static void test_share(void **state)
{
    static const struct {
        akin_text_counts counts;
        int are_brief;
    } cases[] = {
        {{0, 0}, 0}, {{1, 0}, 0}, {{1, 1}, 1},        {{2, 1}, 1},
        {{3, 1}, 0}, {{3, 2}, 1}, {{10000, 4999}, 0}, {{10000, 5000}, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(akin_text_counts_are_brief(&cases[i].counts), cases[i].are_brief);
}

static void test_sentences(void **state)
{
    char where[2000];
    (void)state;
    assert_string_equal(warned(AKIN_TOKENS_SHINGLES, 5, 10000, 7412, "a.csv"),
                        "a.csv: 7,412 of 10,000 texts have fewer than 5 words, so each is a single token, which only "
                        "texts of the same words have: use words, or q-grams such as qgrams:3");
    assert_string_equal(warned(AKIN_TOKENS_QGRAMS, 3, 2, 1, NULL),
                        "1 of 2 texts has fewer than 3 characters, so each is a single token, which only texts of the "
                        "same characters have: use shorter q-grams");
    assert_string_equal(warned(AKIN_TOKENS_SHINGLES, 5, 10000, 4999, NULL), "");
    assert_string_equal(warned(AKIN_TOKENS_WORDS, 5, 10, 10, NULL), ""); /* they are no runs */
    assert_string_equal(warned((akin_tokens)77, 5, 10, 10, NULL), "");
    memset(where, 'x', sizeof where - 1);
    where[sizeof where - 1] = '\0';
    assert_int_equal(strspn(warned(AKIN_TOKENS_QGRAMS, 3, 1, 1, where), "x"), 600);
    assert_non_null(strstr(said, ": use shorter q-grams"));
    akin_text_warn(&(akin_text_options)AKIN_TEXT_OPTIONS_INIT, NULL, keep, said); /* nothing was counted */
    assert_int_equal(times, 1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_share),
        cmocka_unit_test(test_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
