/*
 * Measures pairs of records to the end: how alike the values are by each attribute, which the scorer, being after the pairs
 * that reach a threshold, mostly need not know.
 */
#ifndef AKIN_DEDUPE_MEASURE_H
#define AKIN_DEDUPE_MEASURE_H

#include "dedupe/scorer.h"

#define AKIN_MEASURED_LOW (-1.) /* below the attribute's threshold; the values are too long to tell by how much */

/* Two records as one number, the lower one first. */
static inline uint64_t akin_two_records(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* What measuring a pair costs, in the cells of a table of the symbols of both values. */
uint64_t akin_measure_cells(const akin_scoring *scoring, uint64_t pair);

/*
 * Measures `count` pairs with the context's threads. `each` has for each pair the similarities by attribute as they are, NAN
 * where a value is missing; `averages` what these come to, the same double as the scorer's where it has one. Errors:
 * AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
akin_status akin_measure_pairs(akin_context *context, const akin_scoring *scoring, const uint64_t *pairs,
                               uint64_t count, double *each, double *averages, akin_error *error);

/* What an attribute contributes to the sum of a pair: its weight times its similarity, or 0. */
double akin_measured_contribution(const akin_scoring *scoring, uint32_t attribute, uint64_t pair, double similarity);

#endif
