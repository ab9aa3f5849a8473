/*
 * The kernels of the join of strings on the GPU that the host plays (property/host_device.h): what is uploaded, how
 * launches are cut and what comes of their lists. It does not show the kernels' own arithmetic.
 */
#include "property/host_kernel.h"

#include "base/bits.h"
#include "match/kernels.h"
#include "strings/edit.h"
#include "strings/jaro.h"

#include <string.h>

uint64_t host_launches; /* so far */

/* --------------------------------------------------------------------------------------------------- the kernels */

static akin_status strings_interleave(akin_device_stream *stream, const akin_strings_side *side, akin_error *error)
{
    const akin_status entered = host_enter(error);
    if (entered != AKIN_OK)
        return entered;
    for (uint32_t g = 0; g < side->group_count; g++) {
        const akin_strings_group *group = &side->groups[g];
        uint8_t *to = (uint8_t *)(side->words + group->words);
        memset(to, 0, (uint64_t)(group->length + 3) / 4 * 4 * AKIN_STRINGS_GROUP);
        for (uint32_t lane = 0; lane < group->filled; lane++)
            for (uint32_t i = 0; i < group->length; i++)
                to[(uint64_t)(i / 4) * 4 * AKIN_STRINGS_GROUP + 4 * lane + i % 4] =
                    side->symbols[group->symbols + (uint64_t)lane * group->length + i];
    }
    return AKIN_OK;
}

/* A string of a group, from where it was interleaved. */
static akin_symbols symbols_of(const akin_strings_side *side, const akin_strings_group *group, uint32_t lane,
                               uint8_t *room)
{
    const uint8_t *from = (const uint8_t *)(side->words + group->words);
    for (uint32_t i = 0; i < group->length; i++)
        room[i] = from[(uint64_t)(i / 4) * 4 * AKIN_STRINGS_GROUP + 4 * lane + i % 4];
    return (akin_symbols){.bytes = room, .length = group->length};
}

static uint32_t apart(const akin_strings_side *a, uint32_t i, const akin_strings_side *b, uint32_t j)
{
    uint32_t bits = 0;
    for (uint32_t w = 0; w < 4; w++)
        bits += akin_popcount64(a->bags[w][i] ^ b->bags[w][j]);
    return bits;
}

static void list(const akin_strings_work *work, uint32_t probe, uint32_t other, uint32_t value, uint32_t differ)
{
    unsigned long long to = work->tally->listed++;
    if (to < work->room)
        work->list[to] = (akin_strings_found){probe, other, value, differ};
}

/* Compares lane i of a group of probes with lane j of another group; 0: the host has no memory for that. */
static int compare(const akin_strings_work *work, const akin_strings_group *p, uint32_t i, const akin_strings_group *o,
                   uint32_t j, akin_pattern *pattern)
{
    static uint8_t room[2][AKIN_STRINGS_LONGEST];
    static uint32_t noted[AKIN_STRINGS_LONGEST];
    const akin_strings_limits *limits = &work->limits[(uint64_t)p->run * work->runs + o->run];
    akin_symbols a = symbols_of(&work->probes, p, i, room[0]), b = symbols_of(&work->others, o, j, room[1]);
    uint32_t prefix = work->by_prefix ? akin_winkler_prefix(&a, &b) : 0, bound = limits->bound[prefix];
    work->tally->screened++;
    if ((int64_t)apart(&work->probes, p->first + i, &work->others, o->first + j) > limits->apart[prefix])
        return 1;
    work->tally->candidates++;
    if (!akin_pattern_set(pattern, &a))
        return 0;
    if (!work->is_jaro) {
        uint32_t distance = (work->swaps ? akin_osa : akin_levenshtein)(pattern, &b, bound);
        work->tally->found += distance <= bound;
        if (distance <= bound && !work->count)
            list(work, p->first + i, o->first + j, distance, 0);
        return 1;
    }
    akin_jaro jaro = akin_jaro_of(pattern, &b, noted);
    double m = jaro.matched, moved = work->floored ? jaro.apart & ~1u : jaro.apart;
    double spare = 2 * m * (m * limits->each + limits->rest[prefix]) - moved;
    if (jaro.matched < bound || spare < 0)
        return 1;
    int sure = !work->unsure && spare > 1e-6 * m;
    work->tally->found += (unsigned long long)sure;
    if (!sure || !work->count)
        list(work, p->first + i, o->first + j, jaro.matched, jaro.apart);
    return 1;
}

/* Whether a launch is given up: of each third join none, of each third some, of each third all that may be. */
static int is_late(const akin_strings_work *work)
{
    const uint32_t probes = work->probe_end - work->probe_first, others = work->other_end - work->other_first;
    if (work->patience == 0)
        return 0;
    if (probes == 1 && others == 1)
        abort(); /* it could not be cut any more */
    return host_device.streams % 3 == 2 ||
           (host_device.streams % 3 == 1 && (work->probe_first + work->other_first + probes + others) % 2);
}

static int launch(const akin_strings_work *work, uint32_t own, akin_pattern *pattern)
{
    int done = 1;
    uint32_t chunks = (work->longest_reach + work->chunk - 1) / work->chunk;
    const akin_strings_group *p = &work->probes.groups[own];
    akin_strings_reach reach = work->reach[p->run];
    uint32_t begin = reach.first > work->other_first ? reach.first : work->other_first;
    begin = work->same && own > begin ? own : begin;
    uint64_t end = (uint64_t)begin + (uint64_t)chunks * work->chunk; /* blocks that are not launched do nothing */
    end = end < reach.end ? end : reach.end;
    end = end < work->other_end ? end : work->other_end;
    if (p->length > 64 * work->words)
        abort();
    for (uint32_t g = begin; g < end; g++)
        for (uint32_t j = 0; j < work->others.groups[g].filled; j++)
            for (uint32_t i = 0; i < (work->same && g == own ? j : p->filled); i++)
                done &= compare(work, p, i, &work->others.groups[g], j, pattern);
    return done;
}

/* A launch that is given up does half of its work. */
static akin_status strings_launch(akin_device_stream *stream, const akin_strings_work *work, akin_error *error)
{
    const akin_status entered = host_enter(error);
    if (entered != AKIN_OK)
        return entered;
    akin_pattern pattern = {.account = NULL};
    const int late = is_late(work);
    int done = 1;
    for (uint32_t own = work->probe_first; own < work->probe_end; own++)
        if (!late || own % 2)
            done &= launch(work, own, &pattern);
    akin_pattern_clear(&pattern);
    if (!done)
        return akin_fail_memory(error, "the GPU that the host plays");
    work->tally->late = (unsigned)late;
    host_launches++;
    return AKIN_OK;
}

const akin_strings_kernels host_strings_kernels = {strings_interleave, strings_launch};
