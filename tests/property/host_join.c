/*
 * The kernels on sets and of the prefix index on the GPU that the host plays (property/host_device.h), by the
 * arithmetic of src/join/posting_step.h. It does not show how threads of a real GPU get into each other's way.
 */
#include "property/host_kernel.h"

#include "join/kernels.h"
#include "join/threshold.h"

#include "join/posting_step.h"

#define LANES 32

/* ------------------------------------------------------------------------------------------------------ kernels */

static uint32_t size_of(const akin_gpu_sets *sets, uint32_t set)
{
    if (set >= sets->count)
        abort();
    return (uint32_t)(sets->offsets[set + 1] - sets->offsets[set]);
}

static const void *tokens_of(const akin_gpu_sets *sets, uint32_t set)
{
    return (const char *)sets->tokens + sets->offsets[set] * (sets->narrow ? sizeof(uint16_t) : sizeof(uint32_t));
}

static akin_status gpu_write_offsets(akin_device_stream *stream, const akin_gpu_class *classes, uint32_t count,
                                     uint32_t sets, uint64_t *offsets, akin_error *error)
{
    const akin_status entered = host_enter(error);
    if (entered != AKIN_OK)
        return entered;
    for (uint32_t set = 0, c = 0; set <= sets; set++) {
        while (c + 1 < count && classes[c + 1].set <= set)
            c++;
        offsets[set] = classes[c].offset + (uint64_t)(set - classes[c].set) * classes[c].size;
    }
    return AKIN_OK;
}

static akin_status gpu_verify(akin_device_stream *stream, const akin_gpu_sets *probes, const akin_gpu_sets *indexed,
                              akin_measure_rule rule, akin_verify_way way, const akin_gpu_pair *candidates,
                              uint64_t room, akin_gpu_tally *tally, akin_gpu_pair *pairs, uint32_t *overlaps,
                              akin_error *error)
{
    const akin_status entered = host_enter(error);
    if (entered != AKIN_OK)
        return entered;
    uint64_t count = tally->count < tally->valid ? tally->count : tally->valid;
    for (uint64_t c = 0; c < count && c < room; c++) {
        uint32_t probe = (uint32_t)(candidates[c] >> 32), set = (uint32_t)candidates[c], n = 0;
        uint32_t r = size_of(probes, probe), s = size_of(indexed, set);
        for (uint32_t i = 0, j = 0; i < r && j < s;) {
            uint32_t x = akin_posting_token(tokens_of(probes, probe), probes->narrow, i);
            uint32_t y = akin_posting_token(tokens_of(indexed, set), indexed->narrow, j);
            n += x == y;
            i += x <= y;
            j += y <= x;
        }
        if (!akin_rule_suffices(rule, n, r, s))
            continue;
        if (pairs) {
            pairs[tally->found] = candidates[c];
            overlaps[tally->found] = n;
        }
        tally->found++;
    }
    return AKIN_OK;
}

static akin_status posting_write(akin_device_stream *stream, const akin_posting_side *side, uint32_t *tokens,
                                 uint32_t *numbers, akin_error *error)
{
    const akin_status entered = host_enter(error);
    if (entered != AKIN_OK)
        return entered;
    for (uint32_t i = 0; i < side->count; i++) {
        akin_posting_place place = akin_posting_find(side, i);
        if (place.position >= size_of(&side->sets, place.set))
            abort();
        tokens[i] = akin_posting_token(tokens_of(&side->sets, place.set), side->sets.narrow, place.position);
        numbers[i] = i;
    }
    return AKIN_OK;
}

static akin_status posting_make_index(akin_device_stream *stream, const akin_posting_side *side, const uint32_t *tokens,
                                      const uint32_t *numbers, const akin_posting_index *index, akin_error *error)
{
    const akin_status entered = host_enter(error);
    if (entered != AKIN_OK)
        return entered;
    for (uint32_t i = 0; i < side->count; i++) {
        akin_posting_place place = akin_posting_find(side, numbers[i]);
        index->sets[i] = place.set;
        index->reach[i] = side->bounds[place.from.bound + place.position];
        if (i == 0 || tokens[i - 1] != tokens[i])
            index->lists[tokens[i]].begin = i;
        if (i + 1 == side->count || tokens[i + 1] != tokens[i])
            index->lists[tokens[i]].end = i + 1;
    }
    return AKIN_OK;
}

static akin_status posting_look_up(akin_device_stream *stream, const akin_posting_side *probes, int self,
                                   const uint32_t *tokens, const uint32_t *numbers, const akin_posting_index *index,
                                   uint32_t *low, uint32_t *counts, uint8_t *any, akin_error *error)
{
    const akin_status entered = host_enter(error);
    if (entered != AKIN_OK)
        return entered;
    for (uint32_t i = 0; i < probes->count; i++) {
        akin_posting_list list = index->lists[tokens[i]];
        if (list.begin < list.end)
            list = akin_posting_met(probes, self, akin_posting_find(probes, numbers[i]), list, index->sets);
        low[i] = list.begin;
        counts[i] = list.begin < list.end ? list.end - list.begin : 0;
        any[i] = counts[i] > 0;
    }
    return AKIN_OK;
}

static akin_status posting_gather(akin_device_stream *stream, const akin_posting_side *probes, const uint32_t *numbers,
                                  const uint32_t *low, const uint32_t *counts, const uint32_t *chosen, uint32_t count,
                                  akin_posting_run *runs, uint32_t *lengths, akin_error *error)
{
    const akin_status entered = host_enter(error);
    if (entered != AKIN_OK)
        return entered;
    for (uint32_t i = 0; i < count; i++) {
        akin_posting_place place = akin_posting_find(probes, numbers[chosen[i]]);
        runs[i] = (akin_posting_run){place.set, place.position, low[chosen[i]], 0};
        lengths[i] = counts[chosen[i]];
    }
    return AKIN_OK;
}

/* A warp's step: what each of its lanes has found. */
typedef struct step {
    akin_posting_state state[LANES];
    akin_gpu_pair pair[LANES];
    uint32_t overlap[LANES], steps[LANES];
} step;

static void look_at(const akin_posting_join *join, uint32_t number, uint32_t into, uint32_t lane, step *out)
{
    if (number >= join->run_count || into >= join->offsets[number + 1] - join->offsets[number])
        abort();
    const akin_posting_run *run = &join->runs[number];
    uint32_t k = run->low + into, set = join->index.sets[k];
    if (run->probe >= join->index.reach[k])
        return;
    uint32_t r = size_of(&join->probes, run->probe), s = size_of(&join->indexed, set);
    uint32_t need = akin_posting_need(join->rule, join->share, r, s);
    if (need > r || need > s || !akin_rule_suffices(join->rule, need, r, s) ||
        (need > 1 && akin_rule_suffices(join->rule, need - 1, r, s)))
        abort();
    out->pair[lane] = (uint64_t)run->probe << 32 | set;
    out->state[lane] =
        akin_posting_merge(tokens_of(&join->probes, run->probe), r, tokens_of(&join->indexed, set), s,
                           join->probes.narrow, run->position, need, &out->overlap[lane], &out->steps[lane]);
}

static int is_appended(const akin_posting_join *join, akin_posting_state state)
{
    return state == AKIN_POSTING_OPEN || (join->keep && state == AKIN_POSTING_FOUND);
}

/* 0 if there is no room. */
static int append(const akin_posting_join *join, const akin_posting_out *out, const step *step)
{
    akin_gpu_tally *tally = out->tally;
    uint64_t all = 0, to = tally->count;
    for (uint32_t lane = 0; lane < LANES; lane++)
        all += (uint64_t)is_appended(join, step->state[lane]);
    tally->count += all;
    if (all && to + all > out->room) {
        tally->valid = tally->valid < to ? tally->valid : to;
        return 0;
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
        akin_posting_state state = step->state[lane];
        if (is_appended(join, state)) {
            out->candidates[to] = step->pair[lane];
            if (join->keep)
                out->overlaps[to] = step->overlap[lane];
            to++;
        }
        tally->met += state != AKIN_POSTING_ELSEWHERE;
        tally->found += !join->keep && state == AKIN_POSTING_FOUND;
        tally->open |= state == AKIN_POSTING_OPEN;
    }
    return 1;
}

static void walk(const akin_posting_join *join, akin_posting_range range, uint32_t ranges, const akin_posting_out *out)
{
    if (out->tally->count >= out->room) {
        out->resume[out->tally->resumed++] = range;
        return;
    }
    uint32_t run = akin_posting_run_of(join->offsets, join->run_count, range.first);
    uint64_t start = join->offsets[run];
    uint32_t spent = 0;
    for (uint64_t at = range.first; at < range.end; at += LANES) {
        uint64_t ends[LANES];
        uint32_t begins = 0, passed = 0;
        step step = {0};
        for (uint32_t lane = 0; lane < LANES; lane++) {
            uint64_t next = (uint64_t)run + 1 + lane;
            ends[lane] = next <= join->run_count ? join->offsets[next] : UINT64_MAX;
            if (ends[lane] - at < LANES)
                begins |= 1u << (ends[lane] - at);
            passed += ends[lane] - at <= LANES;
        }
        for (uint32_t lane = 0; lane < LANES && at + lane < range.end; lane++) {
            akin_posting_lane own = akin_posting_deal(begins, lane, (uint32_t)(at - start));
            look_at(join, run + own.skipped, own.into, lane, &step);
        }
        if (!append(join, out, &step)) {
            if (out->tally->resumed >= ranges)
                abort();
            out->resume[out->tally->resumed++] = (akin_posting_range){at, range.end};
            return;
        }
        start = passed ? ends[passed - 1] : start;
        run += passed;
        uint32_t longest = 0;
        for (uint32_t lane = 0; lane < LANES; lane++)
            longest = step.steps[lane] > longest ? step.steps[lane] : longest;
        spent += longest;
        if (spent >= join->budget && at + LANES < range.end) {
            out->resume[out->tally->resumed++] = (akin_posting_range){at + LANES, range.end};
            return;
        }
    }
}

static akin_status posting_compare(akin_device_stream *stream, const akin_posting_join *join, uint64_t first,
                                   uint64_t end, uint32_t unit, const akin_posting_range *ranges, uint32_t count,
                                   const akin_posting_out *out, akin_error *error)
{
    const akin_status entered = host_enter(error);
    if (entered != AKIN_OK)
        return entered;
    for (uint32_t k = 0; k < count; k++) {
        akin_posting_range range = {first + (uint64_t)k * unit, first + (uint64_t)(k + 1) * unit};
        range.end = range.end < end ? range.end : end;
        walk(join, ranges ? ranges[k] : range, count, out);
    }
    return AKIN_OK;
}

const akin_sets_kernels host_sets_kernels = {gpu_write_offsets, gpu_verify};

const akin_posting_kernels host_posting_kernels = {posting_write, posting_make_index, posting_look_up, posting_gather,
                                                   posting_compare};
