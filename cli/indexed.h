/* The files that were indexed, read again for the columns of documents that results show: --indexed. */
#ifndef AKIN_CLI_INDEXED_H
#define AKIN_CLI_INDEXED_H

#include "command.h"
#include "shown.h"
#include "source.h"

/* The row of this option. */
#define AKIN_CLI_INDEXED_OPTION                                                                                        \
    .name = "indexed", .argument = "FILE", .repeated = 1,                                                              \
    .help =                                                                                                            \
        "for --show: the file that was indexed. For an extended index, give each of its files, in the order in "       \
        "which they were added"

#define AKIN_CLI_ADD_INDEXED "; to show columns of the documents add --indexed FILE"

/* Refuses --show without --indexed if the queries have no columns. `queries` is what the message calls them. Returns
 * AKIN_CLI_USAGE. */
int akin_cli_indexed_missing(const char *queries);

/* Adds this to the message about a column of `names` that the queries lack. */
void akin_cli_indexed_advise(const char *const *names, uint32_t count, akin_error *error);

/* Zeros: there are none. */
typedef struct akin_cli_indexed {
    const char **paths; /* to be freed */
    uint32_t count;
    akin_format format; /* AKIN_FORMAT_AUTO: as the names say, else text */
    int lossy;
} akin_cli_indexed;

/* Takes the arguments of the option, which is that of a command; `queries` is NULL if they are typed. The caller clears
 * *out in any case. Returns AKIN_CLI_DONE, AKIN_CLI_USAGE or AKIN_CLI_FAILED. */
int akin_cli_indexed_check(const akin_cli_arguments *arguments, int option, const char *queries, const char *output,
                           akin_cli_indexed *out);

/* Takes one file, whose name is kept. Returns AKIN_CLI_DONE or AKIN_CLI_FAILED. */
int akin_cli_indexed_take(const char *path, akin_cli_indexed *out);

void akin_cli_indexed_clear(akin_cli_indexed *indexed);

/* What was read of queries and files. Zeros: nothing. */
typedef struct akin_cli_beside {
    const char *path;        /* of the queries, for messages; NULL: they are typed */
    akin_cli_source queries; /* the caller's table, which may be NULL, and its rows; */
    uint32_t count;
    akin_cli_source *files;
} akin_cli_beside;

/*
 * Finds the columns whose names `shown` has: in beside->queries and, if there are some, in the files, which it reads.
 * `index`, the name of an index of `documents` documents, is for messages. The caller clears *beside in any case.
 * Errors: those of akin_table_read; AKIN_E_OPTION (neither side has a column), AKIN_E_INPUT (another number of rows),
 * AKIN_E_NOMEM.
 */
akin_status akin_cli_beside_read(akin_cli_job *job, const akin_cli_indexed *indexed, const char *index,
                                 uint32_t documents, akin_cli_beside *beside, akin_cli_shown *shown, akin_error *error);

/* Prepares `shown` for a document. Returns the row of the document in its file. */
uint32_t akin_cli_beside_row(const akin_cli_beside *beside, uint32_t document, akin_cli_shown *shown);

void akin_cli_beside_clear(akin_cli_beside *beside); /* except for the table of the queries */

#endif
