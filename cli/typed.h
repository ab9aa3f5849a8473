/* Queries that stand on the command line: the arguments of --query, as a column of text or as sets of token ids. */
#ifndef AKIN_CLI_TYPED_H
#define AKIN_CLI_TYPED_H

#include "command.h"

#define AKIN_CLI_QUERY_HELP                                                                                            \
    "the text of a query, in place of QUERIES; you may\n"                                                              \
    "give several"

typedef struct akin_cli_typed {
    akin_column column; /* a row for each query */
    uint32_t rows;
    uint64_t *offsets; /* what it is in, to be freed */
    char *bytes;
} akin_cli_typed;

/* Whether --query was given, which is that option of a command. */
int akin_cli_typed_given(const akin_cli_arguments *arguments, int option);

/* Checks the operands of a command: `first`, which is what the first one is called ("INDEX"), and QUERIES, unless
 * --query was given; no two are standard input. *queries becomes the path, or NULL. Returns AKIN_CLI_DONE or
 * AKIN_CLI_USAGE. */
int akin_cli_typed_operands(const akin_cli_arguments *arguments, int option, const char *command, const char *first,
                            const char **queries);

/* Refuses options that say how a file of queries is read, beside --query; `given` has their names, or NULLs. Returns
 * likewise. */
int akin_cli_typed_check(const char *const *given, size_t count);

/* Makes a column of the queries. The caller clears it in any case. Errors: AKIN_E_NOMEM. */
akin_status akin_cli_typed_make(const akin_cli_arguments *arguments, int option, akin_cli_typed *out,
                                akin_error *error);
void akin_cli_typed_clear(akin_cli_typed *typed);

/* Reads each query as token ids with blanks between them. Errors: AKIN_E_INPUT, and those of akin_sets_from_arrays. */
akin_status akin_cli_typed_sets(akin_context *context, const akin_cli_typed *typed, akin_sets **out, akin_error *error);

/* Adds to the message about a file of queries that is not there how the text of one is given. */
void akin_cli_typed_advise(akin_error *error);

#endif
