/*
 * Text that is there again:
 *
 *     1. seen       the keys of all runs of windows (window_runs.h), and which of them occur twice, about
 *     2. parts      those runs, sorted by key, as many at once as there is memory for; among the runs of a key equal
 *                   windows (window_classes.h) are found: later ones are marked, and the first one of each class
 *     3. windows    the later windows that overlap no first one, or all that are marked; spans are what they cover,
 *                   joined where they touch
 *     4. parts      again, but only the keys of windows that spans begin with: which is the first one of their class
 *
 * A window is `length` symbols within one document: bytes, or words. It is a later one if an earlier window, of this or
 * another document, has the same symbols. The first one of a class has later ones. So what is left beside the spans has
 * every window that was there twice. The windows of a span may be copies of different places. The result does not
 * depend on threads or memory.
 */
#ifndef AKIN_CORPUS_REPEATS_H
#define AKIN_CORPUS_REPEATS_H

#include "base/bulk.h"
#include "corpus/window_runs.h"

typedef struct akin_repeats_wanted {
    akin_symbol symbol;
    uint64_t length;      /* symbols of a window: 8 to 65536 bytes, or 1 to 65536 words */
    int keep_none;        /* 0: spans are of later windows, so that one copy stays; 1: of all repeated windows */
    int whole_characters; /* spans of bytes are cut to whole characters of UTF-8, and source_begin moves with begin */
    uint64_t mask;        /* the bits of hashes that count: all, but for tests */
    uint64_t piece;       /* windows of a task at most: 0, but for tests */
    const akin_table *table; /* that the column is of, whose temporary files are let go of; NULL: none */
} akin_repeats_wanted;

typedef struct akin_repeats_report {
    uint64_t runs, paired;     /* runs of windows; those whose key occurs twice, about, as often as they were sorted */
    uint64_t parts, slices;    /* sorts; further walks over runs of a key, where memory was short */
    uint64_t walked, compared; /* windows that were walked over; symbols of them that were compared */
    uint64_t memory_peak;
} akin_repeats_report;

/* A span: symbols of a row. */
typedef struct akin_span {
    uint32_t row, source_row;
    uint64_t begin, end;
    uint64_t source_begin; /* where its first window is first in the corpus, in row source_row */
    uint32_t times;        /* how often that window is in the corpus; 2^32 - 1: as often, or more */
    uint32_t is_whole;     /* of words: it has all of the row */
} akin_span;

/* Whether the windows can be looked for. Errors: AKIN_E_OPTION. */
akin_status akin_repeats_check(const akin_repeats_wanted *wanted, akin_error *error);

/* Finds the spans of a column of symbols, of which nulls are empty: *count of them, in *spans, an empty array, by row
 * and begin. report: NULL, or for what was done. Errors: AKIN_E_OPTION, AKIN_E_LIMIT (2^40 symbols), AKIN_E_NOMEM,
 * AKIN_E_IO, AKIN_E_CANCELLED; *spans may then hold anything, and is cleared by the caller as always. */
akin_status akin_repeats_find_within(const akin_scope *scope, const akin_column *column, uint32_t rows,
                                     const akin_repeats_wanted *wanted, akin_bulk *spans, uint64_t *count,
                                     akin_repeats_report *report, akin_error *error);

#endif
