/* A search for duplicates, as its steps see it: the options, what has been made of them, and the results. */
#ifndef AKIN_DEDUPE_JOB_H
#define AKIN_DEDUPE_JOB_H

#include "base/parallel.h"
#include "dedupe/columns.h"
#include "dedupe/found.h"
#include "dedupe/gathering.h"
#include "dedupe/gpu.h"
#include "dedupe/observer.h"
#include "dedupe/scorer.h"
#include "dedupe/selector.h"

/* What a thread has. */
typedef struct akin_dedupe_worker {
    _Alignas(64) akin_scorer *scorer;
    akin_found found;
    uint64_t pairs, fresh; /* of the selection at hand */
    double *each;
    uint32_t fresh_partners[AKIN_PARTNERS]; /* of a list */
    akin_status status;
    akin_cancellation cancellation;
    struct akin_dedupe_job *job;
} akin_dedupe_worker;

typedef struct akin_dedupe_job {
    const akin_scope *scope;
    akin_account account;
    akin_dedupe_options options;
    akin_records records;
    const akin_column *given[2];                 /* the columns of each table, */
    akin_columns made;                           /* and what is made of them */
    akin_values *values;                         /* of columns that are named, in any order */
    const akin_values **of_columns;              /* of each column; NULL: it is not named */
    uint32_t columns, values_count, threads, at; /* at: the selection at hand */
    uint32_t *sources; /* of each record its source, or AKIN_NO_SOURCE; NULL: there are none */
    akin_parsed *parsed,
        *own_parsed; /* two an attribute: the caller's, or for a report the job's own; NULL: not wanted */
    akin_selector *selectors;
    akin_visits visits;
    akin_scoring scoring;
    akin_gathering gathering; /* of a job that learns: what is kept of pairs */
    akin_device *device;      /* that compares, or NULL */
    int in_parts;             /* it has no room for all records */
    int are_clusters_made;    /* options.clusters has all its pairs */
    int without_each;         /* nobody sees the similarities of pairs that are found by learnt weights */
    int without_near;         /* of a report: there is no room for pairs that do not reach the threshold */
    atomic_int cancelled;
    akin_dedupe_worker *workers;
    uint64_t found;
    uint64_t equals;        /* pairs of equal records that the job does not see, and that are found in any case */
    const uint32_t *groups; /* of each record which group of equal ones it is of (distinct_records.h); NULL: itself */
    uint32_t *places;       /* of each row that is given in a pair its record, where some are left out; NULL: the row */
    akin_dedupe_report report;
    akin_dedupe_model *learnt; /* NULL: none yet, or none is wanted */
} akin_dedupe_job;

/* How many pairs of records a pair stands for. The two records of a group stand for all of it. */
static inline uint64_t akin_dedupe_stands_for(const akin_dedupe_job *job, uint32_t a, uint32_t b)
{
    if (!job->groups)
        return 1;
    const uint64_t x = job->records.stand_for[a], y = job->records.stand_for[b];
    return job->groups[a] == job->groups[b] ? (x + y) * (x + y - 1) / 2 : x * y;
}

/* A pair that was found: which one of which thread. */
typedef struct akin_found_place {
    uint32_t thread;
    uint64_t at;
} akin_found_place;

/* The least number of compared columns from which probabilities of levels can be learnt. Of one table two are enough,
 * if records may have many partners: see learner.c. */
#define AKIN_LEARNABLE 3

/* Whether the left table is a reference table: a precision is wanted, and there are too few columns to learn from, and
 * no answers. */
int akin_dedupe_has_reference(const akin_dedupe_options *options, uint32_t columns);

/* Reads and checks the options of a job whose number of columns is known. It then counts combined columns, too.
 * Errors: AKIN_E_OPTION. */
akin_status akin_dedupe_read_options(akin_dedupe_job *job, const akin_dedupe_options *options, akin_error *error);

/* Whether options make sense for `columns` columns (job_options.c). Errors: AKIN_E_OPTION. */
akin_status akin_dedupe_check_options(const akin_dedupe_options *options, uint32_t columns, akin_error *error);

/* Scores the pairs of one selection after the other on the CPU, and keeps those that are found (comparing.c). */
akin_status akin_dedupe_compare(akin_dedupe_job *job, akin_error *error);

/* Whether a GPU can do the job, where one is required (job_device.c). Errors: AKIN_E_OPTION. */
akin_status akin_dedupe_check_device(akin_device_choice device, const akin_dedupe_options *options, akin_error *error);
/* Opens a GPU, in job->device, if one is required or worth it (job_device.c). */
akin_status akin_dedupe_choose_device(akin_dedupe_job *job, akin_error *error);
/* Whether the GPU has room for all records at once. */
int akin_dedupe_device_fits(akin_dedupe_job *job);
/* Does there what akin_dedupe_compare does. */
akin_status akin_dedupe_compare_on_gpu(akin_dedupe_job *job, akin_error *error);
/* Whether a GPU that is not required, and has failed, leaves the job to the CPU. */
int akin_dedupe_may_go_on_here(const akin_dedupe_job *job, akin_status status);

/* Where pair `number` is, of those that all threads found (job_deliver.c). */
akin_found_place akin_dedupe_place(const akin_dedupe_job *job, uint64_t number);

/* Hands the pairs over, sorted; of those that are beaten, where a record may be in one alone, none (delivery.c). */
akin_status akin_dedupe_deliver(akin_dedupe_job *job, akin_scored_sink sink, void *user, akin_error *error);

#endif
