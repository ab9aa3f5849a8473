/* Puts the pairs that were found into clusters, and lists the largest for a report. */
#include "graph/clusters.h"
#include "report/report.h"

#include "base/bits.h"

/* Puts the records of each pair that was found into one cluster. Where a record has one partner, as learnt, each pair
 * is a cluster, however probable. */
static akin_status add_found(akin_report *report, const akin_dedupe_view *job, akin_error *error)
{
    const double sure = 1;
    const int is_sure = job->learnt && job->learnt->partners == AKIN_PARTNERS_ONE;
    akin_status status = AKIN_OK;
    for (uint32_t t = 0; t < job->threads; t++)
        for (uint64_t i = 0; i < job->stored[t].count && status == AKIN_OK; i++) {
            const akin_scored_pair *p = &job->stored[t].pairs[i];
            akin_pair pair = {.left = p->left, .right = p->right};
            if (akin_report_is_found(report, &job->stored[t], i))
                status = akin_clusters_add(report->clusters, &pair, is_sure ? &sure : &p->similarity, 1, error);
        }
    return status;
}

/* Takes the clusters of the job, which have more pairs than those found, and which may be gone when the page is
 * written. */
static akin_status copy_clusters(akin_report *report, akin_clusters *from, akin_error *error)
{
    akin_status status = akin_clusters_close_within(report->scope, from, error);
    if (status == AKIN_OK)
        status = akin_clusters_create_within(report->scope, report->records.count, 0, NULL, &report->clusters, error);
    for (uint32_t row = 0; row < report->records.count && status == AKIN_OK; row++) {
        const akin_pair pair = {.left = akin_clusters_row(from, row), .right = row};
        if (pair.left != row)
            status = akin_clusters_add(report->clusters, &pair, NULL, 1, error);
    }
    return status;
}

/* Makes clusters of the report, without pairs. */
static akin_status make_own(akin_report *report, const akin_dedupe_view *job, akin_error *error)
{
    const akin_records *records = &report->records;
    const akin_status status =
        akin_clusters_create_within(report->scope, records->rows[0], records->rows[1],
                                    report->is_split ? &report->clustering : NULL, &report->clusters, error);
    return status == AKIN_OK && job->sources
               ? akin_clusters_separate_within(report->scope, report->clusters, job->sources, error)
               : status;
}

static akin_status connect(akin_report *report, const akin_dedupe_view *job, akin_error *error)
{
    akin_clusters *made = job->learnt && job->learnt->are_clusters_made ? job->options->clusters : NULL;
    const int is_made = job->learnt && job->learnt->are_clusters_made;
    akin_status status = AKIN_OK;
    if (made)
        status = copy_clusters(report, made, error);
    else if (!report->clusters)
        status = make_own(report, job, error);
    if (status == AKIN_OK && !is_made)
        status = add_found(report, job, error);
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

akin_report_cluster *akin_report_cluster_of(akin_report *report, uint32_t record)
{
    uint32_t first = akin_clusters_row(report->clusters, record), i = 0;
    if (report->largest_count == 0 ||
        akin_clusters_size(report->clusters, record) < report->largest[report->largest_count - 1].size)
        return NULL;
    while (i < report->largest_count && report->largest[i].first != first)
        i++;
    return i < report->largest_count ? &report->largest[i] : NULL;
}

/* The first records of those that are listed, and how many pairs there could be. */
static akin_status list_members(akin_report *report, akin_error *error)
{
    uint32_t listed[AKIN_REPORT_CLUSTERS] = {0}, lefts[AKIN_REPORT_CLUSTERS] = {0};
    const uint32_t border = report->records.tables == 2 ? report->records.rows[0] : 0;
    for (uint32_t record = 0; record < report->records.count; record++) {
        akin_status status = akin_records_check_cancelled(report->scope, record, error);
        if (status != AKIN_OK)
            return status;
        akin_report_cluster *c = akin_report_cluster_of(report, record);
        if (!c)
            continue;
        uint32_t *count = &listed[c - report->largest];
        if (*count < AKIN_REPORT_MEMBERS)
            c->members[(*count)++] = record;
        lefts[c - report->largest] += record < border;
    }
    for (uint32_t i = 0; i < report->largest_count; i++) {
        akin_report_cluster *c = &report->largest[i];
        c->possible = border ? (uint64_t)lefts[i] * (c->size - lefts[i]) : (uint64_t)c->size * (c->size - 1) / 2;
    }
    return AKIN_OK;
}

akin_status akin_report_cluster_pairs(akin_report *report, const akin_dedupe_view *job, akin_error *error)
{
    akin_status status = connect(report, job, error);
    if (status == AKIN_OK)
        status = choose_largest(report, error);
    if (status == AKIN_OK)
        status = list_members(report, error);
    return status == AKIN_OK ? akin_report_find_edges(report, job, error) : status;
}
