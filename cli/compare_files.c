/* The comparison of files: two columns row by row, or each row of one with each of the other. */
#include "compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "compared.h"
#include "path.h"
#include "table.h"

int akin_cli_compare_is_same(const akin_cli_compare_request *request)
{
    const akin_cli_reading *left = &request->reading[0], *right = &request->reading[1];
    return request->once && left->on_count == right->on_count &&
           (left->on_count == 0 || strcmp(left->on[0], right->on[0]) == 0);
}

akin_status akin_cli_compare_warn(akin_context *context, const akin_cli_compare_request *request,
                                  const akin_column *column, uint32_t rows, const char *where, akin_error *error)
{
    akin_parsed parsed;
    akin_status status = akin_compare_parse(context, &request->compare, column, rows, &parsed, error);
    if (status == AKIN_OK)
        akin_compare_warn(&request->compare, &parsed, where, akin_cli_warn_of, NULL);
    return status;
}

/* A file, and the column of it that is compared. */
typedef struct side {
    akin_table *table; /* NULL: that of the first side */
    akin_column column;
    uint32_t rows;
} side;

/* The column of a side, which is number `at` of a table. */
static akin_status take_side(const akin_table *table, uint32_t at, side *out, akin_error *error)
{
    out->rows = akin_table_rows(table);
    out->column.size = sizeof out->column;
    if (out->rows == 0) /* of lines of JSON: there may be no column then */
        return AKIN_OK;
    return akin_table_column(table, at, &out->column, error);
}

static akin_status read_sides(akin_cli_job *job, const akin_cli_compare_request *request, side sides[2],
                              akin_error *error)
{
    const int is_same = akin_cli_compare_is_same(request);
    akin_status status = AKIN_OK;
    for (int which = 0; which < (request->once ? 1 : 2) && status == AKIN_OK; which++) {
        const akin_cli_reading *reading = &request->reading[which];
        const char *columns[2] = {reading->on_count ? reading->on[0] : NULL, NULL};
        akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
        options.format = reading->by_name ? AKIN_FORMAT_AUTO : reading->format;
        options.column_count = reading->on_count;
        options.columns = reading->on_count ? columns : NULL;
        if (request->once && !is_same)
            columns[options.column_count++] = request->reading[1].on[0];
        status = akin_cli_table_read(job, request->sides[which], &options, &sides[which].table, error);
        if (status == AKIN_OK)
            status = take_side(sides[which].table, 0, &sides[which], error);
    }
    if (status == AKIN_OK && request->once)
        status = take_side(sides[0].table, is_same ? 0 : 1, &sides[1], error);
    return status;
}

/* Warns of values of either file that the comparator cannot read. */
static akin_status warn_of_sides(akin_cli_job *job, const akin_cli_compare_request *request, const side sides[2],
                                 akin_error *error)
{
    akin_status status = AKIN_OK;
    akin_cli_progress_clear(&job->progress);
    for (int side = 0; side < 2 && status == AKIN_OK; side++) {
        char where[600];
        const char *path = akin_cli_path_name(request->sides[side]), *name = sides[side].column.name;
        if (request->reading[side].on_count)
            snprintf(where, sizeof where, "column '%.300s' of %.200s", name ? name : "", path);
        else
            snprintf(where, sizeof where, "%.300s", path);
        if (sides[side].rows > 0)
            status = akin_cli_compare_warn(job->context, request, &sides[side].column, sides[side].rows, where, error);
    }
    return status;
}

/* Compares each row of one column with each row of the other, and writes the matrix. */
static akin_status cross_sides(akin_cli_job *job, const akin_cli_compare_request *request, const side sides[2],
                               akin_output *output, akin_error *error)
{
    const uint32_t rows = sides[0].rows, columns = sides[1].rows;
    const uint64_t count = (uint64_t)rows * columns;
    akin_cells cells = AKIN_CELLS_INIT;
    cells.distances = (uint32_t)request->distance;
    cells.floats = count < SIZE_MAX / sizeof *cells.floats ? malloc(((size_t)count + 1) * sizeof *cells.floats) : NULL;
    if (!cells.floats)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY,
                              "not enough memory for a matrix of %" PRIu32 " x %" PRIu32 " numbers of 4 bytes", rows,
                              columns);
    akin_status status = AKIN_OK;
    if (count > 0)
        status = akin_compare_matrix(job->context, &request->compare, &sides[0].column, rows, &sides[1].column, columns,
                                     &cells, error);
    if (status == AKIN_OK)
        status = warn_of_sides(job, request, sides, error);
    if (status == AKIN_OK)
        status = akin_cells_write(job->context, &cells, rows, columns, output, error);
    free(cells.floats);
    return status;
}

/* Compares two columns of one length, and writes what comes of it. */
static akin_status compare_sides(akin_cli_job *job, const akin_cli_compare_request *request, const side sides[2],
                                 akin_output *output, akin_error *error)
{
    uint32_t rows = sides[0].rows;
    if (rows != sides[1].rows)
        return akin_error_set(
            error, AKIN_E_INPUT, AKIN_REASON_NONE,
            "%.400s has %" PRIu32 " rows and %.400s %" PRIu32 ": expected as many, to compare them one by one",
            akin_cli_path_name(request->sides[0]), rows, akin_cli_path_name(request->sides[1]), sides[1].rows);
    akin_compared *compared = malloc(((size_t)rows + 1) * sizeof *compared);
    if (!compared)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for what is compared");
    akin_status status = AKIN_OK;
    if (rows > 0)
        status = akin_compare_pairs(job->context, &request->compare, &sides[0].column, rows, &sides[1].column, rows,
                                    NULL, NULL, rows, request->has_cutoff ? &request->cutoff : NULL, compared, error);
    if (status == AKIN_OK)
        status = warn_of_sides(job, request, sides, error);
    if (status == AKIN_OK)
        status =
            akin_cli_compared_write(output, request->format, compared, rows, request->distance, request->digits, error);
    free(compared);
    return status;
}

/* The output is opened first: what cannot be written is better known before the work. */
static akin_status compare_files(akin_cli_job *job, const akin_cli_compare_request *request, akin_error *error)
{
    side sides[2] = {{0}, {0}};
    akin_output *output = NULL;
    akin_status status = akin_cli_job_open(job, request->output, "", &output, error);
    if (status == AKIN_OK)
        status = read_sides(job, request, sides, error);
    if (status == AKIN_OK)
        status = (request->matrix ? cross_sides : compare_sides)(job, request, sides, output, error);
    if (status == AKIN_OK)
        status = akin_output_commit(output, error);
    else
        akin_output_discard(output);
    if (status == AKIN_OK)
        akin_cli_job_wrote(job, request->output, sides[0].rows, request->matrix ? "rows of scores" : "scores");
    akin_table_free(sides[0].table);
    akin_table_free(sides[1].table);
    return status;
}

int akin_cli_compare_files(const akin_cli_compare_request *request)
{
    akin_cli_job job;
    akin_error error;
    akin_status done = akin_cli_job_begin(&job, &request->resources, request->quiet, &error);
    if (done == AKIN_OK)
        done = compare_files(&job, request, &error);
    return akin_cli_job_end(&job, done, &error);
}
