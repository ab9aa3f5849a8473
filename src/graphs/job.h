/* A join of graphs at work: its sides, and what its threads compare with. */
#ifndef AKIN_GRAPHS_JOB_H
#define AKIN_GRAPHS_JOB_H

#include "akin.h"
#include "graphs/index.h"
#include "graphs/search.h"

/* What a thread works with. */
typedef struct akin_graph_worker {
    _Alignas(64) akin_graph_search search; /* so that threads have no line of the cache in common */
    akin_graph_lookup lookup;
    akin_cancellation cancellation;
    uint64_t candidates, compared, bounded, found, undecided;
    uint64_t failed; /* the probe of a pair beyond the budget, and its rows */
    uint32_t failed_left, failed_right;
} akin_graph_worker;

typedef struct akin_graph_job {
    const akin_scope *scope;
    akin_account *account;
    akin_graphs_options options;
    int self;
    akin_graph_side sides[2];
    akin_graph_ranks ranks;
    akin_graph_index index; /* of the right side, or of the only one */
    akin_graph_worker *workers;
    atomic_int cancelled;
    akin_graphs_report report;
} akin_graph_job;

/* Makes the workers, which are cleared with the job. Errors: AKIN_E_NOMEM. */
akin_status akin_graph_job_begin(akin_graph_job *job, akin_error *error);

/* Adds what the workers counted to the report. */
void akin_graph_job_add_up(akin_graph_job *job);
void akin_graph_job_clear(akin_graph_job *job);

/* Sets *distance to that of the graphs at places `probe` on the left and `other` on the right if it is at most the
 * largest one, else to AKIN_GRAPH_FAR, or AKIN_GRAPH_UNKNOWN. Errors: those of akin_graph_search_pair. */
akin_status akin_graph_job_compare(const akin_graph_job *job, akin_graph_worker *worker, uint32_t probe, uint32_t other,
                                   uint32_t *distance);

#endif
