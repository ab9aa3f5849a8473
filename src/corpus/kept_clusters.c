/* The clusters of near-duplicates, in two passes over what became of documents. */
#include "corpus/kept_clusters.h"

#include "base/bits.h"
#include "base/parallel.h"

#include <string.h>

static const char what[] = "the clusters of the report"; /* the memory is for */

/* Whether a cluster comes before another one of the list. */
static int is_before(const akin_kept_cluster *a, const akin_kept_cluster *b)
{
    return a->removed != b->removed ? a->removed > b->removed : a->survivor < b->survivor;
}

/* Puts a cluster into the list, if it is among the largest ones. */
static void list_cluster(akin_kept_clusters *c, uint32_t wanted, akin_kept_cluster own)
{
    uint32_t at = c->listed < wanted ? c->listed++ : wanted;
    if (at == wanted && (wanted == 0 || !is_before(&own, &c->largest[wanted - 1])))
        return;
    at = akin_min_u32(at, wanted - 1);
    for (; at > 0 && is_before(&own, &c->largest[at - 1]); at--)
        c->largest[at] = c->largest[at - 1];
    c->largest[at] = own;
}

/* Puts a removed document into the list of its cluster, if it is among the least alike. */
static void list_member(akin_kept_clusters *c, uint32_t cluster, akin_kept_member own)
{
    akin_kept_member *members = c->members + (uint64_t)cluster * c->most;
    uint32_t *listed = &c->largest[cluster].listed, at = *listed;
    if (at == c->most && (at == 0 || own.similarity >= members[at - 1].similarity))
        return;
    *listed = akin_min_u32(at + 1, c->most);
    at = akin_min_u32(at, c->most - 1);
    for (; at > 0 && own.similarity < members[at - 1].similarity; at--)
        members[at] = members[at - 1];
    members[at] = own;
}

/* The hundredth that a similarity reaches, which is rounded to nine digits before. */
static uint32_t step_of(double similarity)
{
    const double last = AKIN_KEPT_STEPS - 1;
    const double nine = similarity < 1 ? similarity * 1e9 + 0.5 : last * 1e7;
    return (uint32_t)((uint64_t)nine / 10000000);
}

/* Counts what is removed for each document, in the array of them. */
static akin_status count_removed(const akin_scope *scope, const akin_duplicates *duplicates, akin_measure measure,
                                 uint32_t *removed, akin_kept_clusters *out)
{
    const uint32_t rows = (uint32_t)duplicates->report.documents;
    for (uint32_t row = 0; row < rows; row++) {
        akin_duplicate d;
        if (akin_is_stopped(scope, row))
            return AKIN_E_CANCELLED;
        akin_duplicates_row(duplicates, row, &d);
        if (d.survivor == AKIN_NO_ROW)
            continue;
        removed[d.survivor]++;
        out->removed++;
        out->similarities[step_of(akin_duplicate_similarity(measure, &d))]++;
        if (d.common > 0)
            akin_sizes_add(&out->common, d.common);
    }
    return AKIN_OK;
}

/* Lists clusters. Then the array has the number of its cluster for each listed survivor, and one more. */
static void list_clusters(uint32_t rows, uint32_t wanted, uint32_t *removed, akin_kept_clusters *out)
{
    for (uint32_t row = 0; row < rows; row++) {
        if (removed[row] == 0)
            continue;
        out->count++;
        akin_sizes_add(&out->sizes, removed[row] + 1);
        list_cluster(out, wanted, (akin_kept_cluster){row, removed[row], 0});
    }
    memset(removed, 0, rows * sizeof *removed);
    for (uint32_t i = 0; i < out->listed; i++)
        removed[out->largest[i].survivor] = i + 1;
}

static akin_status list_members(const akin_scope *scope, const akin_duplicates *duplicates, akin_measure measure,
                                const uint32_t *numbers, akin_kept_clusters *out)
{
    const uint32_t rows = (uint32_t)duplicates->report.documents;
    for (uint32_t row = 0; row < rows; row++) {
        akin_duplicate d;
        if (akin_is_stopped(scope, row))
            return AKIN_E_CANCELLED;
        akin_duplicates_row(duplicates, row, &d);
        if (d.survivor != AKIN_NO_ROW && numbers[d.survivor] > 0)
            list_member(out, numbers[d.survivor] - 1,
                        (akin_kept_member){akin_duplicate_similarity(measure, &d), row, d.common});
    }
    return AKIN_OK;
}

akin_status akin_kept_clusters_make(const akin_scope *scope, akin_account *account, const akin_duplicates *duplicates,
                                    akin_measure measure, uint32_t clusters, uint32_t most, akin_kept_clusters *out,
                                    akin_error *error)
{
    const uint32_t rows = (uint32_t)duplicates->report.documents;
    akin_bulk removed = akin_bulk_of(scope, account, akin_budget(scope, AKIN_BUDGET_DUPLICATES));
    *out = (akin_kept_clusters){.most = most};
    out->largest = akin_alloc(account, clusters, sizeof *out->largest);
    out->members = akin_alloc(account, (uint64_t)clusters * most, sizeof *out->members);
    if (!out->largest || !out->members)
        return akin_fail_memory(error, what);
    akin_status status = akin_bulk_reserve_zeros(&removed, (uint64_t)rows * sizeof(uint32_t), what, error);
    if (status != AKIN_OK || rows == 0) {
        akin_bulk_clear(&removed);
        return status;
    }
    status = count_removed(scope, duplicates, measure, removed.data, out);
    if (status == AKIN_OK) {
        list_clusters(rows, clusters, removed.data, out);
        status = list_members(scope, duplicates, measure, removed.data, out);
    }
    akin_bulk_clear(&removed);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

void akin_kept_clusters_clear(akin_kept_clusters *clusters)
{
    akin_free(clusters->largest);
    akin_free(clusters->members);
    *clusters = (akin_kept_clusters){.count = 0};
}
