/* What the rounds share: lists of strings, what is verified of them, and what is kept of it. */
#include "search/nearest_round.h"

#include <string.h>

enum { BATCH = AKIN_VERIFY_MOST };

void akin_nearest_empty(akin_nearest_worker *worker, uint32_t lists)
{
    worker->room = AKIN_LIST_KEYS / lists;
    for (uint32_t i = 0; i < lists; i++) {
        worker->lists[i].keys = worker->keys + (uint64_t)i * worker->room;
        worker->lists[i].held = 0;
    }
}

/* The unit with the first string that is as long as the middle one of some queries, which are in the order of their
 * lengths. */
uint32_t akin_nearest_middle(const akin_nearest_round *round, uint32_t first, uint32_t count)
{
    const uint32_t length = akin_nearest_query(round, first + count / 2).length, units = akin_nearest_units(round);
    uint32_t low = 0, high = units;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (akin_ordered_length(round->ordered, middle * AKIN_UNIT_STRINGS) < length)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int akin_nearest_goes_on(const akin_nearest_worker *worker)
{
    return worker->verifier.pattern.go_on(worker->verifier.pattern.user);
}

/* Verifies strings, which become sorted otherwise, and adds them to `top` if they are near enough. */
static akin_status add_verified(akin_nearest_worker *w, const akin_symbols *query, uint32_t *strings, uint32_t count,
                                akin_top *top)
{
    const akin_ordered *s = w->round->ordered;
    uint32_t distances[BATCH], added = 0;
    if (!akin_nearest_goes_on(w))
        return AKIN_E_CANCELLED;
    const akin_status status = akin_verify(&w->verifier, s, query, strings, count, akin_nearest_most(top), distances);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        if (distances[i] > akin_nearest_most(top))
            continue;
        akin_top_add(top, akin_nearest_count(distances[i]), s->rows[strings[i]]);
        added++;
    }
    if (added > 0)
        akin_top_cut_some(top);
    return status;
}

/* Prefetches what the verification of a key's string reads: where the string begins, or its bytes. */
static void prefetch_string(const akin_ordered *s, const uint64_t *keys, uint64_t count, uint64_t i, int is_bytes)
{
    if (i >= count)
        return;
    const uint64_t *begin = &s->begins[(uint32_t)keys[i]];
    if (is_bytes) {
        __builtin_prefetch(s->bytes + *begin);
        __builtin_prefetch(s->bytes + *begin + 63);
    } else
        __builtin_prefetch(begin);
}

akin_status akin_nearest_add(akin_nearest_worker *worker, const akin_symbols *query, const uint64_t *keys,
                             uint64_t count, akin_top *top)
{
    const akin_ordered *s = worker->round->ordered;
    akin_status status = AKIN_OK;
    uint32_t strings[BATCH], held = 0;
    for (uint64_t i = 0; i < count && status == AKIN_OK; i++) {
        prefetch_string(s, keys, count, i + 2 * BATCH, 0);
        prefetch_string(s, keys, count, i + BATCH, 1);
        strings[held] = (uint32_t)keys[i];
        held += (uint32_t)akin_nearest_is_wanted(s, top, keys[i]);
        if (held == BATCH || (held > 0 && i + 1 == count)) {
            status = add_verified(worker, query, strings, held, top);
            held = 0;
        }
    }
    return status;
}

void akin_nearest_keep(const akin_nearest_round *round, uint64_t slot, akin_top *top)
{
    akin_top_finish(top);
    memcpy(round->keys + slot * round->k, top->keys, (size_t)top->held * sizeof *top->keys);
    round->found[slot] = (uint32_t)top->held;
}
