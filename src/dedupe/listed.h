/* Pairs of lists: of each record its partners behind it. */
#ifndef AKIN_DEDUPE_LISTED_H
#define AKIN_DEDUPE_LISTED_H

#include "dedupe/selector.h"

/* For selectors with `starts` and `order`, where place i is record i. */
extern const akin_pairing akin_pairing_listed;

#endif
