/*
 * Brings batches of strings to a GPU, launches its kernels for some groups of probes at a time, and takes the pairs
 * back. A launch that lists more pairs than there is room for, or takes too long, is done again in halves.
 */
#include "match/match_gpu.h"

#include "base/context.h"
#include "base/budget.h"
#include "base/bits.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "match/kernels.h"

#define RUNS_MOST      1024                 /* lengths of strings, for whose pairs there is a table */
#define ROOM_MOST      ((uint64_t)16 << 20) /* pairs that are listed by a launch */
#define ROOM_LEAST     1024                 /* the pairs of two groups */
#define MEETINGS_FIRST ((uint64_t)1 << 16)  /* of a group of probes with another, in the first launch of a class */
#define MEETINGS_MOST  ((uint64_t)1 << 24)
#define SECONDS_SHORT  0.008                /* after a shorter launch the next one is larger, */
#define SECONDS_LONG   0.02                 /* and after a longer one smaller */
#define PATIENCE       ((uint64_t)40000000) /* nanoseconds, after which a launch is given up */
#define PATIENCE_SMALL ((uint64_t)50000)    /* where buffers are small, as tests have them */
#define PROBES_LEAST   256 /* groups that are joined together: blocks enough for a GPU, however few they meet */
#define CLASSES        4   /* of lengths: up to 64, 128, 256 and 512 symbols */
#define CHUNK_MOST     512 /* groups that a block of threads meets, so that what it does for its probes is worth it */
#define CHUNK_LEAST    8   /* a warp each */
#define BLOCKS_WORTH   8192

_Static_assert(AKIN_STRINGS_PREFIXES == AKIN_PREFIXES && AKIN_PREFIXES == AKIN_HEAD + 1 &&
                   AKIN_HEAD == AKIN_WINKLER_PREFIX,
               "limits have an entry for each prefix");
_Static_assert(sizeof((akin_strings_side *)0)->bags / sizeof(void *) == AKIN_BAG_WORDS, "all words of a bag are there");

/* A batch on the GPU. */
typedef struct uploaded {
    akin_device_buffer groups, symbols, words, bags[AKIN_BAG_WORDS], heads;
    akin_strings_group *list; /* the groups, on the host */
    akin_strings_side side;
} uploaded;

typedef struct gpu {
    akin_match_gpu_job *job;
    akin_device_stream *stream;
    uploaded sides[2];
    const uploaded *probes, *others;
    akin_strings_limits *limits;
    akin_strings_reach *reach;
    akin_device_buffer limits_there, reach_there, tally, list;
    akin_pinned told;
    akin_strings_found *pairs;
    akin_strings_work work;
    uint64_t done, total;     /* meetings of groups, for the progress */
    uint64_t wanted[CLASSES]; /* meetings of a launch: enough for about SECONDS_SHORT to SECONDS_LONG */
    uint64_t patience;
} gpu;

int akin_match_gpu_can(const akin_strings_batch *batch, const char **why)
{
    *why = NULL;
    if (batch->wide)
        *why = "there are more than 254 distinct symbols";
    else if (batch->runs > RUNS_MOST)
        *why = "there are strings of more than 1024 lengths";
    else if (batch->runs && batch->lengths[batch->runs - 1] > AKIN_STRINGS_LONGEST)
        *why = "there are strings of more than 512 symbols";
    return *why == NULL;
}

/* ---------------------------------------------------------------------------------------------------------- uploading
 */

/* The groups of a batch; NULL: memory is short. */
static akin_strings_group *list_string_groups(const gpu *g, const akin_strings_batch *batch, uint32_t *count,
                                              uint64_t *words)
{
    uint64_t most = batch->runs + (uint64_t)batch->count / AKIN_STRINGS_GROUP;
    akin_strings_group *list = akin_alloc(g->job->account, most, sizeof *list);
    *count = 0;
    *words = 0;
    for (uint32_t run = 0; list && run < batch->runs; run++)
        for (uint32_t at = batch->starts[run]; at < batch->starts[run + 1]; at += AKIN_STRINGS_GROUP) {
            uint32_t length = batch->lengths[run], left = batch->starts[run + 1] - at;
            uint64_t symbols = batch->begins[run] + (uint64_t)(at - batch->starts[run]) * length;
            list[(*count)++] = (akin_strings_group){
                symbols, *words, at, left < AKIN_STRINGS_GROUP ? left : AKIN_STRINGS_GROUP, length, run};
            *words += (uint64_t)AKIN_STRINGS_GROUP * ((length + 3) / 4);
        }
    return list;
}

static akin_status bring_match_array(gpu *g, akin_device_buffer *buffer, const void *from, uint64_t count, size_t size,
                                     akin_error *error)
{
    akin_status status = akin_device_reserve(g->job->device, buffer, count, size, "the strings", error);
    return status == AKIN_OK ? akin_device_upload(g->stream, buffer->data, from, count * size, error) : status;
}

static akin_status upload_batch(gpu *g, const akin_strings_batch *batch, uploaded *u, akin_error *error)
{
    uint32_t last = batch->runs - 1, groups;
    uint64_t words, symbols;
    u->list = list_string_groups(g, batch, &groups, &words);
    if (!u->list)
        return akin_fail_memory(error, "strings");
    symbols = batch->begins[last] + (uint64_t)(batch->count - batch->starts[last]) * batch->lengths[last];
    akin_status status = bring_match_array(g, &u->groups, u->list, groups, sizeof *u->list, error);
    if (status == AKIN_OK)
        status = bring_match_array(g, &u->symbols, batch->symbols, symbols, 1, error);
    for (uint32_t w = 0; w < AKIN_BAG_WORDS && status == AKIN_OK; w++)
        status = bring_match_array(g, &u->bags[w], batch->bags[w], batch->count, sizeof *batch->bags[w], error);
    if (status == AKIN_OK)
        status = bring_match_array(g, &u->heads, batch->heads, batch->count, sizeof *batch->heads, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(g->job->device, &u->words, words, sizeof(uint32_t), "the strings", error);
    u->side = (akin_strings_side){.groups = u->groups.data, .group_count = groups};
    u->side.symbols = u->symbols.data;
    u->side.words = u->words.data;
    u->side.heads = u->heads.data;
    for (uint32_t w = 0; w < AKIN_BAG_WORDS; w++)
        u->side.bags[w] = u->bags[w].data;
    return status == AKIN_OK ? akin_kernels(g->stream)->strings->interleave(g->stream, &u->side, error) : status;
}

static void release_uploaded(gpu *g, uploaded *u)
{
    akin_device_buffer *buffers[] = {&u->groups, &u->symbols, &u->words, &u->heads};
    for (uint32_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        akin_device_release(g->job->device, buffers[i]);
    for (uint32_t w = 0; w < AKIN_BAG_WORDS; w++)
        akin_device_release(g->job->device, &u->bags[w]);
    akin_free(u->list);
}

/* ------------------------------------------------------------------------------------------------------------- limits
 */

/* The limits of a run of probes with every run of the others, and which groups these leave. */
static akin_status limit_run(void *argument, uint64_t task, uint32_t thread)
{
    gpu *g = argument;
    const akin_strings_batch *probes = g->job->probes, *others = g->job->others;
    akin_strings_limits *to = g->limits + task * others->runs;
    uint32_t first = others->count, end = 0, group = 0;
    akin_strings_reach *reach = &g->reach[task];
    (void)thread;
    for (uint32_t run = 0; run < others->runs; run++) {
        akin_scan_limits limits = akin_scan_limits_of(g->job->cutoff, probes->lengths[task], others->lengths[run],
                                                      akin_cutoff_by_prefix(g->job->cutoff));
        to[run].each = limits.each;
        for (uint32_t i = 0; i < AKIN_STRINGS_PREFIXES; i++) {
            to[run].apart[i] = (int32_t)limits.apart[i];
            to[run].bound[i] = limits.bound[i];
            to[run].rest[i] = limits.rest[i];
        }
        first = limits.any && others->starts[run] < first ? others->starts[run] : first;
        end = limits.any ? others->starts[run + 1] : end;
    }
    const akin_strings_side *side = &g->others->side;
    const akin_strings_group *list = g->others->list;
    while (group < side->group_count && list[group].first < first)
        group++;
    reach->first = group;
    while (group < side->group_count && list[group].first < end)
        group++;
    reach->end = group;
    return AKIN_OK;
}

static akin_status set_string_limits(gpu *g, akin_error *error)
{
    const akin_match_gpu_job *job = g->job;
    uint64_t table = (uint64_t)job->probes->runs * job->others->runs;
    g->limits = akin_alloc(job->account, table, sizeof *g->limits);
    g->reach = akin_alloc(job->account, job->probes->runs, sizeof *g->reach);
    if (!g->limits || !g->reach)
        return akin_fail_memory(error, "strings");
    akin_status status = akin_parallel(job->scope, NULL, job->probes->runs, limit_run, g);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, "comparing strings");
    status = bring_match_array(g, &g->limits_there, g->limits, table, sizeof *g->limits, error);
    return status == AKIN_OK
               ? bring_match_array(g, &g->reach_there, g->reach, job->probes->runs, sizeof *g->reach, error)
               : status;
}

/* ----------------------------------------------------------------------------------------------------------- launches
 */

/* Whether the matches of a pair suffice, exactly. */
static int is_group_reached(const akin_match_gpu_job *job, const akin_strings_found *f)
{
    const akin_strings_batch *batches[2] = {job->probes, job->others};
    const uint32_t places[2] = {f->probe, f->other};
    akin_symbols symbols[2];
    for (uint32_t s = 0; s < 2; s++) {
        symbols[s] = akin_strings_batch_at(batches[s], akin_strings_batch_run(batches[s], places[s]), places[s]);
    }
    return akin_cutoff_reached(job->cutoff, (akin_jaro){f->value, f->apart}, symbols[0].length, symbols[1].length,
                               akin_winkler_prefix(&symbols[0], &symbols[1]));
}

/* Takes what a launch listed. */
static akin_status take_listed(gpu *g, uint64_t count, akin_error *error)
{
    akin_match_gpu_job *job = g->job;
    akin_status status = akin_device_download(g->stream, g->pairs, g->list.data, count * sizeof *g->pairs, error);
    for (uint64_t i = 0; i < count && status == AKIN_OK; i++) {
        const akin_strings_found *f = &g->pairs[i];
        if (job->cutoff->is_jaro && !is_group_reached(job, f))
            continue;
        job->found++;
        if (job->take && !job->take(job->user, f->probe, f->other, job->cutoff->is_jaro ? 0 : f->value)) {
            job->refused = 1;
            return AKIN_E_CANCELLED;
        }
    }
    return status;
}

/* A rectangle of meetings: groups of probes, first to end - 1, and other groups that these may meet. */
typedef struct rectangle {
    akin_strings_reach probes, others;
} rectangle;

static uint32_t span_of_groups(akin_strings_reach r)
{
    return r.end > r.first ? r.end - r.first : 0;
}

/* The other groups that a group of probes meets of those in `within`. */
static akin_strings_reach reach_of_group(const gpu *g, uint32_t probe, akin_strings_reach within)
{
    akin_strings_reach reach = g->reach[g->probes->list[probe].run];
    reach.first = akin_max_u32(reach.first, g->work.same ? akin_max_u32(within.first, probe) : within.first);
    reach.end = (uint32_t)akin_min_u64(reach.end, within.end);
    return reach;
}

/* Cuts off the others that none of the probes meets. Returns how many meetings are left. */
static uint64_t clip_groups(gpu *g, rectangle *r)
{
    akin_strings_reach all = {.first = r->others.end};
    uint64_t meetings = 0;
    g->work.longest_reach = 0;
    for (uint32_t p = r->probes.first; p < r->probes.end; p++) {
        akin_strings_reach reach = reach_of_group(g, p, r->others);
        if (span_of_groups(reach) == 0) /* lengths between others may be those of none */
            continue;
        all.first = (uint32_t)akin_min_u64(all.first, reach.first);
        all.end = akin_max_u32(all.end, reach.end);
        g->work.longest_reach = akin_max_u32(g->work.longest_reach, span_of_groups(reach));
        meetings += span_of_groups(reach);
    }
    r->others = all;
    return meetings;
}

/* The class of a length. A string of up to 64 << class symbols is compared in 1 << class words of 64 bits. */
static uint32_t class_of_length(uint32_t length)
{
    uint32_t c = 0;
    while (length > 64u << c)
        c++;
    return c;
}

/* Takes it to account how a launch went. One that found more than there is room for half of is not followed by a larger
 * one. */
static void adapt_launch(gpu *g, uint64_t meetings, double seconds, int held)
{
    const akin_strings_tally *told = g->told.data;
    uint64_t *wanted = &g->wanted[class_of_length(64 * g->work.words)];
    if (!held || seconds > SECONDS_LONG)
        *wanted = akin_max_u64(1, akin_min_u64(*wanted, meetings) / 2);
    else if (seconds < SECONDS_SHORT && told->listed <= g->work.room / 2 && 2 * meetings > *wanted)
        *wanted = akin_min_u64(2 * *wanted, MEETINGS_MOST);
}

/* Takes to account what a launch found. */
static akin_status account_launch(gpu *g, akin_error *error)
{
    const akin_strings_tally *told = g->told.data;
    g->job->found += g->work.count ? told->found : 0;
    g->job->candidates += told->candidates;
    g->job->compatible += told->screened;
    return told->listed ? take_listed(g, told->listed, error) : AKIN_OK;
}

/* Launches the meetings of a rectangle, and waits for them. *held: they were done, and all that was found was
 * listed. */
static akin_status launch_meetings(gpu *g, const rectangle *r, uint64_t meetings, int *held, akin_error *error)
{
    akin_strings_work *work = &g->work;
    const akin_strings_tally *told = g->told.data;
    uint64_t chunk = akin_max_u64(CHUNK_LEAST, akin_min_u64(meetings / BLOCKS_WORTH, CHUNK_MOST));
    work->chunk = (uint32_t)akin_max_u64(chunk, work->longest_reach / 65535 + 1);
    work->probe_first = r->probes.first;
    work->probe_end = r->probes.end;
    work->other_first = r->others.first;
    work->other_end = r->others.end;
    work->patience = span_of_groups(r->probes) > 1 || span_of_groups(r->others) > 1 ? g->patience : 0;
    double start = akin_clock();
    akin_status status = akin_device_fill(g->stream, g->tally.data, 0, sizeof *told, error);
    if (status == AKIN_OK)
        status = akin_kernels(g->stream)->strings->launch(g->stream, work, error);
    if (status == AKIN_OK)
        status = akin_device_read(g->stream, g->told.data, g->tally.data, sizeof *told, error);
    if (status == AKIN_OK)
        status = akin_device_stream_finish(g->stream, error);
    *held = status == AKIN_OK && !told->late && told->listed <= work->room;
    if (status == AKIN_OK)
        adapt_launch(g, meetings, akin_clock() - start, *held);
    g->done += *held ? meetings : 0;
    if (status == AKIN_OK && akin_scope_report(g->job->scope, "comparing", g->done, g->total) != AKIN_OK)
        status = akin_fail(error, AKIN_E_CANCELLED, "cancelled");
    return status;
}

static akin_status join_halves(gpu *g, rectangle r, akin_error *error);

/* Joins a rectangle, in launches of as many meetings as are wanted. A launch that does not hold is done again in
 * smaller ones; two groups that meet alone always hold. */
static akin_status join_rectangle(gpu *g, rectangle r, akin_error *error)
{
    const uint64_t *wanted = &g->wanted[class_of_length(64 * g->work.words)];
    uint64_t meetings = clip_groups(g, &r);
    int held = 0;
    if (meetings == 0)
        return AKIN_OK;
    if (meetings > *wanted)
        return join_halves(g, r, error);
    akin_status status = launch_meetings(g, &r, meetings, &held, error);
    if (status == AKIN_OK)
        status = held ? account_launch(g, error) : join_halves(g, r, error);
    return status;
}

/* Others are halved first, but not below a group for each warp of a block: so there are blocks enough. */
static akin_status join_halves(gpu *g, rectangle r, akin_error *error)
{
    rectangle halves[2] = {r, r};
    uint32_t probes = span_of_groups(r.probes), others = span_of_groups(r.others);
    if (others > CHUNK_LEAST || probes == 1)
        halves[0].others.end = halves[1].others.first = r.others.first + others / 2;
    else
        halves[0].probes.end = halves[1].probes.first = r.probes.first + probes / 2;
    akin_status status = join_rectangle(g, halves[0], error);
    return status == AKIN_OK ? join_rectangle(g, halves[1], error) : status;
}

/* Where the groups of a side end that are of a class at most. */
static uint32_t end_of_class(const uploaded *u, uint32_t most)
{
    uint32_t low = 0, high = u->side.group_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (class_of_length(u->list[middle].length) <= most)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Joins groups of probes, which are of one class, with all others. How long these are matters where matches are noted
 * by their places. */
static akin_status join_classes(gpu *g, akin_strings_reach probes, akin_error *error)
{
    uint32_t own = class_of_length(g->probes->list[probes.first].length), first = 0;
    akin_status status = AKIN_OK;
    for (uint32_t other = g->work.is_jaro ? 0 : CLASSES - 1; other < CLASSES && status == AKIN_OK; other++) {
        uint32_t end = end_of_class(g->others, other), both = g->work.is_jaro ? akin_max_u32(own, other) : own;
        g->work.words = 1u << both;
        status = join_rectangle(g, (rectangle){probes, {first, end}}, error);
        first = end;
    }
    return status;
}

static akin_status join_groups(gpu *g, akin_error *error)
{
    const akin_strings_reach all = {0, g->others->side.group_count};
    uint32_t groups = g->probes->side.group_count;
    akin_status status = AKIN_OK;
    for (uint32_t c = 0; c < CLASSES; c++) /* twice the symbols, twice the words */
        g->wanted[c] = MEETINGS_FIRST >> 3 * c;
    for (uint32_t p = 0; p < groups; p++)
        g->total += span_of_groups(reach_of_group(g, p, all));
    for (uint32_t p = 0, next; p < groups && status == AKIN_OK; p = next) {
        uint64_t reached = 0;
        uint32_t own = class_of_length(g->probes->list[p].length);
        for (next = p; next < groups && class_of_length(g->probes->list[next].length) == own; next++) {
            uint32_t reach = span_of_groups(reach_of_group(g, next, all));
            if (next - p >= PROBES_LEAST && reached + reach > g->wanted[own])
                break;
            reached += reach;
        }
        status = join_classes(g, (akin_strings_reach){p, next}, error);
    }
    return status;
}

/* Room for the pairs of a launch, and for its tally. */
static akin_status reserve_launch(gpu *g, akin_error *error)
{
    akin_device *device = g->job->device;
    uint64_t wished = akin_wishes_of(g->job->scope)->candidates,
             room = akin_device_room(device) / 4 / sizeof(akin_strings_found);
    room = wished ? wished : akin_min_u64(room, ROOM_MOST);
    if ((uint64_t)g->job->probes->count * g->job->others->count < room)
        room = (uint64_t)g->job->probes->count * g->job->others->count;
    if (g->job->account->limit) /* the list is brought to the host as a whole */
        room = akin_min_u64(room, akin_budget_part(g->job->account->limit, AKIN_JOB_PAIRS_OF_GPU) /
                                      sizeof(akin_strings_found));
    g->work.room = akin_max_u64(room, ROOM_LEAST);
    g->pairs = akin_alloc(g->job->account, g->work.room, sizeof *g->pairs);
    if (!g->pairs)
        return akin_fail_memory(error, "the pairs found");
    akin_status status =
        akin_device_reserve(device, &g->list, g->work.room, sizeof(akin_strings_found), "the pairs found", error);
    if (status == AKIN_OK)
        status = akin_device_reserve(device, &g->tally, 1, sizeof(akin_strings_tally), "the pairs found", error);
    return status == AKIN_OK
               ? akin_pinned_reserve(device, &g->told, 1, sizeof(akin_strings_tally), "the pairs found", error)
               : status;
}

static akin_status prepare_gpu(gpu *g, akin_error *error)
{
    const akin_match_gpu_job *job = g->job;
    const akin_cutoff *cutoff = job->cutoff;
    int same = job->probes == job->others;
    akin_status status = akin_device_stream_create(job->device, &g->stream, error);
    if (status == AKIN_OK)
        status = upload_batch(g, job->probes, &g->sides[0], error);
    if (status == AKIN_OK && !same)
        status = upload_batch(g, job->others, &g->sides[1], error);
    g->probes = &g->sides[0];
    g->others = &g->sides[same ? 0 : 1];
    if (status == AKIN_OK)
        status = set_string_limits(g, error);
    g->work = (akin_strings_work){.probes = g->probes->side,
                                  .others = g->others->side,
                                  .limits = g->limits_there.data,
                                  .reach = g->reach_there.data,
                                  .runs = job->others->runs,
                                  .is_jaro = cutoff->is_jaro,
                                  .swaps = cutoff->swaps,
                                  .by_prefix = akin_cutoff_by_prefix(cutoff),
                                  .floored = cutoff->winkler.floored,
                                  .same = same,
                                  .count = job->take == NULL,
                                  .unsure = cutoff->winkler.boost.num > 0};
    if (status == AKIN_OK)
        status = reserve_launch(g, error);
    g->work.tally = g->tally.data;
    g->work.list = g->list.data;
    g->patience = akin_wishes_of(job->scope)->candidates ? PATIENCE_SMALL : PATIENCE;
    return status;
}

akin_status akin_match_gpu_join(akin_match_gpu_job *job, akin_error *error)
{
    gpu g = {.job = job};
    if (job->probes->count == 0 || job->others->count == 0)
        return AKIN_OK;
    akin_status status = prepare_gpu(&g, error);
    if (status == AKIN_OK)
        status = join_groups(&g, error);
    release_uploaded(&g, &g.sides[0]);
    release_uploaded(&g, &g.sides[1]);
    akin_device_release(job->device, &g.limits_there);
    akin_device_release(job->device, &g.reach_there);
    akin_device_release(job->device, &g.tally);
    akin_device_release(job->device, &g.list);
    akin_pinned_release(job->device, &g.told);
    akin_device_stream_free(g.stream);
    akin_free(g.limits);
    akin_free(g.reach);
    akin_free(g.pairs);
    return status;
}
