/* The rows of a collection by size: classes of rows of one size, without the empty ones. */
#ifndef AKIN_SETS_CLASSES_H
#define AKIN_SETS_CLASSES_H

#include "base/bulk.h"

/* The members are those of akin_ranked, see sets/ranked.h. */
typedef struct akin_set_classes {
    uint32_t count;
    uint32_t *row; /* by size, and then rising */
    uint32_t classes;
    uint32_t *class_size;
    uint32_t *class_first;
    uint64_t *offsets; /* where the tokens of each of these rows begin in the collection; or NULL */
} akin_set_classes;

/*
 * Finds the classes. out->row is in `rows`, an empty array that stays its owner's. With offsets there is room for one
 * more of them than there are rows. After an error the caller frees what was made by then. Errors: AKIN_E_NOMEM,
 * AKIN_E_IO, AKIN_E_CANCELLED.
 */
akin_status akin_set_classes_make(const akin_scope *scope, akin_account *account, const akin_sets *sets,
                                  akin_bulk *rows, int with_offsets, akin_set_classes *out, akin_error *error);

#endif
