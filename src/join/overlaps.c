/* Inverts sets by lists and bitmaps, and counts what sets have in common by them. */
#include "join/overlaps.h"

#include "base/bits.h"

#define SETS_A_REPORT 65536

/* --------------------------------------------------------------------------------------------------------- inverted */

static uint64_t overlap_table_bytes(uint32_t sets)
{
    return akin_ceil_div(sets, AKIN_SWEEP_PLACES) * (AKIN_SWEEP_PLACES / 8);
}

uint64_t akin_overlaps_listed(const uint64_t *sets_of, uint64_t universe, uint32_t sets)
{
    const uint64_t bytes = overlap_table_bytes(sets);
    uint64_t chosen = universe, lists = 0, bitmaps = 0;
    for (uint64_t rank = universe; rank-- > 0;) {
        lists += sets_of[rank] * sizeof(uint32_t);
        bitmaps += bytes;
        if (bitmaps > lists)
            break;
        chosen = rank;
    }
    return chosen;
}

/* What is done with the tokens of a set. */
typedef void (*visit)(akin_overlaps *out, uint32_t set, const uint32_t *tokens, uint64_t count);

static akin_status visit_sets(const akin_scope *scope, const akin_ranked *sets, visit visit, akin_overlaps *out)
{
    akin_status status = AKIN_OK;
    for (uint32_t set = 0; set < sets->count && status == AKIN_OK; set++) {
        if (set % SETS_A_REPORT == 0)
            status = akin_scope_report(scope, NULL, 0, 0);
        visit(out, set, sets->tokens + sets->offsets[set], akin_ranked_size(sets, set));
    }
    return status;
}

/* Counts in start[rank + 1] in how many sets a rank is. */
static void count_probe_tokens(akin_overlaps *out, uint32_t set, const uint32_t *tokens, uint64_t count)
{
    (void)set;
    for (uint64_t i = 0; i < count; i++)
        out->start[tokens[i] + (uint64_t)1]++;
}

/* Fills lists and bitmaps: start[rank + 1], where a list begins, moves to its end, where the next one begins. */
static void fill_overlap_table(akin_overlaps *out, uint32_t set, const uint32_t *tokens, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t rank = tokens[i];
        if (rank < out->listed)
            out->entry[out->start[rank + 1]++] = set;
        else
            out->bitmaps[(rank - out->listed) * out->bytes + set / 8] |= (uint8_t)(1u << set % 8);
    }
}

akin_status akin_overlaps_build(const akin_scope *scope, akin_account *account, const akin_ranked *sets,
                                akin_overlaps *out, akin_error *error)
{
    *out = (akin_overlaps){.count = sets->count, .sweep = akin_sweep_choose(scope->cpu)};
    out->bytes = overlap_table_bytes(sets->count);
    out->start = akin_alloc_zero(account, sets->universe + 2, sizeof *out->start);
    if (!out->start)
        return akin_fail_memory(error, "the tokens of sets");
    akin_status status = visit_sets(scope, sets, count_probe_tokens, out);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, "the lists of tokens");
    out->listed = akin_overlaps_listed(out->start + 1, sets->universe, sets->count);
    uint64_t total = 0;
    for (uint64_t rank = 0; rank < out->listed; rank++) {
        const uint64_t here = out->start[rank + 1];
        out->start[rank + 1] = total;
        total += here;
    }
    out->entry = akin_alloc(account, total, sizeof *out->entry);
    out->bitmaps = akin_alloc_zero(account, sets->universe - out->listed, out->bytes);
    if (!out->entry || !out->bitmaps)
        return akin_fail_memory(error, "the sets of tokens");
    status = visit_sets(scope, sets, fill_overlap_table, out);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, "the lists of tokens");
}

void akin_overlaps_clear(akin_overlaps *overlaps)
{
    akin_free(overlaps->start);
    akin_free(overlaps->entry);
    akin_free(overlaps->bitmaps);
    *overlaps = (akin_overlaps){0};
}

/* ---------------------------------------------------------------------------------------------------------- counted */

int akin_overlaps_begin(akin_overlap_counter *counter, akin_account *account, const akin_overlaps *overlaps,
                        uint32_t most)
{
    const uint64_t places = akin_min_u64(AKIN_OVERLAPS_RANGE, overlaps->bytes * 8);
    *counter = (akin_overlap_counter){.overlaps = overlaps};
    counter->bytes = akin_alloc_zero(account, places, sizeof *counter->bytes);
    counter->found = akin_alloc(account, places + 1, sizeof *counter->found);
    counter->bits = akin_alloc(account, UINT8_MAX, sizeof *counter->bits);
    counter->lists = akin_alloc(account, most, sizeof *counter->lists);
    if (most > UINT8_MAX)
        counter->sums = akin_alloc_zero(account, places, sizeof *counter->sums);
    return counter->bytes && counter->found && counter->bits && counter->lists && (most <= UINT8_MAX || counter->sums);
}

void akin_overlaps_end(akin_overlap_counter *counter)
{
    akin_free(counter->bytes);
    akin_free(counter->sums);
    akin_free(counter->found);
    akin_free(counter->bits);
    akin_free(counter->lists);
    *counter = (akin_overlap_counter){0};
}

void akin_overlaps_take(akin_overlap_counter *counter, const uint32_t *tokens, uint32_t size, uint32_t first,
                        uint32_t end)
{
    counter->tokens = tokens;
    counter->size = size;
    counter->first = first;
    counter->end = end;
    counter->known = counter->listed = 0;
    while (counter->listed < size && tokens[counter->listed] < counter->overlaps->listed)
        counter->listed++;
}

/* Finds the lists of the rarest `some` tokens within the range. */
static void find_lists(akin_overlap_counter *counter, uint32_t some)
{
    const akin_overlaps *o = counter->overlaps;
    for (; counter->known < some; counter->known++) {
        const uint32_t token = counter->tokens[counter->known];
        const uint32_t *list = o->entry + o->start[token];
        const uint64_t count = o->start[token + (uint64_t)1] - o->start[token];
        const uint64_t low = counter->first == 0 ? 0 : akin_lower_bound_u32(list, count, counter->first);
        const uint64_t high =
            counter->end == o->count ? count : low + akin_lower_bound_u32(list + low, count - low, counter->end);
        counter->lists[counter->known] = (akin_overlaps_list){list + low, list + high};
    }
}

uint64_t akin_overlaps_postings(akin_overlap_counter *counter, uint32_t some)
{
    uint64_t sum = 0;
    find_lists(counter, some);
    for (uint32_t i = 0; i < some; i++)
        sum += (uint64_t)(counter->lists[i].end - counter->lists[i].first);
    return sum;
}

static uint32_t places_of(const akin_overlap_counter *counter)
{
    const uint32_t sets = counter->end - counter->first;
    return (uint32_t)akin_ceil_div(sets, AKIN_SWEEP_PLACES) * AKIN_SWEEP_PLACES;
}

/* Counts tokens i to end - 1, which are at most 255, in bytes. */
static void count_some(akin_overlap_counter *counter, uint32_t i, uint32_t end)
{
    const akin_overlaps *o = counter->overlaps;
    uint8_t *bytes = counter->bytes;
    uint32_t bits = 0;
    for (; i < end && i < counter->listed; i++)
        for (const uint32_t *at = counter->lists[i].first; at < counter->lists[i].end; at++)
            bytes[*at - counter->first]++;
    for (; i < end; i++) {
        const uint8_t *bitmap = o->bitmaps + (counter->tokens[i] - o->listed) * o->bytes + counter->first / 8;
        counter->bits[bits++] = (akin_sweep_bits){(const uint16_t *)(const void *)bitmap, 1};
    }
    o->sweep->add(bytes, places_of(counter), counter->bits, bits);
}

void akin_overlaps_count(akin_overlap_counter *counter)
{
    const uint32_t places = places_of(counter);
    find_lists(counter, counter->listed);
    if (counter->size <= UINT8_MAX) {
        count_some(counter, 0, counter->size);
        return;
    }
    for (uint32_t i = 0, end; i < counter->size; i = end) {
        end = (uint32_t)akin_min_u64((uint64_t)i + UINT8_MAX, counter->size);
        count_some(counter, i, end);
        for (uint32_t place = 0; place < places; place++)
            counter->sums[place] += counter->bytes[place];
        memset(counter->bytes, 0, places);
    }
}

void akin_overlaps_reset(akin_overlap_counter *counter)
{
    if (counter->size <= UINT8_MAX)
        memset(counter->bytes, 0, places_of(counter));
    else
        memset(counter->sums, 0, places_of(counter) * sizeof *counter->sums);
}

uint32_t akin_overlaps_find(akin_overlap_counter *counter, uint32_t first, uint32_t end, uint64_t least)
{
    const uint32_t at = first - counter->first, places = end - first;
    if (least > counter->size)
        return 0;
    if (counter->size <= UINT8_MAX)
        return counter->overlaps->sweep->find(counter->bytes + at, places, (uint32_t)least, counter->found);
    uint32_t found = 0;
    for (uint32_t i = 0; i < places; i++) {
        counter->found[found] = (uint16_t)i;
        found += counter->sums[at + i] >= least;
    }
    return found;
}

uint32_t akin_overlaps_meet(akin_overlap_counter *counter, uint32_t some)
{
    uint32_t met = 0;
    find_lists(counter, some);
    for (uint32_t i = 0; i < some; i++)
        for (const uint32_t *at = counter->lists[i].first; at < counter->lists[i].end; at++) {
            const uint32_t place = *at - counter->first;
            counter->found[met] = (uint16_t)place;
            met += counter->bytes[place]++ == 0;
        }
    return met;
}
