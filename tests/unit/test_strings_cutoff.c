/* The bounds that a cutoff sets, and what decides about similarities, against the definitions: every number of matches
 * or edits tried, in whole numbers. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "strings/cutoff.h"
#include "strings/order.h"

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

/* Products of 160 bits, by their digits of 32 bits. */
static int is_not_less_by_digits(wide n, uint64_t x, wide d, uint64_t y)
{
    uint32_t left[6] = {0}, right[6] = {0};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 4; i++) {
            uint32_t *out = side ? right : left;
            const uint64_t factor = side ? y : x, digit = (uint32_t)((side ? d : n) >> (32 * i));
            wide carry = (wide)digit * factor;
            for (int k = i; k < 6; k++) {
                carry += out[k];
                out[k] = (uint32_t)carry;
                carry >>= 32;
            }
        }
    for (int k = 5; k >= 0; k--)
        if (left[k] != right[k])
            return left[k] > right[k];
    return 1;
}

static void products_of_many_bits(void **state)
{
    (void)state;
    static const uint64_t factors[] = {1, 2, 3, 999999999, 1000000000, UINT64_C(1) << 40, (UINT64_C(1) << 60) - 1};
    static const uint64_t parts[] = {0, 1, 2, 999999999, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 39};
    for (size_t i = 0; i < 7 * 7 * 7 * 7 * 7 * 7; i++) {
        const uint64_t x = factors[i % 7], y = factors[i / 7 % 7];
        const wide n = (wide)(parts[i / 49 % 7] >> 24) << 64 | parts[i / 343 % 7];
        const wide d = (wide)(parts[i / 2401 % 7] >> 24) << 64 | parts[i / 16807 % 7];
        assert_int_equal(akin_jaro_is_not_less(n, x, d, y), is_not_less_by_digits(n, x, d, y));
    }
}

/* Units of 2^-40, to the nearest, half a unit being rounded up. */
static void ratios_in_units(void **state)
{
    (void)state;
    static const uint32_t dens[] = {1, 2, 3, 7, 10, 1000, 1000000000, 999999937, UINT32_MAX, UINT32_C(1) << 31};
    for (size_t i = 0; i < COUNT_OF(dens); i++)
        for (uint32_t part = 0; part <= 1000; part++) {
            const uint32_t num = (uint32_t)((uint64_t)dens[i] * part / 1000);
            const wide twice = ((wide)num << 41) / dens[i]; /* half units */
            assert_int_equal(akin_alike_of_ratio((akin_ratio){num, dens[i]}), (uint64_t)((twice + 1) / 2));
        }
}

/* Bags that differ in some bits need an edit for each two of them, and one for each place that only one string has. */
static void edits_that_bags_prove(void **state)
{
    (void)state;
    for (uint32_t a = 0; a <= LENGTHS; a++)
        for (uint32_t b = 0; b <= LENGTHS; b++)
            for (uint32_t apart = a > b ? a - b : b - a; apart <= a + b; apart++) {
                const uint32_t longer = a > b ? a - b : b - a;
                uint32_t least = longer; /* each further edit changes two bits */
                while (longer + 2 * (least - longer) < apart)
                    least++;
                assert_int_equal(akin_bag_least_distance(apart, a, b), least);
            }
}

/* Similarities of long strings that are nearer than doubles are trusted to tell: m / a + m / b decides, a the query's
 * length, because all matches are in order. */
static void nearly_equal_similarities(void **state)
{
    (void)state;
    const uint32_t query = 1 << 20;
    const akin_cutoff cutoff = jaro_of((akin_ratio){1, 2}, (akin_ratio){0, 1}, (akin_ratio){0, 1});
    const akin_order order = {.cutoff = &cutoff, .query = query};
    uint32_t decided = 0;
    for (uint32_t i = 0; i < 4000; i++) {
        const uint32_t m = 1000000 + i % 61, k = 1000000 + i % 59, b = 1040000 + i * 7 % 97;
        /* about the length at which k matches are worth as much */
        const double share = (double)m / query + (double)m / b - (double)k / query;
        const akin_alike first = {.length = b, .jaro = {m, 0}},
                         second = {.length = (uint32_t)(k / share), .jaro = {k, 0}};
        const wide left = (wide)m * (query + (wide)b) * second.length,
                   right = (wide)k * (query + (wide)second.length) * b;
        decided += left != right && fabs((double)left - (double)right) / (double)left < 1e-9;
        assert_int_equal(akin_order_of(&order, &first, &second), (left > right) - (left < right));
        assert_int_equal(akin_order_of(&order, &second, &first), (right > left) - (right < left));
    }
    assert_true(decided > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_number_of_matches),
        cmocka_unit_test(lengths_of_jaro),
        cmocka_unit_test(the_similarity_of_jaro_that_is_needed),
        cmocka_unit_test(edits_that_are_permitted),
        cmocka_unit_test(bits_that_bags_may_differ_in),
        cmocka_unit_test(products_of_many_bits),
        cmocka_unit_test(ratios_in_units),
        cmocka_unit_test(edits_that_bags_prove),
        cmocka_unit_test(nearly_equal_similarities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
