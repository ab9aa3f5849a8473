/* Tries one bound after another: what each leaves the largest sets, and what they take. */
#include "join/part_bound.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/context.h"
#include "join/part_room.h"
#include "sets/ranking.h"
#include "sets/sets.h"

#define MIB        ((uint64_t)1 << 20)
#define STEPS      16    /* from a bound to the next one that is tried: a part of it */
#define CLASS_ROWS 65536 /* rows that are counted by size together, at least; see sets/classes.c */

/* What is known of a join, and the two sets that are to be joined. */
typedef struct wanted {
    const akin_join_job *job;
    const akin_join_options *options;
    const akin_part_sides *sides;
    uint64_t bound, total; /* of all tokens */
    double universe;
    uint32_t size; /* of each of the two */
} wanted;

/* What an array takes of the heap that goes to a file where it is larger than its share. */
static double on_heap(const akin_scope *scope, akin_budget_share share, double bytes)
{
    return bytes <= (double)akin_budget(scope, share) ? bytes : 0;
}

static uint32_t threads_under(const wanted *w, uint64_t memory)
{
    akin_scope scope = *akin_scope_of((akin_context *)w->job->scope->context);
    scope.memory = memory;
    return akin_max_u32(w->job->threads, akin_join_threads(&scope, w->sides->side[0].sets, w->sides->side[1].sets));
}

/* What the join of the two sets takes with the arrays that are there, if their tokens are ranked anew, or if they are a
 * view of all sets. */
static double joining_takes(const wanted *w, double room, uint32_t threads, int anew)
{
    const int is_self = w->job->self;
    const uint32_t first[2] = {0, is_self ? 2 : 1}, size = w->size;
    const double distinct = 2.0 * size < w->universe ? 2.0 * size : w->universe;
    const akin_ranked two = {.count = first[1],
                             .classes = 1,
                             .class_size = (uint32_t *)&size,
                             .class_first = (uint32_t *)first,
                             .universe = (uint64_t)(anew ? distinct : w->universe)};
    akin_join_job job = *w->job;
    job.probes = job.indexed = &two;
    job.threads = threads;
    job.room = room;
    return anew ? akin_part_anew_bytes(&job, w->options, w->bound) : akin_part_joined_bytes(&job, w->options);
}

/* Whether all sets can be ranked, for which `left` is there, and two of them then joined as a view, beside `pairs`. */
static int has_room_for_view(const wanted *w, const akin_scope *scope, double left, double pairs, uint32_t threads)
{
    const int is_dense = akin_ranking_is_dense(w->bound, w->total);
    const double table = akin_ranking_table_bytes(w->bound, w->total, w->universe);
    const double kept = is_dense ? on_heap(scope, AKIN_BUDGET_PART_TOKENS, table) : table;
    /* dense tokens that do not fit are counted in a file, and then numbered */
    const double counting = akin_ranking_bytes(is_dense ? 0 : w->bound, w->total, w->universe, threads);
    for (int s = 0; s < 2 && w->sides->side[s].sets; s++) {
        const akin_sets *sets = w->sides->side[s].sets;
        left -= on_heap(scope, AKIN_BUDGET_PART_ROWS, sizeof(uint64_t) * ((double)sets->rows + 1));
        left -= on_heap(scope, AKIN_BUDGET_PART_SETS, sizeof(uint32_t) * (double)sets->offsets[sets->rows]);
    }
    return (is_dense ? kept : 0) + counting <= left && kept + akin_ranked_store_least(w->size) <= left &&
           joining_takes(w, left - pairs, threads, 0) <= left - pairs;
}

/* Whether a bound would do: what lasts from part to part is taken from the job's share first. */
static int would_do(const wanted *w, uint64_t memory)
{
    const akin_scope scope = akin_scope_narrow(w->job->scope, (akin_narrowing){.memory = memory});
    const uint32_t threads = threads_under(w, memory);
    const uint64_t share = akin_budget_job(&scope);
    const double pairs = w->job->keep ? (double)akin_budget_part(share, AKIN_JOB_PAIRS) : 0;
    double left = (double)share;
    for (int s = 0; s < 2 && w->sides->side[s].sets; s++) {
        const double rows = w->sides->side[s].sets->rows, sizes = rows < w->size ? rows : w->size;
        const double counts = sizeof(uint32_t) * (double)w->size * (1 + rows / akin_max_u32(CLASS_ROWS, w->size));
        left -= on_heap(&scope, AKIN_BUDGET_PART_ROWS, sizeof(uint32_t) * rows) + 2 * sizeof(uint64_t) * sizes;
        if (counts > left)
            return 0;
    }
    return has_room_for_view(w, &scope, left, pairs, threads) ||
           joining_takes(w, left - pairs, threads, 1) <= left - pairs;
}

/* The largest token of both sides + 1, also where they could not be made. */
static uint64_t bound_of_tokens(const akin_part_sides *sides)
{
    uint64_t bound = 0;
    for (int s = 0; s < 2 && sides->side[s].sets; s++) {
        const akin_sets *sets = sides->side[s].sets;
        for (uint32_t row = 0; row < sets->rows; row++)
            if (sets->offsets[row + 1] > sets->offsets[row])
                bound = akin_max_u64(bound, (uint64_t)sets->tokens[sets->offsets[row + 1] - 1] + 1);
    }
    return bound;
}

akin_status akin_part_bound_fail(const akin_join_job *job, const akin_join_options *options,
                                 const akin_part_sides *sides, uint64_t tokens, akin_error *error)
{
    const uint64_t memory = job->scope->memory;
    wanted w = {.job = job, .options = options, .sides = sides, .size = (uint32_t)akin_ceil_div(tokens, 2)};
    for (int s = 0; s < 2 && sides->side[s].sets; s++)
        w.total += sides->side[s].sets->offsets[sides->side[s].sets->rows];
    w.bound = bound_of_tokens(sides);
    w.universe = (double)(sides->universe ? sides->universe : akin_min_u64(w.total, w.bound));
    uint64_t needed = memory;
    do
        needed = akin_ceil_div(needed + needed / STEPS, MIB) * MIB;
    while (needed < UINT64_MAX / 4 && !would_do(&w, needed));
    return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY_BOUND,
                          "a memory bound of %.0f MiB is too small for sets of %llu tokens: about %.0f MiB would do",
                          (double)memory / MIB, (unsigned long long)tokens, (double)needed / MIB);
}
