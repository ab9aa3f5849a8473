/* Sets that are ranked under a memory bound, stretch by stretch, against those that are ranked at once; and the ranks
 * of tokens that are counted in a file. */
#define _GNU_SOURCE

#include "base/budget.h"
#include "base/context.h"
#include "test_sanitizers.h"
#include "test_sets_frequency.h"
#include "unit/test_base_files.h"

#include "base/memory.h"
#include "sets/bounded_ranking.h"
#include "sets/ranked_store.h"

#include <signal.h>
#include <sys/resource.h>

#define MIB ((uint64_t)1 << 20)

static akin_context bounded_context(akin_context *self, uint32_t threads, uint64_t memory)
{
    akin_context context = context_of(self, threads);
    context.scope.memory = memory;
    context.temporary = scratch;
    return context;
}

/* ------------------------------------------------------------------------------------------------------------- tokens
 */

/* Checks the ranks of all tokens, counted within `limit` bytes. Returns whether they were counted in a file. */
static int check_ranks(const akin_sets *left, const akin_sets *right, uint32_t threads, uint64_t limit)
{
    uint64_t distinct, once = 0;
    frequency *order = count_tokens(left, right, &distinct);
    akin_context context = bounded_context(&context, threads, 16 * MIB);
    akin_account account = {.limit = limit};
    akin_bounded_ranking ranking;
    akin_error error;
    assert_int_equal(akin_bounded_ranking_count(akin_scope_of(&context), &account, left, right, &ranking, &error),
                     AKIN_OK);
    assert_int_equal(ranking.ranking.universe, distinct);
    assert_int_equal(akin_ranking_number(akin_scope_of(&context), &ranking.ranking, &error), AKIN_OK);
    for (uint64_t rank = 0; rank < distinct; rank++) {
        uint32_t own;
        akin_ranking_map(&ranking.ranking, &order[rank].token, 1, &own);
        assert_int_equal(own, rank);
        once += order[rank].count == 1;
    }
    assert_int_equal(ranking.ranking.once, once);
    const int in_file = ranking.table.mapped;
    akin_bounded_ranking_clear(&ranking);
    assert_int_equal(account.held, 0);
    assert_true(!limit || account.peak <= limit);
    free(order);
    return in_file;
}

static void ranks_of_tokens(void **state)
{
    static const struct {
        uint32_t rows, size_bound;
        uint64_t token_bound, limit;
        int in_file;
    } shapes[] = {
        {0, 1, 1, 0, 0},
        {5, 1, 1, 0, 0},
        {100, 20, 30, 0, 0},
        {50000, 20, 8, 0, 0}, /* some tokens are in more rows than there are counters for */
        {50000, 20, 8, MIB, 0},
        {40000, 20, 200000, 0, 0},
        {40000, 20, 300000, 0, 1}, /* more than its share */
        {40000, 20, 300000, MIB, 1},
        {40000, 20, 100001, MIB / 4 + 1000, 1},
        {100, 20, UINT64_C(1) << 32, 0, 0}, /* sparse */
    };
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        akin_sets *left = random_sets(i, shapes[i].rows, shapes[i].size_bound, shapes[i].token_bound);
        akin_sets *right = random_sets(i + 50, shapes[i].rows / 2 + 1, shapes[i].size_bound, shapes[i].token_bound);
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            assert_int_equal(check_ranks(left, NULL, threads, shapes[i].limit), shapes[i].in_file);
            assert_int_equal(check_ranks(left, right, threads, shapes[i].limit), shapes[i].in_file);
        }
        akin_sets_free(left);
        akin_sets_free(right);
    }
}

/* Sparse tokens that do not fit are refused, and nothing is left. */
static void sparse_tokens_are_refused(void **state)
{
    (void)state;
    akin_sets *sets = random_sets(9, 30000, 20, UINT64_C(1) << 32);
    akin_context context = bounded_context(&context, 1, 16 * MIB);
    akin_account account = {.limit = 2 * MIB};
    akin_bounded_ranking ranking;
    akin_error error;
    assert_int_equal(akin_bounded_ranking_count(akin_scope_of(&context), &account, sets, NULL, &ranking, &error),
                     AKIN_E_NOMEM);
    assert_true(ranking.ranking.bound > UINT32_MAX / 2);
    akin_bounded_ranking_clear(&ranking);
    assert_int_equal(account.held, 0);
    akin_sets_free(sets);
}

/* --------------------------------------------------------------------------------------------------------------- sets
 */

/* The place of each row among the ranked ones. */
static uint32_t *places_of_rows(const akin_ranked *ranked, uint32_t rows)
{
    uint32_t *places = malloc((rows + (size_t)1) * sizeof *places);
    assert_non_null(places);
    for (uint32_t row = 0; row < rows; row++)
        places[row] = UINT32_MAX;
    for (uint32_t set = 0; set < ranked->count; set++) {
        assert_true(ranked->row[set] < rows && places[ranked->row[set]] == UINT32_MAX);
        places[ranked->row[set]] = set;
    }
    return places;
}

/* The same classes, and in each of them the same sets with the same tokens. */
static void check_same_sets(const akin_ranked *got, const akin_ranked *expected, uint32_t rows)
{
    uint32_t *places = places_of_rows(got, rows);
    assert_int_equal(got->count, expected->count);
    assert_int_equal(got->classes, expected->classes);
    assert_int_equal(got->universe, expected->universe);
    assert_int_equal(got->once, expected->once);
    assert_memory_equal(got->class_size, expected->class_size, got->classes * sizeof *got->class_size);
    assert_memory_equal(got->class_first, expected->class_first, (got->classes + (size_t)1) * sizeof(uint32_t));
    assert_memory_equal(got->offsets, expected->offsets, (got->count + (size_t)1) * sizeof *got->offsets);
    for (uint32_t set = 0; set < expected->count; set++) {
        const uint32_t place = places[expected->row[set]], size = akin_ranked_size(expected, set);
        assert_true(place != UINT32_MAX);
        assert_int_equal(akin_ranked_size(got, place), size);
        assert_memory_equal(got->tokens + got->offsets[place], expected->tokens + expected->offsets[set],
                            size * sizeof *got->tokens);
    }
    free(places);
}

/* Fills a store in stretches of `most` tokens, and returns whether its tokens are in a file. */
static int check_store(const akin_sets *sets, const akin_ranking *ranking, const akin_ranked *expected, uint64_t most,
                       int stay, uint32_t threads, uint64_t memory)
{
    akin_context context = bounded_context(&context, threads, memory);
    akin_account account = {.limit = memory ? akin_budget_job(akin_scope_of(&context)) : 0};
    akin_ranked_store store;
    akin_error error;
    assert_int_equal(akin_ranked_store_begin(akin_scope_of(&context), &account, sets, &store, &error), AKIN_OK);
    assert_int_equal(store.ranked.count, expected->count);
    assert_int_equal(
        akin_ranked_store_fill(akin_scope_of(&context), &account, ranking, sets, most, stay, &store, &error), AKIN_OK);
    check_same_sets(&store.ranked, expected, sets->rows);
    if (!most && !memory) /* it was one stretch */
        assert_memory_equal(store.ranked.row, expected->row, expected->count * sizeof *expected->row);
    const int in_file = store.tokens.mapped;
    akin_ranked_store_clear(&store);
    assert_int_equal(account.held, 0);
    assert_int_equal(scratch_entries("."), 0);
    return in_file;
}

static void stretches_hold_the_same_sets(void **state)
{
    static const struct {
        uint32_t rows, size_bound;
        uint64_t token_bound;
    } shapes[] = {{0, 1, 1}, {1, 1, 1}, {1, 9, 100}, {300, 9, 40}, {2000, 2, 50}, {700, 60, 100000}};
    static const uint64_t mosts[] = {0, 1, 2, 7, 64, 1000, 100000};
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        akin_sets *sets = random_sets(i, shapes[i].rows, shapes[i].size_bound, shapes[i].token_bound);
        akin_context context = context_of(&context, 1);
        akin_ranking ranking;
        akin_ranked expected;
        akin_error error;
        assert_int_equal(akin_ranking_count(akin_scope_of(&context), NULL, sets, NULL, &ranking, &error), AKIN_OK);
        assert_int_equal(akin_ranking_order(akin_scope_of(&context), &ranking, &error), AKIN_OK);
        assert_int_equal(akin_rank_by(akin_scope_of(&context), NULL, &ranking, sets, &expected, &error), AKIN_OK);
        for (size_t m = 0; m < sizeof mosts / sizeof *mosts; m++)
            for (uint32_t threads = 1; threads <= 3; threads += 2) {
                check_store(sets, &ranking, &expected, mosts[m], 0, threads, 0);
                check_store(sets, &ranking, &expected, mosts[m], 0, threads, 16 * MIB);
                check_store(sets, &ranking, &expected, mosts[m], 1, threads, 16 * MIB);
            }
        akin_ranked_clear(&expected);
        akin_ranking_clear(&ranking);
        akin_sets_free(sets);
    }
}

/* Sets that are larger than the bound, in all sizes or in one. */
static void stretches_keep_to_the_bound(void **state)
{
    (void)state;
    for (uint32_t shape = 0; shape < 2; shape++) {
        akin_sets *sets = random_sets(shape, 150000, shape ? 2 : 40, 5000);
        akin_context context = context_of(&context, 1);
        akin_ranking ranking;
        akin_ranked expected;
        akin_error error;
        assert_int_equal(akin_ranking_count(akin_scope_of(&context), NULL, sets, NULL, &ranking, &error), AKIN_OK);
        assert_int_equal(akin_ranking_order(akin_scope_of(&context), &ranking, &error), AKIN_OK);
        assert_int_equal(akin_rank_by(akin_scope_of(&context), NULL, &ranking, sets, &expected, &error), AKIN_OK);
        for (uint32_t threads = 1; threads <= 3; threads += 2)
            assert_int_equal(check_store(sets, &ranking, &expected, 0, 0, threads, 16 * MIB), shape == 0);
        akin_ranked_clear(&expected);
        akin_ranking_clear(&ranking);
        akin_sets_free(sets);
    }
}

/* Limits from too little for a set to enough for all: what is refused at once is ranked in stretches, and these are
 * halved, as long as a set fits. The limit is set when the account holds what lasts, so that what is left is known. */
static void refusals_make_stretches_smaller(void **state)
{
    (void)state;
    for (uint32_t shape = 0; shape < 2; shape++)
        for (int stay = 0; stay < 2; stay++) {
            akin_sets *sets = random_sets(shape, shape ? 3000 : 900, shape ? 3 : 700, 3000);
            akin_context context = bounded_context(&context, 2, 16 * MIB);
            akin_ranking ranking;
            akin_ranked expected;
            akin_error error;
            uint32_t done = 0, refused = 0, retried = 0;
            assert_int_equal(akin_ranking_count(akin_scope_of(&context), NULL, sets, NULL, &ranking, &error), AKIN_OK);
            assert_int_equal(akin_ranking_order(akin_scope_of(&context), &ranking, &error), AKIN_OK);
            assert_int_equal(akin_rank_by(akin_scope_of(&context), NULL, &ranking, sets, &expected, &error), AKIN_OK);
            const uint64_t all = 20 * sets->offsets[sets->rows] + 100 * (uint64_t)sets->rows + MIB;
            for (uint64_t limit = 1000; limit < all; limit += limit / 8) {
                akin_account account = {0};
                akin_ranked_store store;
                assert_int_equal(akin_ranked_store_begin(akin_scope_of(&context), &account, sets, &store, &error),
                                 AKIN_OK);
                account.peak = account.held;
                account.limit = account.held + limit;
                akin_status status =
                    akin_ranked_store_fill(akin_scope_of(&context), &account, &ranking, sets, 0, stay, &store, &error);
                assert_true(status == AKIN_OK || (status == AKIN_E_NOMEM && account.refused > 0));
                if (status == AKIN_OK)
                    check_same_sets(&store.ranked, &expected, sets->rows);
                else
                    assert_true((double)limit <
                                akin_ranked_store_least(akin_ranked_largest(&expected)) + 12 * (double)sets->rows);
                done += status == AKIN_OK;
                refused += status != AKIN_OK;
                retried += status == AKIN_OK && account.refused > 0;
                assert_true(account.peak <= account.limit);
                akin_ranked_store_clear(&store);
                assert_int_equal(account.held, 0);
            }
            assert_true(done > 0 && (retried > 0 || !stay) && (refused > 0 || shape == 1));
            akin_ranked_clear(&expected);
            akin_ranking_clear(&ranking);
            akin_sets_free(sets);
        }
}

/* Halves what an account may hold beyond what it held at first, once. */
typedef struct halver {
    akin_account *account;
    uint64_t held;
    int is_done;
} halver;

static void halve_limit(void *user, const akin_progress *progress)
{
    halver *h = user;
    (void)progress;
    if (!h->is_done)
        h->account->limit = h->held + (h->account->limit - h->held) / 2;
    h->is_done = 1;
}

/* Memory is short where a stretch was to fit: it is halved. */
static void a_refused_stretch_is_halved(void **state)
{
    (void)state;
    akin_sets *sets = random_sets(5, 4000, 60, 3000);
    akin_context context = bounded_context(&context, 1, 16 * MIB);
    akin_ranking ranking;
    akin_ranked expected;
    akin_error error;
    assert_int_equal(akin_ranking_count(akin_scope_of(&context), NULL, sets, NULL, &ranking, &error), AKIN_OK);
    assert_int_equal(akin_ranking_order(akin_scope_of(&context), &ranking, &error), AKIN_OK);
    assert_int_equal(akin_rank_by(akin_scope_of(&context), NULL, &ranking, sets, &expected, &error), AKIN_OK);
    akin_account account = {0};
    akin_ranked_store store;
    assert_int_equal(akin_ranked_store_begin(akin_scope_of(&context), &account, sets, &store, &error), AKIN_OK);
    halver h = {.account = &account, .held = account.held};
    account.limit = account.held + 12 * sets->offsets[sets->rows];
    context.scope.reporter.progress = halve_limit;
    context.scope.reporter.user = &h;
    error.code = AKIN_OK;
    assert_int_equal(akin_ranked_store_fill(akin_scope_of(&context), &account, &ranking, sets, 0, 0, &store, &error),
                     AKIN_OK);
    assert_true(h.is_done && account.refused > 0 && error.code == AKIN_OK);
    check_same_sets(&store.ranked, &expected, sets->rows);
    akin_ranked_store_clear(&store);
    assert_int_equal(account.held, 0);
    akin_ranked_clear(&expected);
    akin_ranking_clear(&ranking);
    akin_sets_free(sets);
}

/* The disk is full at some point: an error, and nothing is left. */
static void a_full_disk(void **state)
{
    (void)state;
    akin_sets *sets = random_sets(3, 150000, 40, 5000);
    akin_context context = bounded_context(&context, 1, 16 * MIB);
    struct rlimit before, less;
    akin_bounded_ranking ranking;
    akin_error error;
    akin_account account = {.limit = akin_budget_job(akin_scope_of(&context))};
    assert_int_equal(akin_bounded_ranking_count(akin_scope_of(&context), &account, sets, NULL, &ranking, &error),
                     AKIN_OK);
    assert_int_equal(akin_ranking_number(akin_scope_of(&context), &ranking.ranking, &error), AKIN_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    less = before;
    for (rlim_t most = 1000; most <= 4000000; most *= 20) {
        akin_ranked_store store;
        less.rlim_cur = most;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
        akin_status status = akin_ranked_store_begin(akin_scope_of(&context), &account, sets, &store, &error);
        if (status == AKIN_OK)
            status =
                akin_ranked_store_fill(akin_scope_of(&context), &account, &ranking.ranking, sets, 0, 0, &store, &error);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(status, AKIN_E_IO);
        assert_non_null(strstr(error.message, scratch));
        akin_ranked_store_clear(&store);
        assert_int_equal(scratch_entries("."), 0);
    }
    akin_bounded_ranking_clear(&ranking);
    assert_int_equal(account.held, 0);
    akin_sets_free(sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_of_tokens),
        cmocka_unit_test(sparse_tokens_are_refused),
        cmocka_unit_test(stretches_hold_the_same_sets),
        cmocka_unit_test(stretches_keep_to_the_bound),
        cmocka_unit_test(refusals_make_stretches_smaller),
        cmocka_unit_test(a_refused_stretch_is_halved),
        cmocka_unit_test(a_full_disk),
    };
    signal(SIGXFSZ, SIG_IGN);
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
