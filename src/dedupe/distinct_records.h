/*
 * The distinct records of a job with given weights, where very many records are equal in all columns that are compared
 * or that select pairs. Copies are in the same pairs: so two records of a group of equal ones stand for all of them,
 * the first one for all but one. The pair of these two says whether and how the records of the group are pairs.
 *
 *     record      0 1 2 3 4 5
 *     values      a b a a b c
 *     kept        0 1 2   4 5
 *     stand_for   2 1 1   1 1
 *     groups      0 1 0   1 2
 *
 * That holds where selections look at the two records of a pair alone (akin_selection_row), and where no record
 * competes for others. The report of a job, learnt weights and answers look at single pairs, and see all records.
 */
#ifndef AKIN_DEDUPE_DISTINCT_RECORDS_H
#define AKIN_DEDUPE_DISTINCT_RECORDS_H

#include "dedupe/equals.h"
#include "join/equal_rows.h"

typedef struct akin_distinct_records {
    akin_equal_rows equal; /* of all records */
    akin_equals kept;      /* the records that are kept */
    uint32_t *stand_for, *groups;
} akin_distinct_records;

/* Sets *pay if it pays to keep distinct records: the job permits it, and there are enough equal ones. Errors:
 * AKIN_E_NOMEM. */
akin_status akin_distinct_records_pay(const akin_dedupe_job *job, int *pay, akin_error *error);

/* Makes them. The caller clears them in any case. Errors: AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_distinct_records_make(akin_dedupe_job *job, akin_distinct_records *out, akin_error *error);
void akin_distinct_records_clear(akin_distinct_records *distinct);

/*
 * Hands over what the job on these records has found, as pairs of all records, and counts it; job->records and the
 * clusters of the options are those of all records. *handed is set if clusters or the sink have received any. Errors:
 * AKIN_E_NOMEM, AKIN_E_CANCELLED, those of the clusters.
 */
akin_status akin_distinct_records_deliver(akin_dedupe_job *job, akin_distinct_records *distinct, akin_scored_sink sink,
                                          void *user, int *handed, akin_error *error);

#endif
