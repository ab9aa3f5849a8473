/* A job of the command: a context that shows progress and ends at Ctrl-C. */
#ifndef AKIN_CLI_JOB_H
#define AKIN_CLI_JOB_H

#include "command.h"
#include "progress.h"
#include "screen.h"

#define AKIN_CLI_WRITTEN 8 /* files that a job writes, at most */

/* A file that was written: the number of its rows, and what they are, such as "pairs". If they are a selection, `of` is
 * the number of all rows, else 0. */
typedef struct akin_cli_written {
    const char *path, *what;
    uint64_t count, of;
} akin_cli_written;

/* Reports a file that was written, with the time since `begun` (akin_cli_clock), where progress would be shown. */
void akin_cli_written_report(const akin_cli_written *written, double begun);

typedef struct akin_cli_job {
    akin_context *context;
    akin_context_options options; /* that it was created with */
    const char *memory;           /* its bound as it was given, or NULL */
    akin_cli_progress progress;
    akin_cli_screen screen;
    akin_cli_written written[AKIN_CLI_WRITTEN];
    uint32_t written_count;
    int output_is_terminal, quiet;
    double check_at; /* when to look again whether others have changed the files that are read, by akin_cli_clock */
    int replaces;    /* tables of databases that are there: --replace */
    uint64_t skip_left, skipped; /* bad records that may yet be left out, and those that were */
    const char *bad;             /* the file that gets them, or NULL */
    akin_output *bad_output;     /* likewise */
    int safe;                    /* what that file has is for spreadsheets */
} akin_cli_job;

/* The rows of the options of a job that mean the same in every command. */
#define AKIN_CLI_JOB_QUIET   .name = "quiet", .letter = 'q', .help = "show no progress"
#define AKIN_CLI_JOB_THREADS .name = "threads", .argument = "N", .help = "threads to use (default: one for each CPU)"
#define AKIN_CLI_JOB_REPLACE                                                                                           \
    .name = "replace", .key = "",                                                                                      \
    .help = "replace a table that the database has under this name. Files are always replaced"
#define AKIN_CLI_JOB_SYNC                                                                                              \
    .name = "sync", .help = "end only when all files are on the disk, so that a loss of power cannot take them away"
#define AKIN_CLI_JOB_VERIFY                                                                                            \
    .name = "verify",                                                                                                  \
    .help =                                                                                                            \
        "check all of INDEX before the first query (default: of an index of bm25 only what a query reads; all of "     \
        "any other index)"
#define AKIN_CLI_JOB_DEVICE_MEMORY                                                                                     \
    .name = "device-memory", .argument = "SIZE",                                                                       \
    .help = "memory that a GPU may hold, at least 16M (default: 15/16 of the free memory)"
#define AKIN_CLI_JOB_TABLE                                                                                             \
    .name = "table", .argument = "NAME", .key = "",                                                                    \
    .help =                                                                                                            \
        "read this table from each database whose address has no table, such as sqlite:FILE. sqlite:///FILE "          \
        "is the file /FILE"
#define AKIN_CLI_JOB_SQL                                                                                               \
    .name = "sql", .argument = "QUERY", .key = "", .help = "read the result of this query from each such database"
#define AKIN_CLI_JOB_SKIP_BAD                                                                                          \
    .name = "skip-bad", .argument = "N", .key = "",                                                                    \
    .help = "leave out up to N bad records, of all tables together (default: 0)"
#define AKIN_CLI_JOB_BAD                                                                                               \
    .name = "bad", .argument = "FILE", .written = 1, .key = "",                                                        \
    .help = "write to FILE, as CSV, the place of each record that is left out, and why"
/* The limits of a command that has those of `also` (capabilities of the table "limits"), beside those of every job. */
#define AKIN_CLI_JOB_LIMITS(also)                                                                                      \
    .repeated = AKIN_CLI_ROWS_ONCE, .choices = "limits", .capabilities = AKIN_FOR_ALL | (also)
/* What the help says of each SIZE, at the first one of a command. */
#define AKIN_CLI_JOB_SIZES "SIZE is bytes; K, M, G, T and P are powers of 1024; KB, MB, GB, TB and PB of 1000"

/* What a job has at its disposal, as on the command line; NULL: not given. */
typedef struct akin_cli_resources {
    const char *threads, *memory, *device, *device_memory;
    const akin_opener *opener;  /* the command's own, */
    const akin_saver *saver;    /* likewise */
    int replaces;               /* --replace is given */
    int sync;                   /* --sync is given */
    int verify;                 /* --verify is given */
    const char *skip_bad, *bad; /* bad records of tables: how many may be left out, and the file that gets them */
    int safe;                   /* --safe-csv is given: that file is for spreadsheets, too */
    const akin_cli_arguments *arguments; /* that have limits, by this option; NULL: none are given */
    int limits;
    int writes_pairs; /* so that their number has a default limit */
} akin_cli_resources;

/* As akin_context_create; the context uses the annex of the papers. */
akin_status akin_cli_context_create(const akin_context_options *options, akin_context **out, akin_error *error);

/* Sets the limits of a context that arguments have, by this option; without `writes_pairs` none of pairs. Errors:
 * AKIN_E_OPTION. */
akin_status akin_cli_limits_set(akin_context *context, const akin_cli_arguments *arguments, int option,
                                int writes_pairs, akin_error *error);

/* Adds to the message of a limit that is met, if the error is one, how to do without the limit. */
void akin_cli_limits_advise(akin_error *error);

/* Begins a job. From here on SIGINT, SIGTERM and SIGHUP cancel it, and a second one ends the program at once. */
akin_status akin_cli_job_begin(akin_cli_job *job, const akin_cli_resources *resources, int quiet, akin_error *error);

/* Whether a signal has asked to stop. */
int akin_cli_job_cancelled(void);

/* Creates a context with the job's threads and bound, which is cancelled with it and shows no progress: for what is
 * done on the CPU while a job of the other context goes on, which runs one at a time. Errors: those of
 * akin_context_create. */
akin_status akin_cli_job_beside(const akin_cli_job *job, akin_context **out, akin_error *error);

/* Opens the output of a result, `path` (NULL: standard output). `format` is as it was given: if both are NULL and
 * standard output is a terminal, the result must be CSV, and is shown there as a table by akin_cli_job_show. Errors:
 * those of akin_output_open. */
akin_status akin_cli_job_open(akin_cli_job *job, const char *path, const char *format, akin_output **out,
                              akin_error *error);

/* As akin_output_commit_all, unless a saved file that the results come from was changed meanwhile: the outputs are
 * discarded then. Errors: those of akin_output_commit_all and akin_mapping_check. */
akin_status akin_cli_job_commit(akin_output *const *outputs, size_t count, akin_error *error);

/* With --sync, has the system write a file that is open to the disk, or the folder that a path is in. They return
 * whether that went well. */
int akin_cli_job_sync(const akin_cli_job *job, FILE *file);
int akin_cli_job_sync_descriptor(const akin_cli_job *job, int fd);
int akin_cli_job_sync_folder_of(const akin_cli_job *job, const char *path);

/* Shows the result that goes to a terminal, if there is one, once its output is committed. Errors: AKIN_E_IO,
 * AKIN_E_NOMEM. */
akin_status akin_cli_job_show(akin_cli_job *job, akin_error *error);

/* Notes that a file is written, unless `path` is standard output (NULL or -): the end of the job reports it to people,
 * on a terminal, as zstd does. `what` is in the plural, which ends in s. */
void akin_cli_job_wrote(akin_cli_job *job, const char *path, uint64_t count, const char *what);

/* The same of rows that were chosen: "wrote 3 of 4 records". */
void akin_cli_job_wrote_of(akin_cli_job *job, const char *path, uint64_t count, uint64_t of, const char *what);

/* Ends a job that was begun, even in vain: clears the progress line, frees the context, reports the error if there is
 * one, or else what was written, and returns the exit status. */
int akin_cli_job_end(akin_cli_job *job, akin_status status, akin_error *error);

#endif
