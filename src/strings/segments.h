/*
 * An index of the segments of a batch. It finds the strings within some edits of another one. If a string is cut into
 * more segments than edits can touch, at least one segment is unchanged in the other string, and near its old place
 * (Li, Deng, Wang, Feng: Pass-Join, PVLDB 5(3), 2011, sections 3 and 4).
 *
 *     run of length l    | segment 0 | segment 1 | ... | segment n - 1 |   n = edits + 1, of equal length or one more
 *     table of the run   starts    | bucket 0 | bucket 1 | ...             by the hash of a segment and its number
 *                        entries   | mark, place | mark, place | ...
 *
 * A run gets a table if a lookup seems to take less time than screening all of its strings. This depends on how often
 * segments are equal, which is sampled.
 */
#ifndef AKIN_STRINGS_SEGMENTS_H
#define AKIN_STRINGS_SEGMENTS_H

#include <stdatomic.h>

#include "strings/batch.h"
#include "strings/cutoff.h"

#define AKIN_SEGMENTS_MANY UINT32_MAX

typedef struct akin_segments_entry {
    uint32_t mark, place;
} akin_segments_entry;

/* A run's table. */
typedef struct akin_segments_run {
    uint32_t count; /* segments of a string; 0: there is no table */
    uint32_t most;  /* entries that are looked at for a probe: if there are more all strings may as well be screened */
    uint32_t shift; /* of a hash, to its bucket */
    uint64_t power[2];        /* of the base of hashes: to the length of the shorter segments, and of the longer ones */
    _Atomic uint32_t *starts; /* of each bucket, and the end of the last */
    akin_segments_entry *entries;
} akin_segments_run;

typedef struct akin_segments {
    akin_account *account;
    const akin_cutoff *cutoff;
    const akin_strings_batch *batch;
    akin_segments_run *runs; /* NULL: no run has a table */
    double seconds;          /* that a thread would take for the join, about, if it does what seems best of each run */
    double seconds_screened; /* and if it screened all */
} akin_segments;

/* How it is decided which runs have tables. */
typedef enum akin_segments_wish { AKIN_SEGMENTS_WORTH, AKIN_SEGMENTS_NONE, AKIN_SEGMENTS_ALL } akin_segments_wish;

/*
 * Chooses the runs of `batch` that get tables, for probes of another batch, or with `same` for its own probes, which
 * meet the strings behind them. Under a bound tables take a quarter of the free memory. The cutoff and the batch are
 * borrowed. The caller clears the result in any case. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
akin_status akin_segments_choose(const akin_scope *scope, akin_account *account, const akin_cutoff *cutoff,
                                 const akin_strings_batch *probes, const akin_strings_batch *batch, int same,
                                 akin_segments_wish wish, akin_segments *out, akin_error *error);

/* Makes the tables; of zeros there are none. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_segments_make(const akin_scope *scope, akin_segments *segments, akin_error *error);
void akin_segments_clear(akin_segments *segments);

/* Of the number of buckets of a table: there are one to two entries in each. */
uint32_t akin_segments_bits(uint64_t entries);

static inline int akin_segments_has(const akin_segments *segments, uint32_t run)
{
    return segments->runs && segments->runs[run].count > 0;
}

/* A string whose like are looked up. */
typedef struct akin_segments_probe {
    uint64_t *prefixes; /* the hash of its first i symbols */
    uint64_t bag;       /* the first word of its bag */
    uint32_t length;
} akin_segments_probe;

/* Reserves memory for strings of up to `longest` symbols, which the owner frees (0: memory is short); and sets the
 * string. */
int akin_segments_probe_reserve(akin_account *account, akin_segments_probe *probe, uint32_t longest);
void akin_segments_probe_set(akin_segments_probe *probe, const akin_symbols *symbols, const akin_bag *bag);

/*
 * The strings of a run that has a table, from place `from` on, that may be within `edits` of the probe, and for which
 * the first words of the bags differ in at most `apart` bits. `places` gets their places, ascending, each once, and has
 * room for the run's `most`. AKIN_SEGMENTS_MANY: there are more entries than that.
 */
uint32_t akin_segments_seek(const akin_segments *segments, uint32_t run, const akin_segments_probe *probe,
                            uint32_t edits, int64_t apart, uint32_t from, uint32_t *places);

#endif
