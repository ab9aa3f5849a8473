/* The join of two batches of strings on the CPU. */
#ifndef AKIN_MATCH_MATCH_CPU_H
#define AKIN_MATCH_MATCH_CPU_H

#include "strings/scan.h"
#include "strings/segments.h"

typedef struct akin_match_cpu_job {
    const akin_scope *scope;
    akin_account *account;
    const akin_cutoff *cutoff;
    const akin_strings_batch *probes, *others; /* the same one: probes meet those behind them */
    const akin_segments *segments;             /* of others; runs without a table are screened */
    uint32_t threads;                          /* of the context, or fewer */
    /* Takes a pair of places, and its distance or 0, on a thread; 0: no more is wanted. NULL: pairs are only
     * counted. */
    int (*take)(void *user, uint32_t thread, uint32_t probe, uint32_t other, uint32_t distance);
    void *user;
    /* the work done is added to these */
    uint64_t found, compatible, looked_up, candidates;
    int refused; /* `take` answered 0 */
} akin_match_cpu_job;

/* Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED; if `refused` is set, what the caller knows. */
akin_status akin_match_cpu_join(akin_match_cpu_job *job, akin_error *error);

#endif
