/* Ranked collections against a plain oracle: the frequency order, the order of sets, the size classes. */
#include "base/context.h"
#include "test_sets_frequency.h"

#include "sets/ranked.h"

/* ----------------------------------------------------------------------------------------------------------- oracle */

/* The rank of every distinct token, in the order of the tokens. */
static frequency *ranks_by_token(const frequency *order, uint64_t distinct)
{
    frequency *ranks = malloc((size_t)(distinct + 1) * sizeof *ranks);
    assert_non_null(ranks);
    for (uint64_t i = 0; i < distinct; i++)
        ranks[i] = (frequency){order[i].token, (uint32_t)i};
    qsort(ranks, distinct, sizeof *ranks, by_token);
    return ranks;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* A row that is not empty, as ranks. */
typedef struct entry {
    uint32_t row, size;
    uint32_t *ranks;
} entry;

static int by_content(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->size != y->size)
        return (x->size > y->size) - (x->size < y->size);
    for (uint32_t i = 0; i < x->size; i++)
        if (x->ranks[i] != y->ranks[i])
            return by_number(&x->ranks[i], &y->ranks[i]);
    return by_number(&x->row, &y->row);
}

static void assert_classes(const akin_ranked *ranked)
{
    uint32_t c = 0;
    for (uint32_t set = 0; set < ranked->count; set++) {
        if (set && akin_ranked_size(ranked, set) == akin_ranked_size(ranked, set - 1))
            continue;
        assert_true(c < ranked->classes);
        assert_int_equal(ranked->class_size[c], akin_ranked_size(ranked, set));
        assert_int_equal(ranked->class_first[c++], set);
    }
    assert_int_equal(ranked->classes, c);
    assert_int_equal(ranked->class_first[c], ranked->count);
}

/* Looking sizes up, around every size that there is. */
static void assert_lookups(const akin_ranked *ranked)
{
    uint32_t largest = ranked->classes ? ranked->class_size[ranked->classes - 1] : 0;
    for (uint64_t size = 0; size <= (uint64_t)largest + 2; size++) {
        uint32_t c = 0, first = 0;
        while (c < ranked->classes && ranked->class_size[c] < size)
            c++;
        while (first < ranked->count && akin_ranked_size(ranked, first) < size)
            first++;
        assert_int_equal(akin_ranked_class(ranked, size), c);
        assert_int_equal(akin_ranked_first(ranked, size), first);
    }
    assert_int_equal(akin_ranked_class(ranked, UINT64_MAX), ranked->classes);
    assert_int_equal(akin_ranked_first(ranked, (uint64_t)UINT32_MAX + 1), ranked->count);
}

static void assert_side(const akin_ranked *ranked, const akin_sets *sets, const frequency *ranks, uint64_t distinct)
{
    uint32_t filled = 0;
    uint32_t *tokens = malloc((size_t)(sets->offsets[sets->rows] + 1) * sizeof *tokens);
    entry *entries = malloc(((size_t)sets->rows + 1) * sizeof *entries);
    assert_true(tokens && entries);
    for (uint32_t row = 0; row < sets->rows; row++) {
        uint32_t size = akin_sets_row(sets, row, NULL), *own = tokens + sets->offsets[row];
        for (uint32_t i = 0; i < size; i++) {
            frequency key = {sets->tokens[sets->offsets[row] + i], 0};
            const frequency *found = bsearch(&key, ranks, distinct, sizeof key, by_token);
            own[i] = found->count;
        }
        qsort(own, size, sizeof *own, by_number);
        if (size)
            entries[filled++] = (entry){row, size, own};
    }
    qsort(entries, filled, sizeof *entries, by_content);
    assert_int_equal(ranked->universe, distinct);
    assert_int_equal(ranked->count, filled);
    assert_int_equal(ranked->offsets[0], 0);
    for (uint32_t set = 0; set < filled; set++) {
        assert_int_equal(ranked->row[set], entries[set].row);
        assert_int_equal(akin_ranked_size(ranked, set), entries[set].size);
        assert_memory_equal(ranked->tokens + ranked->offsets[set], entries[set].ranks,
                            entries[set].size * sizeof *tokens);
    }
    assert_classes(ranked);
    assert_lookups(ranked);
    free(tokens);
    free(entries);
}

/* Ranks one collection, or two, with one thread and with several, and compares with the oracle. */
static void check(const akin_sets *left, const akin_sets *right)
{
    uint64_t distinct;
    frequency *order = count_tokens(left, right, &distinct), *ranks = ranks_by_token(order, distinct);
    const akin_cpu best = akin_cpu_detect();
    for (uint32_t threads = 1; threads <= 3; threads++) { /* at each level */
        akin_context context = context_of(&context, threads);
        akin_account account = {0};
        context.scope.cpu = threads - 1 < (uint32_t)best ? (akin_cpu)(threads - 1) : best;
        akin_ranked one = {0}, other = {0};
        akin_error error;
        assert_int_equal(
            akin_rank_sets(akin_scope_of(&context), &account, left, right, &one, right ? &other : NULL, &error),
            AKIN_OK);
        assert_side(&one, left, ranks, distinct);
        if (right)
            assert_side(&other, right, ranks, distinct);
        assert_true(account.held > 0 && account.peak >= account.held);
        akin_ranked_clear(&one);
        akin_ranked_clear(&other);
        assert_int_equal(account.held, 0);
        assert_int_equal(one.count, 0);
        assert_null(one.tokens);
    }
    free(order);
    free(ranks);
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static akin_sets *from_arrays(uint32_t rows, const uint64_t *offsets, const uint32_t *tokens)
{
    akin_context context = context_of(&context, 1);
    akin_sets *sets = NULL;
    assert_int_equal(akin_sets_from_arrays(&context, rows, offsets, tokens, &sets, NULL), AKIN_OK);
    return sets;
}

static void check_random(uint32_t rows, uint32_t size_bound, uint64_t token_bound)
{
    akin_sets *left = random_sets(1, rows, size_bound, token_bound);
    akin_sets *right = random_sets(2, rows / 2 + 3, size_bound + 2, token_bound + token_bound / 3);
    check(left, NULL);
    check(left, right);
    check(right, left);
    check(left, left);
    akin_sets_free(left);
    akin_sets_free(right);
}

static void dense_tokens(void **state)
{
    (void)state;
    check_random(1, 2, 1);
    check_random(40, 4, 3); /* many equal sets: ordered by row */
    check_random(500, 9, 20);
    check_random(3000, 30, 700); /* several tasks */
}

/* Classes of one to a dozen pieces, which are merged, with many equal keys and equal sets, and with hardly any. */
static void large_classes(void **state)
{
    (void)state;
    for (uint64_t tokens = 12; tokens < 100000; tokens *= 40) {
        akin_sets *one = random_sets(7, 90000, 4, tokens), *other = random_sets(8, 20000, 5, tokens);
        check(one, other);
        akin_sets_free(one);
        akin_sets_free(other);
    }
}

static void sparse_tokens(void **state)
{
    (void)state;
    const uint64_t most = (uint64_t)UINT32_MAX / 2; /* the right collection's bound is larger yet */
    check_random(20, 4, most);
    check_random(300, 12, most);
    check_random(3000, 12, most); /* the table of tokens grows */
}

/* Sparse ids that are shared: multiples of a large power of two, which a careless hash maps to one slot. */
static void sparse_tokens_in_common(void **state)
{
    (void)state;
    enum { ROWS = 600, SIZE = 5 };
    static uint32_t tokens[ROWS * SIZE];
    static uint64_t offsets[ROWS + 1];
    akin_random random;
    akin_random_seed(&random, 3);
    for (uint32_t shift = 20; shift <= 24; shift += 2) {
        for (uint32_t i = 0; i < ROWS * SIZE; i++)
            tokens[i] = (uint32_t)akin_random_below(&random, UINT64_C(1) << (32 - shift)) << shift;
        for (uint32_t row = 0; row <= ROWS; row++)
            offsets[row] = (uint64_t)row * SIZE;
        tokens[7] = UINT32_MAX;
        tokens[11] = 0;
        akin_sets *sets = from_arrays(ROWS, offsets, tokens);
        check(sets, NULL);
        check(sets, sets);
        akin_sets_free(sets);
    }
}

/* A row with far more tokens than the tables have room for, next to tiny ones. */
static void a_large_row(void **state)
{
    (void)state;
    enum { LARGE = 30000 };
    static uint32_t tokens[LARGE + 3];
    const uint64_t offsets[] = {0, 1, 1, LARGE + 1, LARGE + 3};
    for (uint32_t i = 0; i < LARGE + 3; i++)
        tokens[i] = i * 2654435761u;
    akin_sets *sets = from_arrays(4, offsets, tokens);
    check(sets, NULL);
    akin_sets_free(sets);
}

/* Sets of more tokens than a piece has, some of which differ late, or not at all, next to many tiny ones. */
static void large_rows_alike(void **state)
{
    (void)state;
    enum { LARGE = 530000, ROWS = 3, TINY = 3000 };
    uint32_t *tokens = malloc((size_t)(ROWS * LARGE + TINY) * sizeof *tokens);
    uint64_t offsets[ROWS + TINY + 1] = {0};
    assert_non_null(tokens);
    for (uint32_t row = 0; row < ROWS; row++) {
        for (uint32_t i = 0; i < LARGE; i++)
            tokens[row * LARGE + i] = i + (row == 1 && i > LARGE - 100 ? 50 : 0);
        offsets[row + 1] = (uint64_t)(row + 1) * LARGE;
    }
    for (uint32_t row = 0; row < TINY; row++) {
        tokens[ROWS * LARGE + row] = row % 7 * 1000;
        offsets[ROWS + row + 1] = offsets[ROWS + row] + 1;
    }
    akin_sets *sets = from_arrays(ROWS + TINY, offsets, tokens);
    check(sets, NULL);
    akin_sets_free(sets);
    free(tokens);
}

/* A universe of one token: all sets are equal, and of several pieces. */
static void one_token(void **state)
{
    (void)state;
    enum { ROWS = 200000 };
    uint32_t *tokens = malloc(ROWS * sizeof *tokens);
    uint64_t *offsets = malloc((ROWS + 1) * sizeof *offsets);
    assert_true(tokens && offsets);
    for (uint32_t row = 0; row <= ROWS; row++) {
        offsets[row] = row - row / 3;
        if (row < ROWS)
            tokens[row] = 7;
    }
    akin_sets *sets = from_arrays(ROWS, offsets, tokens);
    check(sets, NULL);
    akin_sets_free(sets);
    free(tokens);
    free(offsets);
}

/*
 * A universe of more than 2^24 tokens, each of which occurs once, so that ranks are the tokens themselves: row r has
 * token f(r), where f is a permutation, and one of the upper half.
 */
static void many_tokens(void **state)
{
    (void)state;
    const uint32_t rows = (1u << 23) + 1000, factor = 48271;
    uint32_t *tokens = malloc(2 * (size_t)rows * sizeof *tokens);
    uint64_t *offsets = malloc(((size_t)rows + 1) * sizeof *offsets);
    assert_true(tokens && offsets);
    assert_true(rows % factor && rows < (UINT64_C(1) << 32) / 2);
    for (uint32_t row = 0; row <= rows; row++)
        offsets[row] = 2 * (uint64_t)row;
    for (uint32_t row = 0; row < rows; row++) {
        tokens[2 * row] = (uint32_t)((uint64_t)row * factor % rows);
        tokens[2 * row + 1] = rows + (rows - 1 - tokens[2 * row]);
    }
    akin_sets *sets = from_arrays(rows, offsets, tokens);
    akin_context context = context_of(&context, 3);
    akin_account account = {0};
    akin_ranked ranked;
    assert_int_equal(akin_rank_sets(akin_scope_of(&context), &account, sets, NULL, &ranked, NULL, NULL), AKIN_OK);
    assert_int_equal(ranked.universe, 2 * (uint64_t)rows);
    assert_int_equal(ranked.once, 2 * (uint64_t)rows);
    assert_int_equal(ranked.count, rows);
    for (uint32_t set = 0; set < rows; set++)
        if (ranked.tokens[2 * set] != set || ranked.tokens[2 * set + 1] != 2 * rows - 1 - set ||
            ranked.offsets[set] != 2 * (uint64_t)set || tokens[2 * ranked.row[set]] != set)
            fail_msg("set %u is wrong", set);
    /* beside the result: a class in the block, its rows and keys, and digits */
    assert_in_range(account.peak, 0, (uint64_t)rows * (2 * 2 * 4 + 8 + 4 + 4 + 8 + 8) + (8u << 20));
    akin_ranked_clear(&ranked);
    assert_int_equal(account.held, 0);
    akin_sets_free(sets);
    free(tokens);
    free(offsets);
}

static void no_sets(void **state)
{
    (void)state;
    static const uint64_t zeros[6] = {0};
    static const uint32_t nothing[1] = {0};
    akin_sets *none = from_arrays(0, zeros, nothing), *empty = from_arrays(5, zeros, nothing);
    akin_sets *some = random_sets(4, 30, 5, 40);
    check(none, NULL);
    check(empty, NULL);
    check(none, empty);
    check(none, some);
    check(some, empty);
    check(empty, some);
    akin_sets_free(none);
    akin_sets_free(empty);
    akin_sets_free(some);
}

static void skewed_tokens(void **state)
{
    (void)state;
    akin_context context = context_of(&context, 1);
    akin_generate_options options = AKIN_GENERATE_OPTIONS_INIT;
    akin_sets *sets = NULL;
    options.rows = 4000;
    options.universe = 3000;
    options.duplicates = 0.3;
    assert_int_equal(akin_sets_generate(&context, &options, &sets, NULL), AKIN_OK);
    check(sets, NULL);
    akin_sets_free(sets);
}

static void ranks_and_order_of_a_small_example(void **state)
{
    (void)state;
    /* frequencies: 5 x 1, 9 x 1, 7 x 2, 2 x 3; ranks: 5 -> 0, 9 -> 1, 7 -> 2, 2 -> 3 */
    static const uint32_t tokens[] = {2, 7, /**/ 2, 9, /**/ 2, /**/ 5, 7};
    static const uint64_t offsets[] = {0, 2, 4, 4, 5, 7};
    akin_sets *sets = from_arrays(5, offsets, tokens);
    akin_context context = context_of(&context, 1);
    akin_account account = {0};
    akin_ranked ranked;
    assert_int_equal(akin_rank_sets(akin_scope_of(&context), &account, sets, NULL, &ranked, NULL, NULL), AKIN_OK);
    assert_int_equal(ranked.count, 4);
    assert_int_equal(ranked.universe, 4);
    assert_memory_equal(ranked.row, ((uint32_t[]){3, 4, 1, 0}), 4 * sizeof(uint32_t));
    assert_memory_equal(ranked.tokens, ((uint32_t[]){3, 0, 2, 1, 3, 2, 3}), 7 * sizeof(uint32_t));
    assert_memory_equal(ranked.offsets, ((uint64_t[]){0, 1, 3, 5, 7}), 5 * sizeof(uint64_t));
    assert_int_equal(ranked.classes, 2);
    assert_memory_equal(ranked.class_size, ((uint32_t[]){1, 2}), 2 * sizeof(uint32_t));
    assert_memory_equal(ranked.class_first, ((uint32_t[]){0, 1, 4}), 3 * sizeof(uint32_t));
    akin_ranked_clear(&ranked);
    akin_sets_free(sets);
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
    akin_sets *sets = random_sets(5, 2000, 9, 500);
    unsigned stops = 0;
    for (;; stops++) {
        unsigned left = stops;
        akin_context context = context_of(&context, 2);
        context.scope.reporter.cancel = say_stop;
        context.scope.reporter.user = &left;
        akin_account account = {0};
        akin_ranked one = {.count = 1}, other = {.count = 1};
        akin_error error = {.code = AKIN_OK};
        akin_status status = akin_rank_sets(akin_scope_of(&context), &account, sets, sets, &one, &other, &error);
        if (status == AKIN_OK) {
            akin_ranked_clear(&one);
            akin_ranked_clear(&other);
            break;
        }
        assert_int_equal(status, AKIN_E_CANCELLED);
        assert_int_equal(error.code, AKIN_E_CANCELLED);
        assert_true(error.message[0] != '\0');
        assert_int_equal(account.held, 0);
        assert_true(one.count == 0 && one.row == NULL && one.tokens == NULL && one.class_first == NULL);
        assert_true(other.count == 0 && other.row == NULL && other.tokens == NULL && other.class_first == NULL);
    }
    assert_true(stops >= 2);
    akin_sets_free(sets);
}

static void nothing_to_clear(void **state)
{
    (void)state;
    akin_ranked ranked = {0};
    akin_ranked_clear(&ranked);
    assert_int_equal(akin_ranked_class(&ranked, 1), 0);
    assert_int_equal(akin_ranked_first(&ranked, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_and_order_of_a_small_example),
        cmocka_unit_test(dense_tokens),
        cmocka_unit_test(large_classes),
        cmocka_unit_test(sparse_tokens),
        cmocka_unit_test(sparse_tokens_in_common),
        cmocka_unit_test(a_large_row),
        cmocka_unit_test(large_rows_alike),
        cmocka_unit_test(one_token),
        cmocka_unit_test(many_tokens),
        cmocka_unit_test(no_sets),
        cmocka_unit_test(skewed_tokens),
        cmocka_unit_test(cancelled),
        cmocka_unit_test(nothing_to_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
