/*
 * Looks into the clusters that a report lists: bridges, which are found pairs without which a cluster would be two, and
 * pairs that were compared and are below the threshold.
 *
 * A spanning forest of the found pairs has all bridges. Each other pair makes a circle with the path between its
 * records in the forest, whose pairs are no bridges: the path is contracted, so that each pair of the forest is visited
 * once. The memory is that of records, however many pairs there are.
 */
#include "report/report.h"

#include "base/bits.h"

#define NONE UINT32_MAX

typedef struct edges {
    akin_report *report;
    const akin_dedupe_view *job;
    uint32_t *sets; /* of each record: the way to the one that stands for its component, as far as that is known */
    uint32_t *parents, *depths; /* in the forest */
    uint32_t *tops;             /* the way to the highest record that is known to be on a circle with it, or itself */
    uint64_t *trees;            /* the pairs of the forest, in either direction, ascending by record */
    uint64_t count;
} edges;

/* The listed cluster that has both records. NULL: there is none. */
static akin_report_cluster *cluster_of_pair(akin_report *report, uint64_t records)
{
    akin_report_cluster *c = akin_report_cluster_of(report, (uint32_t)(records >> 32));
    return c && akin_clusters_row(report->clusters, (uint32_t)records) == c->first ? c : NULL;
}

static uint32_t find(uint32_t *to, uint32_t record)
{
    while (to[record] != record)
        record = to[record] = to[to[record]];
    return record;
}

/* Receives a found pair of a listed cluster. */
typedef void (*take_edge)(edges *e, akin_report_cluster *cluster, uint64_t records, double similarity);

static akin_status each_found(edges *e, take_edge take, akin_error *error)
{
    for (uint32_t t = 0; t < e->job->threads; t++) {
        const akin_gathered_pairs *stored = &e->job->stored[t];
        for (uint64_t i = 0; i < stored->reaching; i++) {
            akin_status status = akin_records_check_cancelled(e->report->scope, (uint32_t)(i % 65536), error);
            if (status != AKIN_OK)
                return status;
            const uint64_t records = akin_report_records(&e->report->records, &stored->pairs[i]);
            akin_report_cluster *c = cluster_of_pair(e->report, records);
            if (c && akin_report_is_found(e->report, stored, i))
                take(e, c, records, stored->pairs[i].similarity);
        }
    }
    return AKIN_OK;
}

/* Counts a pair, and adds it to the forest unless its records are connected there. */
static void plant(edges *e, akin_report_cluster *cluster, uint64_t records, double similarity)
{
    const uint32_t a = find(e->sets, (uint32_t)(records >> 32)), b = find(e->sets, (uint32_t)records);
    cluster->pairs++;
    cluster->weakest = similarity < cluster->weakest ? similarity : cluster->weakest;
    if (a == b)
        return;
    e->sets[a < b ? b : a] = a < b ? a : b;
    e->trees[e->count++] = records;
    e->trees[e->count++] = records << 32 | records >> 32;
}

/* Gives each record of a tree its parent, from the root down. */
static void root(edges *e, uint32_t first, uint32_t *queue)
{
    uint32_t count = 1;
    queue[0] = first;
    e->parents[first] = NONE;
    e->depths[first] = 0;
    for (uint32_t at = 0; at < count; at++) {
        const uint32_t record = queue[at];
        uint64_t i = akin_lower_bound_u64(e->trees, e->count, (uint64_t)record << 32);
        for (; i < e->count && e->trees[i] >> 32 == record; i++) {
            const uint32_t other = (uint32_t)e->trees[i];
            if (e->depths[other] != NONE)
                continue;
            e->parents[other] = record;
            e->depths[other] = e->depths[record] + 1;
            queue[count++] = other;
        }
    }
}

static int is_of_forest(const edges *e, uint64_t records)
{
    const uint32_t a = (uint32_t)(records >> 32), b = (uint32_t)records;
    return e->parents[a] == b || e->parents[b] == a;
}

/* Contracts the path between the records of a pair that is not of the forest. */
static void contract(edges *e, akin_report_cluster *cluster, uint64_t records, double similarity)
{
    uint32_t a = find(e->tops, (uint32_t)(records >> 32)), b = find(e->tops, (uint32_t)records);
    (void)cluster;
    (void)similarity;
    while (!is_of_forest(e, records) && a != b) {
        uint32_t *lower = e->depths[a] < e->depths[b] ? &b : &a;
        e->tops[*lower] = e->parents[*lower];
        *lower = find(e->tops, *lower);
    }
}

/* Lists a pair if it is one of the least similar. */
static void list_edge(akin_report_edge *list, uint32_t *count, akin_report_edge edge)
{
    uint32_t at = *count;
    for (; at > 0 && (list[at - 1].similarity > edge.similarity ||
                      (list[at - 1].similarity == edge.similarity && list[at - 1].records > edge.records));
         at--)
        if (at < AKIN_REPORT_EXAMPLES)
            list[at] = list[at - 1];
    if (at < AKIN_REPORT_EXAMPLES)
        list[at] = edge;
    *count += *count < AKIN_REPORT_EXAMPLES;
}

/* A pair of the forest is a bridge if its lower record was not contracted. The only pair of two records is none. */
static void count_bridge(edges *e, akin_report_cluster *cluster, uint64_t records, double similarity)
{
    const uint32_t a = (uint32_t)(records >> 32), b = (uint32_t)records, lower = e->parents[a] == b ? a : b;
    if (cluster->size < 3 || !is_of_forest(e, records) || e->tops[lower] != lower)
        return;
    cluster->bridges++;
    list_edge(cluster->bridge, &cluster->bridges_listed, (akin_report_edge){records, similarity});
}

static void add_missing(akin_report *report, uint64_t records, double similarity)
{
    akin_report_cluster *c = cluster_of_pair(report, records);
    if (!c)
        return;
    c->missing++;
    list_edge(c->missed, &c->missed_listed, (akin_report_edge){records, similarity});
}

/* Pairs that were compared and not found. */
static akin_status find_missing(edges *e, akin_error *error)
{
    const akin_learnt *learnt = e->job->learnt;
    for (uint32_t t = 0; t < e->job->threads; t++)
        for (uint64_t i = 0; i < e->job->stored[t].count; i++)
            if (!akin_report_is_found(e->report, &e->job->stored[t], i)) {
                const akin_scored_pair *p = &e->job->stored[t].pairs[i];
                add_missing(e->report, akin_report_records(&e->report->records, p), p->similarity);
            }
    for (uint64_t i = 0; learnt && i < learnt->training.pairs.count; i++) {
        const akin_level_pairs *pairs = &learnt->training.pairs;
        akin_status status = akin_records_check_cancelled(e->report->scope, (uint32_t)(i % 65536), error);
        if (status != AKIN_OK)
            return status;
        if (!akin_report_is_gathered(e->report, learnt->probabilities[i]))
            add_missing(e->report, akin_two_records(pairs->left[i], pairs->right[i]), learnt->probabilities[i]);
    }
    return AKIN_OK;
}

static akin_status find_bridges(edges *e, uint32_t *queue, akin_error *error)
{
    const uint32_t records = e->report->records.count;
    for (uint32_t r = 0; r < records; r++) {
        e->sets[r] = e->tops[r] = r;
        e->parents[r] = e->depths[r] = NONE;
    }
    akin_status status = each_found(e, plant, error);
    akin_sort_u64(e->trees, e->count);
    for (uint64_t i = 0; i < e->count && status == AKIN_OK; i++)
        if (e->depths[e->trees[i] >> 32] == NONE)
            root(e, (uint32_t)(e->trees[i] >> 32), queue);
    if (status == AKIN_OK)
        status = each_found(e, contract, error);
    return status == AKIN_OK ? each_found(e, count_bridge, error) : status;
}

akin_status akin_report_find_edges(akin_report *report, const akin_dedupe_view *job, akin_error *error)
{
    const uint32_t records = report->records.count;
    akin_account *account = &report->account;
    uint64_t listed = 0;
    for (uint32_t i = 0; i < report->largest_count; i++)
        listed += report->largest[i].size;
    edges e = {.report = report,
               .job = job,
               .sets = akin_alloc(account, records, sizeof *e.sets),
               .parents = akin_alloc(account, records, sizeof *e.parents),
               .depths = akin_alloc(account, records, sizeof *e.depths),
               .tops = akin_alloc(account, records, sizeof *e.tops),
               .trees = akin_alloc(account, 2 * listed, sizeof *e.trees)};
    uint32_t *queue = akin_alloc(account, listed, sizeof *queue);
    const int done = e.sets && e.parents && e.depths && e.tops && e.trees && queue;
    akin_status status = done ? find_bridges(&e, queue, error) : akin_fail_memory(error, "the report");
    if (status == AKIN_OK)
        status = find_missing(&e, error);
    akin_free(e.sets);
    akin_free(e.parents);
    akin_free(e.depths);
    akin_free(e.tops);
    akin_free(e.trees);
    akin_free(queue);
    return status;
}
