/* Pairs that were found, with the similarity by each attribute, or with levels (gathering.h). */
#ifndef AKIN_DEDUPE_FOUND_H
#define AKIN_DEDUPE_FOUND_H

#include "base/scope.h"
#include "base/memory.h"

/* The similarities of pair i are each[i * attributes] and the next ones; or its levels are levels[i * comparisons] and
 * the next ones. Zero-initialised there is none. */
typedef struct akin_found {
    akin_scored_pair *pairs;
    double *each;
    uint8_t *levels;
    uint64_t count, room_pairs, room_each, room_levels;
    uint64_t reaching; /* with a report: how many, the first ones, reach the job's threshold (report_found.c) */
} akin_found;

/* Makes room for `count` further pairs, with similarities by `attributes` attributes or levels of `comparisons`
 * comparisons; 0: they have none. Returns 0 if memory is short. */
int akin_found_enlarge(akin_found *found, akin_account *account, uint64_t count, uint32_t attributes,
                       uint32_t comparisons);
void akin_found_clear(akin_found *found);

/* Adds scored pairs to clusters, with their similarities, or all with `similarity` unless that is NULL. Errors: those
 * of akin_clusters_add. */
akin_status akin_scored_cluster(const akin_scored_pair *pairs, uint64_t count, const double *similarity,
                                akin_clusters *clusters, akin_error *error);

#endif
