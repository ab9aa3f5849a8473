/* Strings compared by the library's own functions: values that are published, and the same as by the book. */
#include "unit/test_strings_support.h"
#include "unit/test_sanitizers.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>

#include "akin.h"
#include "strings/date.h"
#include "strings/number.h"

static akin_context *context;

static int start(void **state)
{
    (void)state;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    options.threads = 1;
    return akin_context_create(&options, &context, NULL);
}

static int stop(void **state)
{
    (void)state;
    akin_context_free(context);
    return 0;
}

static akin_compare_options options_of(const char *name)
{
    akin_compare_options options = {.size = sizeof options};
    assert_int_equal(akin_compare_options_parse(name, &options, NULL), AKIN_OK);
    return options;
}

static akin_compared compared_by(const akin_compare_options *options, const char *a, const char *b)
{
    akin_compared compared = {-1, -1};
    assert_int_equal(akin_compare(context, options, a, strlen(a), b, strlen(b), &compared, NULL), AKIN_OK);
    return compared;
}

static akin_compared compared(const char *name, const char *a, const char *b)
{
    akin_compare_options options = options_of(name);
    return compared_by(&options, a, b);
}

static int is_near(double value, double expected)
{
    return fabs(value - expected) < 5e-5;
}

/* ------------------------------------------------------------------------------------------------------- one pair */

static void published(void **state)
{
    (void)state;
    static const struct {
        const char *name, *a, *b;
        double similarity, distance; /* distance -1: 1 - similarity */
    } cases[] = {
        {"jaro-winkler", "MARTHA", "MARHTA", 0.9611, -1},
        {"jaro-winkler", "DIXON", "DICKSONX", 0.8133, -1},
        {"jaro-winkler", "DWAYNE", "DUANE", 0.84, -1},
        {"jaro-winkler", "JELLYFISH", "SMELLYFISH", 0.8963, -1},
        {"jaro", "MARTHA", "MARHTA", 0.9444, -1},
        {"jaro", "DIXON", "DICKSONX", 0.7667, -1},
        {"jaro", "", "", 1, 0},
        {"jaro", "", "a", 0, 1},
        {"levenshtein", "kitten", "sitting", 1 - 3.0 / 7, 3},
        {"levenshtein", "ab", "ba", 0, 2},
        {"levenshtein", "", "", 1, 0},
        {"levenshtein", "", "abc", 0, 3},
        {"osa", "ab", "ba", 0.5, 1},
        {"osa", "M\xc3\xbcller", "Mueller", 1 - 2.0 / 7, 2},
        {"soundex", "Robert", "Rupert", 1, 0},
        {"soundex", "Robert", "Rubin", 0, 1},
        {"soundex", "", "", 0, 1},
        {"soundex", "123", "123", 0, 1},
        {"exact", "a", "a", 1, 0},
        {"exact", "a", "A", 0, 1},
        {"exact", "", "", 1, 0},
        {"number", "10", " 8.0 ", 0.8, 2},
        {"number", "-1e1", "+10", 0, 20},
        {"number", "0", "-0", 1, 0},
        {"number/4", "10", "8", 0.5, 2},
        {"number/0.5", "1", "2", 0, 1},
        {"number/100", "1e308", "-1e308", 0, INFINITY},
        {"percent", "10", "9", 0.5, 1},
        {"percent/20", "-9", " -10", 0.5, 1},
        {"percent/20", "100", "80", 0, 20}, /* by so many percent of the larger one, whichever that is */
        {"percent/50", "100", "80", 0.6, 20},
        {"percent/25", "80", "100", 0.2, 20},
        {"percent/0.5", "1000", "1001", 1 - 200.0 / 1001, 1},
        {"percent/100", "3", "0", 0, 3},
        {"percent/100", "3", "-3", 0, 6}, /* of different signs */
        {"percent", "0", "-0", 1, 0},
        {"percent", "1e308", "-1e308", 0, INFINITY},
        {"date", "2020-01-01", "2020/12/31", 0, 365},
        {"date/10", "20200101", "2020-01-06T12:30:00Z", 0.5, 5},
        {"date/0.5", "2020-01-01", "2020-01-01 23:59", 1, 0},
        {"after/10", "20200101", "2020-01-01", 1, 0},
        {"after/10", "2020-01-01", "2020-01-11", 0, 10},
        {"jaccard", "the quick fox", "The QUICK dog", 0.5, -1},
        {"dice", "the quick fox", "the quick dog", 2.0 / 3, -1},
        {"cosine", "a b c d", "a", 0.5, -1},
        {"jaccard", "", " .", 1, 0},
        {"jaccard", "", "a", 0, 1},
        {"jaccard/2", "night", "nacht", 1.0 / 7, -1},
        {"jaccard/2", "Night", "night", 3.0 / 5, -1},
        {"jaccard/3", "ab", "ab", 1, 0},
        {"initials", "J. R. Smith", "John Ronald Smith", (4 * 0.9 + 2) / 6, -1},
        {"initials", "JR Smith", "John Ronald Smith", (3 * 0.9 + 2) / 5, -1},
        {"initials", "JR Smith", "J.R. SMITH", (3 * 0.9 + 2) / 5, -1},
        {"initials", "Smith, J.", "John Smith", 2.0 / 4, -1}, /* in their order */
        {"initials", "John Smith", "Smith", 2.0 / 3, -1},
        {"initials", "Jon Smith", "John Smith", 2.0 / 4, -1}, /* words are equal or not */
        {"initials", "JRR Tolkien", "John Ronald Reuel Tolkien", (4 * 0.9 + 2) / 6, -1},
        {"initials", "ABCD Ltd", "Alpha Beta Gamma Delta Ltd", 2.0 / 7, -1}, /* too long for initials */
        {"initials", "\xc3\x89. Zola", "\xc3\xa9mile zola", (2 * 0.9 + 2) / 4, -1},
        {"initials", "E. Zola", "\xc3\xa9mile zola", 2.0 / 4, -1}, /* an accent makes another letter */
        {"initials", "", " .", 1, 0},
        {"initials", "", "a", 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int swapped = 0; swapped < 2; swapped++) {
            const char *a = swapped ? cases[i].b : cases[i].a, *b = swapped ? cases[i].a : cases[i].b;
            akin_compared c = compared(cases[i].name, a, b);
            assert_true(is_near(c.similarity, cases[i].similarity));
            double distance = cases[i].distance;
            assert_true(c.distance == (distance < 0 ? 1 - c.similarity : distance));
        }
}

/* The right date is the later one. */
static void directions(void **state)
{
    static const struct {
        const char *a, *b;
        double similarity, distance;
    } cases[] = {{"2020-01-01", "2020-01-04", 0.75, 3},
                 {"2020-01-04", "2020-01-01", 0, 3},
                 {"2020-01-01", "2020-01-12T10:00", 1 - 11.0 / 12, 11},
                 {"2020-01-01", "2020-01-13", 0, 12},
                 {"2020-01-02", "2020-01-01", 0, 1},
                 {"2020-02-28", "2020-02-29", 1 - 1.0 / 12, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        akin_compared c = compared("after/12", cases[i].a, cases[i].b);
        assert_true(c.similarity == cases[i].similarity && c.distance == cases[i].distance);
    }
    assert_true(compared("after", "2021-01-01", "2021-12-31").similarity == 1 - 364.0 / 365);
}

/* NULL stands for the defaults, which are Levenshtein's. */
static void defaults(void **state)
{
    (void)state;
    akin_compared c = compared_by(NULL, "kitten", "sitting");
    assert_true(c.distance == 3 && c.similarity == 1 - 3.0 / 7);
}

/* The prefix as others have it: above 0.7 alone, and half of what is out of order rounded down. */
static void other_conventions(void **state)
{
    (void)state;
    akin_compare_options options = options_of("jaro-winkler");
    assert_true(is_near(compared_by(&options, "abcd", "abxyzw").similarity, 0.6889));
    options.boost_threshold = (akin_ratio){7, 10};
    assert_true(is_near(compared_by(&options, "abcd", "abxyzw").similarity, 0.6111));
    options.boost_threshold = (akin_ratio){0, 1};
    options.prefix_scale = (akin_ratio){25, 100};
    assert_true(is_near(compared_by(&options, "abcd", "abxyzw").similarity, 0.6111 + 2 * 0.25 * (1 - 0.6111)));
    options = options_of("jaro");
    assert_true(is_near(compared_by(&options, "abcdefgh", "abdecfgh").similarity, (1 + 1 + 6.5 / 8) / 3));
    options.floored = 1;
    assert_true(is_near(compared_by(&options, "abcdefgh", "abdecfgh").similarity, (1 + 1 + 7.0 / 8) / 3));
}

static void nothing_to_compare(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"number", "12 abc"}, {"number", ""},     {"number", "0x10"},     {"number", "1e400"},
        {"number", "inf"},    {"number", "nan"},  {"date", "1900-02-29"}, {"date", ""},
        {"date", "20-01-01"}, {"date", "1. Mai"}, {"number", "1,5"},      {"date", "2020-01-01x"},
        {"percent", "5 %"},   {"percent", ""},    {"after", "soon"},      {"after", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int swapped = 0; swapped < 2; swapped++) {
            const char *good = strchr("np", *cases[i][0]) ? "1" : "2000-01-01", *bad = cases[i][1];
            akin_compared c = compared(cases[i][0], swapped ? bad : good, swapped ? good : bad);
            assert_true(isnan(c.similarity) && isnan(c.distance));
        }
}

/* --------------------------------------------------------------------------------------------------------- values */

static void numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good[] = {
        {"0", 0},
        {"-0", 0},
        {"+7", 7},
        {".5", 0.5},
        {"5.", 5},
        {" \t12.25 ", 12.25},
        {"1e3", 1000},
        {"1E+3", 1000},
        {"12.5e-1", 1.25},
        {"0.1", 0.1},
        {"1e-400", 0},
        {"0e999999999999999999999", 0},
        {"1e-999999999999999999999", 0},
        {"5e-324", 5e-324},
        {"1.7976931348623157e308", DBL_MAX},
        {"179769313486231570000000000000000000000e270", DBL_MAX},
        {"9007199254740993", 9007199254740992.0}, /* half-way: to the even one */
        {"9007199254740993.0000000000000000001", 9007199254740994.0},
        {"0.000000000000000000000000000001e30", 1},
    };
    static const char *const bad[] = {"",     " ",     ".",    "-",     "+-1",   "1e",      "1e+", "1 2", "12 abc",
                                      "0x10", "1e400", "1_0",  "1,000", "--1",   "1.2.3",   "e5",  ".e5", "infinity",
                                      "NaN",  "1f",    "1e5.", "\n1",   "1e309", "1.8e308", "- 1"};
    double value;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(akin_number_parse(good[i].text, (uint32_t)strlen(good[i].text), &value));
        assert_true(value == good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(akin_number_parse(bad[i], (uint32_t)strlen(bad[i]), &value));
    assert_true(akin_number_parse("-0", 2, &value) && signbit(value));
    assert_false(akin_number_parse("1\0", 2, &value));
    static const char *const points[][2] = {{"-1,5e-07", "-1.5e-07"},
                                            {"12\xd9\xab"
                                             "25",
                                             "12.25"},
                                            {"12", "12"},
                                            {"1e+20", "1e+20"},
                                            {"inf", "inf"}};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        char text[16];
        memcpy(text, points[i][0], strlen(points[i][0]) + 1);
        akin_number_point(text);
        assert_string_equal(text, points[i][1]);
    }
}

/* Whatever digits there are, and wherever the point is: as the C library has it. */
static void random_numbers(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 11);
    char text[1500];
    for (int round = 0; round < 20000; round++) {
        uint32_t most = round % 50 ? 25 : 1300, digits = 1 + (uint32_t)akin_random_below(&random, most);
        uint32_t point = (uint32_t)akin_random_below(&random, digits + 1), at = 0;
        for (uint32_t i = 0; i < digits; i++) {
            if (i == point)
                text[at++] = '.';
            text[at++] = (char)('0' + akin_random_below(&random, 10) * (akin_random_below(&random, 3) > 0));
        }
        at += (uint32_t)snprintf(text + at, sizeof text - at, "e%d", (int)akin_random_below(&random, 700) - 350);
        double expected = strtod(text, NULL), value = -1;
        assert_int_equal(akin_number_parse(text, at, &value), !isinf(expected));
        assert_true(isinf(expected) || value == expected);
    }
}

/* More digits than are kept matter only by not all being 0. */
static void many_digits(void **state)
{
    (void)state;
    static char text[3000];
    double value;
    memset(text, '0', sizeof text);
    memcpy(text, "9007199254740993.", 17);
    assert_true(akin_number_parse(text, sizeof text, &value) && value == 9007199254740992.0);
    text[sizeof text - 1] = '1';
    assert_true(akin_number_parse(text, sizeof text, &value) && value == 9007199254740994.0);
    memset(text, '0', sizeof text);
    memcpy(text + sizeof text - 8, "3e-00001", 8);
    assert_true(akin_number_parse(text, sizeof text, &value) && value == 0.3);
    memset(text, '0', sizeof text);
    text[0] = '1';
    memcpy(text + sizeof text - 6, "e-2994", 6);
    assert_true(akin_number_parse(text, sizeof text, &value) && value == 0.1);
}

/* A point is a point where the locale has a comma. */
static void locales(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    const char *set = NULL;
    double value;
    for (size_t i = 0; i < sizeof names / sizeof *names && !set; i++)
        set = setlocale(LC_ALL, names[i]);
    assert_true(akin_number_parse("1.5", 3, &value) && value == 1.5);
    assert_false(akin_number_parse("1,5", 3, &value));
    setlocale(LC_ALL, "C");
}

static void dates(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int32_t days;
    } good[] = {
        {"1970-01-01", 0},           {"1969-12-31", -1},      {"2000-02-29", 11016},
        {"2000/03/01", 11017},       {"19000228", -25509},    {"1900-03-01", -25508},
        {" 2024-02-29 ", 19782},     {"0001-01-01", -719162}, {"9999-12-31", 2932896},
        {"2000-02-29T10:00", 11016}, {"20000229 1", 11016},   {"2000-02-29 10:00:00.5 +01:00", 11016},
    };
    static const char *const bad[] = {"",
                                      "1900-02-29",
                                      "2023-02-29",
                                      "2100-02-29",
                                      "2000-02-30",
                                      "2000-13-01",
                                      "2000-00-01",
                                      "2000-01-00",
                                      "2000-04-31",
                                      "0000-01-01",
                                      "2000-1-1",
                                      "2000-01/01",
                                      "2000/01-01",
                                      "200001",
                                      "2000-01-01T",
                                      "2000-01-01 noon",
                                      "2000-01-011",
                                      "01.02.2000",
                                      "2000 01 01",
                                      "20000101T1\xc3\xa9",
                                      "-2000-01-01",
                                      "2000-01-01  1"};
    int32_t days;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(akin_date_parse(good[i].text, (uint32_t)strlen(good[i].text), &days));
        assert_int_equal(days, good[i].days);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(akin_date_parse(bad[i], (uint32_t)strlen(bad[i]), &days));
}

/* Every day of some centuries is the one after the day before. */
static void days_in_order(void **state)
{
    (void)state;
    int32_t before = 0, days = 0, count = 0;
    char text[32];
    for (int year = 1599; year <= 2101; year++)
        for (int month = 0; month <= 13; month++)
            for (int day = 0; day <= 32; day++) {
                int length = snprintf(text, sizeof text, "%04d%02d%02d", year, month, day);
                if (!akin_date_parse(text, (uint32_t)length, &days))
                    continue;
                assert_true(count == 0 || days == before + 1);
                before = days;
                count++;
            }
    assert_int_equal(count, 503 * 365 + 122); /* 1600 and 2000 are leap years, 1700, 1800, 1900 and 2100 are not */
}

/* -------------------------------------------------------------------------------------------------------- options */

/* ------------------------------------------------------------------------------------------------------ words */

#define LETTERS    200 /* bytes of a text, at most */
#define WORDS_MOST 100

typedef struct text_words {
    char words[WORDS_MOST][LETTERS];
    uint32_t count;
} text_words;

static void add_word(text_words *to, const char *word, size_t length)
{
    assert_true(to->count < WORDS_MOST && length < LETTERS);
    memcpy(to->words[to->count], word, length);
    to->words[to->count++][length] = '\0';
}

/* Appends to a text, for which there is room. */
static void append(char to[LETTERS], const char *text)
{
    size_t at = strlen(to), length = strlen(text);
    assert_true(at + length < LETTERS);
    memcpy(to + at, text, length + 1);
}

/* What stands between blanks. */
static void cut_words(const char *text, text_words *out)
{
    out->count = 0;
    for (const char *word = text + strspn(text, " "); *word; word += strspn(word, " ")) {
        const size_t length = strcspn(word, " ");
        add_word(out, word, length);
        word += length;
    }
}

/* Every q words that follow each other, with a blank between; fewer than q words are one run. */
static void cut_shingles(const char *text, uint32_t q, text_words *out)
{
    static text_words words;
    cut_words(text, &words);
    q = words.count < q ? words.count : q;
    out->count = 0;
    for (uint32_t i = 0; words.count > 0 && i + q <= words.count; i++) {
        char run[LETTERS] = "";
        for (uint32_t k = 0; k < q; k++) {
            append(run, k > 0 ? " " : "");
            append(run, words.words[i + k]);
        }
        add_word(out, run, strlen(run));
    }
}

/* Every q code points that follow each other; fewer than q are one run. */
static void cut_qgrams(const char *text, uint32_t q, text_words *out)
{
    size_t starts[LETTERS + 1], points = 0, length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            starts[points++] = i;
    starts[points] = length;
    q = points < q ? (uint32_t)points : q;
    out->count = 0;
    for (size_t i = 0; points > 0 && i + q <= points; i++)
        add_word(out, text + starts[i], starts[i + q] - starts[i]);
}

/* Cuts a text of lower-case letters and blanks. */
static void cut(const char *text, akin_tokens tokens, uint32_t q, text_words *out)
{
    switch (tokens) {
    case AKIN_TOKENS_WORDS:
    case AKIN_TOKENS_WHITESPACE:
        cut_words(text, out);
        return;
    case AKIN_TOKENS_QGRAMS:
        cut_qgrams(text, q, out);
        return;
    case AKIN_TOKENS_SHINGLES:
        cut_shingles(text, q, out);
        return;
    case AKIN_TOKENS_CODES: /* have a digit */
        out->count = 0;
        return;
    case AKIN_TOKENS_LINES: /* the text is one of them */
    case AKIN_TOKENS_PARAGRAPHS:
        cut_shingles(text, LETTERS, out);
        return;
    }
    fail_msg("tokens %d: nothing says what they are", (int)tokens);
}

/* By the book, over compared() of two words. */
static double monge_elkan(const char *a, const char *b, akin_tokens tokens, uint32_t q)
{
    static text_words words[2];
    double means[2] = {0, 0};
    cut(a, tokens, q, &words[0]);
    cut(b, tokens, q, &words[1]);
    if (words[0].count == 0 || words[1].count == 0)
        return words[0].count == words[1].count;
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < words[side].count; i++) {
            double most = 0;
            for (uint32_t j = 0; j < words[!side].count; j++)
                most = fmax(most, compared("jaro-winkler", words[side].words[i], words[!side].words[j]).similarity);
            means[side] += most;
        }
        means[side] /= words[side].count;
    }
    return (means[0] + means[1]) / 2;
}

/* Random texts, at times with more words than have patterns kept, and at times with letters of several bytes: the same
 * bits as by the book, from either side. */
static void check_words_alike(akin_tokens tokens, uint32_t q, int rounds)
{
    static const char *const letters[] = {" ", "a", "b", "c", "\xc3\xbc", "\xe4\xb8\x80", "d", "e"};
    akin_compare_options options = options_of("monge-elkan");
    options.tokens = tokens;
    options.q = q;
    akin_random random;
    akin_random_seed(&random, 7);
    for (int round = 0; round < rounds; round++) {
        char texts[2][LETTERS] = {"", ""};
        for (int side = 0; side < 2; side++) {
            uint64_t length = akin_random_below(&random, round % 10 ? 20 : 90), kinds = round % 2 ? 4 : 8;
            for (uint64_t i = 0; i < length && strlen(texts[side]) + 4 < LETTERS; i++)
                append(texts[side], letters[akin_random_below(&random, round % 3 ? kinds : 3)]);
        }
        akin_compared one = compared_by(&options, texts[0], texts[1]);
        assert_true(one.similarity == monge_elkan(texts[0], texts[1], tokens, q));
        assert_true(one.similarity == compared_by(&options, texts[1], texts[0]).similarity);
        assert_true(one.distance == 1.0 - one.similarity);
        assert_true(compared_by(&options, texts[0], texts[0]).similarity == 1);
    }
}

/* Of all kinds of tokens: q-grams and shingles overlap. */
static void words_alike(void **state)
{
    const akin_choice *row;
    (void)state;
    for (uint32_t i = 0; (row = akin_choices("tokens", i)); i++)
        for (uint32_t q = 0; q <= (row->arguments[0] ? 3 : 0); q++) {
            char text[32];
            akin_tokens tokens;
            uint32_t length = 0;
            if (q == 0 && row->arguments[0] == ':')
                continue; /* the name needs a length */
            snprintf(text, sizeof text, q > 0 ? "%s:%u" : "%s", row->name, q);
            assert_int_equal(akin_tokens_parse(text, &tokens, &length, NULL), AKIN_OK);
            check_words_alike(tokens, length, 80);
        }
}

/* The largest sum of credits, in tenths, of the words from i and from j on. */
static uint32_t best_credit(const text_words *a, const text_words *b, uint32_t i, uint32_t j)
{
    if (i == a->count || j == b->count)
        return 0;
    uint32_t left = best_credit(a, b, i + 1, j), right = best_credit(a, b, i, j + 1),
             best = left > right ? left : right;
    uint32_t equal = strcmp(a->words[i], b->words[j]) == 0 ? 20 + best_credit(a, b, i + 1, j + 1) : 0;
    best = equal > best ? equal : best;
    for (int side = 0; side < 2; side++) {
        const text_words *to = side ? a : b;
        const char *run = side ? b->words[j] : a->words[i];
        const uint32_t at = side ? i : j, length = (uint32_t)strlen(run);
        uint32_t k = 0;
        while (k < length && at + k < to->count && to->words[at + k][0] == run[k])
            k++;
        if (length > 3 || k < length)
            continue;
        uint32_t sum = 9 * (k + 1) + (side ? best_credit(a, b, i + k, j + 1) : best_credit(a, b, i + 1, j + k));
        best = sum > best ? sum : best;
    }
    return best;
}

static void initials_by_the_book(void **state)
{
    static const char letters[] = "ab c ";
    static text_words words[2];
    akin_compare_options options = options_of("initials");
    akin_random random;
    (void)state;
    akin_random_seed(&random, 8);
    for (int round = 0; round < 3000; round++) {
        char texts[2][16] = {"", ""};
        for (int side = 0; side < 2; side++) {
            uint64_t length = akin_random_below(&random, 13);
            for (uint64_t i = 0; i < length; i++)
                texts[side][i] = letters[akin_random_below(&random, round % 2 ? 5 : 3)];
            cut_words(texts[side], &words[side]);
        }
        const uint32_t count = words[0].count + words[1].count;
        const double want = count ? best_credit(&words[0], &words[1], 0, 0) / (10.0 * count) : 1;
        akin_compared one = compared_by(&options, texts[0], texts[1]);
        assert_true(one.similarity == want && one.distance == 1 - want);
        assert_true(compared_by(&options, texts[1], texts[0]).similarity == want);
        assert_true(compared_by(&options, texts[0], texts[0]).similarity == 1);
    }
}

static void words_folded(void **state)
{
    (void)state;
    assert_true(compared("monge-elkan", "", " -, ").similarity == 1);
    assert_true(compared("monge-elkan", "", "a").similarity == 0);
    assert_true(compared("monge-elkan", "M\xc3\xbcller, J\xc3\x96RG", "j\xc3\xb6rg M\xc3\x9cLLER").similarity == 1);
    assert_true(
        compared("monge-elkan", "m\xc3\xbcller jo", "muller j").similarity ==
        monge_elkan("mvller jo", "muller j", AKIN_TOKENS_WORDS, 0)); /* a code point of two bytes is one symbol */
    akin_compare_options options = options_of("monge-elkan");
    options.prefix_scale = (akin_ratio){0, 1};
    assert_true(compared_by(&options, "martha", "MARHTA").similarity ==
                compared("jaro", "martha", "marhta").similarity);
}

static void names(void **state)
{
    (void)state;
    akin_compare_options options = options_of("jaccard");
    assert_true(options.comparator == AKIN_TOKEN_SETS && options.measure == AKIN_JACCARD);
    assert_true(options.tokens == AKIN_TOKENS_WORDS && options.fold == -1);
    options = options_of("tfidf");
    assert_true(options.comparator == AKIN_TFIDF && options.tokens == AKIN_TOKENS_WORDS);
    options = options_of("tfidf/3");
    assert_true(options.tokens == AKIN_TOKENS_QGRAMS && options.q == 3);
    options = options_of("dice/4");
    assert_true(options.measure == AKIN_DICE && options.tokens == AKIN_TOKENS_QGRAMS && options.q == 4);
    options = options_of("date");
    assert_true(options.comparator == AKIN_DATE && options.scale.num == 365 && options.scale.den == 1);
    options = options_of("number/2.5");
    assert_true(options.comparator == AKIN_NUMBER && options.scale.num == 25 && options.scale.den == 10);
    options = options_of("number");
    assert_true(options.scale.num == 0);
    options = options_of("percent");
    assert_true(options.comparator == AKIN_PERCENT && options.scale.num == 20 && options.scale.den == 1);
    options = options_of("percent/100");
    assert_true(options.scale.num == 100);
    options = options_of("after");
    assert_true(options.comparator == AKIN_AFTER && options.scale.num == 365);
    options = options_of("codes");
    assert_true(options.comparator == AKIN_CODES && options.tokens == AKIN_TOKENS_CODES && options.fold == -1);
    options = options_of("initials");
    assert_true(options.comparator == AKIN_INITIALS && options.tokens == AKIN_TOKENS_WORDS);
    options = options_of("jaro_winkler");
    assert_true(options.comparator == AKIN_JARO_WINKLER);
    options = options_of("jaro-winkler");
    assert_true(options.comparator == AKIN_JARO_WINKLER && options.prefix_scale.num == 1);
    static const char *const bad[] = {
        "",           "Jaro",   "jaro winkler", "jaro/1",    "levenshtein/", "number/",  "number/0",    "number/-1",
        "number/1e3", "date/x", "jaccard/",     "jaccard/0", "cosine/256",   "dice/2.5", "jaccard/3/3", "number ",
        "exact/1",    "jar",    "percent/0",    "percent/",  "percent/101",  "after/0",  "codes/2",     "initials/1"};
    akin_error error;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        akin_compare_options before = options;
        assert_int_equal(akin_compare_options_parse(bad[i], &options, &error), AKIN_E_OPTION);
        assert_memory_equal(&before, &options, sizeof options);
        assert_int_equal(akin_compare_options_parse(bad[i], &options, NULL), AKIN_E_OPTION);
    }
    akin_compare_options_parse("hamming", &options, &error);
    assert_non_null(strstr(error.message, "levenshtein, osa, jaro, jaro-winkler, soundex, exact, number"));
    options.size = 4;
    assert_int_equal(akin_compare_options_parse("jaro", &options, &error), AKIN_E_OPTION);
}

static void assert_refused(akin_compare_options options, const char *why)
{
    akin_error error;
    akin_compared compared = {7, 7};
    assert_int_equal(akin_compare(context, &options, "a", 1, "b", 1, &compared, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, why));
    assert_int_equal(akin_compare(context, &options, "a", 1, "b", 1, &compared, NULL), AKIN_E_OPTION);
    assert_true(compared.similarity == 7);
}

static void options_refused(void **state)
{
    (void)state;
    akin_compare_options options = AKIN_COMPARE_OPTIONS_INIT;
    options.comparator = (akin_comparator)0;
    assert_refused(options, "unknown comparator 0");
    options.comparator = (akin_comparator)999;
    assert_refused(options, "unknown comparator 999");
    assert_refused(options_of("tfidf"), "which a comparison of two strings does not know");
    assert_refused(options_of("codes"), "which a comparison of two strings does not know");
    options = options_of("jaro");
    options.floored = 2;
    assert_refused(options, "floored");
    options = options_of("jaro-winkler");
    options.prefix_scale = (akin_ratio){26, 100};
    assert_refused(options, "0.25");
    options.prefix_scale = (akin_ratio){0, 0};
    assert_refused(options, "prefix_scale");
    options = options_of("jaro-winkler");
    options.boost_threshold = (akin_ratio){2, 1};
    assert_refused(options, "boost_threshold");
    options = options_of("date");
    options.scale.num = 0;
    assert_refused(options, "scale is 0");
    options = options_of("percent");
    options.scale.num = 0;
    assert_refused(options, "scale is 0 percent; expected more than 0, and 100 at most");
    options.scale = (akin_ratio){201, 2};
    assert_refused(options, "scale is 100.5 percent");
    options = options_of("number");
    options.scale.den = 0;
    assert_refused(options, "scale");
    options = options_of("jaccard");
    options.measure = AKIN_OVERLAP;
    assert_refused(options, "measure");
    options = options_of("jaccard/3");
    options.q = 256;
    assert_refused(options, "q is 256");
    options.q = 3;
    options.fold = 2;
    assert_refused(options, "fold");
    options = options_of("jaro");
    options.size = 8;
    assert_refused(options, "size");
}

/* Name `index` for akin_compare: the rows of the table, then one with an argument; NULL: no more. */
static const char *name_at(uint32_t index)
{
    const akin_choice *row;
    for (uint32_t i = 0; (row = akin_choices("comparators", i)); i++)
        if ((row->capabilities & AKIN_FOR_COMPARE) && index-- == 0)
            return row->name;
    return index == 0 ? "dice/2" : NULL;
}

static void not_utf8(void **state)
{
    (void)state;
    const char *name;
    akin_error error;
    akin_compared c;
    for (uint32_t i = 0; (name = name_at(i)); i++) {
        akin_compare_options options = options_of(name);
        assert_int_equal(akin_compare(context, &options, "a\xff", 2, "b", 1, &c, &error), AKIN_E_INPUT);
        assert_non_null(strstr(error.message, "the first string"));
        assert_int_equal(akin_compare(context, &options, "a", 1, "b\xc3", 2, &c, &error), AKIN_E_INPUT);
        assert_non_null(strstr(error.message, "the second string"));
    }
}

/* ----------------------------------------------------------------------------------------------------- many pairs */

#define ROWS  120
#define PAIRS 9000

/* Two columns of random strings, the second being edits of the first in part, and as symbols; some rows are null. */
typedef struct table {
    string strings[2][ROWS];
    uint64_t offsets[2][ROWS + 1];
    char *bytes[2];
    uint8_t validity[2][ROWS / 8];
    akin_column columns[2];
    uint32_t left[PAIRS], right[PAIRS];
    akin_compared out[PAIRS], again[PAIRS];
} table;

static void draw_table(table *t)
{
    static const uint32_t lengths[] = {0, 1, 5, 12, 40, 63, 64, 65, 130, 300};
    akin_random random;
    akin_random_seed(&random, 77);
    for (uint32_t row = 0; row < ROWS; row++) {
        uint32_t length = lengths[akin_random_below(&random, sizeof lengths / sizeof *lengths)];
        uint32_t kinds = row % 3 ? 4 : 26;
        draw_string(&random, kinds, length, &t->strings[0][row]);
        edit_string(&random, kinds, &t->strings[0][row], row % 9, &t->strings[1][row]);
    }
    for (int side = 0; side < 2; side++) {
        t->bytes[side] = malloc(4 * SYMBOLS_MOST * ROWS);
        memset(t->validity[side], 0xff, sizeof t->validity[side]);
        for (uint32_t row = 0; row < ROWS; row++) {
            const string *s = &t->strings[side][row];
            memcpy(t->bytes[side] + t->offsets[side][row], s->text, s->bytes);
            t->offsets[side][row + 1] = t->offsets[side][row] + s->bytes;
        }
        t->validity[side][3] = 0xfe;
        t->columns[side] = (akin_column){.size = sizeof(akin_column),
                                         .offsets = t->offsets[side],
                                         .bytes = t->bytes[side],
                                         .validity = t->validity[side],
                                         .nulls = 1};
    }
    for (uint32_t i = 0; i < PAIRS; i++) {
        t->left[i] = i % 5 ? (i ? t->left[i - 1] : 0) : (uint32_t)akin_random_below(&random, ROWS);
        t->right[i] = i % 2 ? t->left[i] : (uint32_t)akin_random_below(&random, ROWS);
    }
}

static void clear_table(table *t)
{
    free(t->bytes[0]);
    free(t->bytes[1]);
}

static void compare_table(table *t, uint32_t threads, const char *name, const akin_ratio *cutoff, akin_compared *out)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_compare_options compare = options_of(name);
    akin_context *own;
    options.threads = threads;
    assert_int_equal(akin_context_create(&options, &own, NULL), AKIN_OK);
    assert_int_equal(akin_compare_pairs(own, &compare, &t->columns[0], ROWS, &t->columns[1], ROWS, t->left, t->right,
                                        PAIRS, cutoff, out, NULL),
                     AKIN_OK);
    akin_context_free(own);
}

static uint32_t shared_prefix(const string *a, const string *b)
{
    uint32_t n = 0;
    while (n < 4 && n < a->length && n < b->length && a->symbols[n] == b->symbols[n])
        n++;
    return n;
}

/* What a pair of strings has, by the book. */
static akin_compared by_the_book(const char *name, const string *a, const string *b)
{
    if (strcmp(name, "exact") == 0) {
        int same = a->bytes == b->bytes && memcmp(a->text, b->text, a->bytes) == 0;
        return (akin_compared){same, !same};
    }
    if (strncmp(name, "jaro", 4) == 0) {
        akin_jaro jaro = jaro_by_windows(a->symbols, a->length, b->symbols, b->length);
        double m = jaro.matched, similarity = a->length == 0 && b->length == 0;
        if (jaro.matched > 0)
            similarity = (m / a->length + m / b->length + (m - jaro.apart / 2.0) / m) / 3;
        if (strcmp(name, "jaro-winkler") == 0)
            similarity += shared_prefix(a, b) * 0.1 * (1 - similarity);
        return (akin_compared){similarity, 1 - similarity};
    }
    uint32_t longer = a->length > b->length ? a->length : b->length;
    double distance = distance_by_matrix(a->symbols, a->length, b->symbols, b->length, strcmp(name, "osa") == 0);
    return (akin_compared){longer ? 1 - distance / longer : 1, distance};
}

static int is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void assert_same(const akin_compared *a, const akin_compared *b)
{
    for (uint32_t i = 0; i < PAIRS; i++)
        assert_true(is_same(a[i].similarity, b[i].similarity) && is_same(a[i].distance, b[i].distance));
}

static int is_null_row(const table *t, uint32_t i)
{
    return t->left[i] == 24 || t->right[i] == 24;
}

/* Each pair as by the book, with any number of threads. */
static void pairs_by_the_book(void **state)
{
    (void)state;
    static const char *const all[] = {"levenshtein", "osa", "jaro", "jaro-winkler", "exact"};
    table *t = calloc(1, sizeof *t);
    draw_table(t);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        compare_table(t, 1, all[k], NULL, t->out);
        compare_table(t, 2, all[k], NULL, t->again);
        assert_same(t->out, t->again);
        for (uint32_t i = 0; i < PAIRS; i += 9) {
            akin_compared c = by_the_book(all[k], &t->strings[0][t->left[i]], &t->strings[1][t->right[i]]);
            if (is_null_row(t, i))
                assert_true(isnan(t->out[i].similarity) && isnan(t->out[i].distance));
            else
                assert_true(fabs(t->out[i].similarity - c.similarity) < 1e-12 &&
                            fabs(t->out[i].distance - c.distance) < 1e-12);
        }
    }
    clear_table(t);
    free(t);
}

/* With a cutoff: the same where it is reached, 0 where it is not. */
static void cutoffs(void **state)
{
    (void)state;
    const char *name;
    static const akin_ratio ratios[] = {{0, 1}, {1, 3}, {8, 10}, {9, 10}, {1, 1}};
    table *t = calloc(1, sizeof *t);
    draw_table(t);
    for (uint32_t k = 0; (name = name_at(k)); k++) {
        compare_table(t, 1, name, NULL, t->out);
        for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++) {
            compare_table(t, 1 + r % 2, name, &ratios[r], t->again);
            for (uint32_t i = 0; i < PAIRS; i++) {
                const akin_compared *whole = &t->out[i], *cut = &t->again[i];
                double short_of = (double)ratios[r].num / ratios[r].den - whole->similarity;
                if (isnan(whole->similarity))
                    assert_true(isnan(cut->similarity) && isnan(cut->distance));
                else if (short_of <= -1e-12 || (short_of < 1e-12 && !isinf(cut->distance)))
                    assert_true(cut->similarity == whole->similarity && cut->distance == whole->distance);
                else
                    assert_true(cut->similarity == 0 && isinf(cut->distance));
            }
        }
    }
    clear_table(t);
    free(t);
}

/* Distances exactly on the threshold reach it, whatever doubles make of that; one more does not. */
static void on_the_threshold(void **state)
{
    (void)state;
    char a[201], b[201];
    uint64_t offsets_a[2] = {0}, offsets_b[2] = {0};
    akin_column left = {.size = sizeof left, .offsets = offsets_a, .bytes = a};
    akin_column right = {.size = sizeof right, .offsets = offsets_b, .bytes = b};
    memset(a, 'a', sizeof a);
    akin_compare_options osa = options_of("osa");
    for (uint32_t length = 1; length <= 200; length++)
        for (uint32_t distance = 0; distance <= length; distance += 1 + length / 16) {
            akin_ratio cutoff = {length - distance, length}, above = {2 * (length - distance) + 1, 2 * length};
            akin_compared c[2];
            memset(b, 'a', sizeof b);
            memset(b + length / 3, 'b', distance < length - length / 3 ? distance : length - length / 3);
            uint32_t placed = distance < length - length / 3 ? distance : length - length / 3;
            memset(b, 'b', distance - placed);
            offsets_a[1] = offsets_b[1] = length;
            assert_int_equal(akin_compare_pairs(context, distance % 2 ? &osa : NULL, &left, 1, &right, 1, NULL, NULL, 1,
                                                &cutoff, &c[0], NULL),
                             AKIN_OK);
            assert_true(c[0].distance == distance);
            if (distance == 0)
                continue;
            assert_int_equal(akin_compare_pairs(context, distance % 2 ? &osa : NULL, &left, 1, &right, 1, NULL, NULL, 1,
                                                &above, &c[1], NULL),
                             AKIN_OK);
            assert_true(c[1].similarity == 0 && isinf(c[1].distance));
        }
}

/* Sets of tokens: a left row that meets more tokens than it keeps, so that they are forgotten now and then. */
static void many_tokens(void **state)
{
    (void)state;
    enum { WORDS = 3000, MANY = 60 };
    static char bytes[MANY * WORDS * 12];
    static uint64_t offsets[MANY + 1];
    static uint32_t left[MANY], right[MANY];
    static akin_compared out[MANY];
    char *at = bytes;
    for (uint32_t row = 0; row < MANY; row++) {
        for (uint32_t i = 0; i < WORDS; i++)
            at += snprintf(at, 12, "w%u ", i % 3 ? row * WORDS + i : i); /* a third of them all have in common */
        offsets[row + 1] = (uint64_t)(at - bytes);
        right[row] = row;
    }
    akin_column column = {.size = sizeof column, .offsets = offsets, .bytes = bytes};
    akin_compare_options options = options_of("jaccard");
    assert_int_equal(
        akin_compare_pairs(context, &options, &column, MANY, &column, MANY, left, right, MANY, NULL, out, NULL),
        AKIN_OK);
    assert_true(out[0].similarity == 1);
    for (uint32_t row = 1; row < MANY; row++)
        assert_true(out[row].similarity == 1000.0 / 5000);
}

static void pairs_refused(void **state)
{
    (void)state;
    uint64_t offsets[] = {0, 1, 2, 3}, falling[] = {0, 2, 1, 3};
    const uint32_t rows[] = {0, 3}, good[] = {0, 2};
    akin_column column = {.size = sizeof column, .offsets = offsets, .bytes = "abc"}, other = column, third = column;
    akin_compared out[3] = {{7, 7}};
    akin_error error;
    akin_ratio large = {2, 1}, none = {1, 0};
    other.offsets = falling;
    third.bytes =
        "a\xff"
        "c";
    third.name = "title";
    assert_int_equal(akin_compare_pairs(context, NULL, &column, 3, &column, 3, rows, good, 2, NULL, out, &error),
                     AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "pair 1: there is no row 3 in the left column, which has 3 rows"));
    assert_int_equal(akin_compare_pairs(context, NULL, &column, 3, &column, 3, good, rows, 2, NULL, out, &error),
                     AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "right column"));
    assert_int_equal(akin_compare_pairs(context, NULL, &column, 3, &column, 2, NULL, NULL, 3, NULL, out, &error),
                     AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "3 pairs of rows of the right column, which has 2"));
    assert_int_equal(akin_compare_pairs(context, NULL, &column, 3, &other, 3, NULL, NULL, 3, NULL, out, &error),
                     AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "row 1, right column: its offset 2"));
    assert_int_equal(akin_compare_pairs(context, NULL, &column, 3, &column, 3, NULL, NULL, 3, &large, out, &error),
                     AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "cutoff"));
    assert_int_equal(akin_compare_pairs(context, NULL, &column, 3, &column, 3, NULL, NULL, 3, &none, out, &error),
                     AKIN_E_OPTION);
    other = column;
    other.size = 0;
    assert_int_equal(akin_compare_pairs(context, NULL, &other, 3, &column, 3, NULL, NULL, 3, NULL, out, &error),
                     AKIN_E_OPTION);
    assert_true(out[0].similarity == 7);
    assert_int_equal(
        akin_compare_pairs(context, NULL, &column, 3, &third, 3, good, (uint32_t[]){0, 1}, 2, NULL, out, &error),
        AKIN_E_INPUT);
    assert_string_equal(error.message, "row 1, right column 'title': the text is not valid UTF-8");
    assert_int_equal(akin_compare_pairs(context, NULL, &column, 0, &column, 0, NULL, NULL, 0, NULL, NULL, &error),
                     AKIN_OK);
}

static int cancel_at_once(void *user)
{
    ++*(int *)user;
    return 1;
}

static void count_reports(void *user, const akin_progress *progress)
{
    assert_string_equal(progress->phase, "comparing");
    ++*(int *)user;
}

static void cancelled(void **state)
{
    (void)state;
    int calls = 0;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *own;
    akin_error error;
    table *t = calloc(1, sizeof *t);
    draw_table(t);
    options.cancel = cancel_at_once;
    options.progress = count_reports;
    options.user = &calls;
    assert_int_equal(akin_context_create(&options, &own, NULL), AKIN_OK);
    assert_int_equal(akin_compare_pairs(own, NULL, &t->columns[0], ROWS, &t->columns[1], ROWS, t->left, t->right, PAIRS,
                                        NULL, t->out, &error),
                     AKIN_E_CANCELLED);
    assert_int_equal(error.code, AKIN_E_CANCELLED);
    assert_true(calls >= 2);
    akin_context_free(own);
    clear_table(t);
    free(t);
}

/* --------------------------------------------------------------------------------------------- joins that cannot be */

/* It is known before there is a context, and whether or not there is a GPU. */
static void what_a_device_lacks(void **state)
{
    static const char *const devices[] = {NULL, "auto", "cpu", "cuda", "cuda:7", "cuda:all"};
    akin_match_options options = AKIN_MATCH_OPTIONS_INIT;
    akin_compare_options jaro = AKIN_COMPARE_OPTIONS_INIT;
    akin_error error;
    (void)state;
    jaro.comparator = AKIN_JARO;
    const akin_choice *row;
    for (uint32_t t = 0; (row = akin_choices("string-techniques", t)); t++)
        for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
            int lacks = i > 2 && !(row->capabilities & AKIN_ON_GPU);
            options.technique = (akin_match_technique)row->value;
            assert_int_equal(akin_match_check(devices[i], &options, &error), lacks ? AKIN_E_OPTION : AKIN_OK);
            if (lacks)
                assert_string_equal(error.message,
                                    "segments are looked up on the CPU alone: use the device cpu or "
                                    "auto, or on a GPU bags");
        }
    options.compare = &jaro;
    options.technique = AKIN_MATCH_SEGMENTS;
    assert_int_equal(akin_match_check("cuda", &options, &error), AKIN_E_OPTION);
    assert_string_equal(error.message,
                        "segments are looked up for edit distances alone, levenshtein or osa; use auto or bags");
    assert_int_equal(akin_match_check("gpu", NULL, NULL), AKIN_E_OPTION);
    assert_int_equal(akin_match_check("cpu", NULL, NULL), AKIN_OK);
}

/* ------------------------------------------------------------------------------------------------------ cancelling */

#define LONG 400000

static int cancel_after_some(void *user)
{
    int *left = user;
    return --*left < 0;
}

/* Two long strings, which have little in common: to compare them takes seconds, unless a check stops the comparison.
 * Jaro's matches of them take a few milliseconds, so nobody is asked. */
static void long_strings_can_be_cancelled(void **state)
{
    static char bytes[2 * LONG];
    static const uint64_t offsets[] = {0, LONG, 2 * LONG};
    static const akin_comparator comparators[] = {AKIN_LEVENSHTEIN, AKIN_OSA};
    akin_column column = {sizeof column, "long", offsets, bytes, NULL, 0, NULL, 0, 0};
    akin_column halves[2] = {{sizeof column, "left", offsets, bytes, NULL, 0, NULL, 0, 0},
                             {sizeof column, "right", offsets, bytes + LONG, NULL, 0, NULL, 0, 0}};
    akin_random random;
    (void)state;
    akin_random_seed(&random, 3);
    for (uint32_t i = 0; i < 2 * LONG; i++)
        bytes[i] = (char)('a' + akin_random_below(&random, 20));
    for (uint32_t k = 0; k < 12; k++) {
        akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
        akin_compare_options compare = AKIN_COMPARE_OPTIONS_INIT;
        akin_match_options match = AKIN_MATCH_OPTIONS_INIT;
        akin_context *context = NULL;
        akin_compared compared;
        akin_error error;
        uint64_t count;
        int left = 10; /* there are some checks before a comparison begins */
        options.threads = 1 + k % 2;
        options.device = "cpu";
        options.cancel = cancel_after_some;
        options.user = &left;
        assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
        compare.comparator = comparators[k / 2 % 2];
        match.compare = &compare;
        match.cutoff = (akin_ratio){1, 10};
        match.top = k / 8; /* the best partner, at last */
        akin_status status = k < 4 || k >= 8
                                 ? akin_match(context, &column, 2, NULL, 0, &match, NULL, NULL, &count, NULL, &error)
                                 : akin_compare_pairs(context, &compare, &halves[0], 1, &halves[1], 1, NULL, NULL, 1,
                                                      NULL, &compared, &error);
        assert_int_equal(status, AKIN_E_CANCELLED);
        assert_true(left < 0);
        akin_context_free(context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_by_the_book),
        cmocka_unit_test(many_tokens),
        cmocka_unit_test(cancelled),
        cmocka_unit_test(published),
        cmocka_unit_test(directions),
        cmocka_unit_test(defaults),
        cmocka_unit_test(other_conventions),
        cmocka_unit_test(nothing_to_compare),
        cmocka_unit_test(numbers),
        cmocka_unit_test(random_numbers),
        cmocka_unit_test(many_digits),
        cmocka_unit_test(locales),
        cmocka_unit_test(dates),
        cmocka_unit_test(days_in_order),
        cmocka_unit_test(words_alike),
        cmocka_unit_test(words_folded),
        cmocka_unit_test(initials_by_the_book),
        cmocka_unit_test(names),
        cmocka_unit_test(options_refused),
        cmocka_unit_test(not_utf8),
        cmocka_unit_test(cutoffs),
        cmocka_unit_test(on_the_threshold),
        cmocka_unit_test(pairs_refused),
        cmocka_unit_test(what_a_device_lacks),
        cmocka_unit_test(long_strings_can_be_cancelled),
    };
    return RUN_TESTS(tests, 3, start, stop);
}
