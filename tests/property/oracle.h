/*
 * The oracle of the joins: compares every pair of rows, in integers, as the definitions have it. It shares no line
 * with the library that it judges.
 */
#ifndef AKIN_TEST_ORACLE_H
#define AKIN_TEST_ORACLE_H

#include "property/rows.h"

/* Whether sets of sizes r and s that share n tokens qualify; n is at most r and s, which are below 2^32. */
int oracle_qualifies(akin_measure measure, akin_ratio threshold, uint32_t r, uint32_t s, uint32_t n);

/* The similarity itself; the denominator 0: it may be irrational. */
akin_ratio oracle_value(akin_measure measure, uint32_t r, uint32_t s, uint32_t n);

/* How many tokens two rows share. */
uint32_t oracle_overlap(const uint32_t *a, uint32_t r, const uint32_t *b, uint32_t s);

typedef struct oracle_pairs {
    akin_pair *pairs; /* sorted by (left, right) */
    uint64_t count;
} oracle_pairs;

/* All pairs of rows that are not empty, with what they share: (left row, right row), or with right NULL all pairs of
 * left rows, the lower row first. */
oracle_pairs oracle_compare(const rows *left, const rows *right);

/* Those of them that qualify, and in *compatible (may be NULL) how many could by their sizes alone. */
oracle_pairs oracle_select(const oracle_pairs *all, const rows *left, const rows *right, akin_measure measure,
                           akin_ratio threshold, uint64_t *compatible);

void oracle_clear(oracle_pairs *pairs);

#endif
