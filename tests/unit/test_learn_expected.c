/* The threshold of the largest expected F1, and that of an expected precision, against each that there is. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "learn/expected.h"
#include "unit/test_learn_support.h"

#define MOST 300

static akin_expected choose(const double *probabilities, uint64_t count, double matches)
{
    akin_context context = context_of(&context, 2);
    akin_account account = {0};
    akin_expected out;
    assert_int_equal(akin_expected_choose(&context.scope, &account, probabilities, count, matches, &out, NULL),
                     AKIN_OK);
    assert_true(account.held == 0 && out.matches == matches);
    return out;
}

/* The expected F1 of the pairs from a threshold on. */
static double f1_from(const double *probabilities, uint64_t count, double matches, double threshold)
{
    double right = 0;
    uint64_t accepted = 0;
    for (uint64_t i = 0; i < count; i++)
        if (probabilities[i] >= threshold) {
            right += probabilities[i];
            accepted++;
        }
    return 2 * right / ((double)accepted + matches);
}

static void check_all(const double *probabilities, uint64_t count, double matches)
{
    const akin_expected out = choose(probabilities, count, matches);
    const double best = f1_from(probabilities, count, matches, out.threshold);
    double right = 0;
    uint64_t accepted = 0;
    for (uint64_t i = 0; i < count; i++) {
        assert_true(f1_from(probabilities, count, matches, probabilities[i]) <= best + 1e-12);
        right += probabilities[i] >= out.threshold ? probabilities[i] : 0;
        accepted += probabilities[i] >= out.threshold;
        /* It accepts those above half of the F1, and no others (Z. C. Lipton, C. Elkan, B. Naryanaswamy, 2014). */
        assert_true(probabilities[i] >= out.threshold ? probabilities[i] >= best / 2 - 1e-12
                                                      : probabilities[i] <= best / 2 + 1e-12);
    }
    assert_int_equal(out.accepted, accepted);
    assert_true(accepted > 0 && fabs(out.right - right) < 1e-9);
}

static void any_probabilities(void **state)
{
    double probabilities[MOST], matches = 0;
    akin_random random;
    (void)state;
    akin_random_seed(&random, 1);
    for (uint32_t n = 0; n < 400; n++) {
        const uint64_t count = 1 + akin_random_below(&random, MOST);
        matches =
            akin_random_below(&random, 2) ? 0 : 10 * akin_random_unit(&random); /* in pairs that cannot be found */
        for (uint64_t i = 0; i < count; i++) {
            const double unit = akin_random_unit(&random);
            probabilities[i] = n % 3 == 0 ? floor(8 * unit) / 8 : n % 3 == 1 ? unit : pow(unit, 9);
            matches += probabilities[i];
        }
        check_all(probabilities, count, matches);
    }
}

/* The least threshold of all whose pairs have the precision. */
static void check_precise(const double *probabilities, uint64_t count, double precision)
{
    akin_context context = context_of(&context, 2);
    akin_account account = {0};
    akin_expected out;
    double least = 2;
    uint64_t most = 0;
    for (uint64_t i = 0; i < count; i++) {
        double right = 0;
        uint64_t accepted = 0;
        for (uint64_t k = 0; k < count; k++)
            if (probabilities[k] >= probabilities[i]) {
                right += probabilities[k];
                accepted++;
            }
        if (right / (double)accepted >= precision && probabilities[i] < least) {
            least = probabilities[i];
            most = accepted;
        }
    }
    assert_int_equal(
        akin_expected_choose_precise(&context.scope, &account, probabilities, count, 9, precision, &out, NULL),
        AKIN_OK);
    assert_true(account.held == 0 && out.matches == 9);
    assert_int_equal(out.accepted, most);
    assert_true(out.threshold == (most > 0 ? least : 1));
    assert_true(most == 0 || out.right >= precision * (double)most * (1 - 1e-12));
}

static void any_precision(void **state)
{
    double probabilities[MOST];
    akin_random random;
    (void)state;
    akin_random_seed(&random, 2);
    for (uint32_t n = 0; n < 300; n++) {
        const uint64_t count = akin_random_below(&random, MOST);
        for (uint64_t i = 0; i < count; i++) /* sums of such numbers are exact */
            probabilities[i] = floor((n % 2 ? 64 : 4096) * pow(akin_random_unit(&random), n % 5)) / (n % 2 ? 64 : 4096);
        check_precise(probabilities, count, akin_random_unit(&random));
        check_precise(probabilities, count, 1);
        check_precise(probabilities, count, 0.75);
    }
}

/* Pairs of one probability are accepted together, and of two thresholds with one F1 the higher one is taken. */
static void ties(void **state)
{
    const double equal[] = {0.5, 0.5, 0.5}, two[] = {1, 0.5, 0.5};
    (void)state;
    assert_true(choose(equal, 3, 1.5).threshold == 0.5);
    assert_int_equal(choose(equal, 3, 1.5).accepted, 3);
    assert_int_equal(choose(two, 1, 1).accepted, 1);
    assert_int_equal(choose(two, 3, 2).accepted, 3); /* 2 / 3 of one pair, 4 / 5 of three */
    const double half[] = {0.5, 1};                  /* 2 / 3 with two matches: of one pair, and 3 / 4 of both */
    assert_true(choose(half, 2, 2).threshold == 0.5);
    const double third[] = {1, 0.25}; /* one pair of 3 matches: 2 / 4; both: 2.5 / 5 */
    assert_true(choose(third, 2, 3).threshold == 1);
    check_precise(two, 3, 0.75); /* which 2 of 3 would have */
}

static void nothing_to_find(void **state)
{
    const double zeros[] = {0, 0};
    (void)state;
    assert_int_equal(choose(NULL, 0, 0).accepted, 0);
    assert_true(choose(NULL, 0, 3).threshold == 1);
    assert_true(choose(zeros, 2, 0).right == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_probabilities), cmocka_unit_test(any_precision),
                                       cmocka_unit_test(ties), cmocka_unit_test(nothing_to_find)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
