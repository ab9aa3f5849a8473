/* The texts of a reference table that are nearest to each other: candidates for a wrong join. */
#ifndef AKIN_DEDUPE_REFERENCE_SEARCH_H
#define AKIN_DEDUPE_REFERENCE_SEARCH_H

#include "dedupe/values.h"

#define AKIN_REFERENCE_NEAREST 10 /* by runs of characters, and as many by words */
#define AKIN_REFERENCE_MOST    (2 * AKIN_REFERENCE_NEAREST)

/* The others of each value: partners[value * AKIN_REFERENCE_MOST] and the next ones, up to AKIN_VALUE_NONE. They are
 * values of the left table, and so is `value`; others have none. `partners` has room for all values. Errors: those of
 * akin_neighbour_texts_make, AKIN_E_CANCELLED. */
akin_status akin_reference_search(const akin_scope *scope, akin_account *account, const akin_values *values,
                                  uint32_t *partners, akin_error *error);

#endif
