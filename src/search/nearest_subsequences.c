/* Nearest strings by subsequences: queries in lanes, and what is listed for each of them. */
#include "search/nearest_round.h"

#include "base/bits.h"

#include <string.h>

#define STEP   512 /* strings that are listed until the best of them are verified, */
#define BEST   64  /* these at least, and all of the first ones */
#define DEPTHS 32  /* that are told apart, below what is too far */

/* How far a bound is below what is too far. */
static uint32_t depth_of(uint64_t key, uint32_t too_far)
{
    const uint32_t bound = akin_nearest_bound(key), depth = bound < too_far ? too_far - bound : 0;
    return depth < DEPTHS ? depth : DEPTHS - 1;
}

/* Puts the best of some keys first, about as many as are wanted; how many. */
static uint32_t best_first(uint64_t *keys, uint64_t *scratch, uint32_t count, uint32_t wanted, uint32_t too_far)
{
    uint32_t held[DEPTHS] = {0}, depth = DEPTHS - 1, best = 0, others = 0;
    for (uint32_t i = 0; i < count; i++)
        held[depth_of(keys[i], too_far)]++;
    for (uint32_t all = held[depth]; depth > 0 && all < wanted;)
        all += held[--depth];
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t key = keys[i];
        const uint32_t is_best = depth_of(key, too_far) >= depth;
        keys[best] = scratch[others] = key;
        best += is_best;
        others += !is_best;
    }
    memcpy(keys + best, scratch, others * sizeof *keys);
    return best;
}

/* Verifies the best of those that were listed since. */
static akin_status add_best(akin_nearest_worker *w, const akin_symbols *query, uint32_t lane)
{
    akin_nearest_list *list = &w->lists[lane];
    uint64_t *keys = list->keys + w->seen[lane];
    const uint32_t fresh = list->held - w->seen[lane], wanted = akin_max_u32(BEST, w->round->k);
    const uint32_t best = best_first(keys, w->scratch, fresh, wanted, list->too_far);
    const akin_status status = akin_nearest_add(w, query, keys, best, &w->tops[lane]);
    memmove(keys, keys + best, (size_t)(fresh - best) * sizeof *keys);
    list->held -= best;
    return status;
}

/* Leaves what is still wanted. */
static void sift(akin_nearest_list *list)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < list->held; i++) {
        list->keys[left] = list->keys[i];
        left += akin_nearest_bound(list->keys[i]) < list->too_far;
    }
    list->held = left;
}

static int stop(void *user, uint32_t lane)
{
    akin_nearest_worker *w = user;
    akin_nearest_list *list = &w->lists[lane];
    const akin_symbols query = akin_nearest_query(w->round, w->first + lane);
    w->status = add_best(w, &query, lane);
    list->too_far = akin_nearest_most(&w->tops[lane]) + 1;
    if (list->held + STEP > w->room)
        sift(list);
    if (list->held > w->room - w->room / 8 && w->status == AKIN_OK) {
        w->status = akin_nearest_add(w, &query, list->keys, list->held, &w->tops[lane]);
        list->too_far = akin_nearest_most(&w->tops[lane]) + 1;
        list->held = 0;
    }
    w->seen[lane] = list->held;
    list->stop = list->held + STEP;
    return w->status == AKIN_OK;
}

/* Sets where the bytes of queries stand; lanes have a word of 32 bits, or one or two of 64. */
static void set_places(const akin_nearest_round *r, akin_nearest_worker *w, uint32_t width, uint32_t count)
{
    const uint32_t lanes = r->level->lanes[width], words = width == AKIN_NEAREST_128 ? 2 : 1;
    uint32_t *narrow = (uint32_t *)(void *)w->places;
    memset(w->places, 0, AKIN_NEAREST_PLACES);
    for (uint32_t i = 0; i < count; i++) {
        const akin_symbols query = akin_nearest_query(r, w->first + i);
        for (uint32_t at = 0; at < query.length; at++)
            if (width == AKIN_NEAREST_32)
                narrow[(size_t)query.bytes[at] * lanes + i] |= (uint32_t)1 << at;
            else
                w->places[((size_t)query.bytes[at] * words + at / 64) * lanes + i] |= (uint64_t)1 << at % 64;
    }
}

static akin_status scan_lanes(const akin_nearest_round *r, akin_nearest_worker *w, uint32_t width, uint32_t count,
                              uint32_t begin, uint32_t end)
{
    akin_subsequence_job job = {.sequences = r->sequences,
                                .first = begin,
                                .end = end,
                                .places = w->places,
                                .columns = w->columns,
                                .lists = w->lists,
                                .stop = stop,
                                .user = w};
    set_places(r, w, width, count);
    akin_nearest_empty(w, r->level->lanes[width]);
    for (uint32_t i = 0; i < r->level->lanes[width]; i++) {
        job.lengths[i] = i < count ? akin_nearest_query(r, w->first + i).length : UINT32_MAX;
        if (i >= count)
            continue;
        w->lists[i].too_far = akin_nearest_most(&w->tops[i]) + 1;
        w->lists[i].stop = w->lists[i].too_far > AKIN_NEAREST_ANY ? BEST : STEP;
    }
    if (!r->level->subsequences[width](&job))
        return w->status;
    for (uint32_t i = 0; i < count; i++) {
        const akin_symbols query = akin_nearest_query(r, w->first + i);
        w->lists[i].too_far = akin_nearest_most(&w->tops[i]) + 1;
        sift(&w->lists[i]);
        const akin_status status = akin_nearest_add(w, &query, w->lists[i].keys, w->lists[i].held, &w->tops[i]);
        if (status != AKIN_OK)
            return status;
    }
    return AKIN_OK;
}

/* A query that is too long for a lane: all strings whose lengths permit it are verified. */
static akin_status scan_one(const akin_nearest_round *r, akin_nearest_worker *w, uint32_t begin, uint32_t end)
{
    const akin_symbols query = akin_nearest_query(r, w->first);
    akin_status status = AKIN_OK;
    uint32_t held = 0;
    for (uint32_t i = begin; i < end && status == AKIN_OK; i++) {
        const uint32_t length = (uint32_t)(r->sequences->begins[i + UINT64_C(1)] - r->sequences->begins[i]);
        const uint32_t bound = length > query.length ? length - query.length : query.length - length;
        w->scratch[held++] = akin_nearest_key(bound, i);
        if (held < BEST && i + 1 < end)
            continue;
        status = akin_nearest_add(w, &query, w->scratch, held, &w->tops[0]);
        held = 0;
    }
    return status;
}

akin_status akin_nearest_by_subsequences(const akin_nearest_round *round, akin_nearest_worker *worker, uint64_t task)
{
    const uint32_t span = (uint32_t)(task % round->spans);
    const uint32_t begin = akin_nearest_begin(round, span) * AKIN_SEQUENCES_BLOCK;
    const uint64_t next = (uint64_t)akin_nearest_begin(round, span + UINT64_C(1)) * AKIN_SEQUENCES_BLOCK;
    const uint32_t end = (uint32_t)akin_min_u64(next, round->sequences->count);
    uint32_t width = 0, group = (uint32_t)(task / round->spans);
    for (; group >= round->parts[width].tasks; width++)
        group -= round->parts[width].tasks;
    const akin_nearest_part *part = &round->parts[width];
    worker->first = part->first + group * part->each;
    const uint32_t count = (uint32_t)akin_min_u64(part->each, part->end - worker->first);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t most = AKIN_NEAREST_ANY;
        for (uint32_t j = 0; j < round->spans; j++)
            most = (uint32_t)akin_min_u64(most, round->most[akin_nearest_slot(round, worker->first + i, j)]);
        akin_top_reset(&worker->tops[i], akin_nearest_count(most));
    }
    const akin_status status = width < AKIN_NEAREST_WIDTHS ? scan_lanes(round, worker, width, count, begin, end)
                                                           : scan_one(round, worker, begin, end);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++)
        akin_nearest_keep(round, akin_nearest_slot(round, worker->first + i, span), &worker->tops[i]);
    return status;
}
