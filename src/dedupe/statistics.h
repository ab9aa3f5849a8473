/* The statistics by which comparators weigh tokens: those that options have, checked. */
#ifndef AKIN_DEDUPE_STATISTICS_H
#define AKIN_DEDUPE_STATISTICS_H

#include "base/error.h"
#include "dedupe/records.h"

/* Checks the statistics of attributes, after the attributes have been checked. Errors: AKIN_E_OPTION, AKIN_E_INPUT. */
akin_status akin_dedupe_statistics_check(const akin_dedupe_options *options, akin_error *error);

/* Checks a column of tables whose records are counted, and how many they are. Errors: AKIN_E_OPTION, AKIN_E_INPUT,
 * AKIN_E_LIMIT. */
akin_status akin_dedupe_statistics_check_rows(const akin_records *records, uint32_t column, akin_error *error);

#endif
