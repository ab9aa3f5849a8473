/* The tables that akin dedupe, link and label read. */
#include "dedupe_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "path.h"
#include "table.h"

int akin_cli_pairs_differ(const akin_cli_dedupe_request *request)
{
    return request->outputs[AKIN_CLI_PAIRS_FILE] &&
           request->formats[AKIN_CLI_PAIRS_FILE] != request->formats[AKIN_CLI_CLUSTERS_FILE];
}

/* Takes what rows are called from a column, as each file that is written has it. */
static akin_status take_names(akin_cli_job *job, const akin_cli_dedupe_request *request, int which, uint32_t column,
                              akin_cli_side *out, akin_error *error)
{
    const char *path = request->inputs[which];
    const akin_table *table = out->source.table;
    out->ids.size = sizeof out->ids;
    akin_status status = akin_cli_names_make(job->context, path, table, column,
                                             request->formats[AKIN_CLI_CLUSTERS_FILE], &out->source.names, error);
    if (status == AKIN_OK)
        status = akin_table_column(table, column, &out->ids, error);
    if (status == AKIN_OK && akin_cli_pairs_differ(request))
        status = akin_cli_names_make(job->context, path, table, column, request->formats[AKIN_CLI_PAIRS_FILE],
                                     &out->pairs_names, error);
    return status;
}

/* Calls rows by their files. */
static akin_status take_file_names(akin_cli_job *job, const akin_cli_dedupe_request *request, akin_cli_side *out,
                                   akin_error *error)
{
    const akin_table *table = out->source.table;
    if (request->gold)
        return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_NONE,
                              "--gold: of several files rows are known by their ids: add --id COLUMN");
    akin_status status = akin_cli_names_by_file(job->context, table, request->formats[AKIN_CLI_CLUSTERS_FILE],
                                                &out->source.names, error);
    if (status == AKIN_OK && akin_cli_pairs_differ(request))
        status = akin_cli_names_by_file(job->context, table, request->formats[AKIN_CLI_PAIRS_FILE], &out->pairs_names,
                                        error);
    return status;
}

/* Adds to a message about a column that is not there, if there is one whose name goes on with a colon, a plus or an
 * equals sign, that such a name stands in quotes. */
static void advise_quotes(akin_error *error)
{
    size_t length = strlen(error->column);
    char next = strncmp(error->meant, error->column, length) == 0 ? error->meant[length] : '\0';
    if (next && strchr(":+=", next))
        akin_cli_append(error, "; a name with a colon, plus or = stands in quotes: '\"a%cb\"'", next);
}

/* Adds to a message about a column that is not there, if a block names it and its name has commas, that others stand
 * between columns. */
static void advise_block(const akin_dedupe_plan *plan, akin_error *error)
{
    const char *word;
    char joined[200];
    size_t length = strlen(error->column);
    if (length >= sizeof joined || !strchr(error->column, ','))
        return;
    for (size_t i = 0; i <= length; i++)
        joined[i] = error->column[i] == ',' ? '+' : error->column[i];
    for (uint64_t i = 0; (word = akin_dedupe_plan_word(plan, "block", i)); i++)
        if (strstr(word, error->column)) {
            akin_cli_append(error, "; columns of a block are joined by +: write %s", joined);
            return;
        }
}

/* Adds to a message about a column that one of two tables lacks, if the other one has it, how columns are named that
 * the tables call differently. */
static void advise_sides(akin_cli_job *job, const akin_cli_dedupe_request *request, int which, akin_error *error)
{
    const char *other = request->inputs[!which], *column = error->column;
    akin_table_options wanted = AKIN_TABLE_OPTIONS_INIT;
    akin_table *table = NULL;
    if (!other || akin_cli_path_is_stdin(other))
        return;
    wanted.format = request->format;
    wanted.columns = &column;
    wanted.column_count = 1;
    wanted.lossy = 1;
    if (akin_table_read(job->context, other, &wanted, &table, NULL) == AKIN_OK)
        akin_cli_append(error, "; %.200s has it: if the tables call it differently, write LEFT=RIGHT, here %s%.100s%s",
                        akin_cli_path_name(other), which ? "" : "COLUMN=", column, which ? "=COLUMN" : "");
    akin_table_free(table);
}

/* Takes the columns that the plan names: places[c] is where the table has column c. */
static akin_status take_columns(const akin_dedupe_titles *titles, const uint32_t *places, akin_cli_side *out,
                                akin_error *error)
{
    static const uint64_t nothing[1] = {0};
    akin_status status = AKIN_OK;
    for (uint32_t c = 0; c < titles->column_count && status == AKIN_OK; c++) {
        out->columns[c] = (akin_column){.size = sizeof out->columns[c], .name = titles->columns[c], .offsets = nothing};
        if (out->source.rows > 0) /* of lines of JSON without a line there is no column */
            status = akin_table_column(out->source.table, places[c], &out->columns[c], error);
    }
    return status;
}

/* The place of a column among those that are read, which it is added to. */
static uint32_t place_of_column(const char **columns, uint32_t *count, const char *name)
{
    uint32_t at = akin_cli_place_of(columns, *count, name);
    if (at == *count)
        columns[(*count)++] = name;
    return at;
}

/* Adds to a message about a column that is not there what to do about it: one that the plan names, or that results
 * show. */
static void advise(akin_cli_job *job, const akin_cli_dedupe_request *request, int which, int is_planned,
                   akin_error *error)
{
    const akin_cli_show *show = &request->show;
    advise_quotes(error);
    if (is_planned) {
        advise_block(request->plan, error);
        advise_sides(job, request, which, error);
        return;
    }
    akin_cli_source_blame_show(show->names[which], NULL, show->count, NULL, error);
    if (which)
        akin_cli_show_advise(show, request->inputs[0], error);
}

/* Finds columns in a table all of whose columns were read: places[i] becomes where it has columns[places[i]]. */
static akin_status find_places(const char *path, const akin_table *table, const char *const *columns, uint32_t *places,
                               uint32_t count, akin_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        akin_error found;
        if (akin_table_find(table, columns[places[i]], &places[i], &found) == AKIN_OK)
            continue;
        *error = found;
        snprintf(error->message, sizeof error->message, "%.400s: %.600s", akin_cli_path_name(path), found.message);
        return found.code;
    }
    return AKIN_OK;
}

akin_status akin_cli_side_read(akin_cli_job *job, const akin_cli_dedupe_request *request, int which, uint64_t optional,
                               akin_cli_side *out, akin_error *error)
{
    const akin_dedupe_titles *titles = akin_dedupe_plan_titles(request->plan);
    const char *const *names = which ? titles->right_columns : titles->left_columns;
    const char *id_name = which ? titles->right_id : titles->id;
    const akin_cli_show *show = &request->show;
    const size_t room = (size_t)titles->column_count + show->count + 2;
    const char **columns = malloc(room * sizeof *columns);
    uint32_t *places = malloc(room * sizeof *places), count = 0; /* of the columns of the plan, then of the id */
    akin_table_options wanted = AKIN_TABLE_OPTIONS_INIT;
    const int are_all = request->outputs[AKIN_CLI_MERGED_FILE] != NULL;
    akin_status status = AKIN_OK;
    out->columns = malloc(room * sizeof *out->columns);
    if (!columns || !places || !out->columns) {
        status = akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the columns");
        goto done;
    }
    for (uint32_t c = 0; c < titles->column_count; c++)
        places[c] = place_of_column(columns, &count, names[c]);
    const uint32_t placed = titles->column_count + (id_name != NULL);
    if (id_name)
        places[titles->column_count] = place_of_column(columns, &count, id_name);
    const uint32_t planned = count;
    for (uint32_t i = 0; i < show->count; i++)
        if (!(optional >> i & 1))
            place_of_column(columns, &count, show->names[which][i]);
    const uint32_t needed = count;
    for (uint32_t i = 0; i < show->count; i++)
        place_of_column(columns, &count, show->names[which][i]);
    wanted.format = request->format;
    if (!are_all) {
        wanted.columns = columns;
        wanted.column_count = count;
        wanted.optional = count - needed;
    }
    wanted.lossy = request->lossy;
    wanted.keep_records = request->outputs[AKIN_CLI_RECORDS_FILE] != NULL;
    wanted.keep_lines = id_name != NULL;
    status = akin_cli_table_read(job, request->inputs[which], &wanted, &out->source.table, error);
    if (status == AKIN_E_INPUT)
        akin_cli_source_advise_lossy(error);
    if (status == AKIN_OK && are_all && akin_table_rows(out->source.table) > 0)
        status = find_places(request->inputs[which], out->source.table, columns, places, placed, error);
    if (status == AKIN_E_OPTION && error->reason == AKIN_REASON_NO_COLUMN)
        advise(job, request, which, akin_cli_place_of(columns, planned, error->column) < planned, error);
    if (status != AKIN_OK)
        goto done;
    out->source.rows = akin_table_rows(out->source.table);
    status = take_columns(titles, places, out, error);
    if (status == AKIN_OK)
        status = akin_cli_source_show(&out->source, show->names[which], show->count, optional, error);
    if (status == AKIN_OK && id_name && out->source.rows > 0)
        status = take_names(job, request, which, places[titles->column_count], out, error);
    else if (status == AKIN_OK && !id_name && akin_table_files(out->source.table) > 1)
        status = take_file_names(job, request, out, error);
done:
    free(columns);
    free(places);
    return status;
}

void akin_cli_side_clear(akin_cli_side *side)
{
    akin_cli_names_clear(&side->pairs_names);
    akin_cli_source_clear(&side->source);
    free(side->columns);
}

void akin_cli_sides_ids(const akin_cli_dedupe_request *request, const akin_cli_side sides[2], const akin_column *ids[2])
{
    for (int i = 0; i < 2; i++) {
        const akin_cli_side *s = &sides[request->inputs[1] ? i : 0];
        ids[i] = s->ids.size ? &s->ids : NULL;
    }
}
