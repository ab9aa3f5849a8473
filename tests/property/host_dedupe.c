/*
 * The kernels of akin_dedupe on the GPU that the host plays (property/host_device.h). What each thread does with a
 * text, a candidate or a pair (src/dedupe/gpu_*.h) is the very same code: one thread after the other, the last one
 * first, and step by step where those of a block wait for each other. It does not show how the lanes of a warp queue
 * and list pairs.
 */
#include "property/host_dedupe.h"

#include "property/host_kernel.h"
#include "unit/test_ratio.h"

#include "dedupe/gpu_score.h"
#include "dedupe/gpu_screen.h"

#include <math.h>
#include <string.h>

#define THREADS 256 /* of a block that measures texts */

host_dedupe_state host_dedupe;

/* -------------------------------------------------------------------------------------------------------- texts */

static akin_status gpu_measure(akin_device_stream *stream, const akin_gpu_texts *texts, uint32_t *lengths,
                               akin_gpu_survey *survey, akin_error *error)
{
    static akin_gpu_counted counts;
    akin_status status = host_enter(error);
    for (uint32_t block = 0; block * THREADS < texts->rows && status == AKIN_OK; block++) {
        memset(&counts, 0xa5, sizeof counts);
        for (uint32_t thread = THREADS; thread-- > 0;)
            akin_gpu_clear_counted(&counts, thread, THREADS);
        for (uint32_t thread = THREADS; thread-- > 0;)
            if (block * THREADS + thread < texts->rows)
                akin_gpu_measure_row(texts, block * THREADS + thread, lengths, &counts, survey);
        for (uint32_t thread = THREADS; thread-- > 0;)
            akin_gpu_add_counted(&counts, survey, thread, THREADS);
    }
    return status;
}

/* A bag has counts in unary, four bits of a word for each kind: see strings/bag.h. */
static void put_count(uint64_t words[4], uint32_t kind, uint32_t count, int deep)
{
    must(kind < (deep ? 32 : 64));
    for (uint32_t i = 0; i < count && i < (deep ? 8 : 4); i++)
        words[kind / 16 + i / 4 * 2] |= (uint64_t)1 << (kind % 16 * 4 + i % 4);
}

/* The symbols that were made of a row are those of its text, and its bag is the one that they make. */
static void check_shape(const akin_gpu_texts *texts, uint32_t row, const uint8_t *kinds, int deep,
                        const akin_gpu_column *column)
{
    const akin_gpu_shape *shape = &column->shapes[texts->first + row];
    const unsigned char *text;
    uint64_t left = akin_gpu_bytes_of(texts, row, &text), words[4] = {0};
    uint32_t counts[256] = {0};
    for (uint32_t i = 0; i < shape->length; i++) {
        size_t size;
        uint32_t symbol = akin_utf8_decode((const char *)text, left, &size);
        must(akin_gpu_symbol(column->symbols, column->width, shape->at + i) == symbol);
        counts[kinds[AKIN_GPU_BIN(symbol)]]++;
        text += size;
        left -= size;
    }
    for (uint32_t kind = 0; kind < 256; kind++)
        if (counts[kind])
            put_count(words, kind, counts[kind], deep);
    must(shape->length == 0 || (left == 0 && memcmp(words, shape->words, sizeof words) == 0));
}

static akin_status gpu_shape_texts(akin_device_stream *stream, const akin_gpu_texts *texts, const uint32_t *lengths,
                                   const uint64_t *starts, const uint8_t *kinds, int deep,
                                   const akin_gpu_column *column, akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint32_t row = texts->rows; row-- > 0 && status == AKIN_OK;) {
        uint32_t record = texts->first + row;
        must(starts[record + 1] == starts[record] + lengths[record]);
        akin_gpu_shape_row(texts, row, lengths, starts, kinds, deep, column);
        check_shape(texts, row, kinds, deep, column);
    }
    return status;
}

/* --------------------------------------------------------------------------------------------------------- keys */

static akin_status gpu_keys(akin_device_stream *stream, const akin_gpu_column *column, akin_gpu_key key, uint32_t *keys,
                            uint32_t *order, akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint32_t record = column->count; record-- > 0 && status == AKIN_OK;) {
        keys[record] = akin_gpu_key_of(column, record, key != AKIN_GPU_SIMPLE, key == AKIN_GPU_CODE);
        if (order)
            order[record] = record;
    }
    return status;
}

static akin_status gpu_invert(akin_device_stream *stream, const uint32_t *order, uint32_t count, uint32_t *places,
                              akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++)
        places[order[i]] = i;
    return status;
}

static akin_status gpu_lengths(akin_device_stream *stream, const akin_gpu_column *column, uint32_t first,
                               uint32_t count, uint32_t *lengths, uint32_t *order, akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        lengths[i] = column->shapes[first + i].length;
        order[i] = first + i;
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------ scoring */

/* What counts is the same in both of its units; values are short enough for doubles (unit/test_ratio.h). */
static void check_attributes(const akin_gpu_scoring *s)
{
    for (uint32_t k = 0; k < s->count; k++)
        must(s->attributes[k].least == (uint64_t)llround(value_of_ratio(s->attributes[k].cutoff.ratio) * 0x1p40));
}

static akin_status gpu_sample(akin_device_stream *stream, const akin_gpu_scoring *scoring, const uint32_t *pairs,
                              uint32_t count, uint32_t passed[AKIN_GPU_ATTRIBUTES], akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i += 64) /* of 64 one is enough here */
        for (uint32_t k = 0; k < scoring->count; k++)
            passed[k] += 64 * (uint32_t)akin_gpu_passes(scoring, k, pairs[2 * i], pairs[2 * i + 1]);
    return status;
}

static akin_status gpu_score(akin_device_stream *stream, const akin_gpu_scoring *scoring,
                             const akin_gpu_candidate *candidates, uint64_t count, uint32_t border,
                             akin_scored_pair *pairs, void *kept, akin_gpu_told *tally, akin_error *error)
{
    akin_status status = host_enter(error);
    check_attributes(scoring);
    for (uint64_t c = count; c-- > 0 && status == AKIN_OK;) {
        uint32_t compared = 0;
        akin_gpu_score_candidate(scoring, candidates[c], border, pairs, kept, tally, &compared);
        tally->compared += compared;
        host_dedupe.scored++;
    }
    host_dedupe.scores++;
    return status;
}

/* -------------------------------------------------------------------------------------------------------- lists */

static void list(const akin_gpu_screen *screen, uint32_t a, uint32_t b)
{
    unsigned long long to = screen->tally->candidates++;
    if (to < screen->room)
        screen->list[to] = (akin_gpu_candidate){a, b};
    host_dedupe.listed++;
}

/* A list of partners is in order, so that one can be looked up. */
static void check_list(const akin_gpu_selector *s, const akin_gpu_partners *p)
{
    for (uint64_t k = 1; s->form == AKIN_PAIRS_LISTED && k < p->count; k++)
        must(s->order[p->begin + k - 1] < s->order[p->begin + k]);
}

static akin_status gpu_screen_lists(akin_device_stream *stream, const akin_gpu_screen *screen, uint32_t first,
                                    uint32_t end, uint64_t from, uint64_t to, akin_error *error)
{
    const akin_gpu_selector *s = &screen->selectors[screen->at];
    akin_status status = host_enter(error);
    must(first < end && from <= to);
    for (uint32_t at = end; at-- > first && status == AKIN_OK;) {
        const akin_gpu_partners p = akin_gpu_partners_of(screen, s, at);
        check_list(s, &p);
        for (uint64_t k = from; k < p.count && k < to; k++) {
            const uint32_t other = akin_gpu_partner_at(s, &p, k);
            if (!akin_gpu_is_across(screen, p.record, other))
                continue;
            screen->tally->pairs++;
            if (akin_gpu_is_known(screen, p.record, other))
                continue;
            screen->tally->fresh++;
            if (akin_gpu_bound(&screen->scoring, p.record, other))
                list(screen, p.record, other);
        }
    }
    must(status != AKIN_OK || screen->tally->candidates <= screen->room);
    host_dedupe.lists++;
    return status;
}

/* ------------------------------------------------------------------------------------------------------- groups */

static akin_status gpu_group_records(akin_device_stream *stream, const akin_gpu_shape *shapes,
                                     const akin_gpu_grouped *grouped, akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint32_t i = grouped->count; i-- > 0 && status == AKIN_OK;)
        akin_gpu_group_record(shapes, grouped, i);
    return status;
}

/* The record at a place of a group: its length and its other facts are those that the group has. */
static uint32_t member(const akin_gpu_screen *screen, const akin_gpu_meeting *meeting, const akin_gpu_grouped *side,
                       const akin_gpu_group *group, uint32_t lane)
{
    uint32_t place = group->first + lane, record = side->order[place];
    const akin_gpu_shape *shape = &screen->scoring.attributes[meeting->driver].shapes[record];
    must(lane < group->filled && group->filled <= AKIN_GPU_GROUP && place < side->count);
    must(shape->length == group->length && side->heads[place] == shape->head);
    must(side->words[0][place] == shape->words[0] && side->words[1][place] == shape->words[1]);
    host_dedupe.longest = shape->length > host_dedupe.longest ? shape->length : host_dedupe.longest;
    return record;
}

/* Compares the bags of two members of groups, as far as half a bag goes, and looks closely at what passes. */
static void meet_pair(const akin_gpu_screen *screen, const akin_gpu_meeting *meeting, const akin_gpu_group *p,
                      uint32_t i, const akin_gpu_group *o, uint32_t j)
{
    const uint32_t own = p->first + i, place = o->first + j;
    const uint32_t a = member(screen, meeting, &meeting->probes, p, i);
    const uint32_t b = member(screen, meeting, &meeting->others, o, j);
    const uint32_t prefix = akin_gpu_prefix(meeting->probes.heads[own], meeting->others.heads[place]);
    const uint32_t apart =
        akin_gpu_halves_apart(akin_gpu_half_of(&meeting->probes, own), akin_gpu_half_of(&meeting->others, place));
    const int limit =
        akin_gpu_limit_of(screen, &screen->scoring.attributes[meeting->driver], p->length, o->length, prefix);
    screen->tally->met++;
    if ((int)apart > limit)
        return;
    screen->tally->near++;
    if (akin_gpu_passes_closely(screen, meeting, a, b))
        list(screen, a, b);
}

static void meet_group(const akin_gpu_screen *screen, const akin_gpu_meeting *meeting, uint32_t own, uint32_t other)
{
    const akin_gpu_group *p = &meeting->probes.groups[own], *o = &meeting->others.groups[other];
    const akin_gpu_attribute *driver = &screen->scoring.attributes[meeting->driver];
    const int same = meeting->same && own == other;
    if (akin_gpu_limit_of(screen, driver, p->length, o->length, AKIN_GPU_PREFIXES - 1) < 0)
        return;
    for (uint32_t i = 0; i < p->filled; i++)
        for (uint32_t j = o->filled; j-- > (same ? i + 1 : 0);)
            meet_pair(screen, meeting, p, i, o, j);
}

/* A group of probes meets the others of a launch, a chunk of them by each block; there are no blocks for those behind
 * the last chunk. */
static void meet_others(const akin_gpu_screen *screen, const akin_gpu_meeting *meeting, uint32_t own)
{
    uint32_t chunks = (meeting->widest + meeting->chunk - 1) / meeting->chunk;
    must(chunks <= 65535);
    for (uint32_t chunk = chunks; chunk-- > 0;) {
        const akin_gpu_met met = akin_gpu_met_by(meeting, own, chunk);
        for (uint64_t other = met.first; other < met.end; other++)
            meet_group(screen, meeting, own, (uint32_t)other);
    }
}

/* How a launch ends: HOST_STEADY, HOST_LATE or HOST_FULL. */
static host_mood end_of(const akin_gpu_meeting *meeting)
{
    uint32_t probes = meeting->probe_end - meeting->probe_first, others = meeting->other_end - meeting->other_first;
    host_mood mood = host_dedupe.mood;
    must((probes == 1 && others == 1) == (meeting->patience == 0)); /* what cannot be cut has all the time */
    if (mood == HOST_BY_JOB)
        mood = (host_mood)(HOST_STEADY + host_device.streams % 4); /* a job has one */
    if (mood == HOST_MOODY)
        mood = (meeting->probe_first + meeting->other_first + probes + others) % 3 ? HOST_STEADY
               : host_dedupe.meetings % 2                                          ? HOST_LATE
                                                                                   : HOST_FULL;
    return meeting->patience ? mood : HOST_STEADY;
}

static akin_status gpu_screen_groups(akin_device_stream *stream, const akin_gpu_screen *screen,
                                     const akin_gpu_meeting *meeting, akin_error *error)
{
    akin_status status = host_enter(error);
    must(meeting->probe_first < meeting->probe_end && meeting->probe_end <= meeting->probes.group_count);
    must(meeting->other_first < meeting->other_end && meeting->other_end <= meeting->others.group_count);
    if (status != AKIN_OK)
        return status;
    host_mood end = end_of(meeting);
    for (uint32_t own = meeting->probe_first; own < meeting->probe_end; own++)
        if (end != HOST_LATE || own % 2)
            meet_others(screen, meeting, own);
    screen->tally->late = end == HOST_LATE;
    screen->tally->candidates += end == HOST_FULL ? screen->room + 1 : 0;
    host_dedupe.cut += end != HOST_STEADY || screen->tally->candidates > screen->room;
    host_dedupe.meetings++;
    host_dedupe.drivers |= (uint64_t)1 << meeting->driver;
    return AKIN_OK;
}

const akin_dedupe_texts_kernels host_dedupe_texts_kernels = {gpu_measure, gpu_shape_texts, gpu_keys, gpu_invert,
                                                             gpu_lengths};

const akin_dedupe_screen_kernels host_dedupe_screen_kernels = {gpu_sample, gpu_screen_lists, gpu_group_records,
                                                               gpu_screen_groups};

const akin_dedupe_score_kernels host_dedupe_score_kernels = {gpu_score};
