/* Writes the clusters of a join: which row is in which, and the records without their duplicates. */
#ifndef AKIN_CLI_CLUSTERS_H
#define AKIN_CLI_CLUSTERS_H

#include "source.h"

/* Writes a line for every row: its name, and that of the first row of its cluster; of two files (right NULL: one), each
 * with the side it is of, the left rows first. numbered (0 or 1): between the two stands the number of the cluster, by its
 * first row, from 0 on. Errors: those of akin_output_write; AKIN_E_NOMEM. */
akin_status akin_cli_clusters_write(const akin_clusters *clusters, const akin_cli_source *left,
                                    const akin_cli_source *right, akin_cli_format format, int numbered,
                                    akin_output *output, akin_error *error);

/* Writes the first record of every cluster as it stood in the file, behind the header line if there is one. Errors:
 * those of akin_output_write. */
akin_status akin_cli_clusters_deduplicate(const akin_clusters *clusters, const akin_table *table, akin_output *output,
                                          akin_error *error);

/* Refuses a name for them that promises another format than that of the input, as they stand as they do there; returns
 * AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_deduplicated_check(akin_format format, const char *path);

#endif
