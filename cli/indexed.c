/* The files that were indexed, read again for the columns of documents that results show: --indexed. */
#include "indexed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "path.h"
#include "table.h"

/* ---------------------------------------------------------------------------------------------------------- options */

int akin_cli_indexed_take(const char *path, akin_cli_indexed *out)
{
    const char **paths = realloc(out->paths, (out->count + (size_t)1) * sizeof *paths);
    if (!paths) {
        akin_cli_refuse("not enough memory for the command line");
        return AKIN_CLI_FAILED;
    }
    paths[out->count++] = path;
    out->paths = paths;
    return AKIN_CLI_DONE;
}

void akin_cli_indexed_clear(akin_cli_indexed *indexed)
{
    free(indexed->paths);
    *indexed = (akin_cli_indexed){0};
}

static int check_path(const char *path, const char *queries, const char *output, int is_second_stdin)
{
    if (!*path)
        return akin_cli_refuse("--indexed '': expected the name of a file");
    if (akin_cli_path_is_saved(path))
        return akin_cli_refuse("--indexed %s: is a file saved by akin; expected the file that was indexed", path);
    if (akin_cli_path_is_stdin(path) && (is_second_stdin || (queries && akin_cli_path_is_stdin(queries))))
        return akin_cli_refuse("--indexed %s: standard input can be read only once", path);
    if (akin_cli_path_same(path, output))
        return akin_cli_refuse("%s: is read and would be replaced: write to another file", output);
    return akin_cli_path_check_foreign(path);
}

int akin_cli_indexed_check(const akin_cli_arguments *arguments, int option, const char *queries, const char *output,
                           akin_cli_indexed *out)
{
    const char *path;
    int status = AKIN_CLI_DONE, stdins = 0;
    for (int at = 0; (path = akin_cli_repeated_next(arguments, option, NULL, &at)) && status == AKIN_CLI_DONE;) {
        status = check_path(path, queries, output, stdins);
        stdins += akin_cli_path_is_stdin(path);
        if (status == AKIN_CLI_DONE)
            status = akin_cli_indexed_take(path, out);
    }
    return status;
}

int akin_cli_indexed_missing(const char *queries)
{
    const akin_cli_option indexed = {AKIN_CLI_INDEXED_OPTION};
    return akin_cli_missing(&indexed, "the file with the columns of --show; %s have none", queries);
}

void akin_cli_indexed_advise(const char *const *names, uint32_t count, akin_error *error)
{
    for (uint32_t i = 0; i < count && error->reason == AKIN_REASON_NO_COLUMN; i++)
        if (strcmp(error->column, names[i]) == 0) {
            akin_cli_append(error, AKIN_CLI_ADD_INDEXED);
            return;
        }
}

/* ------------------------------------------------------------------------------------------------------------ files */

/* Reads the columns of a file that are shown; those that the queries may have need not be there. */
static akin_status read_file(akin_cli_job *job, const akin_cli_indexed *indexed, const char *path, int is_optional,
                             const akin_cli_shown *shown, akin_cli_source *out, akin_error *error)
{
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.format = indexed->format;
    if (options.format == AKIN_FORMAT_AUTO && akin_format_of_name(path, &options.format, NULL) != AKIN_OK)
        options.format = AKIN_FORMAT_TEXT;
    else if (indexed->format == AKIN_FORMAT_AUTO && akin_path_has_files(path))
        options.format = AKIN_FORMAT_AUTO;
    options.column_count = shown->count;
    options.columns = shown->names;
    options.optional = is_optional ? shown->count : 0;
    options.lossy = indexed->lossy;
    akin_status status = akin_cli_table_read(job, path, &options, &out->table, error);
    if (status == AKIN_E_INPUT)
        akin_cli_source_advise_lossy(error);
    if (status == AKIN_E_OPTION)
        akin_cli_source_blame_show(shown->names, NULL, shown->count, NULL, error);
    if (status != AKIN_OK)
        return status;
    out->rows = akin_table_rows(out->table);
    return akin_cli_source_show(out, shown->names, shown->count, UINT64_MAX, error);
}

static akin_status check_rows(const akin_cli_indexed *indexed, const akin_cli_beside *beside, const char *index,
                              uint32_t documents, akin_error *error)
{
    const int is_one = beside->count == 1;
    uint64_t rows = 0;
    for (uint32_t i = 0; i < beside->count; i++)
        rows += beside->files[i].rows;
    if (rows == documents)
        return AKIN_OK;
    return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NONE,
                          "--indexed: %.300s %s %" PRIu64 " rows, and %.300s was made of %" PRIu32
                          ": expected the file that was indexed; of an index that was extended, each of its files in "
                          "their order",
                          is_one ? akin_cli_path_name(indexed->paths[0]) : "the files", is_one ? "has" : "have", rows,
                          akin_cli_path_name(index), documents);
}

/* Whether a side has a column. Without rows it shows nothing, and no file can be said to lack it. */
static int has_column(const akin_cli_source *source, uint32_t column)
{
    return source->shown ? source->rows == 0 || source->shown[column].column.offsets : 0;
}

/* Refuses a column that a file lacks. The file is read once more, now with the column as a required one, so the error
 * lists the columns. A file that can be read only once, and a column without values, get a message without the list. */
static akin_status refuse_column(akin_cli_job *job, const akin_cli_indexed *indexed, const char *path,
                                 const akin_cli_shown *shown, uint32_t column, const char *more, akin_error *error)
{
    akin_cli_source again = {0};
    akin_cli_shown one = {.names = shown->names + column, .count = 1};
    akin_status status = AKIN_OK;
    if (akin_cli_path_is_regular(path))
        status = read_file(job, indexed, path, 0, &one, &again, error);
    akin_cli_source_clear(&again);
    if (status == AKIN_OK)
        return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_NO_COLUMN,
                              "--show: there is no column '%.200s' with values in %.300s%s", shown->names[column],
                              akin_cli_path_name(path), more);
    akin_cli_append(error, "%s", more);
    return status;
}

/* Each column must be in all files, or in none and in the queries. */
static akin_status check_indexed_columns(akin_cli_job *job, const akin_cli_indexed *indexed,
                                         const akin_cli_beside *beside, const akin_cli_shown *shown, akin_error *error)
{
    for (uint32_t column = 0; column < shown->count; column++) {
        uint32_t having = 0, lacking = 0;
        for (uint32_t i = 0; i < beside->count; i++) {
            having += (uint32_t)has_column(&beside->files[i], column);
            lacking = has_column(&beside->files[i], column) ? lacking : i;
        }
        if (having == beside->count || (having == 0 && has_column(&beside->queries, column)))
            continue;
        const char *more = having == 0 && beside->queries.table ? "; the queries have none of that name, either" : "";
        return refuse_column(job, indexed, indexed->paths[lacking], shown, column, more, error);
    }
    return AKIN_OK;
}

/* Gives the columns of the first file the types that hold the values of all files. */
static void agree_types(akin_cli_beside *beside, uint32_t columns)
{
    akin_cli_shown_column *first = beside->files[0].shown;
    for (uint32_t i = 1; first && i < beside->count; i++)
        for (uint32_t column = 0; column < columns; column++)
            first[column].type = akin_cli_shown_type(&first[column], &beside->files[i].shown[column]);
}

akin_status akin_cli_beside_read(akin_cli_job *job, const akin_cli_indexed *indexed, const char *index,
                                 uint32_t documents, akin_cli_beside *beside, akin_cli_shown *shown, akin_error *error)
{
    akin_cli_source *queries = &beside->queries;
    akin_status status = AKIN_OK;
    shown->prefix[0] = "query_";
    shown->prefix[1] = "document_";
    if (shown->count == 0)
        return status;
    if (indexed->count == 0)
        status = akin_cli_source_show(queries, shown->names, shown->count, 0, error);
    else if (queries->table)
        status = akin_cli_source_show(queries, shown->names, shown->count, UINT64_MAX, error);
    if (status != AKIN_OK) {
        akin_cli_source_blame_show(shown->names, NULL, shown->count, beside->path, error);
        akin_cli_indexed_advise(shown->names, shown->count, error);
    }
    shown->side[0] = queries->shown;
    if (status != AKIN_OK || indexed->count == 0)
        return status;
    beside->files = calloc(indexed->count, sizeof *beside->files);
    if (!beside->files)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the indexed files");
    for (; beside->count < indexed->count && status == AKIN_OK; beside->count++)
        status = read_file(job, indexed, indexed->paths[beside->count], queries->table != NULL, shown,
                           &beside->files[beside->count], error);
    if (status == AKIN_OK)
        status = check_rows(indexed, beside, index, documents, error);
    if (status == AKIN_OK)
        status = check_indexed_columns(job, indexed, beside, shown, error);
    if (status == AKIN_OK)
        agree_types(beside, shown->count);
    shown->side[1] = beside->files[0].shown;
    return status;
}

uint32_t akin_cli_beside_row(const akin_cli_beside *beside, uint32_t document, akin_cli_shown *shown)
{
    const akin_cli_source *file = beside->files;
    if (!file)
        return 0;
    while (document >= file->rows)
        document -= file++->rows;
    shown->side[1] = file->shown;
    return document;
}

void akin_cli_beside_clear(akin_cli_beside *beside)
{
    for (uint32_t i = 0; i < beside->count; i++)
        akin_cli_source_clear(&beside->files[i]);
    free(beside->files);
    free(beside->queries.shown);
    *beside = (akin_cli_beside){0};
}
