/* akin corpus near-duplicates: the job. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "corpus.h"
#include "estimate.h"
#include "kept.h"
#include "path.h"
#include "removed.h"
#include "shards.h"
#include "shown.h"

/* Files that are written: of kept documents, of removed ones, and the page; or of estimates. */
enum { KEPT, REMOVED, REPORT, ESTIMATES, OUTPUTS };

/* What comes of it. */
typedef struct results {
    akin_output *outputs[OUTPUTS]; /* NULL: not wanted, or a folder */
    akin_cli_shards shards;
    akin_cli_source documents;
    akin_cli_kept kept;
    akin_duplicates *duplicates;
    akin_duplicates_report report;
    akin_column ids;
    akin_text_options text;
    akin_text_counts counts;
    akin_duplicates_options options; /* points to what is above */
    akin_duplicates_estimate estimate;
    akin_duplicates_plan plan;
} results;

void akin_cli_near_clear(void *request)
{
    akin_cli_near_request *own = request;
    if (!own)
        return;
    akin_cli_documents_clear(&own->documents);
    free(own->words);
    free(own);
}

static akin_status open_results(akin_cli_job *job, const akin_cli_near_request *request, results *r, akin_error *error)
{
    akin_status status = AKIN_OK;
    if (request->documents.kept && request->documents.options)
        status = akin_cli_shards_open(job, "kept", request->documents.kept, request->documents.paths,
                                      request->documents.path_count, request->documents.options, &r->shards, error);
    else if (request->documents.kept)
        status = akin_cli_job_open(job, request->documents.kept, "", &r->outputs[KEPT], error);
    if (status == AKIN_OK && request->removed)
        status = akin_cli_job_open(job, request->removed, "", &r->outputs[REMOVED], error);
    if (status == AKIN_OK && request->report)
        status = akin_cli_job_open(job, request->report, "", &r->outputs[REPORT], error);
    if (status == AKIN_OK && request->sample > 0)
        status =
            akin_cli_job_open(job, request->estimates.path, request->estimates.shown, &r->outputs[ESTIMATES], error);
    return status;
}

/* Makes the options of the job, of what was read. */
static akin_status make_options(const akin_cli_near_request *request, results *r, akin_error *error)
{
    const akin_cli_source *documents = &r->documents;
    akin_duplicates_options *options = &r->options;
    uint32_t id = 0;
    akin_status status = AKIN_OK;
    *options = request->find;
    r->text = request->documents.reading.text;
    r->text.counts = &r->counts;
    options->text = &r->text;
    options->table = documents->combined ? documents->combined : documents->table;
    if (request->preference >= 0)
        options->preference = &documents->shown[request->preference].column;
    if (request->source >= 0)
        options->sources = &documents->shown[request->source].column;
    options->files = documents->table;
    if (request->documents.reading.id && documents->rows > 0) {
        r->ids = (akin_column)AKIN_COLUMN_INIT;
        options->ids = &r->ids;
        status = akin_table_find(documents->table, request->documents.reading.id, &id, error);
        if (status == AKIN_OK)
            status = akin_table_column(documents->table, id, &r->ids, error);
    }
    return status;
}

/* Finds the duplicates of what was read, or what a sample says of them. */
static akin_status find(akin_cli_job *job, const akin_cli_near_request *request, results *r, akin_error *error)
{
    const akin_cli_source *documents = &r->documents;
    akin_duplicates_sample_options sample = AKIN_DUPLICATES_SAMPLE_OPTIONS_INIT;
    akin_status status = make_options(request, r, error);
    sample.find = &r->options;
    sample.documents = request->sample;
    r->estimate.size = sizeof r->estimate;
    r->report.size = sizeof r->report;
    r->plan.size = sizeof r->plan;
    if (status == AKIN_OK && request->plan)
        status =
            akin_duplicates_plan_make(job->context, &documents->strings, documents->rows, &r->options, &r->plan, error);
    else if (status == AKIN_OK && request->sample > 0)
        status =
            akin_duplicates_sample(job->context, &documents->strings, documents->rows, &sample, &r->estimate, error);
    else if (status == AKIN_OK)
        status = akin_duplicates_find(job->context, &documents->strings, documents->rows, &r->options, &r->duplicates,
                                      error);
    if (status != AKIN_OK)
        akin_cli_source_locate(documents->table, request->documents.paths[0], error);
    else if (r->duplicates)
        status = akin_duplicates_describe(r->duplicates, &r->report, error);
    return status;
}

static akin_status write_page(akin_cli_job *job, const akin_cli_near_request *request, results *r, akin_error *error)
{
    akin_duplicates_page_options options = AKIN_DUPLICATES_PAGE_OPTIONS_INIT;
    options.title = request->documents.path_count == 1 ? akin_cli_path_last(request->documents.paths[0]) : NULL;
    options.tokens = request->tokens;
    options.source = request->source >= 0 ? request->columns[request->source] : NULL;
    options.files = r->documents.table;
    return akin_duplicates_write_page(job->context, r->duplicates, &r->documents.strings, &r->options, &options,
                                      r->outputs[REPORT], error);
}

static akin_status write_results(akin_cli_job *job, const akin_cli_near_request *request, results *r, akin_error *error)
{
    const akin_cli_source *documents = &r->documents;
    if (request->plan)
        return AKIN_OK;
    if (request->sample > 0)
        return akin_cli_estimate_write(&r->estimate, request->estimates.format, r->outputs[ESTIMATES], error);
    akin_status status = akin_cli_kept_begin(documents->rows, &r->kept, error);
    for (uint32_t row = 0; row < documents->rows && status == AKIN_OK; row++) {
        akin_duplicate d;
        akin_duplicates_row(r->duplicates, row, &d);
        if (d.survivor == AKIN_NO_ROW)
            akin_cli_kept_add(&r->kept, row);
    }
    if (status == AKIN_OK && r->outputs[REMOVED])
        status = akin_cli_removed_write(r->duplicates, documents->rows, &documents->names, request->removed_format,
                                        r->outputs[REMOVED], error);
    if (status == AKIN_OK && r->outputs[KEPT])
        status = akin_cli_kept_write(&r->kept, documents->table, request->documents.paths[0],
                                     request->documents.reading.format, r->outputs[KEPT], error);
    if (status == AKIN_OK && r->outputs[REPORT])
        status = write_page(job, request, r, error);
    if (status == AKIN_OK && request->documents.options)
        status = akin_cli_shards_write(job, &r->shards, &r->kept, documents->table, error);
    return status;
}

/* The figures: a result where nothing else is written, else a line for people. */
static void print_figures(const akin_cli_near_request *request, const akin_duplicates_report *f)
{
    if (!request->removed && !request->documents.kept)
        printf("documents %" PRIu64 "\nkept %" PRIu64 "\nremoved %" PRIu64 "\nempty %" PRIu64 "\n", f->documents,
               f->kept, f->documents - f->kept, f->empty);
    if (!request->removed && !request->documents.kept && request->find.ignore_frequent > 0)
        printf("ignored %" PRIu64 "\nemptied %" PRIu64 "\n", f->ignored, f->emptied);
    if ((request->removed || request->documents.kept) && !request->quiet)
        fprintf(stderr, "akin: %" PRIu64 " documents: %" PRIu64 " kept, %" PRIu64 " removed\n", f->documents, f->kept,
                f->documents - f->kept);
}

static void print_plan(const akin_duplicates_plan *p)
{
    printf("documents %" PRIu64 "\nbytes %" PRIu64 "\ntokens %" PRIu64 "\nmemory %" PRIu64 "\ntemporary %" PRIu64
           "\nreadings %" PRIu64 "\nrounds %" PRIu64 "\nseconds %.1f\n",
           p->documents, p->bytes, p->tokens, p->memory, p->temporary, p->readings, p->rounds,
           p->seconds_frequency + p->seconds_survivors);
}

static void clear_results(results *r)
{
    akin_duplicates_free(r->duplicates);
    akin_cli_kept_clear(&r->kept);
    akin_cli_shards_clear(&r->shards);
    akin_cli_source_clear(&r->documents);
}

akin_status akin_cli_near_run(akin_cli_job *job, const void *asked, akin_error *error)
{
    const akin_cli_near_request *request = asked;
    results r = {.outputs = {NULL}};
    akin_output *outputs[OUTPUTS];
    size_t count = 0;
    akin_status status = open_results(job, request, &r, error);
    if (status == AKIN_OK)
        status = akin_cli_source_read(job, &request->documents.reading, request->documents.paths[0],
                                      request->removed_format, NULL, NULL, &r.documents, error);
    if (status == AKIN_OK)
        status = find(job, request, &r, error);
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK)
        status = write_results(job, request, &r, error);
    for (int which = 0; which < OUTPUTS; which++) {
        if (r.outputs[which] && status == AKIN_OK)
            outputs[count++] = r.outputs[which];
        else
            akin_output_discard(r.outputs[which]);
    }
    if (status == AKIN_OK)
        status = akin_cli_job_commit(outputs, count, error);
    if (status == AKIN_OK && request->plan)
        print_plan(&r.plan);
    else if (status == AKIN_OK && request->sample > 0) {
        akin_cli_job_wrote(job, request->estimates.path, AKIN_SAMPLE_THRESHOLDS, "estimates");
        if (!request->quiet)
            fprintf(stderr, "akin: %" PRIu64 " of %" PRIu64 " documents were drawn\n", r.estimate.drawn,
                    r.estimate.documents);
        status = akin_cli_job_show(job, error);
    } else if (status == AKIN_OK) {
        akin_cli_kept_wrote(job, request->documents.kept, &r.kept);
        akin_cli_job_wrote(job, request->removed, r.report.documents - r.report.kept, "documents");
        akin_cli_job_wrote(job, request->report, 1, "reports");
        print_figures(request, &r.report);
    }
    if (status == AKIN_OK)
        akin_text_warn(&r.text, request->documents.path_count == 1 ? request->documents.paths[0] : NULL,
                       akin_cli_warn_of, NULL);
    if (status == AKIN_OK && request->find.comparing == AKIN_COMPARE_ACROSS && request->source < 0 &&
        akin_table_files(r.documents.table) == 1)
        akin_cli_warn("--across: of one file no documents are compared");
    clear_results(&r);
    return status;
}
