/* Joins tiles: screens by signatures, refines the pairs that are left, verifies. */
#include "join/tile.h"

#include "base/bits.h"
#include "join/verify.h"

#include <string.h>

akin_status akin_tile_prepare(akin_join_job *job, akin_tile_join *join, akin_error *error)
{
    *join = (akin_tile_join){.job = job, .narrow = job->bits_screen / 64, .exact = job->indexed->universe <= job->bits};
    join->screen = akin_screen_choose(job->scope->cpu, job->bits_screen);
    join->refine = akin_refine_choose(job->scope->cpu, job->bits);
    join->hamming = akin_hamming_choose(job->scope->cpu);
    join->indexed = &join->built[0];
    join->probes = &join->built[job->self ? 0 : 1];
    akin_status status = akin_parity_build(job->scope, job->account, job->indexed, job->bits, &join->built[0], error);
    if (status == AKIN_OK && !job->self)
        status = akin_parity_build(job->scope, job->account, job->probes, job->bits, &join->built[1], error);
    return status;
}

void akin_tile_clear(akin_tile_join *join)
{
    akin_parity_clear(&join->built[0]);
    akin_parity_clear(&join->built[1]);
}

/*
 * r + s - 2 n(r, s) is a convex function of s over the sizes that can match, except that the needed overlap n is
 * rounded to a whole number; this changes the value by at most one. So the function is largest at one end of the sizes:
 * at the larger end where it grows with s. It grows with s in all forms except SMALLER and SECOND.
 */
int64_t akin_tile_distance(const akin_threshold *threshold, uint32_t r, uint32_t smallest, uint32_t largest)
{
    uint64_t least = akin_threshold_smallest(threshold, r), most = akin_threshold_largest(threshold, r);
    if (largest < least || smallest > most)
        return -1;
    int64_t distance = akin_threshold_distance(threshold, r, largest < most ? largest : most), other = distance;
    switch (threshold->rule.form) {
    case AKIN_FORM_SUM:
    case AKIN_FORM_PRODUCT:
    case AKIN_FORM_CONSTANT:
    case AKIN_FORM_FIRST:
        break;
    case AKIN_FORM_SMALLER:
    case AKIN_FORM_SECOND:
        other = akin_threshold_distance(threshold, r, smallest > least ? smallest : least);
        break;
    }
    return (other > distance ? other : distance) + (smallest != largest);
}

/* Emits the partners of a probe whose exact distances qualify. */
static int emit_exact(const akin_tile_join *join, akin_join_worker *worker, uint32_t probe, const uint32_t *partners,
                      uint32_t count)
{
    const akin_join_job *job = join->job;
    uint32_t stride = join->probes->stride, size = akin_ranked_size(job->probes, probe);
    const uint64_t *words = join->probes->words + (uint64_t)probe * stride;
    worker->candidates += count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = akin_ranked_size(job->indexed, partners[i]);
        uint32_t distance = join->hamming(words, join->indexed->words + (uint64_t)partners[i] * stride, stride);
        uint32_t overlap = (uint32_t)(((uint64_t)size + other - distance) / 2);
        if (overlap >= akin_join_need(job, size, other) && !akin_join_emit(job, worker, probe, partners[i], overlap))
            return 0;
    }
    return 1;
}

/* Whether the wide signatures of a pair are as close as its sizes ask for. */
static inline int wide_enough(const akin_tile_join *join, uint32_t probe, uint32_t set)
{
    const akin_join_job *job = join->job;
    uint32_t stride = join->indexed->stride;
    uint64_t r = akin_ranked_size(job->probes, probe), s = akin_ranked_size(job->indexed, set);
    uint64_t distance = join->hamming(join->probes->words + (uint64_t)probe * stride,
                                      join->indexed->words + (uint64_t)set * stride, stride);
    return distance + 2 * akin_join_need(job, r, s) <= r + s;
}

static inline int any_hit(const uint64_t *hits)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < AKIN_SCREEN_WORDS; w++)
        any |= hits[w];
    return any != 0;
}

/* Collects the partners that probe number p hit in the strip at position `first`, as far as the wide signatures agree.
 */
static uint32_t collect_partners(const akin_tile_join *join, akin_tile_work *work, const akin_tile_probes *probes,
                                 const akin_tile_list *list, const akin_tile_window *window, uint32_t p, uint32_t first)
{
    const uint64_t *hits = work->hits + p * AKIN_SCREEN_WORDS;
    uint32_t count = 0, end = probes->end[p] < window->end ? probes->end[p] : window->end;
    int widen = join->indexed->stride != join->narrow && !list->wide;
    for (uint32_t w = 0; w < AKIN_SCREEN_WORDS && first < end; w++, first += 64) {
        uint64_t some = hits[w];
        if (end - first < 64)
            some &= (UINT64_C(1) << (end - first)) - 1;
        if (first < window->first)
            some &= window->first - first < 64 ? UINT64_MAX << (window->first - first) : 0;
        for (; some; some &= some - 1) {
            uint32_t set = list->set[first + (uint32_t)__builtin_ctzll(some)];
            if (!widen || wide_enough(join, probes->set[p], set))
                work->partners[count++] = set;
        }
    }
    return count;
}

void akin_tile_slack(const akin_join_job *job, const uint32_t *sets, uint64_t count, int64_t *slack)
{
    for (uint64_t i = 0; i < count; i++)
        slack[i] = akin_rule_share(job->threshold.rule, akin_ranked_size(job->indexed, sets[i]));
    for (uint64_t i = count; i % AKIN_SCREEN_GROUP; i++)
        slack[i] = 0;
}

void akin_tile_limit(const akin_tile_join *join, const akin_tile_probes *probes, const akin_tile_list *list,
                     const akin_tile_window *window, akin_tile_limits *out)
{
    const akin_threshold *threshold = &join->job->threshold;
    int64_t limit = 0, others = 0;
    out->most = -1;
    out->slack = list->slack && window->smallest != window->largest;
    if (out->slack)
        others = akin_rule_share(threshold->rule, window->largest);
    for (uint32_t p = 0, size = 0; p < probes->count; p++) {
        uint32_t this_size = akin_ranked_size(join->job->probes, probes->set[p]);
        if (this_size != size) {
            size = this_size;
            limit = out->slack ? akin_rule_share(threshold->rule, size) + 2
                               : akin_tile_distance(threshold, size, window->smallest, window->largest) + 1;
            out->most = limit + others - 1 > out->most ? limit + others - 1 : out->most;
        }
        out->probe[p] = limit;
    }
}

akin_status akin_tile_run(const akin_tile_join *join, akin_join_worker *worker, akin_tile_work *work,
                          const akin_tile_probes *probes, const akin_tile_list *list, const akin_tile_window *window,
                          const akin_tile_limits *limits, uint64_t token)
{
    const akin_join_job *job = join->job;
    akin_screen_block block = {.probe_count = probes->count, .limits = limits->probe, .hits = work->hits};
    uint32_t last_group = (uint32_t)akin_ceil_div(window->end, AKIN_SCREEN_GROUP);
    for (uint32_t group = window->first / AKIN_SCREEN_GROUP; group < last_group; group += AKIN_SCREEN_STRIP) {
        block.groups = last_group - group < AKIN_SCREEN_STRIP ? last_group - group : AKIN_SCREEN_STRIP;
        block.slack = limits->slack ? list->slack + (uint64_t)group * AKIN_SCREEN_GROUP : NULL;
        block.strip = list->strips + (uint64_t)group * join->narrow * AKIN_SCREEN_GROUP;
        block.probes = probes->narrow;
        join->screen(&block);
        if (list->wide) {
            block.probes = probes->wide;
            block.strip = list->wide + (uint64_t)group * join->indexed->stride * AKIN_SCREEN_GROUP;
            join->refine(&block);
        }
        worker->compared += (uint64_t)probes->count * block.groups * AKIN_SCREEN_GROUP;
        for (uint32_t p = 0; p < probes->count; p++) {
            if (!any_hit(work->hits + p * AKIN_SCREEN_WORDS))
                continue;
            uint32_t count = collect_partners(join, work, probes, list, window, p, group * AKIN_SCREEN_GROUP);
            int kept = 1;
            if (count && join->exact && token == AKIN_JOIN_ANY)
                kept = emit_exact(join, worker, probes->set[p], work->partners, count);
            else if (count)
                kept = akin_join_verify(job, worker, probes->set[p], work->partners, count, token);
            if (!kept)
                return AKIN_E_NOMEM;
        }
    }
    return AKIN_OK;
}
