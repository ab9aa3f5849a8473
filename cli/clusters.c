/* Writes the clusters of a job: which row is in which, and the records without their duplicates. */
#include "clusters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "number.h"
#include "path.h"

/* The texts around the values of a line. Without a second file the side of a row is left out. */
typedef struct layout {
    akin_cli_field side, id, number, size, first_side, first, end;
    akin_cli_field sides[2]; /* what they are called */
} layout;

static layout make_layout(const akin_cli_writer *w, int two)
{
    const char *first = two ? "\",\"representative\":" : ",\"representative\":";
    return (layout){.side = akin_cli_field_of(two ? akin_cli_keyed(w, "{\"side\":\"") : ""),
                    .id = akin_cli_field_of(two ? akin_cli_between(w, "\",\"id\":") : akin_cli_keyed(w, "{\"id\":")),
                    .number = akin_cli_field_of(akin_cli_between(w, ",\"cluster\":")),
                    .size = akin_cli_field_of(akin_cli_between(w, ",\"size\":")),
                    .first_side = akin_cli_field_of(two ? akin_cli_between(w, ",\"representative_side\":\"") : ""),
                    .first = akin_cli_field_of(akin_cli_between(w, first)),
                    .end = akin_cli_field_of(w->separator ? "\n" : "}\n"),
                    .sides = {akin_cli_field_of(two ? "left" : ""), akin_cli_field_of(two ? "right" : "")}};
}

/* What the lines are made from. */
typedef struct lines_job {
    const akin_clusters *clusters;
    const akin_cli_source *left, *right;
    const akin_cli_clusters_form *form;
    const uint32_t *numbers; /* of the cluster of each row */
    layout layout;
    const akin_cli_shown *shown;
} lines_job;

#define AROUND 512 /* bytes of a line beside its names and what is shown, at most */

/* What a row is called, and on which side it is. */
typedef struct row_name {
    int on_right;
    const char *text;
    size_t length;
    char number[16];
} row_name;

static void name_row(const lines_job *j, uint32_t row, row_name *out)
{
    out->on_right = j->right && row >= j->left->rows;
    const akin_cli_source *source = out->on_right ? j->right : j->left;
    out->text =
        akin_cli_names_row(&source->names, out->on_right ? row - j->left->rows : row, out->number, &out->length);
}

/* Puts which row that is: its side, if there are two files, and its name there. */
static char *put_row(const lines_job *j, char *at, const row_name *name, const akin_cli_field *before_side,
                     const akin_cli_field *before_name)
{
    at = akin_cli_put_field(akin_cli_put_field(at, before_side), &j->layout.sides[name->on_right]);
    return akin_cli_put_bytes(akin_cli_put_field(at, before_name), name->text, name->length);
}

/* Puts what the table of a row shows of it. */
static akin_status put_shown(const lines_job *j, uint32_t row, akin_cli_shown *shown, akin_lines *lines,
                             akin_error *error)
{
    const int on_right = j->right && row >= j->left->rows;
    const uint32_t rows[2] = {on_right ? row - j->left->rows : row, 0};
    shown->side[0] = on_right ? j->right->shown : j->left->shown;
    return akin_cli_shown_put(shown, rows, lines, AROUND, error);
}

static akin_status put_cluster_line(const lines_job *j, uint32_t row, akin_cli_shown *shown, akin_lines *lines,
                                    akin_error *error)
{
    const layout *l = &j->layout;
    const uint32_t representative = akin_clusters_row(j->clusters, row);
    row_name own = {.on_right = 0}, other = {.on_right = 0};
    const row_name *first = representative == row ? &own : &other;
    name_row(j, row, &own);
    if (first == &other)
        name_row(j, representative, &other);
    char *at = akin_lines_reserve(lines, own.length + first->length + AROUND);
    if (!at)
        return AKIN_E_NOMEM;
    at = put_row(j, at, &own, &l->side, &l->id);
    at = akin_digits_integer(akin_cli_put_field(at, &l->number), j->numbers[row]);
    at = akin_digits_integer(akin_cli_put_field(at, &l->size), akin_clusters_size(j->clusters, row));
    at = put_row(j, at, first, &l->first_side, &l->first);
    lines->length = (size_t)(at - lines->text);
    akin_status status = shown->count > 0 ? put_shown(j, row, shown, lines, error) : AKIN_OK;
    if (status == AKIN_OK)
        lines->length = (size_t)(akin_cli_put_field(lines->text + lines->length, &l->end) - lines->text);
    return status;
}

/* An akin_lines_format, whose user is a lines_job. */
static akin_status format_clusters(void *user, uint64_t begin, uint64_t end, akin_lines *lines, akin_error *error)
{
    const lines_job *j = user;
    akin_cli_shown shown = *j->shown;
    akin_status status = AKIN_OK;
    shown.line = (akin_cli_line){0};
    for (uint32_t row = (uint32_t)begin; row < end && status == AKIN_OK; row++)
        if (akin_clusters_size(j->clusters, row) >= j->form->least)
            status = put_cluster_line(j, row, &shown, lines, error);
    akin_cli_shown_clear(&shown);
    return status;
}

/* Writes the names of the columns, if the format has them. */
static akin_status put_cluster_header(const lines_job *j, akin_output *output, akin_error *error)
{
    const akin_cli_names *left = &j->left->names, *right = j->right ? &j->right->names : left;
    const char *id = akin_cli_type_of_both(akin_cli_names_type(left), akin_cli_names_type(right));
    akin_cli_header header = {0};
    if (j->right)
        akin_cli_header_add(&header, "", "side", AKIN_CLI_TEXT);
    akin_cli_header_add(&header, "", "id", id);
    akin_cli_header_add_all(&header, "cluster,size", AKIN_CLI_INTEGER);
    if (j->right)
        akin_cli_header_add(&header, "", "representative_side", AKIN_CLI_TEXT);
    akin_cli_header_add(&header, "", "representative", id);
    akin_cli_shown_columns(j->shown, j->right ? j->right->shown : NULL, &header);
    return akin_cli_header_write(&header, j->form->format, output, error);
}

/* The title of a shown column: `shown_NAME` if clusters have a column of this name. */
static const char *name_apart(const char *name, int of_two)
{
    static const struct {
        const char *name, *title;
        int is_of_two; /* only clusters of two tables have it */
    } taken[] = {{"id", "shown_id", 0},     {"cluster", "shown_cluster", 0},
                 {"size", "shown_size", 0}, {"representative", "shown_representative", 0},
                 {"side", "shown_side", 1}, {"representative_side", "shown_representative_side", 1}};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (taken[i].is_of_two <= of_two && strcmp(name, taken[i].name) == 0)
            return taken[i].title;
    return name;
}

akin_status akin_cli_clusters_write(const akin_clusters *clusters, const akin_cli_source *left,
                                    const akin_cli_source *right, const akin_cli_clusters_form *form,
                                    akin_output *output, akin_error *error)
{
    const akin_cli_writer *w = akin_cli_writer_of(form->format);
    const char *names[AKIN_CLI_COLUMNS];
    for (uint32_t i = 0; i < form->show_count; i++) /* as many as --show takes */
        names[i] = name_apart(form->show[i], right != NULL);
    for (uint32_t i = 0; i < form->show_count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(names[i], names[k]) == 0)
                return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_REPEATED,
                                      "--show %.200s,%.200s: both columns would be called %.200s in clusters: leave "
                                      "one out",
                                      form->show[k], form->show[i], names[i]);
    akin_cli_shown shown = {.format = form->format,
                            .count = form->show_count,
                            .names = names,
                            .prefix = {"", NULL},
                            .side = {left->shown, NULL}};
    const uint32_t rows = akin_clusters_rows(clusters);
    uint32_t *numbers = malloc(((size_t)rows + 1) * sizeof *numbers);
    if (!numbers)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY,
                              "not enough memory for the numbers of the clusters");
    akin_clusters_number(clusters, numbers);
    lines_job job = {clusters, left, right, form, numbers, make_layout(w, right != NULL), &shown};
    akin_status status = put_cluster_header(&job, output, error);
    if (status == AKIN_OK)
        status = akin_output_write_rows(output, rows, format_clusters, &job, error);
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
