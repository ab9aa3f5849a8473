/* Names, in which initials may stand for words. */
#ifndef AKIN_STRINGS_INITIALS_H
#define AKIN_STRINGS_INITIALS_H

#include "strings/comparer_functions.h"

extern const akin_comparer_functions akin_initials_functions;

#endif
