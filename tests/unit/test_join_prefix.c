/* Prefix indexes that several threads build, against lists that grow entry by entry. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/random.h"
#include "join/prefix.h"
#include "test_sanitizers.h"

#include <stdlib.h>
#include <string.h>

#define SETS   (UNDER_TSAN ? 30000 : 60000) /* enough for several threads */
#define TOKENS 3000

/* Sets of 1 to 20 tokens, by size; some tokens are far more frequent than others. Token 0 is in one set alone, which no
 * sample has. */
static akin_ranked make_sets(akin_random *random)
{
    akin_ranked r = {.count = SETS, .universe = TOKENS};
    r.offsets = malloc((SETS + (size_t)1) * sizeof *r.offsets);
    r.tokens = malloc((size_t)SETS * 20 * sizeof *r.tokens);
    assert_true(r.offsets && r.tokens);
    uint64_t at = 0;
    for (uint32_t set = 0; set < SETS; set++) {
        const uint32_t size = 1 + set * 20U / SETS;
        r.offsets[set] = at;
        for (uint32_t i = 0, token = set != SETS / 2 + 1; i < size; i++, token++) {
            if (i == 0 && token == 0) {
                r.tokens[at++] = 0;
                continue;
            }
            const uint64_t left = TOKENS - token - (size - i), skewed = akin_random_below(random, left + 1);
            token += (uint32_t)(skewed / (1 + akin_random_below(random, 50)));
            r.tokens[at++] = token;
        }
    }
    r.offsets[SETS] = at;
    return r;
}

/* Runs of up to three sets of one size make a group. */
static akin_prefix_groups make_groups(const akin_ranked *sets, akin_random *random)
{
    akin_prefix_groups groups = {.first = malloc((SETS + (size_t)1) * sizeof *groups.first)};
    assert_non_null(groups.first);
    for (uint32_t set = 0; set < sets->count; set += 1 + (uint32_t)akin_random_below(random, 3))
        groups.first[groups.count++] = set;
    groups.first[groups.count] = sets->count;
    return groups;
}

static uint32_t set_of(const akin_prefix_groups *groups, uint32_t entry)
{
    return groups->first ? groups->first[entry] : entry;
}

/* The postings of each token follow one another, entries ascending. */
static akin_prefix_index expect(const akin_join_job *job, const akin_ranked *sets, akin_prefix_side side,
                                const akin_prefix_groups *groups)
{
    akin_prefix_index index = {.start = calloc(TOKENS + 1, sizeof *index.start),
                               .entry = malloc((size_t)SETS * 20 * sizeof *index.entry),
                               .position = malloc((size_t)SETS * 20 * sizeof *index.position)};
    uint64_t *end = calloc(TOKENS + 1, sizeof *end);
    assert_true(index.start && index.entry && index.position && end);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t entry = 0; entry < groups->count; entry++) {
            const uint32_t set = set_of(groups, entry);
            const uint32_t length = akin_prefix_length(job, akin_ranked_size(sets, set), side);
            for (uint32_t i = 0; i < length; i++) {
                const uint32_t token = sets->tokens[sets->offsets[set] + i];
                if (token < sets->once)
                    continue;
                if (pass == 0) {
                    index.start[token + 1]++;
                } else {
                    index.entry[end[token]] = entry;
                    index.position[end[token]++] = i;
                }
            }
        }
        for (uint32_t token = 0; token < TOKENS && pass == 0; token++)
            index.start[token + 1] += index.start[token];
        memcpy(end, index.start, (TOKENS + 1) * sizeof *end);
    }
    free(end);
    return index;
}

static void check_index(const akin_ranked *sets, akin_prefix_side side, const akin_prefix_groups *groups, int same)
{
    akin_context context = {.scope = {.context = &context}};
    akin_account account = {0};
    akin_join_job job = {.scope = &context.scope, .account = &account, .same = same};
    assert_int_equal(akin_threshold_make(AKIN_JACCARD, (akin_ratio){6, 10}, &job.threshold, NULL), AKIN_OK);
    akin_prefix_index expected = expect(&job, sets, side, groups);
    for (uint32_t threads = 1; threads < 10; threads += 3)
        for (int positions = 0; positions < 2; positions++) {
            akin_prefix_index index = {0};
            akin_error error;
            context.scope.threads = threads;
            assert_int_equal(akin_prefix_build(&job, sets, side, groups, positions, &index, &error), AKIN_OK);
            const uint64_t count = expected.start[TOKENS];
            assert_true(count > SETS);
            assert_memory_equal(index.start, expected.start, (TOKENS + 1) * sizeof *index.start);
            assert_memory_equal(index.entry, expected.entry, count * sizeof *index.entry);
            assert_int_equal(index.position != NULL, positions);
            if (positions)
                assert_memory_equal(index.position, expected.position, count * sizeof *index.position);
            akin_prefix_clear(&index);
            assert_int_equal(account.held, 0);
        }
    free(expected.start);
    free(expected.entry);
    free(expected.position);
}

static void indexes_are_those_of_one_thread(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 11);
    akin_ranked sets = make_sets(&random);
    akin_prefix_groups each = {NULL, sets.count}, groups = make_groups(&sets, &random);
    check_index(&sets, AKIN_PREFIX_INDEXED, &each, 1);
    check_index(&sets, AKIN_PREFIX_INDEXED, &groups, 0);
    check_index(&sets, AKIN_PREFIX_PROBING, &each, 0);
    sets.once = 40; /* ranks below are left out, whatever they are */
    check_index(&sets, AKIN_PREFIX_INDEXED, &each, 1);
    check_index(&sets, AKIN_PREFIX_PROBING, &groups, 0);
    free(groups.first);
    free(sets.offsets);
    free(sets.tokens);
}

/* Indexes of some tokens, in the caller's room, which has no byte too many, against that of all tokens. */
static void check_ranges(const akin_ranked *sets, akin_prefix_side side, uint32_t threads, int positions)
{
    static const uint64_t borders[] = {0, 1, 39, 40, 41, 64, 700, 701, 702, 1500, 2999, TOKENS};
    akin_context context = {.scope = {.context = &context, .threads = threads}};
    akin_account account = {0};
    akin_join_job job = {.scope = &context.scope, .account = &account};
    const akin_prefix_groups each = {NULL, sets->count};
    akin_prefix_index all = {0}, some = {0};
    akin_error error;
    assert_int_equal(akin_threshold_make(AKIN_JACCARD, (akin_ratio){6, 10}, &job.threshold, NULL), AKIN_OK);
    assert_int_equal(akin_prefix_build(&job, sets, side, &each, positions, &all, &error), AKIN_OK);
    const uint64_t bytes = akin_prefix_bytes(TOKENS, all.start[TOKENS], positions);
    char *room = akin_alloc(&account, bytes + 1, 1);
    assert_non_null(room);
    room[bytes] = 77;
    for (size_t b = 0; b + 1 < sizeof borders / sizeof *borders; b++) {
        const uint64_t postings = all.start[borders[b + 1]] - all.start[borders[b]];
        some = akin_prefix_lend(room, borders[b + 1] - borders[b], postings, positions);
        some.first = borders[b];
        some.end = borders[b + 1];
        assert_int_equal(akin_prefix_build(&job, sets, side, &each, positions, &some, &error), AKIN_OK);
        const uint64_t from = all.start[some.first], count = all.start[some.end] - from;
        for (uint64_t token = some.first; token <= some.end; token++)
            assert_int_equal(some.start[token - some.first], all.start[token] - from);
        assert_memory_equal(some.entry, all.entry + from, count * sizeof *some.entry);
        if (positions)
            assert_memory_equal(some.position, all.position + from, count * sizeof *some.position);
        akin_prefix_clear(&some);
        assert_null(some.start);
    }
    assert_int_equal(room[bytes], 77);
    akin_prefix_clear(&all);
    akin_free(room);
    assert_int_equal(account.held, 0);
}

static void indexes_of_some_tokens(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 13);
    akin_ranked sets = make_sets(&random);
    for (uint32_t once = 0; once < 80; once += 40)
        for (uint32_t threads = 1; threads < 5; threads += 3)
            for (int positions = 0; positions < 2; positions++) {
                sets.once = once;
                check_ranges(&sets, positions ? AKIN_PREFIX_PROBING : AKIN_PREFIX_INDEXED, threads, positions);
            }
    free(sets.offsets);
    free(sets.tokens);
}

static int refuse(void *user)
{
    (void)user;
    return 1;
}

/* Without memory, or cancelled, nothing is held. */
static void failures_leave_nothing(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 12);
    akin_ranked sets = make_sets(&random);
    const akin_prefix_groups each = {NULL, sets.count};
    akin_context context = {.scope = {.context = &context, .threads = 3}};
    int refused = 0;
    for (uint64_t limit = 1000;; limit *= 2) {
        akin_account account = {.limit = limit};
        akin_join_job job = {.scope = &context.scope, .account = &account};
        akin_prefix_index index = {0};
        akin_error error;
        assert_int_equal(akin_threshold_make(AKIN_JACCARD, (akin_ratio){6, 10}, &job.threshold, NULL), AKIN_OK);
        const akin_status status = akin_prefix_build(&job, &sets, AKIN_PREFIX_INDEXED, &each, 1, &index, &error);
        akin_prefix_clear(&index);
        assert_int_equal(account.held, 0);
        if (status == AKIN_OK)
            break;
        assert_int_equal(status, AKIN_E_NOMEM);
        refused++;
    }
    assert_true(refused > 5);
    akin_account account = {0};
    akin_join_job job = {.scope = &context.scope, .account = &account};
    akin_prefix_index index = {0};
    akin_error error;
    context.scope.reporter.cancel = refuse;
    assert_int_equal(akin_threshold_make(AKIN_JACCARD, (akin_ratio){6, 10}, &job.threshold, NULL), AKIN_OK);
    assert_int_equal(akin_prefix_build(&job, &sets, AKIN_PREFIX_INDEXED, &each, 1, &index, &error), AKIN_E_CANCELLED);
    assert_int_equal(account.held, 0);
    free(sets.offsets);
    free(sets.tokens);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indexes_are_those_of_one_thread),
        cmocka_unit_test(indexes_of_some_tokens),
        cmocka_unit_test(failures_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
