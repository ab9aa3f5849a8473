/* The sorted neighbourhood: records near one another in the order of a key. */
#ifndef AKIN_DEDUPE_SELECT_WINDOW_H
#define AKIN_DEDUPE_SELECT_WINDOW_H

#include "dedupe/selector.h"

extern const akin_pairing akin_pairing_near;

/* The keys that records have been sorted by: those in the order of the records, or those of the records themselves. */
typedef struct akin_sorted_keys {
    const uint32_t *order;
    const uint32_t *sorted; /* NULL: they are those of records, */
    const uint64_t *of_records;
} akin_sorted_keys;

/* Adds the pairs of records that have equal keys other than 0, and those of them in a window, to *known. Errors:
 * AKIN_E_CANCELLED. */
akin_status akin_window_count(const akin_scope *scope, const akin_records *records, uint32_t window,
                              const akin_sorted_keys *keys, akin_selected *known, akin_error *error);

akin_status akin_select_window_check(const akin_selection *selection, uint32_t at, akin_error *error);
akin_status akin_select_window(const akin_selecting *job, akin_selector *selector, akin_error *error);
double akin_select_window_expected(const akin_dedupe_options *options, const akin_selection *selection,
                                   const akin_records *records);

#endif
