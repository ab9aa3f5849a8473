/* What akin dedupe does: reads the tables, finds the pairs and writes what comes of them. */
#include "dedupe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "clusters.h"
#include "command.h"
#include "given.h"
#include "gold.h"
#include "label.h"
#include "path.h"
#include "report.h"
#include "scored.h"
#include "summary.h"
#include "shards.h"

static const akin_cli_names *names_of_pairs(const akin_cli_dedupe_request *request, const akin_cli_side *s)
{
    return akin_cli_pairs_differ(request) ? &s->pairs_names : &s->source.names;
}

/* The pairs that are known to be right, of these tables. */
static akin_status read_gold(akin_cli_job *job, const akin_cli_dedupe_request *request, const akin_cli_side sides[2],
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
    akin_cli_kept kept;     /* which records are written */
    akin_clusters *clusters;
    akin_clusters_shape shape; /* what they come to */
    double seconds_cluster;    /* what closing them took */
    int is_evaluated;          /* there is a gold standard */
    akin_cli_gold gold;
    akin_cli_page page;
    akin_dedupe_model *model;  /* that was learnt, to be written; else NULL */
    akin_labelling *labelling; /* answers; NULL: there are none */
    akin_cli_given given;
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
            status = akin_cli_shards_open(job, "deduplicated", request->outputs[file], &request->inputs[0], 1,
                                          request->options, &out->shards, error);
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

/* Whether pairs concern anybody. */
static int are_pairs_wanted(const results *r)
{
    return r->is_evaluated || r->outputs[AKIN_CLI_PAIRS_FILE];
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
static akin_status find_duplicates(akin_cli_job *job, const akin_cli_dedupe_request *request,
                                   const akin_cli_side sides[2], results *r, akin_dedupe_report *report,
                                   akin_error *error)
{
    int two = request->inputs[1] != NULL;
    const akin_cli_side *right = &sides[two];
    akin_dedupe_options options = *akin_dedupe_plan_options(request->plan);
    options.report = r->page.report;
    akin_status status = akin_clusters_create_by(job->context, sides[0].source.rows, two ? right->source.rows : 0,
                                                 akin_dedupe_plan_clusters(request->plan), &r->clusters, error);
    options.clusters = r->clusters;
    options.model = request->model;
    options.labelling = r->labelling;
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
                             &options, are_pairs_wanted(r) ? hand_on_scored : NULL, r, NULL, report, error);
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

static akin_status write_results(akin_cli_job *job, const akin_cli_dedupe_request *request,
                                 const akin_cli_side sides[2], results *r, akin_error *error)
{
    const akin_cli_clusters_form form = {.format = request->formats[AKIN_CLI_CLUSTERS_FILE],
                                         .least = request->clusters_of,
                                         .show = request->show.names[0],
                                         .show_count = request->show.count};
    akin_status status = AKIN_OK;
    if (r->outputs[AKIN_CLI_CLUSTERS_FILE])
        status = akin_cli_clusters_write(r->clusters, &sides[0].source, request->inputs[1] ? &sides[1].source : NULL,
                                         &form, r->outputs[AKIN_CLI_CLUSTERS_FILE], error);
    if (status == AKIN_OK && request->outputs[AKIN_CLI_RECORDS_FILE])
        status = akin_cli_kept_of_clusters(r->clusters, &r->kept, error);
    if (status == AKIN_OK && r->outputs[AKIN_CLI_RECORDS_FILE])
        status = akin_cli_kept_write(&r->kept, sides[0].source.table, request->inputs[0], request->input_format,
                                     r->outputs[AKIN_CLI_RECORDS_FILE], error);
    const akin_cli_merged_form merged = {.rules = &request->merge,
                                         .format = request->formats[AKIN_CLI_MERGED_FILE],
                                         .ids = sides[0].ids.size ? &sides[0].ids : NULL,
                                         .id_type = sides[0].ids.size ? akin_cli_names_type(&sides[0].source.names)
                                                                      : AKIN_CLI_INTEGER,
                                         .with_sources = request->merged_sources};
    if (status == AKIN_OK && r->outputs[AKIN_CLI_MERGED_FILE])
        status = akin_cli_merged_write(job, r->clusters, sides[0].source.table, &merged,
                                       r->outputs[AKIN_CLI_MERGED_FILE], error);
    if (status == AKIN_OK && r->shards.files.count > 0)
        status = akin_cli_shards_write(job, &r->shards, &r->kept, sides[0].source.table, error);
    if (status == AKIN_OK && r->model)
        status = akin_output_write(r->outputs[AKIN_CLI_MODEL_FILE], akin_dedupe_model_text(r->model),
                                   strlen(akin_dedupe_model_text(r->model)), error);
    return status;
}

/* Finds the pairs, and writes all that is wanted. */
static akin_status find_and_write(akin_cli_job *job, const akin_cli_dedupe_request *request,
                                  const akin_cli_side sides[2], results *r, double seconds_read,
                                  akin_dedupe_report *report, akin_error *error)
{
    const akin_column *ids[2];
    akin_status status = AKIN_OK;
    akin_cli_sides_ids(request, sides, ids);
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

/* Takes the answers, having asked if questions are wanted, and finds and writes what follows from them. */
static akin_status do_all(akin_cli_job *job, const akin_cli_dedupe_request *request, const akin_cli_side sides[2],
                          results *r, double seconds_read, akin_dedupe_report *report, akin_error *error)
{
    akin_status status = AKIN_OK;
    if (akin_cli_label_asks(request))
        status = akin_cli_label_ask(job, request, sides, r->outputs[AKIN_CLI_QUESTIONS_FILE], &r->labelling, error);
    else if (request->answers)
        status = akin_cli_answers_read(job, request, sides, &r->labelling, error);
    if (status == AKIN_OK && request->job)
        status = akin_output_write(r->outputs[AKIN_CLI_JOB_FILE], request->job, request->job_length, error);
    if (status == AKIN_OK && (!akin_cli_label_asks(request) || akin_cli_label_goes_on(request)))
        status = find_and_write(job, request, sides, r, seconds_read, report, error);
    return status;
}

/* Notes what was written, for the end of the job. */
static void note_written(akin_cli_job *job, const akin_cli_dedupe_request *request, const results *r, uint64_t pairs)
{
    const char *const *paths = request->outputs;
    akin_cli_job_wrote(job, paths[AKIN_CLI_QUESTIONS_FILE], 1, "pages");
    akin_cli_job_wrote(job, paths[AKIN_CLI_JOB_FILE], 1, "jobs");
    if (!r->clusters)
        return; /* only questions */
    akin_cli_clusters_wrote(job, paths[AKIN_CLI_CLUSTERS_FILE], r->clusters, request->clusters_of);
    akin_cli_job_wrote(job, paths[AKIN_CLI_PAIRS_FILE], pairs, "pairs");
    akin_cli_kept_wrote(job, paths[AKIN_CLI_RECORDS_FILE], &r->kept);
    akin_cli_job_wrote_of(job, paths[AKIN_CLI_MERGED_FILE], akin_clusters_count(r->clusters),
                          akin_clusters_rows(r->clusters), "records");
    akin_cli_job_wrote(job, paths[AKIN_CLI_REPORT_FILE], 1, "reports");
    akin_cli_job_wrote(job, paths[AKIN_CLI_MODEL_FILE], 1, "models");
}

/* Warns of what came of it, and sums it up; of questions alone it says what to do with the answers. */
static void print_outcome(const akin_cli_dedupe_request *request, const akin_cli_side sides[2], const results *r,
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
    if (!r->clusters) {
        if (!request->quiet)
            akin_cli_label_advise(request, r->labelling);
        return;
    }
    akin_cli_summary_warn(&summary);
    akin_cli_answers_warn(request, sides, r->labelling);
    if (!request->quiet)
        akin_cli_summary_print(&summary);
}

/* Synonyms and outputs are opened first: what cannot be read or written is better known before the work. */
akin_status akin_cli_dedupe_run(akin_cli_job *job, const akin_cli_dedupe_request *request, akin_error *error)
{
    akin_dedupe_report report = {.size = sizeof report};
    static const akin_cli_side none;
    akin_cli_side sides[2] = {none, none};
    results r = {.is_evaluated = request->gold != NULL};
    double begun = akin_cli_clock(), seconds_read = 0;
    akin_status status = load_and_open(job, request, &r, error);
    for (int i = 0; i < 2 && request->inputs[i] && status == AKIN_OK; i++)
        status = akin_cli_side_read(
            job, request, i,
            akin_cli_show_optional(&request->show, request->inputs[1] != NULL, i ? &sides[0].source : NULL), &sides[i],
            error);
    if (status == AKIN_OK && sides[0].source.rows > 0)
        status = akin_cli_merge_rules_find(&request->merge, sides[0].source.table, error);
    if (status == AKIN_OK && request->gold)
        status = read_gold(job, request, sides, &r.gold.known, error);
    if (status == AKIN_OK)
        status = akin_cli_given_read(job, request, sides, &r.given, error);
    seconds_read = akin_cli_clock() - begun;
    if (status == AKIN_OK)
        status = do_all(job, request, sides, &r, seconds_read, &report, error);
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
    akin_cli_kept_clear(&r.kept);
    akin_cli_shards_clear(&r.shards);
    akin_clusters_free(r.clusters);
    akin_dedupe_model_free(r.model);
    akin_labelling_free(r.labelling);
    akin_cli_gold_clear(&r.gold);
    akin_cli_given_clear(&r.given);
    for (int i = 0; i < 2; i++)
        akin_cli_side_clear(&sides[i]);
    return status;
}
