/* Writes what came of comparing the rows of two columns as CSV, TSV or JSON lines. */
#include "compared.h"

#include <math.h>
#include <string.h>

#include "header.h"
#include "job.h"

#define LINE 128u /* bytes that hold any line */

size_t akin_cli_compared_format(char text[AKIN_CLI_NUMBER], const akin_compared *compared, int distance, int digits)
{
    double value = distance ? compared->distance : compared->similarity;
    if (isfinite(value))
        return akin_cli_format_rounded(text, value, digits);
    text[0] = '\0';
    return 0;
}

static char *put_compared(char *at, const char *text)
{
    size_t length = strlen(text);
    memcpy(at, text, length);
    return at + length;
}

static char *put_compared_line(char *at, const akin_cli_writer *w, uint32_t row, const akin_compared *compared,
                               int distance, int digits)
{
    char text[AKIN_CLI_NUMBER];
    size_t length = akin_cli_compared_format(text, compared, distance, digits);
    at = put_compared(at, akin_cli_keyed(w, "{\"row\":"));
    at = akin_digits_integer(at, row);
    at = put_compared(at, akin_cli_between(w, distance ? ",\"distance\":" : ",\"similarity\":"));
    at = put_compared(at, length ? text : w->none);
    return put_compared(put_compared(at, akin_cli_keyed(w, "}")), "\n");
}

akin_status akin_cli_compared_write(akin_output *output, akin_cli_format format, const akin_compared *compared,
                                    uint32_t rows, int distance, int digits, akin_error *error)
{
    const akin_cli_writer *w = akin_cli_writer_of(format);
    char buffer[16384], *at = buffer;
    akin_cli_header header = {0};
    akin_cli_header_add(&header, "", "row", AKIN_CLI_INTEGER);
    akin_cli_header_add(&header, "", distance ? "distance" : "similarity", AKIN_CLI_DOUBLE);
    akin_status written = akin_cli_header_write(&header, format, output, error);
    if (written != AKIN_OK)
        return written;
    for (uint32_t row = 0; row < rows; row++) {
        at = put_compared_line(at, w, row, &compared[row], distance, digits);
        if (at <= buffer + sizeof buffer - LINE)
            continue;
        akin_status status = akin_output_write(output, buffer, (size_t)(at - buffer), error);
        if (status == AKIN_OK && akin_cli_job_cancelled())
            status = error->code = AKIN_E_CANCELLED;
        if (status != AKIN_OK)
            return status;
        at = buffer;
    }
    return akin_output_write(output, buffer, (size_t)(at - buffer), error);
}
