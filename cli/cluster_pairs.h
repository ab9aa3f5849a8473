/* Files of clusters as pairs: every two rows of a cluster are one. */
#ifndef AKIN_CLI_CLUSTER_PAIRS_H
#define AKIN_CLI_CLUSTER_PAIRS_H

#include "job.h"

/* Where a file of clusters has what. */
typedef struct akin_cli_cluster_columns {
    uint32_t id, cluster;
    int has_sides; /* column 0 has the table of each row, "left" or "right" */
} akin_cli_cluster_columns;

/* Whether the columns of a table are those of clusters: it has columns with the names "id" and "cluster", or the second
 * column is "cluster", and the first one has the ids; with "side" before it, as akin writes them. */
int akin_cli_clusters_are(const akin_table *table, akin_cli_cluster_columns *out);

/*
 * Makes the pairs of the clusters. Row i of pairs[0] and pairs[1] is a pair; their offsets and bytes are malloc's and
 * the caller's, whatever is returned. With sides, a pair has one row of each; without, each two rows of a cluster are a
 * pair. Errors: AKIN_E_LIMIT (more than UINT32_MAX pairs), AKIN_E_NOMEM, those of a dictionary.
 */
akin_status akin_cli_cluster_pairs(akin_cli_job *job, const akin_table *table, const akin_cli_cluster_columns *columns,
                                   akin_column pairs[2], uint32_t *rows, akin_error *error);

#endif
