/*
 * Match counts by inverted lists: the objects of a range are counted together, as the segments of a query's keywords
 * say. Places are counted one by one; bitmaps are added while the counters are swept, in which those that count enough
 * are found, and all cleared. A range in which no object can count enough is left out.
 *
 * Counters are bytes. Where objects may count more, places are counted in 32 bits, and bitmaps in bytes, as many at a
 * time as these hold, which are added.
 */
#ifndef AKIN_SEARCH_TALLY_H
#define AKIN_SEARCH_TALLY_H

#include "search/query.h"
#include "search/top.h"
#include "sets/sweep.h"

/* A place has 16 bits in a cell, of a file that others may change: there is a counter for each, and only those of
 * objects are looked at. */
#define AKIN_TALLY_COUNTERS (UINT16_MAX + 1)

/* Of a keyword in a query: what is left of its list. */
typedef struct akin_tally_list {
    const akin_segment *at, *end;
    const uint16_t *cells; /* of the keyword */
    uint32_t begin;        /* of the segment at hand, among them */
    uint32_t weight;
} akin_tally_list;

/* A range whose counters are 8 bits wide, in which what counts enough is to be found. */
typedef struct akin_tally_job {
    const akin_sweep *sweep;
    uint8_t *counters; /* of the range, AKIN_TALLY_COUNTERS of them */
    const akin_sweep_bits *bits;
    uint32_t bit_count;
    uint32_t first; /* object of the range */
    uint32_t count; /* of its objects */
    akin_top *top;  /* whose `least` is at most 255 to begin with */
} akin_tally_job;

/* Counts the bitmaps from `first` on, too, and adds what counts enough to the top. Counters are of no use
 * afterwards. */
typedef void (*akin_tally_find)(const akin_tally_job *job, uint32_t first);

/* Of places from `at` on, a bit each: those that objects have. */
static inline uint64_t akin_tally_objects(const akin_tally_job *job, uint32_t at, uint64_t places)
{
    const uint32_t left = job->count > at ? job->count - at : 0;
    return left >= 64 ? places : places & ((UINT64_C(1) << left) - 1);
}

/* That of a SIMD level; all do the same. */
akin_tally_find akin_tally_find_choose(akin_cpu cpu);
void akin_tally_find_neon(const akin_tally_job *job, uint32_t first);
void akin_tally_find_avx2(const akin_tally_job *job, uint32_t first);
void akin_tally_find_avx512(const akin_tally_job *job, uint32_t first);

/* What a thread counts in. */
typedef struct akin_tally {
    const akin_objects *objects;
    const akin_sweep *sweep;
    akin_tally_find find;
    uint8_t *counters; /* zeros between ranges */
    uint32_t *wide;    /* the same where counts may be larger than 255; NULL until there was such a query */
    akin_tally_list *lists;
    akin_sweep_bits *bits; /* of the range at hand */
    uint64_t list_count, lists_room, bits_room, bit_count;
} akin_tally;

/* 0: there is no memory. To be cleared whatever it returns. */
int akin_tally_begin(akin_tally *tally, const akin_objects *objects, akin_cpu cpu);
void akin_tally_clear(akin_tally *tally);

/* Adds to `top`, which was reset, what a query counts in the objects of ranges `first` to `end` - 1; no object counts
 * more than `most`. Errors, without a message: AKIN_E_NOMEM. */
akin_status akin_tally_query(akin_tally *tally, const akin_query_item *items, uint64_t count, uint64_t most,
                             uint32_t first, uint32_t end, akin_top *top);

#endif
