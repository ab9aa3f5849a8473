/* A table as the rooms see it: a list of strings for each column, and the names. */
#ifndef AKIN_TABLE_TABLE_H
#define AKIN_TABLE_TABLE_H

#include "table/codes.h"
#include "table/names.h"

#include <stddef.h>

#define AKIN_TABLE_OPTIONS_FIRST offsetof(akin_table_options, more) /* bytes of their first version */

/* A row that does not begin on the line after the one where the row before does. */
typedef struct akin_jump {
    uint32_t row;
    uint64_t line;
} akin_jump;

/* A file that rows are of. */
typedef struct akin_table_part {
    uint32_t first; /* row */
    akin_format format;
    int has_lines;
} akin_table_part;

/* A record that was left out. */
typedef struct akin_table_skip {
    uint32_t file;
    uint64_t line;
} akin_table_skip;

struct akin_table {
    akin_store store; /* of the columns and the records */
    uint32_t rows;
    uint32_t capacity; /* columns that there is room for */
    akin_names names;
    akin_strings *columns; /* one for each name; a column in the making may have fewer rows than the table, see below */
    akin_row_codes *codes; /* of the columns; NULL: none has any */
    uint32_t typed;        /* columns, the first ones, whose types are known; the others were text */
    akin_type *types;      /* of these columns before they became text */
    char **formats;        /* the same in Arrow's notation */
    int keeps_records;
    akin_strings records;
    akin_strings header;       /* one string, or none; of several files one for each, if records are kept */
    akin_strings file_names;   /* each with a NUL behind it, which belongs to the row */
    akin_bulk parts;           /* akin_table_part each, for the names */
    akin_strings skip_reasons; /* likewise */
    akin_bulk skips;           /* akin_table_skip each, for the reasons */
    int keeps_lines;
    akin_bulk jumps; /* akin_jump each */
    uint64_t jump_count;
    struct ArrowArray arrow; /* what columns borrow from, kept as long as the table; or nothing, then release is NULL */
};

/* An empty table that keeps to its share of the scope's memory bound. Errors: AKIN_E_NOMEM. */
akin_status akin_table_begin(const akin_scope *scope, const akin_table_options *options, akin_table **out,
                             akin_error *error);

/* Adds a column of that name, which no other has: of no rows, so far. Columns move. Errors, of what follows without a
 * message: AKIN_E_NOMEM, AKIN_E_IO (a temporary file), AKIN_E_LIMIT. */
akin_status akin_table_add_column(akin_table *table, const char *name, size_t length);

/* Ends a row, which began on that line, and keeps its record if records are kept. */
akin_status akin_table_end_row(akin_table *table, uint64_t line, const char *record, size_t length);

/* Begins a file: rows from `first` on are of it. `header` is kept if records are; NULL: the file has no lines, and its
 * columns have types. */
akin_status akin_table_add_file(akin_table *table, const char *name, akin_format format, uint32_t first,
                                const char *header, uint64_t length);

/* Notes that a record of the last file was left out, and why. */
akin_status akin_table_add_skip(akin_table *table, uint64_t line, const char *reason);

/* Adds nulls to columns that have fewer rows than the table; and whether none has. */
akin_status akin_table_even(akin_table *table);
int akin_table_is_even(const akin_table *table);

/* Makes room for that many times the rows that there are, and some more, so that no array has to grow if the rows to
 * come are like those. It is a guess, so a lack of memory is no error. */
void akin_table_expect(akin_table *table, double times);

/* Forgets all rows, and keeps the columns and the room that they have. */
void akin_table_empty(akin_table *table);

/* Where the rows of a piece go in a table. */
typedef struct akin_table_places {
    akin_strings_place *list; /* of columns, and of the records */
    uint64_t count, capacity;
} akin_table_places;

/* Whether the rows of a piece have room without an array of the table being moved. */
int akin_table_has_room(const akin_table *table, const akin_table *piece);

/* Appends the rows of a piece, the table of a text that `lines` lines come before; a column that only the piece has is
 * a new one. The text of the rows is yet to be copied (table/strings.h). Both together have at most 2^32 - 1 rows. */
akin_status akin_table_place(akin_table *table, const akin_table *piece, uint64_t lines, akin_table_places *places);

/* Makes a table of what has been added: columns that lack rows get nulls, blocks are cut to size. */
akin_status akin_table_finish(akin_table *table);

#endif
