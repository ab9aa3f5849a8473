/* Pairs of lists: of each record its partners behind it. */
#ifndef AKIN_DEDUPE_LISTED_H
#define AKIN_DEDUPE_LISTED_H

#include "dedupe/selector.h"

/* For selectors with `starts` and `order`, where place i is record i. */
extern const akin_pairing akin_pairing_listed;

/* A pair of records as a number, and the number of none. */
#define AKIN_LISTED_NONE UINT64_MAX

static inline uint64_t akin_listed_pair(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* Makes `starts` and `order` of pairs, which it sorts and keeps once. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_listed_make(const akin_selecting *job, uint64_t *pairs, uint64_t count, akin_selector *selector,
                             akin_error *error);

#endif
