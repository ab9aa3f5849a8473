/* The frequency order of tokens against a plain oracle: counted, ranked, looked up both ways. */
#include "base/context.h"
#include "test_sets_frequency.h"
#include "test_sanitizers.h"

#include "base/memory.h"
#include "sets/ranking.h"

/* Compares, and returns the most memory that was held. */
static uint64_t check(const akin_sets *left, const akin_sets *right, uint32_t threads)
{
    uint64_t distinct;
    frequency *order = count_tokens(left, right, &distinct);
    akin_context context = context_of(&context, threads);
    akin_account account = {0};
    akin_ranking ranking;
    akin_error error;
    assert_int_equal(akin_ranking_count(akin_scope_of(&context), &account, left, right, &ranking, &error), AKIN_OK);
    assert_int_equal(ranking.universe, distinct);
    for (uint64_t i = 0; i < distinct; i++) { /* a value is a frequency until it is a rank */
        uint32_t count;
        akin_ranking_map(&ranking, &order[i].token, 1, &count);
        assert_int_equal(count, order[i].count);
    }
    assert_int_equal(akin_ranking_order(akin_scope_of(&context), &ranking, &error), AKIN_OK);
    uint32_t *ranks = malloc((size_t)(distinct + 1) * sizeof *ranks);
    assert_non_null(ranks);
    akin_ranking_map(&ranking, ranking.tokens, distinct, ranks);
    for (uint64_t rank = 0; rank < distinct; rank++) {
        assert_int_equal(ranking.tokens[rank], order[rank].token);
        assert_int_equal(ranks[rank], rank);
    }
    akin_ranking_clear(&ranking);
    assert_int_equal(account.held, 0);
    assert_null(ranking.tokens);
    akin_ranking_clear(&ranking);
    free(ranks);
    free(order);
    return account.peak;
}

static void random_tokens(void **state)
{
    static const struct {
        uint32_t rows, size_bound;
        uint64_t token_bound;
    } shapes[] = {
        {0, 1, 1},
        {5, 1, 1},
        {1, 2, 1},
        {100, 20, 30},
        {300, 9, 100000},
        {40000, 20, 5000}, /* dense: a table for each thread, with several tasks */
        {40000, 20, 300000},
        {40000, 20, 60},  /* each token occurs far more often than 1024 times, */
        {40000, 20, 390}, /* and about that often; counts are carried from bytes in both */
        {100, 20, UINT64_C(1) << 32},
        {60000, 30, UINT64_C(1) << 32}, /* sparse: several parts, growing, and more than one block */
    };
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        akin_sets *left = random_sets(i, shapes[i].rows, shapes[i].size_bound, shapes[i].token_bound);
        akin_sets *right = random_sets(i + 50, shapes[i].rows / 2 + 1, shapes[i].size_bound, shapes[i].token_bound);
        for (uint32_t threads = UNDER_SANITIZER ? 3 : 1; threads <= (UNDER_SANITIZER ? 3 : 5); threads += 2) {
            check(left, NULL, threads);
            check(left, right, threads);
        }
        akin_sets_free(left);
        akin_sets_free(right);
    }
}

/* 1000 tokens far apart, many times over. */
static akin_sets *few_tokens(uint32_t rows, uint32_t size, uint32_t factor)
{
    akin_context context = context_of(&context, 1);
    uint64_t *offsets = malloc(((size_t)rows + 1) * sizeof *offsets);
    uint32_t *tokens = malloc((size_t)rows * size * sizeof *tokens);
    akin_sets *sets;
    assert_true(offsets && tokens);
    for (uint32_t row = 0; row <= rows; row++)
        offsets[row] = (uint64_t)row * size;
    for (uint32_t i = 0; i < rows * size; i++)
        tokens[i] = (i * 7 + i / size * i) % 1000 * factor;
    assert_int_equal(akin_sets_from_arrays(&context, rows, offsets, tokens, &sets, NULL), AKIN_OK);
    free(offsets);
    free(tokens);
    return sets;
}

/* Memory follows the universe: neither the largest token nor how many tokens there are. */
static void sparse_memory(void **state)
{
    static const uint32_t factors[] = {4000000, 1u << 22, 2654435769u, 4294967u};
    (void)state;
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        akin_sets *sets = few_tokens(30000, 25, factors[i]);
        for (uint32_t threads = 1; threads <= 4; threads++)
            assert_in_range(check(sets, NULL, threads), 1, 2u << 20);
        akin_sets_free(sets);
    }
}

static int say_stop(void *user)
{
    unsigned *left = user;
    return (*left)-- == 0;
}

/* Stopped at every check for cancellation, it leaves nothing behind. */
static void cancelled(void **state)
{
    (void)state;
    for (int sparse = 0; sparse < 2; sparse++) {
        akin_sets *sets = random_sets(5, 9000, 30, sparse ? UINT64_C(1) << 32 : 5000);
        unsigned stops = 0;
        for (akin_status status = AKIN_E_CANCELLED; status != AKIN_OK; stops++) {
            unsigned left = stops;
            akin_context context = context_of(&context, 2);
            akin_account account = {0};
            akin_ranking ranking;
            akin_error error = {.code = AKIN_OK};
            context.scope.reporter.cancel = say_stop;
            context.scope.reporter.user = &left;
            status = akin_ranking_count(akin_scope_of(&context), &account, sets, sets, &ranking, &error);
            if (status == AKIN_OK)
                status = akin_ranking_order(akin_scope_of(&context), &ranking, &error);
            if (status != AKIN_OK) {
                assert_int_equal(status, AKIN_E_CANCELLED);
                assert_int_equal(error.code, AKIN_E_CANCELLED);
            }
            akin_ranking_clear(&ranking);
            assert_int_equal(account.held, 0);
        }
        assert_true(stops > 4); /* bound, counting: each side; order */
        akin_sets_free(sets);
    }
}

/* The longest run of occupied slots that a search could have to walk along. */
static uint64_t longest_run(const akin_ranking *ranking)
{
    uint64_t longest = 0;
    for (int p = 0; p < AKIN_RANKING_PARTS; p++)
        for (uint64_t i = 0, run = 0; i < ranking->parts[p].length; i++) {
            run = ranking->parts[p].slots[i].value ? run + 1 : 0;
            longest = run > longest ? run : longest;
        }
    return longest;
}

/* Tokens that one multiplication would send to the same slots: multiples of a number, and inverses of small ones. */
static void tokens_made_to_collide(void **state)
{
    (void)state;
    enum { COUNT = 13000 };
    static uint32_t tokens[2][COUNT];
    const uint64_t inverse = UINT64_C(0xf1de83e19937733d); /* of the multiplier 0x9e3779b97f4a7c15 modulo 2^64 */
    for (uint32_t i = 0; i < COUNT; i++) {
        tokens[0][i] = i * 317811u;
        tokens[1][i] = (uint32_t)(((uint64_t)i << 32) * inverse >> 32) ^ i;
    }
    for (int kind = 0; kind < 2; kind++) {
        static const uint64_t offsets[] = {0, COUNT};
        akin_context context = context_of(&context, 1);
        akin_sets *sets = NULL;
        akin_ranking ranking;
        assert_int_equal(akin_sets_from_arrays(&context, 1, offsets, tokens[kind], &sets, NULL), AKIN_OK);
        assert_int_equal(akin_ranking_count(akin_scope_of(&context), NULL, sets, NULL, &ranking, NULL), AKIN_OK);
        assert_null(ranking.table);
        assert_in_range(longest_run(&ranking), 1, 200);
        akin_ranking_clear(&ranking);
        akin_sets_free(sets);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_tokens),
        cmocka_unit_test(sparse_memory),
        cmocka_unit_test(tokens_made_to_collide),
        cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
