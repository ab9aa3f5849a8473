/* Pairs that the caller gives. */
#ifndef AKIN_DEDUPE_SELECT_GIVEN_H
#define AKIN_DEDUPE_SELECT_GIVEN_H

#include "dedupe/selector.h"

/* Whether the tables have the rows of all given pairs. Errors: AKIN_E_INPUT, AKIN_E_CANCELLED. */
akin_status akin_given_check(const akin_scope *scope, const akin_dedupe_options *options, const akin_records *records,
                             akin_error *error);

akin_status akin_select_given(const akin_selecting *job, akin_selector *selector, akin_error *error);
double akin_select_given_expected(const akin_dedupe_options *options, const akin_selection *selection,
                                  const akin_records *records);

#endif
