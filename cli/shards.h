/* Records without duplicates, written file by file: a folder with the files of the input, and a manifest by which a job
 * that was stopped goes on. */
#ifndef AKIN_CLI_SHARDS_H
#define AKIN_CLI_SHARDS_H

#include "command.h"
#include "job.h"
#include "kept.h"
#include "files.h"

/* A folder in the making; all zeros: there is none. */
typedef struct akin_cli_shards {
    const char *option, *folder; /* the option that names the folder */
    akin_cli_files files;        /* of the input */
    size_t common;               /* bytes of each name that are no part of its name in the folder */
    char *begun;                 /* the manifest without files that are done: what the job is */
    char *done;                  /* the lines of files that are done; never NULL once the folder is open */
    uint64_t kept;               /* files that were there, and were not written again */
} akin_cli_shards;

/* The options of a command line that change its results, a line each: what the manifest has of them; and before them
 * the first operands, which are not the files of the folder. *out is to be freed. Returns AKIN_CLI_DONE, or
 * AKIN_CLI_FAILED without memory, having reported it. */
int akin_cli_shards_options(const akin_cli_command *command, const akin_cli_arguments *arguments, int operands,
                            char **out);

/* Refuses standard output as the folder, which is the value of an option, and a folder that another file is written
 * into. Returns AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_shards_check(const akin_cli_command *command, const akin_cli_arguments *arguments, int option);

/* Opens or makes the folder for the files of `count` paths. Errors: AKIN_E_OPTION (it has other files, or was begun by
 * another command), AKIN_E_INPUT, AKIN_E_IO, AKIN_E_NOMEM. The caller clears the shards in any case. */
akin_status akin_cli_shards_open(akin_cli_job *job, const char *option, const char *folder, const char *const *inputs,
                                 int count, const char *options, akin_cli_shards *out, akin_error *error);

/* Writes each kept record into the file that it is of. A file that is done, by the manifest, is left as
 * it is; at the end people learn how many were. Errors: AKIN_E_IO, AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_cli_shards_write(akin_cli_job *job, akin_cli_shards *shards, const akin_cli_kept *kept,
                                  const akin_table *table, akin_error *error);

/* The same of one file, which the table is of; and what people learn when the last one is written. */
akin_status akin_cli_shards_write_file(akin_cli_job *job, akin_cli_shards *shards, uint32_t index,
                                       const akin_cli_kept *kept, const akin_table *table, akin_error *error);
void akin_cli_shards_report(const akin_cli_job *job, const akin_cli_shards *shards);

void akin_cli_shards_clear(akin_cli_shards *shards);

#endif
