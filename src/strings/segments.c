/* Chooses, makes and looks up the tables of segments. Hashes are polynomials of the symbols modulo 2^64, so that of any
 * part of a string comes from those of two of its beginnings. */
#include "strings/segments.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort.h"

#include <string.h>

#define BASE         UINT64_C(0x9e3779b97f4a7c15)
#define SAMPLE       512 /* strings of a run that are drawn */
#define PIECES_MOST  256
#define RUN_LEAST    64     /* strings, from which on a table may be worth it */
#define SECONDS_SEEK 8e-9   /* to look a segment up, */
#define SECONDS_HIT  1.2e-8 /* to do with what has it, beside screening (below), */
#define SECONDS_MADE 2.5e-8 /* and to put a segment into a table */
#define HITS_LEAST   64

/* Seconds to screen a string, by SIMD level. Measured with bench/strings_bench on titles, as the others are. */
static const double seconds_seen[] = {[AKIN_CPU_SCALAR] = 6e-9, [AKIN_CPU_AVX2] = 5.5e-10, [AKIN_CPU_AVX512] = 2e-10};

/* ------------------------------------------------------------------------------------------------------------ segments
 */

/* Segment i of `count` that a string of a length is cut into: the longer ones come last. */
static inline void segment_of(uint32_t length, uint32_t count, uint32_t i, uint32_t *begin, uint32_t *size)
{
    uint32_t shorter = count - length % count, each = length / count;
    *size = each + (i >= shorter);
    *begin = i * each + (i > shorter ? i - shorter : 0);
}

/* How many segments edits may touch: two each where neighbours change places. */
static inline uint64_t touched_by(const akin_cutoff *cutoff, uint32_t edits)
{
    return cutoff->swaps ? 2 * (uint64_t)edits : edits;
}

/*
 * Where segment i of a string may stand in one that is `longer` symbols longer (or, below 0, shorter), within `edits`: moved
 * by *low to *high. It is enough to look for a segment i that is untouched, and before which i segments' worth of edits
 * lie: of all i for which no more than i lie before segment i + 1, the least is such a one. So no more than i edits moved it,
 * and those behind it are no more than are left.
 */
static inline int window_of(const akin_cutoff *cutoff, uint32_t i, uint32_t edits, int64_t longer, int64_t *low,
                            int64_t *high)
{
    int64_t touched = (int64_t)touched_by(cutoff, edits), before = i < edits ? i : edits, behind = touched - i;
    if (behind < 0)
        return 0;
    behind = behind < edits ? behind : edits;
    *low = longer - behind > -before ? longer - behind : -before;
    *high = longer + behind < before ? longer + behind : before;
    /* and the ways there and back are no longer than all edits together */
    int64_t left = (edits - longer) / 2, right = (edits + longer) / 2;
    *low = *low > -left ? *low : -left;
    *high = *high < right ? *high : right;
    return *low <= *high;
}

static inline uint64_t mix(uint64_t hash, uint32_t i)
{
    hash += (i + 1) * UINT64_C(0xd6e8feb86659fd93);
    hash ^= hash >> 32;
    hash *= UINT64_C(0xff51afd7ed558ccd);
    hash ^= hash >> 29;
    return hash * UINT64_C(0xc4ceb9fe1a85ec53);
}

static uint64_t hash_of(const akin_symbols *s, uint32_t begin, uint32_t size, uint32_t i)
{
    uint64_t hash = 0;
    for (uint32_t at = begin; at < begin + size; at++)
        hash = hash * BASE + akin_symbol(s, at) + 1;
    return mix(hash, i);
}

static uint64_t power_of(uint32_t exponent)
{
    uint64_t power = 1;
    while (exponent-- > 0)
        power *= BASE;
    return power;
}

/* ------------------------------------------------------------------------------------------------------------ choosing
 */

typedef struct choice {
    akin_segments *segments;
    const akin_strings_batch *probes;
    double *seconds, *screened; /* of each run, as is best, and if it is screened */
    int same;
    akin_segments_wish wish;
} choice;

/* The pairs of two strings of a sample that have segment i in common, as a share of all. */
static double shared(const akin_strings_batch *batch, uint32_t run, uint32_t pieces, uint32_t i)
{
    uint64_t hashes[SAMPLE], same = 0;
    uint32_t of = batch->starts[run + 1] - batch->starts[run], count = of < SAMPLE ? of : SAMPLE, begin, size;
    segment_of(batch->lengths[run], pieces, i, &begin, &size);
    for (uint32_t k = 0; k < count; k++) {
        akin_symbols s = akin_strings_batch_at(batch, run, batch->starts[run] + (uint32_t)((uint64_t)k * of / count));
        hashes[k] = hash_of(&s, begin, size, i);
    }
    akin_sort_u64(hashes, count);
    for (uint32_t k = 0, first = 0; k < count; k++) {
        first = hashes[k] == hashes[first] ? first : k;
        same += k - first;
    }
    return 2.0 * (double)same / ((double)count * (count - 1));
}

/* Seconds to look a probe up in a run, and the places of a segment of each string that there are for it, by the length that
 * the strings themselves have. */
static double seconds_to_seek(const choice *c, uint32_t run, uint32_t pieces)
{
    const akin_segments *s = c->segments;
    const akin_strings_batch *batch = s->batch;
    uint32_t edits = akin_cutoff_edits(s->cutoff, batch->lengths[run], batch->lengths[run]);
    double strings = batch->starts[run + 1] - batch->starts[run], seconds = 0;
    for (uint32_t i = 0; i < pieces; i++) {
        int64_t low, high;
        if (!window_of(s->cutoff, i, edits, 0, &low, &high))
            continue;
        /* a segment is found where it stood, and elsewhere more seldom, but that is not counted on */
        seconds += (double)(high - low + 1) * (SECONDS_SEEK + strings * shared(batch, run, pieces, i) * SECONDS_HIT);
        if (seconds > strings * s->seen && c->wish == AKIN_SEGMENTS_WORTH)
            break;
    }
    return seconds;
}

/* The probes that may be similar to the strings of a run, whose lengths lie around theirs, and the most segments that edits
 * which turn one of these into another may touch. */
static double probes_of(const choice *c, uint32_t run, uint64_t *touched)
{
    const akin_cutoff *cutoff = c->segments->cutoff;
    const akin_strings_batch *probes = c->probes;
    uint32_t length = c->segments->batch->lengths[run], first = 0, end;
    double meeting = 0;
    *touched = 0;
    end = c->same ? run + 1 : (uint32_t)akin_lower_bound_u32(probes->lengths, probes->runs, (uint64_t)length + 1);
    while (!c->same && end < probes->runs && akin_cutoff_permits(cutoff, probes->lengths[end], length))
        end++;
    for (first = end; first > 0 && (probes->lengths[first - 1] > length ||
                                    akin_cutoff_permits(cutoff, probes->lengths[first - 1], length));
         first--) {
        uint32_t p = first - 1;
        meeting += (c->same && p == run ? 0.5 : 1) * (probes->starts[p + 1] - probes->starts[p]);
        if (!cutoff->is_jaro)
            *touched =
                akin_max_u64(*touched, touched_by(cutoff, akin_cutoff_edits(cutoff, probes->lengths[p], length)));
    }
    return meeting;
}

/* Sees what a run would take in both ways. */
static akin_status choose_run(void *argument, uint64_t task, uint32_t thread)
{
    choice *c = argument;
    akin_segments *s = c->segments;
    const akin_strings_batch *batch = s->batch;
    uint32_t run = (uint32_t)task;
    uint64_t touched;
    double strings = batch->starts[run + 1] - batch->starts[run], meeting = probes_of(c, run, &touched);
    (void)thread;
    c->screened[run] = c->seconds[run] = meeting * strings * s->seen;
    if (s->cutoff->is_jaro || c->wish == AKIN_SEGMENTS_NONE || meeting <= 0 || strings < 2 || touched >= PIECES_MOST ||
        touched >= batch->lengths[run])
        return AKIN_OK;
    uint32_t pieces = (uint32_t)touched + 1;
    if (c->wish == AKIN_SEGMENTS_ALL) {
        s->runs[run].count = pieces;
        return AKIN_OK;
    }
    double made = strings * pieces * SECONDS_MADE;
    if (strings < RUN_LEAST || made + meeting * pieces * SECONDS_SEEK > c->seconds[run])
        return AKIN_OK;
    double seconds = made + meeting * seconds_to_seek(c, run, pieces);
    if (seconds < c->seconds[run]) {
        c->seconds[run] = seconds;
        s->runs[run].count = pieces;
    }
    return AKIN_OK;
}

akin_status akin_segments_choose(akin_context *context, akin_account *account, const akin_cutoff *cutoff,
                                 const akin_strings_batch *probes, const akin_strings_batch *batch, int same,
                                 akin_segments_wish wish, akin_segments *out, akin_error *error)
{
    *out = (akin_segments){.account = account, .cutoff = cutoff, .batch = batch, .seen = seconds_seen[context->cpu]};
    choice c = {.segments = out, .probes = probes, .same = same, .wish = wish};
    c.seconds = akin_alloc_zero(account, 2 * (uint64_t)batch->runs, sizeof *c.seconds);
    c.screened = c.seconds ? c.seconds + batch->runs : NULL;
    out->runs = akin_alloc_zero(account, batch->runs, sizeof *out->runs);
    akin_status status = c.seconds && out->runs ? AKIN_OK : akin_fail_memory(error, "the segments of strings");
    if (status == AKIN_OK) {
        status = akin_parallel(context, NULL, batch->runs, choose_run, &c);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, "comparing strings");
    }
    for (uint32_t run = 0; run < batch->runs && status == AKIN_OK; run++) {
        out->seconds += c.seconds[run];
        out->seconds_screened += c.screened[run];
    }
    akin_free(c.seconds);
    return status;
}

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

/* Fills a table whose buckets have room. */
static void fill(const akin_strings_batch *batch, uint32_t run, akin_segments_run *table, uint64_t buckets)
{
    uint32_t length = batch->lengths[run], *starts = table->starts, begin, size, sum = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t place = batch->starts[run]; place < batch->starts[run + 1]; place++) {
            akin_symbols s = akin_strings_batch_at(batch, run, place);
            for (uint32_t i = 0; i < table->count; i++) {
                segment_of(length, table->count, i, &begin, &size);
                uint64_t hash = hash_of(&s, begin, size, i);
                uint32_t *start = &starts[hash >> table->shift];
                if (pass == 0)
                    ++*start;
                else
                    table->entries[(*start)++] = (akin_segments_entry){(uint32_t)hash, place};
            }
        }
        for (uint64_t b = 0; pass == 0 && b <= buckets; b++) { /* counts become beginnings, */
            uint32_t count = starts[b];
            starts[b] = sum;
            sum += count;
        }
    }
    memmove(starts + 1, starts, buckets * sizeof *starts); /* which are ends now */
    starts[0] = 0;
}

/* Of the number of buckets: there are one to two entries in each. */
static uint32_t bits_of(uint64_t entries)
{
    uint32_t bits = 4;
    while (UINT64_C(2) << bits < entries)
        bits++;
    return bits;
}

/* Takes back the choice of runs whose tables would be too large. */
static void trim(akin_segments *s)
{
    const akin_account *account = s->account;
    uint64_t left = account->limit > account->held ? (account->limit - account->held) / 4 : 0;
    for (uint32_t run = 0; run < s->batch->runs; run++) {
        akin_segments_run *table = &s->runs[run];
        uint64_t entries = (uint64_t)(s->batch->starts[run + 1] - s->batch->starts[run]) * table->count;
        uint64_t bytes = entries * sizeof *table->entries + (sizeof *table->starts << bits_of(entries));
        if (entries >= UINT32_MAX || (account->limit && bytes > left))
            table->count = 0;
        else
            left -= account->limit ? bytes : 0;
    }
}

static akin_status make_run(void *argument, uint64_t task, uint32_t thread)
{
    akin_segments *s = argument;
    akin_segments_run *table = &s->runs[task];
    const akin_strings_batch *batch = s->batch;
    uint64_t strings = batch->starts[task + 1] - batch->starts[task], entries = strings * table->count;
    (void)thread;
    if (table->count == 0)
        return AKIN_OK;
    uint32_t bits = bits_of(entries);
    uint64_t buckets = UINT64_C(1) << bits;
    table->starts = akin_alloc_zero(s->account, buckets + 1, sizeof *table->starts);
    table->entries = akin_alloc(s->account, entries, sizeof *table->entries);
    if (!table->starts || !table->entries)
        return AKIN_E_NOMEM;
    table->shift = 64 - bits;
    table->power[0] = power_of(batch->lengths[task] / table->count);
    table->power[1] = table->power[0] * BASE;
    fill(batch, (uint32_t)task, table, buckets);
    return AKIN_OK;
}

akin_status akin_segments_make(akin_context *context, akin_segments *segments, akin_error *error)
{
    trim(segments);
    akin_status status = akin_parallel(context, NULL, segments->batch->runs, make_run, segments);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "comparing strings");
}

/* ------------------------------------------------------------------------------------------------------------- seeking
 */

int akin_segments_probe_set(akin_account *account, akin_segments_probe *probe, const akin_symbols *symbols,
                            const akin_bag *bag)
{
    uint64_t *prefixes =
        akin_enlarge(account, probe->prefixes, &probe->room, (uint64_t)symbols->length + 1, sizeof *prefixes);
    if (!prefixes)
        return 0;
    probe->prefixes = prefixes;
    probe->length = symbols->length;
    probe->bag = bag->words[0];
    prefixes[0] = 0;
    for (uint32_t i = 0; i < symbols->length; i++)
        prefixes[i + 1] = prefixes[i] * BASE + akin_symbol(symbols, i) + 1;
    return 1;
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

uint32_t akin_segments_most(const akin_segments *segments, uint32_t run)
{
    uint32_t strings = segments->batch->starts[run + 1] - segments->batch->starts[run];
    return (uint32_t)(strings * (segments->seen / SECONDS_HIT)) + HITS_LEAST;
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

/* Takes what those that wait find; 0: there is too much. */
static int look_up(seeking *s)
{
    const akin_segments_run *table = s->table;
    for (uint32_t k = 0; k < s->waiting; k++)
        __builtin_prefetch(&table->entries[table->starts[s->hashes[k] >> table->shift]]);
    for (uint32_t k = 0; k < s->waiting; k++) {
        uint64_t hash = s->hashes[k];
        uint32_t first = table->starts[hash >> table->shift], end = table->starts[(hash >> table->shift) + 1];
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
                 .left = akin_segments_most(segments, run),
                 .places = places};
    uint32_t length = segments->batch->lengths[run], begin, size;
    int64_t longer = (int64_t)probe->length - length, low, high;
    for (uint32_t i = 0; i < table->count; i++) {
        if (!window_of(segments->cutoff, i, edits, longer, &low, &high))
            continue;
        segment_of(length, table->count, i, &begin, &size);
        uint64_t power = table->power[size - length / table->count];
        low = (int64_t)begin + low > 0 ? (int64_t)begin + low : 0;
        high = (int64_t)begin + high + size <= probe->length ? (int64_t)begin + high : (int64_t)probe->length - size;
        for (int64_t at = low; at <= high; at++) {
            uint64_t hash = mix(probe->prefixes[at + size] - probe->prefixes[at] * power, i);
            __builtin_prefetch(&table->starts[hash >> table->shift]);
            s.hashes[s.waiting++] = hash;
            if (s.waiting == AT_ONCE && !look_up(&s))
                return AKIN_SEGMENTS_MANY;
        }
    }
    return look_up(&s) ? put_in_order(places, s.count) : AKIN_SEGMENTS_MANY;
}
