/*
 * A block of probes is looked up in the runs of the other side that have a table of segments. The other runs are cut in
 * strips, and the block meets the strips in turn:
 *
 *                strip 0      strip 1             the bags of a strip stay in the cache while all probes of the block
 *     block 0    | screen ... | screen ...        meet it; the pairs of a probe and a strip that pass the screen are
 *     block 1    |            |                   compared at once, in lanes where there are enough
 */
#include "match/match_cpu.h"

#include "base/bits.h"
#include "base/parallel.h"

#define STRIP       16384 /* strings, whose bags and heads take 576 KB */
#define BLOCK_MOST  64    /* probes */
#define BLOCK_LEAST 8
#define BLOCK_PAIRS ((uint64_t)1 << 26) /* screened by a task, about: some 20 ms */
#define TABLES      8

typedef struct work work;

typedef struct worker {
    akin_scanner scanner;
    work *work;
    akin_cancellation cancellation;
    uint32_t probe; /* at hand */
    int refused;
    akin_segments_probe hashes;
    uint32_t *places; /* that were looked up */
    uint64_t found, looked_up;
} worker;

struct work {
    akin_match_cpu_job *job;
    uint32_t block, blocks; /* the probes of a task; the number of such tasks */
    uint32_t blocked;       /* the probes in these tasks; each of the long ones behind them has its own task */
    atomic_int stopped;     /* the caller asked to, or no more pairs are wanted */
    worker *workers;
};

/* The strings that any probe of a block may be similar to: first to end - 1. */
typedef struct range {
    uint32_t first, end;
} range;

/* ------------------------------------------------------------------------------------------------------------- probes
 */

/* Whether to go on, which is asked between strips, and while strings are compared one by one. */
static int match_goes_on(void *user)
{
    return akin_goes_on(&((worker *)user)->cancellation);
}

static int take_screen_hits(void *user, const akin_scan_hit *hits, uint32_t count)
{
    worker *w = user;
    const akin_match_cpu_job *job = w->work->job;
    w->found += count;
    for (uint32_t i = 0; i < count && job->take; i++)
        if (!job->take(job->user, w->cancellation.thread, w->probe, hits[i].at, hits[i].distance)) {
            w->refused = 1;
            atomic_store(&w->work->stopped, 1);
            return 0;
        }
    return 1;
}

/* Sets a probe as the query of a worker. */
static int set_cpu_probe(worker *w, uint32_t run, uint32_t i)
{
    const akin_strings_batch *probes = w->work->job->probes;
    akin_symbols symbols = akin_strings_batch_at(probes, run, i);
    w->probe = i;
    return akin_scanner_query(&w->scanner, &symbols, akin_strings_batch_bag(probes, i),
                              akin_strings_batch_head(&symbols, AKIN_HEAD_QUERY));
}

static int is_same_string(const akin_match_cpu_job *job)
{
    return job->probes == job->others;
}

/* 0: memory is short. */
static int reach_of_probe(worker *w, uint32_t begin, uint32_t stop, range *out)
{
    const akin_match_cpu_job *job = w->work->job;
    const akin_strings_batch *probes = job->probes, *others = job->others;
    *out = (range){others->count, 0};
    for (uint32_t run = akin_strings_batch_run(probes, begin); run < probes->runs && probes->starts[run] < stop;
         run++) {
        if (!set_cpu_probe(w, run, probes->starts[run]))
            return 0;
        for (uint32_t r = 0; r < others->runs; r++)
            if (w->scanner.limits[r].any) {
                out->first = (uint32_t)akin_min_u64(out->first, others->starts[r]);
                out->end = akin_max_u32(out->end, others->starts[r + 1]);
            }
    }
    if (is_same_string(job))
        out->first = akin_max_u32(out->first, begin + 1);
    return 1;
}

/* ---------------------------------------------------------------------------------------------------------- looking up
 */

/* Looks the probe up in a run that has a table, from string `from` on. */
static int look_up_in(worker *w, uint32_t run, uint32_t from)
{
    const akin_match_cpu_job *job = w->work->job;
    uint32_t end = job->others->starts[run + 1];
    const akin_scan_limits *limits = &w->scanner.limits[run];
    uint32_t count =
        akin_segments_seek(job->segments, run, &w->hashes, limits->bound[0], limits->apart[0], from, w->places);
    if (count == AKIN_SEGMENTS_MANY)
        return akin_scanner_screen(&w->scanner, run, from, end);
    w->looked_up += end - from;
    return akin_scanner_offer(&w->scanner, run, w->places, count);
}

/* Looks the probes of a block up wherever there are tables. */
static int look_up_block(worker *w, uint32_t begin, uint32_t stop, range reach)
{
    const akin_match_cpu_job *job = w->work->job;
    const akin_strings_batch *probes = job->probes, *others = job->others;
    uint32_t first = akin_strings_batch_run(others, reach.first),
             end = akin_strings_batch_run(others, reach.end - 1) + 1;
    uint32_t probe_run = akin_strings_batch_run(probes, begin);
    while (first < end && !akin_segments_has(job->segments, first))
        first++;
    if (first == end)
        return 1;
    for (uint32_t i = begin; i < stop; i++) {
        probe_run += i == probes->starts[probe_run + 1];
        if (!match_goes_on(w) || !set_cpu_probe(w, probe_run, i))
            return 0;
        akin_segments_probe_set(&w->hashes, &w->scanner.query, &w->scanner.bag.bag);
        for (uint32_t run = first; run < end; run++) {
            uint32_t from = is_same_string(job) ? akin_max_u32(others->starts[run], i + 1) : others->starts[run];
            if (akin_segments_has(job->segments, run) && w->scanner.limits[run].any && from < others->starts[run + 1] &&
                !look_up_in(w, run, from))
                return 0;
        }
        if (!akin_scanner_finish(&w->scanner))
            return 0;
    }
    return 1;
}

/* ----------------------------------------------------------------------------------------------------------- screening
 */

/* A probe meets strings first to end - 1, of runs from `run` on. */
static int meet_strings(worker *w, uint32_t run, uint32_t first, uint32_t end)
{
    const akin_match_cpu_job *job = w->work->job;
    for (; first < end; run++) {
        uint32_t stop = (uint32_t)akin_min_u64(end, job->others->starts[run + 1]);
        if (!akin_segments_has(job->segments, run) && !akin_scanner_screen(&w->scanner, run, first, stop))
            return 0;
        first = stop;
    }
    return akin_scanner_finish(&w->scanner);
}

/* Whether any string of a strip is of a run without a table. */
static int is_screened(const akin_match_cpu_job *job, uint32_t run, uint32_t end)
{
    while (job->others->starts[run] < end && akin_segments_has(job->segments, run))
        run++;
    return job->others->starts[run] < end;
}

static int screen_block(worker *w, uint32_t begin, uint32_t stop, range reach)
{
    const akin_match_cpu_job *job = w->work->job;
    const akin_strings_batch *probes = job->probes, *others = job->others;
    for (uint32_t at = reach.first, next; at < reach.end; at = next) {
        uint32_t run = akin_strings_batch_run(others, at), probe_run = akin_strings_batch_run(probes, begin);
        next = (uint32_t)akin_min_u64(reach.end, (uint64_t)at + STRIP);
        if (!is_screened(job, run, next))
            continue;
        for (uint32_t i = begin; i < stop; i++) {
            probe_run += i == probes->starts[probe_run + 1];
            uint32_t from = is_same_string(job) ? akin_max_u32(at, i + 1) : at;
            if (from >= next)
                continue;
            uint32_t from_run = from < others->starts[run + 1] ? run : akin_strings_batch_run(others, from);
            if (!match_goes_on(w) || !set_cpu_probe(w, probe_run, i) || !meet_strings(w, from_run, from, next))
                return 0;
        }
    }
    return 1;
}

static akin_status match_block(void *argument, uint64_t task, uint32_t thread)
{
    work *all = argument;
    worker *w = &all->workers[thread];
    uint32_t begin = (uint32_t)(task * all->block);
    uint32_t stop = (uint32_t)akin_min_u64((uint64_t)begin + all->block, all->blocked);
    if (task >= all->blocks) {
        begin = all->blocked + (uint32_t)(task - all->blocks);
        stop = begin + 1;
    }
    range reach;
    int done = reach_of_probe(w, begin, stop, &reach);
    if (done && reach.first < reach.end)
        done = look_up_block(w, begin, stop, reach) && screen_block(w, begin, stop, reach);
    return done ? AKIN_OK : atomic_load(&all->stopped) ? AKIN_E_CANCELLED : AKIN_E_NOMEM;
}

/* ------------------------------------------------------------------------------------------------------------ the join
 */

/* Cuts the probes in tasks. */
static void cut_probes(work *all)
{
    const akin_strings_batch *probes = all->job->probes;
    uint64_t block = BLOCK_PAIRS / akin_max_u64(1, all->job->others->count);
    all->block = (uint32_t)akin_max_u64(BLOCK_LEAST, akin_min_u64(block, BLOCK_MOST));
    all->blocked = probes->starts[akin_lower_bound_u32(probes->lengths, probes->runs, AKIN_SCAN_LONG)];
    all->blocks = (uint32_t)akin_ceil_div(all->blocked, all->block);
}

/* What a thread needs for looking up is there before there are pairs. */
static int reserve_look_up(worker *w)
{
    const akin_match_cpu_job *job = w->work->job;
    const akin_strings_batch *probes = job->probes, *others = job->others;
    uint32_t most = 0;
    for (uint32_t run = 0; run < others->runs; run++)
        if (akin_segments_has(job->segments, run))
            most = akin_max_u32(most, job->segments->runs[run].most);
    if (most == 0 || probes->runs == 0)
        return 1;
    w->places = akin_alloc(job->account, most, sizeof *w->places);
    return w->places && akin_segments_probe_reserve(job->account, &w->hashes, probes->lengths[probes->runs - 1]);
}

static akin_status begin_workers(work *all, akin_error *error)
{
    const akin_match_cpu_job *job = all->job;
    all->workers = akin_alloc_zero(job->account, job->threads, sizeof *all->workers);
    if (!all->workers)
        return akin_fail_memory(error, "the threads");
    for (uint32_t t = 0; t < job->threads; t++) {
        worker *w = &all->workers[t];
        w->work = all;
        w->cancellation = (akin_cancellation){.scope = job->scope, .cancelled = &all->stopped, .thread = t};
        if (!akin_scanner_begin(&w->scanner, job->account, job->scope->cpu, job->cutoff, job->others, TABLES,
                                take_screen_hits, w))
            return akin_fail_memory(error, "comparing strings");
        if (!reserve_look_up(w))
            return akin_fail_memory(error, "the segments of strings");
        w->scanner.poll = match_goes_on;
    }
    return AKIN_OK;
}

static void end_workers(work *all)
{
    akin_match_cpu_job *job = all->job;
    for (uint32_t t = 0; t < job->threads && all->workers; t++) {
        worker *w = &all->workers[t];
        job->found += w->found;
        job->looked_up += w->looked_up;
        job->compatible += w->looked_up + w->scanner.screened;
        job->candidates += w->scanner.compared;
        job->refused |= w->refused;
        akin_free(w->hashes.prefixes);
        akin_free(w->places);
        if (w->work)
            akin_scanner_clear(&w->scanner);
    }
    akin_free(all->workers);
}

akin_status akin_match_cpu_join(akin_match_cpu_job *job, akin_error *error)
{
    work all = {.job = job};
    if (job->others->count == 0 || job->probes->count == 0)
        return AKIN_OK;
    cut_probes(&all);
    uint64_t tasks = all.blocks + (uint64_t)(job->probes->count - all.blocked);
    akin_status status = begin_workers(&all, error);
    if (status == AKIN_OK) {
        status = akin_parallel_long(job->scope, "comparing", tasks, match_block, &all, &all.stopped);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, "comparing strings");
    }
    end_workers(&all);
    return status;
}
