/* Joins at the ends of what is usual: far more threads than rows, a few sets of very many tokens. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "join/pairs.h"
#include "property/oracle.h"

#include <stdlib.h>
#include <string.h>

/* Screened is the last. */
static const akin_technique techniques[] = {AKIN_AUTO,      AKIN_ALLPAIRS, AKIN_PPJOIN,
                                            AKIN_GROUPJOIN, AKIN_BITMAP,   AKIN_SCREENED};
#define TECHNIQUES (sizeof techniques / sizeof *techniques)

static akin_context context_of(akin_context *self, uint32_t threads)
{
    return (akin_context){.scope = {.context = self, .threads = threads, .cpu = akin_cpu_detect()},
                          .cpu_best = akin_cpu_detect()};
}

/* The pairs that a join has given so far. */
typedef struct gathered {
    akin_pair *pairs;
    uint64_t count, room;
} gathered;

static int gather(void *user, const akin_pair *pairs, size_t count)
{
    gathered *all = user;
    if (all->room - all->count < count) {
        all->room = 2 * all->room + count;
        all->pairs = realloc(all->pairs, all->room * sizeof *pairs);
        assert_non_null(all->pairs);
    }
    memcpy(all->pairs + all->count, pairs, count * sizeof *pairs);
    all->count += count;
    return 0;
}

/* Self-joins and holds the pairs against those expected. */
static akin_join_summary join(const akin_sets *sets, akin_technique technique, uint32_t threads, akin_ratio threshold,
                              const akin_pair *expected, uint64_t count)
{
    akin_context context = context_of(&context, threads);
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_join_report *report = NULL;
    akin_join_summary summary = {.size = sizeof summary};
    gathered all = {0};
    options.technique = technique;
    options.threshold = threshold;
    assert_int_equal(akin_join(&context, sets, NULL, &options, gather, &all, NULL, &report, NULL), AKIN_OK);
    assert_int_equal(akin_join_report_summary(report, &summary, NULL), AKIN_OK);
    akin_join_report_free(report);
    assert_int_equal(summary.pairs_found, count);
    assert_int_equal(all.count, count);
    if (count)
        assert_memory_equal(all.pairs, expected, count * sizeof *expected);
    free(all.pairs);
    return summary;
}

/* --------------------------------------------------------------------------------------------------- many threads */

#define ROWS  600u
#define SIZE  8u
#define BLOCK 100u /* rows that draw from the same tokens */

/* Each row holds a run of SIZE tokens, which begins one further for every fourth row of a block: neighbours share most.
 */
static void add_runs(rows *all)
{
    for (uint32_t i = 0; i < ROWS; i++) {
        uint32_t tokens[SIZE];
        for (uint32_t k = 0; k < SIZE; k++)
            tokens[k] = i / BLOCK * 1000 + i % BLOCK / 4 + k;
        rows_add(all, tokens, SIZE);
    }
}

/* What a join of these rows may hold with any number of threads, where it holds `alone` with one: 64 rows are worth a
 * thread more, which has a chunk of pairs and some words for each row and each token. */
static uint64_t memory_bound(uint64_t alone, uint64_t universe)
{
    return alone + ROWS / 64 * (sizeof(akin_pairs_chunk) + 64 * (ROWS + universe));
}

static void more_threads_than_rows(void **state)
{
    (void)state;
    const akin_ratio threshold = {7, 10};
    rows all = {0};
    add_runs(&all);
    akin_sets *sets = rows_to_sets(&all);
    oracle_pairs compared = oracle_compare(&all, NULL);
    oracle_pairs expected = oracle_select(&compared, &all, NULL, AKIN_JACCARD, threshold, NULL);
    assert_true(expected.count > ROWS);
    for (size_t t = 0; t < TECHNIQUES; t++) {
        akin_join_summary one = join(sets, techniques[t], 1, threshold, expected.pairs, expected.count);
        akin_join_summary many = join(sets, techniques[t], 4096, threshold, expected.pairs, expected.count);
        assert_true(one.threads == 1 && one.memory_peak > 0);
        assert_true(many.memory_peak <= memory_bound(one.memory_peak, many.universe));
        assert_true(many.threads > 1 && many.threads <= ROWS);
    }
    oracle_clear(&expected);
    oracle_clear(&compared);
    akin_sets_free(sets);
    rows_clear(&all);
}

/* ----------------------------------------------------------------------------------------------------- large sets */

#define LARGE 200000u
#define STEP  1000u

/* `count` sets of LARGE tokens, each moved on by STEP from the one before: sets i and j share LARGE - STEP * |i - j|.
 */
static akin_sets *large_sets(uint32_t count)
{
    akin_context context = context_of(&context, 1);
    akin_sets *sets = NULL;
    uint64_t *offsets = malloc(((size_t)count + 1) * sizeof *offsets);
    uint32_t *tokens = malloc((size_t)count * LARGE * sizeof *tokens);
    assert_true(offsets && tokens);
    offsets[0] = 0;
    for (uint32_t row = 0; row < count; row++) {
        for (uint32_t k = 0; k < LARGE; k++)
            tokens[(size_t)row * LARGE + k] = row * STEP + k;
        offsets[row + 1] = offsets[row] + LARGE;
    }
    assert_int_equal(akin_sets_from_arrays(&context, count, offsets, tokens, &sets, NULL), AKIN_OK);
    free(offsets);
    free(tokens);
    return sets;
}

/* The pairs of `count` such sets that are at most `apart` apart. */
static uint64_t near_pairs(uint32_t count, uint32_t apart, akin_pair *pairs)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count && j <= i + apart; j++)
            pairs[found++] = (akin_pair){i, j, LARGE - STEP * (j - i)};
    return found;
}

/* At 0.9 sets must share 189,474 of their tokens, which they do up to 10 apart; pairs that are alike meet in
 * thousands of lists. */
static void join_large(uint32_t count)
{
    akin_pair expected[500];
    uint64_t pairs = near_pairs(count, 10, expected);
    akin_sets *sets = large_sets(count);
    for (size_t t = 0; t < TECHNIQUES; t++)
        join(sets, techniques[t], 2, (akin_ratio){9, 10}, expected, pairs);
    akin_sets_free(sets);
}

static void two_large_sets(void **state)
{
    (void)state;
    join_large(2);
}

static void many_large_sets(void **state)
{
    (void)state;
    join_large(16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_threads_than_rows),
        cmocka_unit_test(two_large_sets),
        cmocka_unit_test(many_large_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
