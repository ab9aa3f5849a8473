/* Writes the pairs of a join as CSV, TSV or JSON lines. */
#ifndef AKIN_CLI_PAIRS_H
#define AKIN_CLI_PAIRS_H

#include "writer.h"

typedef struct akin_cli_pairs akin_cli_pairs;
typedef struct akin_cli_names akin_cli_names;   /* see names.h */
typedef struct akin_cli_scores akin_cli_scores; /* see scores.h */
typedef struct akin_cli_shown akin_cli_shown;   /* see shown.h */

/* Begins with the header. Output, scores, names and what is shown (NULL: no more) are borrowed; in a self-join both
 * names are the same. Errors: AKIN_E_NOMEM, AKIN_E_IO. */
akin_status akin_cli_pairs_begin(akin_output *output, akin_cli_format format, akin_cli_scores *scores,
                                 const akin_cli_names *left, const akin_cli_names *right, akin_cli_shown *shown,
                                 akin_cli_pairs **out, akin_error *error);

/* An akin_pair_sink whose user is an akin_cli_pairs. It stops the join when writing fails; akin_cli_pairs_finish
 * returns the error. */
int akin_cli_pairs_sink(void *user, const akin_pair *batch, size_t count);

/* Writes what is left if the join's status is AKIN_OK, and returns the status of join and writing together, with its
 * error: a join that was cancelled because a write failed has failed for that reason. */
akin_status akin_cli_pairs_finish(akin_cli_pairs *pairs, akin_status status, akin_error *error);

void akin_cli_pairs_free(akin_cli_pairs *pairs);

#endif
