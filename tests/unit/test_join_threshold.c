/* Thresholds in integers against the definitions, tried size by size; at the largest sizes against numbers worked out
 * in arithmetic without bounds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "join/threshold.h"
#include "join/tile.h"
#include "property/oracle.h"

#include <string.h>

__extension__ typedef unsigned __int128 wide;

#define SIZES           80  /* of sets whose partners are looked at one by one */
#define REACH           400 /* how large these may be */
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const akin_ratio ratios[] = {
    {1, 1},
    {4, 5},
    {13, 20},
    {9, 10},
    {19, 20},
    {99, 100},
    {1, 2},
    {1, 3},
    {2, 3},
    {3, 4},
    {7, 10},
    {17, 33},
    {1, 10},
    {1, 7},
    {5, 6},
    {1, 1000},
    {333333333, 1000000000},
    {666666667, 1000000000},
    {707106781, 1000000000},
    {577350269, 1000000000},
    {999999999, 1000000000},
    {500000001, 1000000000},
    {499999999, 1000000000},
    {1, 1000000000},
    {123456789, 1000000000},
    {40, 50},
    {4000000000u, 4000000000u},
    {2000000000u, 4000000000u},
};
static const akin_ratio overlaps[] = {{1, 1},  {2, 1},  {3, 1},   {7, 1},   {30, 1},        {79, 1},
                                      {80, 1}, {81, 1}, {400, 1}, {401, 1}, {1000000000, 1}};

/* Runs a check for every measure that takes a count, or for all others, and every threshold. */
static void with_each_of(unsigned takes_count, const akin_ratio *thresholds, size_t count,
                         void (*check)(const akin_threshold *threshold))
{
    const akin_choice *row;
    akin_threshold threshold;
    for (uint32_t m = 0; (row = akin_choices("measures", m)); m++)
        for (size_t i = 0; i < count; i++) {
            if (!(row->capabilities & AKIN_FOR_JOIN) || (row->capabilities & AKIN_TAKES_COUNT) != takes_count)
                continue;
            assert_int_equal(akin_threshold_make((akin_measure)row->value, thresholds[i], &threshold, NULL), AKIN_OK);
            check(&threshold);
        }
}

static void with_each(void (*check)(const akin_threshold *threshold))
{
    with_each_of(0, ratios, COUNT_OF(ratios), check);
    with_each_of(AKIN_TAKES_COUNT, overlaps, COUNT_OF(overlaps), check);
}

static akin_ratio ratio_of(const akin_threshold *threshold)
{
    return (akin_ratio){threshold->num, threshold->den};
}

/* Whether n is enough for sizes r and s, as the header has it, also where n is more than both. */
static int enough(const akin_threshold *threshold, uint64_t r, uint64_t s, uint64_t n)
{
    wide num = threshold->num, den = threshold->den;
    switch (threshold->measure) {
    case AKIN_JACCARD:
        return n * (num + den) >= num * ((wide)r + s);
    case AKIN_DICE:
        return 2 * n * den >= num * ((wide)r + s);
    case AKIN_COSINE:
        return (wide)n * n * den * den >= num * num * r * s;
    case AKIN_OVERLAP:
        return n >= num;
    case AKIN_OVERLAP_COEFFICIENT:
        return n * den >= num * (r < s ? r : s);
    case AKIN_CONTAINMENT:
        return n * den >= num * r;
    }
    fail_msg("measure %d: nothing says what is enough", (int)threshold->measure);
    return 0;
}

/* What n is held against, or its square by cosine. */
static wide size_of(akin_measure measure, wide r, wide s)
{
    switch (measure) {
    case AKIN_JACCARD:
    case AKIN_DICE:
        return r + s;
    case AKIN_COSINE:
        return r * s;
    case AKIN_OVERLAP:
        return 1;
    case AKIN_OVERLAP_COEFFICIENT:
        return r < s ? r : s;
    case AKIN_CONTAINMENT:
        return r;
    }
    fail_msg("measure %d: nothing says what n is held against", (int)measure);
    return 0;
}

static void assert_overlap(const akin_threshold *threshold, uint64_t r, uint64_t s)
{
    uint64_t n = akin_threshold_overlap(threshold, r, s);
    if (n == 0 || !enough(threshold, r, s, n) || (n > 1 && enough(threshold, r, s, n - 1)))
        fail_msg("measure %d, %u/%u: sizes %llu and %llu need %llu", (int)threshold->measure, threshold->num,
                 threshold->den, (unsigned long long)r, (unsigned long long)s, (unsigned long long)n);
    const akin_threshold turned = akin_threshold_turn(threshold);
    assert_true(akin_threshold_overlap(&turned, s, r) == n);
    assert_true(akin_threshold_distance(threshold, r, s) == (int64_t)(r + s) - 2 * (int64_t)n);
}

/* ------------------------------------------------------------------------------------------------------ small sizes */

static void check_overlap(const akin_threshold *threshold)
{
    for (uint32_t r = 1; r <= SIZES; r++)
        for (uint32_t s = 1; s <= SIZES; s++) {
            uint64_t need = akin_threshold_overlap(threshold, r, s);
            assert_overlap(threshold, r, s);
            assert_true(need <= akin_threshold_overlap(threshold, r + 1, s));
            assert_true(need <= akin_threshold_overlap(threshold, r, s + 1));
            for (uint32_t n = 0; n <= r && n <= s; n++)
                assert_int_equal(n >= need, oracle_qualifies(threshold->measure, ratio_of(threshold), r, s, n));
        }
}

/* Nothing in common is never enough, also where a size is 0. */
static void check_none(const akin_threshold *threshold)
{
    for (uint32_t r = 0; r <= SIZES; r++) {
        assert_overlap(threshold, r, 0);
        assert_overlap(threshold, 0, r);
    }
}

static void overlap_is_the_least_that_qualifies(void **state)
{
    (void)state;
    with_each(check_overlap);
    with_each(check_none);
}

static void check_sizes(const akin_threshold *threshold)
{
    for (uint32_t r = 1; r <= SIZES; r++) {
        uint64_t least = akin_threshold_smallest(threshold, r), most = akin_threshold_largest(threshold, r);
        assert_true(least >= 1 && most <= UINT32_MAX);
        for (uint32_t s = 1; s <= REACH; s++) {
            int possible = oracle_qualifies(threshold->measure, ratio_of(threshold), r, s, r < s ? r : s);
            assert_int_equal(s >= least && s <= most, possible);
        }
        if (threshold->measure == AKIN_OVERLAP) {
            assert_true(r < threshold->num ? least > most : most == UINT32_MAX);
            continue;
        }
        assert_true(least <= r && r <= most); /* a set matches itself */
        assert_true(r == 1 || (akin_threshold_smallest(threshold, r - 1) <= least &&
                               akin_threshold_largest(threshold, r - 1) <= most));
    }
}

static void sizes_that_can_match(void **state)
{
    (void)state;
    with_each(check_sizes);
}

static void check_within(const akin_threshold *threshold)
{
    for (uint32_t r = 1; r <= SIZES; r++)
        for (uint32_t n = 0; n <= SIZES + 1; n++) {
            uint64_t most = akin_threshold_largest_within(threshold, r, n);
            assert_true(most <= UINT32_MAX);
            for (uint32_t s = 1; s <= REACH; s++)
                assert_int_equal(s <= most, n > 0 && enough(threshold, r, s, n));
        }
}

static void sizes_that_need_no_more_than(void **state)
{
    (void)state;
    with_each(check_within);
}

/* Of the parts that the bound on the distance is taken into. */
static void check_share(const akin_threshold *threshold)
{
    wide num = threshold->num, den = threshold->den;
    const akin_measure measure = threshold->measure;
    assert_int_equal(akin_rule_divides(threshold->rule),
                     measure == AKIN_JACCARD || measure == AKIN_DICE || measure == AKIN_OVERLAP);
    for (uint32_t r = 1; r <= SIZES && !akin_rule_divides(threshold->rule); r++)
        assert_true(akin_rule_share(threshold->rule, r) == r); /* no bound: all of it */
    if (!akin_rule_divides(threshold->rule))
        return;
    for (uint32_t r = 1; r <= SIZES; r++) {
        int64_t share = akin_rule_share(threshold->rule, r);
        if (threshold->measure == AKIN_OVERLAP)
            assert_true(share == (int64_t)r - threshold->num);
        else
            assert_true(share == (int64_t)(r * (den - num) / (threshold->measure == AKIN_DICE ? den : den + num)));
        assert_true(share >= akin_rule_share(threshold->rule, r - 1));
        for (uint32_t s = 1; s <= REACH; s++) {
            uint64_t need = akin_threshold_overlap(threshold, r, s);
            if (need > r || need > s)
                continue;
            int64_t distance = akin_threshold_distance(threshold, r, s);
            assert_true(distance >= 0 && distance <= share + akin_rule_share(threshold->rule, s) + 1);
        }
    }
}

static void the_distance_taken_apart(void **state)
{
    (void)state;
    with_each(check_share);
}

/* The rule in small numbers, of collections whose largest sets are in reach and of others. */
static void check_small(const akin_threshold *threshold)
{
    static const uint32_t largest[] = {SIZES, SIZES + 1, 2048, 32768};
    for (size_t i = 0; i < COUNT_OF(largest); i++) {
        akin_ratio small = akin_threshold_small(threshold, largest[i]);
        wide num = small.num, den = small.den, most = largest[i];
        if (threshold->measure == AKIN_OVERLAP)
            assert_true(den == 1 && num <= most + 1);
        else
            assert_true(num > 0 && num <= den && den <= (threshold->measure == AKIN_COSINE ? most * most : 2 * most));
        for (uint32_t r = 1; r <= SIZES; r++)
            for (uint32_t s = 1; s <= SIZES; s++)
                for (uint32_t n = 0; n <= r && n <= s; n++) {
                    wide held = threshold->measure == AKIN_COSINE ? n * n : n;
                    int taken = held * den >= num * size_of(threshold->measure, r, s);
                    assert_int_equal(taken, enough(threshold, r, s, n));
                }
    }
}

static void the_rule_in_small_numbers(void **state)
{
    (void)state;
    with_each(check_small);
}

/* The examples that floating point gets wrong: 0.65 and a sum of 33, 0.9 and 0.7 on the threshold itself. */
static void exactly_on_the_threshold(void **state)
{
    (void)state;
    akin_threshold threshold;
    assert_int_equal(akin_threshold_make(AKIN_JACCARD, (akin_ratio){65, 100}, &threshold, NULL), AKIN_OK);
    assert_int_equal(akin_threshold_overlap(&threshold, 16, 17), 13);
    assert_int_equal(akin_threshold_make(AKIN_JACCARD, (akin_ratio){9, 10}, &threshold, NULL), AKIN_OK);
    assert_int_equal(akin_threshold_overlap(&threshold, 9, 10), 9);
    assert_int_equal(akin_threshold_smallest(&threshold, 10), 9);
    assert_int_equal(akin_threshold_largest(&threshold, 9), 10);
    assert_int_equal(akin_threshold_make(AKIN_COSINE, (akin_ratio){7, 10}, &threshold, NULL), AKIN_OK);
    assert_int_equal(akin_threshold_overlap(&threshold, 100, 100), 70);
    assert_int_equal(akin_threshold_smallest(&threshold, 100), 49);
    assert_int_equal(akin_threshold_largest(&threshold, 49), 100);
    assert_int_equal(akin_threshold_make(AKIN_DICE, (akin_ratio){6, 10}, &threshold, NULL), AKIN_OK);
    assert_int_equal(akin_threshold_overlap(&threshold, 5, 5), 3);
    assert_int_equal(akin_threshold_smallest(&threshold, 7), 3);
}

/* ------------------------------------------------------------------------------------------------------ large sizes */

static const uint64_t large[] = {UINT32_MAX,  UINT32_MAX - 1, UINT32_MAX - 6, 4000000000, 3999999999, 2863311531,
                                 2147483648u, 2147483647,     1431655765,     1000000000, 94906265,   94906266,
                                 94906267,    9000000,        65537,          65536,      1000,       1};

static void check_large(const akin_threshold *threshold)
{
    for (size_t i = 0; i < COUNT_OF(large); i++)
        for (size_t j = 0; j < COUNT_OF(large); j++) {
            uint64_t r = large[i], s = large[j], shorter = r < s ? r : s;
            assert_overlap(threshold, r, s);
            int possible =
                oracle_qualifies(threshold->measure, ratio_of(threshold), (uint32_t)r, (uint32_t)s, (uint32_t)shorter);
            assert_int_equal(akin_threshold_overlap(threshold, r, s) <= shorter, possible);
            assert_int_equal(s >= akin_threshold_smallest(threshold, r) && s <= akin_threshold_largest(threshold, r),
                             possible);
            uint64_t most = akin_threshold_largest_within(threshold, r, s);
            assert_true(most <= UINT32_MAX);
            assert_true(most == 0 || enough(threshold, r, most, s));
            assert_true(most == UINT32_MAX || !enough(threshold, r, most + 1, s));
            if (possible && akin_rule_divides(threshold->rule))
                assert_true(akin_threshold_distance(threshold, r, s) <=
                            akin_rule_share(threshold->rule, r) + akin_rule_share(threshold->rule, s) + 1);
        }
}

static void check_large_bounds(const akin_threshold *threshold)
{
    for (size_t i = 0; i < COUNT_OF(large); i++) {
        uint64_t r = large[i], least = akin_threshold_smallest(threshold, r);
        uint64_t most = akin_threshold_largest(threshold, r);
        if (least > most)
            continue;
        assert_true(akin_threshold_overlap(threshold, r, least) <= least);
        assert_true(least == 1 || akin_threshold_overlap(threshold, r, least - 1) > least - 1);
        assert_true(akin_threshold_overlap(threshold, r, most) <= r);
        assert_true(most == UINT32_MAX || akin_threshold_overlap(threshold, r, most + 1) > r);
    }
}

static void sizes_up_to_32_bits(void **state)
{
    (void)state;
    with_each(check_large);
    with_each(check_large_bounds);
}

static void numbers_worked_out_elsewhere(void **state)
{
    (void)state;
    static const struct {
        akin_measure measure;
        akin_ratio ratio;
        uint64_t r, s, overlap, smallest, largest;
    } known[] = {
        {AKIN_JACCARD, {1, 1}, 4294967294, 4294967289, 4294967292, 4294967294, 4294967294},
        {AKIN_JACCARD, {1, 1}, 4294967295, 2863311531, 3579139413, 4294967295, 4294967295},
        {AKIN_JACCARD, {999999999, 1000000000}, 4294967294, 4294967289, 4294967290, 4294967290, 4294967295},
        {AKIN_JACCARD, {999999999, 1000000000}, 4000000000, 3999999999, 3999999998, 3999999996, 4000000004},
        {AKIN_JACCARD, {999999999, 1000000000}, 4294967295, 2863311531, 3579139412, 4294967291, 4294967295},
        {AKIN_JACCARD, {4, 5}, 4294967294, 4294967289, 3817748704, 3435973836, 4294967295},
        {AKIN_JACCARD, {4, 5}, 4294967295, 2863311531, 3181457256, 3435973836, 4294967295},
        {AKIN_JACCARD, {333333333, 1000000000}, 4294967295, 2863311531, 1789569706, 1431655764, 4294967295},
        {AKIN_JACCARD, {1, 1000000000}, 4294967295, 4294967295, 9, 5, 4294967295},
        {AKIN_COSINE, {1, 1}, 4294967294, 4294967289, 4294967292, 4294967294, 4294967294},
        {AKIN_COSINE, {1, 1}, 4294967295, 2863311531, 3506826113, 4294967295, 4294967295},
        {AKIN_COSINE, {999999999, 1000000000}, 4294967294, 4294967289, 4294967288, 4294967286, 4294967295},
        {AKIN_COSINE, {999999999, 1000000000}, 4000000000, 3999999999, 3999999996, 3999999993, 4000000008},
        {AKIN_COSINE, {999999999, 1000000000}, 4294967295, 2863311531, 3506826109, 4294967287, 4294967295},
        {AKIN_COSINE, {4, 5}, 4294967295, 2863311531, 2805460890, 2748779069, 4294967295},
        {AKIN_COSINE, {333333333, 1000000000}, 4294967295, 2863311531, 1168942037, 477218588, 4294967295},
        {AKIN_COSINE, {1, 1000000000}, 4294967295, 4294967295, 5, 1, 4294967295},
        {AKIN_DICE, {1, 1}, 4000000000, 3999999999, 4000000000, 4000000000, 4000000000},
        {AKIN_DICE, {999999999, 1000000000}, 4294967294, 4294967289, 4294967288, 4294967286, 4294967295},
        {AKIN_DICE, {999999999, 1000000000}, 4294967295, 2863311531, 3579139410, 4294967287, 4294967295},
        {AKIN_DICE, {4, 5}, 4294967295, 2863311531, 2863311531, 2863311530, 4294967295},
        {AKIN_DICE, {333333333, 1000000000}, 4294967295, 2863311531, 1193046470, 858993458, 4294967295},
        {AKIN_DICE, {1, 1000000000}, 4294967295, 4294967295, 5, 3, 4294967295},
    };
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        akin_threshold threshold;
        assert_int_equal(akin_threshold_make(known[i].measure, known[i].ratio, &threshold, NULL), AKIN_OK);
        assert_true(akin_threshold_overlap(&threshold, known[i].r, known[i].s) == known[i].overlap);
        assert_true(akin_threshold_smallest(&threshold, known[i].r) == known[i].smallest);
        assert_true(akin_threshold_largest(&threshold, known[i].r) == known[i].largest);
    }
}

/* ------------------------------------------------------------------------------------------------------------ making
 */

static void in_lowest_terms(void **state)
{
    (void)state;
    akin_threshold threshold;
    assert_int_equal(akin_threshold_make(AKIN_DICE, (akin_ratio){8, 10}, &threshold, NULL), AKIN_OK);
    assert_true(threshold.measure == AKIN_DICE && threshold.num == 4 && threshold.den == 5);
    assert_int_equal(akin_threshold_make(AKIN_COSINE, (akin_ratio){4000000000u, 4000000000u}, &threshold, NULL),
                     AKIN_OK);
    assert_true(threshold.num == 1 && threshold.den == 1);
    assert_int_equal(akin_threshold_make(AKIN_OVERLAP, (akin_ratio){30, 10}, &threshold, NULL), AKIN_OK);
    assert_true(threshold.measure == AKIN_OVERLAP && threshold.num == 3 && threshold.den == 1);
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        int measure;
        akin_ratio ratio;
        const char *message;
    } bad[] = {
        {0, {1, 2}, "measure 0"},
        {999, {1, 2}, "measure 999"},
        {-1, {1, 2}, "measure -1"},
        {AKIN_JACCARD, {1, 0}, "denominator"},
        {AKIN_OVERLAP, {0, 0}, "denominator"},
        {AKIN_COSINE, {0, 1}, "above 0"},
        {AKIN_OVERLAP, {0, 7}, "above 0"},
        {AKIN_JACCARD, {11, 10}, "at most 1, not 1.1"},
        {AKIN_COSINE, {UINT32_MAX, 1}, "at most 1"},
        {AKIN_DICE, {2, 1}, "at most 1, not 2"},
        {AKIN_OVERLAP, {5, 2}, "whole number of tokens, not 5/2"},
        {AKIN_OVERLAP, {1, 10}, "whole number"},
        {AKIN_OVERLAP, {1000000001, 1}, "9 digits"},
        {AKIN_JACCARD, {1, 1000000001}, "9 digits"},
        {AKIN_COSINE, {UINT32_MAX - 1, UINT32_MAX}, "9 digits"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        akin_threshold threshold = {.measure = AKIN_DICE, .num = 1, .den = 9};
        akin_error error = {.code = AKIN_OK};
        akin_measure measure;
        memcpy(&measure, &bad[i].measure, sizeof measure);
        assert_int_equal(akin_threshold_make(measure, bad[i].ratio, &threshold, &error), AKIN_E_OPTION);
        assert_int_equal(error.code, AKIN_E_OPTION);
        if (!strstr(error.message, bad[i].message))
            fail_msg("'%s' does not say '%s'", error.message, bad[i].message);
        assert_int_equal(akin_threshold_make(measure, bad[i].ratio, &threshold, NULL), AKIN_E_OPTION);
        assert_true(threshold.measure == AKIN_DICE && threshold.num == 1 && threshold.den == 9);
    }
}

/* ------------------------------------------------------------------------------- forms that no measure has by now */

/* The least n of 1 and more with n den >= num F(r, s). */
static uint64_t least_of_form(akin_measure_form form, akin_ratio ratio, uint64_t r, uint64_t s)
{
    uint64_t size = form == AKIN_FORM_FIRST ? r : form == AKIN_FORM_SECOND ? s : r < s ? r : s, n = 1;
    while (n * ratio.den < ratio.num * size)
        n++;
    return n;
}

#define FORM_SIZES 40

/* What a first set of r tokens may be paired with, against all second sets. */
static void check_form_of(const akin_threshold *t, akin_measure_form form, akin_ratio ratio, uint32_t r)
{
    const akin_threshold turned = akin_threshold_turn(t);
    const uint64_t least = akin_threshold_smallest(t, r), most = akin_threshold_largest(t, r);
    const akin_ratio small = akin_threshold_small(t, 2 * FORM_SIZES);
    for (uint32_t s = 1; s <= 2 * FORM_SIZES; s++) {
        const uint64_t need = least_of_form(form, ratio, r, s), size = akin_rule_size(form, r, s);
        assert_int_equal(akin_threshold_overlap(t, r, s), need);
        assert_int_equal(akin_threshold_overlap(&turned, s, r), need);
        assert_int_equal(s >= least && s <= most, need <= (r < s ? r : s));
        for (uint64_t n = 1; n <= r; n++) {
            assert_int_equal(akin_rule_suffices(t->rule, n, r, s), n >= need);
            assert_int_equal(n * small.den >= small.num * size, n >= need);
            assert_int_equal(s <= akin_threshold_largest_within(t, r, n), need <= n);
        }
    }
}

/* No pair of the sizes that can match may differ in more tokens than a tile lets pass. */
static void check_form_in_tiles(const akin_threshold *t, akin_measure_form form, akin_ratio ratio, uint32_t r)
{
    for (uint32_t smallest = 1; smallest <= FORM_SIZES; smallest += 3)
        for (uint32_t largest = smallest; largest <= 2 * FORM_SIZES; largest += 7) {
            const int64_t bound = akin_tile_distance(t, r, smallest, largest);
            for (uint32_t s = smallest; s <= largest; s++) {
                const uint64_t need = least_of_form(form, ratio, r, s);
                if (need <= (r < s ? r : s))
                    assert_true((int64_t)(r + s) - 2 * (int64_t)need <= bound);
            }
        }
}

static void forms_of_one_size(void **state)
{
    static const akin_ratio ratios[] = {
        {1, 2}, {4, 5}, {1, 1}, {1, 3}, {9, 10}, {1, 1000000000}, {999999999, 1000000000}};
    static const akin_measure_form forms[] = {AKIN_FORM_SMALLER, AKIN_FORM_FIRST, AKIN_FORM_SECOND};
    (void)state;
    for (size_t f = 0; f < COUNT_OF(forms); f++)
        for (size_t i = 0; i < COUNT_OF(ratios); i++) {
            const akin_measure_row row = {.form = forms[f], .times = 1};
            const akin_threshold t = {.num = ratios[i].num,
                                      .den = ratios[i].den,
                                      .rule = akin_measure_rule_of(&row, ratios[i].num, ratios[i].den)};
            assert_false(akin_rule_divides(t.rule));
            for (uint32_t r = 1; r <= FORM_SIZES; r++) {
                check_form_of(&t, forms[f], ratios[i], r);
                check_form_in_tiles(&t, forms[f], ratios[i], r);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlap_is_the_least_that_qualifies),
        cmocka_unit_test(sizes_that_can_match),
        cmocka_unit_test(sizes_that_need_no_more_than),
        cmocka_unit_test(the_distance_taken_apart),
        cmocka_unit_test(the_rule_in_small_numbers),
        cmocka_unit_test(exactly_on_the_threshold),
        cmocka_unit_test(sizes_up_to_32_bits),
        cmocka_unit_test(numbers_worked_out_elsewhere),
        cmocka_unit_test(in_lowest_terms),
        cmocka_unit_test(refused),
        cmocka_unit_test(forms_of_one_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
