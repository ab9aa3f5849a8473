/* A job of the command: a context that shows progress and ends at Ctrl-C. */
#ifndef AKIN_CLI_JOB_H
#define AKIN_CLI_JOB_H

#include "progress.h"

typedef struct akin_cli_job {
    akin_context *context;
    akin_context_options options; /* that it was created with */
    const char *memory;           /* its bound as it was given, or NULL */
    akin_cli_progress progress;
    int output_is_terminal;
} akin_cli_job;

/* What a job has at its disposal, as on the command line; NULL: not given. */
typedef struct akin_cli_resources {
    const char *threads, *memory, *device, *device_memory;
} akin_cli_resources;

/* Begins a job. From here on SIGINT, SIGTERM and SIGHUP cancel it, and a second one ends the program at once. */
akin_status akin_cli_job_begin(akin_cli_job *job, const akin_cli_resources *resources, int quiet, akin_error *error);

/* Whether a signal has asked to stop. */
int akin_cli_job_cancelled(void);

/* Creates a context with the job's threads and bound, which is cancelled with it and shows no progress: for what is done
 * on the CPU while a job of the other context goes on, which runs one at a time. Errors: those of akin_context_create. */
akin_status akin_cli_job_beside(const akin_cli_job *job, akin_context **out, akin_error *error);

/* Ends a job that was begun, even in vain: clears the progress line, frees the context, reports the error if there is
 * one, and returns the exit status. */
int akin_cli_job_end(akin_cli_job *job, akin_status status, akin_error *error);

#endif
