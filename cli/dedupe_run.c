/* What akin dedupe does: reads the tables, finds the pairs and writes what comes of them. */
#include "dedupe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clusters.h"
#include "command.h"
#include "gold.h"
#include "path.h"
#include "report.h"
#include "scored.h"
#include "summary.h"
#include "shards.h"
#include "table.h"

/* ----------------------------------------------------------------------------------------------------------- tables */

/* A file: its table, its names, and the columns that the plan names. */
typedef struct side {
    akin_cli_source source;
    akin_cli_names pairs_names; /* as the file of pairs has them, if that is of another format */
    akin_column *columns, ids;  /* ids: size 0 if rows have numbers */
} side;

static int is_of_other_format(const akin_cli_dedupe_request *request)
{
    return request->outputs[AKIN_CLI_PAIRS_FILE] &&
           request->formats[AKIN_CLI_PAIRS_FILE] != request->formats[AKIN_CLI_CLUSTERS_FILE];
}

static const akin_cli_names *names_of_pairs(const akin_cli_dedupe_request *request, const side *s)
{
    return is_of_other_format(request) ? &s->pairs_names : &s->source.names;
}

/* Takes what rows are called from a column, as each file that is written has it. */
static akin_status take_names(akin_cli_job *job, const akin_cli_dedupe_request *request, int which, uint32_t column,
                              side *out, akin_error *error)
{
    const char *path = request->inputs[which];
    const akin_table *table = out->source.table;
    out->ids.size = sizeof out->ids;
    akin_status status = akin_cli_names_make(job->context, path, table, column,
                                             request->formats[AKIN_CLI_CLUSTERS_FILE], &out->source.names, error);
    if (status == AKIN_OK)
        status = akin_table_column(table, column, &out->ids, error);
    if (status == AKIN_OK && is_of_other_format(request))
        status = akin_cli_names_make(job->context, path, table, column, request->formats[AKIN_CLI_PAIRS_FILE],
                                     &out->pairs_names, error);
    return status;
}

/* Calls rows by their files. */
static akin_status take_file_names(akin_cli_job *job, const akin_cli_dedupe_request *request, side *out,
                                   akin_error *error)
{
    const akin_table *table = out->source.table;
    if (request->gold)
        return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_NONE,
                              "--gold: of several files rows are known by their ids: add --id COLUMN");
    akin_status status = akin_cli_names_by_file(job->context, table, request->formats[AKIN_CLI_CLUSTERS_FILE],
                                                &out->source.names, error);
    if (status == AKIN_OK && is_of_other_format(request))
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
static akin_status take_columns(const akin_dedupe_titles *titles, const uint32_t *places, side *out, akin_error *error)
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
    akin_cli_source_blame_show(show->names[which], show->count, NULL, error);
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

/* `optional`: the columns that are shown and may be missing, a bit for each. */
static akin_status read_side(akin_cli_job *job, const akin_cli_dedupe_request *request, int which, uint64_t optional,
                             side *out, akin_error *error)
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

/* The pairs that are known to be right, of these tables. */
static akin_status read_gold(akin_cli_job *job, const akin_cli_dedupe_request *request, const side sides[2],
                             akin_cli_id_pairs *known, akin_error *error)
{
    const akin_cli_source *const tables[2] = {&sides[0].source, &sides[request->inputs[1] != NULL].source};
    akin_status status = akin_cli_id_pairs_read(job, request->gold, request->gold_format, NULL, known, error);
    if (status == AKIN_OK && request->inputs[1])
        status = akin_cli_id_pairs_check_sides(known, error);
    if (status == AKIN_OK)
        status = akin_cli_gold_check(job, known, request->gold_format, tables, request->formats[AKIN_CLI_CLUSTERS_FILE],
                                     error);
    return status;
}

/* -------------------------------------------------------------------------------------------------------------- job */

/* What comes of it. */
typedef struct results {
    akin_output *outputs[AKIN_CLI_DEDUPE_FILES]; /* NULL: not wanted */
    akin_cli_scored scored;
    akin_cli_shown shown;   /* beside pairs */
    akin_cli_shards shards; /* in place of a file of records */
    akin_clusters *clusters;
    akin_clusters_shape shape; /* what they come to */
    double seconds_cluster;    /* what closing them took */
    int is_evaluated;          /* there is a gold standard */
    akin_cli_gold gold;
    akin_cli_page page;
    akin_dedupe_model *model; /* that was learnt, to be written; else NULL */
} results;

/* Whether records are written into a folder, as several files are read. */
static int is_sharded(const akin_cli_dedupe_request *request)
{
    return request->outputs[AKIN_CLI_RECORDS_FILE] && akin_path_has_files(request->inputs[0]);
}

static akin_status load_and_open(akin_cli_job *job, const akin_cli_dedupe_request *request, results *out,
                                 akin_error *error)
{
    akin_status status = akin_dedupe_plan_load(job->context, request->plan, error);
    for (int file = 0; file < AKIN_CLI_DEDUPE_FILES && status == AKIN_OK; file++)
        if (request->outputs[file] && file == AKIN_CLI_RECORDS_FILE && is_sharded(request))
            status =
                akin_cli_shards_open(request->outputs[file], request->inputs[0], request->options, &out->shards, error);
        else if (request->outputs[file])
            status = akin_cli_job_open(job, file == request->shown ? NULL : request->outputs[file],
                                       file == request->shown ? NULL : "", &out->outputs[file], error);
    return status;
}

/* Commits the outputs if status is AKIN_OK, else discards them. */
static akin_status close_outputs(results *r, akin_status status, akin_error *error)
{
    akin_output *wanted[AKIN_CLI_DEDUPE_FILES];
    size_t count = 0;
    for (int file = 0; file < AKIN_CLI_DEDUPE_FILES; file++)
        if (r->outputs[file])
            wanted[count++] = r->outputs[file];
    if (status == AKIN_OK)
        return akin_output_commit_all(wanted, count, error);
    for (size_t i = 0; i < count; i++)
        akin_output_discard(wanted[i]);
    return status;
}

/* Hands pairs on to whom they concern. */
static int hand_on_scored(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    results *r = user;
    if (r->is_evaluated && !akin_cli_gold_add(&r->gold, pairs, count))
        return 1;
    return r->outputs[AKIN_CLI_PAIRS_FILE] ? akin_cli_scored_sink(&r->scored, pairs, each, count) : 0;
}

/* Finds the pairs, and writes them as they come. */
static akin_status find_duplicates(akin_cli_job *job, const akin_cli_dedupe_request *request, const side sides[2],
                                   results *r, akin_dedupe_report *report, akin_error *error)
{
    int two = request->inputs[1] != NULL;
    const side *right = &sides[two];
    akin_dedupe_options options = *akin_dedupe_plan_options(request->plan);
    options.report = r->page.report;
    akin_status status = akin_clusters_create_by(job->context, sides[0].source.rows, two ? right->source.rows : 0,
                                                 akin_dedupe_plan_clusters(request->plan), &r->clusters, error);
    options.clusters = r->clusters;
    options.model = request->model;
    options.learnt_model = r->outputs[AKIN_CLI_MODEL_FILE] ? &r->model : NULL;
    r->shown = (akin_cli_shown){.format = request->formats[AKIN_CLI_PAIRS_FILE],
                                .count = request->show.count,
                                .names = request->show.names[0],
                                .right = request->show.names[1],
                                .prefix = {"left_", "right_"},
                                .side = {sides[0].source.shown, right->source.shown}};
    r->scored = (akin_cli_scored){r->outputs[AKIN_CLI_PAIRS_FILE],
                                  request->formats[AKIN_CLI_PAIRS_FILE],
                                  request->plan,
                                  names_of_pairs(request, &sides[0]),
                                  names_of_pairs(request, right),
                                  {.code = AKIN_OK},
                                  request->digits,
                                  .shown = &r->shown};
    if (status == AKIN_OK && r->outputs[AKIN_CLI_PAIRS_FILE])
        status = akin_cli_scored_begin(&r->scored, error);
    if (status == AKIN_OK)
        status = akin_dedupe(job->context, sides[0].columns, sides[0].source.rows, two ? right->columns : NULL,
                             two ? right->source.rows : 0, akin_dedupe_plan_titles(request->plan)->column_count,
                             &options, hand_on_scored, r, NULL, report, error);
    if (status == AKIN_E_CANCELLED && r->gold.failed)
        status = akin_cli_gold_fail(error);
    else if (status == AKIN_E_CANCELLED && r->scored.error.code != AKIN_OK) {
        *error = r->scored.error; /* writing failed */
        status = error->code;
    }
    return status;
}

static akin_status close_clusters(akin_cli_job *job, results *r, akin_error *error)
{
    double begun = akin_cli_clock();
    akin_status status = akin_clusters_close(job->context, r->clusters, error);
    r->shape.size = sizeof r->shape;
    if (status == AKIN_OK)
        status = akin_clusters_describe(r->clusters, &r->shape, error);
    r->seconds_cluster = akin_cli_clock() - begun;
    return status;
}

static akin_status write_results(akin_cli_job *job, const akin_cli_dedupe_request *request, const side sides[2],
                                 results *r, akin_error *error)
{
    const akin_cli_clusters_form form = {.format = request->formats[AKIN_CLI_CLUSTERS_FILE],
                                         .least = request->clusters_of,
                                         .show = request->show.names[0],
                                         .show_count = request->show.count};
    akin_status status =
        akin_cli_clusters_write(r->clusters, &sides[0].source, request->inputs[1] ? &sides[1].source : NULL, &form,
                                r->outputs[AKIN_CLI_CLUSTERS_FILE], error);
    if (status == AKIN_OK && r->outputs[AKIN_CLI_RECORDS_FILE])
        status = akin_cli_clusters_deduplicate(r->clusters, sides[0].source.table, request->inputs[0],
                                               request->input_format, r->outputs[AKIN_CLI_RECORDS_FILE], error);
    const akin_cli_merged_form merged = {.rules = &request->merge,
                                         .format = request->formats[AKIN_CLI_MERGED_FILE],
                                         .ids = sides[0].ids.size ? &sides[0].ids : NULL,
                                         .id_type = sides[0].ids.size ? akin_cli_names_type(&sides[0].source.names)
                                                                      : AKIN_CLI_INTEGER,
                                         .with_sources = request->merged_sources};
    if (status == AKIN_OK && r->outputs[AKIN_CLI_MERGED_FILE])
        status = akin_cli_merged_write(job, r->clusters, sides[0].source.table, &merged,
                                       r->outputs[AKIN_CLI_MERGED_FILE], error);
    if (status == AKIN_OK && r->shards.count > 0)
        status = akin_cli_shards_write(job, &r->shards, r->clusters, sides[0].source.table, error);
    if (status == AKIN_OK && request->job)
        status = akin_output_write(r->outputs[AKIN_CLI_JOB_FILE], request->job, request->job_length, error);
    if (status == AKIN_OK && r->model)
        status = akin_output_write(r->outputs[AKIN_CLI_MODEL_FILE], akin_dedupe_model_text(r->model),
                                   strlen(akin_dedupe_model_text(r->model)), error);
    return status;
}

/* What rows of the tables are called; NULL: by their numbers. */
static void ids_of(const akin_cli_dedupe_request *request, const side sides[2], const akin_column *ids[2])
{
    for (int i = 0; i < 2; i++) {
        const side *s = &sides[request->inputs[1] ? i : 0];
        ids[i] = s->ids.size ? &s->ids : NULL;
    }
}

/* Finds the pairs, and writes all that is wanted. */
static akin_status find_and_write(akin_cli_job *job, const akin_cli_dedupe_request *request, const side sides[2],
                                  results *r, double seconds_read, akin_dedupe_report *report, akin_error *error)
{
    const akin_column *ids[2];
    akin_status status = AKIN_OK;
    ids_of(request, sides, ids);
    if (r->outputs[AKIN_CLI_REPORT_FILE])
        status = akin_cli_page_begin(&r->page, job, request, ids, request->gold ? &r->gold.known : NULL, error);
    if (status == AKIN_OK && r->page.report)
        akin_report_step(r->page.report, "read", seconds_read);
    if (status == AKIN_OK)
        status = find_duplicates(job, request, sides, r, report, error);
    if (status == AKIN_OK)
        status = close_clusters(job, r, error);
    if (status == AKIN_OK && r->page.report)
        akin_report_step(r->page.report, "cluster", r->seconds_cluster);
    double begun = akin_cli_clock();
    if (status == AKIN_OK)
        status = write_results(job, request, sides, r, error);
    if (status == AKIN_OK && request->gold)
        status = akin_cli_gold_evaluate(job, &r->gold, ids, r->clusters, request->inputs[1] != NULL,
                                        request->inputs[1] ? sides[0].source.rows : 0, error);
    if (status == AKIN_OK && r->page.report) {
        akin_report_step(r->page.report, "write", akin_cli_clock() - begun);
        status = akin_report_write(r->page.report, r->outputs[AKIN_CLI_REPORT_FILE], error);
    }
    return status;
}

/* Notes what was written, for the end of the job. */
static void note_written(akin_cli_job *job, const akin_cli_dedupe_request *request, const results *r, uint64_t pairs)
{
    const char *const *paths = request->outputs;
    akin_cli_clusters_wrote(job, paths[AKIN_CLI_CLUSTERS_FILE], r->clusters, request->clusters_of);
    akin_cli_job_wrote(job, paths[AKIN_CLI_PAIRS_FILE], pairs, "pairs");
    akin_cli_deduplicated_wrote(job, paths[AKIN_CLI_RECORDS_FILE], r->clusters);
    akin_cli_deduplicated_wrote(job, paths[AKIN_CLI_MERGED_FILE], r->clusters);
    akin_cli_job_wrote(job, paths[AKIN_CLI_REPORT_FILE], 1, "reports");
    akin_cli_job_wrote(job, paths[AKIN_CLI_JOB_FILE], 1, "jobs");
    akin_cli_job_wrote(job, paths[AKIN_CLI_MODEL_FILE], 1, "models");
}

/* Warns of what came of it, and sums it up. */
static void print_outcome(const akin_cli_dedupe_request *request, const side sides[2], const results *r,
                          double seconds_read, const akin_dedupe_report *report)
{
    const akin_cli_summary summary = {.plan = request->plan,
                                      .tables = request->inputs[1] ? 2 : 1,
                                      .rows = {sides[0].source.rows, sides[1].source.rows},
                                      .report = report,
                                      .model = request->model_path,
                                      .shape = r->shape,
                                      .evaluation = request->gold ? &r->gold.evaluation : NULL,
                                      .closed = &r->gold.closed,
                                      .seconds_read = seconds_read,
                                      .seconds_cluster = r->seconds_cluster};
    akin_cli_summary_warn(&summary);
    if (!request->quiet)
        akin_cli_summary_print(&summary);
}

/* Synonyms and outputs are opened first: what cannot be read or written is better known before the work. */
akin_status akin_cli_dedupe_run(akin_cli_job *job, const akin_cli_dedupe_request *request, akin_error *error)
{
    akin_dedupe_report report = {.size = sizeof report};
    static const side none;
    side sides[2] = {none, none};
    results r = {.is_evaluated = request->gold != NULL};
    double begun = akin_cli_clock(), seconds_read = 0;
    akin_status status = load_and_open(job, request, &r, error);
    for (int i = 0; i < 2 && request->inputs[i] && status == AKIN_OK; i++)
        status =
            read_side(job, request, i,
                      akin_cli_show_optional(&request->show, request->inputs[1] != NULL, i ? &sides[0].source : NULL),
                      &sides[i], error);
    if (status == AKIN_OK && sides[0].source.rows > 0)
        status = akin_cli_merge_rules_find(&request->merge, sides[0].source.table, error);
    if (status == AKIN_OK && request->gold)
        status = read_gold(job, request, sides, &r.gold.known, error);
    seconds_read = akin_cli_clock() - begun;
    if (status == AKIN_OK)
        status = find_and_write(job, request, sides, &r, seconds_read, &report, error);
    akin_cli_progress_clear(&job->progress);
    status = close_outputs(&r, status, error);
    if (status == AKIN_OK)
        status = akin_cli_job_show(job, error);
    if (status == AKIN_OK)
        note_written(job, request, &r, report.pairs_found);
    if (status == AKIN_OK)
        print_outcome(request, sides, &r, seconds_read, &report);
    akin_cli_scored_clear(&r.scored);
    akin_cli_shown_clear(&r.shown);
    akin_cli_page_clear(&r.page);
    akin_cli_shards_clear(&r.shards);
    akin_clusters_free(r.clusters);
    akin_dedupe_model_free(r.model);
    akin_cli_gold_clear(&r.gold);
    for (int i = 0; i < 2; i++) {
        akin_cli_names_clear(&sides[i].pairs_names);
        akin_cli_source_clear(&sides[i].source);
        free(sides[i].columns);
    }
    return status;
}
