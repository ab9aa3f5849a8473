/* Writes what came of comparing the rows of two columns as CSV, TSV or JSON lines. */
#include "compared.h"

#include <math.h>

#include "header.h"

#define LINE 160u /* bytes that hold any line, and what is written behind it */

size_t akin_cli_compared_format(char text[AKIN_CLI_NUMBER], const akin_compared *compared, int distance, int digits)
{
    double value = distance ? compared->distance : compared->similarity;
    if (isfinite(value))
        return akin_cli_format_rounded(text, value, digits);
    text[0] = '\0';
    return 0;
}

/* What there is to write, and what stands around the values of a line. */
typedef struct lines_job {
    const akin_compared *compared;
    int distance, digits;
    akin_cli_field before, middle, none, end;
} lines_job;

static char *put_line(const lines_job *j, akin_cli_texts *texts, char *at, uint64_t row)
{
    const double value = j->distance ? j->compared[row].distance : j->compared[row].similarity;
    at = akin_digits_integer(akin_cli_put_field(at, &j->before), row);
    at = akin_cli_put_field(at, &j->middle);
    at = isfinite(value) ? akin_cli_texts_put(texts, at, value, j->digits) : akin_cli_put_field(at, &j->none);
    return akin_cli_put_field(at, &j->end);
}

/* An akin_lines_format, whose user is a lines_job. */
static akin_status format_compared(void *user, uint64_t begin, uint64_t end, akin_lines *lines, akin_error *error)
{
    akin_cli_texts texts = {.slots = {{.length = 0}}};
    (void)error;
    for (uint64_t row = begin; row < end; row++) {
        char *at = akin_lines_reserve(lines, LINE);
        if (!at)
            return AKIN_E_NOMEM;
        lines->length = (size_t)(put_line(user, &texts, at, row) - lines->text);
    }
    return AKIN_OK;
}

akin_status akin_cli_compared_write(akin_output *output, akin_cli_format format, const akin_compared *compared,
                                    uint32_t rows, int distance, int digits, akin_error *error)
{
    const akin_cli_writer *w = akin_cli_writer_of(format);
    akin_cli_header header = {0};
    lines_job job = {.compared = compared,
                     .distance = distance,
                     .digits = digits,
                     .before = akin_cli_field_of(akin_cli_keyed(w, "{\"row\":")),
                     .middle = akin_cli_field_of(akin_cli_between(w, distance ? ",\"distance\":" : ",\"similarity\":")),
                     .none = akin_cli_field_of(w->none),
                     .end = akin_cli_field_of(w->separator ? "\n" : "}\n")};
    akin_cli_header_add(&header, "", "row", AKIN_CLI_INTEGER);
    akin_cli_header_add(&header, "", distance ? "distance" : "similarity", AKIN_CLI_DOUBLE);
    akin_status status = akin_cli_header_write(&header, format, output, error);
    return status == AKIN_OK ? akin_output_write_rows(output, rows, format_compared, &job, error) : status;
}
