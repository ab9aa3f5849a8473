/* Blocks: records whose keys are equal. */
#ifndef AKIN_DEDUPE_SELECT_BLOCK_H
#define AKIN_DEDUPE_SELECT_BLOCK_H

#include "dedupe/selector.h"

extern const akin_pairing akin_pairing_same;

akin_status akin_select_block(const akin_selecting *job, akin_selector *selector, akin_error *error);

#endif
