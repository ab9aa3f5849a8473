/* Nearest strings by subsequences: slices of strings are compared with queries, and the best of a chunk of slices
 * verified. */
#include "search/nearest_subsequences.h"

#include "base/bits.h"

#include <string.h>

#define SAMPLE 8   /* slices of a sample, where there are 4 times as many */
#define BEST   64  /* strings of it that are verified, at least */
#define FULL   512 /* strings of a chunk that are listed until they are verified, at most, */
#define ENOUGH 32  /* and at least, where others are but one edit worse */
#define STEPS  8   /* by which bounds come near to the k-th distance */

enum { COLUMNS = AKIN_SLICE_COLUMNS, NONE = UINT8_MAX + 1 };

/* Strings side by side, of about one length. */
typedef struct slice {
    uint32_t first, count;
    uint64_t shortest, longest;
} slice;

typedef struct lengths {
    uint64_t shortest, longest;
} lengths;

/* Numbers the bytes that queries have; all other bytes have one number. */
static void number_query_kinds(const akin_nearest_round *r, akin_nearest_worker *w, uint32_t count)
{
    akin_slice_kinds_begin(&w->kinds, r->slices);
    for (uint32_t i = 0; i < count; i++) {
        const akin_symbols query = akin_nearest_query(r, w->first + i);
        akin_slice_kinds_add(&w->kinds, query.bytes, query.length, w->query_kinds + (size_t)i * AKIN_SLICE_LONGEST);
    }
}

/* Sets where the strings of a slice have bytes of each kind. */
static void set_slice_places(const akin_nearest_round *r, akin_nearest_worker *w, const slice *s)
{
    const uint64_t columns = akin_min_u64(s->longest, COLUMNS);
    akin_slice_begin(&w->kinds, w->places, columns);
    for (uint32_t i = 0; i < s->count; i++)
        akin_slice_put(&w->kinds, w->places, i, r->ordered->bytes + r->ordered->begins[s->first + i],
                       akin_min_u64(akin_ordered_length(r->ordered, s->first + i), columns));
}

/* The least number of bytes that strings within `most` edits have in common with a query, and in *out their lengths.
 * NONE: the slice has no string of these lengths. */
static uint32_t least_in_common(const slice *s, uint64_t length, uint64_t most, lengths *out)
{
    const uint64_t shortest = akin_max_u64(s->shortest, length - akin_min_u64(length, most));
    const uint64_t longest = akin_min_u64(s->longest, length + most), longer = akin_max_u64(length, shortest);
    if (shortest > longest)
        return NONE;
    *out = (lengths){shortest, longest};
    return (uint32_t)(longer - akin_min_u64(longer, most + longest - akin_min_u64(longest, COLUMNS)));
}

/* Where a worker has what a query and a slice of the chunk have in common. */
static uint64_t *common_of(const akin_nearest_worker *w, uint32_t i, uint32_t slice)
{
    return w->common + ((size_t)i * w->round->chunk + slice) * AKIN_SLICE_COUNTS * (w->round->slices->strings / 64);
}

/* Compares a slice with those queries that may be near enough. */
static void compare_slice(const akin_nearest_round *r, akin_nearest_worker *w, uint32_t count, const slice *s,
                          uint32_t at)
{
    akin_slice_job job = {.places = w->places,
                          .rows = w->rows,
                          .columns = (uint32_t)akin_min_u64(s->longest, COLUMNS),
                          .kinds = w->kinds.count};
    for (uint32_t i = 0, is_set = 0; i < count; i++) {
        const uint64_t length = akin_nearest_query(r, w->first + i).length;
        const uint64_t most = akin_min_u64(akin_nearest_most(&w->tops[i]), akin_max_u64(length, s->longest));
        lengths any;
        if (least_in_common(s, length, most, &any) == NONE)
            continue;
        if (!is_set++)
            set_slice_places(r, w, s);
        job.query = w->query_kinds + (size_t)i * AKIN_SLICE_LONGEST;
        job.length = (uint32_t)length;
        job.low = -(int64_t)((most + any.longest - length) / 2);
        job.high = (int64_t)((most + length - any.shortest) / 2);
        job.common = common_of(w, i, at);
        r->slices->subsequences(&job);
    }
}

/* Verifies the strings that are listed for a query. */
static akin_status verify_listed(akin_nearest_worker *w, uint32_t i, uint32_t *held)
{
    const akin_symbols query = akin_nearest_query(w->round, w->first + i);
    const akin_status status = akin_nearest_add(w, &query, w->keys, *held, &w->tops[i]);
    *held = 0;
    return status;
}

/* How much string `at` of a slice has in common, of what was counted. */
static uint64_t common_at(const uint64_t *common, uint32_t words, uint32_t at)
{
    uint64_t count = 0;
    for (uint32_t bit = 0; bit < AKIN_SLICE_COUNTS; bit++)
        count |= (common[bit * words + at / 64] >> at % 64 & 1) << bit;
    return count;
}

/* Lists strings of a slice that a query has `least` bytes in common with, and fewer than `before`, as far as they are
 * wanted. */
static void list_strings(akin_nearest_worker *w, uint32_t i, const slice *s, const uint64_t *common, uint32_t least,
                         uint32_t before, uint32_t *held)
{
    const akin_ordered *ordered = w->round->ordered;
    const uint32_t words = w->round->slices->strings / 64;
    const uint64_t own = akin_nearest_query(w->round, w->first + i).length;
    uint64_t found[AKIN_SLICE_STRINGS / 64];
    if (!w->round->slices->find(common, least, before, found))
        return;
    for (uint32_t word = 0; word * 64 < s->count; word++) {
        const uint32_t left = s->count - word * 64;
        for (uint64_t set = left < 64 ? found[word] & (((uint64_t)1 << left) - 1) : found[word]; set; set &= set - 1) {
            const uint32_t at = word * 64 + (uint32_t)__builtin_ctzll(set);
            const uint64_t length =
                s->shortest == s->longest ? s->longest : akin_ordered_length(ordered, s->first + at);
            const uint64_t counted = before == least + 1 ? least : common_at(common, words, at);
            const uint64_t kept = counted + length - akin_min_u64(length, COLUMNS);
            w->keys[*held] = akin_nearest_key((uint32_t)(akin_max_u64(length, own) - kept), s->first + at);
            *held += (uint32_t)akin_nearest_is_wanted(ordered, &w->tops[i], w->keys[*held]);
        }
    }
}

/* Verifies strings of a chunk, the best first: bound after bound, as long as strings may have it that are not too long
 * for places, and then all others. Of a sample only the best are. */
static akin_status verify_chunk(const akin_nearest_round *r, akin_nearest_worker *w, uint32_t i, const slice *slices,
                                uint32_t count, int is_sample)
{
    const akin_top *top = &w->tops[i];
    const uint64_t length = akin_nearest_query(r, w->first + i).length, longest = AKIN_NEAREST_ANY;
    const uint32_t enough = is_sample ? akin_max_u32(BEST, r->k) : ENOUGH;
    uint64_t most = akin_nearest_most(top), bound = most < STEPS || most == longest ? 0 : most - STEPS, last = bound;
    uint32_t held = 0;
    akin_status status = AKIN_OK;
    for (int is_first = 1; bound <= most && status == AKIN_OK; is_first = 0) {
        for (uint32_t at = 0; at < count && status == AKIN_OK; at++) {
            lengths any;
            const uint32_t least = least_in_common(&slices[at], length, bound, &any);
            const uint32_t before = is_first ? NONE : least_in_common(&slices[at], length, last, &any);
            if (least < before)
                list_strings(w, i, &slices[at], common_of(w, i, at), least, before, &held);
            if (held >= FULL && !is_sample)
                status = verify_listed(w, i, &held);
        }
        if (held >= enough && status == AKIN_OK) {
            status = verify_listed(w, i, &held);
            most = is_sample ? 0 : akin_nearest_most(top);
        }
        last = bound;
        bound = bound < COLUMNS || bound >= most ? bound + 1 : most;
    }
    return status == AKIN_OK ? verify_listed(w, i, &held) : status;
}

/* Cuts the strings of a unit into slices; how many. */
static uint32_t cut_slices(const akin_nearest_round *r, uint32_t unit, slice *slices)
{
    const uint64_t begin = (uint64_t)unit * AKIN_UNIT_STRINGS;
    const uint64_t end = akin_min_u64(begin + AKIN_UNIT_STRINGS, r->ordered->count);
    uint32_t count = 0;
    for (uint64_t at = begin; at < end; at += r->slices->strings) {
        slice *s = &slices[count++];
        s->first = (uint32_t)at;
        s->count = (uint32_t)akin_min_u64(end - at, r->slices->strings);
        s->shortest = akin_ordered_length(r->ordered, s->first);
        s->longest = akin_ordered_length(r->ordered, s->first + s->count - 1);
    }
    return count;
}

/* Holds queries against one chunk of strings after the other, or against a sample. */
static akin_status scan_chunks(const akin_nearest_round *r, akin_nearest_worker *w, uint32_t count, uint32_t span,
                               int is_sample)
{
    const uint32_t middle = akin_nearest_middle(r, w->first, count), units = akin_nearest_units(r);
    const uint32_t of_unit = AKIN_UNIT_STRINGS / r->slices->strings, room = is_sample ? SAMPLE : r->chunk;
    slice slices[AKIN_CHUNK_SLICES];
    akin_status status = AKIN_OK;
    for (uint64_t step = span; step < units && status == AKIN_OK;) {
        uint32_t held = 0;
        for (; step < units && held + of_unit <= room; step += r->spans) {
            const uint32_t cuts = cut_slices(r, akin_nearest_unit(r, middle, (uint32_t)step), slices + held);
            if (!akin_nearest_goes_on(w))
                return AKIN_E_CANCELLED;
            for (const uint32_t end = held + cuts; held < end; held++)
                compare_slice(r, w, count, &slices[held], held);
        }
        for (uint32_t i = 0; i < count && status == AKIN_OK; i++)
            status = verify_chunk(r, w, i, slices, held, is_sample);
        if (is_sample)
            break;
    }
    return status;
}

/* Compares queries with all strings. Where there are many strings, it compares a sample first, and the k-th distance
 * there bounds the rest. */
static akin_status scan_task(const akin_nearest_round *r, akin_nearest_worker *w, uint32_t count, uint32_t span)
{
    number_query_kinds(r, w, count);
    if (r->ordered->count / r->spans / r->slices->strings >= 4 * SAMPLE) {
        const akin_status status = scan_chunks(r, w, count, span, 1);
        if (status != AKIN_OK)
            return status;
        for (uint32_t i = 0; i < count; i++) {
            akin_top_cut(&w->tops[i]);
            akin_top_reset(&w->tops[i], w->tops[i].least);
        }
    }
    return scan_chunks(r, w, count, span, 0);
}

/* A query that is too long for that: all strings whose lengths permit it are verified. */
static akin_status scan_long_query(const akin_nearest_round *r, akin_nearest_worker *w, uint32_t span)
{
    const akin_symbols query = akin_nearest_query(r, w->first);
    const uint32_t middle = akin_nearest_middle(r, w->first, 1), units = akin_nearest_units(r);
    akin_status status = AKIN_OK;
    for (uint64_t step = span; step < units && status == AKIN_OK; step += r->spans) {
        const uint64_t first = (uint64_t)akin_nearest_unit(r, middle, (uint32_t)step) * AKIN_UNIT_STRINGS;
        const uint64_t end = akin_min_u64(first + AKIN_UNIT_STRINGS, r->ordered->count);
        for (uint64_t i = first; i < end; i++) {
            const uint32_t length = (uint32_t)akin_ordered_length(r->ordered, (uint32_t)i);
            const uint32_t bound = length > query.length ? length - query.length : query.length - length;
            w->scratch[i - first] = akin_nearest_key(bound, (uint32_t)i);
        }
        status = akin_nearest_add(w, &query, w->scratch, end - first, &w->tops[0]);
    }
    return status;
}

akin_status akin_nearest_by_subsequences(const akin_nearest_round *round, akin_nearest_worker *worker, uint64_t task)
{
    const uint32_t span = (uint32_t)(task % round->spans), group = (uint32_t)(task / round->spans);
    const int is_long = group >= round->parts[0].tasks;
    const akin_nearest_part *part = &round->parts[is_long];
    worker->first = part->first + (is_long ? group - round->parts[0].tasks : group) * part->each;
    const uint32_t count = (uint32_t)akin_min_u64(part->each, part->end - worker->first);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t most = AKIN_NEAREST_ANY;
        for (uint32_t j = 0; j < round->spans; j++)
            most = (uint32_t)akin_min_u64(most, round->most[akin_nearest_slot(round, worker->first + i, j)]);
        akin_top_reset(&worker->tops[i], akin_nearest_count(most));
    }
    const akin_status status = is_long ? scan_long_query(round, worker, span) : scan_task(round, worker, count, span);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++)
        akin_nearest_keep(round, akin_nearest_slot(round, worker->first + i, span), &worker->tops[i]);
    return status;
}
