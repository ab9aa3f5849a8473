/* The decisions about similarities and their averages, against long division, digit by digit. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/random.h"
#include "strings/average.h"

#define TIMES 200000

/* A number from 0 to 1 that is often a simple one, or next to it. */
static double draw_similarity(akin_random *random)
{
    double den = 1 + (double)akin_random_below(random, akin_random_below(random, 2) ? 12 : 1000000);
    double number = (double)akin_random_below(random, (uint64_t)den + 1) / den;
    uint64_t kind = akin_random_below(random, 4);
    number = kind == 0 ? nextafter(number, 2) : kind == 1 ? nextafter(number, -1) : number;
    return number < 0 ? 0 : number > 1 ? 1 : number;
}

static akin_ratio draw_ratio(akin_random *random)
{
    static const uint32_t dens[] = {1, 2, 3, 7, 10, 1000, 1000000000, 999999999};
    uint32_t den = dens[akin_random_below(random, 8)];
    den = akin_random_below(random, 4) ? den : 1 + (uint32_t)akin_random_below(random, AKIN_BILLION);
    return (akin_ratio){(uint32_t)akin_random_below(random, den + (uint64_t)1), den};
}

/* num / den, which is 0 to 1, in units of 10^-9: nine digits, and one up if the rest is half of a unit or more. */
static uint32_t divide_by_hand(akin_u128 num, akin_u128 den)
{
    uint32_t quotient = 0;
    for (int digit = 0; digit < 10; digit++) {
        uint32_t times = 0;
        for (; num >= den; num -= den)
            times++;
        quotient = 10 * quotient + times;
        num *= digit < 9 ? 10 : 2;
    }
    return quotient + (num >= den);
}

/* Units of 2^-40: no other one is nearer. */
static void units(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 1);
    for (int i = 0; i < TIMES; i++) {
        double similarity = draw_similarity(&random), units = similarity * 0x1p40;
        uint64_t own = akin_alike_of(similarity);
        assert_true(fabs((double)own - units) <= 0.5 && (double)own - units > -0.5);
        akin_ratio ratio = draw_ratio(&random);
        akin_u128 twice = (akin_u128)akin_alike_of_ratio(ratio) * 2 * ratio.den, exact = (akin_u128)ratio.num << 41;
        assert_true(twice <= exact + ratio.den && exact < twice + ratio.den);
    }
    assert_int_equal(akin_alike_of(0.49999999999999994 * 0x1p-40), 0); /* to which 0.5 would be added in vain */
    assert_int_equal(akin_alike_of(0x1p-41), 1);
    assert_true(akin_alike_of(1) == AKIN_ALIKE_ONE && akin_alike_of_ratio((akin_ratio){7, 7}) == AKIN_ALIKE_ONE);
    assert_true(akin_alike_of(1.0 / 3) == akin_alike_of_ratio((akin_ratio){1, 3}));
}

/* An average reaches what it is rounded to, and no more, whatever the weights. */
static void boundaries(void **state)
{
    static const uint64_t weights[] = {1, 300000000, 1000000000, 333333333, 100000000000000000};
    akin_random random;
    uint32_t most = 0;
    (void)state;
    akin_random_seed(&random, 2);
    for (int i = 0; i < TIMES; i++) {
        akin_average average = {0};
        akin_u128 sum = 0, all = 0;
        for (uint64_t left = 1 + akin_random_below(&random, 8); left > 0; left--) {
            uint64_t weight = weights[akin_random_below(&random, 5)] + akin_random_below(&random, 3);
            double similarity = draw_similarity(&random);
            akin_average_add(&average, similarity, weight);
            sum += (akin_u128)akin_alike_of(similarity) * weight;
            all += weight;
        }
        uint32_t rounded = divide_by_hand(sum, all << 40);
        most = rounded > most ? rounded : most;
        assert_true(rounded <= AKIN_BILLION);
        assert_true(rounded == 0 || akin_average_reaches(average, rounded));
        assert_false(akin_average_reaches(average, rounded + 1));
        assert_int_equal(akin_average_billionths(average), rounded);
    }
    assert_int_equal(most, AKIN_BILLION);
    assert_int_equal(akin_average_billionths((akin_average){0}), 0);
}

/* Half of a unit is rounded up, and the next smaller number is not: with the largest weights, too. */
static void halves(void **state)
{
    static const uint32_t thresholds[] = {1, 2, 500000000, 999999999, 1000000000};
    (void)state;
    for (int t = 0; t < 5; t++)
        for (uint64_t times = 1; times <= AKIN_WEIGHTS_MOST / 1953125; times = 7 * times + 1) {
            akin_average average = {.weights = 1953125 * times};
            average.sum = (akin_u128)(2 * (uint64_t)thresholds[t] - 1) * times << 30;
            assert_true(akin_average_reaches(average, thresholds[t]));
            average.sum--;
            assert_false(akin_average_reaches(average, thresholds[t]));
        }
    assert_false(akin_average_reaches((akin_average){0}, 1)); /* nothing has no average */
    assert_true(
        akin_average_reaches((akin_average){(akin_u128)AKIN_WEIGHTS_MOST << 40, AKIN_WEIGHTS_MOST}, AKIN_BILLION));
}

static void ratios(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 3);
    for (int i = 0; i < TIMES; i++) {
        akin_ratio ratio = draw_ratio(&random);
        assert_int_equal(akin_billionths_of_ratio(ratio), divide_by_hand(ratio.num, ratio.den));
        double similarity = draw_similarity(&random);
        assert_int_equal(akin_billionths_of(similarity),
                         divide_by_hand((akin_u128)(similarity * 0x1p64), (akin_u128)1 << 64));
    }
    assert_int_equal(akin_billionths_of(2.0 / 3), 666666667);
    assert_int_equal(akin_billionths_of(1), AKIN_BILLION);
    /* The half of a unit lies between these doubles, though the nearest multiple of 2^-40 is the same for both. */
    assert_int_equal(akin_billionths_of(0.1000000005), 100000001);
    assert_int_equal(akin_billionths_of(nextafter(0.1000000005, 0)), 100000000);
}

static void weights(void **state)
{
    (void)state;
    assert_true(akin_weight_of((akin_ratio){1, 1}) == 1000000000 && akin_weight_of((akin_ratio){3, 10}) == 300000000);
    assert_true(akin_weight_of((akin_ratio){1, 1000000000}) == 1);
    assert_true(akin_weight_of((akin_ratio){3, 1500000000}) == 2); /* with a large denominator */
    assert_true(akin_weight_of((akin_ratio){1000000000, 1}) == AKIN_WEIGHTS_MOST);
    assert_true(akin_weight_of((akin_ratio){1000000001, 1}) == 0);
    assert_true(akin_weight_of((akin_ratio){1, 3}) == 0 && akin_weight_of((akin_ratio){1, 2000000000}) == 0);
    assert_true(akin_weight_of((akin_ratio){0, 1}) == 0 && akin_weight_of((akin_ratio){1, 0}) == 0);
}

/* A sum of weights reaches the least one if and only if it is the share of all. */
static void evidence(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 5);
    for (int i = 0; i < TIMES; i++) {
        const akin_ratio share = draw_ratio(&random);
        const uint64_t all = 1 + akin_random_below(&random, i % 2 ? 40 : AKIN_WEIGHTS_MOST);
        const uint64_t least = akin_evidence_of(share, all), drawn = akin_random_below(&random, all + 1);
        const uint64_t sums[] = {least, least - (least > 0), drawn, all};
        assert_true(least <= all);
        for (size_t k = 0; k < sizeof sums / sizeof *sums; k++)
            assert_int_equal(sums[k] >= least, (akin_u128)sums[k] * share.den >= (akin_u128)all * share.num);
    }
    assert_int_equal(akin_evidence_of((akin_ratio){1, 3}, 3 * AKIN_BILLION), AKIN_BILLION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(units),   cmocka_unit_test(boundaries),
                                       cmocka_unit_test(halves),  cmocka_unit_test(ratios),
                                       cmocka_unit_test(weights), cmocka_unit_test(evidence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
