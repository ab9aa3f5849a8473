/* Weights fitted to answers: against plain gradient descent by the formulas, mistakes among the answers, and whether
 * weights fall anywhere. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "learn/refit.h"
#include "unit/test_sanitizers.h"

#define COMPARISONS 3
#define LEVELS      4
#define PAIRS       60
#define PARAMETERS  (2 + 2 * COMPARISONS * LEVELS)

/* A model, and answers about pairs. */
typedef struct sample {
    akin_level_model models[COMPARISONS];
    akin_fellegi_sunter model;
    uint8_t levels[PAIRS * COMPARISONS], is_match[PAIRS];
    double rarity[PAIRS], given[PAIRS];
    akin_refit refit;
} sample;

static void draw(sample *s, uint64_t seed, uint32_t count)
{
    akin_random random;
    akin_random_seed(&random, seed);
    memset(s, 0, sizeof *s);
    for (uint32_t c = 0; c < COMPARISONS; c++) {
        akin_level_model *m = &s->models[c];
        double weight = -3;
        m->levels = LEVELS;
        m->is_idle = c == 2 && seed % 2 == 0;
        m->is_dependent = c == 1 && seed % 3 == 0;
        m->parent = 0;
        for (uint32_t l = 0; l < LEVELS; l++) {
            weight +=
                l % 2 ? 0 : 3 * akin_random_unit(&random); /* every second level has the weight of the one before */
            m->weights[l] = m->is_idle ? 0 : weight;
            m->weights_given[l] = m->is_idle ? 0 : weight / 2;
        }
    }
    s->model = (akin_fellegi_sunter){.count = COMPARISONS, .comparisons = s->models, .tempering = seed % 2 ? 1 : 0.6};
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < COMPARISONS; c++)
            s->levels[i * COMPARISONS + c] =
                akin_random_below(&random, 6) == 0 ? AKIN_LEVEL_MISSING : (uint8_t)akin_random_below(&random, LEVELS);
        s->is_match[i] = akin_random_below(&random, 2) != 0;
        s->rarity[i] = 2 * akin_random_unit(&random) - 1;
        s->given[i] = -akin_random_unit(&random);
    }
    s->refit = (akin_refit){.prior = -1,
                            .count = count,
                            .levels = s->levels,
                            .rarity = s->rarity,
                            .given = s->given,
                            .is_match = s->is_match};
}

/* ------------------------------------------------------------------------------------------------------------ plain */

/* The numbers of the fit, by formulas: offset, 1 + rareness, then of each comparison the weight at level 0 and steps,
 * without the parent and with it. */
typedef struct plain {
    double values[PARAMETERS], means[PARAMETERS], deviations[PARAMETERS], least[PARAMETERS];
    double factors[PAIRS][PARAMETERS], given[PAIRS];
} plain;

static uint32_t place_of(uint32_t comparison, int is_given, uint32_t level)
{
    return 2 + (2 * comparison + (is_given != 0)) * LEVELS + level;
}

static void begin_plain(const sample *s, plain *p)
{
    memset(p, 0, sizeof *p);
    p->deviations[0] = AKIN_REFIT_OFFSET;
    p->least[0] = -INFINITY;
    p->means[1] = 1;
    p->deviations[1] = AKIN_REFIT_RARENESS;
    for (uint32_t c = 0; c < COMPARISONS; c++)
        for (int is_given = 0; is_given < 2; is_given++)
            for (uint32_t l = 0; l < LEVELS; l++) {
                const double *w = is_given ? s->models[c].weights_given : s->models[c].weights;
                const uint32_t at = place_of(c, is_given, l);
                const double step = s->model.tempering * (l ? w[l] - w[l - 1] : w[0]);
                p->means[at] = step;
                p->least[at] = l ? 0 : -INFINITY;
                p->deviations[at] = s->models[c].is_idle ? AKIN_REFIT_IDLE
                                    : l == 0             ? AKIN_REFIT_FIRST
                                                         : hypot(AKIN_REFIT_STEP, AKIN_REFIT_SHARE * step);
            }
    memcpy(p->values, p->means, sizeof p->values);
    for (uint32_t i = 0; i < s->refit.count; i++) {
        const uint8_t *levels = s->levels + (size_t)i * COMPARISONS;
        p->given[i] = s->refit.prior + s->given[i];
        p->factors[i][0] = 1;
        p->factors[i][1] = s->model.tempering * s->rarity[i];
        for (uint32_t c = 0; c < COMPARISONS; c++) {
            const int is_given = s->models[c].is_dependent && levels[s->models[c].parent] == LEVELS - 1;
            for (uint32_t l = 0; levels[c] != AKIN_LEVEL_MISSING && l <= levels[c]; l++)
                p->factors[i][place_of(c, is_given, l)] = 1;
        }
    }
}

/* The probability of the answer of a pair, if it is no mistake. */
static double likelihood_of(const sample *s, const plain *p, uint32_t pair)
{
    double odds = p->given[pair];
    for (uint32_t k = 0; k < PARAMETERS; k++)
        odds += p->values[k] * p->factors[pair][k];
    return 1 / (1 + exp(s->is_match[pair] ? -odds : odds));
}

/* The probability of an answer. */
static double chance_of(double likelihood)
{
    return (1 - AKIN_REFIT_MISTAKES) * likelihood + AKIN_REFIT_MISTAKES / 2;
}

static double cost_of(const sample *s, const plain *p)
{
    double cost = 0;
    for (uint32_t k = 0; k < PARAMETERS; k++)
        cost += pow((p->values[k] - p->means[k]) / p->deviations[k], 2) / 2;
    for (uint32_t i = 0; i < s->refit.count; i++)
        cost -= log(chance_of(likelihood_of(s, p, i)));
    return cost;
}

/* Projected gradient descent of the cost from the values, step by step. */
static void run_plain(const sample *s, plain *p)
{
    for (int step = 0; step < 60000; step++) {
        double gradient[PARAMETERS];
        for (uint32_t k = 0; k < PARAMETERS; k++)
            gradient[k] = (p->values[k] - p->means[k]) / (p->deviations[k] * p->deviations[k]);
        for (uint32_t i = 0; i < s->refit.count; i++) {
            const double likelihood = likelihood_of(s, p, i), sign = s->is_match[i] ? 1 : -1;
            const double slope = (1 - AKIN_REFIT_MISTAKES) * likelihood * (1 - likelihood) / chance_of(likelihood);
            for (uint32_t k = 0; k < PARAMETERS; k++)
                gradient[k] -= sign * slope * p->factors[i][k];
        }
        for (uint32_t k = 0; k < PARAMETERS; k++)
            p->values[k] = fmax(p->least[k], p->values[k] - 0.005 * gradient[k]);
    }
}

/* Reads the values of a fit. */
static void take_plain(const sample *s, plain *p)
{
    p->values[0] = s->model.offset;
    p->values[1] = 1 + s->model.rareness;
    for (uint32_t c = 0; c < COMPARISONS; c++)
        for (int is_given = 0; is_given < 2; is_given++)
            for (uint32_t l = 0; l < LEVELS; l++) {
                const double *w = is_given ? s->models[c].weights_given : s->models[c].weights;
                p->values[place_of(c, is_given, l)] = s->model.tempering * (l ? w[l] - w[l - 1] : w[0]);
            }
}

static void expect_near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-4))
        fail_msg("%.17g is not near %.17g", found, expected);
}

/* From the fit, plain descent goes nowhere; and it finds nothing better from the model. */
static void fits_are_minima(void **state)
{
    static plain p, from_model;
    static sample s;
    akin_error error;
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        draw(&s, seed, seed == 1 ? 1 : PAIRS);
        begin_plain(&s, &p);
        from_model = p;
        assert_int_equal(akin_refit_run(&s.refit, &s.model, &error), AKIN_OK);
        take_plain(&s, &p);
        const plain fit = p;
        run_plain(&s, &p);
        for (uint32_t k = 0; k < PARAMETERS; k++)
            expect_near(fit.values[k], p.values[k]);
        run_plain(&s, &from_model);
        assert_true(cost_of(&s, &fit) <= cost_of(&s, &from_model) + 1e-6);
    }
}

/* Pairs that are alike are matches, but for one answer. */
static void answer_by_values(sample *s, uint32_t mistake)
{
    for (uint32_t i = 0; i < PAIRS; i++) {
        s->is_match[i] = i % 2;
        s->rarity[i] = 0;
        s->given[i] = i % 2 ? 8 : -8;
        for (uint32_t c = 0; c < COMPARISONS; c++)
            s->levels[i * COMPARISONS + c] = i % 2 ? LEVELS - 1 : 0;
    }
    s->is_match[mistake] ^= 1;
}

/* A mistake is doubted, and changes little: the fit is nearly that without its answer. */
static void a_mistake_is_doubted(void **state)
{
    static sample s, without;
    akin_error error;
    double trust[PAIRS];
    (void)state;
    for (uint32_t mistake = 0; mistake < PAIRS; mistake += PAIRS - 1) {
        draw(&s, 5, PAIRS);
        answer_by_values(&s, mistake);
        s.refit.trust = trust;
        s.refit.prior = 0;
        without = s;
        without.model.comparisons = without.models;
        without.refit.trust = NULL;
        without.refit.count = PAIRS - 1;
        without.refit.is_match = s.is_match + (mistake == 0);
        without.refit.levels = s.levels + (mistake == 0 ? COMPARISONS : 0);
        without.refit.rarity = s.rarity;
        without.refit.given = s.given + (mistake == 0);
        assert_int_equal(akin_refit_run(&s.refit, &s.model, &error), AKIN_OK);
        assert_int_equal(akin_refit_run(&without.refit, &without.model, &error), AKIN_OK);
        for (uint32_t i = 0; i < PAIRS; i++)
            if (!(i == mistake ? trust[i] < 0.1 : trust[i] > 0.9))
                fail_msg("mistake %u: pair %u is trusted by %.4f", mistake, i, trust[i]);
        for (uint32_t c = 0; c < COMPARISONS; c++)
            for (uint32_t l = 0; l < LEVELS; l++)
                assert_true(fabs(s.models[c].weights[l] - without.models[c].weights[l]) < 0.25);
    }
}

/* A single answer that the model takes for impossible is doubted; if all say so, the model was wrong. */
static void many_answers_are_no_mistakes(void **state)
{
    static sample s;
    akin_error error;
    double trust[PAIRS];
    (void)state;
    for (uint32_t count = 1; count <= PAIRS; count += PAIRS - 1) {
        draw(&s, 5, count);
        memset(s.levels, 0, sizeof s.levels);
        memset(s.is_match, 1, sizeof s.is_match);
        s.refit.prior = -15;
        s.refit.trust = trust;
        assert_int_equal(akin_refit_run(&s.refit, &s.model, &error), AKIN_OK);
        for (uint32_t i = 0; i < count; i++)
            assert_true(count == 1 ? trust[i] < 0.5 : trust[i] > 0.9);
    }
}

/* ------------------------------------------------------------------------------------------------------------ rules */

static void weights_do_not_fall(void **state)
{
    static sample s;
    akin_error error;
    (void)state;
    for (uint64_t seed = 10; seed < 40; seed++) {
        draw(&s, seed, PAIRS);
        for (uint32_t i = 0; i < PAIRS; i++) /* the opposite of what similarities say */
            s.is_match[i] = s.levels[i * COMPARISONS] < 2;
        assert_int_equal(akin_refit_run(&s.refit, &s.model, &error), AKIN_OK);
        assert_true(s.model.rareness >= -1);
        for (uint32_t c = 0; c < COMPARISONS; c++)
            for (uint32_t l = 1; l < LEVELS; l++) {
                assert_true(s.models[c].weights[l] >= s.models[c].weights[l - 1]);
                assert_true(s.models[c].weights_given[l] >= s.models[c].weights_given[l - 1]);
            }
    }
}

/* Without answers the model stays as it is. */
static void no_answers_change_nothing(void **state)
{
    static sample s, before;
    akin_error error;
    (void)state;
    draw(&s, 3, 0);
    before = s;
    assert_int_equal(akin_refit_run(&s.refit, &s.model, &error), AKIN_OK);
    for (uint32_t c = 0; c < COMPARISONS; c++)
        for (uint32_t l = 0; l < LEVELS; l++)
            expect_near(s.models[c].weights[l], before.models[c].weights[l]);
    expect_near(s.model.offset, 0);
    expect_near(s.model.rareness, 0);
}

/* Answers that no weights explain end the search all the same. */
static void contradictions_come_to_an_end(void **state)
{
    static sample s;
    akin_error error;
    (void)state;
    draw(&s, 7, PAIRS);
    for (uint32_t i = 1; i < PAIRS; i++)
        memcpy(s.levels + (size_t)i * COMPARISONS, s.levels, COMPARISONS);
    for (uint32_t i = 0; i < PAIRS; i++)
        s.rarity[i] = 1000;
    assert_int_equal(akin_refit_run(&s.refit, &s.model, &error), AKIN_OK);
    assert_true(s.refit.rounds < 2000 && isfinite(s.model.offset) && isfinite(s.model.rareness));
}

static int cancel_second(void *user)
{
    return ++*(uint32_t *)user == 2;
}

/* The caller is asked now and then. */
static void can_be_cancelled(void **state)
{
    static sample s;
    akin_error error;
    uint32_t asked = 0;
    const akin_scope scope = {.threads = 1, .reporter = {.cancel = cancel_second, .user = &asked}};
    (void)state;
    draw(&s, 7, PAIRS);
    s.refit.scope = &scope;
    s.refit.near = 1e-300;
    assert_int_equal(akin_refit_run(&s.refit, &s.model, &error), AKIN_E_CANCELLED);
    assert_int_equal(error.code, AKIN_E_CANCELLED);
    assert_int_equal(asked, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fits_are_minima),
                                       cmocka_unit_test(a_mistake_is_doubted),
                                       cmocka_unit_test(many_answers_are_no_mistakes),
                                       cmocka_unit_test(weights_do_not_fall),
                                       cmocka_unit_test(no_answers_change_nothing),
                                       cmocka_unit_test(contradictions_come_to_an_end),
                                       cmocka_unit_test(can_be_cancelled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
