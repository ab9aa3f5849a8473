/* Copies some sets of a collection into a collection of their own, which is ranked by itself. */
#ifndef AKIN_SETS_GATHER_H
#define AKIN_SETS_GATHER_H

#include "sets/sets.h"

/* The bytes that a copy takes: for each token, and for each set. */
#define AKIN_GATHER_TOKEN sizeof(uint32_t)
#define AKIN_GATHER_SET   sizeof(uint64_t)

/* Copies rows[0] .. rows[count - 1], by all threads: they become rows 0 .. count - 1. The caller calls
 * akin_gathered_clear in any case. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_sets_gather(const akin_scope *scope, akin_account *account, const akin_sets *sets,
                             const uint32_t *rows, uint32_t count, akin_sets *out, akin_error *error);

void akin_gathered_clear(akin_sets *sets);

#endif
