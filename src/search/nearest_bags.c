/* Nearest strings by bags: what is listed for each query, and whether that settles it. */
#include "search/nearest_bags.h"

#include "base/bits.h"
#include "base/sort.h"

#include <string.h>

enum { QUERIES = AKIN_NEAREST_QUERIES, KINDS = AKIN_ORDERED_KINDS, SETS = AKIN_BAGS_QUERIES / QUERIES };
enum { UNIT = AKIN_UNIT_STRINGS / AKIN_ORDERED_BLOCK };

/* Leaves the best half of a list, without those whose bound others have that go: all that is below `too_far` is
 * listed. */
static int halve_list(void *user, uint32_t i)
{
    akin_nearest_worker *w = user;
    akin_nearest_list *list = &w->lists[w->set * QUERIES + i];
    akin_radix_sort_upper_u64(list->keys, w->scratch, list->held, 32);
    list->too_far = akin_nearest_bound(list->keys[list->held / 2]);
    list->held = (uint32_t)akin_lower_bound_u64(list->keys, list->held, akin_nearest_key(list->too_far, 0));
    return 1;
}

/* Sets the counts of 8 queries, or fewer: of each kind a register, of all the same. */
static void set_counts(const akin_nearest_round *r, uint32_t first, uint8_t *counts, akin_bags_job *job)
{
    uint8_t of[KINDS][QUERIES] = {{0}};
    for (uint32_t i = 0; i < job->queries; i++) {
        const akin_symbols query = akin_nearest_query(r, first + i);
        job->lengths[i] = (uint8_t)query.length;
        for (uint32_t at = 0; at < query.length; at++)
            of[r->ordered->kinds[query.bytes[at]]][i]++;
    }
    for (uint32_t i = 0; i < KINDS * QUERIES; i++)
        memset(counts + (size_t)i * AKIN_ORDERED_BLOCK, of[i / QUERIES][i % QUERIES], AKIN_ORDERED_BLOCK);
    job->counts = counts;
}

static akin_status list_span_by_bags(const akin_nearest_round *r, akin_nearest_worker *w, uint32_t count, uint32_t span)
{
    akin_bags_job jobs[SETS] = {{0}};
    const uint32_t sets = (uint32_t)akin_ceil_div(count, QUERIES);
    for (uint32_t i = 0; i < sets; i++) {
        jobs[i] = (akin_bags_job){.ordered = r->ordered,
                                  .queries = (uint32_t)akin_min_u64(QUERIES, count - i * QUERIES),
                                  .lists = w->lists + i * QUERIES,
                                  .stop = halve_list,
                                  .user = w};
        set_counts(r, w->first + i * QUERIES, w->counts + (size_t)i * KINDS * QUERIES * AKIN_ORDERED_BLOCK, &jobs[i]);
    }
    const uint32_t middle = akin_nearest_middle(r, w->first, count), units = akin_nearest_units(r);
    for (uint64_t step = span; step < units; step += r->spans) {
        const uint32_t at = akin_nearest_unit(r, middle, (uint32_t)step) * UNIT;
        if (!akin_nearest_goes_on(w))
            return AKIN_E_CANCELLED;
        for (w->set = 0; w->set < sets; w->set++) {
            jobs[w->set].first = at;
            jobs[w->set].end = (uint32_t)akin_min_u64(at + UNIT, akin_ordered_blocks(r->ordered));
            r->screen(&jobs[w->set]);
        }
    }
    return AKIN_OK;
}

akin_status akin_nearest_by_bags(const akin_nearest_round *round, akin_nearest_worker *worker, uint64_t task)
{
    const akin_nearest_part *part = &round->parts[0];
    const uint32_t span = (uint32_t)(task % round->spans);
    akin_top *top = &worker->tops[0];
    worker->first = part->first + (uint32_t)(task / round->spans) * part->each;
    const uint32_t count = (uint32_t)akin_min_u64(part->each, part->end - worker->first);
    akin_nearest_empty(worker, AKIN_BAGS_QUERIES);
    for (uint32_t i = 0; i < count; i++) {
        worker->lists[i].stop = 2 * round->kept;
        worker->lists[i].too_far = AKIN_NEAREST_ANY + 1;
    }
    akin_status status = list_span_by_bags(round, worker, count, span);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        const akin_nearest_list *list = &worker->lists[i];
        const akin_symbols query = akin_nearest_query(round, worker->first + i);
        const uint64_t slot = akin_nearest_slot(round, worker->first + i, span);
        akin_top_reset(top, akin_nearest_count(AKIN_NEAREST_ANY));
        akin_radix_sort_upper_u64(list->keys, worker->scratch, list->held, 32);
        status = akin_nearest_add(worker, &query, list->keys, list->held, top);
        if (status != AKIN_OK)
            return status;
        round->most[slot] = akin_nearest_most(top);
        round->is_open[slot] = round->most[slot] >= list->too_far;
        if (!round->is_open[slot])
            akin_nearest_keep(round, slot, top);
    }
    return status;
}
