/* Writes the clusters of a join: which row is in which, and the records without their duplicates. */
#include "clusters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "number.h"
#include "path.h"

static akin_status put(akin_output *output, const char *text, akin_error *error)
{
    return akin_output_write(output, text, strlen(text), error);
}

/* What stands around the values of a line; where there is one file, none of the sides is told. Lines that tell a cluster's
 * number have it before its first row, behind `number`, which is NULL in others. */
typedef struct layout {
    const char *header, *side, *id, *number, *cluster_side, *cluster, *end;
} layout;

/* With numbers or not; of one file, or two. */
static layout make_layout(const akin_cli_writer *w, int numbered, int two)
{
    const char *representative = two ? "\",\"representative\":" : ",\"representative\":";
    const char *cluster = two ? "\",\"cluster\":" : ",\"cluster\":";
    layout l = {.side = two ? akin_cli_keyed(w, "{\"side\":\"") : "",
                .id = two ? akin_cli_between(w, "\",\"id\":") : akin_cli_keyed(w, "{\"id\":"),
                .number = numbered ? akin_cli_between(w, ",\"cluster\":") : NULL,
                .cluster_side = "",
                .cluster = akin_cli_between(w, numbered ? representative : cluster),
                .end = akin_cli_keyed(w, "}")};
    if (two)
        l.cluster_side = akin_cli_between(w, numbered ? ",\"representative_side\":\"" : ",\"cluster_side\":\"");
    l.header = numbered ? (two ? "side,id,cluster,representative_side,representative" : "id,cluster,representative")
                        : (two ? "side,id,cluster_side,cluster" : "id,cluster");
    return l;
}

/* Writes which row that is: its side, if there are two files, and its name there. */
static akin_status put_row(akin_output *output, const akin_cli_source *left, const akin_cli_source *right, uint32_t row,
                           const char *before_side, const char *before_name, akin_error *error)
{
    char number[16];
    size_t length;
    int on_right = right && row >= left->rows;
    const char *name = on_right ? akin_cli_names_row(&right->names, row - left->rows, number, &length)
                                : akin_cli_names_row(&left->names, row, number, &length);
    akin_status status = put(output, before_side, error);
    if (status == AKIN_OK && right)
        status = put(output, on_right ? "right" : "left", error);
    if (status == AKIN_OK)
        status = put(output, before_name, error);
    return status == AKIN_OK ? akin_output_write(output, name, length, error) : status;
}

static akin_status put_number(akin_output *output, const char *before, uint32_t number, akin_error *error)
{
    char text[AKIN_CLI_NUMBER];
    char *end = akin_cli_put_u32(text, number);
    akin_status status = put(output, before, error);
    return status == AKIN_OK ? akin_output_write(output, text, (size_t)(end - text), error) : status;
}

akin_status akin_cli_clusters_write(const akin_clusters *clusters, const akin_cli_source *left,
                                    const akin_cli_source *right, akin_cli_format format, int numbered,
                                    akin_output *output, akin_error *error)
{
    const akin_cli_writer *w = akin_cli_writer_of(format);
    const layout own = make_layout(w, numbered, right != NULL), *l = &own;
    char header[128];
    uint32_t rows = akin_clusters_rows(clusters), count = 0;
    uint32_t *numbers = numbered ? malloc(((size_t)rows + 1) * sizeof *numbers) : NULL; /* of first rows */
    if (numbered && !numbers)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY,
                              "not enough memory for the numbers of the clusters");
    akin_status status =
        akin_output_write(output, header, (size_t)(akin_cli_put_header(header, w, l->header) - header), error);
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++) {
        uint32_t first = akin_clusters_row(clusters, row); /* it comes before the others */
        if (numbers && first == row)
            numbers[row] = count++;
        status = put_row(output, left, right, row, l->side, l->id, error);
        if (status == AKIN_OK && numbers)
            status = put_number(output, l->number, numbers[first], error);
        if (status == AKIN_OK)
            status = put_row(output, left, right, first, l->cluster_side, l->cluster, error);
        if (status == AKIN_OK)
            status = put(output, l->end, error);
        if (status == AKIN_OK)
            status = put(output, "\n", error);
    }
    free(numbers);
    return status;
}

akin_status akin_cli_clusters_deduplicate(const akin_clusters *clusters, const akin_table *table, akin_output *output,
                                          akin_error *error)
{
    const char *bytes;
    uint64_t length = 0;
    akin_status status = akin_table_header(table, &bytes, &length, error);
    if (status == AKIN_OK && length > 0) {
        status = akin_output_write(output, bytes, (size_t)length, error);
        if (status == AKIN_OK)
            status = put(output, "\n", error);
    }
    for (uint32_t row = 0; row < akin_clusters_rows(clusters) && status == AKIN_OK; row++) {
        if (akin_clusters_row(clusters, row) != row)
            continue;
        status = akin_table_record(table, row, &bytes, &length, error);
        if (status == AKIN_OK)
            status = akin_output_write(output, bytes, (size_t)length, error);
        if (status == AKIN_OK)
            status = put(output, "\n", error);
    }
    return status;
}

int akin_cli_deduplicated_check(akin_format format, const char *path)
{
    const akin_choice *row = akin_choice_of_value("table-formats", (int)format);
    const char *name = !row ? "records" : row->capabilities & AKIN_HAS_COLUMNS ? row->name : "lines of text";
    akin_format told = AKIN_FORMAT_TEXT;
    int is_told = akin_format_of_name(path, &told, NULL) == AKIN_OK && told != AKIN_FORMAT_TEXT && told != format;
    if (is_told || akin_cli_path_ends(path, ".akin") ||
        (akin_cli_path_ends(path, ".json") && format != AKIN_FORMAT_JSONL))
        return akin_cli_refuse(
            "--deduplicated %s: records are written as they stand in the input, which is %s: expected "
            "a name that says so",
            path, name);
    return AKIN_CLI_DONE;
}
