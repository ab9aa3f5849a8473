/* A sample of pairs to learn from: drawn as strata say, the same for any number of threads. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "learn/level_sample.h"
#include "unit/test_learn_support.h"

#define COMPARISONS 3
#define LEVELS      4
#define PAIRS       200000

/* A comparison agrees in one pair of 4, 16 or 64, and has no value in one of 5 of the others. */
static uint8_t draw_level(akin_random *random, uint32_t comparison, uint64_t low)
{
    if (akin_random_below(random, (uint64_t)1 << (2 * comparison + 2)) == 0)
        return LEVELS - 1;
    return akin_random_below(random, 5) == 0 ? AKIN_LEVEL_MISSING : (uint8_t)low;
}

/* Few pairs agree in all comparisons. */
static akin_level_pairs draw_pairs(uint64_t count)
{
    akin_level_pairs pairs = make_level_pairs(count, COMPARISONS, 100000, 0);
    akin_random random;
    akin_random_seed(&random, 1);
    for (uint64_t i = 0; i < count; i++) {
        pairs.left[i] = (uint32_t)(i / 4);
        pairs.right[i] = (uint32_t)(i / 4 + 1 + i % 4);
        pairs.rarity[i] = (float)i;
        for (uint32_t c = 0; c < COMPARISONS; c++)
            pairs.levels[i * COMPARISONS + c] = draw_level(&random, c, i % 3);
        if (pairs.levels[i * COMPARISONS] != AKIN_LEVEL_MISSING && i % 7 == 0)
            pairs.levels[i * COMPARISONS] |= AKIN_LEVEL_UNTAUGHT;
    }
    pairs.count = count;
    return pairs;
}

static uint32_t agreeing(const uint8_t *levels)
{
    uint32_t sum = 0;
    for (uint32_t c = 0; c < COMPARISONS; c++)
        sum += (levels[c] & AKIN_LEVEL) == LEVELS - 1;
    return sum;
}

static akin_status sample_with(const akin_level_pairs *pairs, uint32_t threads, uint64_t most, akin_account *account,
                               akin_level_pairs *out)
{
    akin_context context = context_of(&context, threads);
    akin_level_model models[COMPARISONS] = {{.levels = LEVELS}, {.levels = LEVELS}, {.levels = LEVELS}};
    akin_error error;
    return akin_level_sample(&context.scope, account, pairs, models, most, out, &error);
}

/* Every pair of the sample is one of the pairs, in their order, and stands for as many as its stratum has for each. */
static void of_the_pairs(void **state)
{
    akin_level_pairs pairs = draw_pairs(PAIRS), sample = {0};
    akin_account account = {0};
    const uint64_t most = 8000;
    uint64_t all[COMPARISONS + 1] = {0}, drawn[COMPARISONS + 1] = {0};
    double weights = 0;
    (void)state;
    assert_int_equal(sample_with(&pairs, 2, most, &account, &sample), AKIN_OK);
    for (uint64_t i = 0; i < pairs.count; i++)
        all[agreeing(pairs.levels + i * COMPARISONS)]++;
    for (uint64_t i = 0, from = 0; i < sample.count; i++, from++) {
        while (from < pairs.count && (float)from != sample.rarity[i])
            from++;
        assert_true(from < pairs.count);
        assert_true(sample.left[i] == pairs.left[from] && sample.right[i] == pairs.right[from]);
        assert_memory_equal(sample.levels + i * COMPARISONS, pairs.levels + from * COMPARISONS, COMPARISONS);
        const uint32_t stratum = agreeing(sample.levels + i * COMPARISONS);
        drawn[stratum]++;
        weights += (double)sample.weights[i];
    }
    for (uint64_t i = 0; i < sample.count; i++) {
        const uint32_t stratum = agreeing(sample.levels + i * COMPARISONS);
        assert_true(sample.weights[i] == (float)((double)all[stratum] / (double)drawn[stratum]));
    }
    for (uint32_t k = 0; k <= COMPARISONS; k++) { /* four standard deviations */
        const double expected = fmin((double)most / (COMPARISONS + 1), (double)all[k]);
        const double apart = fabs((double)drawn[k] - expected);
        assert_true((double)all[k] > expected ? apart < 4 * sqrt(expected) : drawn[k] == all[k]);
    }
    assert_true(all[COMPARISONS] > 0 && all[COMPARISONS] < most / 4 && all[0] > most);
    assert_true(fabs(weights / (double)pairs.count - 1) < 1e-5);
    akin_level_sample_clear(&sample);
    assert_int_equal(account.held, 0);
    clear_level_pairs(&pairs);
}

static void any_threads(void **state)
{
    akin_level_pairs pairs = draw_pairs(PAIRS), one, other;
    akin_account account = {0};
    (void)state;
    assert_int_equal(sample_with(&pairs, 1, 5000, &account, &one), AKIN_OK);
    for (uint32_t threads = 2; threads <= 5; threads++) {
        assert_int_equal(sample_with(&pairs, threads, 5000, &account, &other), AKIN_OK);
        assert_int_equal(one.count, other.count);
        assert_memory_equal(one.left, other.left, one.count * sizeof *one.left);
        assert_memory_equal(one.right, other.right, one.count * sizeof *one.right);
        assert_memory_equal(one.rarity, other.rarity, one.count * sizeof *one.rarity);
        assert_memory_equal(one.weights, other.weights, one.count * sizeof *one.weights);
        assert_memory_equal(one.levels, other.levels, one.count * COMPARISONS);
        akin_level_sample_clear(&other);
    }
    akin_level_sample_clear(&one);
    clear_level_pairs(&pairs);
}

/* A sample with room for all pairs has them all; of no pairs there is an empty one. */
static void whole(void **state)
{
    (void)state;
    for (uint64_t count = 0; count <= 1000; count += 500) {
        akin_level_pairs pairs = draw_pairs(count), sample;
        akin_account account = {0};
        assert_int_equal(sample_with(&pairs, 2, 1000000, &account, &sample), AKIN_OK);
        assert_int_equal(sample.count, count);
        for (uint64_t i = 0; i < count; i++)
            assert_true(sample.weights[i] == 1);
        akin_level_sample_clear(&sample);
        clear_level_pairs(&pairs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_the_pairs),
        cmocka_unit_test(any_threads),
        cmocka_unit_test(whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
