/* A join of trees at work: its sides, its index, and what its threads compare with. */
#ifndef AKIN_TREES_JOB_H
#define AKIN_TREES_JOB_H

#include "trees/index.h"
#include "trees/verifier.h"

/* What a thread works with. */
typedef struct akin_tree_worker {
    _Alignas(64) akin_tree_lookup lookup; /* so that threads have no line of the cache in common */
    akin_tree_verifier verifier;
    akin_cancellation cancellation; /* of this */
    uint64_t *order;                /* room for a key of each candidate */
    uint64_t candidates, compared, found;
} akin_tree_worker;

typedef struct akin_tree_job {
    const akin_scope *scope;
    akin_account *account;
    akin_trees_options options;
    int self;
    akin_tree_side sides[2];
    akin_tree_ranks ranks;
    akin_tree_index index; /* of the right side, or of the only one */
    akin_tree_worker *workers;
    akin_trees_report report;
    atomic_int cancelled; /* long comparisons end */
} akin_tree_job;

/* Makes the workers, which are cleared with the job. Errors: AKIN_E_NOMEM. */
akin_status akin_tree_job_begin(akin_tree_job *job, akin_error *error);

/* Adds what the workers counted to the report. */
void akin_tree_job_add_up(akin_tree_job *job);
void akin_tree_job_clear(akin_tree_job *job);

/* A distance that the trees at places `probe` on the left and `other` in the index have at least. */
static inline uint32_t akin_tree_job_bound(const akin_tree_job *job, uint32_t probe, uint32_t other)
{
    return akin_tree_labels_apart(job->sides[0].buckets + (uint64_t)probe * AKIN_TREE_BUCKETS,
                                  job->index.side->buckets + (uint64_t)other * AKIN_TREE_BUCKETS);
}

/* Brings what the bound needs of a place of the index into the cache. */
static inline void akin_tree_job_fetch(const akin_tree_job *job, uint32_t other)
{
    __builtin_prefetch(job->index.side->buckets + (uint64_t)other * AKIN_TREE_BUCKETS);
}

/* Sets *distance to theirs if it is at most `most`, else to AKIN_BAND_FAR. Returns 0 if memory is short,
 * or the task should end: akin_tree_verifier_failure. */
static inline int akin_tree_job_compare(const akin_tree_job *job, akin_tree_worker *worker, uint32_t probe,
                                        uint32_t other, uint32_t most, uint32_t *distance)
{
    worker->compared++;
    return akin_tree_verify(&worker->verifier, akin_tree_at(&job->sides[0], probe),
                            akin_tree_at(job->index.side, other), most, NULL, distance);
}

#endif
