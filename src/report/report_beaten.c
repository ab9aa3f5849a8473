/* Finds the pairs that lose a record to a better pair, where a record may be in one alone. */
#include "dedupe/matching.h"
#include "report/report.h"

#include <string.h>

akin_status akin_report_find_beaten(akin_report *report, const akin_dedupe_view *job, akin_error *error)
{
    const uint32_t attributes = job->options->attribute_count;
    uint64_t count = 0, at = 0, beaten = 0;
    akin_status status = AKIN_OK;
    for (uint32_t t = 0; t < job->threads; t++)
        count += job->stored[t].count;
    akin_u128 *ranks = akin_alloc(&report->account, count, sizeof *ranks);
    uint8_t *taken = akin_alloc_zero(&report->account, report->records.count, sizeof *taken);
    if (!ranks || !taken) {
        status = akin_fail_memory(error, "the report");
        goto done;
    }
    for (uint32_t t = 0; t < job->threads; t++)
        for (uint64_t i = 0; i < job->stored[t].count; i++) {
            uint32_t average =
                akin_matching_average(job->options->attributes, attributes, job->stored[t].each + i * attributes);
            ranks[at++] = akin_matching_rank(average, akin_report_records(&report->records, &job->stored[t].pairs[i]));
        }
    akin_sort_u128(ranks, count);
    uint64_t *found = (uint64_t *)(void *)ranks; /* in the place of ranks that have been looked at */
    for (uint64_t i = 0; i < count; i++) {
        uint64_t records = (uint64_t)ranks[i];
        uint8_t *a = &taken[records >> 32], *b = &taken[(uint32_t)records];
        if (*a || *b)
            found[beaten++] = records;
        else
            *a = *b = 1;
    }
    akin_sort_u64(found, beaten);
    report->beaten = akin_alloc(&report->account, beaten, sizeof *report->beaten);
    if (!report->beaten) {
        status = akin_fail_memory(error, "the report");
        goto done;
    }
    if (beaten)
        memcpy(report->beaten, found, beaten * sizeof *found);
    report->beaten_count = beaten;
done:
    akin_free(taken);
    akin_free(ranks);
    return status;
}
