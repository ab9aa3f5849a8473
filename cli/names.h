/* What rows are called in results: their numbers, or the values of a column, as the format of the output writes them.
 */
#ifndef AKIN_CLI_NAMES_H
#define AKIN_CLI_NAMES_H

#include "akin.h"
#include "pairs.h"

/* What messages call a row of a table: "line 3", or in a table without lines "row 1". */
typedef struct akin_cli_where {
    char text[128];
} akin_cli_where;

akin_cli_where akin_cli_where_is(const akin_table *table, uint32_t row);

/* Begins a message about a row: "PATH:LINE: ", or "PATH: row N: ". Returns AKIN_E_INPUT. */
akin_status akin_cli_fail_where(const char *path, const akin_table *table, uint32_t row, akin_error *error);

#define AKIN_CLI_NAMES_TYPE 48 /* bytes of a type; a column of a longer one is text */

/* The names of all rows as they are written, each the string of its row's number; NULL: rows are called by their
 * numbers. Two names that differ are written differently, so this also finds a name that was there before. */
struct akin_cli_names {
    akin_dictionary *written;
    char type[AKIN_CLI_NAMES_TYPE]; /* of the column they are from, in Arrow's notation */
};

/* The type of a column of names, or of row numbers. */
const char *akin_cli_names_type(const akin_cli_names *names);

/*
 * Takes the names from column `index` of a table that keeps its lines, all of them there and no two alike, and writes
 * them as the format does: quoted where CSV needs it, as JSON strings; TSV has no way to write tabs and line ends.
 * `path` is for messages. Errors: AKIN_E_INPUT names the line, AKIN_E_NOMEM, AKIN_E_IO (a temporary file).
 */
akin_status akin_cli_names_make(akin_context *context, const char *path, const akin_table *table, uint32_t index,
                                akin_cli_format format, akin_cli_names *out, akin_error *error);

/* The same for one more table, whose rows follow those that have names: none may have the name of another. */
akin_status akin_cli_names_add(akin_context *context, const char *path, const akin_table *table, uint32_t index,
                               akin_cli_format format, akin_cli_names *out, akin_error *error);

/* Room in which a name, or a line with some, is written; it grows to the longest. Zeros at first; `text` is to be
 * freed. */
typedef struct akin_cli_line {
    char *text;
    size_t room;
} akin_cli_line;

/* The name of a row of one of several files, which have no column with names: "FILE:ROW", where ROW is the number of
 * the row in its file, from 0 on. *length is that of the name, as the format writes it. Errors: AKIN_E_NOMEM. Before
 * the first one of a file it is checked that results can contain the name of the file. Errors: AKIN_E_INPUT. */
akin_status akin_cli_name_of_file(const akin_table_file *file, uint32_t row, akin_cli_format format,
                                  akin_cli_line *line, size_t *length, akin_error *error);
akin_status akin_cli_name_check_file(const akin_table_file *file, akin_cli_format format, akin_error *error);

/* These names of the rows of a table. Errors: AKIN_E_INPUT (a file is there twice), AKIN_E_NOMEM, AKIN_E_IO. */
akin_status akin_cli_names_by_file(akin_context *context, const akin_table *table, akin_cli_format format,
                                   akin_cli_names *out, akin_error *error);

/* The names of the objects of an index, to which others are added. Errors: AKIN_E_NOMEM, AKIN_E_IO (a temporary
 * file). */
akin_status akin_cli_names_of_index(akin_context *context, const akin_search_index *index, akin_cli_format format,
                                    akin_cli_names *out, akin_error *error);
void akin_cli_names_clear(akin_cli_names *names);

/* Makes room for names of `names` bytes in all, in any format, and for `others` bytes beside them. `what` is for the
 * message. Errors: AKIN_E_NOMEM. */
akin_status akin_cli_line_reserve(akin_cli_line *line, size_t names, size_t others, const char *what,
                                  akin_error *error);

/* Whether the format can hold a name: TSV has no way to write tabs and line ends. */
int akin_cli_name_fits(const char *name, size_t length, akin_cli_format format);

/* Writes a name of `length` bytes as the format does, at `to`, which has room for 6 * length + 2 bytes; returns how
 * long it is then. TSV has no way to write tabs and line ends, which stay. */
size_t akin_cli_name_write(char *to, const char *name, size_t length, akin_cli_format format);

/* The name of a row, in `number` if it is one; *length is that of the name. */
const char *akin_cli_names_row(const akin_cli_names *names, uint32_t row, char number[16], size_t *length);

#endif
