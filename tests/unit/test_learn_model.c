/* The model of Fellegi and Sunter: its logarithms, the probabilities of levels, the weights, the tempering. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/random.h"
#include "learn/fellegi_sunter.h"

static int is_near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fmax(1, fabs(b));
}

/* ------------------------------------------------------------------------------------------------------- logarithms */

static void check_logarithm(double x)
{
    const double expected = log(x), found = akin_logarithm_of(x);
    if (fabs(found - expected) > 1e-14 * fabs(expected))
        fail_msg("ln %a = %a, not %a", x, expected, found);
}

static void logarithms(void **state)
{
    static const double numbers[] = {DBL_MIN,
                                     DBL_MAX,
                                     1,
                                     2,
                                     1.5,
                                     0.75,
                                     0.5,
                                     1e-300,
                                     1e300,
                                     1 + DBL_EPSILON,
                                     1 - DBL_EPSILON / 2,
                                     1.4999999999999998,
                                     1.5000000000000002};
    akin_random random;
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        check_logarithm(numbers[i]);
    akin_random_seed(&random, 1);
    for (int e = -1022; e <= 1023; e++)
        for (int i = 0; i < 50; i++)
            check_logarithm(ldexp(1 + akin_random_unit(&random), e));
    for (uint64_t k = 1; k < 1000; k++) /* that of integers is the same function */
        assert_true(akin_logarithm(k) == akin_logarithm_of((double)k));
}

/* ----------------------------------------------------------------------------------------------------------- levels */

static void draw_counts(akin_random *random, uint32_t levels, double counts[AKIN_LEVELS_MOST])
{
    for (uint32_t l = 0; l < levels; l++)
        counts[l] = akin_random_below(random, 4) == 0 ? 0 : akin_random_unit(random) * (double)(1 << 2 * l % 9);
}

/* Of many numbers they are those of each, bit by bit. */
static void many_exponentials(void **state)
{
    double many[203];
    akin_random random;
    (void)state;
    akin_random_seed(&random, 2);
    for (uint64_t count = 0; count <= 203; count += 29) {
        double one[203];
        for (uint64_t i = 0; i < count; i++)
            many[i] = (akin_random_unit(&random) - 0.5) * (i % 7 == 0 ? 3000 : 80);
        if (count > 2)
            many[1] = 0;
        for (uint64_t i = 0; i < count; i++)
            one[i] = akin_exponential(many[i]);
        akin_exponentials(many, count);
        if (count > 0)
            assert_memory_equal(many, one, count * sizeof *one);
    }
}

static void u_from_counts(void **state)
{
    const double counts[] = {97, 1.5, 0, 0};
    akin_level_model model = {.levels = 4};
    (void)state;
    akin_level_model_set_u(&model, counts, 0.5);
    assert_true(is_near(model.u[0], 97.5 / 100.5, 1e-15));
    assert_true(is_near(model.u[1], 2.0 / 100.5, 1e-15));
    assert_true(is_near(model.u[2], 0.5 / 100.5, 1e-15));
    assert_true(model.u[3] == model.u[2]);
}

/* The isotonic regression of matches / u with the weights u, by the formula of minima of maxima. */
static double pooled(uint32_t levels, const double *matches, const double *u, uint32_t at)
{
    double most = -1;
    for (uint32_t first = 0; first <= at; first++) {
        double least = INFINITY;
        for (uint32_t last = at; last < levels; last++) {
            double sum = 0, weight = 0;
            for (uint32_t l = first; l <= last; l++) {
                sum += matches[l];
                weight += u[l];
            }
            least = sum / weight < least ? sum / weight : least; /* gcc 12 fails at fmin for AArch64 */
        }
        most = least > most ? least : most;
    }
    return most;
}

static void check_m(akin_random *random, uint32_t levels)
{
    akin_level_model model = {.levels = levels};
    double counts[AKIN_LEVELS_MOST] = {0}, matches[AKIN_LEVELS_MOST], all = 0, sum = 0;
    draw_counts(random, levels, counts);
    akin_level_model_set_u(&model, counts, 0.5);
    draw_counts(random, levels, counts);
    akin_level_model_set_m(&model, counts);
    for (uint32_t l = 0; l < levels; l++) {
        matches[l] = counts[l] + 2 * (l + 1 == levels ? 0.65 : 0.35 / (levels - 1));
        all += matches[l];
    }
    for (uint32_t l = 0; l < levels; l++) {
        const double ratio = pooled(levels, matches, model.u, l) / all;
        assert_true(is_near(model.m[l], ratio * model.u[l], 1e-12));
        assert_true(is_near(model.weights[l], log(ratio), 1e-12));
        assert_true(l == 0 || model.weights[l] >= model.weights[l - 1]);
        sum += model.m[l];
    }
    assert_true(is_near(sum, 1, 1e-12));
}

static void m_is_pooled(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 2);
    for (int i = 0; i < 3000; i++)
        check_m(&random, 2 + (uint32_t)akin_random_below(&random, AKIN_LEVELS_MOST - 1));
}

static void idle_comparisons_weigh_nothing(void **state)
{
    akin_level_model model = {.levels = 3, .is_idle = 1, .u = {0.5, 0.3, 0.2}, .weights = {1, 2, 3}};
    (void)state;
    akin_level_model_set_m(&model, (const double[]){1, 2, 30});
    for (uint32_t l = 0; l < 3; l++)
        assert_true(model.weights[l] == 0);
}

/* ------------------------------------------------------------------------------------------------------ whole pairs */

static void weights_of_pairs(void **state)
{
    akin_level_model comparisons[] = {{.levels = 2, .weights = {-1, 2}}, {.levels = 3, .weights = {-4, 0.5, 8}}};
    const akin_fellegi_sunter model = {.count = 2, .comparisons = comparisons};
    (void)state;
    assert_true(akin_level_weights(&model, (const uint8_t[]){0, 2}) == 7);
    assert_true(akin_level_weights(&model, (const uint8_t[]){1 | AKIN_LEVEL_UNTAUGHT, 1}) == 2.5);
    assert_true(akin_level_weights(&model, (const uint8_t[]){AKIN_LEVEL_MISSING, 0}) == -4);
    assert_true(akin_level_weights(&model, (const uint8_t[]){AKIN_LEVEL_MISSING, AKIN_LEVEL_MISSING}) == 0);
}

static void prior(void **state)
{
    akin_fellegi_sunter model = {.expected = 5};
    (void)state;
    assert_true(is_near(akin_fellegi_sunter_prior(&model, 100), 5.0 / 95, 1e-15));
    model.expected = 80; /* half of all pairs at most */
    assert_true(akin_fellegi_sunter_prior(&model, 100) == 1);
}

#define DRAWN 500

static double covariance(const double *a, const double *b)
{
    double of_a = 0, of_b = 0, sum = 0;
    for (uint32_t i = 0; i < DRAWN; i++) {
        of_a += a[i] / DRAWN;
        of_b += b[i] / DRAWN;
    }
    for (uint32_t i = 0; i < DRAWN; i++)
        sum += (a[i] - of_a) * (b[i] - of_b) / DRAWN;
    return sum;
}

/* The variances on the diagonal of the matrix of covariances, over all that is in it. */
static double tempered(const akin_fellegi_sunter *model, const uint8_t *levels)
{
    static double values[3][DRAWN];
    double diagonal = 0, all = 0;
    for (uint32_t i = 0; i < DRAWN; i++)
        for (uint32_t c = 0; c < 3; c++) {
            const uint8_t level = levels[3 * i + c] & AKIN_LEVEL;
            values[c][i] = level == AKIN_LEVEL_MISSING ? 0 : model->comparisons[c].weights[level];
        }
    for (uint32_t a = 0; a < 3; a++)
        for (uint32_t b = 0; b < 3; b++) {
            all += covariance(values[a], values[b]);
            diagonal += a == b ? covariance(values[a], values[a]) : 0;
        }
    return diagonal > 0 && all > diagonal ? diagonal / all : 1;
}

static void tempering(void **state)
{
    akin_level_model comparisons[3] = {{.levels = 0}};
    const akin_fellegi_sunter model = {.count = 3, .comparisons = comparisons};
    static uint8_t levels[3 * DRAWN];
    akin_random random;
    int below = 0, one = 0;
    (void)state;
    akin_random_seed(&random, 3);
    for (uint32_t way = 0; way < 300; way++) {
        for (uint32_t c = 0; c < 3; c++)
            for (uint32_t l = 0; l < 4; l++)
                comparisons[c].weights[l] = l * (akin_random_unit(&random) - (way % 3 == 2 && c == 1));
        for (uint32_t i = 0; i < 3 * DRAWN; i++) /* columns that say the same, more or less often */
            levels[i] =
                i % 3 > 0 && akin_random_below(&random, 10) < way % 10
                    ? levels[i - 1]
                    : (uint8_t)(akin_random_below(&random, 9) ? akin_random_below(&random, 4) : AKIN_LEVEL_MISSING);
        const double found = akin_fellegi_sunter_tempering(&model, 0, levels, DRAWN);
        assert_true(is_near(found, tempered(&model, levels), 1e-9));
        below += found < 1;
        one += found == 1;
    }
    assert_true(below > 50 && one > 20);
    assert_true(akin_fellegi_sunter_tempering(&model, 0, levels, 0) == 1);
    memset(levels, 0, sizeof levels); /* no evidence varies */
    assert_true(akin_fellegi_sunter_tempering(&model, 0, levels, DRAWN) == 1);
}

/* Pairs of one entity, which agree everywhere, do not count: strangers give the tempering. */
static void tempering_of_strangers(void **state)
{
    akin_level_model comparisons[3];
    const akin_fellegi_sunter model = {.count = 3, .comparisons = comparisons};
    static uint8_t levels[3 * (DRAWN + 2)];
    akin_random random;
    (void)state;
    akin_random_seed(&random, 5);
    for (uint32_t c = 0; c < 3; c++)
        comparisons[c] = (akin_level_model){.levels = 3, .weights = {-9, -8, 20}};
    for (uint32_t i = 0; i < 3 * DRAWN; i++)
        levels[i] = i % 3 == 1 ? levels[i - 1] : (uint8_t)akin_random_below(&random, 2);
    memset(levels + 3 * DRAWN, 2, 6);
    const double strangers = akin_fellegi_sunter_tempering(&model, 0, levels, DRAWN);
    assert_true(strangers > 0.5 && strangers < 0.8);
    assert_true(is_near(akin_fellegi_sunter_tempering(&model, 0.001, levels, DRAWN + 2), strangers, 1e-9));
    assert_true(akin_fellegi_sunter_tempering(&model, 0, levels, DRAWN + 2) < 0.4);
}

/* Three comparisons that say the same count as one. */
static void copies_count_once(void **state)
{
    akin_level_model comparisons[3];
    const akin_fellegi_sunter model = {.count = 3, .comparisons = comparisons};
    static uint8_t levels[3 * DRAWN];
    (void)state;
    for (uint32_t c = 0; c < 3; c++)
        comparisons[c] = (akin_level_model){.levels = 2, .weights = {-2, 5}};
    for (uint32_t i = 0; i < 3 * DRAWN; i++)
        levels[i] = i / 3 % 7 == 0;
    assert_true(is_near(akin_fellegi_sunter_tempering(&model, 0, levels, DRAWN), 1.0 / 3, 1e-9));
}

/* Of 100 pairs that agree in a parent, 60 agree here; matches take no more of them than the share of strangers allows,
 * and as large a part at each level. */
static void strangers_stay_strangers(void **state)
{
    static const double matches[] = {20, 60};
    static const double strange[] = {0, 0.75, 1};
    (void)state;
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        akin_level_model model = {.levels = 2,
                                  .u = {0.9, 0.1},
                                  .is_dependent = 1,
                                  .agreeing = 100,
                                  .strange = strange[i],
                                  .shares = {0.4, 0.6}};
        const double part = 1 - strange[i], more = 0.05 * 100 + 10;
        const double strangers[] = {40 - part * 20, 60 - part * 60};
        akin_level_model_set_given(&model, matches);
        for (uint32_t l = 0; l < 2; l++)
            assert_true(is_near(model.u_given[l],
                                (strangers[l] + more * model.u[l]) / (strangers[0] + strangers[1] + more), 1e-12));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_exponentials),
        cmocka_unit_test(logarithms),
        cmocka_unit_test(u_from_counts),
        cmocka_unit_test(m_is_pooled),
        cmocka_unit_test(idle_comparisons_weigh_nothing),
        cmocka_unit_test(weights_of_pairs),
        cmocka_unit_test(prior),
        cmocka_unit_test(tempering),
        cmocka_unit_test(tempering_of_strangers),
        cmocka_unit_test(copies_count_once),
        cmocka_unit_test(strangers_stay_strangers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
