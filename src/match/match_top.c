/*
 * The k most similar strings of each string, exactly: strings are screened by their bags and compared in lanes, by a
 * cutoff that rises to the k-th best so far.
 *
 *     1  seeds     strings of about the length of the probe whose bags are the nearest, enough of them that k good ones
 *                  are likely among them: the k-th best of them is a cutoff for all others
 *     2  bands     all strings, those of the probe's length first, and then outwards, band by band:
 *
 *                  shorter  | band 4 | band 2 |  probe  | band 1 | band 3 |  longer
 *
 *                  a side is done when no length further out can reach the cutoff
 *
 * Seeds are only a first cutoff; they are found again in the second step, which alone makes the result. Where edits are
 * counted, and there are probes enough, these go through the second step together, slice by slice (strings/slicer.h),
 * instead of band by band.
 */
#include "match/match_top.h"

#include "base/bits.h"
#include "base/heap.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "strings/slicer.h"

#define BAND        512  /* the least number of strings that are screened before the side is chosen again */
#define CHUNK       2048 /* strings that are screened by one cutoff, at most */
#define WORTH       96   /* candidates that are compared at once, so that lanes are full */
#define TASK_PAIRS  ((uint64_t)1 << 22)
#define TASK_PROBES 64
#define TASKS       4   /* for each thread, at least, where tasks have more pairs than that */
#define SLICED      8   /* probes from which on slices are worth it */
#define SEEDS       32  /* at least, */
#define SEEDS_EACH  4   /* and more for each partner */
#define SEEDS_SHARE 8   /* there are no seeds where they would be a larger share than one in 8 strings */
#define SAMPLE      256 /* strings whose bags say how near the seeds are */

typedef struct work work;

/* What the slots of a row are ordered by. */
typedef struct ranking {
    akin_order order;
    akin_alike *alikes;
} ranking;

typedef struct probe {
    akin_symbols symbols;
    uint32_t at, row; /* in its batch */
    ranking ranking;
    akin_heap heap;
    uint32_t *free;
    akin_cutoff cutoff; /* what a partner must reach by now */
} probe;

typedef struct worker {
    _Alignas(64) akin_scanner scanner;
    akin_slicer slicer;
    work *work;
    akin_cancellation cancellation;
    probe probes[TASK_PROBES]; /* of the task at hand, in the order of their lengths */
    probe *probe;              /* the one that the scanner has */
    int has_changed;           /* its cutoff has, since limits were set */
} worker;

struct work {
    akin_match_top *top;
    const akin_strings_batch *others;
    uint32_t task_probes;
    int is_sliced;
    atomic_int stopped;
    worker *workers;
};

/* --------------------------------------------------------------------------------------------------------- partners */

static int is_worse_partner(const void *user, uint64_t a, uint64_t b)
{
    const ranking *r = user;
    const akin_alike *x = &r->alikes[a], *y = &r->alikes[b];
    const int order = akin_order_of(&r->order, x, y);
    return order != 0 ? order < 0 : x->row > y->row;
}

static uint32_t length_at(const akin_strings_batch *others, uint32_t i)
{
    return others->lengths[akin_strings_batch_run(others, i)];
}

static ranking ranking_of(const akin_match_top *top, uint32_t row, uint32_t length)
{
    const uint64_t slots = (uint64_t)(row - top->best.first) * ((uint64_t)top->best.k + 1);
    return (ranking){{top->cutoff, length, top->by_distance}, top->alikes + slots};
}

/* Raises the cutoff to the worst partner if there are k. */
static void raise_cutoff(worker *w, probe *p)
{
    if (!akin_heap_is_full(&p->heap))
        return;
    const akin_alike *worst = &p->ranking.alikes[p->heap.keys[0]];
    p->cutoff = akin_order_cutoff(&p->ranking.order, worst, w->work->top->cutoff);
    w->has_changed = 1;
}

static int take_top_hits(void *user, const akin_scan_hit *hits, uint32_t count)
{
    worker *w = user;
    probe *p = w->probe;
    const akin_strings_batch *others = w->work->others;
    int taken = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t row = others->rows[hits[i].at];
        const uint64_t slot = akin_heap_is_full(&p->heap) ? *p->free : p->heap.held;
        uint64_t dropped;
        if (w->work->top->self && row == p->row)
            continue;
        p->ranking.alikes[slot] =
            (akin_alike){row, others->lengths[hits[i].run], hits[i].distance, hits[i].prefix, hits[i].jaro};
        if (!akin_heap_offer(&p->heap, slot, p->heap.k, &dropped))
            continue;
        taken = 1;
        *p->free = (uint32_t)dropped;
    }
    if (taken)
        raise_cutoff(w, p);
    return 1;
}

/* Makes a string, of a run, a probe. */
static void set_top_probe(worker *w, probe *p, uint32_t run, uint32_t i)
{
    const akin_match_top *top = w->work->top;
    const akin_strings_batch *probes = top->probes;
    *p = (probe){.symbols = akin_strings_batch_at(probes, run, i), .at = i, .row = probes->rows[i]};
    const uint32_t row = p->row - top->best.first;
    p->ranking = ranking_of(top, p->row, p->symbols.length);
    p->free = &top->free[row];
    p->heap = (akin_heap){akin_best_keys(&top->best, p->row), top->best.held[row], top->best.k, is_worse_partner,
                          &p->ranking};
    p->cutoff = *top->cutoff;
    raise_cutoff(w, p);
}

/* Gives a probe to the scanner. */
static int query_probe(worker *w, probe *p)
{
    w->probe = p;
    w->scanner.cutoff = &p->cutoff;
    return akin_scanner_query(&w->scanner, &p->symbols, akin_strings_batch_bag(w->work->top->probes, p->at),
                              akin_strings_batch_head(&p->symbols, AKIN_HEAD_QUERY));
}

/* ------------------------------------------------------------------------------------------------------------ seeds */

/* The runs of about the length of the probe: first to end - 1. */
static void window_of(const worker *w, uint32_t *first, uint32_t *end)
{
    const akin_strings_batch *others = w->work->others;
    const uint64_t length = w->probe->symbols.length;
    *first = (uint32_t)akin_lower_bound_u32(others->lengths, others->runs, length - length / 5);
    *end = (uint32_t)akin_lower_bound_u32(others->lengths, others->runs, length + length / 5 + 1);
}

/* In how many bits bags differ that are as near as `wanted` of `count` strings from place `first` on, by a sample. */
static uint32_t nearness_of(const worker *w, uint32_t first, uint32_t count, uint64_t wanted)
{
    uint32_t apart[SAMPLE];
    for (uint32_t i = 0; i < SAMPLE; i++) {
        const uint32_t at = first + (uint32_t)((uint64_t)i * count / SAMPLE);
        const akin_bag bag = akin_strings_batch_bag(w->work->others, at);
        apart[i] = akin_bag_apart(&bag, &w->scanner.bag.bag);
    }
    akin_sort_u32(apart, SAMPLE);
    return apart[wanted * SAMPLE / count];
}

/* Compares the seeds, whose k-th best is the first cutoff. */
static int meet_seeds(worker *w)
{
    const akin_strings_batch *others = w->work->others;
    const uint64_t wanted = akin_max_u64(SEEDS, (uint64_t)SEEDS_EACH * w->probe->heap.k);
    uint32_t first_run, end_run;
    window_of(w, &first_run, &end_run);
    if (w->probe->heap.held > 0 || first_run == end_run)
        return 1;
    const uint32_t first = others->starts[first_run], count = others->starts[end_run] - first;
    if (count / SEEDS_SHARE < wanted || count < SAMPLE)
        return 1;
    const uint32_t nearness = nearness_of(w, first, count, wanted);
    const uint64_t screened = w->scanner.screened; /* pairs are counted where they are met for good */
    for (uint32_t run = first_run; run < end_run; run++) {
        akin_scan_limits *limits = akin_scanner_limit(&w->scanner, run);
        for (uint32_t prefix = 0; prefix < AKIN_PREFIXES - (w->scanner.bag.by_prefix ? 1u : 0u); prefix++)
            if (limits->apart[prefix] > nearness)
                limits->apart[prefix] = nearness;
        if (!akin_scanner_screen(&w->scanner, run, others->starts[run], others->starts[run + 1]))
            return 0;
    }
    if (!akin_scanner_finish(&w->scanner))
        return 0;
    w->probe->heap.held = 0;
    w->scanner.screened = screened;
    return 1;
}

/* ------------------------------------------------------------------------------------------------------------ bands */

/* Screens the strings of a run, and compares what that leaves; *any is set if its length can reach the cutoff. */
static int meet_run(worker *w, uint32_t run, int *any)
{
    const akin_strings_batch *others = w->work->others;
    const akin_scan_limits *limits = NULL;
    for (uint32_t at = others->starts[run], end = others->starts[run + 1], next; at < end; at = next) {
        next = (uint32_t)akin_min_u64(end, (uint64_t)at + CHUNK);
        if (!limits || w->has_changed) {
            if (limits && !akin_scanner_finish(&w->scanner))
                return 0;
            w->has_changed = 0;
            limits = akin_scanner_limit(&w->scanner, run);
        }
        if (!limits->any)
            break;
        *any = 1;
        if (!akin_scanner_screen(&w->scanner, run, at, next))
            return 0;
        if (akin_scanner_pending(&w->scanner) >= WORTH && !akin_scanner_finish(&w->scanner))
            return 0;
    }
    return 1;
}

/* Meets runs first to end - 1. */
static int meet_band(worker *w, uint32_t first, uint32_t end, int *any)
{
    *any = 0;
    for (uint32_t run = first; run < end; run++)
        if (!meet_run(w, run, any))
            return 0;
    return akin_scanner_finish(&w->scanner) && akin_goes_on(&w->cancellation);
}

/* Whether the next strings are longer ones, from place `high` on, and not those before `low`: they are nearer. */
static int is_upwards(const akin_strings_batch *others, uint32_t length, uint32_t low, uint32_t high)
{
    if (low == 0 || high == others->count)
        return low == 0;
    return length_at(others, high) - length <= length - length_at(others, low - 1);
}

static int meet_all(worker *w)
{
    const akin_strings_batch *others = w->work->others;
    const uint32_t length = w->probe->symbols.length;
    uint32_t low = (uint32_t)akin_lower_bound_u32(others->lengths, others->runs, length), high = low;
    int any;
    while (low > 0 || high < others->runs) {
        const int upwards = is_upwards(others, length, others->starts[low], others->starts[high]);
        uint32_t first = upwards ? high : low, end = first;
        if (upwards)
            while (end < others->runs && others->starts[end] - others->starts[first] < BAND)
                end++;
        else
            while (first > 0 && others->starts[end] - others->starts[first] < BAND)
                first--;
        if (!meet_band(w, first, end, &any))
            return 0;
        if (upwards)
            high = any ? end : others->runs;
        else
            low = any ? first : 0;
    }
    return 1;
}

/* ----------------------------------------------------------------------------------------------------------- slices */

/* Holds the first `count` probes of the task against the slice at hand; *any is set if lengths can reach a cutoff. */
static int meet_slice(worker *w, uint32_t count, int *any)
{
    *any = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!query_probe(w, &w->probes[i]) || !akin_slicer_screen(&w->slicer, i, &w->scanner, any) ||
            !akin_scanner_finish(&w->scanner))
            return 0;
    return akin_goes_on(&w->cancellation);
}

/* The first `count` probes of the task meet all strings. A side is not done before it is beyond all probes. */
static int meet_slices(worker *w, uint32_t count)
{
    const akin_strings_batch *others = w->work->others;
    const uint32_t shortest = w->probes[0].symbols.length, longest = w->probes[count - 1].symbols.length;
    const uint32_t length = w->probes[count / 2].symbols.length;
    uint32_t low = others->starts[akin_lower_bound_u32(others->lengths, others->runs, length)], high = low;
    int any;
    akin_slicer_empty(&w->slicer);
    for (uint32_t i = 0; i < count; i++)
        akin_slicer_add(&w->slicer, i, &w->probes[i].symbols);
    while (low > 0 || high < others->count) {
        if (is_upwards(others, length, low, high)) {
            high = akin_slicer_take_from(&w->slicer, high);
            if (!meet_slice(w, count, &any))
                return 0;
            if (!any && length_at(others, high - 1) >= longest)
                high = others->count;
        } else {
            low = akin_slicer_take_before(&w->slicer, low);
            if (!meet_slice(w, count, &any))
                return 0;
            if (!any && length_at(others, low) <= shortest)
                low = 0;
        }
    }
    return 1;
}

/* How many of the probes first to end - 1, the shortest ones, meet slices. */
static uint32_t count_sliced(const work *all, uint64_t first, uint64_t end)
{
    const akin_strings_batch *probes = all->top->probes;
    const uint64_t run = akin_lower_bound_u32(probes->lengths, probes->runs, AKIN_SLICE_LONGEST + 1);
    const uint64_t stop = akin_min_u64(end, probes->starts[run]);
    return all->is_sliced && stop >= first + SLICED ? (uint32_t)(stop - first) : 0;
}

/* ------------------------------------------------------------------------------------------------------------ tasks */

static akin_status meet_probes(void *argument, uint64_t task, uint32_t thread)
{
    work *all = argument;
    akin_match_top *top = all->top;
    worker *w = &all->workers[thread];
    const uint64_t first = task * all->task_probes, end = akin_min_u64(first + all->task_probes, top->probes->count);
    const uint32_t sliced = count_sliced(all, first, end);
    uint32_t run = akin_strings_batch_run(top->probes, (uint32_t)first);
    int met = 1;
    for (uint64_t i = first; i < end && met; i++) {
        probe *p = &w->probes[i - first];
        run += i == top->probes->starts[run + 1];
        set_top_probe(w, p, run, (uint32_t)i);
        met = query_probe(w, p) && meet_seeds(w) && (i - first < sliced || meet_all(w));
    }
    if (met && sliced > 0)
        met = meet_slices(w, sliced);
    if (!met)
        return atomic_load(&all->stopped) ? AKIN_E_CANCELLED : AKIN_E_NOMEM;
    for (uint64_t i = 0; i < end - first; i++)
        top->best.held[w->probes[i].row - top->best.first] = w->probes[i].heap.held;
    return AKIN_OK;
}

/* -------------------------------------------------------------------------------------------------------------- job */

akin_status akin_match_top_begin(akin_match_top *top, uint32_t first, uint32_t end, uint32_t k, akin_error *error)
{
    akin_status status = akin_best_begin(top->account, first, end, k, &top->best, error);
    top->free = akin_alloc(top->account, end - first, sizeof *top->free);
    top->alikes = akin_alloc(top->account, (uint64_t)(end - first) * ((uint64_t)k + 1), sizeof *top->alikes);
    if (status != AKIN_OK)
        return status;
    if (!top->free || !top->alikes)
        return akin_fail_memory(error, "the best partners");
    for (uint32_t i = 0; i < end - first; i++)
        top->free[i] = k;
    return AKIN_OK;
}

void akin_match_top_clear(akin_match_top *top)
{
    akin_best_clear(&top->best);
    akin_free(top->alikes);
    akin_free(top->free);
    top->alikes = NULL;
    top->free = NULL;
}

/* Whether to go on, which is asked while strings are compared. */
static int top_goes_on(void *user)
{
    return akin_goes_on(&((worker *)user)->cancellation);
}

static akin_status begin_top_workers(work *all, akin_error *error)
{
    akin_match_top *top = all->top;
    all->workers = akin_alloc_zero(top->account, top->threads, sizeof *all->workers);
    if (!all->workers)
        return akin_fail_memory(error, "the threads");
    for (uint32_t t = 0; t < top->threads; t++) {
        worker *w = &all->workers[t];
        w->work = all;
        w->cancellation = (akin_cancellation){.scope = top->scope, .cancelled = &all->stopped, .thread = t};
        if (!akin_scanner_begin(&w->scanner, top->account, top->scope->cpu, top->cutoff, all->others, 0, take_top_hits,
                                w) ||
            (all->is_sliced &&
             !akin_slicer_begin(&w->slicer, top->account, top->scope->cpu, all->others, all->task_probes)))
            return akin_fail_memory(error, "comparing strings");
        w->scanner.poll = top_goes_on; /* the scanner hands over the worker */
    }
    return AKIN_OK;
}

/* How many probes a task has: enough for TASK_PAIRS pairs, or more where there are enough tasks. */
static uint32_t probes_of_task(const work *all)
{
    const uint64_t by_pairs = TASK_PAIRS / all->others->count;
    const uint64_t by_tasks = all->top->probes->count / (TASKS * (uint64_t)all->top->threads);
    return (uint32_t)akin_max_u64(1, akin_min_u64(TASK_PROBES, akin_max_u64(by_pairs, by_tasks)));
}

akin_status akin_match_top_meet(akin_match_top *top, const akin_strings_batch *others, akin_error *error)
{
    work all = {.top = top, .others = others};
    if (others->count == 0 || top->probes->count == 0)
        return AKIN_OK;
    all.is_sliced = akin_slicer_serves(top->cutoff, others);
    all.task_probes = probes_of_task(&all);
    akin_status status = begin_top_workers(&all, error);
    if (status == AKIN_OK) {
        status = akin_parallel_long(top->scope, "comparing", akin_ceil_div(top->probes->count, all.task_probes),
                                    meet_probes, &all, &all.stopped);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, "comparing strings");
    }
    for (uint32_t t = 0; t < top->threads && all.workers; t++) {
        top->compatible += all.workers[t].scanner.screened;
        top->candidates += all.workers[t].scanner.compared;
        if (all.workers[t].work) {
            akin_scanner_clear(&all.workers[t].scanner);
            akin_slicer_clear(&all.workers[t].slicer);
        }
    }
    akin_free(all.workers);
    return status;
}

/* The partners of a row, the best first. */
static void sort_row(const akin_match_top *top, uint32_t row, uint32_t length)
{
    const ranking ranking = ranking_of(top, row, length);
    akin_heap heap = {akin_best_keys(&top->best, row), top->best.held[row - top->best.first], top->best.k,
                      is_worse_partner, &ranking};
    akin_heap_sort(&heap);
    for (uint32_t i = heap.held; i-- > 1 && top->marks_ties;) { /* from the last one on: none is compared once marked */
        const akin_alike *before = &ranking.alikes[heap.keys[i - 1]];
        akin_alike *alike = &ranking.alikes[heap.keys[i]];
        alike->distance |= akin_order_of(&ranking.order, before, alike) == 0 ? AKIN_BEST_TIES : 0;
    }
}

static void pair_of_slot(const void *user, uint32_t row, uint64_t key, akin_pair *out)
{
    const akin_match_top *top = user;
    const ranking ranking = ranking_of(top, row, 0);
    *out = (akin_pair){row, ranking.alikes[key].row, ranking.alikes[key].distance};
}

akin_status akin_match_top_deliver(akin_match_top *top, akin_pair_sink sink, void *sink_user, akin_error *error)
{
    const akin_strings_batch *probes = top->probes;
    for (uint32_t run = 0; run < probes->runs; run++)
        for (uint32_t i = probes->starts[run]; i < probes->starts[run + 1]; i++)
            sort_row(top, probes->rows[i], probes->lengths[run]);
    return akin_best_deliver(&top->best, pair_of_slot, top, sink, sink_user, &top->found, error);
}
