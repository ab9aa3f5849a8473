/*
 * Joins and dedupe agree: of random strings pairs are drawn, and what they come to, a ratio of integers, is the
 * threshold, or the next ratios above and below it are. Whatever reaches it in akin_match or akin_join does in
 * akin_dedupe, as the threshold of all, of a column, and with a report; and akin_compare_pairs has it above its cutoff.
 *
 *     AKIN_PROPERTY_SEED    the random seed, 1 if not given
 *     AKIN_PROPERTY_CASES   how many pairs are drawn by each comparator, 60 if not given
 */
#include "unit/test_strings_support.h"

#include "akin.h"
#include "property/setting.h"
#include "sets/sets.h"

#include <stdio.h>

#define ROWS    30
#define LONGEST 12
#define FINEST  1000000000u /* below the line of a ratio, at most */

typedef struct world {
    akin_context *context;
    char bytes[ROWS * LONGEST];
    uint64_t offsets[ROWS + 1];
    akin_column columns[2]; /* the strings, and a column that is the same in all rows */
    akin_sets *sets;
} world;

/* Pairs of rows, the lower one first. */
typedef struct pairs {
    uint8_t has[ROWS][ROWS];
    int by_each; /* of dedupe: those whose first similarity counts, of all that are handed over */
    uint32_t attributes;
} pairs;

/* ---------------------------------------------------------------------------------------------------------- strings */

static void draw_world(world *w, akin_random *random)
{
    static char same[ROWS];
    static uint64_t ends[ROWS + 1];
    const akin_text_options bigrams = {sizeof bigrams, AKIN_TOKENS_QGRAMS, 2, 0, -1, NULL, 0, 0, NULL};
    akin_dictionary *dictionary = NULL;
    w->offsets[0] = 0;
    for (uint32_t row = 0; row < ROWS; row++) {
        uint64_t length = 2 + akin_random_below(random, LONGEST - 1);
        for (uint64_t i = 0; i < length; i++)
            w->bytes[w->offsets[row] + i] = (char)('a' + akin_random_below(random, 4));
        w->offsets[row + 1] = w->offsets[row] + length;
        same[row] = 's';
        ends[row + 1] = row + 1;
    }
    w->columns[0] = (akin_column){sizeof(akin_column), "drawn", w->offsets, w->bytes, NULL, 0, NULL, 0, 0};
    w->columns[1] = (akin_column){sizeof(akin_column), "same", ends, same, NULL, 0, NULL, 0, 0};
    akin_sets_free(w->sets);
    assert_int_equal(akin_dictionary_create(w->context, &dictionary, NULL), AKIN_OK);
    assert_int_equal(akin_sets_from_columns(w->context, w->columns, 1, ROWS, &bigrams, dictionary, &w->sets, NULL),
                     AKIN_OK);
    akin_dictionary_free(dictionary);
}

static uint32_t symbols_of(const world *w, uint32_t row, uint32_t *to)
{
    uint32_t length = (uint32_t)(w->offsets[row + 1] - w->offsets[row]);
    for (uint32_t i = 0; i < length; i++)
        to[i] = (uint32_t)w->bytes[w->offsets[row] + i];
    return length;
}

/* ----------------------------------------------------------------------------------------------------------- ratios */

static akin_ratio reduced(uint64_t num, uint64_t den)
{
    uint64_t a = num, b = den;
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    if (a == 0)
        return (akin_ratio){0, 1};
    assert_true(den / a <= FINEST);
    return (akin_ratio){(uint32_t)(num / a), (uint32_t)(den / a)};
}

/* Jaro's similarity, or by a scale above 0 Winkler's, if Jaro's is above boost_threshold. */
static akin_ratio ratio_by_symbols(const world *w, const akin_compare_options *by, uint32_t x, uint32_t y)
{
    uint32_t left[LONGEST], right[LONGEST], a = symbols_of(w, x, left), b = symbols_of(w, y, right), prefix = 0;
    uint64_t longer = a > b ? a : b;
    if (by->comparator == AKIN_LEVENSHTEIN || by->comparator == AKIN_OSA)
        return reduced(longer - distance_by_matrix(left, a, right, b, by->comparator == AKIN_OSA), longer);
    akin_jaro jaro = jaro_by_windows(left, a, right, b);
    uint64_t m = jaro.matched, h = by->floored ? jaro.apart & ~1u : jaro.apart;
    uint64_t num = 2 * m * m * (a + b) + (2 * m - h) * a * b, den = 6 * m * a * b;
    if (m == 0)
        return (akin_ratio){0, 1};
    int counts = by->comparator == AKIN_JARO_WINKLER && num * by->boost_threshold.den > by->boost_threshold.num * den;
    while (counts && prefix < 4 && prefix < a && prefix < b && left[prefix] == right[prefix])
        prefix++;
    return reduced(num * by->prefix_scale.den + prefix * by->prefix_scale.num * (den - num),
                   den * by->prefix_scale.den);
}

/* What two strings come to. A cosine is a ratio if the product of the sizes is a square; else it has 9 digits. */
static akin_ratio ratio_of_pair(const world *w, const akin_compare_options *by, uint32_t x, uint32_t y)
{
    if (by->comparator != AKIN_TOKEN_SETS)
        return ratio_by_symbols(w, by, x, y);
    const uint64_t *ends = w->sets->offsets;
    uint64_t common = 0, r = ends[x + 1] - ends[x], s = ends[y + 1] - ends[y], root = 0, product = r * s;
    for (uint64_t i = ends[x]; i < ends[x + 1]; i++)
        for (uint64_t j = ends[y]; j < ends[y + 1]; j++)
            common += w->sets->tokens[i] == w->sets->tokens[j];
    if (by->measure == AKIN_JACCARD)
        return reduced(common, r + s - common);
    if (by->measure == AKIN_DICE)
        return reduced(2 * common, r + s);
    while ((root + 1) * (root + 1) <= product)
        root++;
    if (root * root == product)
        return reduced(common, root);
    uint64_t low = 0, high = FINEST;
    while (low + 1 < high) { /* common / sqrt(product) >= low / FINEST */
        uint64_t middle = (low + high) / 2;
        if ((akin_u128)common * common * FINEST * FINEST >= (akin_u128)product * middle * middle)
            low = middle;
        else
            high = middle;
    }
    return (akin_ratio){(uint32_t)low, FINEST};
}

/* ------------------------------------------------------------------------------------------------------------- jobs */

static int take_pairs(void *user, const akin_pair *found, size_t count)
{
    pairs *p = user;
    for (size_t i = 0; i < count; i++)
        p->has[found[i].left][found[i].right] = 1;
    return 0;
}

static int take_scored(void *user, const akin_scored_pair *found, const double *each, size_t count)
{
    pairs *p = user;
    for (size_t i = 0; i < count; i++)
        p->has[found[i].left][found[i].right] = !p->by_each || each[i * p->attributes] > 0;
    return 0;
}

static void join(const world *w, const akin_compare_options *by, akin_ratio threshold, pairs *out)
{
    memset(out, 0, sizeof *out);
    if (by->comparator == AKIN_TOKEN_SETS) {
        akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
        options.measure = by->measure;
        options.threshold = threshold;
        assert_int_equal(akin_join(w->context, w->sets, NULL, &options, take_pairs, out, NULL, NULL, NULL), AKIN_OK);
    } else {
        akin_match_options options = AKIN_MATCH_OPTIONS_INIT;
        options.compare = by;
        options.cutoff = threshold;
        assert_int_equal(akin_match(w->context, w->columns, ROWS, NULL, 0, &options, take_pairs, out, NULL, NULL, NULL),
                         AKIN_OK);
    }
}

/* `overall` and `own`: the thresholds. A column of equal values selects all pairs, by their own threshold. */
static void dedupe(const world *w, const akin_compare_options *by, akin_ratio overall, akin_ratio own, int with_same,
                   int reported, pairs *out)
{
    const akin_compare_options exact = {sizeof exact, AKIN_EXACT,        0, {1, 10}, {0, 1}, {0, 1},
                                        AKIN_JACCARD, AKIN_TOKENS_WORDS, 3, -1,      0,      0};
    const akin_attribute attributes[] = {{0, 0, by, own, {3, 10}}, {1, 0, &exact, {1, 1}, {3, 10}}};
    const akin_selection all = {.kind = AKIN_SELECT_ALL};
    akin_dedupe_options options = AKIN_DEDUPE_OPTIONS_INIT;
    options.selections = &all;
    options.selection_count = 1;
    options.attributes = attributes;
    options.attribute_count = out->attributes = with_same ? 2 : 1;
    options.threshold = overall;
    memset(out->has, 0, sizeof out->has);
    out->by_each = with_same;
    if (reported)
        assert_int_equal(akin_report_create(w->context, NULL, &options.report, NULL), AKIN_OK);
    akin_error error = {.message = ""};
    akin_status status =
        akin_dedupe(w->context, w->columns, ROWS, NULL, 0, 2, &options, take_scored, out, NULL, NULL, &error);
    akin_report_free(options.report);
    assert_string_equal(status == AKIN_OK ? "" : error.message, "");
}

static void compare(const world *w, const akin_compare_options *by, akin_ratio cutoff, pairs *out)
{
    static uint32_t lefts[ROWS * ROWS], rights[ROWS * ROWS];
    static akin_compared compared[ROWS * ROWS];
    uint32_t count = 0;
    for (uint32_t x = 0; x < ROWS; x++)
        for (uint32_t y = x + 1; y < ROWS; y++, count++) {
            lefts[count] = x;
            rights[count] = y;
        }
    memset(out->has, 0, sizeof out->has);
    assert_int_equal(akin_compare_pairs(w->context, by, w->columns, ROWS, w->columns, ROWS, lefts, rights, count,
                                        &cutoff, compared, NULL),
                     AKIN_OK);
    for (uint32_t i = 0; i < count; i++)
        out->has[lefts[i]][rights[i]] = compared[i].similarity > 0;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static void same_pairs(const pairs *found, const pairs *expected, const char *name, akin_ratio threshold,
                       const char *way)
{
    if (memcmp(found->has, expected->has, sizeof found->has) != 0)
        fail_msg("%s at %u/%u: %s has other pairs than a join", name, threshold.num, threshold.den, way);
}

/* All ways by one threshold; *hit: whether the pair that it was made for reaches it. */
static int check_threshold(const world *w, const char *name, const akin_compare_options *by, akin_ratio threshold,
                           uint32_t x, uint32_t y)
{
    static pairs expected, found;
    const akin_ratio none = {0, 1}, least = {1, FINEST}, half = {1, 2};
    join(w, by, threshold, &expected);
    dedupe(w, by, threshold, none, 0, 0, &found);
    same_pairs(&found, &expected, name, threshold, "dedupe by the threshold of all");
    dedupe(w, by, threshold, none, 0, 1, &found);
    same_pairs(&found, &expected, name, threshold, "dedupe with a report");
    dedupe(w, by, least, threshold, 0, 0, &found);
    same_pairs(&found, &expected, name, threshold, "dedupe by the threshold of a column");
    dedupe(w, by, half, threshold, 1, 0, &found);
    same_pairs(&found, &expected, name, threshold, "dedupe by the threshold of one of two columns");
    compare(w, by, threshold, &found);
    same_pairs(&found, &expected, name, threshold, "akin_compare_pairs");
    return expected.has[x][y];
}

/* The ratio itself is reached, the next one above is not, the next one below is. */
static void check_around(const world *w, const char *name, const akin_compare_options *by, uint32_t x, uint32_t y)
{
    akin_ratio exact = ratio_of_pair(w, by, x, y);
    if (exact.num == 0 || exact.den == 0)
        return;
    uint32_t finer = FINEST / exact.den;
    akin_ratio above = {exact.num * finer + 1, exact.den * finer};
    akin_ratio below = {exact.num * finer - 1, exact.den * finer};
    assert_true(check_threshold(w, name, by, exact, x, y));
    if (above.num <= above.den)
        assert_false(check_threshold(w, name, by, above, x, y));
    if (below.num > 0)
        assert_true(check_threshold(w, name, by, below, x, y));
}

/* The prefix counts only above what the pair itself comes to by Jaro, or above the next ratios below and above that. */
static void check_boosts(const world *w, akin_compare_options *by, uint32_t x, uint32_t y)
{
    akin_compare_options jaro = *by;
    jaro.comparator = AKIN_JARO;
    akin_ratio alone = ratio_of_pair(w, &jaro, x, y);
    uint32_t finer = alone.den ? FINEST / alone.den : 0;
    for (uint32_t more = 0; alone.num > 0 && more < 3; more++) {
        by->boost_threshold = (akin_ratio){alone.num * finer - 1 + more, alone.den * finer};
        if (by->boost_threshold.num <= by->boost_threshold.den)
            check_around(w, "jaro-winkler with a boost threshold", by, x, y);
    }
}

static void joins_and_dedupe_agree(void **state)
{
    static const struct {
        const char *name;
        int floored, boosted;
    } ways[] = {{"levenshtein", 0, 0},  {"osa", 0, 0},          {"jaro", 0, 0},         {"jaro-winkler", 0, 0},
                {"jaro-winkler", 1, 0}, {"jaro-winkler", 0, 1}, {"jaro-winkler", 1, 1}, {"jaccard/2", 0, 0},
                {"cosine/2", 0, 0},     {"dice/2", 0, 0}};
    static world w;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_random random;
    uint64_t seed = setting("AKIN_PROPERTY_SEED", 1), cases = setting("AKIN_PROPERTY_CASES", 60);
    (void)state;
    options.device = "cpu";
    options.threads = 2;
    assert_int_equal(akin_context_create(&options, &w.context, NULL), AKIN_OK);
    for (uint64_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        akin_compare_options by = AKIN_COMPARE_OPTIONS_INIT;
        assert_int_equal(akin_compare_options_parse(ways[k].name, &by, NULL), AKIN_OK);
        by.floored = (uint32_t)ways[k].floored;
        akin_random_seed(&random, seed * 1000003 + k);
        for (uint64_t i = 0; i < cases; i++) {
            if (i % 10 == 0)
                draw_world(&w, &random);
            uint32_t x = (uint32_t)akin_random_below(&random, ROWS - 1);
            uint32_t y = x + 1 + (uint32_t)akin_random_below(&random, ROWS - 1 - x);
            if (ways[k].boosted)
                check_boosts(&w, &by, x, y);
            else
                check_around(&w, ways[k].name, &by, x, y);
        }
    }
    akin_sets_free(w.sets);
    akin_context_free(w.context);
}

/* Pairs that are on a threshold that doubles miss, or that are exactly what they are said to be. */
static void well_known(void **state)
{
    static const struct {
        const char *name, *left, *right;
        akin_ratio exact, boost;
    } cases[] = {
        {"jaro-winkler", "bccaa", "bcbbcb", {7, 10}, {7, 10}}, /* Jaro is 7/10, which is not above that */
        {"jaro-winkler", "bccaa", "bcbbcb", {76, 100}, {69, 100}},
        {"jaro-winkler", "aab", "abb", {8, 10}, {0, 1}},
        {"jaro-winkler", "cbacc", "ba", {8, 10}, {0, 1}},
        /* 2 of 5 match: 0.6, and 0.2 of what is left for the prefix */
        {"jaro-winkler", "abcde", "abxyz", {68, 100}, {0, 1}},
        {"levenshtein", "abc", "abd", {2, 3}, {0, 1}},
        {"osa", "abcd", "abdc", {3, 4}, {0, 1}},
        {"levenshtein", "abcdefghij", "azzzzzzzzz", {1, 10}, {0, 1}},
        {"jaccard/2", "abc", "abcd", {2, 3}, {0, 1}},
        {"jaccard/2", "abcd", "bcde", {1, 2}, {0, 1}},
        {"dice/2", "abc", "abd", {1, 2}, {0, 1}},
        {"cosine/2", "abc", "abd", {1, 2}, {0, 1}},
    };
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    (void)state;
    options.device = "cpu";
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char bytes[64];
        uint64_t left = strlen(cases[i].left), right = strlen(cases[i].right), count = 0;
        const uint64_t offsets[] = {0, left, left + right};
        memcpy(bytes, cases[i].left, left);
        memcpy(bytes + left, cases[i].right, right);
        const akin_column column = {sizeof column, "text", offsets, bytes, NULL, 0, NULL, 0, 0};
        akin_compare_options by = AKIN_COMPARE_OPTIONS_INIT;
        assert_int_equal(akin_compare_options_parse(cases[i].name, &by, NULL), AKIN_OK);
        by.boost_threshold = cases[i].boost;
        const akin_selection all = {.kind = AKIN_SELECT_ALL};
        for (uint32_t more = 0; more < 2; more++) {
            uint32_t finer = FINEST / cases[i].exact.den;
            const akin_ratio threshold = {cases[i].exact.num * finer + more, cases[i].exact.den * finer};
            const akin_attribute attribute = {0, 0, &by, {0, 1}, {1, 1}};
            akin_dedupe_options asked = AKIN_DEDUPE_OPTIONS_INIT;
            asked.selections = &all;
            asked.selection_count = 1;
            asked.attributes = &attribute;
            asked.attribute_count = 1;
            asked.threshold = threshold;
            assert_int_equal(akin_dedupe(context, &column, 2, NULL, 0, 1, &asked, NULL, NULL, &count, NULL, NULL),
                             AKIN_OK);
            if (count != !more)
                fail_msg("%s of %s and %s: %u pairs at %u/%u", cases[i].name, cases[i].left, cases[i].right,
                         (uint32_t)count, threshold.num, threshold.den);
        }
    }
    akin_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(joins_and_dedupe_agree), cmocka_unit_test(well_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
