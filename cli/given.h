/* The file of pairs to compare. */
#ifndef AKIN_CLI_GIVEN_H
#define AKIN_CLI_GIVEN_H

#include "dedupe_tables.h"

/* The rows of the pairs. */
typedef struct akin_cli_given {
    uint32_t *rows[2];
} akin_cli_given;

/* Takes the name of the file from the plan, and checks it. `job`: the file of the job, or NULL. Returns AKIN_CLI_DONE
 * or AKIN_CLI_USAGE. */
int akin_cli_given_check(akin_cli_dedupe_request *request, const char *job);

/* Reads the pairs, whose ids are those of the tables, and gives them to the plan. Without a file nothing is done. The
 * caller clears them in any case, when the plan is used no more. Errors: those of akin_cli_id_pairs_read and
 * akin_rows_of_ids. */
akin_status akin_cli_given_read(akin_cli_job *job, const akin_cli_dedupe_request *request, const akin_cli_side sides[2],
                                akin_cli_given *out, akin_error *error);
void akin_cli_given_clear(akin_cli_given *given);

#endif
