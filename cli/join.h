/* The request of akin join, and its run. */
#ifndef AKIN_CLI_JOIN_H
#define AKIN_CLI_JOIN_H

#include "command.h"
#include "job.h"
#include "results.h"

typedef struct akin_cli_join_request {
    const char *left, *right; /* right is NULL in a self-join */
    akin_cli_resources resources;
    char *options; /* for the manifest of a folder of records */
    akin_cli_reading reading[2];
    akin_cli_wanted wanted;
    uint32_t folds;         /* that strings are cleaned of */
    const char *token_fold; /* the option by which tokens ignore case, or NULL */
    int explain, quiet;
} akin_cli_join_request;

/* Checks what the command line says. Returns AKIN_CLI_DONE, AKIN_CLI_USAGE or AKIN_CLI_FAILED. The request is to be
 * cleared in any case. */
int akin_cli_join_check(const akin_cli_arguments *arguments, akin_cli_join_request *request);
void akin_cli_join_request_clear(akin_cli_join_request *request);

/* Reads, joins and writes. Errors: those of reading, akin_join, akin_match and writing. */
akin_status akin_cli_join_run(akin_cli_job *job, const akin_cli_join_request *request, akin_cli_report *report,
                              double *seconds_read, akin_error *error);

#endif
