/* The log odds of all pairs inside components, for clusters. */
#ifndef AKIN_DEDUPE_COMPLETION_H
#define AKIN_DEDUPE_COMPLETION_H

#include "dedupe/evidence.h"

akin_status akin_evidence_cluster(akin_evidence *evidence, const double *odds, double prior, akin_clusters *clusters,
                                  akin_error *error);

#endif
