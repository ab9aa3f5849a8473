/*
 * A column whose values are folded: a copy of the text, row by row, by all threads.
 *
 *     column     "O'Neill, Ann" | null | "LODZ"
 *     folded     "oneill ann"   | null | "lodz"       the nulls are the column's own
 */
#ifndef AKIN_TEXT_FOLDED_H
#define AKIN_TEXT_FOLDED_H

#include "base/bulk.h"
#include "text/fold.h"
#include "text/rewriter.h"

typedef struct akin_folded {
    akin_bulk offsets, bytes;
} akin_folded;

/* Folds a column of `rows` rows, and puts the copy in the place of the column's text; its name and nulls stay borrowed.
 * The account (NULL: none) is charged for the memory. Under a memory bound the copy takes at most `share` bytes of
 * memory for offsets and as many for text; the rest is in temporary files. The caller clears *out in any case. Errors:
 * AKIN_E_INPUT (the first row that is not UTF-8), AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_folded_make(const akin_scope *scope, akin_account *account, uint64_t share, uint32_t folds,
                             uint32_t rows, akin_column *column, akin_folded *out, akin_error *error);

/* The same, and then rewrites values by the forms, which are for the same folds; NULL: none. */
akin_status akin_folded_make_forms(const akin_scope *scope, akin_account *account, uint64_t share, uint32_t folds,
                                   const akin_forms *forms, uint32_t rows, akin_column *column, akin_folded *out,
                                   akin_error *error);
void akin_folded_clear(akin_folded *folded);

#endif
