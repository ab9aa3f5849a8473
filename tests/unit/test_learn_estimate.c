/* Expectation maximization: against one that keeps to the formulas, and whether it finds what pairs were drawn from. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "learn/estimate.h"
#include "unit/test_learn_support.h"
#include "unit/test_sanitizers.h"

#define COMPARISONS 4
#define LEVELS      4

static const double true_m[COMPARISONS][LEVELS] = {
    {0.05, 0.05, 0.2, 0.7}, {0.1, 0.1, 0.2, 0.6}, {0.02, 0.08, 0.1, 0.8}, {0.2, 0.2, 0.2, 0.4}};
static const double true_u[COMPARISONS][LEVELS] = {
    {0.7, 0.2, 0.07, 0.03}, {0.8, 0.15, 0.04, 0.01}, {0.6, 0.3, 0.05, 0.05}, {0.5, 0.3, 0.15, 0.05}};

/* Pairs, and the model that learns from them. */
typedef struct sample {
    akin_level_pairs pairs;
    uint64_t matches;
    double *probabilities;
    akin_level_model comparisons[COMPARISONS];
    akin_fellegi_sunter model;
} sample;

static void expect_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.17g is not near %.17g", found, expected);
}

static uint8_t draw_level(akin_random *random, const double *probabilities)
{
    double at = akin_random_unit(random);
    uint8_t level = 0;
    while (level + 1 < LEVELS && at >= probabilities[level])
        at -= probabilities[level++];
    return level;
}

static void add_drawn_pair(akin_random *random, sample *s, uint32_t left, uint32_t right, int is_match, int missing)
{
    akin_level_pairs *pairs = &s->pairs;
    uint8_t *levels = pairs->levels + pairs->count * COMPARISONS;
    pairs->left[pairs->count] = left;
    pairs->right[pairs->count++] = right;
    s->matches += is_match != 0;
    for (uint32_t c = 0; c < COMPARISONS; c++)
        levels[c] = missing && akin_random_below(random, 8) == 0 ? AKIN_LEVEL_MISSING
                                                                 : draw_level(random, is_match ? true_m[c] : true_u[c]);
}

static void begin_sample(sample *s, uint64_t most, uint32_t left, uint32_t right)
{
    *s = (sample){.pairs = make_level_pairs(most, COMPARISONS, left, right)};
    s->probabilities = calloc(most + 1, sizeof *s->probabilities);
    assert_non_null(s->probabilities);
    for (uint32_t c = 0; c < COMPARISONS; c++) {
        s->comparisons[c].levels = LEVELS;
        memcpy(s->comparisons[c].u, true_u[c], sizeof true_u[c]);
    }
    s->model = (akin_fellegi_sunter){.count = COMPARISONS, .comparisons = s->comparisons};
}

static void clear_sample(sample *s)
{
    clear_level_pairs(&s->pairs);
    free(s->probabilities);
}

/* Pairs of any records, of which one in `each` is a match. */
static void draw_sample(sample *s, uint64_t seed, uint64_t count, uint32_t each)
{
    akin_random random;
    akin_random_seed(&random, seed);
    begin_sample(s, count, 1000, 0);
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t left = (uint32_t)akin_random_below(&random, 999);
        const uint32_t right = left + 1 + (uint32_t)akin_random_below(&random, 999 - left);
        add_drawn_pair(&random, s, left, right, akin_random_below(&random, each) == 0, 1);
    }
    s->pairs.all = count;
}

/* All pairs of two tables, or of one, whose records have one partner each. */
static void draw_partners(sample *s, uint64_t seed, uint32_t rows, uint32_t tables)
{
    akin_random random;
    akin_random_seed(&random, seed);
    begin_sample(s, (uint64_t)rows * rows, rows, tables == 2 ? rows : 0);
    for (uint32_t a = 0; a < rows; a++)
        for (uint32_t b = tables == 2 ? rows : a + 1; b < (tables == 2 ? 2 * rows : rows); b++)
            add_drawn_pair(&random, s, a, b, tables == 2 ? b == a + rows : a % 2 == 0 && b == a + 1, 0);
}

static akin_estimate estimate(sample *s, uint32_t threads, akin_posterior_way way, const akin_estimate *more)
{
    akin_context context = context_of(&context, threads);
    akin_account account = {0};
    akin_error error;
    akin_estimate e = {.scope = &context.scope, .account = &account, .way = way, .pairs = &s->pairs};
    e.random = more ? more->random : NULL;
    e.random_count = more ? more->random_count : 0;
    e.is_fixed = more && more->is_fixed;
    assert_int_equal(akin_estimate_run(&e, &s->model, s->probabilities, &error), AKIN_OK);
    assert_int_equal(account.held, 0);
    e.scope = NULL;
    e.account = NULL;
    return e;
}

/* --------------------------------------------------------------------------------------------------- plain formulas */

/* The same, by formulas. */
typedef struct plain {
    const akin_level_pairs *pairs;
    double expected, m[COMPARISONS][LEVELS];
    double *probabilities;
} plain;

/* m of counts: with two pairs more, and pooled by the formula of minima of maxima. */
static void set_plain_m(double m[LEVELS], const double *u, const double *counts)
{
    double matches[LEVELS], all = 0;
    for (uint32_t l = 0; l < LEVELS; l++) {
        matches[l] = counts[l] + 2 * (l + 1 == LEVELS ? 0.65 : 0.35 / (LEVELS - 1));
        all += matches[l];
    }
    for (uint32_t l = 0; l < LEVELS; l++) {
        double most = -1;
        for (uint32_t first = 0; first <= l; first++) {
            double least = INFINITY;
            for (uint32_t last = l; last < LEVELS; last++) {
                double sum = 0, weight = 0;
                for (uint32_t i = first; i <= last; i++) {
                    sum += matches[i];
                    weight += u[i];
                }
                least = fmin(least, sum / weight);
            }
            most = fmax(most, least);
        }
        m[l] = most * u[l] / all;
    }
}

/* Of a pair: how probable its levels are if it is a match, and if it is none. */
static void weigh(const plain *p, uint64_t pair, double *match, double *other)
{
    *match = *other = 1;
    for (uint32_t c = 0; c < COMPARISONS; c++) {
        const uint8_t level = p->pairs->levels[pair * COMPARISONS + c] & AKIN_LEVEL;
        if (level == AKIN_LEVEL_MISSING)
            continue;
        *match *= p->m[c][level];
        *other *= true_u[c][level];
    }
}

static void expect_plainly(plain *p)
{
    const double share = p->expected / (double)p->pairs->all;
    for (uint64_t i = 0; i < p->pairs->count; i++) {
        double match, other;
        weigh(p, i, &match, &other);
        match *= share * exp((double)p->pairs->rarity[i]);
        p->probabilities[i] = match / (match + (1 - share) * other);
    }
}

/* What odds add to those of other pairs. */
static double counted(double odds)
{
    return odds < 1e-7 ? 0 : odds;
}

/* Odds over those of all pairs that have one of the records, and of no partner. */
static void compete_plainly(const plain *p)
{
    const akin_level_pairs *pairs = p->pairs;
    double *const sums = calloc(pairs->rows[0], sizeof *sums);
    assert_non_null(sums);
    for (uint64_t i = 0; i < pairs->count; i++) {
        p->probabilities[i] /= 1 - p->probabilities[i];
        sums[pairs->left[i]] += counted(p->probabilities[i]);
        sums[pairs->right[i]] += counted(p->probabilities[i]);
    }
    for (uint64_t i = 0; i < pairs->count; i++)
        p->probabilities[i] /= 1 + sums[pairs->left[i]] + sums[pairs->right[i]] - counted(p->probabilities[i]);
    free(sums);
}

static void maximize_plainly(plain *p)
{
    double counts[COMPARISONS][LEVELS] = {{0}};
    p->expected = 0;
    for (uint64_t i = 0; i < p->pairs->count; i++) {
        p->expected += p->probabilities[i];
        for (uint32_t c = 0; c < COMPARISONS; c++) {
            const uint8_t level = p->pairs->levels[i * COMPARISONS + c];
            if (level < LEVELS) /* neither missing nor untaught */
                counts[c][level] += p->probabilities[i];
        }
    }
    for (uint32_t c = 0; c < COMPARISONS; c++)
        set_plain_m(p->m[c], true_u[c], counts[c]);
}

/* The logarithm of the likelihood, with that of the two pairs that each comparison has more. Pairs that are not
 * selected are of two entities. */
static double likelihood(const plain *p)
{
    const double share = p->expected / (double)p->pairs->all;
    double sum = (double)(p->pairs->all - p->pairs->count) * log(1 - share);
    for (uint64_t i = 0; i < p->pairs->count; i++) {
        double match, other;
        weigh(p, i, &match, &other);
        sum += log(share * match + (1 - share) * other);
    }
    for (uint32_t c = 0; c < COMPARISONS; c++)
        for (uint32_t l = 0; l < LEVELS; l++)
            sum += 2 * (l + 1 == LEVELS ? 0.65 : 0.35 / (LEVELS - 1)) * log(p->m[c][l]);
    return sum;
}

static void expect_by(plain *p, akin_posterior_way way)
{
    expect_plainly(p);
    if (way == AKIN_POSTERIOR_COMPETITION)
        compete_plainly(p);
}

/* Runs both, and compares them. `rises`: the likelihood is that of the model. */
static void check_plainly(sample *s, akin_posterior_way way, int rises)
{
    static const double none[LEVELS];
    plain p = {.pairs = &s->pairs, .probabilities = calloc(s->pairs.count + 1, sizeof(double))};
    const akin_estimate e = estimate(s, 2, way, NULL);
    double last = -INFINITY;
    assert_non_null(p.probabilities);
    assert_true(e.rounds > 2);
    p.expected = fmin(s->pairs.rows[0] / 8.0 + 1, (double)s->pairs.all / 2 + 0.5);
    for (uint32_t c = 0; c < COMPARISONS; c++)
        set_plain_m(p.m[c], true_u[c], none);
    for (uint32_t round = 0; round < e.rounds; round++) {
        const double next = likelihood(&p);
        assert_true(!rises || next >= last - 1e-9 * fabs(next));
        last = next;
        expect_by(&p, way);
        maximize_plainly(&p);
    }
    expect_by(&p, way);
    expect_near(s->model.expected, p.expected, 1e-8 * p.expected);
    assert_true(s->model.tempering == 1);
    for (uint32_t c = 0; c < COMPARISONS; c++)
        for (uint32_t l = 0; l < LEVELS; l++)
            expect_near(s->comparisons[c].m[l], p.m[c][l], 1e-8);
    for (uint64_t i = 0; i < s->pairs.count; i++)
        expect_near(s->probabilities[i], p.probabilities[i], 1e-8);
    free(p.probabilities);
}

static void by_formulas(void **state)
{
    sample s;
    (void)state;
    for (uint32_t seed = 1; seed <= 5; seed++) {
        draw_sample(&s, seed, 17000 + seed, 3 * seed);
        check_plainly(&s, AKIN_POSTERIOR_FREE, 1);
        clear_sample(&s);
    }
}

static void competing_by_formulas(void **state)
{
    uint64_t right = 0;
    sample s;
    (void)state;
    draw_partners(&s, 10, 300, 1);
    check_plainly(&s, AKIN_POSTERIOR_COMPETITION, 0);
    for (uint64_t i = 0; i < s.pairs.count; i++)
        right += s.probabilities[i] > 0.5 && s.pairs.left[i] % 2 == 0 && s.pairs.right[i] == s.pairs.left[i] + 1;
    assert_true(right > s.matches / 2);
    clear_sample(&s);
}

static void by_formulas_with_rarity(void **state)
{
    akin_random random;
    sample s;
    (void)state;
    akin_random_seed(&random, 6);
    draw_sample(&s, 6, 9000, 9);
    for (uint64_t i = 0; i < s.pairs.count; i++)
        s.pairs.rarity[i] = (float)(4 * akin_random_unit(&random) - 2);
    check_plainly(&s, AKIN_POSTERIOR_FREE, 0);
    clear_sample(&s);
}

static void copy_rarities(const void *of, const akin_level_pairs *pairs, uint64_t first, uint64_t count, float *rarity)
{
    (void)pairs;
    memcpy(rarity, (const float *)of + first, count * sizeof *rarity);
}

/* Rarity that is found when it is needed is as good as rarity that is there. */
static void rarity_on_demand(void **state)
{
    akin_context context = context_of(&context, 2);
    akin_account account = {0};
    akin_random random;
    akin_error error;
    sample s;
    (void)state;
    akin_random_seed(&random, 6);
    draw_sample(&s, 6, 40000, 9);
    for (uint64_t i = 0; i < s.pairs.count; i++)
        s.pairs.rarity[i] = (float)(4 * akin_random_unit(&random) - 2);
    estimate(&s, 2, AKIN_POSTERIOR_FREE, NULL);
    double *probabilities = malloc(s.pairs.count * sizeof *probabilities);
    float *rarity = s.pairs.rarity;
    assert_non_null(probabilities);
    s.pairs.rarity = NULL;
    const akin_estimate on_demand = {.scope = &context.scope,
                                     .account = &account,
                                     .way = AKIN_POSTERIOR_FREE,
                                     .pairs = &s.pairs,
                                     .rarities = copy_rarities,
                                     .rarities_of = rarity};
    assert_int_equal(akin_estimate_apply(&on_demand, &s.model, probabilities, &error), AKIN_OK);
    assert_memory_equal(probabilities, s.probabilities, s.pairs.count * sizeof *probabilities);
    s.pairs.rarity = rarity;
    free(probabilities);
    clear_sample(&s);
}

/* Pairs that a column itself brought together count by that column, and do not teach it. */
static void untaught_levels(void **state)
{
    akin_random random;
    sample s;
    (void)state;
    akin_random_seed(&random, 7);
    draw_sample(&s, 7, 9000, 9);
    for (uint64_t i = 0; i < s.pairs.count * COMPARISONS; i++)
        if (akin_random_below(&random, 3) == 0)
            s.pairs.levels[i] |= AKIN_LEVEL_UNTAUGHT;
    check_plainly(&s, AKIN_POSTERIOR_FREE, 0);
    clear_sample(&s);
}

/* ------------------------------------------------------------------------------------------------------------ truth */

static void expect_truth(const sample *s, double tolerance)
{
    expect_near(s->model.expected / (double)s->matches, 1, tolerance);
    for (uint32_t c = 0; c < COMPARISONS; c++)
        for (uint32_t l = 0; l < LEVELS; l++)
            expect_near(s->comparisons[c].m[l], true_m[c][l], tolerance);
}

static void finds_the_truth(void **state)
{
    sample s;
    (void)state;
    draw_sample(&s, 8, 100000, 10);
    estimate(&s, 2, AKIN_POSTERIOR_FREE, NULL);
    expect_truth(&s, 0.03);
    clear_sample(&s);
}

/* Where a record has one partner, the partners of others say which one: fewer matches suffice. */
static void finds_partners(void **state)
{
    sample s;
    (void)state;
    draw_partners(&s, 9, 400, 2);
    estimate(&s, 2, AKIN_POSTERIOR_MATCHING, NULL);
    expect_truth(&s, 0.1);
    for (uint32_t a = 0; a < 400; a++) {
        double sum = 0;
        for (uint32_t b = 0; b < 400; b++)
            sum += s.probabilities[400 * a + b];
        assert_true(sum < 1.05); /* partners of a record exclude one another */
    }
    clear_sample(&s);
}

/* ----------------------------------------------------------------------------------------------------------- others */

static void same_for_any_threads(void **state)
{
    static const akin_posterior_way ways[] = {AKIN_POSTERIOR_FREE, AKIN_POSTERIOR_COMPETITION, AKIN_POSTERIOR_MATCHING};
    (void)state;
    for (uint32_t w = 0; w < 3; w++) {
        sample one, more;
        draw_partners(&one, 11, 200, ways[w] == AKIN_POSTERIOR_MATCHING ? 2 : 1);
        const akin_estimate first = estimate(&one, 1, ways[w], NULL);
        for (uint32_t threads = 2; threads <= 5; threads += 3) {
            draw_partners(&more, 11, 200, ways[w] == AKIN_POSTERIOR_MATCHING ? 2 : 1);
            assert_int_equal(estimate(&more, threads, ways[w], NULL).rounds, first.rounds);
            assert_memory_equal(one.probabilities, more.probabilities, one.pairs.count * sizeof(double));
            assert_memory_equal(one.comparisons, more.comparisons, sizeof one.comparisons);
            assert_true(one.model.expected == more.model.expected);
            clear_sample(&more);
        }
        clear_sample(&one);
    }
}

/* Levels at random give the tempering that goes with the weights at the end. */
static void tempered(void **state)
{
    uint8_t levels[COMPARISONS * 1000];
    akin_random random;
    sample s;
    (void)state;
    akin_random_seed(&random, 12);
    for (uint32_t i = 0; i < sizeof levels; i++) /* the first two say the same */
        levels[i] = i % COMPARISONS == 1 ? levels[i - 1] : draw_level(&random, true_u[i % COMPARISONS]);
    draw_sample(&s, 12, 5000, 10);
    estimate(&s, 1, AKIN_POSTERIOR_FREE, &(akin_estimate){.random = levels, .random_count = 1000});
    assert_true(s.model.tempering > 0.5 && s.model.tempering < 0.95);
    assert_true(s.model.tempering == akin_fellegi_sunter_tempering(&s.model, 0, levels, 1000));
    clear_sample(&s);
}

/* m stays that of no counts at all, and the expected number of matches is found. */
static void fixed(void **state)
{
    static const double none[LEVELS];
    sample s;
    (void)state;
    draw_sample(&s, 13, 20000, 10);
    estimate(&s, 1, AKIN_POSTERIOR_FREE, &(akin_estimate){.is_fixed = 1});
    for (uint32_t c = 0; c < COMPARISONS; c++) {
        double m[LEVELS];
        set_plain_m(m, true_u[c], none);
        for (uint32_t l = 0; l < LEVELS; l++)
            expect_near(s.comparisons[c].m[l], m[l], 1e-12);
    }
    expect_near(s.model.expected / (double)s.matches, 1, 0.3);
    clear_sample(&s);
}

static void no_pairs(void **state)
{
    sample s;
    (void)state;
    begin_sample(&s, 0, 5, 0);
    estimate(&s, 2, AKIN_POSTERIOR_FREE, NULL);
    estimate(&s, 2, AKIN_POSTERIOR_COMPETITION, NULL);
    assert_true(s.model.expected == 0.5);
    clear_sample(&s);
}

#define WIDE 22 /* comparisons */
#define TRUE 3  /* records of one entity agree in the first ones, and differ in the others */
#define FEW  10 /* pairs of one entity */

/* Matches that differ in most columns, and strangers that agree in none, or in one. */
static void matches_in_few_columns(void **state)
{
    static akin_level_model comparisons[WIDE];
    static double probabilities[1225];
    akin_context context = context_of(&context, 2);
    akin_account account = {.limit = 0};
    akin_error error;
    (void)state;
    for (uint32_t matches = 0; matches <= FEW; matches += FEW) {
        akin_level_pairs pairs = make_level_pairs(1225, WIDE, 50, 0);
        akin_fellegi_sunter model = {.count = WIDE, .comparisons = comparisons};
        pairs.count = pairs.all;
        for (uint32_t c = 0; c < WIDE; c++)
            comparisons[c] = (akin_level_model){.levels = 2, .u = {0.999, 0.001}};
        for (uint32_t i = 0; i < pairs.count; i++)
            for (uint32_t c = 0; c < TRUE; c++)
                pairs.levels[i * WIDE + c] = i < matches || i % 1000 == 900 + c;
        akin_estimate how = {.scope = &context.scope, .account = &account, .way = AKIN_POSTERIOR_FREE, .pairs = &pairs};
        assert_int_equal(akin_estimate_run(&how, &model, probabilities, &error), AKIN_OK);
        expect_near(model.expected, matches ? FEW : 0.5, 0.5);
        for (uint32_t i = 0; i < pairs.count; i++)
            assert_true(i < matches ? probabilities[i] > 0.9 : probabilities[i] < 0.1);
        clear_level_pairs(&pairs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(by_formulas),
        cmocka_unit_test(competing_by_formulas),
        cmocka_unit_test(by_formulas_with_rarity),
        cmocka_unit_test(rarity_on_demand),
        cmocka_unit_test(untaught_levels),
        cmocka_unit_test(finds_the_truth),
        cmocka_unit_test(finds_partners),
        cmocka_unit_test(tempered),
        cmocka_unit_test(fixed),
        cmocka_unit_test(matches_in_few_columns),
        cmocka_unit_test(no_pairs),
    };
    return RUN_TESTS(tests, 1, NULL, NULL);
}
