/*
 * The order of preference of documents: by the length of a text or by a value, and then by their ids. The order is made
 * by sorting on chunks of 64 bits. Rows that are equal in a chunk are sorted by the next one:
 *
 *     value      number   | 00 upper bits | lower bits |            a chunk of text has 7 bytes, and behind them
 *                text     | 01 | 7 bytes, count | ... |             how many of them there are; 8: more follow
 *                null     | 10 |
 *     id         the same
 *     row
 */
#ifndef AKIN_CORPUS_PREFERENCE_H
#define AKIN_CORPUS_PREFERENCE_H

#include "base/bulk.h"
#include "base/choice.h"

/* The rows of --keep, beside the name of a column. */
extern const akin_choice_table akin_keeps;

/* Makes the order in *order, an empty array: rows as uint32_t, the preferred ones first. With AKIN_KEEP_FIRST it stays
 * empty, as rows are in their order. The options have been checked. Errors: AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED.
 */
akin_status akin_preference_order(const akin_scope *scope, akin_account *account,
                                  const akin_duplicates_options *options, const akin_column *documents, uint32_t rows,
                                  akin_bulk *order, akin_error *error);

#endif
