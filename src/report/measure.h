/*
 * Measures pairs of records to the end: how alike the values are by each attribute, which the scorer, being after the
 * pairs that reach a threshold, mostly need not know.
 */
#ifndef AKIN_REPORT_MEASURE_H
#define AKIN_REPORT_MEASURE_H

#include "dedupe/scorer.h"

#define AKIN_MEASURED_LOW (-1.) /* below the attribute's threshold; the values are too long to find out by how much */

/* Two records as one number, the lower one first. */
static inline uint64_t akin_two_records(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* What measuring a pair costs, in the cells of a table of the symbols of both values. */
uint64_t akin_measure_cells(const akin_scoring *scoring, uint64_t pair);

/* What is measured of pairs, in arrays with room for all of them. Those by attribute have one number a pair and
 * attribute. */
typedef struct akin_measured {
    double *each;             /* by attribute: similarities as they are, NAN where a value is missing */
    double *counts;           /* by attribute: its weight times its similarity, or 0; NULL: not wanted */
    double *averages;         /* the averages of these, the same double as the scorer's where it has one */
    uint8_t *reached;         /* how many of the thresholds, as the scorer would decide; NULL: that is not wanted */
    akin_ratio thresholds[2]; /* rising */
} akin_measured;

/* Measures `count` pairs with the scope's threads. Errors: AKIN_E_NOMEM, AKIN_E_LIMIT, AKIN_E_CANCELLED. */
akin_status akin_measure_pairs(const akin_scope *scope, const akin_scoring *scoring, const uint64_t *pairs,
                               uint64_t count, const akin_measured *out, akin_error *error);

#endif
