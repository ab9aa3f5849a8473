/*
 * All pairs of records, met in groups on a GPU. A pair that reaches none of the drivers' thresholds cannot reach the
 * threshold of the job:
 *
 *     sum of the weights of all other attributes < threshold * sum of all weights
 *
 * So each driver in turn sees which pairs may reach its own threshold; where a value is missing that may be left out of
 * the sum, it lets the pair pass. A launch that takes too long, or finds more candidates than there is room for, is
 * done again in halves.
 */
#include "dedupe/gpu_groups.h"

#include "base/bits.h"
#include "base/clock.h"
#include "base/context.h"
#include "dedupe/gpu_pairs.h"
#include "dedupe/missing.h"
#include "device/primitives.h"
#include "strings/bag_screen.h"

#include <math.h>

#define MEETINGS_FIRST  ((uint64_t)1 << 16) /* of two groups, in the first launch */
#define MEETINGS_MOST   ((uint64_t)1 << 25)
#define SECONDS_SHORT   0.008                /* after a shorter launch the next one is larger, */
#define SECONDS_LONG    0.02                 /* and after a longer one smaller */
#define PATIENCE        ((uint64_t)40000000) /* nanoseconds */
#define CHUNK_LEAST     8
#define CHUNK_MOST      512
#define BLOCKS_WORTH    8192
#define GROUPS_A_LAUNCH 65535 /* chunks of other groups */
#define LENGTHS         (AKIN_GPU_LONGEST + 1)

static const char what[] = "all pairs";

/* A side: the records of a table, or all of them. */
typedef struct grouped {
    uint32_t first, count;
    uint32_t starts[LENGTHS + 1]; /* the first group of each length */
    akin_gpu_group *groups;
    akin_device_buffer there, lengths, lengths_twin, order, order_twin, words[2], heads;
    akin_gpu_grouped side;
} grouped;

typedef struct meeting {
    akin_gpu_run *run;
    grouped sides[2];
    uint32_t reach[2 * LENGTHS];
    akin_device_buffer reach_there;
    akin_gpu_meeting there;
    uint64_t wanted, done, total;
    uint64_t patience;
} meeting;

/* ---------------------------------------------------------------------------------------------------------- drivers */

/* Whether these attributes are enough. */
static int are_drivers(const akin_gpu_scoring *s, uint32_t drivers)
{
    double rest = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (drivers >> i & 1 && !s->attributes[i].limits)
            return 0;
        rest += drivers >> i & 1 ? 0 : s->attributes[i].weight;
    }
    return rest < (s->least - AKIN_BOUND_SLACK) * s->weights;
}

/* What it takes to meet all pairs once for each, and to look closely at those that pass. */
static double price(const akin_gpu_run *run, uint32_t drivers)
{
    double sum = 0;
    for (uint32_t i = 0; i < run->screen.scoring.count; i++)
        sum += drivers >> i & 1 ? 1 + 64. * run->passed[i] / AKIN_GPU_DRAWN : 0;
    return sum;
}

uint32_t akin_gpu_drivers(const akin_gpu_run *run)
{
    const akin_gpu_scoring *s = &run->screen.scoring;
    uint32_t best = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t j = i; j < s->count; j++)
            for (uint32_t k = j; k < s->count; k++) {
                uint32_t drivers = 1u << i | 1u << j | 1u << k;
                if (are_drivers(s, drivers) && price(run, drivers) < least) {
                    best = drivers;
                    least = price(run, drivers);
                }
            }
    return best;
}

/* ----------------------------------------------------------------------------------------------------------- groups */

/* Lists the groups of a side: records by rising length of the driver. */
static int list_groups(grouped *g, const uint32_t *lengths, akin_account *account)
{
    uint64_t count = 0, at = 0;
    for (uint32_t length = 0; length < LENGTHS; length++) {
        g->starts[length] = (uint32_t)count;
        count += akin_ceil_div(lengths[length], AKIN_GPU_GROUP);
    }
    g->starts[LENGTHS] = (uint32_t)count;
    g->groups = akin_alloc(account, count, sizeof *g->groups);
    for (uint32_t length = 0, to = 0; g->groups && length < LENGTHS; length++)
        for (uint32_t left = lengths[length]; left > 0; to++) {
            uint32_t filled = left < AKIN_GPU_GROUP ? left : AKIN_GPU_GROUP;
            g->groups[to] = (akin_gpu_group){(uint32_t)at, filled, length};
            at += filled;
            left -= filled;
        }
    g->side.group_count = (uint32_t)count;
    return g->groups != NULL;
}

/* Sorts the records of a side by length, on the device. */
static akin_status sort_side(akin_gpu_run *run, const akin_gpu_column *column, grouped *g, akin_error *error)
{
    akin_device *device = run->job->device;
    akin_device_stream *stream = run->records.stream;
    akin_device_buffer *buffers[4] = {&g->lengths, &g->lengths_twin, &g->order, &g->order_twin};
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < 4 && status == AKIN_OK; i++)
        status = akin_device_reserve(device, buffers[i], g->count, sizeof(uint32_t), what, error);
    uint32_t *lengths = g->lengths.data, *twin = g->lengths_twin.data;
    uint32_t *order = g->order.data, *order_twin = g->order_twin.data;
    if (status == AKIN_OK)
        status = akin_kernels(stream)->dedupe_texts->lengths(stream, column, g->first, g->count, lengths, order, error);
    if (status == AKIN_OK)
        status = akin_device_sort_pairs32(stream, &lengths, &twin, &order, &order_twin, g->count, 10, error);
    g->side.order = order;
    return status;
}

/* Brings a side there, grouped by a driver. */
static akin_status group_side(akin_gpu_run *run, uint32_t driver, grouped *g, akin_error *error)
{
    akin_device *device = run->job->device;
    akin_device_stream *stream = run->records.stream;
    const akin_gpu_loaded *c = &run->records.columns[run->job->options->attributes[driver].column];
    uint32_t lengths[LENGTHS];
    uint32_t right = run->job->records->tables == 2 && g->first > 0;
    for (uint32_t i = 0; i < LENGTHS; i++)
        lengths[i] = c->lengths[right][i];
    if (!list_groups(g, lengths, run->job->account))
        return akin_fail_memory(error, what);
    akin_status status = sort_side(run, &c->column, g, error);
    for (uint32_t w = 0; w < 2 && status == AKIN_OK; w++) {
        status = akin_device_reserve(device, &g->words[w], g->count, sizeof(uint64_t), what, error);
        g->side.words[w] = g->words[w].data;
    }
    if (status == AKIN_OK)
        status = akin_device_reserve(device, &g->heads, g->count, sizeof(uint32_t), what, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(device, &g->there, g->side.group_count, sizeof *g->groups, what, error);
    if (status == AKIN_OK)
        status = akin_device_upload(stream, g->there.data, g->groups, g->side.group_count * sizeof *g->groups, error);
    g->side.heads = g->heads.data;
    g->side.groups = g->there.data;
    g->side.count = g->count;
    return status == AKIN_OK
               ? akin_kernels(stream)->dedupe_screens->group_records(stream, c->column.shapes, &g->side, error)
               : status;
}

static void clear_side(meeting *m, grouped *g)
{
    akin_device *device = m->run->job->device;
    akin_device_buffer *buffers[] = {&g->there,      &g->lengths,  &g->lengths_twin, &g->order,
                                     &g->order_twin, &g->words[0], &g->words[1],     &g->heads};
    for (uint32_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        akin_device_release(device, buffers[i]);
    akin_free(g->groups);
    g->groups = NULL;
}

/* Whether values of two lengths of the driver may reach its threshold; see limit_of in screens_cuda.cu. */
static int may_meet(const akin_gpu_run *run, uint32_t driver, uint32_t x, uint32_t y)
{
    const akin_scored *a = &run->scored[driver];
    if (x == 0 || y == 0) /* what does not count rules nothing out */
        return akin_missing_similarity((akin_missing)run->screen.scoring.missing, x == y) != 0;
    if (x > a->longest || y > a->longest)
        return 1;
    const int16_t *limits = a->limits + (x * (a->longest + 1) + y) * AKIN_PREFIXES;
    return limits[a->by_prefix ? AKIN_PREFIXES - 1 : 0] >= 0;
}

/* Which groups of the others probes of each length meet. */
static akin_status set_reach(meeting *m, akin_error *error)
{
    const grouped *probes = &m->sides[0], *others = &m->sides[m->there.same ? 0 : 1];
    for (uint32_t x = 0; x < LENGTHS; x++) {
        uint32_t first = others->starts[LENGTHS], end = 0;
        for (uint32_t y = 0; y < LENGTHS && probes->starts[x] < probes->starts[x + 1]; y++)
            if (others->starts[y] < others->starts[y + 1] && may_meet(m->run, m->there.driver, x, y)) {
                first = first < others->starts[y] ? first : others->starts[y];
                end = others->starts[y + 1];
            }
        m->reach[2 * x] = first;
        m->reach[2 * x + 1] = end;
    }
    akin_device *device = m->run->job->device;
    akin_status status = akin_device_reserve(device, &m->reach_there, 1, sizeof m->reach, what, error);
    m->there.reach = m->reach_there.data;
    return status == AKIN_OK
               ? akin_device_upload(m->run->records.stream, m->reach_there.data, m->reach, sizeof m->reach, error)
               : status;
}

/* --------------------------------------------------------------------------------------------------------- launches */

typedef struct span {
    uint32_t first, end;
} span;

/* Other groups of `within` that a group of probes meets. */
static uint32_t meets(const meeting *m, uint32_t probe, span within)
{
    const uint32_t *reach = &m->reach[2 * m->sides[0].groups[probe].length];
    uint32_t first = akin_max_u32(reach[0], within.first), end = reach[1] < within.end ? reach[1] : within.end;
    first = m->there.same ? akin_max_u32(first, probe) : first;
    return end > first ? end - first : 0;
}

/* Launches a rectangle. *held: it was done. */
static akin_status launch_rectangle(meeting *m, span probes, span others, uint64_t meetings, int *held,
                                    akin_gpu_told *tally, akin_error *error)
{
    akin_gpu_run *run = m->run;
    int smallest = probes.end - probes.first == 1 && others.end - others.first == 1;
    uint64_t chunk = akin_max_u64(CHUNK_LEAST, akin_min_u64(meetings / BLOCKS_WORTH, CHUNK_MOST));
    m->there.chunk = (uint32_t)akin_max_u64(chunk, (others.end - others.first) / GROUPS_A_LAUNCH + 1);
    m->there.probe_first = probes.first;
    m->there.probe_end = probes.end;
    m->there.other_first = others.first;
    m->there.other_end = others.end;
    m->there.patience = smallest ? 0 : m->patience;
    double start = akin_clock();
    akin_status status = akin_device_fill(run->records.stream, run->launch.tally.data, 0, sizeof *tally, error);
    if (status == AKIN_OK)
        status = akin_kernels(run->records.stream)
                     ->dedupe_screens->screen_groups(run->records.stream, &run->screen, &m->there, error);
    if (status == AKIN_OK)
        status = akin_gpu_tell(run, tally, error);
    if (status != AKIN_OK)
        return status;
    double seconds = akin_clock() - start;
    *held = !tally->late && tally->candidates <= run->launch.room;
    if (!*held || seconds > SECONDS_LONG)
        m->wanted = akin_max_u64(1, akin_min_u64(m->wanted, meetings) / 2);
    else if (seconds < SECONDS_SHORT && tally->candidates <= run->launch.room / 2 && 2 * meetings > m->wanted)
        m->wanted = akin_min_u64(2 * m->wanted, MEETINGS_MOST);
    m->done += *held ? meetings : 0;
    run->job->figures.met += *held ? tally->met : 0;
    run->job->figures.near += *held ? tally->near : 0;
    if (akin_scope_report(run->job->scope, "comparing", m->done, m->total) != AKIN_OK)
        return akin_fail(error, AKIN_E_CANCELLED, "cancelled");
    return AKIN_OK;
}

/* Meets a rectangle of groups, in launches of as many meetings as are wanted. */
static akin_status meet_rectangle(meeting *m, span probes, span others, akin_error *error)
{
    akin_gpu_told tally = {0};
    akin_status status = AKIN_OK;
    uint64_t meetings = 0;
    uint32_t p = probes.end - probes.first, o = others.end - others.first;
    int held = 0;
    m->there.widest = 0;
    for (uint32_t probe = probes.first; probe < probes.end; probe++) {
        uint32_t own = meets(m, probe, others);
        m->there.widest = akin_max_u32(m->there.widest, own);
        meetings += own;
    }
    if (meetings == 0)
        return AKIN_OK;
    if (meetings <= m->wanted || (p == 1 && o == 1))
        status = launch_rectangle(m, probes, others, meetings, &held, &tally, error);
    if (status != AKIN_OK || held)
        return status == AKIN_OK ? akin_gpu_score_listed(m->run, tally.candidates, error) : status;
    span halves[2][2] = {{probes, others}, {probes, others}};
    if (p > 1)
        halves[0][0].end = halves[1][0].first = probes.first + p / 2;
    else
        halves[0][1].end = halves[1][1].first = others.first + o / 2;
    status = meet_rectangle(m, halves[0][0], halves[0][1], error);
    return status == AKIN_OK ? meet_rectangle(m, halves[1][0], halves[1][1], error) : status;
}

/* ---------------------------------------------------------------------------------------------------------- drivers */

static akin_status prepare_driver(meeting *m, uint32_t driver, uint32_t earlier, akin_error *error)
{
    const akin_records *records = m->run->job->records;
    int two = records->tables == 2;
    akin_status status = AKIN_OK;
    m->sides[0].count = records->rows[0];
    m->sides[1] = (grouped){.first = records->rows[0], .count = two ? records->rows[1] : 0};
    for (int side = 0; side <= two && status == AKIN_OK; side++)
        status = group_side(m->run, driver, &m->sides[side], error);
    m->there = (akin_gpu_meeting){
        .probes = m->sides[0].side, .others = m->sides[two].side, .driver = driver, .earlier = earlier, .same = !two};
    return status == AKIN_OK ? set_reach(m, error) : status;
}

static akin_status meet_by(akin_gpu_run *run, uint32_t driver, uint32_t earlier, akin_error *error)
{
    meeting m = {.run = run, .wanted = MEETINGS_FIRST};
    m.patience = akin_wishes_of(run->job->scope)->candidates ? PATIENCE / 1000 : PATIENCE; /* as tests have it */
    akin_status status = prepare_driver(&m, driver, earlier, error);
    span probes = {0, m.there.probes.group_count}, others = {0, m.there.others.group_count};
    for (uint32_t p = 0; p < probes.end && status == AKIN_OK; p++)
        m.total += meets(&m, p, others);
    if (status == AKIN_OK && probes.end > 0 && others.end > 0)
        status = meet_rectangle(&m, probes, others, error);
    clear_side(&m, &m.sides[0]);
    clear_side(&m, &m.sides[1]);
    akin_device_release(run->job->device, &m.reach_there);
    return status;
}

akin_status akin_gpu_meet_all(akin_gpu_run *run, akin_error *error)
{
    akin_status status = AKIN_OK;
    uint32_t earlier = 0;
    for (uint32_t left = run->drivers; left && status == AKIN_OK; left &= left - 1) {
        uint32_t driver = (uint32_t)__builtin_ctz(left);
        status = meet_by(run, driver, earlier, error);
        earlier |= 1u << driver;
    }
    return status;
}
