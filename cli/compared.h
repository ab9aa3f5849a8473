/* Writes what came of comparing the rows of two columns as CSV, TSV or JSON lines. */
#ifndef AKIN_CLI_COMPARED_H
#define AKIN_CLI_COMPARED_H

#include "akin.h"
#include "number.h"
#include "pairs.h"

/* Writes the text of a similarity, or of a distance, and a NUL: nothing where there is none; returns its length. It has
 * at most `digits` digits behind the point; below 0: as few as read back. */
size_t akin_cli_compared_format(char text[AKIN_CLI_NUMBER], const akin_compared *compared, int distance, int digits);

/* Writes a header, and a line for each row. Errors: those of akin_output_write. */
akin_status akin_cli_compared_write(akin_output *output, akin_cli_format format, const akin_compared *compared,
                                    uint32_t rows, int distance, int digits, akin_error *error);

#endif
