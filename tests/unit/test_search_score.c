/* Scores of similarities (src/search/score.h): they order objects as fractions do, determine counts, and are distinct
 * where that is claimed. And the best of objects that a GPU has counted. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "base/sort.h"
#include "search/score.h"
#include "search/similar.h"
#include "sets/measure.h"

typedef akin_u128 wide;

/* The measures by their definitions: their squares. Cosine's is a fraction, too. */
static void fraction(int measure, uint32_t query, uint32_t size, uint32_t count, uint64_t *above, uint64_t *below)
{
    *above = measure == 0 ? count : measure == 1 ? 2 * (uint64_t)count : (uint64_t)count * count;
    *below = measure == 0   ? (uint64_t)query + size - count
             : measure == 1 ? (uint64_t)query + size
                            : (uint64_t)query * size;
}

static int compare(int measure, uint32_t query, const uint32_t a[2], const uint32_t b[2])
{
    uint64_t above[2], below[2];
    fraction(measure, query, a[0], a[1], &above[0], &below[0]);
    fraction(measure, query, b[0], b[1], &above[1], &below[1]);
    const wide left = (wide)above[0] * below[1], right = (wide)above[1] * below[0];
    return (left > right) - (left < right);
}

static int sign(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

/* Of all small sets. */
static void small_sets(void **state)
{
    (void)state;
    for (int measure = 0; measure < 3; measure++)
        for (uint32_t query = 1; query <= 9; query++)
            for (uint32_t i = 0; i < 400; i++)
                for (uint32_t j = 0; j < 400; j++) {
                    const uint32_t a[2] = {1 + i / 20, 1 + i % 20}, b[2] = {1 + j / 20, 1 + j % 20};
                    if (a[1] > a[0] || a[1] > query || b[1] > b[0] || b[1] > query)
                        continue;
                    const uint32_t scores[2] = {akin_score_of(measure == 2, query, a[0], a[1]),
                                                akin_score_of(measure == 2, query, b[0], b[1])};
                    assert_int_equal(sign(scores[0], scores[1]), compare(measure, query, a, b));
                    assert_true(akin_score_tells(measure == 2, query, 20, scores[0]));
                    assert_int_equal(akin_score_count(measure == 2, query, a[0], scores[0]), a[1]);
                    assert_true(akin_score_least(query, scores[0]) <= a[1]);
                }
}

/* The integer part of 2^32 times the fraction, of sets of any size. Unlike ones have distinct scores where that is
 * claimed. */
static void any_sets(void **state)
{
    akin_random random;
    uint64_t told = 0, equal = 0;
    (void)state;
    akin_random_seed(&random, 1);
    for (int i = 0; i < 300000; i++) {
        const int measure = i % 3;
        const uint32_t is_cosine = measure == 2;
        const uint32_t most = (uint32_t)1 << (1 + akin_random_below(&random, 31));
        const uint32_t query = 1 + (uint32_t)akin_random_below(&random, most);
        uint32_t sets[2][2], scores[2];
        for (int s = 0; s < 2; s++) {
            uint64_t above, below;
            uint32_t *own = sets[s];
            own[0] = s && i % 2 ? sets[0][0] : 1 + (uint32_t)akin_random_below(&random, most);
            const uint32_t least = own[0] < query ? own[0] : query;
            own[1] =
                s && sets[0][1] < least && i % 2 ? sets[0][1] + 1 : 1 + (uint32_t)akin_random_below(&random, least);
            scores[s] = akin_score_of(is_cosine, query, own[0], own[1]);
            fraction(is_cosine ? 2 : 0, query, own[0], own[1], &above, &below);
            const wide exact = ((wide)above << 32) / below;
            assert_int_equal(scores[s], exact < 1 ? 1 : exact > AKIN_SCORE_MOST ? AKIN_SCORE_MOST : (uint32_t)exact);
            assert_true(akin_score_least(query, scores[s]) <= own[1]);
            const uint32_t count = akin_score_count(is_cosine, query, own[0], scores[s]);
            assert_true(count == own[1] || count == 0);
            assert_true(count > 0 || (uint64_t)own[0] + query > 65536);
        }
        const int order = compare(measure, query, sets[0], sets[1]);
        assert_true(scores[0] == scores[1] || sign(scores[0], scores[1]) == order);
        if (scores[0] == scores[1] && order != 0) {
            equal++;
            assert_false(akin_score_tells(is_cosine, query, most, scores[0]));
        }
        told += (uint64_t)akin_score_tells(is_cosine, query, most, scores[0]);
    }
    assert_true(told > 1000 && equal > 100);
}

/* A damaged file may say that an object has no keyword, and nevertheless list it: such a fraction has no value. */
static void sizes_of_0(void **state)
{
    (void)state;
    assert_int_equal(akin_score_of(1, 5, 0, 3), AKIN_SCORE_MOST);
    assert_int_equal(akin_score_of(1, 0, 5, 3), AKIN_SCORE_MOST);
    assert_int_equal(akin_score_of(0, 3, 0, 3), AKIN_SCORE_MOST);
}

#define OBJECTS 40

/* Whether object a is better than b: more similar, or as similar and before it. */
static int is_better(const akin_similar *similar, uint64_t a, uint64_t b)
{
    const uint32_t left[2] = {similar->sizes[(uint32_t)a], (uint32_t)(a >> 32)},
                   right[2] = {similar->sizes[(uint32_t)b], (uint32_t)(b >> 32)};
    const int order = compare(similar->form == AKIN_FORM_PRODUCT ? 2 : 0, similar->query_sizes[1], left, right);
    return order > 0 || (order == 0 && (uint32_t)a < (uint32_t)b);
}

/* The best of objects are the same in whatever order they come, of equally similar ones the first rows. */
static void best_of_any_order(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 3);
    for (int i = 0; i < 3000; i++) {
        uint32_t sizes[OBJECTS], query_sizes[2] = {99, 1 + (uint32_t)akin_random_below(&random, 6)};
        uint64_t keys[OBJECTS], best[OBJECTS];
        const uint32_t count = (uint32_t)akin_random_below(&random, OBJECTS + 1);
        const akin_similar similar = {.sizes = sizes,
                                      .query_sizes = query_sizes,
                                      .form = i % 2 ? AKIN_FORM_SUM : AKIN_FORM_PRODUCT,
                                      .k = 1 + (uint32_t)akin_random_below(&random, 10)};
        for (uint32_t k = 0; k < count; k++) {
            const uint64_t at = akin_random_below(&random, k + 1);
            sizes[k] = 1 + (uint32_t)akin_random_below(&random, 6);
            const uint32_t most = sizes[k] < query_sizes[1] ? sizes[k] : query_sizes[1];
            keys[k] = keys[at];
            keys[at] = (1 + akin_random_below(&random, most)) << 32 | k;
        }
        const uint32_t found = akin_similar_best(&similar, 1, keys, count, best);
        assert_int_equal(found, count < similar.k ? count : similar.k);
        for (uint32_t k = 0; k < count; k++) {
            uint32_t place = 0; /* how many are better */
            for (uint32_t other = 0; other < count; other++)
                place += (uint32_t)is_better(&similar, keys[other], keys[k]);
            assert_true(place >= found || best[place] == keys[k]);
        }
    }
}

/* A measure that searches rank by has a form that kernels have scores for. */
static void measures_of_searches(void **state)
{
    const akin_choice *row;
    uint32_t searched = 0;
    (void)state;
    for (uint32_t i = 0; (row = akin_choices("measures", i)); i++) {
        const akin_measure_form form = akin_measure_of((akin_measure)row->value)->form;
        if (row->capabilities & AKIN_FOR_SEARCH) {
            assert_true(form == AKIN_FORM_SUM || form == AKIN_FORM_PRODUCT);
            searched++;
        }
    }
    assert_true(searched >= 3);
}

/* Ranks order sets as the similarities of every measure do. */
static void ranks(void **state)
{
    enum { MOST = 7 };
    const akin_choice *row;
    (void)state;
    for (uint32_t i = 0; (row = akin_choices("measures", i)); i++) {
        const akin_measure measure = (akin_measure)row->value;
        const akin_measure_form form = akin_measure_of(measure)->form;
        for (uint32_t code = 0; code < MOST * MOST * MOST * MOST * MOST; code++) {
            const uint32_t query = 1 + code % MOST, n = 1 + code / MOST % MOST, size = 1 + code / (MOST * MOST) % MOST;
            const uint32_t m = 1 + code / (MOST * MOST * MOST) % MOST, other = 1 + code / (MOST * MOST * MOST * MOST);
            if (n > query || n > size || m > query || m > other)
                continue;
            const akin_fraction a = akin_rule_rank(form, n, query, size), b = akin_rule_rank(form, m, query, other);
            const double x = akin_measure_value(measure, query, size, n),
                         y = akin_measure_value(measure, query, other, m);
            const int order = x > y + 1e-9   ? 1
                              : x < y - 1e-9 ? -1
                                             : 0; /* fractions of small integers are further apart */
            const uint64_t left = a.above * b.below, right = b.above * a.below;
            assert_int_equal((left > right) - (left < right), order);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_sets),           cmocka_unit_test(any_sets),
                                       cmocka_unit_test(sizes_of_0),           cmocka_unit_test(best_of_any_order),
                                       cmocka_unit_test(measures_of_searches), cmocka_unit_test(ranks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
