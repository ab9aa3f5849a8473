/* The bounds that a cutoff sets, against the definitions: every number of matches or edits tried, in whole numbers. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "strings/cutoff.h"

#include <math.h>

#define LENGTHS         14
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

__extension__ typedef unsigned __int128 wide;

static const akin_ratio ratios[] = {{1, 1},   {9, 10}, {4, 5}, {5, 6}, {3, 4},    {7, 9},   {2, 3},
                                    {13, 18}, {1, 2},  {1, 3}, {1, 9}, {1, 1000}, {86, 100}};
static const akin_ratio scales[] = {{0, 1}, {1, 10}, {1, 4}, {1, 5}};
static const akin_ratio boosts[] = {{0, 1}, {7, 10}, {2, 3}, {5, 6}};

static akin_cutoff jaro_of(akin_ratio ratio, akin_ratio scale, akin_ratio boost)
{
    const akin_winkler winkler = {0, boost, (double)scale.num / scale.den};
    return (akin_cutoff){.is_jaro = 1, .ratio = ratio, .scale = scale, .winkler = winkler};
}

/* Whether m of the symbols matched, all of them in order, and a prefix suffice: j = (m / a + m / b + 1) / 3 is n / d,
 * and the prefix makes j + s (1 - j) of it. */
static int matches_suffice(const akin_cutoff *cutoff, wide m, wide a, wide b, wide prefix)
{
    const akin_ratio boost = cutoff->winkler.boost, scale = cutoff->scale, least = cutoff->ratio;
    const wide n = m * (a + b) + a * b, d = 3 * a * b;
    if (m == 0)
        return 0;
    const int counts = boost.num == 0 || n * boost.den > d * boost.num;
    const wide s = counts ? prefix * scale.num : 0;
    return (n * (scale.den - s) + d * s) * least.den >= d * scale.den * least.num;
}

static void with_each_cutoff(void (*check)(const akin_cutoff *cutoff, uint32_t a, uint32_t b))
{
    for (size_t r = 0; r < COUNT_OF(ratios); r++)
        for (size_t s = 0; s < COUNT_OF(scales); s++)
            for (size_t k = 0; k < COUNT_OF(boosts); k++) {
                const akin_cutoff cutoff = jaro_of(ratios[r], scales[s], boosts[k]);
                for (uint32_t a = 1; a <= LENGTHS; a++)
                    for (uint32_t b = 1; b <= LENGTHS; b++)
                        check(&cutoff, a, b);
            }
}

static void check_matched(const akin_cutoff *cutoff, uint32_t a, uint32_t b)
{
    const uint32_t shorter = a < b ? a : b, most = shorter < 4 ? shorter : 4;
    for (uint32_t prefix = 0; prefix <= most; prefix++) {
        uint32_t least = 0;
        while (least <= shorter && !matches_suffice(cutoff, least, a, b, prefix))
            least++;
        assert_int_equal(akin_cutoff_matched(cutoff, a, b, prefix), least <= shorter ? least : AKIN_CUTOFF_NONE);
    }
}

static void the_least_number_of_matches(void **state)
{
    (void)state;
    with_each_cutoff(check_matched);
}

static void check_permits(const akin_cutoff *cutoff, uint32_t a, uint32_t b)
{
    const uint32_t shorter = a < b ? a : b;
    int possible = 0;
    for (uint32_t m = 0; m <= shorter; m++)
        for (uint32_t prefix = 0; prefix <= 4 && prefix <= m; prefix++)
            possible |= matches_suffice(cutoff, m, a, b, prefix);
    assert_int_equal(akin_cutoff_permits(cutoff, a, b), possible);
}

static void lengths_of_jaro(void **state)
{
    (void)state;
    with_each_cutoff(check_permits);
}

/* Jaro's similarity that is needed, to a billionth: with it the cutoff is reached, and with less it is not. */
static void check_jaro(const akin_cutoff *cutoff, uint32_t a, uint32_t b)
{
    const double t = (double)cutoff->ratio.num / cutoff->ratio.den,
                 boost = (double)cutoff->winkler.boost.num / cutoff->winkler.boost.den;
    if (a > 4 || b > 1)
        return;
    const double least = akin_cutoff_jaro(cutoff, a), s = a * cutoff->winkler.scale;
    for (int i = 0; i <= 3000; i++) {
        const double j = i / 3000.0, value = j > boost ? j + s * (1 - j) : j;
        if (fabs(value - t) > 1e-8 && fabs(j - boost) > 1e-8)
            assert_int_equal(j >= least, value >= t);
    }
}

static void the_similarity_of_jaro_that_is_needed(void **state)
{
    (void)state;
    with_each_cutoff(check_jaro);
}

static void check_edits(const akin_cutoff *cutoff, uint32_t a, uint32_t b)
{
    const uint64_t longer = a > b ? a : b, apart = a > b ? a - b : b - a, num = cutoff->ratio.num;
    uint64_t most = AKIN_CUTOFF_NONE;
    for (uint64_t edits = apart; edits <= longer; edits++)
        if (num ? (longer - edits) * cutoff->ratio.den >= num * longer : edits <= cutoff->most)
            most = edits;
    assert_int_equal(akin_cutoff_edits(cutoff, a, b), most);
    assert_int_equal(akin_cutoff_permits(cutoff, a, b), most != AKIN_CUTOFF_NONE);
    for (uint32_t edits = 0; edits <= longer + 1; edits++)
        assert_int_equal(akin_cutoff_permits_edits(cutoff, edits, a, b), most != AKIN_CUTOFF_NONE && edits <= most);
}

static void edits_that_are_permitted(void **state)
{
    (void)state;
    for (uint32_t a = 1; a <= LENGTHS; a++)
        for (uint32_t b = 1; b <= LENGTHS; b++) {
            for (size_t r = 0; r < COUNT_OF(ratios); r++)
                check_edits(&(akin_cutoff){.ratio = ratios[r]}, a, b);
            for (uint32_t most = 0; most <= LENGTHS + 1; most++)
                check_edits(&(akin_cutoff){.most = most}, a, b);
        }
}

/* A symbol that is replaced changes two bits of a bag, one that is put in or taken out one; a match takes two away. */
static void bits_that_bags_may_differ_in(void **state)
{
    (void)state;
    for (uint32_t a = 1; a <= LENGTHS; a++)
        for (uint32_t b = 1; b <= LENGTHS; b++) {
            const int64_t longer = a > b ? a : b, shorter = a + b - longer;
            for (int64_t edits = longer - shorter; edits <= longer; edits++)
                assert_int_equal(akin_cutoff_apart_by_edits((uint32_t)edits, a, b),
                                 longer - shorter + 2 * (edits - (longer - shorter)));
            for (int64_t matched = 0; matched <= shorter; matched++)
                assert_int_equal(akin_cutoff_apart_by_matched((uint32_t)matched, a, b),
                                 longer - matched + shorter - matched);
            assert_int_equal(akin_cutoff_apart_by_edits(AKIN_CUTOFF_NONE, a, b), -1);
            assert_int_equal(akin_cutoff_apart_by_matched(AKIN_CUTOFF_NONE, a, b), -1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_number_of_matches),           cmocka_unit_test(lengths_of_jaro),
        cmocka_unit_test(the_similarity_of_jaro_that_is_needed), cmocka_unit_test(edits_that_are_permitted),
        cmocka_unit_test(bits_that_bags_may_differ_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
