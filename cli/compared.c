/* Writes what came of comparing the rows of two columns as CSV, TSV or JSON lines. */
#include "compared.h"

#include <math.h>
#include <string.h>

#include "job.h"
#include "number.h"

#define LINE 128u /* bytes that hold any line */

/* What stands around the two values of a line, with similarities and with distances. */
typedef struct layout {
    const char *header[2], *before, *middle[2], *end, *none;
} layout;

static const layout layouts[] = {
    [AKIN_CLI_CSV] = {{"row,similarity\n", "row,distance\n"}, "", {",", ","}, "\n", ""},
    [AKIN_CLI_TSV] = {{"row\tsimilarity\n", "row\tdistance\n"}, "", {"\t", "\t"}, "\n", ""},
    [AKIN_CLI_JSONL] = {{"", ""}, "{\"row\":", {",\"similarity\":", ",\"distance\":"}, "}\n", "null"},
};

size_t akin_cli_compared_format(char *text, const akin_compared *compared, int distance)
{
    double value = distance ? compared->distance : compared->similarity;
    if (isfinite(value))
        return akin_cli_format_double(text, value);
    text[0] = '\0';
    return 0;
}

static char *put(char *at, const char *text)
{
    size_t length = strlen(text);
    memcpy(at, text, length);
    return at + length;
}

static char *put_line(char *at, const layout *l, uint32_t row, const akin_compared *compared, int distance)
{
    char text[AKIN_CLI_NUMBER];
    size_t length = akin_cli_compared_format(text, compared, distance);
    at = put(at, l->before);
    at = akin_cli_put_u32(at, row);
    at = put(at, l->middle[distance]);
    at = put(at, length ? text : l->none);
    return put(at, l->end);
}

akin_status akin_cli_compared_write(akin_output *output, akin_cli_format format, const akin_compared *compared,
                                    uint32_t rows, int distance, akin_error *error)
{
    const layout *l = &layouts[format];
    char buffer[16384], *at = put(buffer, l->header[distance]);
    for (uint32_t row = 0; row < rows; row++) {
        at = put_line(at, l, row, &compared[row], distance);
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
