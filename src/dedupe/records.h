/* The records of two tables, or of one, which are numbered: those of the right table behind those of the left. */
#ifndef AKIN_DEDUPE_RECORDS_H
#define AKIN_DEDUPE_RECORDS_H

#include "base/scope.h"

#include <math.h>

/* Two tables, or one and none, and how many records they have together. */
typedef struct akin_records {
    const akin_column *columns[2]; /* of each table its columns */
    uint32_t tables, rows[2], count;
    const uint32_t *stand_for; /* of each record how many equal ones it stands for (distinct_records.h); NULL: itself */
} akin_records;

/* How many records a record stands for. */
static inline uint32_t akin_records_stands_for(const akin_records *records, uint32_t record)
{
    return records->stand_for ? records->stand_for[record] : 1;
}

/* The pairs that there are. */
static inline uint64_t akin_records_pairs(const akin_records *records)
{
    uint64_t n = records->count;
    return records->tables == 2 ? (uint64_t)records->rows[0] * records->rows[1] : n > 0 ? n * (n - 1) / 2 : 0;
}

/* Pair `number` of those that items make: (0, 1), (0, 2), (1, 2), (0, 3), ... */
static inline void akin_pair_of_number(uint64_t number, uint64_t *smaller, uint64_t *larger)
{
    uint64_t i = (uint64_t)((1 + sqrt(1 + 8 * (double)number)) / 2);
    while (i * (i - 1) / 2 > number)
        i--;
    while ((i + 1) * i / 2 <= number)
        i++;
    *smaller = number - i * (i - 1) / 2;
    *larger = i;
}

/* In a loop over records: checks for cancellation, at record 0 and now and then. Errors: AKIN_E_CANCELLED. */
static inline akin_status akin_records_check_cancelled(const akin_scope *scope, uint32_t record, akin_error *error)
{
    if (record % 65536 != 0 || akin_scope_report(scope, NULL, 0, 0) == AKIN_OK)
        return AKIN_OK;
    return akin_fail(error, AKIN_E_CANCELLED, "cancelled");
}

#endif
