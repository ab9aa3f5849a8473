/*
 * The best partners of a set by counts: the tokens that it shares with others are counted, range by range of their
 * sizes, and a threshold rises while partners are found.
 *
 *     smaller  | range 2 |  range 0, of the size of the probe  | range 1 |  larger
 *
 * The first range is counted whole, and the sets with most common tokens are taken first. So there is a threshold for
 * all others: the worst of the k best so far. Each further range is done in the cheaper of two ways. It is counted
 * whole, by lists and bitmaps of all tokens of the probe. Or it is counted by the rarest tokens of the probe only, in
 * such a number that every partner must have one of them; the sets that these meet are verified. A side is done when no
 * size further out can reach the threshold.
 */
#include "base/bits.h"
#include "join/marks.h"
#include "join/top.h"

#define SOME 512 /* sets among which one threshold decides which are good enough */

static akin_status build_counted(akin_top *top, akin_error *error)
{
    return akin_overlaps_build(top->scope, top->account, top->indexed, &top->overlaps, error);
}

static void clear_counted(akin_top *top)
{
    akin_overlaps_clear(&top->overlaps);
}

static int begin_counted(const akin_top *top, akin_top_prober *prober)
{
    return akin_overlaps_begin(&prober->counter, top->account, &top->overlaps, akin_ranked_largest(top->probes));
}

static void end_counted(akin_top_prober *prober)
{
    akin_overlaps_end(&prober->counter);
}

/* Takes the k sets that share most tokens, and all sets that tie with the last of them, but none that shares less than
 * `need`. The k best of them are a first threshold. Returns whether no other set shares at least `need`. */
static int take_seeds(akin_top_probe *p, uint32_t first, uint32_t end, uint32_t need)
{
    akin_overlap_counter *counter = &p->worker->counter;
    uint32_t least = need, most = p->size;
    while (least < most) {
        const uint32_t middle = least + (most - least + 1) / 2;
        if (akin_overlaps_find(counter, first, end, middle) > p->all->k) /* the probe itself may be one */
            least = middle;
        else
            most = middle - 1;
    }
    const uint32_t found = akin_overlaps_find(counter, first, end, least);
    for (uint32_t i = 0; i < found; i++) {
        const uint32_t set = first + counter->found[i];
        akin_top_offer(p, set, akin_ranked_size(p->all->indexed, set), akin_overlaps_of(counter, set));
        akin_overlaps_drop(counter, set);
    }
    return least == need;
}

/* Counts all tokens of the probe, and takes the sets that share enough. A larger set needs no less. */
static void count_range(akin_top_probe *p, uint32_t first, uint32_t end)
{
    const akin_ranked *indexed = p->all->indexed;
    akin_overlap_counter *counter = &p->worker->counter;
    const uint32_t need =
        (uint32_t)akin_top_need(p, akin_ranked_size(indexed, first)); /* at most all: see search_range */
    akin_overlaps_count(counter);
    const int is_done = !p->is_full && take_seeds(p, first, end, need);
    for (uint32_t set = is_done ? end : first, stop; set < end; set = stop) {
        stop = (uint32_t)akin_min_u64(end, (uint64_t)set + SOME);
        const uint32_t found = akin_overlaps_find(counter, set, stop, akin_top_need(p, akin_ranked_size(indexed, set)));
        for (uint32_t i = 0; i < found; i++) {
            const uint32_t at = set + counter->found[i];
            akin_top_offer(p, at, akin_ranked_size(indexed, at), akin_overlaps_of(counter, at));
        }
    }
    akin_overlaps_reset(counter);
}

/* Meets the sets that have one of the `some` rarest tokens of the probe, and verifies those that can share enough. */
static void meet_counted_range(akin_top_probe *p, uint32_t some)
{
    const akin_ranked *indexed = p->all->indexed;
    akin_overlap_counter *counter = &p->worker->counter;
    uint32_t needed_by = 0; /* sets of this size share so much, at least, as the threshold was when the size was met */
    uint64_t need = 0;
    akin_top_set_marks(p);
    const uint32_t met = akin_overlaps_meet(counter, some);
    for (uint32_t i = 0; i < met; i++) {
        const uint32_t place = counter->found[i], set = counter->first + place, size = akin_ranked_size(indexed, set);
        const uint64_t most = akin_min_u64(size, (uint64_t)counter->bytes[place] + p->size - some);
        counter->bytes[place] = 0;
        if (size != needed_by) {
            needed_by = size;
            need = akin_top_need(p, size);
        }
        if (most < need || ((uint64_t)p->size + size - akin_top_apart(p, set, 0)) / 2 < need ||
            akin_top_is_out(p, most, size, set))
            continue;
        const uint32_t *tokens = indexed->tokens + indexed->offsets[set];
        akin_top_offer(p, set, size, akin_count_marked(p->worker->marks, tokens, size, need));
    }
}

/* Whether it is less work to meet sets by the `some` rarest tokens of the probe than to count all of a range of `sets`
 * sets. */
static int is_worth_meeting(const akin_top_probe *p, uint32_t some, uint32_t sets)
{
    akin_overlap_counter *counter = &p->worker->counter;
    if (some > counter->listed || some > UINT8_MAX)
        return 0;
    const uint64_t met = akin_overlaps_postings(counter, some) * AKIN_TOP_VERIFIED;
    const uint64_t swept = (uint64_t)(p->size - counter->listed) * sets / AKIN_TOP_SWEPT + sets / AKIN_TOP_FOUND;
    return met < swept || met < swept + akin_overlaps_postings(counter, counter->listed);
}

/* Looks for partners among some sets, a range. Returns whether sets of these sizes can be any. */
static int search_range(akin_top_probe *p, uint32_t first, uint32_t end)
{
    const akin_ranked *indexed = p->all->indexed;
    akin_overlap_counter *counter = &p->worker->counter;
    const uint64_t smallest = akin_threshold_smallest(&p->bar, p->size),
                   largest = akin_threshold_largest(&p->bar, p->size);
    if (smallest > largest)
        return 0;
    first = akin_max_u32(first, akin_ranked_first(indexed, smallest));
    end = (uint32_t)akin_min_u64(end, akin_ranked_first(indexed, largest + 1));
    if (first >= end)
        return 0;
    const uint64_t need = akin_top_need(p, akin_ranked_size(indexed, first));
    if (need > p->size)
        return 1;
    akin_overlaps_take(counter, p->tokens, p->size, first / AKIN_SWEEP_PLACES * AKIN_SWEEP_PLACES, end);
    if (is_worth_meeting(p, p->size - (uint32_t)need + 1, end - first))
        meet_counted_range(p, p->size - (uint32_t)need + 1);
    else
        count_range(p, first, end);
    return 1;
}

/* Looks for partners among the sets of the part at hand. */
static void search_counted(akin_top_probe *p)
{
    const uint32_t sets = p->all->indexed->count;
    const uint32_t ranges = (uint32_t)akin_ceil_div(sets, AKIN_OVERLAPS_RANGE);
    uint32_t low = akin_ranked_first(p->all->indexed, p->size) / AKIN_OVERLAPS_RANGE, high = low;
    int upwards = high < ranges;
    while (low > 0 || high < ranges) {
        const uint32_t range = upwards ? high : low - 1, first = range * AKIN_OVERLAPS_RANGE;
        const uint32_t end = (uint32_t)akin_min_u64((uint64_t)first + AKIN_OVERLAPS_RANGE, sets);
        const int any = search_range(p, first, end);
        if (upwards)
            high = any ? high + 1 : ranges;
        else
            low = any ? low - 1 : 0;
        upwards = high < ranges && (!upwards || low == 0);
    }
}

const akin_top_way akin_top_counted = {build_counted, clear_counted, begin_counted, end_counted, search_counted};
