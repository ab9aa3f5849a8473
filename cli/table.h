/* Reads tables for a job, which may leave bad records out. */
#ifndef AKIN_CLI_TABLE_H
#define AKIN_CLI_TABLE_H

#include "command.h"
#include "job.h"

/* As akin_table_read, with as many bad records left out as the job still allows. They are written to the file of --bad,
 * or else the first of them are shown on stderr. */
akin_status akin_cli_table_read(akin_cli_job *job, const char *path, const akin_table_options *options,
                                akin_table **out, akin_error *error);

/* What messages call the file of a row of a table that was read from `path`. */
const char *akin_cli_table_name(const akin_table *table, uint32_t row, const char *path);

/* Refuses a file for bad records that the command reads, or writes for another purpose, or that is not to be CSV.
 * Returns AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_bad_check(const akin_cli_command *command, const akin_cli_arguments *arguments);

#endif
