/* Pairs of a join of sets: the values of a column as words or q-grams. */
#ifndef AKIN_DEDUPE_SELECT_SIMILAR_H
#define AKIN_DEDUPE_SELECT_SIMILAR_H

#include "dedupe/selector.h"

akin_status akin_select_similar_check(const akin_selection *selection, uint32_t at, akin_error *error);
akin_status akin_select_similar(const akin_selecting *job, akin_selector *selector, akin_error *error);

#endif
