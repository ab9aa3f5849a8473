/* Match counts by inverted lists: the portable search for what counts enough, the choice of one, and queries range by
 * range. */
#include "search/tally.h"

#include <string.h>

/* ----------------------------------------------------------------------------------------------------------- sweeps */

static void find_plainly(const akin_tally_job *job, uint32_t first)
{
    job->sweep->add(job->counters, AKIN_RANGE, job->bits + first, job->bit_count - first);
    for (uint32_t i = 0; i < AKIN_RANGE; i += 8) {
        if (akin_load_word((const char *)job->counters + i) == 0)
            continue;
        for (uint32_t j = i; j < i + 8 && j < job->count; j++)
            if (job->counters[j] >= job->top->least)
                akin_top_add(job->top, job->counters[j], job->first + j);
    }
}

akin_tally_find akin_tally_find_choose(akin_cpu cpu)
{
    static const akin_tally_find by_level[] =
        AKIN_CPU_ROW(find_plainly, akin_tally_find_neon, akin_tally_find_avx2, akin_tally_find_avx512);
    return by_level[cpu];
}

/* Adds the bitmaps of a range, and finds what counts enough; counters are zeros afterwards. */
static void sweep_range(akin_tally *tally, uint32_t range, akin_top *top)
{
    const akin_tally_job job = {tally->sweep,
                                tally->counters,
                                tally->bits,
                                (uint32_t)tally->bit_count,
                                range * AKIN_RANGE,
                                akin_objects_of_range(tally->objects, range),
                                top};
    tally->find(&job, job.sweep->add_groups(job.counters, AKIN_RANGE, job.bits, job.bit_count));
    memset(job.counters, 0, AKIN_RANGE);
}

/* ---------------------------------------------------------------------------------------------------------- queries */

int akin_tally_begin(akin_tally *tally, const akin_objects *objects, akin_cpu cpu)
{
    *tally = (akin_tally){.objects = objects, .sweep = akin_sweep_choose(cpu), .find = akin_tally_find_choose(cpu)};
    tally->counters = akin_alloc_zero(NULL, AKIN_TALLY_COUNTERS, sizeof *tally->counters);
    return tally->counters != NULL;
}

void akin_tally_clear(akin_tally *tally)
{
    akin_free(tally->counters);
    akin_free(tally->wide);
    akin_free(tally->lists);
    akin_free(tally->bits);
    *tally = (akin_tally){0};
}

/* Lists the keywords of a query that are in ranges `first` to `end` - 1. */
static akin_status gather_keywords(akin_tally *tally, const akin_query_item *items, uint64_t count, uint32_t first,
                                   uint32_t end)
{
    const akin_objects *o = tally->objects;
    tally->list_count = 0;
    for (uint64_t i = 0; i < count; i++)
        for (uint64_t k = items[i].first; k <= items[i].last; k++) {
            const akin_segment *at = o->segments + o->lists[k].segment, *stop = o->segments + o->lists[k + 1].segment;
            const akin_segment *begin = at;
            while (at < stop && first > 0 && at->range < first) {
                const akin_segment *middle =
                    at + (stop - at) / 2; /* the first that is not before `first` is not before at */
                if (middle->range < first)
                    at = middle + 1;
                else
                    stop = middle;
            }
            stop = o->segments + o->lists[k + 1].segment;
            if (at == stop || at->range >= end)
                continue;
            akin_tally_list *lists =
                akin_enlarge(NULL, tally->lists, &tally->lists_room, tally->list_count + 1, sizeof *lists);
            if (!lists)
                return AKIN_E_NOMEM;
            tally->lists = lists;
            lists[tally->list_count++] =
                (akin_tally_list){at, stop, o->cells + o->lists[k].cell, at > begin ? at[-1].end : 0, items[i].weight};
        }
    akin_sweep_bits *bits = akin_enlarge(NULL, tally->bits, &tally->bits_room, tally->list_count, sizeof *bits);
    tally->bits = bits ? bits : tally->bits;
    return bits ? AKIN_OK : AKIN_E_NOMEM;
}

/* The next range that a list is in, and what an object of it counts at most; UINT32_MAX: there is none. */
static uint32_t next_range(const akin_tally *tally, uint64_t *most)
{
    uint32_t range = UINT32_MAX;
    *most = 0;
    for (uint64_t i = 0; i < tally->list_count; i++) {
        const akin_tally_list *list = &tally->lists[i];
        uint32_t at = list->at < list->end ? list->at->range : UINT32_MAX;
        *most = at < range ? list->weight : *most + (at == range ? list->weight : 0);
        range = at < range ? at : range;
    }
    return range;
}

static void skip_range(akin_tally *tally, uint32_t range)
{
    for (uint64_t i = 0; i < tally->list_count; i++) {
        akin_tally_list *list = &tally->lists[i];
        if (list->at < list->end && list->at->range == range)
            list->begin = list->at++->end;
    }
}

/* Counts the places of a range, and lists its bitmaps. */
static void count_narrow(akin_tally *tally, uint32_t range)
{
    uint8_t *counters = tally->counters;
    tally->bit_count = 0;
    for (uint64_t i = 0; i < tally->list_count; i++) {
        akin_tally_list *list = &tally->lists[i];
        if (list->at == list->end || list->at->range != range)
            continue;
        const uint16_t *cells = list->cells + list->begin;
        const uint32_t size = list->at->end - list->begin;
        const uint8_t weight = (uint8_t)list->weight;
        list->begin = list->at++->end;
        if (size == AKIN_RANGE_CELLS) {
            tally->bits[tally->bit_count++] = (akin_sweep_bits){cells, list->weight};
            continue;
        }
        for (uint32_t c = 0; c < size; c++)
            counters[cells[c]] = (uint8_t)(counters[cells[c]] + weight);
    }
}

/* Counts the bitmaps of a range that are listed in 32 bits. */
static void count_bitmaps(akin_tally *tally)
{
    for (uint64_t first = 0, end; first < tally->bit_count; first = end) {
        akin_sweep_bits *bits = tally->bits + first;
        uint64_t most = bits->weight;
        uint32_t scale = 1;
        for (end = first + 1; end < tally->bit_count && most + tally->bits[end].weight <= UINT8_MAX; end++)
            most += tally->bits[end].weight;
        if (most > UINT8_MAX) { /* it is alone */
            scale = bits->weight;
            bits->weight = 1;
        }
        tally->sweep->add(tally->counters, AKIN_RANGE, bits, (uint32_t)(end - first));
        for (uint32_t p = 0; p < AKIN_RANGE; p++)
            tally->wide[p] += tally->counters[p] * scale;
        memset(tally->counters, 0, AKIN_RANGE);
    }
}

/* The same in 32 bits, and what counts enough. */
static void count_wide(akin_tally *tally, uint32_t range, akin_top *top)
{
    uint32_t *counters = tally->wide;
    tally->bit_count = 0;
    for (uint64_t i = 0; i < tally->list_count; i++) {
        akin_tally_list *list = &tally->lists[i];
        if (list->at == list->end || list->at->range != range)
            continue;
        const uint16_t *cells = list->cells + list->begin;
        const uint32_t size = list->at->end - list->begin;
        list->begin = list->at++->end;
        if (size == AKIN_RANGE_CELLS) {
            tally->bits[tally->bit_count++] = (akin_sweep_bits){cells, list->weight};
            continue;
        }
        for (uint32_t c = 0; c < size; c++)
            counters[cells[c]] += list->weight;
    }
    count_bitmaps(tally);
    const uint32_t objects = akin_objects_of_range(tally->objects, range);
    for (uint32_t p = 0; p < AKIN_RANGE; p++) {
        if (p < objects && counters[p] >= top->least)
            akin_top_add(top, counters[p], range * AKIN_RANGE + p);
        counters[p] = 0;
    }
}

akin_status akin_tally_query(akin_tally *tally, const akin_query_item *items, uint64_t count, uint64_t most,
                             uint32_t first, uint32_t end, akin_top *top)
{
    const int narrow = most <= UINT8_MAX;
    uint64_t here;
    if (!narrow && !tally->wide)
        tally->wide = akin_alloc_zero(NULL, AKIN_TALLY_COUNTERS, sizeof *tally->wide);
    if (!narrow && !tally->wide)
        return AKIN_E_NOMEM;
    akin_status status = gather_keywords(tally, items, count, first, end);
    if (status != AKIN_OK)
        return status;
    for (uint32_t range; (range = next_range(tally, &here)) < end && top->least <= most;) {
        if (here < top->least) {
            skip_range(tally, range);
        } else if (narrow) {
            count_narrow(tally, range);
            sweep_range(tally, range, top);
        } else {
            count_wide(tally, range, top);
        }
    }
    return AKIN_OK;
}
