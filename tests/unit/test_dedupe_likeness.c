/* How alike texts are, against sets of strings that are compared one by one. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/random.h"
#include "dedupe/likeness.h"

#define TEXTS   40
#define ROOM    64
#define TOKENS  ROOM
#define LETTERS 12

static char texts[TEXTS][ROOM], bytes[TEXTS * ROOM];
static uint64_t offsets[TEXTS + 1];

/* ----------------------------------------------------------------------------------------------------------- oracle */

typedef struct tokens {
    char of[TOKENS][LETTERS];
    int count;
} tokens;

static int has(const tokens *t, const char *token)
{
    for (int i = 0; i < t->count; i++)
        if (strcmp(t->of[i], token) == 0)
            return 1;
    return 0;
}

static void add(tokens *t, const char *text, size_t length)
{
    char token[LETTERS] = "";
    memcpy(token, text, length);
    if (!has(t, token))
        snprintf(t->of[t->count++], LETTERS, "%s", token);
}

static tokens words_of(const char *text)
{
    tokens t = {.count = 0};
    for (; *text; text += strspn(text, " ")) {
        add(&t, text, strcspn(text, " "));
        text += strcspn(text, " ");
    }
    return t;
}

static tokens runs_of(const char *text)
{
    tokens t = {.count = 0};
    const size_t length = strlen(text);
    for (size_t i = 0; i + 3 <= length; i++)
        add(&t, text + i, 3);
    if (length < 3)
        add(&t, text, length);
    return t;
}

static double weigh(const char *token, tokens (*cut)(const char *text))
{
    int having = 0;
    for (int i = 0; i < TEXTS; i++) {
        const tokens t = cut(texts[i]);
        having += has(&t, token);
    }
    return (double)llround(1024 * log(1 + (double)TEXTS / having));
}

static double cosine(const char *x, const char *y, tokens (*cut)(const char *text))
{
    const tokens a = cut(x), b = cut(y);
    double common = 0, of[2] = {0, 0};
    for (int i = 0; i < a.count; i++) {
        const double square = pow(weigh(a.of[i], cut), 2);
        of[0] += square;
        common += has(&b, a.of[i]) ? square : 0;
    }
    for (int i = 0; i < b.count; i++)
        of[1] += pow(weigh(b.of[i], cut), 2);
    return common / sqrt(of[0] * of[1]);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The edits from one word to another, by the whole matrix. */
static int edits(const char *x, const char *y)
{
    int d[LETTERS + 1][LETTERS + 1];
    const int m = (int)strlen(x), n = (int)strlen(y);
    for (int i = 0; i <= m; i++)
        for (int j = 0; j <= n; j++) {
            d[i][j] = i == 0 ? j : j == 0 ? i : d[i - 1][j - 1] + (x[i - 1] != y[j - 1]);
            if (i > 0 && j > 0)
                d[i][j] = least(d[i][j], 1 + least(d[i - 1][j], d[i][j - 1]));
            if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[m][n];
}

static int is_number(const char *word)
{
    return strpbrk(word, "0123456789") != NULL;
}

/* The share of a word that the other text has, too. */
static double credit(const char *word, const tokens *own, const tokens *other)
{
    double best = 0;
    if (has(other, word))
        return 1;
    for (int i = 0; i < other->count && !is_number(word); i++) {
        const char *partner = other->of[i];
        const size_t longest = strlen(word) > strlen(partner) ? strlen(word) : strlen(partner);
        const double alike = 1 - edits(word, partner) / (double)longest;
        if (!has(own, partner) && !is_number(partner) && alike >= 0.6 && alike > best)
            best = alike;
    }
    return best;
}

static double words_in_common(const char *x, const char *y)
{
    const tokens t[2] = {words_of(x), words_of(y)};
    double credited = 0, all = 0;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < t[side].count; i++) {
            const double weight = weigh(t[side].of[i], words_of);
            credited += weight * credit(t[side].of[i], &t[side], &t[1 - side]);
            all += weight;
        }
    return credited / all;
}

static int differ_in_numbers(const char *x, const char *y)
{
    const tokens t[2] = {words_of(x), words_of(y)};
    int found[2] = {0, 0};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < t[side].count; i++)
            found[side] |= is_number(t[side].of[i]) && !has(&t[1 - side], t[side].of[i]);
    return found[0] && found[1];
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static void draw_texts(uint64_t seed)
{
    static const char *const words[] = {"red",  "river", "rivers", "north", "nroth", "league", "cup",  "final",
                                        "2007", "2008",  "a1",     "the",   "of",    "stone",  "stole"};
    akin_random random;
    akin_random_seed(&random, seed);
    offsets[0] = 0;
    for (int i = 0; i < TEXTS; i++) {
        texts[i][0] = 0;
        for (uint64_t n = 1 + akin_random_below(&random, 5); n > 0; n--) {
            const size_t length = strlen(texts[i]);
            snprintf(texts[i] + length, ROOM - length, "%s%s",
                     words[akin_random_below(&random, sizeof words / sizeof *words)], n > 1 ? " " : "");
        }
        offsets[i + 1] = offsets[i] + strlen(texts[i]);
        memcpy(bytes + offsets[i], texts[i], strlen(texts[i]));
    }
}

/* Half of the texts are those of a left table. */
static void with_texts(void (*check)(akin_likeness_texts *t, akin_likeness_reader *reader))
{
    akin_context context = {.scope = {.context = &context, .threads = 2}};
    akin_account account = {0};
    akin_column columns[2] = {{.size = sizeof *columns, .offsets = offsets, .bytes = bytes},
                              {.size = sizeof *columns, .offsets = offsets + TEXTS / 2, .bytes = bytes}};
    const akin_records records = {{&columns[0], &columns[1]}, 2, {TEXTS / 2, TEXTS / 2}, TEXTS, NULL};
    akin_values values;
    akin_likeness_texts made;
    akin_likeness_reader *reader = malloc(sizeof *reader);
    akin_error error;
    assert_non_null(reader);
    assert_int_equal(akin_values_make(&context.scope, &account, &records, 0, &values, &error), AKIN_OK);
    assert_int_equal(akin_likeness_texts_make(&context.scope, &account, &values, &made, &error), AKIN_OK);
    akin_likeness_reader_begin(&made, AKIN_CPU_SCALAR, &account, reader);
    check(&made, reader);
    akin_likeness_reader_clear(reader);
    akin_likeness_texts_clear(&made);
    akin_values_clear(&values);
    assert_true(account.held == 0);
    free(reader);
}

static void check_all(akin_likeness_texts *t, akin_likeness_reader *reader)
{
    for (int i = 0; i < TEXTS; i++)
        for (int j = 0; j < TEXTS; j++) {
            akin_likeness found;
            const double words = words_in_common(texts[i], texts[j]), runs = cosine(texts[i], texts[j], runs_of);
            const int numbers = differ_in_numbers(texts[i], texts[j]);
            assert_int_equal(akin_likeness_compare(reader, t->values->of[i], t->values->of[j], 0, &found), AKIN_OK);
            assert_true(fabs(found.words - words) < 1e-9 && fabs(found.cosine - runs) < 1e-9);
            assert_true(found.numbers == numbers && found.contrary == 0);
            assert_true(fabs(found.similarity -
                             ((runs + cosine(texts[i], texts[j], words_of) + words) / 3 - 0.2 * numbers)) < 1e-9);
        }
}

static void any_texts(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        draw_texts(seed);
        with_texts(check_all);
    }
}

static void set_texts(const char *const *given, int count)
{
    offsets[0] = 0;
    for (int i = 0; i < TEXTS; i++) {
        snprintf(texts[i], ROOM, "%s", i < count ? given[i] : "filler");
        offsets[i + 1] = offsets[i] + strlen(texts[i]);
        memcpy(bytes + offsets[i], texts[i], strlen(texts[i]));
    }
}

static double contrary_of(akin_likeness_texts *t, akin_likeness_reader *reader, int i, int j, int own)
{
    akin_likeness found;
    assert_int_equal(akin_likeness_compare(reader, t->values->of[i], t->values->of[j], own, &found), AKIN_OK);
    return found.contrary;
}

static void check_contrary(akin_likeness_texts *t, akin_likeness_reader *reader)
{
    uint64_t differences[2];
    const uint32_t *of = t->values->of;
    differences[0] = akin_likeness_difference(t, of[0], of[1]);
    differences[1] = akin_likeness_difference(t, of[2], of[3]);
    assert_true(differences[0] > 0 && differences[0] == differences[1]);
    assert_true(akin_likeness_difference(t, of[1], of[0]) == differences[0]);
    assert_true(akin_likeness_difference(t, of[0], of[0]) == 0); /* they do not differ, */
    assert_true(akin_likeness_difference(t, of[0], of[3]) == 0); /* or by more words than one, */
    assert_true(akin_likeness_difference(t, of[5], of[6]) == 0); /* or have nothing in common */
    t->contrary = malloc(sizeof differences);
    assert_non_null(t->contrary);
    memcpy(t->contrary, differences, sizeof differences);
    t->contrary_count = 1;
    assert_true(contrary_of(t, reader, 4, 1, 0) == 0.5);
    assert_true(contrary_of(t, reader, 0, 1, 0) == 0.5 && contrary_of(t, reader, 0, 1, 1) == 0);
    t->contrary_count = 2;
    assert_true(contrary_of(t, reader, 4, 1, 0) == 1 && contrary_of(t, reader, 1, 4, 0) == 1);
    assert_true(contrary_of(t, reader, 0, 1, 1) == 0.5 && contrary_of(t, reader, 0, 2, 0) == 0);
    free(t->contrary);
    t->contrary = NULL;
}

/* What tells reference texts apart tells others apart, and its own pair does not count. */
static void contrary_words(void **state)
{
    static const char *const given[] = {"north cup",     "south cup", "north sea", "south sea",
                                        "old north cup", "north",     "south"};
    (void)state;
    set_texts(given, 7);
    with_texts(check_contrary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_texts), cmocka_unit_test(contrary_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
