/* Screens a batch for a query and compares the candidates, in lanes where that pays. */
#include "strings/scan.h"

#include "base/bits.h"

#define LANES_WORTH 3   /* candidates from which on lanes are faster than single comparisons */
#define TABLES_RUNS 512 /* with more runs than that limits are kept for one length only */

struct akin_scan_candidates {
    uint32_t count;
    uint32_t place[AKIN_SCAN_CANDIDATES + AKIN_LANES], run[AKIN_SCAN_CANDIDATES + AKIN_LANES],
        passed[AKIN_SCAN_STRIP + 16];
    uint32_t apart[AKIN_SCAN_STRIP];                              /* those that passed, by their counts */
    uint32_t kept[AKIN_SCAN_CANDIDATES + AKIN_LANES], kept_count; /* with enough matches */
    uint8_t prefix[AKIN_SCAN_CANDIDATES + AKIN_LANES];
    uint64_t at[AKIN_SCAN_CANDIDATES + AKIN_LANES];
    uint32_t lengths[AKIN_SCAN_CANDIDATES + AKIN_LANES], bound[AKIN_SCAN_CANDIDATES + AKIN_LANES];
    float rest[AKIN_SCAN_CANDIDATES + AKIN_LANES]; /* of the limits, for matches */
    union {
        uint32_t distance[AKIN_SCAN_CANDIDATES + AKIN_LANES];
        akin_jaro jaro[AKIN_SCAN_CANDIDATES + AKIN_LANES];
    } found;
    akin_scan_hit hits[AKIN_SCAN_CANDIDATES];
    uint8_t room[AKIN_LANES_ROOM + AKIN_LANES_ALIGN]; /* of lanes: from its first aligned byte on */
};

int akin_scanner_begin(akin_scanner *scanner, akin_account *account, akin_cpu cpu, const akin_cutoff *cutoff,
                       const akin_strings_batch *batch, uint32_t tables, akin_scan_take take, void *user)
{
    *scanner = (akin_scanner){
        .account = account, .cutoff = cutoff, .batch = batch, .take = take, .user = user, .pattern.account = account};
    scanner->screen = akin_bag_screen_choose(cpu);
    scanner->compare_counts = akin_counts_compare_choose(cpu);
    scanner->sift = akin_scan_sift_choose(cpu);
    scanner->lanes = batch->wide ? NULL : akin_lanes_choose(cpu);
    scanner->table_count = batch->runs <= TABLES_RUNS ? tables : tables > 0;
    scanner->bag.by_prefix = akin_cutoff_by_prefix(cutoff);
    scanner->candidates = akin_alloc(account, 1, sizeof *scanner->candidates);
    if (tables == 0)
        scanner->own = akin_alloc_zero(account, batch->runs, sizeof *scanner->own);
    if (!scanner->candidates || (tables == 0 && !scanner->own))
        return 0;
    scanner->candidates->count = 0;
    return 1;
}

void akin_scanner_clear(akin_scanner *scanner)
{
    for (uint32_t i = 0; i < AKIN_SCAN_TABLES; i++)
        akin_free(scanner->tables[i]);
    akin_pattern_clear(&scanner->pattern);
    akin_free(scanner->candidates);
    akin_free(scanner->noted);
    akin_free(scanner->own);
    *scanner = (akin_scanner){.account = scanner->account};
}

/* ------------------------------------------------------------------------------------------------------------- limits
 */

akin_scan_limits akin_scan_limits_of(const akin_cutoff *cutoff, uint32_t a, uint32_t b, int by_prefix)
{
    akin_scan_limits limits = {.each = 1.0 / a + 1.0 / b};
    for (uint32_t prefix = 0; prefix < AKIN_PREFIXES; prefix++) {
        if (prefix > 0 && !by_prefix) {
            limits.apart[prefix] = limits.apart[0];
            limits.bound[prefix] = limits.bound[0];
            limits.rest[prefix] = limits.rest[0];
        } else if (cutoff->is_jaro) {
            limits.bound[prefix] = akin_cutoff_matched(cutoff, a, b, prefix);
            limits.apart[prefix] = akin_cutoff_apart_by_matched(limits.bound[prefix], a, b);
            limits.rest[prefix] = 1 - 3 * akin_cutoff_jaro(cutoff, prefix);
        } else {
            limits.bound[prefix] = akin_cutoff_edits(cutoff, a, b);
            limits.apart[prefix] = akin_cutoff_apart_by_edits(limits.bound[prefix], a, b);
        }
        if (limits.apart[prefix] > INT32_MAX)
            limits.apart[prefix] = INT32_MAX;
        limits.any |= limits.apart[prefix] >= 0;
    }
    return limits;
}

/* The limits for queries of a length, made again if they have been replaced; NULL: memory is short. */
static const akin_scan_limits *limits_for(akin_scanner *scanner, uint32_t length)
{
    const akin_strings_batch *batch = scanner->batch;
    uint32_t slot = length % scanner->table_count;
    akin_scan_limits *table = scanner->tables[slot];
    if (table && scanner->table_length[slot] == length)
        return table;
    if (!table)
        table = scanner->tables[slot] = akin_alloc(scanner->account, batch->runs, sizeof *table);
    if (!table)
        return NULL;
    scanner->table_length[slot] = length;
    for (uint32_t run = 0; run < batch->runs; run++)
        table[run] = akin_scan_limits_of(scanner->cutoff, length, batch->lengths[run], scanner->bag.by_prefix);
    return table;
}

int akin_scanner_query(akin_scanner *scanner, const akin_symbols *query, akin_bag bag, uint32_t head)
{
    scanner->query = *query;
    scanner->bag.bag = bag;
    scanner->bag.head = head;
    scanner->has_pattern = scanner->has_counts = 0;
    scanner->limits = scanner->own ? scanner->own : limits_for(scanner, query->length);
    return scanner->limits != NULL;
}

akin_scan_limits *akin_scanner_limit(akin_scanner *scanner, uint32_t run)
{
    scanner->own[run] = akin_scan_limits_of(scanner->cutoff, scanner->query.length, scanner->batch->lengths[run],
                                            scanner->bag.by_prefix);
    return &scanner->own[run];
}

uint32_t akin_scanner_pending(const akin_scanner *scanner)
{
    return scanner->candidates->count;
}

/* ---------------------------------------------------------------------------------------------------------- comparing
 */

/* Compares the first `count` candidates, which are short enough, in lanes. */
static void compare_in_lanes(akin_scanner *scanner, uint32_t count)
{
    akin_scan_candidates *c = scanner->candidates;
    const akin_lanes *lanes = scanner->lanes;
    akin_lanes_job job = {.symbols = scanner->batch->symbols,
                          .at = c->at,
                          .lengths = c->lengths,
                          .count = count,
                          .pattern = scanner->query.bytes,
                          .length = scanner->query.length,
                          .room = c->room + (-(uintptr_t)c->room & (AKIN_LANES_ALIGN - 1)),
                          .bound = c->bound,
                          .rest = c->rest,
                          .kept = c->kept,
                          .kept_count = &c->kept_count};
    uint64_t at[AKIN_LANES];
    uint32_t lengths[AKIN_LANES], bound[AKIN_LANES];
    float rest[AKIN_LANES];
    memcpy(at, c->at + count, sizeof at);
    memcpy(lengths, c->lengths + count, sizeof lengths);
    memcpy(bound, c->bound + count, sizeof bound);
    memcpy(rest, c->rest + count, sizeof rest);
    for (uint32_t i = 0; i < AKIN_LANES; i++) {
        c->at[count + i] = c->at[count - 1];
        c->lengths[count + i] = c->lengths[count - 1];
        c->bound[count + i] = c->bound[count - 1];
        c->rest[count + i] = c->rest[count - 1];
    }
    if (scanner->cutoff->is_jaro)
        lanes->jaro(&job, c->found.jaro);
    else
        (scanner->cutoff->swaps ? lanes->osa : lanes->levenshtein)(&job, c->found.distance);
    memcpy(c->at + count, at, sizeof at);
    memcpy(c->lengths + count, lengths, sizeof lengths);
    memcpy(c->bound + count, bound, sizeof bound);
    memcpy(c->rest + count, rest, sizeof rest);
}

/* Compares candidates first to end - 1, each by itself. */
static int compare_singly(akin_scanner *scanner, uint32_t first, uint32_t end)
{
    akin_scan_candidates *c = scanner->candidates;
    const akin_cutoff *cutoff = scanner->cutoff;
    if (first < end && !scanner->has_pattern) {
        uint32_t *noted =
            akin_enlarge(scanner->account, scanner->noted, &scanner->noted_room, scanner->query.length, sizeof *noted);
        if (!noted)
            return 0;
        scanner->noted = noted;
        scanner->pattern.go_on = scanner->poll;
        scanner->pattern.user = scanner->user;
        if (!akin_pattern_set(&scanner->pattern, &scanner->query))
            return 0;
        scanner->has_pattern = 1;
    }
    for (uint32_t i = first; i < end; i++) {
        akin_symbols text = akin_strings_batch_at(scanner->batch, c->run[i], c->place[i]);
        if (cutoff->is_jaro)
            c->found.jaro[i] = akin_jaro_of(&scanner->pattern, &text, scanner->noted);
        else
            c->found.distance[i] = (cutoff->swaps ? akin_osa : akin_levenshtein)(&scanner->pattern, &text, c->bound[i]);
        if (scanner->pattern.stopped)
            return 0;
    }
    return 1;
}

/* Notes those of candidates `first` to count - 1 that have enough matches. The outcome is as good as random, so there
 * are no branches, here and below. */
static void keep_matched(akin_scan_candidates *c, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < count; i++) {
        c->kept[c->kept_count] = i;
        c->kept_count += c->found.jaro[i].matched >= c->bound[i];
    }
}

/* Of those that are noted, notes the ones that are alike enough by doubles, which decide for nearly all; returns their
 * number. */
static uint32_t sift_kept(akin_scanner *scanner)
{
    akin_scan_candidates *c = scanner->candidates;
    const uint32_t in_order = scanner->cutoff->winkler.floored ? ~1u : ~0u;
    uint32_t enough = 0;
    for (uint32_t k = 0; k < c->kept_count; k++) {
        uint32_t i = c->kept[k];
        const akin_scan_limits *limits = &scanner->limits[c->run[i]];
        double matched = c->found.jaro[i].matched, apart = c->found.jaro[i].apart & in_order;
        c->kept[enough] = i;
        enough += apart <= 2 * matched * (matched * limits->each + limits->rest[c->prefix[i]]);
    }
    return enough;
}

static uint32_t hits_of_jaro(akin_scanner *scanner)
{
    akin_scan_candidates *c = scanner->candidates;
    uint32_t enough = sift_kept(scanner), hits = 0;
    for (uint32_t k = 0; k < enough; k++) {
        uint32_t i = c->kept[k];
        akin_symbols text = akin_strings_batch_at(scanner->batch, c->run[i], c->place[i]);
        uint32_t prefix = akin_winkler_prefix(&scanner->query, &text);
        if (akin_cutoff_reached(scanner->cutoff, c->found.jaro[i], scanner->query.length, text.length, prefix))
            c->hits[hits++] = (akin_scan_hit){c->place[i], c->run[i], 0, prefix, c->found.jaro[i]};
    }
    return hits;
}

static uint32_t hits_of_edits(akin_scanner *scanner, uint32_t count)
{
    akin_scan_candidates *c = scanner->candidates;
    uint32_t hits = 0;
    for (uint32_t i = 0; i < count; i++)
        if (c->found.distance[i] <= c->bound[i])
            c->hits[hits++] = (akin_scan_hit){.at = c->place[i], .run = c->run[i], .distance = c->found.distance[i]};
    return hits;
}

int akin_scanner_finish(akin_scanner *scanner)
{
    akin_scan_candidates *c = scanner->candidates;
    uint32_t in_lanes = 0, hits, count = c->count;
    if (count == 0)
        return 1;
    if (scanner->lanes && count >= LANES_WORTH && scanner->query.length <= AKIN_LANES_LONGEST)
        in_lanes = (uint32_t)akin_lower_bound_u32(c->lengths, count, AKIN_LANES_LONGEST + 1);
    c->kept_count = 0;
    if (in_lanes > 0)
        compare_in_lanes(scanner, in_lanes);
    scanner->compared += count;
    c->count = 0;
    if (!compare_singly(scanner, in_lanes, count))
        return 0;
    if (scanner->cutoff->is_jaro)
        keep_matched(c, in_lanes, count);
    hits = scanner->cutoff->is_jaro ? hits_of_jaro(scanner) : hits_of_edits(scanner, count);
    return hits == 0 || scanner->take(scanner->user, c->hits, hits);
}

/* ---------------------------------------------------------------------------------------------------------- screening
 */

/* The counts of strings from place `first` on, and those of the query; NULL: they have none. */
static const akin_counts *counts_from(akin_scanner *scanner, uint32_t first)
{
    const akin_counts *counts = akin_strings_batch_counts(scanner->batch, first);
    if (counts && !scanner->has_counts)
        scanner->counts = akin_counts_of(&scanner->query);
    scanner->has_counts |= counts != NULL;
    return counts;
}

/* Compares the counts of those that passed, from place `first` on, with those of the query. 0: they have none. */
static int compare_counts(akin_scanner *scanner, uint32_t run, uint32_t first, uint32_t passed)
{
    const akin_counts *counts = counts_from(scanner, first);
    akin_scan_candidates *c = scanner->candidates;
    if (!counts)
        return 0;
    if (scanner->query.length < AKIN_COUNTS_BYTE && scanner->batch->lengths[run] < AKIN_COUNTS_BYTE)
        scanner->compare_counts(counts, &scanner->counts, c->passed, passed, c->apart);
    else
        for (uint32_t i = 0; i < passed; i++)
            c->apart[i] = akin_counts_apart(&counts[c->passed[i]], &scanner->counts);
    return 1;
}

/* The outcome is as good as random, so there are no branches. */
static uint32_t sift_passed(const akin_scan_passed *passed)
{
    const akin_scan_limits *limits = passed->limits;
    uint32_t at = 0;
    for (uint32_t i = 0; i < passed->count; i++) {
        const uint32_t place = passed->places[i];
        const uint32_t prefix = passed->by_prefix ? akin_head_prefix(passed->heads[place], passed->head) : 0;
        passed->place[at] = passed->first + place;
        passed->prefix[at] = (uint8_t)prefix;
        passed->bound[at] = limits->bound[prefix];
        passed->rest[at] = (float)limits->rest[prefix];
        passed->runs[at] = passed->run;
        passed->lengths[at] = passed->length;
        passed->at[at] = passed->origin + (uint64_t)passed->place[at] * passed->length;
        at += !passed->apart || (int64_t)passed->apart[i] <= limits->apart[prefix];
    }
    return at;
}

akin_scan_sift akin_scan_sift_choose(akin_cpu cpu)
{
    static const akin_scan_sift by_level[] =
        AKIN_CPU_ROW(sift_passed, akin_scan_sift_neon, sift_passed, akin_scan_sift_avx512);
    return by_level[cpu];
}

/* Makes candidates of those that passed, of a run, from place `first` on. */
static void gather_candidates(akin_scanner *scanner, uint32_t run, uint32_t first, uint32_t passed)
{
    const akin_strings_batch *batch = scanner->batch;
    akin_scan_candidates *c = scanner->candidates;
    const uint32_t length = batch->lengths[run], at = c->count;
    if (passed == 0)
        return;
    const akin_scan_passed some = {.places = c->passed,
                                   .apart = compare_counts(scanner, run, first, passed) ? c->apart : NULL,
                                   .heads = batch->heads + first,
                                   .count = passed,
                                   .first = first,
                                   .head = scanner->bag.head,
                                   .by_prefix = scanner->bag.by_prefix,
                                   .limits = &scanner->limits[run],
                                   .run = run,
                                   .length = length,
                                   .origin = batch->begins[run] - (uint64_t)batch->starts[run] * length,
                                   .place = c->place + at,
                                   .runs = c->run + at,
                                   .lengths = c->lengths + at,
                                   .bound = c->bound + at,
                                   .at = c->at + at,
                                   .prefix = c->prefix + at,
                                   .rest = c->rest + at};
    c->count += scanner->sift(&some);
}

int akin_scanner_screen(akin_scanner *scanner, uint32_t run, uint32_t first, uint32_t end)
{
    const akin_strings_batch *batch = scanner->batch;
    const akin_scan_limits *limits = &scanner->limits[run];
    akin_scan_candidates *c = scanner->candidates;
    if (!limits->any)
        return 1;
    for (uint32_t prefix = 0; prefix < AKIN_PREFIXES; prefix++)
        scanner->bag.limit[prefix] = limits->apart[prefix] < AKIN_BAG_BITS ? limits->apart[prefix] : AKIN_BAG_BITS;
    scanner->screened += end - first;
    for (uint32_t count; first < end; first += count) {
        count = end - first < AKIN_SCAN_STRIP ? end - first : AKIN_SCAN_STRIP;
        akin_bag_strip strip = {.heads = batch->heads + first, .count = count};
        for (uint32_t w = 0; w < AKIN_BAG_WORDS; w++)
            strip.bags[w] = batch->bags[w] + first;
        gather_candidates(scanner, run, first, scanner->screen(&strip, &scanner->bag, c->passed));
        if (c->count > AKIN_SCAN_CANDIDATES - AKIN_SCAN_STRIP && !akin_scanner_finish(scanner))
            return 0;
    }
    return 1;
}

int akin_scanner_offer(akin_scanner *scanner, uint32_t run, const uint32_t *places, uint32_t count)
{
    const akin_strings_batch *batch = scanner->batch;
    const akin_scan_limits *limits = &scanner->limits[run];
    akin_scan_candidates *c = scanner->candidates;
    uint32_t passed = 0;
    for (uint32_t i = 0; i < count; i++) {
        akin_bag bag = akin_strings_batch_bag(batch, places[i]);
        uint32_t prefix = scanner->bag.by_prefix ? akin_head_prefix(batch->heads[places[i]], scanner->bag.head) : 0;
        c->passed[passed] = places[i] - batch->starts[run];
        passed += (int64_t)akin_bag_apart(&bag, &scanner->bag.bag) <= limits->apart[prefix];
        if (passed < AKIN_SCAN_STRIP && i + 1 < count)
            continue;
        gather_candidates(scanner, run, batch->starts[run], passed);
        passed = 0;
        if (c->count > AKIN_SCAN_CANDIDATES - AKIN_SCAN_STRIP && !akin_scanner_finish(scanner))
            return 0;
    }
    return 1;
}
