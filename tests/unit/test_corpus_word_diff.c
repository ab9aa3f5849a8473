/* What two texts differ in: the runs are the texts, no fewer words could differ where few do, and long texts end in
 * time. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "corpus/word_diff.h"

#define WORDS 60
#define LONG  (1 << 20)

static akin_word_diff diff;

static void compare(const char *a, uint64_t a_length, const char *b, uint64_t b_length)
{
    assert_int_equal(akin_word_diff_make(NULL, a, a_length, b, b_length, &diff), AKIN_OK);
}

/* The runs of two texts, as text: [-of a-], {+of b+}. */
static const char *shown(const char *a, const char *b)
{
    static char out[4096];
    size_t at = 0;
    compare(a, strlen(a), b, strlen(b));
    out[0] = '\0';
    for (uint64_t i = 0; i < diff.count; i++) {
        static const char *const forms[] = {"%.*s", "[-%.*s-]", "{+%.*s+}"};
        const akin_word_run *run = &diff.runs[i];
        const char *text = run->kind == AKIN_RUN_OF_B ? b : a;
        at += (size_t)snprintf(out + at, sizeof out - at, forms[run->kind], (int)run->length, text + run->begin);
    }
    return out;
}

static void small(void **state)
{
    (void)state;
    assert_string_equal(shown("", ""), "");
    assert_string_equal(shown("a b", "a b"), "");
    assert_string_equal(shown("a b", " a\t\n b"), "{+ +}a b");
    assert_string_equal(shown("", "a"), "{+a+}");
    assert_string_equal(shown("a", ""), "[-a-]");
    assert_string_equal(shown("says the town.", "says  the old town!"), "says the {+old +}town[-.-]{+!+}");
    assert_string_equal(shown("x1 caf\xc3\xa9, x", "x1 cafe, x"), "x1 [-caf\xc3\xa9-]{+cafe+}, x");
    assert_string_equal(shown("\xe6\x97\xa5\xe6\x9c\xac", "\xe6\x97\xa5\xe4\xba\xba"),
                        "\xe6\x97\xa5[-\xe6\x9c\xac-]{+\xe4\xba\xba+}"); /* ideographs stand alone */
    assert_string_equal(shown("\xff", "\xfe"), "[-\xff-]{+\xfe+}");      /* not UTF-8 */
    assert_false(diff.is_late || diff.is_cut);
    akin_word_diff_clear(&diff);
}

/* The fewest words that differ, by the table of longest common subsequences. */
static uint32_t fewest(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m)
{
    static uint32_t table[WORDS + 1][WORDS + 1];
    for (uint32_t i = 0; i <= n; i++)
        for (uint32_t k = 0; k <= m; k++) {
            const uint32_t above = i ? table[i - 1][k] : 0, left = k ? table[i][k - 1] : 0;
            table[i][k] = i && k && a[i - 1] == b[k - 1] ? table[i - 1][k - 1] + 1 : above > left ? above : left;
        }
    return n + m - 2 * table[n][m];
}

/* Words of one letter, with nothing between. */
static void random_texts(void **state)
{
    uint32_t words[2][WORDS], sizes[2];
    char texts[2][WORDS + 1], rebuilt[2][WORDS + 1];
    akin_random random;
    (void)state;
    akin_random_seed(&random, 1);
    for (int turn = 0; turn < 3000; turn++) {
        uint32_t lengths[2] = {0, 0}, differing = 0;
        for (int side = 0; side < 2; side++) {
            sizes[side] = (uint32_t)akin_random_below(&random, WORDS + 1);
            for (uint32_t i = 0; i < sizes[side]; i++) {
                words[side][i] = side && i < sizes[0] && akin_random_below(&random, 4)
                                     ? words[0][i]
                                     : (uint32_t)akin_random_below(&random, 5);
                texts[side][i] = "+-*/="[words[side][i]];
            }
        }
        compare(texts[0], sizes[0], texts[1], sizes[1]);
        for (uint64_t i = 0; i < diff.count; i++) {
            const akin_word_run *run = &diff.runs[i];
            assert_true(run->length > 0 && (i == 0 || run->kind != run[-1].kind));
            for (int side = 0; side < 2; side++) {
                if (run->kind == (side ? AKIN_RUN_OF_A : AKIN_RUN_OF_B))
                    continue;
                const char *from = texts[run->kind == AKIN_RUN_OF_B] + run->begin;
                memcpy(rebuilt[side] + lengths[side], from, run->length);
                lengths[side] += (uint32_t)run->length;
            }
            differing += run->kind == AKIN_RUN_COMMON ? 0 : (uint32_t)run->length;
        }
        assert_int_equal(differing, fewest(words[0], sizes[0], words[1], sizes[1]));
        if (diff.count == 0)
            assert_true(sizes[0] == sizes[1] && memcmp(texts[0], texts[1], sizes[0]) == 0);
        for (int side = 0; side < 2 && diff.count > 0; side++)
            assert_true(lengths[side] == sizes[side] && memcmp(rebuilt[side], texts[side], sizes[side]) == 0);
    }
    akin_word_diff_clear(&diff);
}

/* Long texts are compared from their first difference on, and not to their ends. */
static void long_texts(void **state)
{
    char *a = malloc(LONG), *b = malloc(LONG);
    akin_random random;
    (void)state;
    assert_true(a && b);
    akin_random_seed(&random, 2);
    for (uint32_t i = 0; i + 1 < LONG; i += 2) {
        memcpy(a + i, "\xc3\xa4", 2);
        memcpy(b + i, "\xc3\xa4", 2);
    }
    b[LONG / 2] = '-';
    b[LONG / 2 + 1] = ' ';
    compare(a, LONG, b, LONG);
    assert_true(diff.is_late && diff.is_cut && diff.count > 0);
    for (uint64_t i = 0; i < diff.count; i++) { /* characters stay whole */
        const akin_word_run *run = &diff.runs[i];
        const char *text = run->kind == AKIN_RUN_OF_B ? b : a;
        assert_true((text[run->begin] & 0xc0) != 0x80 && run->begin > LONG / 2 - 200);
    }
    for (uint32_t i = 0; i < LONG; i++) { /* nothing is alike but by chance */
        a[i] = (char)('!' + akin_random_below(&random, 15));
        b[i] = (char)('!' + akin_random_below(&random, 15));
    }
    compare(a, LONG, b, LONG);
    assert_true(diff.is_cut && diff.count > 100);
    compare(a, LONG, a, LONG);
    assert_int_equal(diff.count, 0);
    free(a);
    free(b);
    akin_word_diff_clear(&diff);
}

/* Texts of 20,000 words, longer than what is compared. Words that both have are not marked where that ends. */
static void cut_texts(void **state)
{
    static char a[LONG], without[LONG], with[LONG];
    size_t at = 0;
    (void)state;
    for (int i = 0; i < 20000; i++)
        at += (size_t)snprintf(a + at, sizeof a - at, "w%05d ", i);
    memcpy(without, a + 7, at - 7);
    memcpy(with, "new1 new2 ", 10);
    memcpy(with + 10, a, at);
    compare(a, at, without, at - 7);
    assert_true(diff.is_cut && diff.count == 2 && diff.runs[0].kind == AKIN_RUN_OF_A && diff.runs[0].length == 7);
    compare(a, at, with, at + 10);
    assert_true(diff.is_cut && diff.count == 2 && diff.runs[0].kind == AKIN_RUN_OF_B && diff.runs[0].length == 10);
    compare(a, at, a + 70, 700); /* the second text ends: the first one alone has all the rest */
    assert_true(diff.is_cut && diff.count == 3 && diff.runs[2].kind == AKIN_RUN_OF_A);
    akin_word_diff_clear(&diff);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(small), cmocka_unit_test(random_texts),
                                       cmocka_unit_test(long_texts), cmocka_unit_test(cut_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
