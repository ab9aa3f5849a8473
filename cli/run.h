/* The command as a function: what programs that have it inside include. */
#ifndef AKIN_CLI_RUN_H
#define AKIN_CLI_RUN_H

#include "akin.h"

/* What a program that has the command inside adds to it. */
typedef struct akin_cli_host {
    akin_opener opener; /* of the tables that libakin does not read, */
    akin_saver saver;   /* and that it does not write */
    /* What reads and writes a format of "opened-formats", such as "read and written by pyarrow 21.0.0", or else the
     * words that install it; `user` is that of the opener. Valid until the next call. */
    const char *(*describe)(void *user, akin_format format);
} akin_cli_host;

/* Runs a command line, whose words it may reorder. `host` may be NULL. Returns the exit status. SIGINT, SIGTERM and
 * SIGHUP are caught from the beginning of a job on, so a process calls this once. */
int akin_cli_run(int argc, char **argv, const akin_cli_host *host);

#endif
