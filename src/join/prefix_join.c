/*
 * AllPairs, PPJoin and GroupJoin (Bellas and Gounaris, section 3.1): one probe loop over a prefix index, with two
 * refinements.
 *
 *   AllPairs    every set met in a list of the probe's prefix, and of compatible size, is a candidate.
 *   PPJoin      + positional filter: matches so far, and the tokens left after the match on the shorter side, must
 *               reach the overlap needed.
 *   GroupJoin   + sets of the same size and prefix are one entry of the index and one probe; pairs of groups that
 *               survive are expanded when they are verified.
 */
#include "base/bits.h"
#include "base/parallel.h"
#include "join/prefix.h"
#include "join/verify.h"

#include <string.h>

#define PROBES_A_TASK 64 /* groups */
#define PRUNED        UINT32_MAX
#define GROUP_MOST    32 /* sets; a larger run is cut, so that a task stays small */

/* One thread's part: two cursors a token, and what is known of the entries that the probe at hand has met. */
typedef struct prober {
    struct cursor {
        uint32_t low, high;
    } * cursors;
    uint32_t *matches; /* by entry: common tokens in both prefixes, PRUNED, or 0: not met */
    uint32_t *list;    /* the entries met */
} prober;

typedef struct prefix_join {
    akin_join_job *job;
    akin_prefix_take take;
    void *argument;
    int positional;
    akin_prefix_groups probes, indexed; /* the same in a self-join */
    akin_prefix_index index;
    prober *probers; /* one for each thread */
} prefix_join;

static inline uint32_t group_first(const akin_prefix_groups *groups, uint32_t group)
{
    return groups->first ? groups->first[group] : group;
}

/* The group that begins with that set, which is the first of its size (or the number of sets). */
static uint32_t group_of(const akin_prefix_groups *groups, uint32_t set)
{
    return groups->first ? (uint32_t)akin_lower_bound_u32(groups->first, groups->count, set) : set;
}

/* Finds the runs of sets with equal size and equal prefix, the longer of the two that a set has. */
static int find_groups(const akin_join_job *job, const akin_ranked *sets, akin_prefix_groups *out)
{
    out->first = akin_alloc(job->account, (uint64_t)sets->count + 1, sizeof *out->first);
    if (!out->first)
        return 0;
    out->count = 0;
    for (uint32_t c = 0; c < sets->classes; c++) {
        uint32_t probing = akin_prefix_length(job, sets->class_size[c], AKIN_PREFIX_PROBING);
        uint32_t indexed = akin_prefix_length(job, sets->class_size[c], AKIN_PREFIX_INDEXED);
        size_t length = (size_t)akin_max_u32(probing, indexed) * sizeof *sets->tokens;
        for (uint32_t set = sets->class_first[c]; set < sets->class_first[c + 1]; set++)
            if (set == sets->class_first[c] || !length || set - out->first[out->count - 1] == GROUP_MOST ||
                memcmp(sets->tokens + sets->offsets[set], sets->tokens + sets->offsets[set - 1], length) != 0)
                out->first[out->count++] = set;
    }
    out->first[out->count] = sets->count;
    return 1;
}

/* What holds for all probes of one size; range is in groups. */
typedef struct size_class {
    uint32_t size, prefix;
    akin_join_range range;
} size_class;

static void enter_class(const prefix_join *join, uint32_t probe, size_class *class)
{
    const akin_join_job *job = join->job;
    akin_join_range range = akin_join_partners(job, probe);
    class->size = akin_ranked_size(job->probes, probe);
    class->prefix = akin_prefix_length(job, class->size, AKIN_PREFIX_PROBING);
    class->range.first = group_of(&join->indexed, range.first);
    class->range.end = job->self ? 0 : group_of(&join->indexed, range.end);
}

/* The first position at or after `at` whose entry is not below bound: doubling steps, then halving ones. */
static inline uint32_t seek_positions(const uint32_t *entries, uint32_t at, uint32_t end, uint32_t bound)
{
    uint32_t step = 1;
    if (at >= end || entries[at] >= bound)
        return at;
    for (; step < end - at && entries[at + step] < bound; step *= 2)
        at += step;
    for (uint32_t high = step < end - at ? at + step : end; high - at > 1;) {
        uint32_t middle = at + (high - at) / 2;
        if (entries[middle] < bound)
            at = middle;
        else
            high = middle;
    }
    return at + 1;
}

/*
 * Runs along the postings of the probe's token number i that lie in range. A thread's probes come in rising order, so
 * its two cursors for each list only move on: that is the incremental index of the literature, for any number of
 * threads.
 */
static uint32_t visit_postings(const prefix_join *join, akin_join_worker *worker, prober *prober,
                               const size_class *class, uint32_t i, uint32_t token, uint32_t found)
{
    const akin_ranked *sets = join->job->indexed;
    uint64_t start = join->index.start[token];
    uint32_t length = (uint32_t)(join->index.start[token + 1] - start);
    struct cursor *cursor = &prober->cursors[token];
    cursor->low = seek_positions(join->index.entry + start, cursor->low, length, class->range.first);
    cursor->high = seek_positions(join->index.entry + start, cursor->high > cursor->low ? cursor->high : cursor->low,
                                  length, class->range.end);
    worker->compared += cursor->high - cursor->low;
    for (uint64_t at = start + cursor->low; at < start + cursor->high; at++) {
        uint32_t entry = join->index.entry[at], matches = prober->matches[entry];
        if (matches == 0)
            prober->list[found++] = entry;
        if (!join->positional) {
            prober->matches[entry] = 1;
            continue;
        }
        if (matches == PRUNED)
            continue;
        uint32_t size = akin_ranked_size(sets, group_first(&join->indexed, entry));
        uint32_t left = class->size - i - 1, other = size - join->index.position[at] - 1;
        uint64_t most = (uint64_t)matches + 1 + (left < other ? left : other);
        prober->matches[entry] = most >= akin_join_need(join->job, class->size, size) ? matches + 1 : PRUNED;
    }
    return found;
}

/* Hands every member of the probe's group over with every member of the candidate groups and, in a self-join, the
 * members of its own group before it. */
static akin_status hand_over_candidates(const prefix_join *join, uint32_t thread, uint32_t group, const uint32_t *list,
                                        uint32_t found)
{
    uint32_t probe = group_first(&join->probes, group), end = group_first(&join->probes, group + 1);
    for (uint32_t first = probe; probe < end; probe++) {
        akin_status status = AKIN_OK;
        uint32_t batch[256], count = 0;
        uint32_t own = join->job->self ? probe - first : 0;
        for (uint32_t k = 0; k < found + own; k++) {
            uint32_t set = k < found ? group_first(&join->indexed, list[k]) : first + (k - found);
            uint32_t last = k < found ? group_first(&join->indexed, list[k] + 1) : set + 1;
            for (; set < last; set++) {
                batch[count++] = set;
                if (count < 256)
                    continue;
                status = join->take(join->argument, thread, probe, batch, count);
                if (status != AKIN_OK)
                    return status;
                count = 0;
            }
        }
        if (count > 0)
            status = join->take(join->argument, thread, probe, batch, count);
        if (status != AKIN_OK)
            return status;
    }
    return AKIN_OK;
}

/* Forgets the entries met and keeps those that the positional filter did not prune. */
static uint32_t keep_candidates(prober *prober, uint32_t found)
{
    uint32_t kept = 0;
    for (uint32_t k = 0; k < found; k++) {
        uint32_t entry = prober->list[k];
        if (prober->matches[entry] != PRUNED)
            prober->list[kept++] = entry;
        prober->matches[entry] = 0;
    }
    return kept;
}

static akin_status join_probes(void *argument, uint64_t task, uint32_t thread)
{
    const prefix_join *join = argument;
    const akin_join_job *job = join->job;
    akin_join_worker *worker = &job->workers[thread];
    prober *prober = &join->probers[thread];
    uint32_t group = (uint32_t)task * PROBES_A_TASK;
    uint32_t end = (uint32_t)akin_min_u64((task + 1) * PROBES_A_TASK, join->probes.count);
    size_class class = {0};
    for (; group < end; group++) {
        uint32_t probe = group_first(&join->probes, group), found = 0;
        if (akin_ranked_size(job->probes, probe) != class.size)
            enter_class(join, probe, &class);
        if (job->self)
            class.range.end = group;
        const uint32_t *tokens = job->probes->tokens + job->probes->offsets[probe];
        uint32_t i = 0;
        while (i < class.prefix && tokens[i] < job->indexed->once) /* which leads to no partner */
            i++;
        for (; i < class.prefix && class.range.first < class.range.end; i++)
            found = visit_postings(join, worker, prober, &class, i, tokens[i], found);
        found = keep_candidates(prober, found);
        akin_status status = class.prefix ? hand_over_candidates(join, thread, group, prober->list, found) : AKIN_OK;
        if (status != AKIN_OK)
            return status;
    }
    return AKIN_OK;
}

static akin_status make_prefix_probers(prefix_join *join, akin_error *error)
{
    akin_join_job *job = join->job;
    const akin_ranked *sets = job->indexed;
    join->probers = akin_alloc_zero(job->account, job->threads, sizeof *join->probers);
    for (uint32_t t = 0; join->probers && t < job->threads; t++) {
        prober *prober = &join->probers[t];
        prober->cursors = akin_alloc_zero(job->account, sets->universe, sizeof *prober->cursors);
        prober->matches = akin_alloc_zero(job->account, join->indexed.count, sizeof *prober->matches);
        prober->list = akin_alloc(job->account, join->indexed.count, sizeof *prober->list);
        if (!prober->cursors || !prober->matches || !prober->list)
            return akin_fail_memory(error, "the working memory of the threads");
    }
    return join->probers ? AKIN_OK : akin_fail_memory(error, "the working memory of the threads");
}

static void free_probers(prefix_join *join)
{
    for (uint32_t t = 0; join->probers && t < join->job->threads; t++) {
        akin_free(join->probers[t].cursors);
        akin_free(join->probers[t].matches);
        akin_free(join->probers[t].list);
    }
    akin_free(join->probers);
}

static akin_status prepare_prefix_join(prefix_join *join, int grouped, akin_error *error)
{
    akin_join_job *job = join->job;
    join->probes.count = job->probes->count;
    join->indexed.count = job->indexed->count;
    if (grouped && !find_groups(job, job->indexed, &join->indexed))
        return akin_fail_memory(error, "the groups of sets");
    if (grouped && !job->self && !find_groups(job, job->probes, &join->probes))
        return akin_fail_memory(error, "the groups of sets");
    if (job->self)
        join->probes = join->indexed;
    akin_status status = make_prefix_probers(join, error);
    if (status == AKIN_OK)
        status = akin_prefix_build(job, job->indexed, AKIN_PREFIX_INDEXED, &join->indexed, join->positional,
                                   &join->index, error);
    return status;
}

akin_status akin_prefix_join(akin_join_job *job, akin_technique filter, akin_prefix_take take, void *argument,
                             akin_error *error)
{
    prefix_join join = {.job = job, .take = take, .argument = argument, .positional = filter != AKIN_ALLPAIRS};
    akin_status status = prepare_prefix_join(&join, filter == AKIN_GROUPJOIN, error);
    if (status == AKIN_OK)
        status = akin_join_run(job, akin_ceil_div(join.probes.count, PROBES_A_TASK), join_probes, &join, error);
    free_probers(&join);
    akin_prefix_clear(&join.index);
    if (!job->self)
        akin_free(join.probes.first);
    akin_free(join.indexed.first);
    return status;
}

static akin_status verify_probe(void *argument, uint32_t thread, uint32_t probe, const uint32_t *list, uint32_t count)
{
    akin_join_job *job = argument;
    int done = akin_join_verify(job, &job->workers[thread], probe, list, count, AKIN_JOIN_ANY);
    return done ? AKIN_OK : AKIN_E_NOMEM;
}

static akin_status run_prefix_join(akin_join_job *job, akin_technique technique, akin_error *error)
{
    akin_status status = akin_join_workers_make(job, error);
    return status == AKIN_OK ? akin_prefix_join(job, technique, verify_probe, job, error) : status;
}

akin_status akin_join_allpairs(akin_join_job *job, akin_error *error)
{
    return run_prefix_join(job, AKIN_ALLPAIRS, error);
}

akin_status akin_join_ppjoin(akin_join_job *job, akin_error *error)
{
    return run_prefix_join(job, AKIN_PPJOIN, error);
}

akin_status akin_join_groupjoin(akin_join_job *job, akin_error *error)
{
    return run_prefix_join(job, AKIN_GROUPJOIN, error);
}
