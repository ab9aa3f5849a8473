/* The command as a function: what programs that have it inside include. */
#ifndef AKIN_CLI_RUN_H
#define AKIN_CLI_RUN_H

#include "akin.h"

/* Runs a command line, whose words it may reorder. `opener` opens the tables that libakin does not read; NULL: nothing
 * does. Returns the exit status. SIGINT, SIGTERM and SIGHUP are caught from the beginning of a job on, so a process
 * calls this once. */
int akin_cli_run(int argc, char **argv, const akin_opener *opener);

#endif
