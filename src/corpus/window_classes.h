/*
 * Classes of equal windows, among the windows of runs that share a key:
 *
 *     runs      [ 10 .. 14 ]    [ 70 .. 75 ]
 *     windows   10 11 12 13 14  70 71 72 73 74 75
 *     classes    0  1  2  3  4   5  1  2  3  6  7      71 to 73 are later windows of the classes of 11 to 13
 *
 * A window is looked up by its hash, and symbols decide. If the window before it is in a class, the class of the next
 * window is known from one symbol more, as long as that is the one that follows the class's first window. So windows
 * are compared as a whole where texts part, and otherwise symbol by symbol, also if there are millions of one class.
 *
 * Where memory is short, the hashes are divided into slices, and runs are walked for each slice. Hashes are sums modulo
 * 2^64, which a Thue-Morse sequence of 1024 symbols and its complement have in common: windows of such blocks are in
 * one chain, and time grows with their number.
 */
#ifndef AKIN_CORPUS_WINDOW_CLASSES_H
#define AKIN_CORPUS_WINDOW_CLASSES_H

#include "base/bulk.h"
#include "base/parallel.h"
#include "corpus/marks.h"
#include "corpus/window_runs.h"

/* A window that a span begins with: | place: 40 bits from bit 72 on | first window of its class: 40 | windows of the
 * class, at most 2^32 - 1: 32 |. */
typedef akin_u128 akin_head;

static inline uint64_t akin_head_place(akin_head head)
{
    return (uint64_t)(head >> 72);
}

static inline uint64_t akin_head_source(akin_head head)
{
    return (uint64_t)(head >> 32) & ((UINT64_C(1) << AKIN_PLACE_BITS) - 1);
}

static inline uint32_t akin_head_times(akin_head head)
{
    return (uint32_t)head;
}

/* Work that was done, which tests look at. */
typedef struct akin_classes_report {
    uint64_t walked, compared; /* windows, each as often as it was walked over; symbols of windows */
    uint64_t slices;           /* beyond the first of each group */
} akin_classes_report;

typedef struct akin_class {
    uint64_t place; /* of its first window */
    uint32_t times;
    uint32_t next; /* the class of the window behind that one; AKIN_NO_CLASS: not known */
} akin_class;

#define AKIN_NO_CLASS    UINT32_MAX
#define AKIN_CLASS_BYTES 88 /* that a class takes, at most: its entry, and its slots in a table and the next one */

/* What a thread has. */
typedef struct akin_classes {
    _Alignas(64) const akin_windows *windows;
    akin_marks *later, *first; /* later windows, and the first ones of their classes, which are marked; */
    const akin_marks *begins;  /* or the windows whose heads are wanted, while none is marked; NULL: some are */
    uint64_t most;             /* classes at once */
    uint64_t power;            /* of the base of hashes: what the symbol before a window counts */
    akin_account *account;
    akin_class *classes;
    uint64_t *slots; /* | upper half of the hash | class + 1 |; 0: free */
    uint64_t count, capacity, slot_capacity;
    uint32_t slot_bits;
    akin_bulk heads;
    uint64_t head_count;
    akin_classes_report report;
} akin_classes;

/* Begins without memory. share: of the heads, see akin_bulk_of. Fields before `power` are the caller's to fill. */
void akin_classes_begin(akin_classes *classes, const akin_scope *scope, akin_account *account, uint64_t share);
void akin_classes_clear(akin_classes *classes);

/* Frees the table; the heads stay. */
void akin_classes_release(akin_classes *classes);

/* Brings to the cache what a run is about, some time before it is walked over. */
static inline void akin_classes_prefetch(const akin_classes *classes, akin_run run)
{
    const akin_windows *windows = classes->windows;
    const akin_marks *marks = classes->begins ? classes->begins : classes->later;
    const char *end = akin_windows_at(windows, akin_run_end(run) + windows->length);
    const char *at = akin_windows_at(windows, akin_run_begin(run)), *far = end - at < 192 ? end : at + 192;
    for (; at < far; at += 64)
        __builtin_prefetch(at);
    __builtin_prefetch((const void *)&marks->words[akin_run_begin(run) / 64]);
}

/* Finds the classes of the windows of some runs, all that share a key, in ascending order; marks windows, or adds to
 * the heads. Errors: AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED (without a message). */
akin_status akin_classes_find(akin_classes *classes, const akin_run *runs, uint64_t count,
                              akin_cancellation *cancellation, akin_error *error);

#endif
