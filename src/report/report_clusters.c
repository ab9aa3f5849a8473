/* Puts the pairs that were found into clusters, and lists the largest for a report. */
#include "graph/clusters.h"
#include "report/report.h"

#include "base/bits.h"

/* Puts the records of each pair that was found into one cluster. */
static akin_status connect(akin_report *report, const akin_dedupe_view *job, akin_error *error)
{
    const akin_records *records = &report->records;
    akin_status status =
        akin_clusters_create_within(report->scope, records->rows[0], records->rows[1],
                                    report->is_split ? &report->clustering : NULL, &report->clusters, error);
    for (uint32_t t = 0; t < job->threads; t++)
        for (uint64_t i = 0; i < job->stored[t].count && status == AKIN_OK; i++) {
            const akin_scored_pair *p = &job->stored[t].pairs[i];
            akin_pair pair = {.left = p->left, .right = p->right};
            if (akin_report_is_found(report, &job->stored[t], i))
                status = akin_clusters_add(report->clusters, &pair, &p->similarity, 1, error);
        }
    if (status == AKIN_OK)
        status = akin_clusters_close_within(report->scope, report->clusters, error);
    if (status != AKIN_OK)
        return status;
    report->shape.size = sizeof report->shape;
    return akin_clusters_describe(report->clusters, &report->shape, error);
}

/* Chooses the largest, of two records and more; of those that are of one size the first ones. */
static akin_status choose_largest(akin_report *report, akin_error *error)
{
    const akin_clusters *clusters = report->clusters;
    akin_shortlist list;
    if (!akin_shortlist_make(&list, &report->account, AKIN_REPORT_CLUSTERS))
        return akin_fail_memory(error, "the report");
    for (uint32_t row = 0; row < akin_clusters_rows(clusters); row++)
        if (akin_clusters_row(clusters, row) == row && akin_clusters_size(clusters, row) > 1)
            akin_shortlist_offer(&list, (akin_u128)(UINT64_MAX - akin_clusters_size(clusters, row)) << 64 | row);
    akin_sort_u128(list.keys, list.count);
    for (uint64_t i = 0; i < list.count; i++) {
        uint32_t first = (uint32_t)list.keys[i];
        report->largest[i] =
            (akin_report_cluster){.first = first, .size = akin_clusters_size(clusters, first), .weakest = 2};
    }
    report->largest_count = (uint32_t)list.count;
    akin_shortlist_clear(&list);
    return AKIN_OK;
}

/* The one that a record is in; NULL: it is not listed. */
static akin_report_cluster *cluster_of(akin_report *report, uint32_t record)
{
    uint32_t first = akin_clusters_row(report->clusters, record), i = 0;
    if (report->largest_count == 0 ||
        akin_clusters_size(report->clusters, record) < report->largest[report->largest_count - 1].size)
        return NULL;
    while (i < report->largest_count && report->largest[i].first != first)
        i++;
    return i < report->largest_count ? &report->largest[i] : NULL;
}

/* The first records of those that are listed, and their pairs. */
static void describe_clusters(akin_report *report, const akin_dedupe_view *job)
{
    uint32_t listed[AKIN_REPORT_CLUSTERS] = {0};
    for (uint32_t record = 0; record < report->records.count; record++) {
        akin_report_cluster *c = cluster_of(report, record);
        uint32_t *count = c ? &listed[c - report->largest] : NULL;
        if (count && *count < AKIN_REPORT_MEMBERS)
            c->members[(*count)++] = record;
    }
    for (uint32_t t = 0; t < job->threads; t++)
        for (uint64_t i = 0; i < job->stored[t].count; i++) {
            const akin_scored_pair *p = &job->stored[t].pairs[i];
            int is_found = akin_report_is_found(report, &job->stored[t], i);
            akin_report_cluster *c = is_found ? cluster_of(report, p->left) : NULL;
            if (!c)
                continue;
            c->pairs++;
            c->weakest = p->similarity < c->weakest ? p->similarity : c->weakest;
        }
}

akin_status akin_report_cluster_pairs(akin_report *report, const akin_dedupe_view *job, akin_error *error)
{
    akin_status status = connect(report, job, error);
    if (status == AKIN_OK)
        status = choose_largest(report, error);
    if (status == AKIN_OK)
        describe_clusters(report, job);
    return status;
}
