/* The table of rules by which records are merged. */
#ifndef AKIN_DEDUPE_MERGE_H
#define AKIN_DEDUPE_MERGE_H

#include "base/choice.h"

extern const akin_choice_table akin_merge_rules;

#endif
