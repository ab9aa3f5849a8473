/* How pairs of records are selected: the table of selections, and the table of their arguments. */
#ifndef AKIN_DEDUPE_SELECTIONS_H
#define AKIN_DEDUPE_SELECTIONS_H

#include "dedupe/selection_row.h"

extern const akin_choice_table akin_selections;

/* The row of a selection; NULL: there is none. */
const akin_selection_row *akin_selection_row_of(akin_selection_kind kind);

/* The parts that a selection looks at. */
uint32_t akin_selection_parts(const akin_selection *selection);

/* What a missing value contributes; a value is an akin_missing. */
extern const akin_choice_table akin_missing_ways;

/* Where weights come from; a value is an akin_weighting. */
extern const akin_choice_table akin_weightings;

/* The selector of a selection without any arrays. The records stay the caller's. */
akin_selector akin_selector_begin(const akin_selection *selection, const akin_records *records);

/* Makes the arrays of a selector that has begun. The caller clears it in any case. Errors: AKIN_E_NOMEM, AKIN_E_IO. */
akin_status akin_selector_make(const akin_selecting *job, akin_selector *selector, akin_error *error);

#endif
