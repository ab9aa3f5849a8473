/* How values are written in the formats of results. */
#ifndef AKIN_CLI_WRITER_H
#define AKIN_CLI_WRITER_H

#include "command.h"

/* One of those of "table-formats"; AKIN_FORMAT_AUTO is CSV, AKIN_FORMAT_TEXT writes names as they are. */
typedef akin_format akin_cli_format;

typedef struct akin_cli_writer {
    const char *separator; /* of values; NULL: values have keys, as in JSON */
    const char *none;      /* a value that is missing */
    /* Writes a name at `to`, which has room for 6 bytes a byte and 2 more; returns where it ends. */
    char *(*write)(char *to, const char *name, size_t length);
    akin_format format;
    int holds_lines; /* a name may have tabs and line ends */
} akin_cli_writer;

const akin_cli_writer *akin_cli_writer_of(akin_cli_format format);

/*
 * The format of an output: as `word` says, the argument of `option`, else as the name of the file ends (NULL: it
 * stays). Results are not written as .json or .akin: such a name is refused unless a format is given. `what` is
 * written, in the plural. Returns AKIN_CLI_DONE or AKIN_CLI_USAGE.
 */
int akin_cli_format_check(const akin_cli_option *option, const char *word, const char *path, const char *what,
                          akin_cli_format *out);

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

/* Writes a line of names, given with commas between them, at `to`; of lines with keys, nothing. Returns where it
 * ends. */
char *akin_cli_put_header(char *to, const akin_cli_writer *writer, const char *names);

#endif
