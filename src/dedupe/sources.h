/* The sources of records, such as the shop that an offer is from: two records of one source are never of one entity. */
#ifndef AKIN_DEDUPE_SOURCES_H
#define AKIN_DEDUPE_SOURCES_H

#include "dedupe/job.h"

/* Whether records have one source. */
static inline int akin_sources_are_same(const akin_dedupe_job *job, uint32_t a, uint32_t b)
{
    return job->sources && job->sources[a] == job->sources[b] && job->sources[a] != AKIN_NO_SOURCE;
}

/* Numbers the sources of the records of a job whose options name a column for them, in job->sources, and has the
 * clusters of the job keep them apart. Errors: AKIN_E_INPUT (a source that is not UTF-8), AKIN_E_OPTION (clusters that
 * cannot, or a column that is none), AKIN_E_LIMIT, AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_sources_find(akin_dedupe_job *job, akin_error *error);

/* Has clusters keep the sources of a job apart, if it has some. Errors: those of akin_clusters_separate. */
akin_status akin_sources_separate(const akin_dedupe_job *job, akin_clusters *clusters, akin_error *error);

/* Drops the pairs of one source that the threads have found. */
void akin_sources_drop_pairs(akin_dedupe_job *job);

#endif
