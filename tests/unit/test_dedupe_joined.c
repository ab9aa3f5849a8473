/* Pairs of a join that are handed over in batches, against those that it lists: one table and two, several threads, a
 * memory bound; and receivers and callers that stop it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/context.h"
#include "base/random.h"
#include "dedupe/joined.h"
#include "unit/test_ratio.h"

#define ROWS  300
#define WORDS 6
#define SIZE  (2 * WORDS) /* bytes of a value, at most */

typedef struct test {
    akin_context context;
    akin_wishes wishes;
    akin_account account;
    char bytes[ROWS * SIZE];
    uint64_t offsets[ROWS + 1];
    akin_column columns[2];
    akin_records records;
    akin_joined joined;
    uint8_t listed[ROWS][ROWS], taken[ROWS][ROWS];
    uint64_t count;   /* of the pairs that were listed, or taken */
    uint64_t batches; /* that were taken; */
    uint64_t stop_at; /* the number of the one that the receiver refuses; 0: none */
    int asked;        /* how often the caller was asked whether to go on; */
    int cancel_at;    /* the number of the question that it answers with no; 0: none */
} test;

static test t;

static int asks(void *user)
{
    (void)user;
    return ++t.asked == t.cancel_at;
}

static void begin(akin_random *random, uint32_t tables, uint32_t threads, uint64_t memory)
{
    uint64_t at = 0;
    memset(&t, 0, sizeof t);
    for (uint32_t row = 0; row < ROWS; row++) {
        const uint64_t words = akin_random_below(random, WORDS + 1);
        for (uint64_t i = 0; i < words; i++) {
            t.bytes[at++] = (char)('a' + akin_random_below(random, 5));
            t.bytes[at++] = ' ';
        }
        t.offsets[row + 1] = at;
    }
    t.context = (akin_context){.scope = {.context = &t.context, .threads = threads, .memory = memory}};
    t.context.scope.reporter.cancel = asks;
    t.wishes = (akin_wishes){.pairs_a_batch = (uint32_t)akin_random_below(random, 2) * 7};
    t.context.wishes = &t.wishes;
    const uint32_t border = tables == 2 ? ROWS / 3 : ROWS;
    for (int side = 0; side < 2; side++)
        t.columns[side] =
            (akin_column){.size = sizeof(akin_column), .offsets = t.offsets + (side ? border : 0), .bytes = t.bytes};
    t.records = (akin_records){
        {&t.columns[0], tables == 2 ? &t.columns[1] : NULL}, tables, {border, ROWS - border}, ROWS, NULL};
    akin_account_begin(&t.account, &t.context.scope);
    akin_text_options text = AKIN_TEXT_OPTIONS_INIT;
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    options.measure = akin_random_below(random, 2) ? AKIN_JACCARD : AKIN_COSINE;
    options.threshold = ratio_of(0.3 + 0.1 * (double)akin_random_below(random, 7));
    akin_error error;
    if (akin_joined_make(&t.context.scope, &t.account, &t.records, 0, &text, &options, &t.joined, &error) != AKIN_OK)
        fail_msg("%s", error.message);
}

static int list(void *user, const akin_pair *pairs, size_t count)
{
    (void)user;
    for (size_t i = 0; i < count; i++)
        t.listed[pairs[i].left][pairs[i].right + t.joined.border] = 1;
    t.count += count;
    return 0;
}

static akin_status take(void *user, uint32_t *lower, uint32_t *higher, uint32_t count)
{
    (void)user;
    assert_true(count > 0 && (!t.wishes.pairs_a_batch || count <= t.wishes.pairs_a_batch));
    if (++t.batches == t.stop_at)
        return AKIN_E_LIMIT;
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(t.taken[lower[i]][higher[i]], 0);
        t.taken[lower[i]][higher[i]] = 1;
        lower[i] = higher[i] = UINT32_MAX; /* the batch is the receiver's */
    }
    t.count += count;
    return AKIN_OK;
}

static akin_status stream(akin_status *taken, akin_error *error)
{
    t.count = t.batches = 0;
    t.asked = 0;
    memset(t.taken, 0, sizeof t.taken);
    return akin_joined_stream(&t.joined, &t.context.scope, &t.account, take, NULL, taken, error);
}

static void check_pairs(void)
{
    akin_error error;
    akin_status taken;
    uint64_t had = 0;
    t.count = 0;
    memset(t.listed, 0, sizeof t.listed);
    if (akin_joined_list(&t.joined, &t.context.scope, &t.account, list, NULL, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    const uint64_t listed = t.count;
    if (stream(&taken, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    assert_int_equal(taken, AKIN_OK);
    assert_int_equal(t.count, listed);
    assert_memory_equal(t.taken, t.listed, sizeof t.taken);
    for (uint32_t a = 0; a < ROWS; a++)
        for (uint32_t b = a + 1; b < ROWS; b++) {
            assert_int_equal(akin_joined_has(&t.joined, a, b), t.listed[a][b]);
            had += t.listed[a][b];
        }
    assert_true(had == listed && listed > 0);
}

/* The receiver, or the caller, ends a join. */
static void check_stops(void)
{
    akin_error error;
    akin_status taken;
    t.wishes.pairs_a_batch = 1;
    for (t.stop_at = 1; t.stop_at < 8; t.stop_at += 3) {
        assert_int_not_equal(stream(&taken, &error), AKIN_OK);
        assert_int_equal(taken, AKIN_E_LIMIT);
        assert_int_equal(t.batches, t.stop_at);
    }
    t.stop_at = 0;
    t.cancel_at = 1;
    assert_int_equal(stream(&taken, &error), AKIN_E_CANCELLED);
    t.cancel_at = 0;
}

static void batches_have_all_pairs(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 11);
    for (int round = 0; round < 40; round++) {
        begin(&random, 1 + (uint32_t)round % 2, 1 + (uint32_t)round / 2 % 2 * 2, round % 3 ? 0 : (uint64_t)64 << 20);
        check_pairs();
        check_stops();
        akin_joined_clear(&t.joined);
        assert_int_equal(t.account.held, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(batches_have_all_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
