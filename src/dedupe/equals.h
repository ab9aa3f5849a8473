/*
 * Many records that are equal in all columns that are compared. They are one entity, unless chance explains them: many
 * people have the same gender and age. Learning sees only the first records of each group. All of them would make the
 * values of one entity look frequent, and blocks too large. In this drawing it sees one record of each group:
 *
 *     record   0 1 2 3 4 5 6        kept     0 1 5
 *     equal    a b a b a c a        pairs    (0, 2) (0, 4) (0, 6) (1, 3)
 *
 * The job runs with the records that are kept. Then each group is a cluster, together with what the job clusters with
 * any of them, and the first record of each group is in a pair with each of the others.
 */
#ifndef AKIN_DEDUPE_EQUALS_H
#define AKIN_DEDUPE_EQUALS_H

#include "dedupe/job.h"

typedef struct akin_equals {
    akin_column *columns; /* of the records that are kept; */
    akin_bulk *bulks;     /* their offsets and bytes, two a column */
    uint64_t bulk_count;
    uint32_t *rows; /* of the records that are kept: their rows, which ascend */
    uint32_t kept;
    akin_pair *pairs; /* of each group: the first record, and each other one; sorted */
    uint64_t count;
    uint64_t all; /* pairs of records of one group */
} akin_equals;

/* Returns the number of columns that equal records are equal in: those compared, without those combined of others.
 * Writes the first attribute of each to `attributes`, unless that is NULL. */
uint32_t akin_equals_attributes(const akin_dedupe_job *job, uint32_t *attributes);
/* How many records of a group the job sees. */
uint32_t akin_equals_most(uint32_t columns);
/* Whether records with values in so many of these columns may be a group. */
int akin_equals_are_telling(uint32_t present, uint32_t columns);

/* Finds groups in the only table of a job, whose columns have been checked. With a population the table must have all
 * records of each of its groups. The caller clears them in any case. If there are no groups, count is 0, and nothing is
 * made. Errors: AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_equals_find(akin_dedupe_job *job, akin_equals *out, akin_error *error);
void akin_equals_clear(akin_equals *equals);
/* Whether the job sees a record. */
int akin_equals_keeps(const akin_equals *equals, uint32_t row);

/* Copies the columns that are named, of the records equals->rows. Errors: AKIN_E_NOMEM, AKIN_E_IO. */
akin_status akin_equals_copy(akin_dedupe_job *job, akin_equals *equals, akin_error *error);

/* Makes an array over all `rows` records: the place of the record among the kept ones, or that of the record that
 * stands for it. The caller frees it. NULL: there is no memory for it. */
uint32_t *akin_equals_places(const akin_equals *equals, akin_account *account, uint32_t rows);

/* The similarity of two records of a group by each attribute: 1 where both have a value, else NAN. `columns` are those
 * of the job's records. */
void akin_equals_similarities(const akin_dedupe_options *options, const akin_column *columns, uint32_t row,
                              double *each);

/* Hands over the pairs of a job on the records that are kept, with those of the groups, as a sink does. */
typedef struct akin_equals_sink {
    const akin_equals *equals;
    const akin_dedupe_job *job;
    const akin_column *columns; /* of all records */
    akin_scored_sink sink;      /* NULL: pairs are only counted */
    void *user;
    double *each;   /* room for the similarities of a pair */
    uint64_t at;    /* pairs of the groups that have been handed over, */
    uint64_t found; /* and of all pairs how many */
} akin_equals_sink;

int akin_equals_hand_over(void *sink, const akin_scored_pair *pairs, const double *each, size_t count);
/* Hands over what is left, after the last pair of the job. */
int akin_equals_finish(akin_equals_sink *sink);

/* Makes the clusters of all records from those of the records that are kept, which have been closed. Errors:
 * AKIN_E_NOMEM. */
akin_status akin_equals_cluster(const akin_equals *equals, const akin_clusters *kept, akin_clusters *out,
                                akin_error *error);

#endif
