/*
 * Job files: a command line of options as JSON.
 *
 *     {
 *       "akin": "dedupe",
 *       "version": 1,
 *       "input": ["people.csv"],
 *       "compare": [{"column": "name", "comparator": "exact"}],
 *       "threshold": 0.8
 *     }
 *
 * A key is the long name of an option, or what its table says; what belongs there is told by how the help calls the option's
 * argument: N, T and X are numbers, FILE and the like strings, none true or false. Options that say how records are alike are
 * read and written by the plan (akin_dedupe_plan). The operands are "input".
 */
#ifndef AKIN_CLI_JOB_FILE_H
#define AKIN_CLI_JOB_FILE_H

#include "command.h"
#include "json.h"

#define AKIN_CLI_JOB_VERSION "1"

/* A job that was read: what the arguments point into. */
typedef struct akin_cli_job_file {
    akin_json *json;
    const char **inputs; /* the operands */
} akin_cli_job_file;

/*
 * Reads the job of a command from a file, and adds what it says to the plan, which the command line is to replace, and to the
 * arguments, but for options that are given there, and for operands if there are some. What it says of options is checked as
 * to what kind it is, and for the rest with the command line. Returns AKIN_CLI_DONE, AKIN_CLI_USAGE or AKIN_CLI_FAILED; the job is to be cleared in any case, after the last use of
 * the arguments.
 */
int akin_cli_job_file_read(const akin_cli_command *command, const char *path, akin_cli_arguments *arguments,
                           akin_dedupe_plan *plan, akin_cli_job_file *out);

/* The same of a text that has been parsed, and is the job's from now on. `name`: what messages call it. */
int akin_cli_job_file_take(const akin_cli_command *command, const char *name, akin_json *json,
                           akin_cli_arguments *arguments, akin_dedupe_plan *plan, akin_cli_job_file *out);

void akin_cli_job_file_clear(akin_cli_job_file *job);

/* The arguments and the plan, which is finished, as a job, a text to be freed: the plan's members, then options in the order of their table. Errors: AKIN_E_INPUT (a word is not
 * UTF-8), AKIN_E_NOMEM. */
akin_status akin_cli_job_file_write(const akin_cli_command *command, const akin_cli_arguments *arguments,
                                    const akin_dedupe_plan *plan, char **text, size_t *length, akin_error *error);

/* Whether the plan reads what is said of the option of that name, on the command line and in a job. */
int akin_cli_job_file_is_planned(const char *name);

#endif
