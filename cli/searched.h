/* The data of an index and its queries, read as its kind has them. */
#ifndef AKIN_CLI_SEARCHED_H
#define AKIN_CLI_SEARCHED_H

#include "reading.h"
#include "typed.h"

/* What was given on the command line; NULL: not given. */
typedef struct akin_cli_searched_words {
    const char *input, *on, *id, *tokens, *lossy;
    const char *fold;    /* the name of an option by which tokens ignore case */
    const char *purpose; /* what is done with columns, for messages */
} akin_cli_searched_words;

#define AKIN_CLI_KINDS 200 /* bytes of a list of kinds */

/* Lists the kinds of indexes that have an option: "sets, documents or rows". */
const char *akin_cli_kinds_with(const char *option, char text[AKIN_CLI_KINDS]);

/* What an index of a kind is like: by hash functions if it can be so only, or else if `is_hashed`; NULL: it cannot. */
const akin_search_facts *akin_cli_kind_facts(akin_search_kind kind, int is_hashed);

/* How to read `path` for an index of that kind. Returns AKIN_CLI_DONE, AKIN_CLI_USAGE or AKIN_CLI_FAILED. The caller
 * clears *out. */
int akin_cli_searched_check(const akin_cli_searched_words *words, akin_search_kind kind, const char *path,
                            akin_cli_reading *out);

/* Refuses queries on the command line where a query of that kind is no line of text. Returns as above. */
int akin_cli_searched_check_typed(akin_search_kind kind);

/* Sets, columns of a table, or a matrix. */
typedef struct akin_cli_searched {
    uint32_t rows;
    akin_sets *sets;
    akin_matrix *matrix;
    akin_table *table;
    akin_column *columns; /* those wanted, without that of the names */
    uint32_t column_count;
    akin_column id;       /* that of the names, if there is one, */
    akin_cli_names names; /* which are written as the format does */
} akin_cli_searched;

/* Reads it. Errors: those of akin_sets_read, akin_table_read, akin_matrix_read and akin_cli_names_make. The caller
 * clears *out in any case. */
akin_status akin_cli_searched_read(akin_cli_job *job, const akin_cli_reading *reading, const char *path,
                                   akin_cli_format format, akin_cli_searched *out, akin_error *error);

/* Takes queries of the command line, for an index of a kind; `typed` must live as long. Errors: those of
 * akin_cli_typed_sets. */
akin_status akin_cli_searched_type(akin_context *context, const akin_cli_typed *typed, akin_search_kind kind,
                                   akin_cli_searched *out, akin_error *error);

void akin_cli_searched_clear(akin_cli_searched *searched);

#endif
