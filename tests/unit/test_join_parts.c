/* Joins under a memory bound: they keep to it, report what they did, and fail with a reason. That their pairs are right
 * is for the property tests too. */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/budget.h"
#include "base/context.h"
#include "join/part.h"
#include "join/pieces.h"
#include "sets/sets.h"
#include "unit/test_base_cancel.h"
#include "unit/test_base_files.h"
#include "unit/test_join_watch.h"
#include "unit/test_sanitizers.h"

#include <signal.h>
#include <sys/resource.h>

#define MIB ((uint64_t)1 << 20)

static const akin_technique techniques[] = {AKIN_AUTO,      AKIN_ALLPAIRS, AKIN_PPJOIN,
                                            AKIN_GROUPJOIN, AKIN_BITMAP,   AKIN_SCREENED};
#define TECHNIQUES (sizeof techniques / sizeof *techniques)

/* All rows are joined, equal or not: figures are checked. */
static const akin_wishes all_rows = {.equal_rows = -1};

static akin_context context_of(akin_context *self, uint32_t threads, uint64_t memory)
{
    return (akin_context){.scope = {.context = self, .threads = threads, .cpu = akin_cpu_detect(), .memory = memory},
                          .cpu_best = akin_cpu_detect(),
                          .temporary = scratch,
                          .wishes = &all_rows};
}

static akin_sets *generate(uint32_t rows, uint32_t universe, double mean, uint64_t seed)
{
    akin_context context = context_of(&context, 1, 0);
    akin_generate_options options = AKIN_GENERATE_OPTIONS_INIT;
    akin_sets *sets = NULL;
    options.rows = rows;
    options.universe = universe;
    options.size_mean = mean;
    options.size_deviation = mean / 2;
    options.duplicates = 0.3;
    options.seed = seed;
    assert_int_equal(akin_sets_generate(&context, &options, &sets, NULL), AKIN_OK);
    return sets;
}

static akin_join_options options_of(akin_technique technique)
{
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    options.threshold = (akin_ratio){7, 10};
    options.technique = technique;
    return options;
}

/* What a join said, and a number that is the same for the same pairs. */
typedef struct outcome {
    uint64_t count, hash;
    akin_join_summary summary;
    uint32_t steps;
    uint64_t parts;
} outcome;

static int receive(void *user, const akin_pair *pairs, size_t count)
{
    outcome *o = user;
    for (size_t i = 0; i < count; i++) {
        const uint32_t own[] = {pairs[i].left, pairs[i].right, pairs[i].overlap};
        for (int k = 0; k < 3; k++)
            o->hash = (o->hash ^ own[k]) * UINT64_C(0x100000001b3); /* their order counts */
    }
    return 0;
}

static void add_up(const akin_join_report *report, outcome *o)
{
    uint64_t candidates = 0;
    o->summary.size = sizeof o->summary;
    assert_int_equal(akin_join_report_summary(report, &o->summary, NULL), AKIN_OK);
    o->steps = akin_join_report_steps(report, AKIN_JOIN_STEPS_DONE);
    for (uint32_t i = 0; i < o->steps; i++) {
        akin_join_step step = {.size = sizeof step};
        assert_int_equal(akin_join_report_step(report, AKIN_JOIN_STEPS_DONE, i, &step, NULL), AKIN_OK);
        o->parts += step.parts;
        candidates += step.candidates;
    }
    assert_true(candidates >= o->count);
}

static outcome join(akin_context *context, const akin_sets *left, const akin_sets *right, akin_technique technique)
{
    akin_join_options options = options_of(technique);
    akin_join_report *report = NULL;
    akin_error error;
    outcome o = {.hash = 1};
    akin_status status = akin_join(context, left, right, &options, receive, &o, &o.count, &report, &error);
    if (status != AKIN_OK)
        fail_msg("%s", error.message);
    add_up(report, &o);
    akin_join_report_free(report);
    assert_int_equal(scratch_entries("."), 0);
    return o;
}

static void check_same(const outcome *a, const outcome *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->hash, b->hash);
    assert_int_equal(a->summary.pairs_found, b->summary.pairs_found);
    assert_int_equal(a->summary.pairs_all, b->summary.pairs_all);
    assert_int_equal(a->summary.pairs_compatible, b->summary.pairs_compatible);
    assert_int_equal(a->summary.universe, b->summary.universe);
    assert_int_equal(a->summary.rows_left, b->summary.rows_left);
    assert_int_equal(a->summary.rows_right, b->summary.rows_right);
    assert_int_equal(a->summary.tokens_left, b->summary.tokens_left);
    assert_int_equal(a->summary.tokens_right, b->summary.tokens_right);
    assert_int_equal(a->summary.smallest, b->summary.smallest);
    assert_int_equal(a->summary.largest, b->summary.largest);
}

static void check_bounds(const akin_sets *left, const akin_sets *right, uint64_t most)
{
    akin_context free_context = context_of(&free_context, 2, 0);
    outcome whole = join(&free_context, left, right, AKIN_AUTO);
    assert_true(whole.count > 1000 && whole.steps == 1 && whole.parts == 1);
    for (size_t t = 0; t < TECHNIQUES; t++)
        for (uint64_t memory = 16 * MIB, threads = 1; memory <= most; memory *= 4, threads += 2) {
            akin_context context = context_of(&context, (uint32_t)threads, memory);
            outcome bounded = join(&context, left, right, techniques[t]);
            check_same(&whole, &bounded);
            assert_true(bounded.summary.memory_peak <= akin_budget_job(&context.scope));
            assert_true(memory > 16 * MIB || whole.summary.memory_peak > akin_budget_job(&context.scope));
        }
}

static void within_the_bound(void **state)
{
    (void)state;
    akin_sets *left = generate(80000, 3000, 12, 1), *right = generate(20000, 3000, 12, 1);
    check_bounds(left, NULL, (UNDER_ASAN ? 16 : 64) * MIB);
    check_bounds(left, right, 16 * MIB);
    akin_sets_free(left);
    akin_sets_free(right);
}

static void sparse_tokens_within_the_bound(void **state)
{
    (void)state;
    akin_sets *sets = generate(40000, 500000, 25, 2);
    uint64_t total = sets->offsets[sets->rows];
    for (uint64_t i = 0; i < total; i++) /* spread over all 32 bits, still ascending */
        ((uint32_t *)sets->tokens)[i] *= 8000;
    check_bounds(sets, NULL, 16 * MIB);
    akin_sets_free(sets);
}

/* More tokens than there is memory to count them in a table for, so that they are counted in a bitmap. */
static void many_sparse_tokens(void **state)
{
    (void)state;
    akin_sets *sets = generate(60000, 500000, 12, 3);
    uint64_t total = sets->offsets[sets->rows];
    for (uint64_t i = 0; i < total; i++)
        ((uint32_t *)sets->tokens)[i] *= 1000;
    akin_context whole = context_of(&whole, 1, 0), bounded = context_of(&bounded, 1, 16 * MIB);
    outcome a = join(&whole, sets, NULL, AKIN_AUTO), b = join(&bounded, sets, NULL, AKIN_AUTO);
    check_same(&a, &b);
    akin_sets_free(sets);
}

/* The screened join in blocks of tokens, and parts as views and ranked anew, where numbers of tokens are at the borders
 * of words, and of the cells that postings are counted in. */
static void check_ways(const akin_sets *left, const akin_sets *right)
{
    static const uint64_t block_postings[] = {0, 1, 50, 3000}, shares[] = {0, 1, 3, 11};
    const uint64_t tokens = left->offsets[left->rows] + (right ? right->offsets[right->rows] : 0);
    akin_context plain = context_of(&plain, 1, 0);
    const outcome whole = join(&plain, left, right, AKIN_ALLPAIRS);
    assert_true(whole.count > 0 || right);
    for (size_t b = 0; b < sizeof block_postings / sizeof *block_postings; b++)
        for (size_t s = 0; s < sizeof shares / sizeof *shares; s++)
            for (int anew = 0; anew < 2; anew++) {
                akin_context context = context_of(&context, 1 + (uint32_t)(b + s) % 3, shares[s] ? 32 * MIB : 0);
                akin_wishes wishes = all_rows;
                context.wishes = &wishes;
                wishes.block_postings = block_postings[b];
                wishes.part_tokens = shares[s] ? tokens / shares[s] + 1 : 0;
                wishes.parts_anew = anew;
                const outcome o = join(&context, left, right, AKIN_SCREENED);
                check_same(&whole, &o);
                assert_true(shares[s] < 2 || o.parts > 1);
            }
}

static void blocks_of_tokens(void **state)
{
    static const uint32_t universes[] = {1, 63, 64, 65, 128, 16383, 16384, 16385, 32769, 50000};
    (void)state;
    for (size_t u = 0; u < sizeof universes / sizeof *universes; u++) {
        const uint32_t universe = universes[u];
        akin_sets *left = generate(universe < 128 ? 60 : 1500, universe, universe < 128 ? 3 : 12, 5 + u);
        akin_sets *right = generate(universe < 128 ? 80 : 700, universe, universe < 128 ? 3 : 12, 5 + u);
        check_ways(left, NULL);
        check_ways(left, right);
        akin_sets_free(left);
        akin_sets_free(right);
    }
}

/* Signatures that do not fit the bound are cut, and a technique that was named is not changed for another one. */
static void sides_that_are_cut(void **state)
{
    (void)state;
    akin_sets *sets = generate(60000, 3000, 12, 6);
    akin_context plain = context_of(&plain, 1, 0), bounded = context_of(&bounded, 1, 16 * MIB);
    for (size_t t = 0; t < TECHNIQUES; t++) {
        akin_join_options options = options_of(techniques[t]);
        akin_join_report *report = NULL;
        outcome a = {.hash = 1}, b = {.hash = 1};
        options.bits = techniques[t] == AKIN_SCREENED || techniques[t] == AKIN_BITMAP ? 2048 : 0;
        assert_int_equal(akin_join(&plain, sets, NULL, &options, receive, &a, &a.count, NULL, NULL), AKIN_OK);
        assert_int_equal(akin_join(&bounded, sets, NULL, &options, receive, &b, &b.count, &report, NULL), AKIN_OK);
        add_up(report, &b);
        assert_int_equal(a.count, b.count);
        assert_int_equal(a.hash, b.hash);
        assert_true(b.summary.memory_peak <= akin_budget_job(&bounded.scope));
        assert_true(!options.bits || b.parts > 1);
        for (uint32_t i = 0; i < b.steps; i++) {
            akin_join_step step = {.size = sizeof step};
            assert_int_equal(akin_join_report_step(report, AKIN_JOIN_STEPS_DONE, i, &step, NULL), AKIN_OK);
            assert_true(techniques[t] == AKIN_AUTO || step.technique == techniques[t]);
        }
        akin_join_report_free(report);
    }
    akin_sets_free(sets);
}

/* ---------------------------------------------------------------------------------------------------------- refusals
 */

/* Sets of `size` tokens each, alike, and then `small` sets of ten. */
static akin_sets *huge_sets(uint32_t count, uint32_t size, uint32_t factor, uint32_t small)
{
    akin_context context = context_of(&context, 1, 0);
    akin_sets *sets = NULL;
    uint64_t *offsets = malloc((count + small + (size_t)1) * sizeof *offsets);
    uint32_t *tokens = malloc(((size_t)count * size + 10 * (size_t)small) * sizeof *tokens);
    assert_true(offsets && tokens);
    offsets[0] = 0;
    for (uint32_t row = 0; row < count + small; row++) {
        const uint32_t own = row < count ? size : 10;
        for (uint32_t i = 0; i < own; i++)
            tokens[offsets[row] + i] = (row + i) * factor;
        offsets[row + 1] = offsets[row] + own;
    }
    assert_int_equal(akin_sets_from_arrays(&context, count + small, offsets, tokens, &sets, NULL), AKIN_OK);
    free(offsets);
    free(tokens);
    return sets;
}

/* The bound that a join within 8 MiB is told to need. */
static uint64_t named_bound(akin_context *context, const akin_sets *left, const akin_sets *right,
                            const akin_join_options *options, akin_pair_sink sink)
{
    akin_join_report *report = NULL;
    outcome o = {.hash = 1};
    akin_error error = {.code = AKIN_OK};
    uint64_t count = 77;
    context->scope.memory = 8 * MIB;
    assert_int_equal(akin_join(context, left, right, options, sink, &o, &count, &report, &error), AKIN_E_NOMEM);
    assert_true(count == 77 && report == NULL && error.code == AKIN_E_NOMEM);
    assert_non_null(strstr(error.message, "8 MiB"));
    const char *about = strstr(error.message, "about ");
    assert_non_null(about);
    return strtoull(about + 6, NULL, 10) * MIB;
}

static akin_status join_within(akin_context *context, const akin_sets *left, const akin_sets *right,
                               const akin_join_options *options, akin_pair_sink sink, uint64_t memory)
{
    outcome o = {.hash = 1};
    context->scope.memory = memory;
    return akin_join(context, left, right, options, sink, &o, NULL, NULL, NULL);
}

/* Two sets that do not fit: the message says which bound would do. It does, and three quarters of it do not.
 */
static void sets_that_are_too_large(void **state)
{
    static const struct {
        uint32_t rows, size, factor, small, rows_right;
    } shapes[] = {{3, 500000, 7, 0, 0},       {3, 500000, 4000, 0, 0}, {2, 1400000, 1, 0, 0},  {8, 450000, 3, 0, 0},
                  {3, 500000, 4000, 5000, 0}, {3, 500000, 7, 5000, 0}, {2, 350000, 6000, 0, 2}};
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        akin_sets *left = huge_sets(shapes[s].rows, shapes[s].size, shapes[s].factor, shapes[s].small);
        akin_sets *right = shapes[s].rows_right
                               ? huge_sets(shapes[s].rows_right, shapes[s].size, shapes[s].factor, shapes[s].small)
                               : NULL;
        for (size_t t = s % 3; t < TECHNIQUES; t += 3) {
            akin_context context = context_of(&context, t % 2 ? 1 : 3, 16 * MIB);
            const akin_pair_sink sink = (s + t) % 2 ? receive : NULL;
            const akin_join_options options = options_of(techniques[t]);
            const uint64_t bound = named_bound(&context, left, right, &options, sink);
            assert_true(bound > 8 * MIB);
            assert_int_equal(join_within(&context, left, right, &options, sink, bound), AKIN_OK);
            assert_int_equal(join_within(&context, left, right, &options, sink, bound / 4 * 3), AKIN_E_NOMEM);
        }
        akin_sets_free(left);
        akin_sets_free(right);
    }
}

static void check_failure(akin_context *context, const akin_sets *sets, akin_technique technique, const char *named)
{
    akin_join_options options = options_of(technique);
    akin_error error = {.code = AKIN_OK};
    outcome o = {.count = 0};
    assert_int_equal(akin_join(context, sets, NULL, &options, receive, &o, NULL, NULL, &error), AKIN_E_IO);
    assert_int_equal(error.code, AKIN_E_IO);
    assert_memory_equal(error.message, named, strlen(named));
}

/* Pairs cannot be put aside: there is no such directory, or the disk is full, at once or while runs are merged. */
static void no_place_for_pairs(void **state)
{
    (void)state;
    char absent[] = "/absent/directory";
    akin_sets *sets = generate(5000, 300, 12, 3);
    struct rlimit before, less;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    less = before;
    for (size_t t = 0; t < TECHNIQUES; t++)
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            akin_context context = context_of(&context, threads, 16 * MIB);
            akin_wishes wishes = all_rows;
            context.wishes = &wishes;
            wishes.part_tokens = sets->offsets[sets->rows] / 3;
            wishes.pairs_a_run = 20;
            wishes.runs_a_merge = 2;
            context.temporary = absent;
            check_failure(&context, sets, techniques[t], absent);
            context.temporary = scratch;
            less.rlim_cur = 2000;
            assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
            check_failure(&context, sets, techniques[t], scratch);
            assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
            assert_int_equal(scratch_entries("."), 0);
        }
    akin_sets_free(sets);
}

/* ---------------------------------------------------------------------------------------------------------- a caller
 */

static void progress_goes_on(void **state)
{
    (void)state;
    akin_sets *sets = generate(3000, 300, 12, 3);
    watcher w = {.calls = 0};
    akin_context context = context_of(&context, 2, 16 * MIB);
    akin_wishes wishes = all_rows;
    context.wishes = &wishes;
    wishes.part_tokens = sets->offsets[sets->rows] / 4;
    context.scope.reporter.progress = watch;
    context.scope.reporter.user = &w;
    outcome o = join(&context, sets, NULL, AKIN_AUTO);
    assert_int_equal(w.total, o.summary.pairs_compatible);
    assert_true(o.parts > 4 && w.calls >= o.parts);
    akin_sets_free(sets);
}

/* Stopped at every check for cancellation. */
static void it_can_be_stopped(void **state)
{
    (void)state;
    akin_sets *sets = generate(400, 100, 8, 3);
    akin_status status = AKIN_E_CANCELLED;
    akin_join_options options = options_of(AKIN_AUTO);
    unsigned stops = 0, step = 1;
    for (; status != AKIN_OK; stops += step) {
        asking a = {.stop_at = stops + 1};
        akin_context context = context_of(&context, 1, 16 * MIB);
        akin_wishes wishes = all_rows;
        context.wishes = &wishes;
        outcome o = {.count = 0};
        akin_error error = {.code = AKIN_OK};
        wishes.part_tokens = sets->offsets[sets->rows] / 4;
        wishes.pairs_a_run = 10;
        wishes.runs_a_merge = 3;
        context.scope.reporter.cancel = asking_answer;
        context.scope.reporter.user = &a;
        status = akin_join(&context, sets, NULL, &options, receive, &o, NULL, NULL, &error);
        assert_true(status == AKIN_OK || (status == AKIN_E_CANCELLED && error.code == status && error.message[0]));
        assert_int_equal(scratch_entries("."), 0);
    }
    assert_true(stops > 50);
    akin_sets_free(sets);
}

/* The report has a thousand steps one by one, and the sums of the rest. */
static void more_parts_than_steps(void **state)
{
    (void)state;
    akin_sets *sets = generate(120, 10, 5, 3);
    akin_context context = context_of(&context, 1, 16 * MIB), whole = context_of(&whole, 1, 0);
    akin_wishes wishes = all_rows;
    context.wishes = &wishes;
    wishes.part_tokens = 1;
    outcome a = join(&context, sets, NULL, AKIN_PPJOIN), b = join(&whole, sets, NULL, AKIN_PPJOIN);
    check_same(&b, &a);
    assert_int_equal(a.steps, 1000);
    assert_int_equal(a.parts, a.summary.pairs_compatible);
    assert_true(a.parts > 1000);
    akin_sets_free(sets);
}

/* A piece that a policy leaves whole, and cannot cut, is an error, because its pairs would be lost. */
static uint64_t weigh_rows(const akin_piece_range *range)
{
    return akin_piece_rows(range);
}

static uint32_t cut_nowhere(void *user, const akin_piece_range *range)
{
    (void)user;
    (void)range;
    return 0;
}

static int leave_nothing_out(void *user, akin_piece *piece)
{
    (void)user;
    (void)piece;
    return 1;
}

static akin_status take_nothing(void *user, const akin_piece *piece, int *taken, akin_error *error)
{
    (void)user;
    (void)piece;
    (void)error;
    *taken = 0;
    return AKIN_OK;
}

static void a_piece_that_cannot_be_cut(void **state)
{
    (void)state;
    const akin_piece_policy policy = {weigh_rows, cut_nowhere, leave_nothing_out, take_nothing, NULL};
    const akin_piece_range some = {.end = 7}, one = {.end = 1}, none = {.end = 0};
    akin_error error = {.code = AKIN_OK};
    assert_int_equal(akin_pieces_walk(&policy, (akin_piece){some, some, 1}, &error), AKIN_E_LIMIT);
    assert_string_equal(error.message, "a piece of 7 with 7 rows of a join is too large, and cannot be cut");
    assert_int_equal(akin_pieces_walk(&policy, (akin_piece){one, some, 0}, &error), AKIN_E_LIMIT);
    assert_int_equal(akin_pieces_walk(&policy, (akin_piece){one, one, 1}, &error), AKIN_OK); /* it has no pair */
    assert_int_equal(akin_pieces_walk(&policy, (akin_piece){none, some, 0}, &error), AKIN_OK);
}

/* A collection that is read under a bound is the same, and mostly in a file. */
static void collections_are_read_within_it(void **state)
{
    (void)state;
    akin_context context = context_of(&context, 1, 16 * MIB), whole = context_of(&whole, 1, 0);
    akin_sets *sets = generate(60000, 3000, 12, 4), *text = NULL, *saved = NULL;
    FILE *file = fopen(scratch_path("text"), "w");
    assert_non_null(file);
    for (uint32_t row = 0; row < akin_sets_rows(sets); row++) {
        const uint32_t *tokens;
        uint32_t size = akin_sets_row(sets, row, &tokens);
        for (uint32_t i = 0; i < size; i++)
            fprintf(file, "%u ", tokens[i]);
        fputc('\n', file);
    }
    assert_int_equal(fclose(file), 0);
    assert_int_equal(akin_sets_read(&context, scratch_path("text"), &text, NULL), AKIN_OK);
    assert_int_equal(akin_sets_save(&whole, sets, scratch_path("saved"), NULL), AKIN_OK);
    size_t length;
    free(scratch_read(scratch_path("saved"), &length));
    char *command = malloc(3 * PATH_BYTES);
    assert_non_null(command);
    snprintf(command, (size_t)3 * PATH_BYTES, "gzip -1 %s", scratch_path("saved"));
    assert_int_equal(system(command), 0);
    free(command);
    assert_int_equal(akin_sets_read(&context, scratch_path("saved.gz"), &saved, NULL), AKIN_OK);
    assert_true(text->own[1].mapped && saved->own[0].mapped);
    const akin_sets *const read[] = {text, saved};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(akin_sets_rows(read[i]), akin_sets_rows(sets));
        assert_memory_equal(read[i]->offsets, sets->offsets, ((size_t)sets->rows + 1) * sizeof *sets->offsets);
        assert_memory_equal(read[i]->tokens, sets->tokens, sets->offsets[sets->rows] * sizeof *sets->tokens);
    }
    akin_sets_free(sets);
    akin_sets_free(text);
    akin_sets_free(saved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(within_the_bound),      cmocka_unit_test(sparse_tokens_within_the_bound),
        cmocka_unit_test(many_sparse_tokens),    cmocka_unit_test(blocks_of_tokens),
        cmocka_unit_test(sides_that_are_cut),    cmocka_unit_test(sets_that_are_too_large),
        cmocka_unit_test(no_place_for_pairs),    cmocka_unit_test(progress_goes_on),
        cmocka_unit_test(it_can_be_stopped),     cmocka_unit_test(a_piece_that_cannot_be_cut),
        cmocka_unit_test(more_parts_than_steps), cmocka_unit_test(collections_are_read_within_it),
    };
    signal(SIGXFSZ, SIG_IGN);
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
