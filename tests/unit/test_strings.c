/* Comparators of strings: values that are published, and on random strings the same as by the book. */
#include "unit/test_strings_support.h"

#include "strings/counts.h"
#include "strings/soundex.h"

typedef struct tools {
    akin_points points[2];
    akin_pattern pattern;
    uint32_t noted[SYMBOLS_MOST];
} tools;

static void tools_clear(tools *t)
{
    akin_points_clear(&t->points[0]);
    akin_points_clear(&t->points[1]);
    akin_pattern_clear(&t->pattern);
}

static akin_symbols symbols_of(tools *t, int which, const char *text, uint32_t length)
{
    akin_symbols symbols;
    uint32_t fault;
    assert_int_equal(akin_symbols_of(text, length, &t->points[which], &symbols, &fault), AKIN_SYMBOLS_OK);
    return symbols;
}

/* Makes the pattern of the first, and answers the second. */
static akin_symbols prepare(tools *t, const char *a, uint32_t length_a, const char *b, uint32_t length_b)
{
    akin_symbols first = symbols_of(t, 0, a, length_a);
    assert_true(akin_pattern_set(&t->pattern, &first));
    return symbols_of(t, 1, b, length_b);
}

static double winkler_of(tools *t, const char *a, const char *b, const akin_winkler *winkler)
{
    akin_symbols second = prepare(t, a, (uint32_t)strlen(a), b, (uint32_t)strlen(b));
    akin_symbols first = symbols_of(t, 0, a, (uint32_t)strlen(a));
    akin_jaro jaro = akin_jaro_of(&t->pattern, &second, t->noted);
    return akin_jaro_similarity(jaro, first.length, second.length, akin_winkler_prefix(&first, &second), winkler);
}

static int is_near(double value, double expected)
{
    return value > expected - 5e-5 && value < expected + 5e-5;
}

static void published_similarities(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        double jaro, winkler;
    } cases[] = {
        {"MARTHA", "MARHTA", 0.9444, 0.9611},
        {"DIXON", "DICKSONX", 0.7667, 0.8133},
        {"DWAYNE", "DUANE", 0.8222, 0.8400},
        {"JELLYFISH", "SMELLYFISH", 0.8963, 0.8963},
        {"", "", 1, 1},
        {"", "a", 0, 0},
        {"a", "a", 1, 1},
        {"a", "b", 0, 0},
        {"ab", "ba", 0, 0}, /* the window has one place */
    };
    const akin_winkler none = {0}, usual = {.scale = 0.1}, late = {.scale = 0.1, .boost = {7, 10}};
    tools t = {.noted = {0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int swapped = 0; swapped < 2; swapped++) {
            const char *a = swapped ? cases[i].b : cases[i].a, *b = swapped ? cases[i].a : cases[i].b;
            assert_true(is_near(winkler_of(&t, a, b, &none), cases[i].jaro));
            assert_true(is_near(winkler_of(&t, a, b, &usual), cases[i].winkler));
        }
    /* below the threshold the prefix does not count: "abcd" and "abxyzw" have 2 matches */
    assert_true(is_near(winkler_of(&t, "abcd", "abxyzw", &none), 0.6111));
    assert_true(is_near(winkler_of(&t, "abcd", "abxyzw", &usual), 0.6889));
    assert_true(is_near(winkler_of(&t, "abcd", "abxyzw", &late), 0.6111));
    /* exactly at it neither: 7/10, which doubles have a little above */
    assert_true(is_near(winkler_of(&t, "bccaa", "bcbbcb", &none), 0.7));
    assert_true(is_near(winkler_of(&t, "bccaa", "bcbbcb", &usual), 0.76));
    assert_true(is_near(winkler_of(&t, "bccaa", "bcbbcb", &late), 0.7));
    /* three of five matches out of order: half of three, or one */
    const akin_winkler floored = {.floored = 1};
    assert_true(is_near(winkler_of(&t, "abcdefgh", "abdecfgh", &none), (1 + 1 + 6.5 / 8) / 3));
    assert_true(is_near(winkler_of(&t, "abcdefgh", "abdecfgh", &floored), (1 + 1 + 7.0 / 8) / 3));
    tools_clear(&t);
}

static void published_distances(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        uint32_t levenshtein, osa;
    } cases[] = {
        {"kitten", "sitting", 3, 3},
        {"saturday", "sunday", 3, 3},
        {"", "", 0, 0},
        {"", "abc", 3, 3},
        {"ab", "ba", 2, 1},
        {"ca", "abc", 3, 3}, /* an unrestricted distance is 2 */
        {"M\xc3\xbcller", "Mueller", 2, 2},
        {"\xf0\x9f\x98\x80", "a", 1, 1}, /* a code point is one symbol, whatever it takes */
        {"\xce\xb1\xce\xb2", "\xce\xb2\xce\xb1", 2, 1},
    };
    tools t = {.noted = {0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int swapped = 0; swapped < 2; swapped++) {
            const char *a = swapped ? cases[i].b : cases[i].a, *b = swapped ? cases[i].a : cases[i].b;
            akin_symbols second = prepare(&t, a, (uint32_t)strlen(a), b, (uint32_t)strlen(b));
            assert_int_equal(akin_levenshtein(&t.pattern, &second, UINT32_MAX), cases[i].levenshtein);
            assert_int_equal(akin_osa(&t.pattern, &second, UINT32_MAX), cases[i].osa);
        }
    assert_true(akin_edit_similarity(3, 6, 7) == 1 - 3.0 / 7);
    assert_true(akin_edit_similarity(0, 0, 0) == 1 && akin_edit_similarity(4, 0, 4) == 0);
    tools_clear(&t);
}

static void published_codes(void **state)
{
    (void)state;
    static const struct {
        const char *name, *code;
    } cases[] = {{"Robert", "R163"},        {"Rupert", "R163"},       {"Ashcraft", "A261"}, {"Tymczak", "T522"},
                 {"Pfister", "P236"},       {"Honeyman", "H555"},     {"Lee", "L000"},      {"o'Hara", "O600"},
                 {"VanDeusen", "V532"},     {"Gutierrez", "G362"},    {"Jackson", "J250"},  {"Washington", "W252"},
                 {"  smith-jones", "S532"}, {"Ruiz \xc3\xa9", "R200"}};
    char code[AKIN_SOUNDEX_CODE];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(akin_soundex(cases[i].name, (uint32_t)strlen(cases[i].name), code));
        assert_memory_equal(code, cases[i].code, AKIN_SOUNDEX_CODE);
    }
    assert_false(akin_soundex("", 0, code));
    assert_false(akin_soundex("\xc3\xa9 12", 5, code));
}

/* The message about bytes that are not UTF-8 names their place; ASCII is not copied. */
static void symbols(void **state)
{
    (void)state;
    akin_points points = {.data = NULL};
    akin_symbols symbols;
    uint32_t fault = 0;
    const char *ascii = "plain text, all of it ASCII", *broken =
                                                           "0123456789\xc3\xa9\xff"
                                                           "abc";
    assert_int_equal(akin_symbols_of(ascii, 27, &points, &symbols, &fault), AKIN_SYMBOLS_OK);
    assert_true(!symbols.points && symbols.bytes == (const uint8_t *)ascii && symbols.length == 27 && !points.data);
    assert_int_equal(akin_symbols_of(broken, 12, &points, &symbols, &fault), AKIN_SYMBOLS_OK);
    assert_true(symbols.points && symbols.length == 11 && akin_symbol(&symbols, 10) == 0xe9);
    assert_int_equal(akin_symbols_of(broken, 16, &points, &symbols, &fault), AKIN_SYMBOLS_NOT_UTF8);
    assert_int_equal(fault, 12);
    assert_int_equal(akin_symbols_of(broken, 11, &points, &symbols, &fault), AKIN_SYMBOLS_NOT_UTF8);
    assert_int_equal(fault, 10);
    akin_points_clear(&points);
}

/* Whether a distance is as expected, or above the most if that is. */
static void check_distance(uint32_t distance, uint32_t expected, uint32_t most)
{
    if (expected <= most)
        assert_int_equal(distance, expected);
    else
        assert_true(distance > most);
}

/* Counts are what the symbols are, and make the bag, and bound no less than that. */
static void check_counts(const akin_symbols *a, const akin_symbols *b, uint32_t kinds)
{
    int32_t more[AKIN_COUNTS_KINDS] = {0};
    uint32_t apart = 0;
    akin_bag bag_a = akin_bag_of(a, kinds), bag_b = akin_bag_of(b, kinds), bag;
    akin_counts counts_a = akin_counts_with_bag(a, kinds, &bag), counts_b = akin_counts_of(b);
    assert_memory_equal(&bag, &bag_a, sizeof bag);
    for (uint32_t i = 0; i < a->length; i++)
        more[akin_bag_kind(akin_symbol(a, i), AKIN_COUNTS_KINDS)]++;
    for (uint32_t i = 0; i < b->length; i++)
        more[akin_bag_kind(akin_symbol(b, i), AKIN_COUNTS_KINDS)]--;
    for (uint32_t k = 0; k < AKIN_COUNTS_KINDS; k++)
        apart += (uint32_t)abs(more[k]);
    assert_int_equal(akin_counts_apart(&counts_a, &counts_b), apart);
    assert_int_equal(akin_counts_apart(&counts_b, &counts_a), apart);
    if (kinds == AKIN_BAG_DEEP)
        assert_true(apart >= akin_bag_apart(&bag_a, &bag_b));
}

static void check_pair(tools *t, const string *a, const string *b)
{
    akin_symbols second = prepare(t, a->text, a->bytes, b->text, b->bytes);
    assert_int_equal(second.length, b->length);
    for (int swaps = 0; swaps < 2; swaps++) {
        uint32_t expected = distance_by_matrix(a->symbols, a->length, b->symbols, b->length, swaps);
        uint32_t mosts[] = {UINT32_MAX, expected, expected - (expected > 0), expected / 2, 0};
        for (int k = 0; k < 5; k++)
            check_distance(swaps ? akin_osa(&t->pattern, &second, mosts[k])
                                 : akin_levenshtein(&t->pattern, &second, mosts[k]),
                           expected, mosts[k]);
    }
    akin_symbols first = symbols_of(t, 0, a->text, a->bytes);
    uint32_t kinds = a->length % 2 ? AKIN_BAG_DEEP : AKIN_BAG_BROAD;
    akin_bag bag_a = akin_bag_of(&first, kinds), bag_b = akin_bag_of(&second, kinds);
    uint32_t apart = akin_bag_apart(&bag_a, &bag_b);
    assert_true(akin_bag_least_distance(apart, a->length, b->length) <=
                distance_by_matrix(a->symbols, a->length, b->symbols, b->length, 1));
    akin_jaro expected = jaro_by_windows(a->symbols, a->length, b->symbols, b->length);
    akin_jaro jaro = akin_jaro_of(&t->pattern, &second, t->noted);
    assert_int_equal(jaro.matched, expected.matched);
    assert_int_equal(jaro.apart, expected.apart);
    assert_true(jaro.matched <= akin_bag_most_common(apart, a->length, b->length));
    check_counts(&first, &second, kinds);
}

/* The bounds are what they are said to be, and not looser. */
static void bags(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        uint32_t apart, least, common;
    } cases[] = {
        {"", "", 0, 0, 0},
        {"abc", "cab", 0, 0, 3},
        {"abc", "abd", 2, 1, 2},
        {"aaa", "", 3, 3, 0},
        {"aaaaaa", "a", 3, 4, 2}, /* four are counted */
        {"kitten", "sitting", 5, 3, 4},
        {"\x1e"
         "bc",
         "abc", 0, 0, 3}, /* of one kind */
        {"\xce\xb1", "\xce\xb2", 2, 1, 0},
    };
    tools t = {.noted = {0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        akin_symbols a = symbols_of(&t, 0, cases[i].a, (uint32_t)strlen(cases[i].a));
        akin_symbols b = symbols_of(&t, 1, cases[i].b, (uint32_t)strlen(cases[i].b));
        akin_bag bag_a = akin_bag_of(&a, AKIN_BAG_BROAD), bag_b = akin_bag_of(&b, AKIN_BAG_BROAD);
        uint32_t apart = akin_bag_apart(&bag_a, &bag_b);
        assert_int_equal(apart, cases[i].apart);
        assert_int_equal(akin_bag_least_distance(apart, a.length, b.length), cases[i].least);
        assert_int_equal(akin_bag_most_common(apart, a.length, b.length), cases[i].common);
    }
    tools_clear(&t);
}

/* Lengths beside those of words, and others, of few kinds of symbols and of many. */
static void as_by_the_book(void **state)
{
    (void)state;
    static const uint32_t lengths[] = {0, 1, 2, 3, 31, 63, 64, 65, 127, 128, 129, 191, 192, 193, 300};
    static string a, b;
    tools t = {.noted = {0}};
    akin_random random;
    akin_random_seed(&random, 5);
    for (int round = 0; round < 3000; round++) {
        uint32_t kinds = 1 + (uint32_t)akin_random_below(&random, 26);
        uint32_t length = lengths[akin_random_below(&random, sizeof lengths / sizeof *lengths)];
        uint32_t other = lengths[akin_random_below(&random, sizeof lengths / sizeof *lengths)];
        if (round % 2)
            length = (uint32_t)akin_random_below(&random, 40), other = (uint32_t)akin_random_below(&random, 40);
        draw_string(&random, kinds, length, &a);
        if (round % 3)
            edit_string(&random, kinds, &a, (uint32_t)akin_random_below(&random, 12), &b);
        else
            draw_string(&random, kinds, other, &b);
        check_pair(&t, &a, &b);
        check_pair(&t, &b, &a);
    }
    tools_clear(&t);
}

/* Bounds of all sizes beside the distance, where a column has several words and the bound may leave some out. */
static void with_a_bound(void **state)
{
    (void)state;
    static string a, b;
    tools t = {.noted = {0}};
    akin_random random;
    akin_random_seed(&random, 9);
    for (uint32_t round = 0; round < 2000; round++) {
        uint32_t kinds = 3 + round % 9;
        draw_string(&random, kinds, (uint32_t)akin_random_below(&random, SYMBOLS_MOST - 5), &a);
        edit_string(&random, kinds, &a, (uint32_t)akin_random_below(&random, 60), &b);
        akin_symbols second = prepare(&t, a.text, a.bytes, b.text, b.bytes);
        for (int swaps = 0; swaps < 2; swaps++) {
            uint32_t distance = distance_by_matrix(a.symbols, a.length, b.symbols, b.length, swaps);
            const uint32_t bounds[] = {0,
                                       1,
                                       distance - (distance > 0),
                                       distance,
                                       distance + 1,
                                       distance + 5,
                                       20,
                                       64 - 2,
                                       64,
                                       100,
                                       1000,
                                       UINT32_MAX - 1,
                                       UINT32_MAX};
            for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
                uint32_t found = (swaps ? akin_osa : akin_levenshtein)(&t.pattern, &second, bounds[i]);
                assert_true(distance <= bounds[i] ? found == distance : found > bounds[i]);
            }
        }
    }
    tools_clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_similarities),
        cmocka_unit_test(published_distances),
        cmocka_unit_test(published_codes),
        cmocka_unit_test(symbols),
        cmocka_unit_test(bags),
        cmocka_unit_test(as_by_the_book),
        cmocka_unit_test(with_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
