/* Pairs of records and those that are most alike in a column. */
#ifndef AKIN_DEDUPE_SELECT_NEAREST_H
#define AKIN_DEDUPE_SELECT_NEAREST_H

#include "dedupe/selector.h"

/* Records that a record is compared with. */
#define AKIN_NEAREST_LEAST 1
#define AKIN_NEAREST_MOST  1000

#define AKIN_NEAREST_TOKENS AKIN_TOKENS_QGRAMS /* by default, of the usual length */

akin_status akin_select_nearest_check(const akin_selection *selection, uint32_t at, akin_error *error);
akin_status akin_select_nearest(const akin_selecting *job, akin_selector *selector, akin_error *error);
double akin_select_nearest_expected(const akin_dedupe_options *options, const akin_selection *selection,
                                    const akin_records *records);

#endif
