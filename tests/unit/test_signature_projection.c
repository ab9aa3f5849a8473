/* Projections: whatever signs are learnt, two sets' sums differ by no more than the sets do. */
#include "base/context.h"
#include "test_sets_support.h"

#include "base/memory.h"
#include "signature/projection.h"

static void rank(const akin_sets *left, const akin_sets *right, akin_ranked ranked[2])
{
    akin_context context = context_of(&context, 1);
    memset(ranked, 0, 2 * sizeof *ranked);
    assert_int_equal(akin_rank_sets(akin_scope_of(&context), NULL, left, right, &ranked[0], &ranked[1], NULL), AKIN_OK);
}

static int64_t project(const int8_t *signs, const akin_ranked *ranked, uint32_t set)
{
    return akin_projection(signs, ranked->tokens + ranked->offsets[set], akin_ranked_size(ranked, set));
}

/* |r| + |s| - 2 |r n s| */
static int64_t difference(const akin_ranked *r, uint32_t a, const akin_ranked *s, uint32_t b)
{
    uint64_t i = r->offsets[a], j = s->offsets[b];
    int64_t common = 0;
    while (i < r->offsets[a + 1] && j < s->offsets[b + 1]) {
        uint32_t x = r->tokens[i], y = s->tokens[j];
        common += x == y;
        i += x <= y;
        j += y <= x;
    }
    return (int64_t)akin_ranked_size(r, a) + akin_ranked_size(s, b) - 2 * common;
}

static void assert_bound(const int8_t *signs, const akin_ranked *r, const akin_ranked *s)
{
    for (uint32_t a = 0; a < r->count; a++)
        for (uint32_t b = 0; b < s->count; b++) {
            int64_t apart = project(signs, r, a) - project(signs, s, b);
            assert_true((apart < 0 ? -apart : apart) <= difference(r, a, s, b));
        }
}

static void check(akin_sets *left, akin_sets *right)
{
    akin_ranked ranked[2];
    akin_account account = {0};
    rank(left, right, ranked);
    const akin_ranked *other = right ? &ranked[1] : &ranked[0];
    int8_t *signs = akin_projection_learn(&account, other);
    assert_non_null(signs);
    assert_int_equal(account.held, ranked[0].universe); /* a byte a token, and nothing else is left */
    for (uint64_t token = 0; token < ranked[0].universe; token++)
        assert_true(signs[token] == 1 || signs[token] == -1);
    int8_t *again = akin_projection_learn(NULL, other);
    assert_memory_equal(signs, again, ranked[0].universe);
    assert_bound(signs, &ranked[0], other);
    akin_free(signs);
    akin_free(again);
    assert_int_equal(account.held, 0);
    akin_ranked_clear(&ranked[0]);
    akin_ranked_clear(&ranked[1]);
}

static void check_random(uint64_t seed, uint32_t rows, uint32_t size_bound, uint64_t token_bound)
{
    akin_sets *left = random_sets(seed, rows, size_bound, token_bound);
    akin_sets *right = random_sets(seed + 100, rows / 2, size_bound, token_bound + 10);
    check(left, NULL);
    check(left, right);
    check(right, left);
    akin_sets_free(left);
    akin_sets_free(right);
}

static void sums_differ_by_no_more_than_sets(void **state)
{
    (void)state;
    check_random(1, 200, 10, 30);
    check_random(2, 300, 60, 100);
    check_random(3, 300, 20, 5000);
    check_random(4, 30, 3000, 4000);
    check_random(5, 2, 2, 1);
}

static void no_sets(void **state)
{
    (void)state;
    akin_sets *empty = random_sets(6, 20, 1, 5), *some = random_sets(7, 20, 6, 50);
    check(empty, NULL);
    check(empty, some);
    check(some, empty);
    akin_sets_free(empty);
    akin_sets_free(some);
}

/* By definition, with signs of the test's own; large enough a sum for one byte to overflow. */
static void the_sum_of_signs(void **state)
{
    (void)state;
    enum { SIZE = 1000 };
    int8_t signs[SIZE];
    uint32_t ranks[SIZE];
    for (uint32_t i = 0; i < SIZE; i++) {
        signs[i] = i % 10 ? -1 : 1;
        ranks[i] = i;
    }
    assert_int_equal(akin_projection(signs, ranks, SIZE), -800);
    assert_int_equal(akin_projection(signs, ranks, 1), 1);
    assert_int_equal(akin_projection(signs, ranks, 0), 0);
}

/* The signs are of use: they distinguish sets from two separate vocabularies, all of one size. */
static void signs_are_learnt(void **state)
{
    (void)state;
    enum { ROWS = 2000, SIZE = 20, HALF = 100 };
    static uint64_t offsets[ROWS + 1];
    static uint32_t tokens[ROWS * SIZE];
    akin_random random;
    akin_random_seed(&random, 8);
    for (uint32_t row = 0; row < ROWS; row++) {
        offsets[row + 1] = offsets[row] + SIZE;
        for (uint32_t i = 0; i < SIZE; i++) /* distinct: each from a fifth of its own */
            tokens[row * SIZE + i] = row % 2 * HALF + i * (HALF / SIZE) + (uint32_t)akin_random_below(&random, 5);
    }
    akin_context context = context_of(&context, 1);
    akin_sets *sets = NULL;
    akin_ranked ranked[2];
    assert_int_equal(akin_sets_from_arrays(&context, ROWS, offsets, tokens, &sets, NULL), AKIN_OK);
    rank(sets, NULL, ranked);
    int8_t *signs = akin_projection_learn(NULL, &ranked[0]);
    assert_non_null(signs);
    int64_t lowest[2] = {SIZE, SIZE}, highest[2] = {-SIZE, -SIZE};
    for (uint32_t set = 0; set < ranked[0].count; set++) {
        int64_t p = project(signs, &ranked[0], set);
        uint32_t kind = ranked[0].row[set] % 2;
        lowest[kind] = p < lowest[kind] ? p : lowest[kind];
        highest[kind] = p > highest[kind] ? p : highest[kind];
    }
    assert_true(highest[0] < lowest[1] || highest[1] < lowest[0]);
    akin_free(signs);
    akin_ranked_clear(&ranked[0]);
    akin_sets_free(sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_differ_by_no_more_than_sets),
        cmocka_unit_test(no_sets),
        cmocka_unit_test(the_sum_of_signs),
        cmocka_unit_test(signs_are_learnt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
