/*
 * The leader of a code is the first record that has it. The text of the other records is not read, because it is that
 * of their leader.
 *
 *     record     0 1 2 3 4 5
 *     code       7 2 7 - 2 7
 *     records    0 1             leaders
 *     of         0 1 0 - 1 0
 *
 * In a table without codes each record is its own leader.
 */
#ifndef AKIN_DEDUPE_LEADERS_H
#define AKIN_DEDUPE_LEADERS_H

#include "base/memory.h"
#include "base/scope.h"
#include "dedupe/records.h"

typedef struct akin_leaders {
    uint32_t *records; /* rising; to be freed */
    uint32_t count;
} akin_leaders;

/* Whether a table's column has codes. */
int akin_records_have_codes(const akin_records *records, uint32_t column);

/* Finds the leaders. of[record] receives the number of its leader, or AKIN_NUMBER_NONE where the code is
 * AKIN_CODE_NONE. Errors: AKIN_E_OPTION (a code that is not below code_count, or a null with a code), AKIN_E_NOMEM,
 * AKIN_E_CANCELLED. */
akin_status akin_leaders_find(const akin_scope *scope, akin_account *account, const akin_records *records,
                              uint32_t column, uint32_t *of, akin_leaders *out, akin_error *error);

#endif
