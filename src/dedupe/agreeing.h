/*
 * Pairs of records at random, of those that have the same value:
 *
 *     of       2 0 2 1 2 0         the values of records
 *     counts   2 1 3               of each value, its records
 *     pairs    0 1 2 3             (1, 5) | (0, 2) (0, 4) (2, 4): by value and, within it, by the larger record
 *
 * Of two tables they are pairs of a left and a right record. There is no list of the records of each value: the records
 * of the pairs that were drawn are looked up in one pass over all values.
 */
#ifndef AKIN_DEDUPE_AGREEING_H
#define AKIN_DEDUPE_AGREEING_H

#include "base/memory.h"
#include "base/scope.h"

typedef struct akin_agreeing {
    const uint32_t *of;     /* of each record its value, or AKIN_VALUE_NONE */
    const uint32_t *counts; /* of each value: the records that have it, */
    const uint32_t *lefts;  /* and those of the left table, which come first; NULL: there is one table */
    uint32_t records, values;
} akin_agreeing;

/* How many pairs agree. */
uint64_t akin_agreeing_pairs(const akin_agreeing *agreeing);

/* Draws `count` of them, as long as there is any, into pairs[2 i] and pairs[2 i + 1]: each `at_once` of them from a
 * seed of their own, `seed` and the next ones. Errors, without a message: AKIN_E_NOMEM. */
akin_status akin_agreeing_draw(const akin_agreeing *agreeing, akin_account *account, uint64_t seed, uint32_t count,
                               uint32_t at_once, uint32_t *pairs);

#endif
