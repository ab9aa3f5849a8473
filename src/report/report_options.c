/* Keeps the options of a report's job: copies of all that they point to, except for texts. */
#include "report/report.h"
#include "dedupe/selections.h"

#include <string.h>

/* A copy of an array. NULL: memory is short. */
static void *copy_array(akin_report *report, const void *from, uint64_t count, size_t size)
{
    void *to = akin_alloc(&report->account, count, size);
    if (to && count > 0)
        memcpy(to, from, (size_t)count * size);
    return to;
}

static akin_status keep_attributes(akin_report *report, const akin_dedupe_view *job, akin_error *error)
{
    uint32_t count = job->options->attribute_count;
    akin_attribute *attributes = copy_array(report, job->options->attributes, count, sizeof *attributes);
    report->job_options.attributes = attributes;
    for (uint32_t i = 0; attributes && i < count; i++)
        attributes[i].compare = NULL;
    for (uint32_t i = 0; attributes && i < count; i++) {
        const akin_compare_options *compare = &job->scoring->attributes[i].compare;
        if (!(attributes[i].compare = copy_array(report, compare, 1, sizeof *compare)))
            return akin_fail_memory(error, "the report");
    }
    return attributes ? AKIN_OK : akin_fail_memory(error, "the report");
}

static akin_status keep_selections(akin_report *report, const akin_dedupe_view *job, akin_error *error)
{
    uint32_t count = job->options->selection_count;
    akin_selection *selections = copy_array(report, job->options->selections, count, sizeof *selections);
    report->job_options.selections = selections;
    for (uint32_t i = 0; selections && i < count; i++) {
        selections[i].parts = NULL;
        selections[i].text = NULL;
        selections[i].part_count = akin_selection_parts(&selections[i]);
    }
    for (uint32_t i = 0; selections && i < count; i++) {
        const akin_key_part *parts = job->options->selections[i].parts;
        if (!(selections[i].parts = copy_array(report, parts, selections[i].part_count, sizeof *parts)))
            return akin_fail_memory(error, "the report");
    }
    return selections ? AKIN_OK : akin_fail_memory(error, "the report");
}

static akin_status keep_columns(akin_report *report, const akin_dedupe_view *job, akin_error *error)
{
    const akin_dedupe_options *o = job->options;
    akin_combined *combined = copy_array(report, o->combined, o->combined_count, sizeof *combined);
    report->job_options.combined = combined;
    report->job_options.combined_count = combined ? o->combined_count : 0;
    for (uint64_t i = 0; i < report->job_options.combined_count; i++)
        combined[i].columns = NULL;
    for (uint64_t i = 0; i < report->job_options.combined_count; i++)
        if (!(combined[i].columns = copy_array(report, o->combined[i].columns, combined[i].count, sizeof(uint32_t))))
            return akin_fail_memory(error, "the report");
    if (o->folds)
        report->job_options.folds = copy_array(report, o->folds, job->own + o->combined_count, sizeof *o->folds);
    return combined && (report->job_options.folds || !o->folds) ? AKIN_OK : akin_fail_memory(error, "the report");
}

akin_status akin_report_keep_job_options(akin_report *report, const akin_dedupe_view *job, akin_error *error)
{
    report->job_options = *job->options;
    report->job_options.attributes = NULL;
    report->job_options.selections = NULL;
    report->job_options.combined = NULL;
    report->job_options.folds = NULL;
    report->job_options.synonyms = NULL;   /* the page does not show them, */
    report->job_options.statistics = NULL; /* nor these */
    report->records = *job->records;
    report->own = job->own;
    for (uint32_t side = 0; side < 2; side++) {
        report->columns_given[side] = job->given[side];
        report->records.columns[side] = NULL; /* they are gone when the page is written */
    }
    akin_status status = keep_attributes(report, job, error);
    if (status == AKIN_OK)
        status = keep_selections(report, job, error);
    return status == AKIN_OK ? keep_columns(report, job, error) : status;
}

void akin_report_free_job_options(akin_report *report)
{
    const akin_dedupe_options *o = &report->job_options;
    for (uint32_t i = 0; o->attributes && i < o->attribute_count; i++)
        akin_free((void *)o->attributes[i].compare);
    for (uint32_t i = 0; o->selections && i < o->selection_count; i++)
        akin_free((void *)o->selections[i].parts);
    for (uint64_t i = 0; o->combined && i < o->combined_count; i++)
        akin_free((void *)o->combined[i].columns);
    akin_free((void *)o->attributes);
    akin_free((void *)o->selections);
    akin_free((void *)o->combined);
    akin_free((void *)o->folds);
}
