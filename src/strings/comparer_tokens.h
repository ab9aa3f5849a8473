/* Comparators of sets of tokens. */
#ifndef AKIN_STRINGS_COMPARER_TOKENS_H
#define AKIN_STRINGS_COMPARER_TOKENS_H

#include "strings/comparer_functions.h"

extern const akin_comparer_functions akin_token_sets_functions; /* words, or q-grams */

#endif
