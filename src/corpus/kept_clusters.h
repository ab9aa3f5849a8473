/*
 * The clusters of near-duplicates: a kept document, and the documents that are removed for it. How many there are of
 * which size, how alike removed documents are, and the largest clusters with the members that are least alike.
 */
#ifndef AKIN_CORPUS_KEPT_CLUSTERS_H
#define AKIN_CORPUS_KEPT_CLUSTERS_H

#include "base/bulk.h"
#include "corpus/duplicates.h"
#include "report/sizes.h"

#define AKIN_KEPT_STEPS 101 /* of similarities: hundredths */

/* A removed document. */
typedef struct akin_kept_member {
    double similarity; /* to its survivor */
    uint32_t row, common;
} akin_kept_member;

/* A cluster that is listed. */
typedef struct akin_kept_cluster {
    uint32_t survivor, removed; /* its row; how many are removed for it */
    uint32_t listed;            /* of these */
} akin_kept_cluster;

typedef struct akin_kept_clusters {
    uint64_t count, removed;
    akin_sizes sizes;                       /* with the survivor */
    uint64_t similarities[AKIN_KEPT_STEPS]; /* removed documents, by the hundredth that they reach */
    akin_sizes common;                      /* the same by common tokens, where the measure counts these */
    akin_kept_cluster *largest;             /* of clusters of one size the first */
    akin_kept_member *members;              /* `most` of each, the least alike first, then by row */
    uint32_t listed, most;
} akin_kept_clusters;

/* Gathers the `clusters` largest clusters, and of each `most` members. Takes 4 bytes a row. The caller clears *out in
 * any case. Errors: AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_kept_clusters_make(const akin_scope *scope, akin_account *account, const akin_duplicates *duplicates,
                                    akin_measure measure, uint32_t clusters, uint32_t most, akin_kept_clusters *out,
                                    akin_error *error);
void akin_kept_clusters_clear(akin_kept_clusters *clusters);

#endif
