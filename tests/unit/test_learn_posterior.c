/* Probabilities of pairs from their odds: each way against plain sums, and matchings against all that there are. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "learn/posterior.h"
#include "unit/test_learn_support.h"
#include "unit/test_sanitizers.h"

#define MOST 40 /* pairs of small graphs */

static void expect_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.17g is not near %.17g", found, expected);
}

/* Runs a way `calls` times from the same odds; messages stay from call to call. */
static void run(uint32_t threads, akin_posterior_way way, const akin_level_pairs *pairs, const double *odds,
                uint32_t calls, double *out)
{
    akin_context context = context_of(&context, threads);
    akin_account account = {0};
    akin_posterior posterior = {0};
    akin_error error;
    assert_int_equal(akin_posterior_make(&context.scope, &account, way, pairs, &posterior, &error), AKIN_OK);
    for (uint32_t call = 0; call < calls; call++) {
        memcpy(out, odds, pairs->count * sizeof *out);
        assert_int_equal(akin_posterior_run(&posterior, out, &error), AKIN_OK);
    }
    akin_posterior_clear(&posterior);
    assert_int_equal(account.held, 0);
}

static double draw_odds(akin_random *random, double digits)
{
    return pow(10, digits * (2 * akin_random_unit(random) - 1));
}

/* ------------------------------------------------------------------------------------------------ free, competition */

static void free_pairs(void **state)
{
    const double odds[] = {0, 1, 3, 1e-20, 1e300};
    akin_level_pairs pairs = make_level_pairs(5, 0, 6, 0);
    double out[5];
    (void)state;
    pairs.count = 5;
    run(1, AKIN_POSTERIOR_FREE, &pairs, odds, 1, out);
    assert_true(out[0] == 0 && out[1] == 0.5 && out[2] == 0.75 && out[3] == 1e-20 && out[4] == 1);
    clear_level_pairs(&pairs);
}

/* Each pair of records with a probability of a half, by left and right record. */
static void draw_pairs(akin_random *random, akin_level_pairs *pairs)
{
    const uint32_t left = pairs->rows[0], records = left + pairs->rows[1];
    pairs->count = 0;
    for (uint32_t a = 0; a < left; a++)
        for (uint32_t b = pairs->rows[1] ? left : a + 1; b < records; b++)
            if (akin_random_below(random, 2)) {
                pairs->left[pairs->count] = a;
                pairs->right[pairs->count++] = b;
            }
}

static void competing_pairs(void **state)
{
    akin_level_pairs pairs = make_level_pairs(MOST, 0, 8, 0);
    double odds[MOST], out[MOST];
    akin_random random;
    (void)state;
    akin_random_seed(&random, 1);
    for (int n = 0; n < 200; n++) {
        draw_pairs(&random, &pairs);
        for (uint64_t i = 0; i < pairs.count; i++)
            odds[i] = draw_odds(&random, 6);
        run(1, AKIN_POSTERIOR_COMPETITION, &pairs, odds, 1, out);
        for (uint64_t i = 0; i < pairs.count; i++) {
            double sum = 1; /* of the pair, and of others that have one of its records */
            for (uint64_t k = 0; k < pairs.count; k++)
                if (pairs.left[k] == pairs.left[i] || pairs.left[k] == pairs.right[i] ||
                    pairs.right[k] == pairs.left[i] || pairs.right[k] == pairs.right[i])
                    sum += odds[k];
            expect_near(out[i], odds[i] / sum, 1e-9);
        }
    }
    clear_level_pairs(&pairs);
}

/* --------------------------------------------------------------------------------------------------------- matching */

/* All matchings of the pairs from `at` on, of records that are free. */
typedef struct enumeration {
    const akin_level_pairs *pairs;
    const double *odds;
    uint64_t taken;             /* bits of records */
    double all, with[MOST + 1]; /* products of odds: of all matchings, and of those with a pair */
    uint64_t chosen[MOST];
    uint32_t count;
} enumeration;

static void enumerate(enumeration *e, uint64_t at, double product)
{
    if (at == e->pairs->count) {
        e->all += product;
        for (uint32_t i = 0; i < e->count; i++)
            e->with[e->chosen[i]] += product;
        return;
    }
    const uint64_t both = UINT64_C(1) << e->pairs->left[at] | UINT64_C(1) << e->pairs->right[at];
    enumerate(e, at + 1, product);
    if (e->taken & both)
        return;
    e->taken |= both;
    e->chosen[e->count++] = at;
    enumerate(e, at + 1, product * e->odds[at]);
    e->count--;
    e->taken &= ~both;
}

/* Leaves out pairs that would close a circle. */
static void keep_forest(akin_level_pairs *pairs)
{
    uint32_t labels[64];
    uint64_t kept = 0;
    for (uint32_t r = 0; r < 64; r++)
        labels[r] = r;
    for (uint64_t i = 0; i < pairs->count; i++) {
        const uint32_t a = labels[pairs->left[i]], b = labels[pairs->right[i]];
        if (a == b)
            continue;
        for (uint32_t r = 0; r < 64; r++)
            labels[r] = labels[r] == b ? a : labels[r];
        pairs->left[kept] = pairs->left[i];
        pairs->right[kept++] = pairs->right[i];
    }
    pairs->count = kept;
}

/* The greatest difference, and the sum of all, between what is found and what all matchings come to. */
static double check_matchings(const akin_level_pairs *pairs, const double *odds, double *sum)
{
    enumeration e = {.pairs = pairs, .odds = odds};
    double out[MOST], greatest = 0;
    run(1, AKIN_POSTERIOR_MATCHING, pairs, odds, 60, out);
    enumerate(&e, 0, 1);
    for (uint64_t i = 0; i < pairs->count; i++) {
        const double difference = fabs(out[i] - e.with[i] / e.all);
        greatest = fmax(greatest, difference);
        *sum += difference;
    }
    return greatest;
}

/* On trees belief propagation is exact, however far apart the odds are. */
static void matchings_of_trees(void **state)
{
    akin_level_pairs pairs = make_level_pairs(MOST, 0, 6, 6);
    double odds[MOST], sum = 0;
    akin_random random;
    (void)state;
    akin_random_seed(&random, 2);
    for (int n = 0; n < 300; n++) {
        draw_pairs(&random, &pairs);
        keep_forest(&pairs);
        for (uint64_t i = 0; i < pairs.count; i++)
            odds[i] = draw_odds(&random, n % 3 == 0 ? 1 : n % 3 == 1 ? 5 : 20);
        expect_near(check_matchings(&pairs, odds, &sum), 0, 1e-7); /* faint pairs change no message */
    }
    clear_level_pairs(&pairs);
}

/* A record whose pair is 10^17 times as probable as its other one still tells what the other one comes to. */
static void small_odds_beside_large_ones(void **state)
{
    const double odds[] = {1e17, 5, 1e17}; /* a-x, a-y, b-x */
    akin_level_pairs pairs = make_level_pairs(3, 0, 2, 2);
    double out[3];
    (void)state;
    pairs.count = 3;
    memcpy(pairs.left, (const uint32_t[]){0, 0, 1}, 3 * sizeof *pairs.left);
    memcpy(pairs.right, (const uint32_t[]){2, 3, 2}, 3 * sizeof *pairs.right);
    run(1, AKIN_POSTERIOR_MATCHING, &pairs, odds, 60, out);
    expect_near(out[0], 1.0 / 7, 1e-9);
    expect_near(out[1], 5.0 / 7, 1e-9);
    expect_near(out[2], 6.0 / 7, 1e-9);
    clear_level_pairs(&pairs);
}

/* On graphs with circles it is near. */
static void matchings_of_graphs(void **state)
{
    akin_level_pairs pairs = make_level_pairs(MOST, 0, 4, 4);
    double odds[MOST], sum = 0;
    uint64_t count = 0;
    akin_random random;
    (void)state;
    akin_random_seed(&random, 3);
    for (int n = 0; n < 300; n++) {
        draw_pairs(&random, &pairs);
        for (uint64_t i = 0; i < pairs.count; i++)
            odds[i] = draw_odds(&random, 2);
        count += pairs.count;
        expect_near(check_matchings(&pairs, odds, &sum), 0, 0.2);
    }
    expect_near(sum / (double)count, 0, 0.02);
    clear_level_pairs(&pairs);
}

/* ---------------------------------------------------------------------------------------------------------- threads */

static void same_for_any_threads(void **state)
{
    enum { ROWS = 9000, COUNT = 70000 };
    double *odds = malloc(COUNT * sizeof *odds), *one = malloc(COUNT * sizeof *one), *out = malloc(COUNT * sizeof *out);
    akin_random random;
    (void)state;
    assert_true(odds && one && out);
    akin_random_seed(&random, 4);
    for (uint32_t tables = 1; tables <= 2; tables++) {
        akin_level_pairs pairs = make_level_pairs(COUNT, 0, ROWS, tables == 2 ? ROWS : 0);
        for (uint64_t i = 0; i < COUNT; i++) {
            pairs.left[i] = (uint32_t)(i * (ROWS - 1) / COUNT);
            pairs.right[i] = tables == 2
                                 ? ROWS + (uint32_t)akin_random_below(&random, ROWS)
                                 : pairs.left[i] + 1 + (uint32_t)akin_random_below(&random, ROWS - pairs.left[i] - 1);
            odds[i] = draw_odds(&random, 3);
        }
        pairs.count = COUNT;
        for (int w = 0; w < 2; w++) {
            const akin_posterior_way way = w == 0        ? AKIN_POSTERIOR_FREE
                                           : tables == 1 ? AKIN_POSTERIOR_COMPETITION
                                                         : AKIN_POSTERIOR_MATCHING;
            run(1, way, &pairs, odds, 2, one);
            for (uint32_t threads = 2; threads <= 5; threads += 3) {
                run(threads, way, &pairs, odds, 2, out);
                assert_memory_equal(one, out, COUNT * sizeof *out);
            }
            for (uint64_t i = 0; i < COUNT; i++)
                assert_true(out[i] >= 0 && out[i] <= 1);
        }
        clear_level_pairs(&pairs);
    }
    free(odds);
    free(one);
    free(out);
}

/* ----------------------------------------------------------------------------------------------------------- bounds */

static void no_pairs(void **state)
{
    akin_level_pairs pairs = make_level_pairs(0, 0, 3, 3);
    double none;
    (void)state;
    run(2, AKIN_POSTERIOR_FREE, &pairs, &none, 1, &none);
    run(2, AKIN_POSTERIOR_COMPETITION, &pairs, &none, 1, &none);
    run(2, AKIN_POSTERIOR_MATCHING, &pairs, &none, 1, &none);
    clear_level_pairs(&pairs);
}

/* Odds beyond all bounds stay probabilities. */
static void infinite_odds(void **state)
{
    const double odds[] = {INFINITY, 1e300, 2};
    akin_level_pairs pairs = make_level_pairs(3, 0, 2, 2);
    double out[3];
    (void)state;
    pairs.count = 3;
    memcpy(pairs.left, (const uint32_t[]){0, 0, 1}, 3 * sizeof *pairs.left);
    memcpy(pairs.right, (const uint32_t[]){2, 3, 2}, 3 * sizeof *pairs.right);
    run(1, AKIN_POSTERIOR_FREE, &pairs, odds, 1, out);
    assert_true(out[0] == 1 && out[1] == 1 && out[2] == 2.0 / 3);
    run(1, AKIN_POSTERIOR_COMPETITION, &pairs, odds, 1, out);
    expect_near(out[0], 0.5, 1e-9);
    run(1, AKIN_POSTERIOR_MATCHING, &pairs, odds, 200, out);
    expect_near(out[0], 1.0 / 4, 1e-9); /* a-x, a-y or a-y with b-x, equal odds of a's pairs */
    expect_near(out[1], 3.0 / 4, 1e-9);
    clear_level_pairs(&pairs);
}

static void too_many_pairs(void **state)
{
    akin_context context = context_of(&context, 1);
    const akin_level_pairs pairs = {.count = UINT32_MAX, .tables = 1, .rows = {100000, 0}};
    akin_posterior posterior;
    akin_error error;
    (void)state;
    assert_int_equal(akin_posterior_make(&context.scope, NULL, AKIN_POSTERIOR_COMPETITION, &pairs, &posterior, &error),
                     AKIN_E_LIMIT);
    assert_string_equal(error.message, "4294967295 pairs to learn from: expected fewer than 4294967295");
    akin_posterior_clear(&posterior);
    assert_int_equal(akin_posterior_make(&context.scope, NULL, AKIN_POSTERIOR_FREE, &pairs, &posterior, &error),
                     AKIN_OK);
    akin_posterior_clear(&posterior);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(free_pairs),
        cmocka_unit_test(competing_pairs),
        cmocka_unit_test(matchings_of_trees),
        cmocka_unit_test(matchings_of_graphs),
        cmocka_unit_test(small_odds_beside_large_ones),
        cmocka_unit_test(no_pairs),
        cmocka_unit_test(infinite_odds),
        cmocka_unit_test(too_many_pairs),
    };
    return RUN_TESTS(tests, 1, NULL, NULL);
}
