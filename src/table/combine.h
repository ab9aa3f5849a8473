/*
 * Several columns as one, which is the only rule for that:
 *
 *     name      city       combined
 *     "Ann"     "Lodz"     "Ann Lodz"
 *     "Bob"     null       "Bob"
 *     ""        "Ulm"      "Ulm"
 *     null      ""         ""
 */
#ifndef AKIN_TABLE_COMBINE_H
#define AKIN_TABLE_COMBINE_H

#include "base/bulk.h"

/* Combines `count` columns, those that `which` lists (NULL: the first ones), in empty arrays that the caller clears in
 * any case: rows + 1 offsets, and the text. Errors: AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_columns_combine(const akin_scope *scope, const akin_column *columns, const uint32_t *which,
                                 uint32_t count, uint32_t rows, akin_bulk *offsets, akin_bulk *bytes,
                                 akin_error *error);

/* As the public function, within a scope. */
akin_status akin_table_combine_within(const akin_scope *scope, const akin_column *columns, uint32_t count,
                                      uint32_t rows, akin_table **out, akin_error *error);

#endif
