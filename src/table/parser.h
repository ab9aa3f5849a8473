/*
 * Parses records from memory, in any format: the steps before the formats, and after.
 *
 * Each format has a file of its own (lines.c, documents.c, delimited.c, jsonl.c) that takes whole lines. A line ends in
 * LF and has no NUL bytes. It is UTF-8, unless invalid bytes are to be replaced. It adds to the columns of the table,
 * row by row.
 */
#ifndef AKIN_TABLE_PARSER_H
#define AKIN_TABLE_PARSER_H

#include "base/choice.h"
#include "base/record.h"
#include "base/scope.h"
#include "table/json.h"
#include "table/table.h"

#define AKIN_PARSER_PADDING 64 /* bytes readable beyond a text */

/* CSV and TSV. A field within quotes may be open at the end of a text; it continues in the next one. */
typedef struct akin_delimited {
    char separator;
    int quotes; /* whether there are any */
    int has_header;
    uint64_t fields;        /* those of the header */
    akin_strings **columns; /* for each field; NULL: not kept */
    uint64_t inside;        /* all ones: the text begins within quotes */
    uint64_t field;         /* the number of the one at hand */
    akin_strings pending;   /* its beginning in the texts before: no rows, only bytes */
    uint64_t pending_line;  /* where that is */
    akin_strings record;    /* the beginning of the record likewise, if records are kept or there is no header yet */
    uint64_t record_line;   /* where the record begins; 0: in this text */
    uint64_t line;          /* lines before the record, counted with those before if lines are kept */
    uint64_t feeds;         /* line feeds in the record so far, likewise */
} akin_delimited;

typedef struct akin_jsonl {
    akin_json_finder find;
    akin_strings scratch;  /* decoded bytes: no rows */
    akin_strings repaired; /* a key, likewise */
    akin_names others;     /* some keys that are not kept, for messages */
} akin_jsonl;

typedef struct akin_parser akin_parser;

/* Where a text may be cut, such that both parts can be parsed by themselves: nowhere; at each line feed; at line feeds
 * outside quotes. */
typedef enum akin_cut { AKIN_CUT_NOWHERE, AKIN_CUT_LINES, AKIN_CUT_QUOTES } akin_cut;

#define AKIN_FORMAT_ENDINGS 3 /* of the names of a format's files, at most, */
#define AKIN_FORMAT_SCHEMES 2 /* and of what its addresses begin with */

/*
 * A format; its value is an akin_format. A binary format has `read`, which opens the file itself. A format of text has
 * NULL there: read.c cuts the file into whole lines and gives them to `add`; `begin` and `finish`, which may be NULL,
 * are called before the first line and after the last.
 */
typedef struct akin_format_row akin_format_row;
struct akin_format_row {
    akin_choice choice;
    const char *endings[AKIN_FORMAT_ENDINGS];
    akin_status (*read)(const akin_scope *scope, const char *path, const akin_format_row *row,
                        const akin_table_options *options, akin_table **out, akin_error *error);
    void (*begin)(akin_parser *parser);
    akin_status (*add)(akin_parser *parser, const char *text, size_t length, akin_error *error);
    akin_status (*finish)(akin_parser *parser, akin_error *error);
    int is_plain; /* text without columns: there is one, "text" */
    int returns;  /* carriage returns before the first line feed that are too many; 0: they are blanks like others */
    akin_cut cut; /* where blocks are cut for threads to parse them */
    const char *schemes[AKIN_FORMAT_SCHEMES];
    /* Commands that print such a table as CSV, and that make one of CSV; NULL: there is none. */
    const char *pipe, *pipe_to;
};

struct akin_parser {
    const char *name; /* of the file, for messages; borrowed */
    const akin_format_row *format;
    akin_cpu cpu;
    int lossy;
    int keep_all;                 /* columns, not only the requested ones, */
    uint32_t required;            /* the first ones must be there */
    uint32_t text;                /* the column of plain text, which is always there */
    uint32_t first;               /* rows of the files before */
    int begun;                    /* something has been parsed */
    uint64_t lines;               /* in the texts before */
    akin_record_most record_most; /* of a field that several texts have */
    akin_table *table;
    uint64_t document; /* the line that the document at hand begins on; 0: there is none */
    akin_delimited delimited;
    akin_jsonl jsonl;
};

/* `format` is that of the options, and one of text. Errors: AKIN_E_OPTION (a column requested twice, or a column other
 * than "text" of a text), AKIN_E_NOMEM. */
akin_status akin_parser_begin(akin_parser *parser, const akin_scope *scope, const char *name,
                              const akin_format_row *format, const akin_table_options *options, akin_error *error);

/* Looks at the first block of a file: *mark receives the bytes of a byte order mark, which is no text. akin_parser_add
 * does the same with the first text that it gets, unless this has been called. Errors: AKIN_E_INPUT (another encoding,
 * lines that end in CR alone). */
akin_status akin_parser_start(akin_parser *parser, const char *text, size_t length, size_t *mark, akin_error *error);

/* Parses the next `length` (above 0) bytes: whole lines (the last one may lack its line feed only at the end of the
 * file), or anything with a NUL byte, which is refused. After an error only akin_parser_clear may follow. Errors: as
 * akin_table_read. */
akin_status akin_parser_add(akin_parser *parser, const char *text, size_t length, akin_error *error);

/*
 * Goes on with another file, whose first text `head` has parsed, up to its header; so it has no rows, or those of a
 * piece. `header` has `length` bytes. Errors: AKIN_E_INPUT (where all columns are kept, the file has others than the
 * files before), AKIN_E_NOMEM, AKIN_E_IO.
 */
akin_status akin_parser_turn(akin_parser *parser, const akin_parser *head, uint64_t lines, const char *header,
                             uint64_t length, akin_error *error);

/* Ends a file: another one, or akin_parser_finish, follows. */
akin_status akin_parser_end_file(akin_parser *parser, akin_error *error);

/* The columns of another file are to be those of the table, if all columns are kept and rows may be there. `name` is
 * that of the file. Errors: AKIN_E_INPUT. */
akin_status akin_parser_match(const akin_parser *parser, const akin_names *names, const char *name, akin_error *error);

/*
 * Pieces: a text that was cut as the format's row says may be parsed part by part, each by a parser of its own, whose
 * table is then appended to that of the first. These parsers keep to the bound of the scope.
 */

/* Whether a row has been parsed, and none is open: so all that the header and the first rows decide is decided. */
int akin_parser_is_settled(const akin_parser *parser);

/* Makes the parser of a piece. Errors: AKIN_E_NOMEM. */
akin_status akin_parser_fork(const akin_parser *parser, const akin_scope *scope, akin_parser *piece, akin_error *error);

/* Prepares the parser of a piece for another one. */
void akin_parser_renew(akin_parser *piece);

/* Ends the last file and hands out the table. */
akin_status akin_parser_finish(akin_parser *parser, akin_table **out, akin_error *error);

/* Frees what is held; allowed at any time after akin_parser_begin, also if that or another step failed. */
void akin_parser_clear(akin_parser *parser);

/* ------------------------------------------------------------------------------------------- for the formats' files */

/* The number of the line that `at` is in, which is in the text, or just behind it. */
uint64_t akin_parser_line(const akin_parser *parser, const char *text, const char *at);

/* The status of a function that has no message of its own, with the message. */
akin_status akin_parser_fail(const akin_parser *parser, akin_status status, akin_error *error);

/* Adds a string to a column, and a part of one; AKIN_PARSER_PADDING bytes can be read beyond the first. */
static inline akin_status akin_parser_put(const akin_parser *parser, akin_strings *to, const char *bytes, size_t length)
{
    if (!parser->lossy)
        return akin_strings_add(to, bytes, length);
    akin_status status = akin_strings_append_repaired(to, bytes, length);
    return status == AKIN_OK ? akin_strings_end(to) : status;
}

static inline akin_status akin_parser_append(const akin_parser *parser, akin_strings *to, const char *bytes,
                                             size_t length)
{
    return parser->lossy ? akin_strings_append_repaired(to, bytes, length) : akin_strings_append(to, bytes, length);
}

#endif
