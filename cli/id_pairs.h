/* Pairs of ids that are read from a table: those that were found, or those that are known to be right. */
#ifndef AKIN_CLI_ID_PAIRS_H
#define AKIN_CLI_ID_PAIRS_H

#include "cluster_pairs.h"

typedef struct akin_cli_id_pairs {
    const char *path;
    akin_table *table;
    akin_column ids[2];
    uint32_t rows;
    double *similarities;             /* NULL unless they are wanted */
    int are_clusters;                 /* the file has clusters; the pairs are made of them, and belong to this */
    int have_sides;                   /* the clusters have rows of two tables, and so have the pairs */
    akin_cli_cluster_columns columns; /* of clusters */
} akin_cli_id_pairs;

/* How a file is to be read, `input` being what --input says, or AKIN_FORMAT_AUTO. Returns AKIN_CLI_DONE or
 * AKIN_CLI_USAGE. */
int akin_cli_id_pairs_format(akin_format input, const char *path, akin_format *out);

/* Reads the first two columns, and that of the similarities, unless its name is NULL. A file of clusters has a pair for
 * each two rows of a cluster, and no similarities. The caller clears them in any case. Errors: those of akin_table_read
 * and akin_cli_cluster_pairs, and AKIN_E_INPUT (the line that has no id, or no number). */
akin_status akin_cli_id_pairs_read(akin_cli_job *job, const char *path, akin_format format, const char *similarity,
                                   akin_cli_id_pairs *out, akin_error *error);
/* Refuses clusters of one table where pairs are of two. Errors: AKIN_E_INPUT. */
akin_status akin_cli_id_pairs_check_sides(const akin_cli_id_pairs *pairs, akin_error *error);

/* Makes columns of the ids of all records of those of two files that have clusters, of either side, or on the left if
 * they have no sides. Their arrays are the caller's to free, whatever is returned. Errors: AKIN_E_NOMEM,
 * AKIN_E_LIMIT. */
akin_status akin_cli_id_pairs_records(const akin_cli_id_pairs files[2], akin_column records[2], uint32_t rows[2],
                                      akin_error *error);

void akin_cli_id_pairs_clear(akin_cli_id_pairs *pairs);

#endif
