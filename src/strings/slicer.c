/* Holds queries against slices of a batch. */
#include "strings/slicer.h"

#include "base/bits.h"

/* Strings of one length in the slice at hand, and the symbols that a query must have in common with one, of those
 * counted. */
typedef struct piece {
    uint32_t first, end, length;
    uint32_t least; /* 0: any string will do */
} piece;

/* The pieces that concern a query, and the figures of all of them. */
typedef struct reach {
    uint32_t first_run, end_run; /* no run of these is too short or too long */
    uint32_t most;               /* edits */
    int is_bounded;              /* there is a piece that some strings do not pass */
} reach;

int akin_slicer_serves(const akin_cutoff *cutoff, const akin_strings_batch *batch)
{
    return !cutoff->is_jaro && !batch->wide;
}

int akin_slicer_begin(akin_slicer *slicer, akin_account *account, akin_cpu cpu, const akin_strings_batch *batch,
                      uint32_t queries)
{
    const akin_slices *slices = akin_slices_choose(cpu);
    *slicer = (akin_slicer){.account = account, .batch = batch};
    akin_slice_kinds_begin(&slicer->kinds, slices);
    slicer->query_kinds = akin_alloc(account, queries, AKIN_SLICE_LONGEST);
    slicer->rows = akin_alloc(account, AKIN_SLICE_LONGEST, slices->strings / 8);
    slicer->common = akin_alloc(account, AKIN_SLICE_COUNTS, slices->strings / 8);
    return slicer->query_kinds && slicer->rows && slicer->common;
}

void akin_slicer_clear(akin_slicer *slicer)
{
    akin_free(slicer->query_kinds);
    akin_free(slicer->rows);
    akin_free(slicer->common);
    akin_free(slicer->places);
    *slicer = (akin_slicer){.account = slicer->account};
}

void akin_slicer_empty(akin_slicer *slicer)
{
    akin_slice_kinds_begin(&slicer->kinds, slicer->kinds.slices);
}

void akin_slicer_add(akin_slicer *slicer, uint32_t number, const akin_symbols *query)
{
    akin_slice_kinds_add(&slicer->kinds, query->bytes, query->length,
                         slicer->query_kinds + (size_t)number * AKIN_SLICE_LONGEST);
}

static void take_candidates(akin_slicer *slicer, uint32_t first, uint32_t end)
{
    slicer->first = first;
    slicer->end = end;
    slicer->run = akin_strings_batch_run(slicer->batch, first);
    slicer->has_places = 0;
}

uint32_t akin_slicer_take_from(akin_slicer *slicer, uint32_t first)
{
    take_candidates(slicer, first,
                    (uint32_t)akin_min_u64((uint64_t)first + slicer->kinds.slices->strings, slicer->batch->count));
    return slicer->end;
}

uint32_t akin_slicer_take_before(akin_slicer *slicer, uint32_t end)
{
    take_candidates(slicer, end - (uint32_t)akin_min_u64(end, slicer->kinds.slices->strings), end);
    return slicer->first;
}

/* The columns of strings up to a length. */
static uint32_t columns_of(uint32_t length)
{
    return (uint32_t)akin_min_u64(length, AKIN_SLICE_COLUMNS);
}

/* What a run has in the slice, for a query whose limits are set. */
static piece piece_of(const akin_slicer *slicer, const akin_scanner *scanner, uint32_t run)
{
    const akin_strings_batch *batch = slicer->batch;
    const uint32_t length = batch->lengths[run], longer = akin_max_u32(length, scanner->query.length);
    const uint64_t free = (uint64_t)scanner->limits[run].bound[0] + length - columns_of(length);
    return (piece){.first = akin_max_u32(batch->starts[run], slicer->first),
                   .end = (uint32_t)akin_min_u64(batch->starts[run + 1], slicer->end),
                   .length = length,
                   .least = (uint32_t)(longer - akin_min_u64(longer, free))};
}

/* Sets the limits of the runs of the slice. */
static reach reach_of(const akin_slicer *slicer, akin_scanner *scanner)
{
    const akin_strings_batch *batch = slicer->batch;
    reach reach = {0};
    for (uint32_t run = slicer->run; run < batch->runs && batch->starts[run] < slicer->end; run++) {
        if (!akin_scanner_limit(scanner, run)->any)
            continue;
        if (reach.end_run == 0)
            reach.first_run = run;
        reach.end_run = run + 1;
        reach.most = akin_max_u32(reach.most, scanner->limits[run].bound[0]);
        reach.is_bounded |= piece_of(slicer, scanner, run).least > 0;
    }
    return reach;
}

/* Sets where the strings of the slice have symbols of each kind. 0: memory is short. */
static int set_places(akin_slicer *slicer)
{
    const akin_strings_batch *batch = slicer->batch;
    const uint32_t columns = columns_of(batch->lengths[akin_strings_batch_run(batch, slicer->end - 1)]);
    const uint64_t words = akin_slice_words(&slicer->kinds, columns);
    uint64_t *places = akin_enlarge(slicer->account, slicer->places, &slicer->room, words, sizeof *places);
    if (!places)
        return 0;
    slicer->places = places;
    akin_slice_begin(&slicer->kinds, places, columns);
    for (uint32_t i = slicer->first, run = slicer->run; i < slicer->end; i++) {
        run += i == batch->starts[run + 1];
        akin_slice_put(&slicer->kinds, places, i - slicer->first, akin_strings_batch_at(batch, run, i).bytes,
                       columns_of(batch->lengths[run]));
    }
    slicer->has_places = 1;
    return 1;
}

/* Counts what the query has in common with the strings in reach. Edits that change places may move a symbol by one
 * more. */
static void count_common(const akin_slicer *slicer, uint32_t number, const akin_scanner *scanner, const reach *reach)
{
    const uint32_t *lengths = slicer->batch->lengths, length = scanner->query.length,
                   more = scanner->cutoff->swaps != 0;
    const int64_t shortest = lengths[reach->first_run], longest = lengths[reach->end_run - 1], most = reach->most;
    const akin_slice_job job = {.places = slicer->places,
                                .rows = slicer->rows,
                                .query = slicer->query_kinds + (size_t)number * AKIN_SLICE_LONGEST,
                                .length = length,
                                .columns = columns_of((uint32_t)longest),
                                .kinds = slicer->kinds.count,
                                .low = -((most + longest - length) / 2 + more),
                                .high = (most + length - shortest) / 2 + more,
                                .common = slicer->common};
    slicer->kinds.slices->subsequences(&job);
}

/* Hands over the strings of a piece that have enough in common. */
static int offer(const akin_slicer *slicer, akin_scanner *scanner, uint32_t run, const piece *piece)
{
    uint64_t found[AKIN_SLICE_STRINGS / 64];
    uint32_t places[AKIN_SLICE_STRINGS], count = 0;
    scanner->screened += piece->end - piece->first;
    if (!slicer->kinds.slices->find(slicer->common, piece->least, AKIN_SLICE_COLUMNS + 1, found))
        return 1;
    for (uint32_t at = piece->first - slicer->first, end = piece->end - slicer->first; at < end; at++) {
        const uint64_t left = found[at / 64] >> at % 64;
        at += left ? (uint32_t)__builtin_ctzll(left) : 63 - at % 64;
        places[count] = slicer->first + at;
        count += left && at < end;
    }
    return count == 0 || akin_scanner_offer(scanner, run, places, count);
}

int akin_slicer_screen(akin_slicer *slicer, uint32_t number, akin_scanner *scanner, int *any)
{
    const reach reach = reach_of(slicer, scanner);
    if (reach.end_run == 0)
        return 1;
    *any = 1;
    if (reach.is_bounded) {
        if (!slicer->has_places && !set_places(slicer))
            return 0;
        count_common(slicer, number, scanner, &reach);
    }
    for (uint32_t run = reach.first_run; run < reach.end_run; run++) {
        const piece piece = piece_of(slicer, scanner, run);
        if (!scanner->limits[run].any)
            continue;
        if (!(piece.least > 0 ? offer(slicer, scanner, run, &piece)
                              : akin_scanner_screen(scanner, run, piece.first, piece.end)))
            return 0;
    }
    return 1;
}
