/* The values of columns that stand beside the ids of rows in results: --show. */
#ifndef AKIN_CLI_SHOWN_H
#define AKIN_CLI_SHOWN_H

#include "header.h"
#include "names.h"

#define AKIN_CLI_SHOW_HELP                                                                                             \
    "also write the values of these columns, as A,B: left_COLUMN and right_COLUMN of pairs, COLUMN of clusters. "      \
    "LEFT=RIGHT: a column that two files call differently. A column that only one of them has is shown for that one. " \
    "The column of a file of plain text is called text"

#define AKIN_CLI_SHOW_QUERIES_HELP                                                                                     \
    "also write the values of these columns, as A,B: query_COLUMN of the queries, document_COLUMN of the documents"

/* A column that results show, and its type in its table, in Arrow's notation. */
typedef struct akin_cli_shown_column {
    akin_column column;
    const char *type;
} akin_cli_shown_column;

/* Columns of one table, or of the left and the right one, which need not have all of them. Zeros: nothing is shown. */
struct akin_cli_shown {
    akin_cli_format format;
    uint32_t count;           /* of columns */
    const char *const *names; /* what they are called, */
    const char *const *right; /* in the right table, unless NULL: as in the left one, */
    const char *prefix[2];    /* and what stands before that for each side; the second NULL: there is one side */
    const akin_cli_shown_column *side[2]; /* `count` columns of each; NULL, or no offsets: the side lacks them */
    akin_cli_line line;                   /* its own; to be freed by akin_cli_shown_clear */
};

/* Adds what follows other columns: left_name and right_name. `more`, `count` columns or NULL, are those of a second
 * table, whose rows stand in the same columns as those of the first side. */
void akin_cli_shown_columns(const akin_cli_shown *shown, const akin_cli_shown_column *more, akin_cli_header *header);

/* The type of a column that has the values of two, either of which may be lacking. */
const char *akin_cli_shown_type(const akin_cli_shown_column *one, const akin_cli_shown_column *other);

/* Writes what follows the other values of a line, for a row of each side; a null is as the format has none. *text is
 * valid until the next call. Errors: AKIN_E_NOMEM, AKIN_E_INPUT (a value that TSV cannot hold). */
akin_status akin_cli_shown_values(akin_cli_shown *shown, const uint32_t rows[2], const char **text, size_t *length,
                                  akin_error *error);
/* Puts the same behind what `lines` has, and leaves room for `more` bytes. */
akin_status akin_cli_shown_put(akin_cli_shown *shown, const uint32_t rows[2], akin_lines *lines, size_t more,
                               akin_error *error);
void akin_cli_shown_clear(akin_cli_shown *shown);

#endif
