/* Probabilities by decoys, of items of which is known whether they are right. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "learn/decoys.h"
#include "unit/test_learn_support.h"

#define MOST     40000
#define MEASURES 3

static double items[MOST * MEASURES], decoys[MOST * MEASURES], found[MOST];
static uint8_t is_right[MOST];

/* About normal, with variance 1. */
static double draw_normal(akin_random *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += (double)akin_random_below(random, 1000001) / 1000000;
    return sum;
}

/* A wrong item looks as a decoy does; of a right one the first measure is higher. The last measure is constant. */
static void draw_item(akin_random *random, double *to, double apart, int right)
{
    to[0] = draw_normal(random) + (right ? apart : 0);
    to[1] = 100 * draw_normal(random);
    to[2] = 7;
}

static void draw(uint64_t seed, uint64_t count, uint64_t decoy_count, double apart, uint64_t percent)
{
    akin_random random;
    akin_random_seed(&random, seed);
    for (uint64_t i = 0; i < count; i++) {
        is_right[i] = akin_random_below(&random, 100) < percent;
        draw_item(&random, items + i * MEASURES, apart, is_right[i]);
    }
    for (uint64_t i = 0; i < decoy_count; i++)
        draw_item(&random, decoys + i * MEASURES, apart, 0);
}

static void run(uint64_t count, uint64_t decoy_count)
{
    akin_context context = context_of(&context, 2);
    akin_account account = {0};
    const akin_decoys given = {MEASURES, items, count, decoys, decoy_count};
    assert_int_equal(akin_decoys_run(&context.scope, &account, &given, found, NULL), AKIN_OK);
    assert_true(account.held == 0);
}

/* Items that reach a probability are as often right as their probabilities say, or more often. */
static void as_often_as_said(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        const uint64_t count = 500 + 300 * seed, decoy_count = seed % 2 ? 4000 : 700;
        draw(seed, count, decoy_count, 3 + (double)(seed % 3), 30 + 7 * seed);
        run(count, decoy_count);
        double said = 0, right = 0, reach = 0, all = 0;
        for (uint64_t i = 0; i < count; i++) {
            assert_true(found[i] > 0 && found[i] < 1);
            all += is_right[i];
            if (found[i] < 0.5)
                continue;
            said += found[i];
            right += is_right[i];
            reach += 1;
        }
        assert_true(reach > 0 && right / reach > said / reach - 0.05); /* precision, */
        assert_true(right / all > 0.7);                                /* and recall */
    }
}

/* What is more alike is more probable, and what says nothing changes little. */
static void by_measures(void **state)
{
    (void)state;
    draw(3, 2000, 2000, 4, 50);
    for (int i = 0; i < 3; i++) {
        items[i * MEASURES] = 3 * i - 1;
        items[i * MEASURES + 1] = 0;
        items[(3 + i) * MEASURES] = 2;
        items[(3 + i) * MEASURES + 1] = 100.0 * (i - 1);
    }
    run(2000, 2000);
    assert_true(found[0] < found[1] && found[1] < found[2] && found[0] < 0.2 && found[2] > 0.85);
    assert_true(fabs(found[3] - found[5]) < 0.15);
}

/* Items that look as decoys do are not probable. */
static void nothing_right(void **state)
{
    uint64_t count = 0;
    (void)state;
    draw(5, 1000, 3000, 0, 0);
    run(1000, 3000);
    for (uint64_t i = 0; i < 1000; i++)
        count += found[i] > 0.9;
    assert_true(count < 20);
}

static void few_and_many(void **state)
{
    (void)state;
    draw(6, 100, 100, 4, 50);
    run(0, 100);
    run(100, 0);
    for (int i = 0; i < 100; i++)
        assert_true(found[i] == 0);
    run(1, 1);
    assert_true(found[0] > 0 && found[0] < 1);
    draw(7, MOST, MOST, 4, 50); /* of which the model sees some */
    run(MOST, MOST);
    uint64_t right = 0, reach = 0;
    for (uint64_t i = 0; i < MOST; i++) {
        right += found[i] >= 0.5 && is_right[i];
        reach += found[i] >= 0.5;
    }
    assert_true(reach > MOST / 3 && (double)right > 0.9 * (double)reach);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_often_as_said), cmocka_unit_test(by_measures),
                                       cmocka_unit_test(nothing_right), cmocka_unit_test(few_and_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
