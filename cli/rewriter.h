/* Records of a file with another text in one column; everything else stays as it stands. */
#ifndef AKIN_CLI_REWRITER_H
#define AKIN_CLI_REWRITER_H

#include <stdint.h>

#include "akin.h"

typedef struct akin_cli_rewriter akin_cli_rewriter;

/* A format. */
typedef struct akin_cli_rewriter_row {
    akin_format format;
    char separator, quote; /* of fields; quote NUL: there is none */
    /* Finds the value of the column in a record: from byte *begin to before *end. Returns 0 if there is none. */
    int (*find)(const akin_cli_rewriter *rewriter, const char *record, uint64_t length, uint64_t *begin, uint64_t *end);
} akin_cli_rewriter_row;

/* Of one file; begin with zeros. */
struct akin_cli_rewriter {
    const char *column;               /* its name, which plain text has no use for; borrowed */
    const akin_cli_rewriter_row *row; /* of the format */
    uint64_t field;                   /* of CSV and TSV: the number of the column */
    char *buffer;                     /* of a value */
    uint64_t capacity;
};

/* Whether records of a format can be written with another text. */
int akin_cli_rewriter_can(akin_format format);

/* Begins a file of a format that it can write, whose header line is given, of CSV and TSV. Errors: AKIN_E_INPUT (no
 * such column). */
akin_status akin_cli_rewriter_begin(akin_cli_rewriter *rewriter, const char *column, akin_format format,
                                    const char *header, uint64_t length, akin_error *error);

/* Writes a record with `text` in its column, and a line end. Errors: those of akin_output_write, AKIN_E_NOMEM. */
akin_status akin_cli_rewriter_write(akin_cli_rewriter *rewriter, const char *record, uint64_t length, const char *text,
                                    uint64_t text_length, akin_output *output, akin_error *error);

void akin_cli_rewriter_clear(akin_cli_rewriter *rewriter);

#endif
