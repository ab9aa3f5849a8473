/* Nearest strings: queries among threads, in two rounds. */
#include "search/nearest.h"

#include "base/budget.h"
#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "search/nearest_bags.h"
#include "search/nearest_subsequences.h"

#include <string.h>

#define TASKS      4                    /* for each thread, at least */
#define EACH       32                   /* queries of a task by subsequences, at least */
#define PORTION    256                  /* bags list the best 1/256 of the strings, */
#define KEPT_MOST  1024                 /* these at most, */
#define KEPT_LEAST 32                   /* and at least; */
#define KEPT_A_K   4                    /* k is 1/4 of them, at most */
#define SAMPLE     16                   /* of 16 tasks by bags one is done first, */
#define SETTLED    4                    /* and the others if a query in 4 was settled */
#define TOPS_BYTES ((uint64_t)32 << 20) /* that the nearest of a task's queries take, about */

static const char what[] = "a search"; /* the memory is for */

_Static_assert(2 * KEPT_MOST <= AKIN_LIST_KEYS / AKIN_BAGS_QUERIES, "a list by bags has room for what is listed");
_Static_assert(2 * KEPT_MOST <= AKIN_LIST_SCRATCH, "and can be sorted");

typedef struct searching {
    akin_nearest_round round;
    int is_sample;                    /* of tasks by bags, or else these are the others */
    akin_cancellation *cancellations; /* of each thread */
} searching;

/* ---------------------------------------------------------------------------------------------------------- queries */

/* Puts queries in order. */
static akin_status order_queries(akin_nearest_round *r, uint32_t count, akin_error *error)
{
    for (uint32_t q = 0; q < count; q++) {
        const uint64_t length = r->queries->offsets[q + UINT64_C(1)] - r->queries->offsets[q];
        if (!akin_column_has(r->queries, q))
            continue;
        if (length > INT32_MAX)
            return akin_fail(error, AKIN_E_LIMIT, "query %lu has 2^31 bytes or more", (unsigned long)q);
        r->order[r->count++] = length << 32 | q;
    }
    akin_sort_u64(r->order, r->count);
    return AKIN_OK;
}

/* Queries from `first` on up to that length, `each` to a task. */
static akin_nearest_part length_part(const akin_nearest_round *r, uint32_t first, uint64_t longest, uint32_t each)
{
    const uint32_t end = (uint32_t)akin_lower_bound_u64(r->order, r->count, (longest + 1) << 32);
    return (akin_nearest_part){first, end, each, (uint32_t)akin_ceil_div(end - first, akin_max_u32(each, 1))};
}

/* How many queries a task by subsequences has, so that there are as many tasks as are wanted, or at least one for each
 * thread. The fewer there are, the fewer it has. */
static uint32_t queries_of_task(const akin_nearest_round *r, uint32_t threads)
{
    const uint64_t all = (uint64_t)r->count * r->spans;
    const uint64_t least = akin_max_u64(akin_min_u64(EACH, akin_ceil_div(all, threads)), 1);
    return (uint32_t)akin_min_u64(akin_max_u64(akin_ceil_div(all, (uint64_t)threads * TASKS), least), r->tops);
}

static int is_query_open(const akin_nearest_round *r, uint32_t place)
{
    for (uint32_t span = 0; span < r->spans; span++)
        if (r->is_open[akin_nearest_slot(r, place, span)])
            return 1;
    return 0;
}

/* Leaves queries that are not settled, and cuts them into tasks; how many. */
static uint32_t set_parts(akin_nearest_round *r, uint32_t threads)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < r->count; i++)
        if (is_query_open(r, i))
            r->order[left++] = r->order[i];
    r->count = left;
    r->parts[0] = length_part(r, 0, AKIN_SLICE_LONGEST, queries_of_task(r, threads));
    r->parts[1] = length_part(r, r->parts[0].end, INT32_MAX, 1);
    return r->parts[0].tasks + r->parts[1].tasks;
}

/* ----------------------------------------------------------------------------------------------------------- rounds */

static akin_status bags_task(void *argument, uint64_t task, uint32_t thread)
{
    const searching *s = argument;
    const uint64_t place = task / s->round.spans, in_sample = place * SAMPLE, other = place + place / (SAMPLE - 1) + 1;
    return akin_nearest_by_bags(&s->round, &s->round.workers[thread],
                                (s->is_sample ? in_sample : other) * s->round.spans + task % s->round.spans);
}

static akin_status subsequences_task(void *argument, uint64_t task, uint32_t thread)
{
    const searching *s = argument;
    return akin_nearest_by_subsequences(&s->round, &s->round.workers[thread], task);
}

/* Whether it is worth while to go on with bags behind the sample. */
static int does_sample_settle(const akin_nearest_round *r)
{
    const akin_nearest_part *part = &r->parts[0];
    uint64_t queries = 0, settled = 0;
    for (uint32_t i = part->first; i < part->end; i++)
        if ((i - part->first) / part->each % SAMPLE == 0) {
            queries++;
            settled += !is_query_open(r, i);
        }
    return settled * SETTLED >= queries;
}

static akin_status search_by_bags(const akin_scope *scope, searching *s, atomic_int *cancelled)
{
    akin_nearest_round *r = &s->round;
    r->parts[0] = length_part(r, 0, UINT8_MAX, AKIN_BAGS_QUERIES);
    const uint64_t sample = akin_ceil_div(r->parts[0].tasks, SAMPLE);
    s->is_sample = 1;
    akin_status status = akin_parallel_long(scope, "sampling", sample * r->spans, bags_task, s, cancelled);
    if (status != AKIN_OK || !does_sample_settle(r))
        return status;
    s->is_sample = 0;
    return akin_parallel_long(scope, "screening", (r->parts[0].tasks - sample) * r->spans, bags_task, s, cancelled);
}

/* ----------------------------------------------------------------------------------------------------------- memory */

static int begin_worker(akin_nearest_round *r, akin_nearest_worker *w, const akin_scope *scope)
{
    const uint64_t columns = akin_min_u64(r->ordered->longest, AKIN_SLICE_COLUMNS) + AKIN_SLICE_TILE;
    const uint64_t strings = r->slices->strings;
    w->round = r;
    w->places = akin_alloc(NULL, columns * AKIN_SLICE_KINDS, strings / 8);
    w->rows = akin_alloc(NULL, AKIN_SLICE_LONGEST, strings / 8);
    w->common = akin_alloc(NULL, (uint64_t)r->each * r->chunk * AKIN_SLICE_COUNTS, strings / 8);
    w->query_kinds = akin_alloc(NULL, AKIN_TASK_QUERIES, AKIN_SLICE_LONGEST);
    w->counts = akin_alloc(NULL, AKIN_BAGS_QUERIES * AKIN_ORDERED_KINDS, AKIN_ORDERED_BLOCK);
    w->keys = akin_alloc(NULL, AKIN_LIST_KEYS, sizeof *w->keys);
    w->scratch = akin_alloc(NULL, AKIN_LIST_SCRATCH, sizeof *w->scratch);
    int made = akin_verifier_begin(&w->verifier, scope->cpu) && w->places && w->rows && w->common && w->query_kinds &&
               w->counts && w->keys && w->scratch;
    for (uint32_t i = 0; i < r->tops; i++) {
        made &= akin_top_begin(&w->tops[i], r->k, NULL);
        w->tops[i].ties = 1;
    }
    return made;
}

static akin_status make_nearest_workers(const akin_scope *scope, searching *s, atomic_int *cancelled)
{
    akin_nearest_round *r = &s->round;
    r->workers = akin_alloc_zero(NULL, scope->threads, sizeof *r->workers);
    s->cancellations = akin_alloc_zero(NULL, scope->threads, sizeof *s->cancellations);
    for (uint32_t i = 0; r->workers && s->cancellations && i < scope->threads; i++) {
        s->cancellations[i] = (akin_cancellation){scope, cancelled, i, 0};
        r->workers[i].verifier.pattern.go_on = akin_goes_on;
        r->workers[i].verifier.pattern.user = &s->cancellations[i];
        if (!begin_worker(r, &r->workers[i], scope))
            return AKIN_E_NOMEM;
    }
    return r->workers && s->cancellations ? AKIN_OK : AKIN_E_NOMEM;
}

static int make_nearest_slots(akin_nearest_round *r, uint32_t count)
{
    const uint64_t slots = (uint64_t)count * r->spans;
    r->keys = akin_alloc(NULL, slots * r->k, sizeof *r->keys);
    r->found = akin_alloc_zero(NULL, slots, sizeof *r->found);
    r->most = akin_alloc(NULL, slots, sizeof *r->most);
    r->is_open = akin_alloc(NULL, slots, sizeof *r->is_open);
    if (!r->keys || !r->found || !r->most || !r->is_open)
        return 0;
    memset(r->is_open, 1, (size_t)slots);
    for (uint64_t i = 0; i < slots; i++)
        r->most[i] = AKIN_NEAREST_ANY;
    return 1;
}

static void clear_nearest(searching *s, uint32_t threads)
{
    akin_nearest_round *r = &s->round;
    for (uint32_t i = 0; r->workers && i < threads; i++) {
        akin_nearest_worker *w = &r->workers[i];
        akin_free(w->places);
        akin_free(w->rows);
        akin_free(w->common);
        akin_free(w->query_kinds);
        akin_free(w->counts);
        akin_free(w->keys);
        akin_free(w->scratch);
        akin_verifier_clear(&w->verifier);
        for (int j = 0; j < AKIN_TASK_QUERIES; j++)
            akin_top_clear(&w->tops[j]);
    }
    akin_free(r->workers);
    akin_free(r->order);
    akin_free(r->most);
    akin_free(r->is_open);
    akin_free(s->cancellations);
}

/* ------------------------------------------------------------------------------------------------------------ batch */

/* Leaves the k best of all spans at the place of the first one, and closes the gaps. */
static void merge_spans(const akin_nearest_round *r, uint32_t count)
{
    for (uint64_t q = 0; q < count; q++) {
        uint64_t *keys = r->keys + q * r->spans * r->k, held = 0;
        for (uint64_t i = 0; i < r->spans; i++) {
            memmove(keys + held, keys + i * r->k, r->found[q * r->spans + i] * sizeof *keys);
            held += r->found[q * r->spans + i];
        }
        akin_sort_u64(keys, held);
        r->found[q] = (uint32_t)akin_min_u64(held, r->k);
        memmove(r->keys + q * r->k, keys, r->found[q] * sizeof *keys);
    }
}

/* How queries and strings are shared among threads, and what tasks have room for. */
static void share_nearest(akin_nearest_round *r, const akin_scope *scope)
{
    const uint32_t threads = scope->threads;
    const uint64_t bytes = scope->memory ? akin_budget_part(akin_budget_job(scope), AKIN_JOB_NEAREST) / threads
                                         : UINT64_MAX; /* of each of two */
    const uint64_t slices_of_unit = AKIN_UNIT_STRINGS / r->slices->strings;
    const uint64_t tasks = akin_max_u64(akin_ceil_div(r->count, AKIN_BAGS_QUERIES), 1);
    const uint64_t kept = akin_max_u64(akin_min_u64(r->ordered->count / PORTION, KEPT_MOST), KEPT_LEAST);
    const uint64_t tops = akin_max_u64(akin_min_u64(TOPS_BYTES, bytes) / (2 * sizeof *r->keys * r->k), 1);
    r->spans = 1; /* as few as there can be: each of them finds its own k best */
    if (threads > 1)
        r->spans = (uint32_t)akin_max_u64(
            akin_min_u64(akin_nearest_units(r), akin_ceil_div((uint64_t)threads * TASKS, tasks)), 1);
    r->kept = r->k <= kept / KEPT_A_K ? (uint32_t)kept : 0;
    r->tops = (uint32_t)akin_min_u64(tops, AKIN_TASK_QUERIES);
    r->each = queries_of_task(r, threads);
    const uint64_t chunk = bytes / (r->each * AKIN_SLICE_COUNTS * (r->slices->strings / 8));
    r->chunk = (uint32_t)akin_min_u64(akin_max_u32(akin_nearest_units(r), 1) * slices_of_unit, AKIN_CHUNK_SLICES);
    r->chunk = (uint32_t)akin_min_u64(r->chunk, akin_max_u64(chunk, AKIN_CHUNK_LEAST));
}

static akin_status search_all_nearest(const akin_scope *scope, searching *s, uint32_t count, akin_error *error)
{
    akin_nearest_round *r = &s->round;
    atomic_int cancelled = 0;
    r->order = akin_alloc(NULL, count, sizeof *r->order);
    akin_status status = r->order ? order_queries(r, count, error) : akin_fail_memory(error, what);
    if (status != AKIN_OK)
        return status;
    share_nearest(r, scope);
    status = make_nearest_slots(r, count) ? make_nearest_workers(scope, s, &cancelled) : AKIN_E_NOMEM;
    if (status == AKIN_OK && r->kept > 0)
        status = search_by_bags(scope, s, &cancelled);
    if (status == AKIN_OK) {
        const uint64_t tasks = (uint64_t)set_parts(r, scope->threads) * r->spans;
        status = akin_parallel_long(scope, "searching", tasks, subsequences_task, s, &cancelled);
    }
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    merge_spans(r, count);
    return AKIN_OK;
}

akin_status akin_nearest_search(const akin_scope *scope, const akin_ordered *ordered, const akin_column *queries,
                                const uint32_t *numbers, uint32_t count, uint32_t *k, uint64_t **keys, uint32_t **found,
                                akin_error *error)
{
    searching s = {.round = {.ordered = ordered,
                             .queries = queries,
                             .numbers = numbers,
                             .slices = akin_slices_choose(scope->cpu),
                             .screen = akin_nearest_screen_choose(scope->cpu)}};
    *keys = NULL;
    *found = NULL;
    if (*k == 0)
        return akin_fail(error, AKIN_E_OPTION, "k is 0: expected 1 or more");
    *k = s.round.k = (uint32_t)akin_min_u64(*k, akin_max_u32(ordered->count, 1));
    akin_status status = search_all_nearest(scope, &s, count, error);
    clear_nearest(&s, scope->threads);
    *keys = s.round.keys;
    *found = s.round.found;
    return status;
}
