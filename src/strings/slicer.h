/*
 * Several queries against a batch, slice by slice: what a query has in common with the strings of a slice bounds their
 * distances (strings/slices.h), and a scanner compares what that leaves.
 *
 *     slice --> places of symbols, once --> each query: common subsequences --> candidates of its scanner
 *
 * Setting the places takes longer than comparing a query with them, so queries should be many.
 */
#ifndef AKIN_STRINGS_SLICER_H
#define AKIN_STRINGS_SLICER_H

#include "strings/scan.h"
#include "strings/slices.h"

typedef struct akin_slicer {
    akin_account *account;
    const akin_strings_batch *batch;
    akin_slice_kinds kinds;
    uint8_t *query_kinds;    /* the kinds of the symbols of queries, AKIN_SLICE_LONGEST of each */
    uint64_t *rows, *common; /* as akin_slice_job has them */
    uint64_t *places, room;
    /* the slice at hand: strings first to end - 1, which begin in a run */
    uint32_t first, end, run;
    int has_places;
} akin_slicer;

/* Whether it serves a cutoff and a batch: edits are counted, and symbols are bytes. */
int akin_slicer_serves(const akin_cutoff *cutoff, const akin_strings_batch *batch);

/* Begins, for at most `queries` queries. 0: memory is short. The caller clears the slicer in any case. */
int akin_slicer_begin(akin_slicer *slicer, akin_account *account, akin_cpu cpu, const akin_strings_batch *batch,
                      uint32_t queries);
void akin_slicer_clear(akin_slicer *slicer);

/* Forgets all queries; adds one, number 0, 1 .. in this order, of at most AKIN_SLICE_LONGEST symbols in the batch's
 * alphabet. */
void akin_slicer_empty(akin_slicer *slicer);
void akin_slicer_add(akin_slicer *slicer, uint32_t number, const akin_symbols *query);

/* Takes a slice, strings of the batch from `first` on; where it ends. Or those before `end`; where it begins. */
uint32_t akin_slicer_take_from(akin_slicer *slicer, uint32_t first);
uint32_t akin_slicer_take_before(akin_slicer *slicer, uint32_t end);

/* Holds a query, which a scanner of no tables has, against the slice: sets limits, and hands candidates over. *any is
 * set if a string of the slice has a length that permits it. 0: memory is short, or the scanner wants no more. */
int akin_slicer_screen(akin_slicer *slicer, uint32_t number, akin_scanner *scanner, int *any);

#endif
