/*
 * Counts the tokens that a set shares with many others, range by range, by the sets that hold each of its tokens:
 *
 *     rank       | rarest | ..            | most frequent |
 *     its sets     a list   a list          a bit of each set
 *
 * The most frequent tokens have bitmaps: those for which a bitmap takes no more memory than a list. SIMD adds the
 * bitmaps to the counters, and finds the counters that are large enough.
 */
#ifndef AKIN_JOIN_OVERLAPS_H
#define AKIN_JOIN_OVERLAPS_H

#include "base/memory.h"
#include "sets/ranked.h"
#include "sets/sweep.h"

#define AKIN_OVERLAPS_RANGE 32768u /* sets at most whose counters stay in the cache; a multiple of AKIN_SWEEP_PLACES */

typedef struct akin_overlaps {
    uint32_t count;  /* sets */
    uint64_t listed; /* ranks that have lists */
    uint64_t *start; /* listed + 1 */
    uint32_t *entry; /* sets, ascending */
    uint8_t *bitmaps;
    uint64_t bytes; /* of a bitmap */
    const akin_sweep *sweep;
} akin_overlaps;

/* Inverts sets. To be cleared in any case. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_overlaps_build(const akin_scope *scope, akin_account *account, const akin_ranked *sets,
                                akin_overlaps *out, akin_error *error);
void akin_overlaps_clear(akin_overlaps *overlaps);

/* How many ranks have lists. sets_of[r] of all `sets` sets hold rank r. Ranks after these have bitmaps. */
uint64_t akin_overlaps_listed(const uint64_t *sets_of, uint64_t universe, uint32_t sets);

typedef struct akin_overlaps_list {
    const uint32_t *first, *end;
} akin_overlaps_list;

/* What a thread counts in. */
typedef struct akin_overlap_counter {
    const akin_overlaps *overlaps;
    uint8_t *bytes; /* of each set of a range; zeros between ranges */
    uint32_t *sums; /* the same for sets of more tokens than a byte counts; NULL: there are none */
    uint16_t *found;
    akin_sweep_bits *bits;
    akin_overlaps_list *lists; /* within the range, of the rarest `known` tokens */
    /* the set, and the range, at hand */
    const uint32_t *tokens;
    uint32_t size, first, end;
    uint32_t known, listed; /* numbers of its rarest tokens: those looked at, and those of them that have lists */
} akin_overlap_counter;

/* Begins, for sets of `most` tokens at most. 0: there is no memory. The caller ends it in any case. */
int akin_overlaps_begin(akin_overlap_counter *counter, akin_account *account, const akin_overlaps *overlaps,
                        uint32_t most);
void akin_overlaps_end(akin_overlap_counter *counter);

/* Takes a set, and sets `first` to `end` - 1, a range; `first` is a multiple of AKIN_SWEEP_PLACES. */
void akin_overlaps_take(akin_overlap_counter *counter, const uint32_t *tokens, uint32_t size, uint32_t first,
                        uint32_t end);

/* How many counts the lists of the rarest `some` tokens have in the range; some at most counter->listed. */
uint64_t akin_overlaps_postings(akin_overlap_counter *counter, uint32_t some);

/* Counts all tokens. akin_overlaps_find may follow; after it the counters must be reset. */
void akin_overlaps_count(akin_overlap_counter *counter);
void akin_overlaps_reset(akin_overlap_counter *counter);

/* Lists the sets from `first` to `end` - 1 that have `least` or more tokens in common, at least 1, in counter->found,
 * as places from `first` on. Returns how many. */
uint32_t akin_overlaps_find(akin_overlap_counter *counter, uint32_t first, uint32_t end, uint64_t least);

/* What a set has in common. */
static inline uint32_t akin_overlaps_of(const akin_overlap_counter *counter, uint32_t set)
{
    return counter->size > UINT8_MAX ? counter->sums[set - counter->first] : counter->bytes[set - counter->first];
}

/* Forgets it: it is not found any more. */
static inline void akin_overlaps_drop(akin_overlap_counter *counter, uint32_t set)
{
    if (counter->size > UINT8_MAX)
        counter->sums[set - counter->first] = 0;
    else
        counter->bytes[set - counter->first] = 0;
}

/* Counts the rarest `some` tokens only, at most 255, which have lists, and lists the sets that have any of them, as
 * places from the first of the range on. Returns how many. The caller sets their counters, counter->bytes, to 0. */
uint32_t akin_overlaps_meet(akin_overlap_counter *counter, uint32_t some);

#endif
