/* Makes the tables of segments, and looks strings up in them. */
#include "strings/segments.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "strings/segment.h"

#define TASK_STRINGS 16384

/* -------------------------------------------------------------------------------------------------------------- making
 */

void akin_segments_clear(akin_segments *segments)
{
    for (uint32_t run = 0; segments->runs && run < segments->batch->runs; run++) {
        akin_free(segments->runs[run].starts);
        akin_free(segments->runs[run].entries);
    }
    akin_free(segments->runs);
    *segments = (akin_segments){.account = segments->account};
}

uint32_t akin_segments_bits(uint64_t entries)
{
    uint32_t bits = 4;
    while (UINT64_C(2) << bits < entries)
        bits++;
    return bits;
}

static uint64_t power_of(uint32_t exponent)
{
    uint64_t power = 1;
    while (exponent-- > 0)
        power *= AKIN_SEGMENT_BASE;
    return power;
}

static int reserve_run(akin_segments *s, uint32_t run)
{
    akin_segments_run *table = &s->runs[run];
    uint64_t entries = (uint64_t)(s->batch->starts[run + 1] - s->batch->starts[run]) * table->count;
    if (table->count == 0)
        return 1;
    uint32_t bits = akin_segments_bits(entries);
    table->starts = akin_alloc_zero(s->account, (UINT64_C(1) << bits) + 1, sizeof *table->starts);
    table->entries = akin_alloc(s->account, entries, sizeof *table->entries);
    table->shift = 64 - bits;
    table->power[0] = power_of(s->batch->lengths[run] / table->count);
    table->power[1] = table->power[0] * AKIN_SEGMENT_BASE;
    return table->starts && table->entries;
}

typedef struct filling {
    akin_segments *segments;
    int writes; /* entries; or they are counted, each where the next bucket begins */
} filling;

/* Counts or writes the segments of a string. Buckets are shared among threads; the order within one is of no
 * account. */
static void fill_string(const filling *f, uint32_t run, uint32_t place)
{
    const akin_segments_run *table = &f->segments->runs[run];
    const akin_strings_batch *batch = f->segments->batch;
    akin_symbols s = akin_strings_batch_at(batch, run, place);
    for (uint32_t i = 0; i < table->count; i++) {
        uint32_t begin, size;
        akin_segment_of(s.length, table->count, i, &begin, &size);
        uint64_t hash = akin_segment_hash(&s, begin, size, i);
        _Atomic uint32_t *end = &table->starts[(hash >> table->shift) + 1];
        uint32_t at = atomic_fetch_add_explicit(end, 1, memory_order_relaxed);
        if (f->writes)
            table->entries[at] = (akin_segments_entry){(uint32_t)hash, place};
    }
}

static akin_status fill_tables(void *argument, uint64_t task, uint32_t thread)
{
    const filling *f = argument;
    const akin_strings_batch *batch = f->segments->batch;
    uint32_t place = (uint32_t)(task * TASK_STRINGS);
    uint32_t end = (uint32_t)akin_min_u64((uint64_t)place + TASK_STRINGS, batch->count);
    uint32_t run = akin_strings_batch_run(batch, place);
    (void)thread;
    for (; place < end; place++) {
        run += place == batch->starts[run + 1];
        fill_string(f, run, place);
    }
    return AKIN_OK;
}

/* Counts become beginnings, which become ends when the entries are written. */
static akin_status sum_run(void *argument, uint64_t task, uint32_t thread)
{
    const akin_segments_run *table = &((const filling *)argument)->segments->runs[task];
    uint32_t sum = 0;
    (void)thread;
    for (uint64_t b = 1; table->count && b <= UINT64_C(1) << (64 - table->shift); b++) {
        uint32_t count = atomic_load_explicit(&table->starts[b], memory_order_relaxed);
        atomic_store_explicit(&table->starts[b], sum, memory_order_relaxed);
        sum += count;
    }
    return AKIN_OK;
}

akin_status akin_segments_make(const akin_scope *scope, akin_segments *segments, akin_error *error)
{
    filling f = {.segments = segments};
    if (!segments->runs)
        return AKIN_OK;
    uint32_t runs = segments->batch->runs, tables = 0;
    uint64_t tasks = akin_ceil_div(segments->batch->count, TASK_STRINGS);
    for (uint32_t run = 0; run < runs; run++) {
        tables += segments->runs[run].count > 0;
        if (!reserve_run(segments, run))
            return akin_fail_memory(error, "the segments of strings");
    }
    if (tables == 0)
        return AKIN_OK;
    akin_status status = akin_parallel(scope, NULL, tasks, fill_tables, &f);
    if (status == AKIN_OK)
        status = akin_parallel(scope, NULL, runs, sum_run, &f);
    f.writes = 1;
    if (status == AKIN_OK)
        status = akin_parallel(scope, NULL, tasks, fill_tables, &f);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "comparing strings");
}

/* ------------------------------------------------------------------------------------------------------------- seeking
 */

int akin_segments_probe_reserve(akin_account *account, akin_segments_probe *probe, uint32_t longest)
{
    probe->prefixes = akin_alloc(account, (uint64_t)longest + 1, sizeof *probe->prefixes);
    return probe->prefixes != NULL;
}

void akin_segments_probe_set(akin_segments_probe *probe, const akin_symbols *symbols, const akin_bag *bag)
{
    uint64_t *prefixes = probe->prefixes;
    probe->length = symbols->length;
    probe->bag = bag->words[0];
    prefixes[0] = 0;
    for (uint32_t i = 0; i < symbols->length; i++)
        prefixes[i + 1] = prefixes[i] * AKIN_SEGMENT_BASE + akin_symbol(symbols, i) + 1;
}

/* Sorts places, and leaves each once. */
static uint32_t put_in_order(uint32_t *places, uint32_t count)
{
    uint32_t kept = 0;
    if (count > 1)
        akin_sort_u32(places, count);
    for (uint32_t i = 0; i < count; i++)
        if (kept == 0 || places[i] != places[kept - 1])
            places[kept++] = places[i];
    return kept;
}

/* A number of segments of the probe that are looked up at a time, so that memory is waited for once. */
#define AT_ONCE 32

typedef struct seeking {
    const akin_segments_run *table;
    const uint64_t *bags; /* the first words of all strings' */
    const akin_segments_probe *probe;
    int64_t apart;
    uint32_t from, left, count, *places; /* left: entries that may be looked at */
    uint32_t waiting;
    uint64_t hashes[AT_ONCE];
} seeking;

static inline uint32_t start_of(const akin_segments_run *table, uint64_t bucket)
{
    return atomic_load_explicit(&table->starts[bucket], memory_order_relaxed);
}

/* Takes what those that wait find; 0: there is too much. */
static int look_up_waiting(seeking *s)
{
    const akin_segments_run *table = s->table;
    for (uint32_t k = 0; k < s->waiting; k++)
        __builtin_prefetch(&table->entries[start_of(table, s->hashes[k] >> table->shift)]);
    for (uint32_t k = 0; k < s->waiting; k++) {
        uint64_t hash = s->hashes[k];
        uint64_t bucket = hash >> table->shift;
        uint32_t first = start_of(table, bucket), end = start_of(table, bucket + 1);
        if (end - first > s->left)
            return 0;
        s->left -= end - first;
        for (uint32_t e = first; e < end; e++) {
            const akin_segments_entry *entry = &table->entries[e];
            if (entry->mark != (uint32_t)hash || entry->place < s->from)
                continue;
            s->places[s->count] = entry->place;
            s->count += akin_popcount64(s->bags[entry->place] ^ s->probe->bag) <= s->apart;
        }
    }
    s->waiting = 0;
    return 1;
}

uint32_t akin_segments_seek(const akin_segments *segments, uint32_t run, const akin_segments_probe *probe,
                            uint32_t edits, int64_t apart, uint32_t from, uint32_t *places)
{
    const akin_segments_run *table = &segments->runs[run];
    seeking s = {.table = table,
                 .bags = segments->batch->bags[0],
                 .probe = probe,
                 .apart = apart,
                 .from = from,
                 .left = table->most,
                 .places = places};
    uint32_t length = segments->batch->lengths[run], begin, size;
    int64_t longer = (int64_t)probe->length - length, low, high;
    for (uint32_t i = 0; i < table->count; i++) {
        if (!akin_segment_window(segments->cutoff, i, edits, longer, &low, &high))
            continue;
        akin_segment_of(length, table->count, i, &begin, &size);
        uint64_t power = table->power[size - length / table->count];
        low = (int64_t)begin + low > 0 ? (int64_t)begin + low : 0;
        high = (int64_t)begin + high + size <= probe->length ? (int64_t)begin + high : (int64_t)probe->length - size;
        for (int64_t at = low; at <= high; at++) {
            uint64_t hash = akin_segment_mix(probe->prefixes[at + size] - probe->prefixes[at] * power, i);
            __builtin_prefetch(&table->starts[hash >> table->shift]);
            s.hashes[s.waiting++] = hash;
            if (s.waiting == AT_ONCE && !look_up_waiting(&s))
                return AKIN_SEGMENTS_MANY;
        }
    }
    return look_up_waiting(&s) ? put_in_order(places, s.count) : AKIN_SEGMENTS_MANY;
}
