/* Divides the pairs that a report gathers: those that reach the threshold come first, those below it follow. */
#include "report/report.h"

#include <math.h>
#include <string.h>

#define NEAR  1e-9 /* of one attribute: averages that are further from the threshold have decided */
#define CHUNK 4096 /* pairs that are measured at once */

/* A chunk of pairs that are measured. */
typedef struct chunk {
    uint64_t count, records[CHUNK], places[CHUNK];
    double each[CHUNK], averages[CHUNK];
    uint8_t reached[CHUNK];
} chunk;

/* Measures a chunk of the only attribute, and notes which pairs reach the threshold. */
static akin_status settle_chunk(akin_report *report, const akin_scoring *scoring, chunk *c, uint8_t *reaches,
                                akin_error *error)
{
    const akin_ratio threshold = report->job_options.threshold;
    const akin_measured out = {
        .each = c->each, .averages = c->averages, .reached = c->reached, .thresholds = {threshold, threshold}};
    akin_status status = akin_measure_pairs(report->scope, scoring, c->records, c->count, &out, error);
    for (uint64_t i = 0; i < c->count && status == AKIN_OK; i++)
        reaches[c->places[i]] = c->reached[i] > 0;
    c->count = 0;
    return status;
}

/* Of the only attribute values are compared once more where the average, a double, is near to the threshold. */
static akin_status tell_by_values(akin_report *report, const akin_scoring *scoring, const akin_found *found,
                                  uint8_t *reaches, akin_error *error)
{
    double threshold = akin_ratio_value(report->job_options.threshold);
    akin_status status = AKIN_OK;
    chunk *c = akin_alloc(&report->account, 1, sizeof *c);
    if (!c)
        return akin_fail_memory(error, "the report");
    c->count = 0;
    for (uint64_t i = 0; i < found->count && status == AKIN_OK; i++) {
        reaches[i] = found->pairs[i].similarity > threshold;
        if (fabs(found->pairs[i].similarity - threshold) > NEAR)
            continue;
        c->records[c->count] = akin_report_records(&report->records, &found->pairs[i]);
        c->places[c->count++] = i;
        if (c->count == CHUNK)
            status = settle_chunk(report, scoring, c, reaches, error);
    }
    if (status == AKIN_OK && c->count > 0)
        status = settle_chunk(report, scoring, c, reaches, error);
    akin_free(c);
    return status;
}

static void swap(akin_found *found, uint64_t a, uint64_t b, uint32_t attributes)
{
    akin_scored_pair pair = found->pairs[a];
    found->pairs[a] = found->pairs[b];
    found->pairs[b] = pair;
    for (uint32_t i = 0; i < attributes; i++) {
        double each = found->each[a * attributes + i];
        found->each[a * attributes + i] = found->each[b * attributes + i];
        found->each[b * attributes + i] = each;
    }
}

akin_status akin_report_divide(akin_report *report, const akin_scoring *scoring, akin_found *found, akin_error *error)
{
    akin_found *f = found;
    uint32_t threshold = akin_billionths_of_ratio(report->job_options.threshold), attributes = scoring->count;
    akin_status status = AKIN_OK;
    f->reaching = f->count;
    if (!akin_ratio_below(report->least, report->job_options.threshold))
        return AKIN_OK;
    f->reaching = 0;
    uint8_t *reaches = akin_alloc(&report->account, f->count, sizeof *reaches);
    if (!reaches)
        return akin_fail_memory(error, "the report");
    if (attributes == 1)
        status = tell_by_values(report, scoring, f, reaches, error);
    for (uint64_t i = 0; i < f->count && attributes > 1; i++)
        reaches[i] = (uint8_t)akin_scoring_reaches(scoring, f->each + i * attributes, threshold);
    for (uint64_t i = 0; i < f->count && status == AKIN_OK; i++)
        if (reaches[i])
            swap(f, i, f->reaching++, attributes);
    akin_free(reaches);
    return status;
}
