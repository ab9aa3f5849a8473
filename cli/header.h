/* The columns of results: what they are called, and their types, which formats with types keep. */
#ifndef AKIN_CLI_HEADER_H
#define AKIN_CLI_HEADER_H

#include "writer.h"

/* Types, in Arrow's notation: int64, double, text. Ids and columns that are shown have those of their tables. */
#define AKIN_CLI_INTEGER "l"
#define AKIN_CLI_DOUBLE  "g"
#define AKIN_CLI_TEXT    "u"

/* Zeros: no columns so far. Names are copied, types are not. */
typedef struct akin_cli_header {
    akin_output_column *columns;
    uint32_t count;
    int failed; /* for lack of memory */
} akin_cli_header;

/* Adds a column, whose name is that of two parts. Writing the header reports a failure. */
void akin_cli_header_add(akin_cli_header *header, const char *prefix, const char *name, const char *type);

/* Adds columns of one type, whose names are given with commas between them. */
void akin_cli_header_add_all(akin_cli_header *header, const char *names, const char *type);

/* The type of a column that has values of two. */
const char *akin_cli_type_of_both(const char *one, const char *other);

/* Writes a line of the names, if the format has one, or says what the columns are to the saver, and clears the header.
 * Errors: those of akin_output_write and akin_output_columns; AKIN_E_NOMEM. */
akin_status akin_cli_header_write(akin_cli_header *header, akin_cli_format format, akin_output *output,
                                  akin_error *error);
void akin_cli_header_clear(akin_cli_header *header);

#endif
