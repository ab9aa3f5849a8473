/* Shares of right items, against the definition of isotonic regression by means of runs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "learn/right_share.h"

#define ITEMS  60
#define DECOYS 80

typedef struct question {
    double weights[ITEMS], decoys[DECOYS], shares[ITEMS];
    uint64_t items, count;
} question;

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Right items are heavy, wrong ones weigh as decoys do. Some weights are equal. */
static void draw(akin_random *random, question *q, uint64_t right, uint64_t wrong, uint64_t decoys)
{
    *q = (question){.items = right + wrong, .count = decoys};
    for (uint64_t i = 0; i < right; i++)
        q->weights[i] = 6 + (double)akin_random_below(random, 12);
    for (uint64_t i = 0; i < wrong; i++)
        q->weights[right + i] = (double)akin_random_below(random, 10);
    for (uint64_t i = 0; i < decoys; i++)
        q->decoys[i] = (double)akin_random_below(random, 10);
    qsort(q->weights, q->items, sizeof(double), compare_doubles);
    qsort(q->decoys, q->count, sizeof(double), compare_doubles);
}

static void find(question *q, double records, double scale)
{
    akin_account account = {0};
    const akin_weighed_decoys decoys = {q->decoys, q->count, records, scale};
    assert_int_equal(akin_right_share_find(&account, q->weights, q->items, &decoys, q->shares), AKIN_OK);
    assert_int_equal(account.held, 0);
}

/* What each item is before it is made not to fall: 1, less the decoys that weigh at least as much as it and less than
 * the next one. */
static void set_values(const question *q, double without, double scale, double *values)
{
    for (uint64_t i = 0; i < q->items; i++) {
        values[i] = 1;
        for (uint64_t d = 0; d < q->count; d++)
            if (q->decoys[d] >= q->weights[i] && (i + 1 == q->items || q->decoys[d] < q->weights[i + 1]))
                values[i] -= without * scale;
    }
}

static double mean_of(const double *values, uint64_t first, uint64_t last)
{
    double sum = 0;
    for (uint64_t i = first; i <= last; i++)
        sum += values[i];
    return sum / (double)(last - first + 1);
}

/* The isotonic regression at an item: the largest, over first items, of the least mean over last items. */
static double regress_at(const double *values, uint64_t items, uint64_t at)
{
    double largest = -INFINITY;
    for (uint64_t first = 0; first <= at; first++) {
        double least = INFINITY;
        for (uint64_t last = at; last < items; last++)
            least = fmin(least, mean_of(values, first, last));
        largest = fmax(largest, least);
    }
    return largest;
}

/* The shares are those of the share of records without a partner that they themselves give. */
static void expect_fixed_point(const question *q, double records, double scale)
{
    double values[ITEMS], sum = 0;
    for (uint64_t i = 0; i < q->items; i++)
        sum += q->shares[i];
    set_values(q, 1 - fmin(1, sum / records), scale, values);
    for (uint64_t i = 0; i < q->items; i++) {
        const double share = fmax(0, fmin(1, regress_at(values, q->items, i)));
        assert_true(fabs(q->shares[i] - share) < 0.01);
        assert_true(i == 0 || q->shares[i] >= q->shares[i - 1]);
        assert_true(i == 0 || q->weights[i] > q->weights[i - 1] || q->shares[i] == q->shares[i - 1]);
    }
}

static void as_the_definition(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 1);
    for (uint32_t t = 0; t < 300; t++) {
        question q;
        const uint64_t right = akin_random_below(&random, ITEMS / 2), wrong = akin_random_below(&random, ITEMS / 2);
        draw(&random, &q, right, wrong, akin_random_below(&random, DECOYS));
        const double records = (double)(q.items + akin_random_below(&random, 20) + 1);
        find(&q, records, t % 2 ? 1 : 0.5);
        expect_fixed_point(&q, records, t % 2 ? 1 : 0.5);
    }
}

/* Of 50 records with an item each, 20 are right and weigh more than any decoy; each record has a decoy. */
static void apart(void **state)
{
    question q = {.items = 50, .count = 50};
    (void)state;
    for (uint64_t i = 0; i < 50; i++) {
        q.weights[i] = i < 30 ? (double)(i % 10) : 20;
        q.decoys[i] = (double)(i % 10);
    }
    qsort(q.weights, q.items, sizeof(double), compare_doubles);
    qsort(q.decoys, q.count, sizeof(double), compare_doubles);
    find(&q, 50, 1);
    for (uint64_t i = 0; i < 50; i++)
        assert_true(fabs(q.shares[i] - (i < 30 ? 0 : 1)) < 0.02);
}

static void without_decoys(void **state)
{
    akin_random random;
    question q;
    (void)state;
    akin_random_seed(&random, 2);
    draw(&random, &q, 10, 10, 0);
    find(&q, 30, 1);
    for (uint64_t i = 0; i < q.items; i++)
        assert_true(q.shares[i] == 1);
}

static void short_of_memory(void **state)
{
    question q = {.items = 5};
    const akin_weighed_decoys decoys = {q.decoys, 0, 5, 1};
    (void)state;
    for (uint64_t room = 0; room < 5 * 16 + 5 * 8; room += 20) {
        akin_account account = {.limit = room + 1};
        assert_int_equal(akin_right_share_find(&account, q.weights, q.items, &decoys, q.shares), AKIN_E_NOMEM);
        assert_int_equal(account.held, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_definition),
        cmocka_unit_test(apart),
        cmocka_unit_test(without_decoys),
        cmocka_unit_test(short_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
