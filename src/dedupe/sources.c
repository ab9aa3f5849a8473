/* Numbers the sources of records, and drops pairs of one source. */
#include "dedupe/sources.h"

#include "dedupe/values.h"
#include "graph/clusters.h"
#include "strings/alphabet.h"

#include <string.h>

_Static_assert(AKIN_VALUE_NONE == AKIN_NO_SOURCE, "a missing value is no source");

/* Sources are values of the tables as they were given: neither folded nor rewritten. */
akin_status akin_sources_find(akin_dedupe_job *job, akin_error *error)
{
    akin_dedupe_job *j = job;
    const uint32_t column = (uint32_t)j->options.one_per_source - 1;
    akin_records given = j->records;
    akin_values values = {.of = NULL};
    akin_status status = AKIN_OK;
    if (j->options.one_per_source == 0)
        return AKIN_OK;
    for (uint32_t side = 0; side < given.tables && status == AKIN_OK; side++) {
        given.columns[side] = j->given[side];
        if (given.rows[side] > 0)
            status = akin_column_check(&given.columns[side][column], side ? "right" : "left", error);
    }
    if (status == AKIN_OK)
        status = akin_values_make(j->scope, &j->account, &given, column, &values, error);
    if (status == AKIN_OK) {
        j->sources = values.of;
        values.of = NULL;
    }
    akin_values_clear(&values);
    return status == AKIN_OK && j->options.clusters ? akin_sources_separate(j, j->options.clusters, error) : status;
}

akin_status akin_sources_separate(const akin_dedupe_job *job, akin_clusters *clusters, akin_error *error)
{
    return job->sources ? akin_clusters_separate_within(job->scope, clusters, job->sources, error) : AKIN_OK;
}

/* Drops the pairs of one source of a thread. */
static void drop_found(const akin_dedupe_job *j, akin_found *found)
{
    const uint32_t border = j->records.tables == 2 ? j->records.rows[0] : 0;
    const uint64_t attributes = j->options.attribute_count, comparisons = j->gathering.count;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < found->count; i++) {
        if (akin_sources_are_same(j, found->pairs[i].left, found->pairs[i].right + border))
            continue;
        found->pairs[kept] = found->pairs[i];
        if (comparisons > 0)
            memmove(found->levels + kept * comparisons, found->levels + i * comparisons, comparisons);
        else
            memmove(found->each + kept * attributes, found->each + i * attributes, attributes * sizeof *found->each);
        kept++;
    }
    found->count = kept;
}

void akin_sources_drop_pairs(akin_dedupe_job *job)
{
    akin_dedupe_job *j = job;
    if (!j->sources)
        return;
    j->found = 0;
    for (uint32_t t = 0; t < j->threads; t++) {
        drop_found(j, &j->workers[t].found);
        j->found += j->workers[t].found.count;
    }
    j->report.pairs_found = j->found;
}
