/*
 * Screens a pair of records, on a GPU and on the host that plays one: whether a selector before selects it, whose
 * partner it is, and whether lengths and bags let it reach the threshold. What a warp does together is in
 * screens_cuda.cu.
 */
#ifndef AKIN_DEDUPE_GPU_SCREEN_H
#define AKIN_DEDUPE_GPU_SCREEN_H

#include "dedupe/gpu_look.h"

/* ------------------------------------------------------------------------------------------------------- selections */

/* Whether a selector lists a pair: in the list of the lower record. */
AKIN_GPU_FUNCTION int akin_gpu_is_listed(const akin_gpu_selector *s, uint32_t lower, uint32_t higher)
{
    uint64_t low = s->starts[lower], high = s->starts[lower + (uint64_t)1];
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (s->order[middle] < higher)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->starts[lower + (uint64_t)1] && s->order[low] == higher;
}

/* Whether a selector selects a pair: see akin_selector_has. */
AKIN_GPU_FUNCTION int akin_gpu_selects(const akin_gpu_selector *s, uint32_t a, uint32_t b)
{
    if (s->form == AKIN_PAIRS_ALL)
        return 1;
    if (s->form == AKIN_PAIRS_LISTED)
        return akin_gpu_is_listed(s, a < b ? a : b, a < b ? b : a);
    uint32_t x = s->places[a], y = s->places[b];
    if (s->form == AKIN_PAIRS_SAME)
        return x == y && x != UINT32_MAX;
    return (x > y ? x - y : y - x) < s->window;
}

AKIN_GPU_FUNCTION int akin_gpu_is_known(const akin_gpu_screen *screen, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < screen->at; i++)
        if (akin_gpu_selects(&screen->selectors[i], a, b))
            return 1;
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ lists */

/* The partners of the record at a place of a selector: `count` from order[begin] on, or from record `begin` on. */
typedef struct akin_gpu_partners {
    uint32_t record;
    uint64_t begin, count;
} akin_gpu_partners;

AKIN_GPU_FUNCTION akin_gpu_partners akin_gpu_partners_of(const akin_gpu_screen *screen, const akin_gpu_selector *s,
                                                         uint32_t at)
{
    uint64_t begin = at + (uint64_t)1, end = s->count;
    uint32_t record = s->form == AKIN_PAIRS_ALL || s->form == AKIN_PAIRS_LISTED ? at : s->order[at];
    if (s->form == AKIN_PAIRS_LISTED) {
        begin = s->starts[at];
        end = s->starts[at + (uint64_t)1];
    } else if (s->form == AKIN_PAIRS_SAME) {
        end = s->starts[s->places[record] + (uint64_t)1];
    } else if (s->form == AKIN_PAIRS_NEAR) {
        end = (uint64_t)at + s->window < s->count ? (uint64_t)at + s->window : s->count;
    } else if (screen->border > 0) {
        begin = at < screen->border ? screen->border : end;
    }
    const akin_gpu_partners partners = {record, begin, end - begin};
    return partners;
}

/* Partner k of a record. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_partner_at(const akin_gpu_selector *s, const akin_gpu_partners *p, uint64_t k)
{
    const uint64_t place = p->begin + k;
    return s->order ? s->order[place] : (uint32_t)place;
}

/* Whether two records are of two tables, where there are two. */
AKIN_GPU_FUNCTION int akin_gpu_is_across(const akin_gpu_screen *screen, uint32_t a, uint32_t b)
{
    return screen->border == 0 || (a < screen->border) != (b < screen->border);
}

/* ----------------------------------------------------------------------------------------------------------- groups */

AKIN_GPU_FUNCTION void akin_gpu_group_record(const akin_gpu_shape *shapes, const akin_gpu_grouped *grouped, uint64_t i)
{
    const akin_gpu_shape *shape = &shapes[grouped->order[i]];
    grouped->words[0][i] = shape->words[0];
    grouped->words[1][i] = shape->words[1];
    grouped->heads[i] = shape->head;
}

/* The first two words of a bag. */
#ifdef __CUDACC__
typedef uint4 akin_gpu_half_bag;
#else
typedef struct akin_gpu_half_bag {
    uint32_t x, y, z, w;
} akin_gpu_half_bag;
#endif

AKIN_GPU_FUNCTION akin_gpu_half_bag akin_gpu_half_of(const akin_gpu_grouped *side, uint32_t place)
{
    const uint64_t a = side->words[0][place], b = side->words[1][place];
    const akin_gpu_half_bag half = {(uint32_t)a, (uint32_t)(a >> 32), (uint32_t)b, (uint32_t)(b >> 32)};
    return half;
}

AKIN_GPU_FUNCTION uint32_t akin_gpu_halves_apart(akin_gpu_half_bag a, akin_gpu_half_bag b)
{
    return akin_gpu_ones(a.x ^ b.x) + akin_gpu_ones(a.y ^ b.y) + akin_gpu_ones(a.z ^ b.z) + akin_gpu_ones(a.w ^ b.w);
}

/* What bags of values of two lengths may be apart: -1: such values are ruled out, 256: none is. */
AKIN_GPU_FUNCTION int akin_gpu_limit_of(const akin_gpu_screen *screen, const akin_gpu_attribute *a, uint32_t x,
                                        uint32_t y, uint32_t prefix)
{
    if (x == 0 || y == 0) {
        int missing = screen->scoring.missing;
        return missing == AKIN_MISSING_SKIP || (missing == AKIN_MISSING_EQUAL && x == y) ? 256 : -1;
    }
    if (!a->limits || x > a->longest || y > a->longest)
        return 256;
    return a->limits[(x * (a->longest + 1) + y) * AKIN_GPU_PREFIXES + (a->by_prefix ? prefix : 0)];
}

/* The other groups that a group of probes meets in a chunk of a launch: first to end - 1, none if first is not below
 * end. */
typedef struct akin_gpu_met {
    uint64_t first;
    uint32_t end;
} akin_gpu_met;

AKIN_GPU_FUNCTION akin_gpu_met akin_gpu_met_by(const akin_gpu_meeting *meeting, uint32_t own, uint32_t chunk)
{
    const uint32_t length = meeting->probes.groups[own].length;
    const uint32_t reach_first = meeting->reach[2 * length], reach_end = meeting->reach[2 * length + 1];
    const uint32_t most = reach_end < meeting->other_end ? reach_end : meeting->other_end;
    uint32_t begin = reach_first > meeting->other_first ? reach_first : meeting->other_first;
    begin = meeting->same && own > begin ? own : begin;
    akin_gpu_met met = {begin + (uint64_t)chunk * meeting->chunk, most};
    if (met.first + meeting->chunk < most)
        met.end = (uint32_t)(met.first + meeting->chunk);
    return met;
}

/* Whether the driver of a pair may still reach its threshold after a closer check, by half of a bag. */
AKIN_GPU_FUNCTION int akin_gpu_passes_closely(const akin_gpu_screen *screen, const akin_gpu_meeting *meeting,
                                              uint32_t a, uint32_t b)
{
    if (!akin_gpu_passes(&screen->scoring, meeting->driver, a, b) || akin_gpu_is_known(screen, a, b))
        return 0;
    for (uint32_t drivers = meeting->earlier; drivers; drivers &= drivers - 1)
        if (akin_gpu_passes(&screen->scoring, akin_gpu_lowest(drivers), a, b))
            return 0;
    return akin_gpu_bound(&screen->scoring, a, b);
}

#endif
