/* Where words stand in a text: against all ranges of it, with marks, ligatures, Hangul and others; runs whose bytes are
 * written out; a long text; and too little memory. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/cpu.h"
#include "base/memory.h"
#include "base/random.h"
#include "corpus/words.h"

#define TEXT_MOST 400

/* The words of a text, each with a blank behind it. Returns how many they are. */
static uint32_t words_of(akin_tokenizer *tokenizer, const char *text, uint64_t length, char *out)
{
    akin_spans spans;
    uint32_t count = 0;
    assert_int_equal(akin_tokenizer_take(tokenizer, text, length, length), AKIN_OK);
    while (akin_tokenizer_next(tokenizer, &spans))
        for (uint32_t i = 0; i < spans.count; i++, count++) {
            const uint32_t *bounds = spans.bounds + (uint64_t)i * spans.step;
            memcpy(out, spans.text + bounds[0], bounds[spans.gap] - bounds[0]);
            out += bounds[spans.gap] - bounds[0];
            *out++ = ' ';
        }
    *out = 0;
    return count;
}

/* Cuts words out of a list of them. */
static void cut_words(const char *words, uint32_t first, uint32_t count, char *out)
{
    for (; first > 0; first--)
        words = strchr(words, ' ') + 1;
    const char *end = words;
    for (; count > 0; count--)
        end = strchr(end, ' ') + 1;
    memcpy(out, words, (size_t)(end - words));
    out[end - words] = 0;
}

static int is_border(const char *text, uint64_t length, uint64_t at)
{
    return at == length || ((unsigned char)text[at] & 0xc0) != 0x80;
}

/* Checks the range of a run. Returns whether the range has these words alone: then no range within it has them. */
static int assert_range(akin_tokenizer *tokenizer, const char *text, uint64_t length, const char *run, uint64_t begin,
                        uint64_t end)
{
    static char own[32 * TEXT_MOST];
    assert_true(begin < end && end <= length && is_border(text, length, begin) && is_border(text, length, end));
    words_of(tokenizer, text + begin, end - begin, own);
    const int is_alone = strcmp(own, run) == 0;
    if (!strstr(own, run))
        fail_msg("%.*s: bytes %u to %u have %s, not %s", (int)length, text, (unsigned)begin, (unsigned)end, own, run);
    for (uint64_t b = begin; b < end; b++)
        for (uint64_t e = b; e <= end; e++) {
            if (!is_border(text, length, b) || !is_border(text, length, e) || (b == begin && e == end))
                continue;
            words_of(tokenizer, text + b, e - b, own);
            if (strcmp(own, run) == 0)
                fail_msg("%.*s: %s is in bytes %u to %u, not only in %u to %u", (int)length, text, run, (unsigned)b,
                         (unsigned)e, (unsigned)begin, (unsigned)end);
        }
    return is_alone;
}

static void places(void **state)
{
    static const char *const parts[] = {
        "a",
        "B",
        "7",
        " ",
        ", ",
        "=",
        "\n",
        "(",
        "e",
        "xyz ",
        "\xc3\xa9",     /* e with acute */
        "e\xcc\x81",    /* the same in two code points */
        "\xcc\x81",     /* acute alone: it joins what is before it */
        "\xcc\xa3",     /* dot below, which comes before an acute */
        "\xcc\xb8",     /* with "=" it is one symbol */
        "\xef\xac\x81", /* fi as a ligature */
        "\xc3\x9f",     /* sharp s, two letters when folded */
        "\xc2\xbd",     /* one half: 1, fraction slash, 2 */
        "\xe4\xb8\xad",
        "\xe6\x96\x87",
        "\xe3\x80\x82", /* Chinese, and a full stop */
        "\xe1\x84\x80",
        "\xe1\x85\xa1",
        "\xe1\x86\xa8",
        "\xea\xb0\x80", /* parts of Hangul, and a syllable */
        "\xc2\xad",     /* soft hyphen */
        "\xef\xb7\xba", /* an Arabic ligature of four words */
        "\xc4\xb0",     /* I with dot */
        "\xe2\x80\xa6"  /* ellipsis */
    };
    static char words[32 * TEXT_MOST], run[32 * TEXT_MOST], text[TEXT_MOST];
    akin_tokenizer *tokenizer = akin_alloc(NULL, 1, sizeof *tokenizer);
    akin_word_locator *locator = akin_alloc(NULL, 1, sizeof *locator);
    uint32_t alone = 0, all = 0;
    akin_random random;
    (void)state;
    assert_true(tokenizer && locator);
    akin_random_seed(&random, 5);
    akin_words_begin(tokenizer, akin_cpu_detect(), NULL);
    akin_word_locator_begin(locator, akin_cpu_detect(), NULL);
    for (uint32_t round = 0; round < 3000; round++) {
        const uint32_t below = round % 3 ? sizeof parts / sizeof *parts : 10;
        uint64_t length = 0, begin, end;
        for (uint64_t left = akin_random_below(&random, 14); left > 0; left--)
            length +=
                (uint64_t)snprintf(text + length, sizeof text - length, "%s", parts[akin_random_below(&random, below)]);
        const uint32_t count = words_of(tokenizer, text, length, words);
        for (uint32_t first = 0; first < count; first++)
            for (uint32_t few = 1; first + few <= count; few++, all++) {
                cut_words(words, first, few, run);
                assert_int_equal(akin_words_locate(locator, text, length, first, few, &begin, &end), AKIN_OK);
                alone += (uint32_t)assert_range(tokenizer, text, length, run, begin, end);
            }
        assert_int_equal(akin_words_locate(locator, text, length, 0, count + 1, &begin, &end), AKIN_E_OPTION);
        assert_int_equal(akin_words_locate(locator, text, length, 0, 0, &begin, &end), AKIN_E_OPTION);
    }
    assert_true(alone > all / 2 && all > 10000);
    akin_tokenizer_clear(tokenizer);
    akin_word_locator_clear(locator);
    akin_free(tokenizer);
    akin_free(locator);
}

/* Some runs, with their bytes written out. */
static void known_places(void **state)
{
    static const struct {
        const char *text, *range;
        uint32_t first, count;
    } cases[] = {{"(The) quick, brown fox!", "The) quick, brown", 0, 3},
                 {"un cafe\xcc\x81, non", "cafe\xcc\x81", 1, 1},
                 {"un caf\xc3\xa9\xc3\xa9t non", "caf\xc3\xa9\xc3\xa9t non", 1, 2},
                 {"4\xc2\xbd kg", "4\xc2\xbd kg", 0, 3},
                 {"4\xc2\xbd kg", "\xc2\xbd kg", 1, 2},
                 {"\xe4\xb8\xad\xe6\x96\x87\xe3\x80\x82\xe6\x96\x87", "\xe6\x96\x87", 1, 1}};
    akin_word_locator *locator = akin_alloc(NULL, 1, sizeof *locator);
    (void)state;
    assert_non_null(locator);
    akin_word_locator_begin(locator, akin_cpu_detect(), NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t begin = 0, end = 0;
        assert_int_equal(akin_words_locate(locator, cases[i].text, strlen(cases[i].text), cases[i].first,
                                           cases[i].count, &begin, &end),
                         AKIN_OK);
        assert_int_equal(end - begin, strlen(cases[i].range));
        assert_memory_equal(cases[i].text + begin, cases[i].range, end - begin);
    }
    akin_word_locator_clear(locator);
    akin_free(locator);
}

/* A text of one piece, as it has no blank of ASCII, and marks behind every letter. */
static void long_text(void **state)
{
    enum { LETTERS = 20000, UNIT = 9 };
    static char text[LETTERS * UNIT + 1];
    akin_word_locator *locator = akin_alloc(NULL, 1, sizeof *locator);
    (void)state;
    assert_non_null(locator);
    akin_word_locator_begin(locator, akin_cpu_detect(), NULL);
    for (size_t i = 0; i < LETTERS; i++)
        memcpy(text + i * UNIT, "q\xcc\xa3\xcc\xb8w\xe3\x80\x82", UNIT);
    for (uint32_t first = 0; first < LETTERS; first += 1999) {
        uint64_t begin = 0, end = 0;
        assert_int_equal(akin_words_locate(locator, text, sizeof text - 1, first, 1, &begin, &end), AKIN_OK);
        assert_int_equal(begin, (uint64_t)first * UNIT);
        assert_int_equal(end, begin + UNIT - 3);
    }
    akin_word_locator_clear(locator);
    akin_free(locator);
}

static void short_of_memory(void **state)
{
    static const char text[] = "un caf\xc3\xa9 de\xcc\x81j\xc3\xa0";
    akin_status status = AKIN_E_NOMEM;
    (void)state;
    for (uint64_t limit = 64; status != AKIN_OK; limit += 64) {
        akin_account account = {.limit = limit};
        akin_word_locator *locator = akin_alloc(NULL, 1, sizeof *locator);
        uint64_t begin, end;
        assert_non_null(locator);
        akin_word_locator_begin(locator, akin_cpu_detect(), &account);
        status = akin_words_locate(locator, text, sizeof text - 1, 1, 2, &begin, &end);
        assert_true(status == AKIN_OK || status == AKIN_E_NOMEM);
        akin_word_locator_clear(locator);
        assert_int_equal(account.held, 0);
        akin_free(locator);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(places), cmocka_unit_test(known_places),
                                       cmocka_unit_test(long_text), cmocka_unit_test(short_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
