/*
 * The edit distances of a query and its candidates, which are compared in lanes, in the order of their lengths: of
 * short queries where they are, of longer ones copied side by side, as strings/lanes.h wants them. The rest is compared
 * one by one.
 */
#ifndef AKIN_SEARCH_NEAREST_VERIFY_H
#define AKIN_SEARCH_NEAREST_VERIFY_H

#include "search/ordered.h"
#include "strings/lanes.h"
#include "strings/pattern.h"

#define AKIN_VERIFY_MOST 64 /* candidates at once */

/* The distances of strings of AKIN_LANES_LONGEST bytes at most, whose lengths do not fall, and a query of 1 to 64
 * bytes; 0: of too many distinct ones. */
typedef int (*akin_verify_short)(const akin_ordered *ordered, const akin_symbols *query, const uint32_t *strings,
                                 uint32_t count, uint32_t *distances);
int akin_verify_avx512(const akin_ordered *ordered, const akin_symbols *query, const uint32_t *strings, uint32_t count,
                       uint32_t *distances);

typedef struct akin_verifier {
    akin_verify_short verify_short; /* NULL: there is none */
    const akin_lanes *lanes;        /* likewise */
    akin_pattern pattern;           /* whose go_on the caller may set */
    uint8_t *texts;
} akin_verifier;

/* 0: there is no memory. To be cleared whatever it returns. */
int akin_verifier_begin(akin_verifier *verifier, akin_cpu cpu);
void akin_verifier_clear(akin_verifier *verifier);

/* Puts candidates, places of strings, in another order, and sets their distances, which may be anything above `most`
 * where they are above. Errors, without a message: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_verify(akin_verifier *verifier, const akin_ordered *ordered, const akin_symbols *query,
                        uint32_t *candidates, uint32_t count, uint32_t most, uint32_t *distances);

#endif
