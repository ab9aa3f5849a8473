/* Files of the statistics of a corpus: a table with a row for the corpus and one for each term. */
#ifndef AKIN_CLI_STATISTICS_H
#define AKIN_CLI_STATISTICS_H

#include "job.h"

/* Statistics that were read. Zeros at first. */
typedef struct akin_cli_statistics {
    akin_corpus corpus; /* for options; size 0: none were read */
    akin_table *table;
    akin_column terms;
    uint64_t *offsets;
    uint32_t *df;
} akin_cli_statistics;

/* Reads a file; NULL: none. Errors: those of akin_table_read, AKIN_E_INPUT. To be cleared in any case. */
akin_status akin_cli_statistics_read(akin_cli_job *job, const char *path, akin_cli_statistics *out, akin_error *error);
void akin_cli_statistics_clear(akin_cli_statistics *statistics);

/* Writes the statistics of the documents of weights, as CSV. *terms receives the number of terms. Errors: those of
 * akin_output_write and akin_statistics_of_weights. */
akin_status akin_cli_statistics_write(akin_cli_job *job, const akin_weights *weights, akin_output *output,
                                      uint64_t *terms, akin_error *error);

#endif
