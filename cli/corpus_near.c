/* akin corpus near-duplicates: the job. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "corpus.h"
#include "kept.h"
#include "removed.h"
#include "shards.h"
#include "shown.h"

/* What comes of it. */
typedef struct results {
    akin_output *outputs[2]; /* of kept documents and of removed ones; NULL: not wanted, or a folder */
    akin_cli_shards shards;
    akin_cli_source documents;
    akin_cli_kept kept;
    akin_duplicates *duplicates;
    akin_duplicates_report report;
} results;

enum { KEPT, REMOVED };

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
    return status;
}

/* Finds the duplicates of what was read. */
static akin_status find(akin_cli_job *job, const akin_cli_near_request *request, results *r, akin_error *error)
{
    const akin_cli_source *documents = &r->documents;
    akin_duplicates_options options = request->find;
    akin_column ids = AKIN_COLUMN_INIT;
    uint32_t id = 0;
    akin_status status = AKIN_OK;
    options.text = &request->documents.reading.text;
    options.table = documents->combined ? documents->combined : documents->table;
    if (request->preference >= 0)
        options.preference = &documents->shown[request->preference].column;
    if (request->source >= 0)
        options.sources = &documents->shown[request->source].column;
    options.files = documents->table;
    if (status == AKIN_OK && request->documents.reading.id && documents->rows > 0) {
        status = akin_table_find(documents->table, request->documents.reading.id, &id, error);
        if (status == AKIN_OK)
            status = akin_table_column(documents->table, id, &ids, error);
        options.ids = &ids;
    }
    if (status == AKIN_OK)
        status =
            akin_duplicates_find(job->context, &documents->strings, documents->rows, &options, &r->duplicates, error);
    if (status == AKIN_OK) {
        r->report.size = sizeof r->report;
        status = akin_duplicates_describe(r->duplicates, &r->report, error);
    } else {
        akin_cli_source_locate(documents->table, request->documents.paths[0], error);
    }
    return status;
}

static akin_status write_results(akin_cli_job *job, const akin_cli_near_request *request, results *r, akin_error *error)
{
    const akin_cli_source *documents = &r->documents;
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
    results r = {.outputs = {NULL, NULL}};
    akin_output *outputs[2];
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
    for (int which = KEPT; which <= REMOVED; which++) {
        if (r.outputs[which] && status == AKIN_OK)
            outputs[count++] = r.outputs[which];
        else
            akin_output_discard(r.outputs[which]);
    }
    if (status == AKIN_OK)
        status = akin_cli_job_commit(outputs, count, error);
    if (status == AKIN_OK) {
        akin_cli_kept_wrote(job, request->documents.kept, &r.kept);
        akin_cli_job_wrote(job, request->removed, r.report.documents - r.report.kept, "documents");
        print_figures(request, &r.report);
    }
    clear_results(&r);
    return status;
}
