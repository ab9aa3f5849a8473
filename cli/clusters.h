/* Writes the clusters of a job: which row is in which, and the records without their duplicates. */
#ifndef AKIN_CLI_CLUSTERS_H
#define AKIN_CLI_CLUSTERS_H

#include "job.h"
#include "shown.h"
#include "source.h"

/* How they are written. */
typedef struct akin_cli_clusters_form {
    akin_cli_format format;
    uint32_t least;          /* rows of a cluster that is written: --clusters-of */
    const char *const *show; /* names of the columns that sources show */
    uint32_t show_count;
} akin_cli_clusters_form;

#define AKIN_CLI_CLUSTERS_OF_HELP                                                                                      \
    "write only clusters of N rows or more (default: 1); 2 leaves out the rows without a duplicate. The "              \
    "numbers of the clusters stay the same"

/* Reads the argument of --clusters-of, NULL: not given. Returns AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_clusters_of(const char *text, uint32_t *least);

/* Writes a line for every row: its name, the number of its cluster (akin_clusters_number), the rows of that cluster,
 * and the name of the first of them. Of two files (right NULL: one) a row is named with its side, and the left rows
 * come first. Errors: those of akin_output_write; AKIN_E_NOMEM. */
akin_status akin_cli_clusters_write(const akin_clusters *clusters, const akin_cli_source *left,
                                    const akin_cli_source *right, const akin_cli_clusters_form *form,
                                    akin_output *output, akin_error *error);

/* Notes for the end of the job that clusters of `least` rows and more are written. */
void akin_cli_clusters_wrote(akin_cli_job *job, const char *path, const akin_clusters *clusters, uint32_t least);

#endif
