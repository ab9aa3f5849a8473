/* Comparators of symbols. */
#ifndef AKIN_STRINGS_COMPARER_SYMBOLS_H
#define AKIN_STRINGS_COMPARER_SYMBOLS_H

#include "strings/comparer_functions.h"

extern const akin_comparer_functions akin_edits_functions;   /* edit distances */
extern const akin_comparer_functions akin_matches_functions; /* Jaro, Jaro-Winkler */

#endif
