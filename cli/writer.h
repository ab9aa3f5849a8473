/* How values are written in the formats of results. */
#ifndef AKIN_CLI_WRITER_H
#define AKIN_CLI_WRITER_H

#include "command.h"

#include <string.h>

/* One of those of "table-formats" and "opened-formats"; AKIN_FORMAT_AUTO is CSV, AKIN_FORMAT_TEXT writes names as they
 * are. */
typedef akin_format akin_cli_format;

/* CSV in which what a spreadsheet may take for a formula is quoted, with an apostrophe before it: --safe-csv. */
#define AKIN_CLI_SAFE_CSV ((akin_cli_format)255)

/* The row of that option, in every command that writes CSV. */
#define AKIN_CLI_SAFE_CSV_OPTION                                                                                       \
    .name = "safe-csv",                                                                                                \
    .help =                                                                                                            \
        "for spreadsheets: write CSV in which values that begin with =, +, -, @, a tab or a line end, and are no "     \
        "numbers, have an apostrophe before them"

typedef struct akin_cli_writer {
    const char *separator; /* of values; NULL: values have keys, as in JSON */
    const char *none;      /* a value that is missing */
    /* Writes a name at `to`, which has room for 6 bytes a byte and 2 more; returns where it ends. */
    char *(*write)(char *to, const char *name, size_t length);
    akin_format format;
    int holds_lines; /* a name may have tabs and line ends */
    int is_saved;    /* lines for a saver (akin_saver), without a header */
} akin_cli_writer;

const akin_cli_writer *akin_cli_writer_of(akin_cli_format format);

/* The row of a path or an address of "opened-formats", as which a saver writes tables; NULL: it is of none. */
const akin_choice *akin_cli_saved_of(const char *path);

/*
 * The format of an output: as `word` says, the argument of `option`, else as the name of the file ends (NULL: it
 * stays). Results are not written as .json or .akin: such a name is refused unless a format is given. `what` is
 * written, in the plural. Returns AKIN_CLI_DONE or AKIN_CLI_USAGE.
 */
int akin_cli_format_check(const akin_cli_option *option, const char *word, const char *path, const char *what,
                          akin_cli_format *out);

#define AKIN_CLI_SAFE_RECORDS                                                                                          \
    "--safe-csv and --deduplicated: records are written as they stand in the input: leave out one of both"

/* Makes *format that of --safe-csv, if that is given (else NULL). Refuses it for a format other than CSV, in which
 * `path` (NULL: standard output) is written. Returns AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_safe_check(const char *given, const char *path, akin_cli_format *format);

/* What stands before a value that is not the first: the separator, or what has its key, such as ",\"right\":". */
static inline const char *akin_cli_between(const akin_cli_writer *writer, const char *key)
{
    return writer->separator ? writer->separator : key;
}

/* What stands around a line: nothing, or what lines of JSON have. */
static inline const char *akin_cli_keyed(const akin_cli_writer *writer, const char *text)
{
    return writer->separator ? "" : text;
}

/* A text of a few bytes that stands in every line. All of `text` is copied, because a fixed length takes one or two
 * moves: a place for it has AKIN_CLI_FIELD bytes. */
#define AKIN_CLI_FIELD 32

typedef struct akin_cli_field {
    char text[AKIN_CLI_FIELD];
    size_t length;
} akin_cli_field;

/* The field of a text of at most AKIN_CLI_FIELD bytes. */
akin_cli_field akin_cli_field_of(const char *text);

static inline char *akin_cli_put_field(char *at, const akin_cli_field *field)
{
    memcpy(at, field->text, sizeof field->text);
    return at + field->length;
}

static inline char *akin_cli_put_bytes(char *at, const char *bytes, size_t length)
{
    memcpy(at, bytes, length);
    return at + length;
}

#endif
