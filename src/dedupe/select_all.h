/* All pairs of records. */
#ifndef AKIN_DEDUPE_SELECT_ALL_H
#define AKIN_DEDUPE_SELECT_ALL_H

#include "dedupe/selector.h"

extern const akin_pairing akin_pairing_all;

akin_status akin_select_all(const akin_selecting *job, akin_selector *selector, akin_error *error);
double akin_select_all_expected(const akin_dedupe_options *options, const akin_selection *selection,
                                const akin_records *records);

#endif
