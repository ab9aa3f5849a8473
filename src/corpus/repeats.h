/*
 * Text that is there again, byte for byte:
 *
 *     1. seen       the keys of all runs of windows (window_runs.h), and which of them occur twice, about
 *     2. parts      those runs, sorted by key, as many at once as there is memory for; equal windows among the runs of
 *                   a key (window_classes.h) are marked
 *     3. spans      windows that are marked, joined where they touch
 *
 * A window is `length` bytes within one document. It is a later one if an earlier window, of this or another document,
 * has the same bytes, and a repeated one if any other window has them. The windows of a span may be copies of different
 * places. The result does not depend on threads or memory.
 */
#ifndef AKIN_CORPUS_REPEATS_H
#define AKIN_CORPUS_REPEATS_H

#include "base/bulk.h"

typedef struct akin_repeats_wanted {
    uint64_t length;      /* bytes of a window, 8 to 65536 */
    int keep_none;        /* 0: spans are of later windows, so that one copy stays; 1: of all repeated windows */
    int whole_characters; /* spans are cut to whole characters of UTF-8, and source_begin moves with begin */
    uint64_t mask;        /* the bits of hashes that count: all, but for tests */
    uint64_t piece;       /* windows of a task at most: 0, but for tests */
} akin_repeats_wanted;

typedef struct akin_repeats_report {
    uint64_t runs, paired;     /* runs of windows; those whose key occurs twice, about */
    uint64_t parts, slices;    /* sorts; further walks over runs of a key, where memory was short */
    uint64_t walked, compared; /* windows that were walked over; bytes of them that were compared */
    uint64_t memory_peak;
} akin_repeats_report;

/* Finds the spans of a column of text, of which nulls are empty: *count of them, in *spans, an empty array, by row and
 * begin. report: NULL, or for what was done. Errors: AKIN_E_OPTION, AKIN_E_LIMIT (2^40 bytes of text), AKIN_E_NOMEM,
 * AKIN_E_IO, AKIN_E_CANCELLED; *spans may then hold anything, and is cleared by the caller as always. */
akin_status akin_repeats_find_within(const akin_scope *scope, const akin_column *column, uint32_t rows,
                                     const akin_repeats_wanted *wanted, akin_bulk *spans, uint64_t *count,
                                     akin_repeats_report *report, akin_error *error);

#endif
