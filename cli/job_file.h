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
 * A key is the long name of an option, or what its table says. Its value follows from the argument, as the help calls
 * it: none is true or false, N, T and the like are numbers, SIZE is a number or a string, FILE and the like strings.
 * Two arguments are an array, and so is an option that may be given several times; an argument that may be left out is
 * true. Options that say how records are alike are read and written by the plan (akin_dedupe_plan). "input" are the
 * operands, but for a word such as that of "akin dictionary build", which stands behind the name of the command.
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
    struct akin_cli_repeated *repeated;
    akin_cli_places places;
} akin_cli_job_file;

/* The options of a command that has jobs, which akin_cli_job_run reads; `more`: what else its help says, or "". */
#define AKIN_CLI_JOB_OPTION(more)                                                                                      \
    .heading = "Jobs", .name = "job", .argument = "FILE", .key = "",                                                   \
    .help =                                                                                                            \
        "run the job in FILE. An option on the command\n"                                                              \
        "line replaces the same option of the job, and input\n"                                                        \
        "files replace the input files of the job. Names of\n"                                                         \
        "files are seen from the current folder" more
#define AKIN_CLI_SAVE_JOB_OPTION                                                                                       \
    .name = "save-job", .argument = "FILE", .written = 1, .key = "",                                                   \
    .help = "write these options to FILE as a job in JSON, and run the command"

#define AKIN_CLI_ALLOW_PATHS_OPTION                                                                                    \
    .name = "allow-paths", .key = "", .help = "let the job write files outside the folder of its file"

/*
 * Runs a command that was given a command line: with what a job says besides, and saves it as a job, where these
 * options are given. Returns the exit status.
 */
int akin_cli_job_run(const akin_cli_command *command, const akin_cli_arguments *given);

/*
 * Reads the job of a command from a file, and adds what it says to the plan, which the command line is to replace
 * (NULL: the command has none), and to the arguments, but for options that are given there, and for operands if there
 * are some. What it says of options is checked as to what kind it is, and for the rest with the command line. A file
 * that it writes outside its folder is refused, unless --allow-paths is given. Returns AKIN_CLI_DONE, AKIN_CLI_USAGE
 * or AKIN_CLI_FAILED; the job is to be cleared in any case, after the last use of the arguments.
 */
int akin_cli_job_file_read(const akin_cli_command *command, const char *path, akin_cli_arguments *arguments,
                           akin_dedupe_plan *plan, akin_cli_job_file *out);

/* The same of a text of that file that has been parsed, and is the job's from now on. */
int akin_cli_job_file_take(const akin_cli_command *command, const char *path, akin_json *json,
                           akin_cli_arguments *arguments, akin_dedupe_plan *plan, akin_cli_job_file *out);

void akin_cli_job_file_clear(akin_cli_job_file *job);

/* Adds to a message about options that some of them are from a job, if they are, and if the message has not said on
 * which line. Returns AKIN_CLI_USAGE, or `status`. */
int akin_cli_job_file_tell(const akin_cli_job_file *job, int status);

/* The arguments and the plan, which is finished (NULL: there is none), as a job, a text to be freed: the plan's
 * members, then options in the order of their table. Errors: AKIN_E_INPUT (a word is not UTF-8), AKIN_E_NOMEM. */
akin_status akin_cli_job_file_write(const akin_cli_command *command, const akin_cli_arguments *arguments,
                                    const akin_dedupe_plan *plan, char **text, size_t *length, akin_error *error);

/* Whether the plan reads what is said of the option of that name, on the command line and in a job. */
int akin_cli_job_file_is_planned(const char *name);

/* The key of an option; "": it has no place in a job. */
const char *akin_cli_job_file_key(const akin_cli_option *option);

/* Whether an argument of that name is a number. */
int akin_cli_job_file_is_number(const char *argument, size_t length);

/* Whether the first operand of a command is one of a few words, as its usage says. */
int akin_cli_job_file_has_word(const akin_cli_command *command);

#endif
