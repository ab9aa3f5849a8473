/* Writes the clusters of a job: which row is in which, and the records without their duplicates. */
#include "clusters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "number.h"
#include "path.h"

static akin_status put_cluster_text(akin_output *output, const char *text, akin_error *error)
{
    return akin_output_write(output, text, strlen(text), error);
}

/* The texts around the values of a line. Without a second file the side of a row is left out. */
typedef struct layout {
    const char *header, *side, *id, *number, *size, *first_side, *first, *end;
} layout;

static layout make_layout(const akin_cli_writer *w, int two)
{
    const char *first = two ? "\",\"representative\":" : ",\"representative\":";
    return (layout){.header = two ? "side,id,cluster,size,representative_side,representative"
                                  : "id,cluster,size,representative",
                    .side = two ? akin_cli_keyed(w, "{\"side\":\"") : "",
                    .id = two ? akin_cli_between(w, "\",\"id\":") : akin_cli_keyed(w, "{\"id\":"),
                    .number = akin_cli_between(w, ",\"cluster\":"),
                    .size = akin_cli_between(w, ",\"size\":"),
                    .first_side = two ? akin_cli_between(w, ",\"representative_side\":\"") : "",
                    .first = akin_cli_between(w, first),
                    .end = akin_cli_keyed(w, "}")};
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
    akin_status status = put_cluster_text(output, before_side, error);
    if (status == AKIN_OK && right)
        status = put_cluster_text(output, on_right ? "right" : "left", error);
    if (status == AKIN_OK)
        status = put_cluster_text(output, before_name, error);
    return status == AKIN_OK ? akin_output_write(output, name, length, error) : status;
}

static akin_status put_cluster_number(akin_output *output, const char *before, uint32_t number, akin_error *error)
{
    char text[AKIN_CLI_NUMBER];
    char *end = akin_digits_integer(text, number);
    akin_status status = put_cluster_text(output, before, error);
    return status == AKIN_OK ? akin_output_write(output, text, (size_t)(end - text), error) : status;
}

/* Writes what the table of a row shows of it. */
static akin_status put_shown(akin_output *output, const akin_cli_source *left, const akin_cli_source *right,
                             uint32_t row, akin_cli_shown *shown, akin_error *error)
{
    const int on_right = right && row >= left->rows;
    const uint32_t rows[2] = {on_right ? row - left->rows : row, 0};
    const char *text;
    size_t length;
    if (shown->count == 0)
        return AKIN_OK;
    shown->side[0] = on_right ? right->shown : left->shown;
    akin_status status = akin_cli_shown_values(shown, rows, &text, &length, error);
    return status == AKIN_OK ? akin_output_write(output, text, length, error) : status;
}

/* Writes the line of a row. */
static akin_status put_cluster_line(const akin_clusters *clusters, const akin_cli_source *left,
                                    const akin_cli_source *right, const layout *l, uint32_t row, uint32_t number,
                                    akin_cli_shown *shown, akin_output *output, akin_error *error)
{
    akin_status status = put_row(output, left, right, row, l->side, l->id, error);
    if (status == AKIN_OK)
        status = put_cluster_number(output, l->number, number, error);
    if (status == AKIN_OK)
        status = put_cluster_number(output, l->size, akin_clusters_size(clusters, row), error);
    if (status == AKIN_OK)
        status = put_row(output, left, right, akin_clusters_row(clusters, row), l->first_side, l->first, error);
    if (status == AKIN_OK)
        status = put_shown(output, left, right, row, shown, error);
    if (status == AKIN_OK)
        status = put_cluster_text(output, l->end, error);
    return status == AKIN_OK ? put_cluster_text(output, "\n", error) : status;
}

/* Writes the names of the columns, if the format has them. */
static akin_status put_cluster_header(const akin_cli_writer *w, const char *names, akin_cli_shown *shown,
                                      akin_output *output, akin_error *error)
{
    char header[128];
    const char *text;
    size_t length = (size_t)(akin_cli_put_header(header, w, names) - header);
    if (!w->separator || shown->count == 0)
        return akin_output_write(output, header, length, error);
    akin_status status = akin_output_write(output, header, length - 1, error);
    if (status == AKIN_OK)
        status = akin_cli_shown_header(shown, &text, &length, error);
    if (status == AKIN_OK)
        status = akin_output_write(output, text, length, error);
    return status == AKIN_OK ? put_cluster_text(output, "\n", error) : status;
}

akin_status akin_cli_clusters_write(const akin_clusters *clusters, const akin_cli_source *left,
                                    const akin_cli_source *right, const akin_cli_clusters_form *form,
                                    akin_output *output, akin_error *error)
{
    const akin_cli_writer *w = akin_cli_writer_of(form->format);
    const layout l = make_layout(w, right != NULL);
    akin_cli_shown shown = {.format = form->format,
                            .count = form->show_count,
                            .names = form->show,
                            .prefix = {"", NULL},
                            .side = {left->shown, NULL}};
    const uint32_t rows = akin_clusters_rows(clusters);
    uint32_t *numbers = malloc(((size_t)rows + 1) * sizeof *numbers);
    if (!numbers)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY,
                              "not enough memory for the numbers of the clusters");
    akin_clusters_number(clusters, numbers);
    akin_status status = put_cluster_header(w, l.header, &shown, output, error);
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++)
        if (akin_clusters_size(clusters, row) >= form->least)
            status = put_cluster_line(clusters, left, right, &l, row, numbers[row], &shown, output, error);
    akin_cli_shown_clear(&shown);
    free(numbers);
    return status;
}

int akin_cli_clusters_of(const char *text, uint32_t *least)
{
    uint64_t number = 1;
    if (text && !akin_cli_read_u64(text, 1, UINT32_MAX, &number))
        return akin_cli_refuse("--clusters-of %s: expected the least number of rows of a cluster, such as 2",
                               akin_cli_word(text));
    *least = (uint32_t)number;
    return AKIN_CLI_DONE;
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
            status = put_cluster_text(output, "\n", error);
    }
    for (uint32_t row = 0; row < akin_clusters_rows(clusters) && status == AKIN_OK; row++) {
        if (akin_clusters_row(clusters, row) != row)
            continue;
        status = akin_table_record(table, row, &bytes, &length, error);
        if (status == AKIN_OK)
            status = akin_output_write(output, bytes, (size_t)length, error);
        if (status == AKIN_OK)
            status = put_cluster_text(output, "\n", error);
    }
    return status;
}

void akin_cli_clusters_wrote(akin_cli_job *job, const char *path, const akin_clusters *clusters, uint32_t least)
{
    uint32_t written = 0;
    for (uint32_t row = 0; row < akin_clusters_rows(clusters) && least > 1; row++)
        written += akin_clusters_row(clusters, row) == row && akin_clusters_size(clusters, row) >= least;
    if (least > 1)
        akin_cli_job_wrote_of(job, path, written, akin_clusters_count(clusters), "clusters");
    else
        akin_cli_job_wrote(job, path, akin_clusters_count(clusters), "clusters");
}

void akin_cli_deduplicated_wrote(akin_cli_job *job, const char *path, const akin_clusters *clusters)
{
    akin_cli_job_wrote_of(job, path, akin_clusters_count(clusters), akin_clusters_rows(clusters), "records");
}

int akin_cli_deduplicated_check(akin_format format, const char *path)
{
    const akin_choice *row = akin_cli_format_row(format);
    if (akin_choice_of_value("opened-formats", (int)format))
        return akin_cli_refuse(
            "--deduplicated %s: the input is %s, which has no lines of text that can be written again", path,
            row->name);
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
