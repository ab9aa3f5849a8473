/* Documents by connected components. */
#include "corpus/chained.h"

#include "base/budget.h"
#include "base/ceiling.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "dict/dictionary.h"
#include "graph/clusters.h"
#include "join/join.h"
#include "sets/from_columns.h"

static const char what[] = "the first document of each component"; /* the memory is for */

/* How many tokens two rows have in common. */
static uint32_t count_common(const akin_sets *sets, uint32_t left, uint32_t right, uint32_t sizes[2])
{
    const uint32_t *own, *other;
    uint32_t common = 0;
    sizes[0] = akin_sets_row(sets, left, &own);
    sizes[1] = akin_sets_row(sets, right, &other);
    for (uint32_t a = 0, b = 0; a < sizes[0] && b < sizes[1];) {
        const uint32_t x = own[a], y = other[b];
        common += x == y;
        a += x <= y;
        b += y <= x;
    }
    return common;
}

/* Puts documents without a token into one component, which a join does not. */
static akin_status connect_empty(const akin_sets *sets, akin_clusters *clusters, uint64_t *empty, akin_error *error)
{
    uint32_t first = AKIN_NO_ROW;
    akin_status status = AKIN_OK;
    for (uint32_t row = 0; row < akin_sets_rows(sets) && status == AKIN_OK; row++) {
        if (akin_sets_row(sets, row, NULL) > 0)
            continue;
        const akin_pair pair = {.left = first, .right = row};
        if (first == AKIN_NO_ROW)
            first = row;
        else
            status = akin_clusters_add(clusters, &pair, NULL, 1, error);
        ++*empty;
    }
    return status;
}

/* The components of all pairs. */
static akin_status connect(const akin_scope *scope, const akin_sets *sets, const akin_near_options *options,
                           akin_clusters *clusters, akin_duplicates_report *report, akin_error *error)
{
    akin_join_options join = AKIN_JOIN_OPTIONS_INIT;
    join.measure = (akin_measure)options->own.measure;
    join.threshold = options->own.threshold;
    join.connecting = 1;
    akin_status status =
        akin_join_within(scope, sets, NULL, &join, akin_clusters_sink, clusters, &report->compared, NULL, error);
    if (status == AKIN_OK)
        status = connect_empty(sets, clusters, &report->empty, error);
    if (status == AKIN_OK)
        akin_clusters_finish(clusters);
    return status;
}

/* Fills in what became of documents: the preferred one of a component is the first one that comes. */
static akin_status choose(const akin_scope *scope, const akin_sets *sets, const akin_clusters *clusters,
                          const uint32_t *order, akin_duplicates *out, akin_error *error)
{
    const uint32_t rows = akin_sets_rows(sets);
    akin_duplicate *found = out->found.data;
    akin_account account = {.held = 0};
    akin_account_begin(&account, scope);
    uint32_t *kept = akin_alloc(&account, rows, sizeof *kept);
    akin_status status = AKIN_OK;
    if (!kept)
        return akin_ceiling_conclude(scope, &account, what, akin_fail_memory(error, what), error);
    for (uint32_t row = 0; row < rows; row++)
        kept[row] = AKIN_NO_ROW;
    for (uint32_t place = 0; place < rows && status == AKIN_OK; place++) {
        const uint32_t row = order ? order[place] : place, component = akin_clusters_row(clusters, row);
        const int is_first = kept[component] == AKIN_NO_ROW;
        kept[component] = is_first ? row : kept[component];
        akin_duplicate *d = &found[row];
        *d = (akin_duplicate){.survivor = is_first ? AKIN_NO_ROW : kept[component]};
        d->common = count_common(sets, row, kept[component], d->sizes);
        if (is_first)
            d->common = d->sizes[1] = 0;
        out->report.kept += is_first ? 1 : 0;
        if (akin_is_stopped(scope, place))
            status = akin_fail_stopped(error, AKIN_E_CANCELLED, what);
    }
    akin_free(kept);
    return status;
}

akin_status akin_chained_find(const akin_scope *scope, const akin_column *documents, uint32_t rows,
                              const akin_near_options *options, const uint32_t *order, akin_duplicates *out,
                              akin_error *error)
{
    const double begun = akin_clock();
    akin_dictionary *dictionary = NULL;
    akin_sets *sets = NULL;
    akin_clusters *clusters = NULL;
    akin_status status = akin_dictionary_create_within(scope, &dictionary, error);
    if (status == AKIN_OK)
        status = akin_sets_from_columns_within(scope, documents, 1, rows, &options->text, dictionary, &sets, error);
    akin_dictionary_free(dictionary);
    const double counted = akin_clock();
    if (status == AKIN_OK)
        status = akin_clusters_create_within(scope, rows, 0, NULL, &clusters, error);
    out->report.documents = rows;
    if (status == AKIN_OK)
        status = connect(scope, sets, options, clusters, &out->report, error);
    if (status == AKIN_OK)
        status = choose(scope, sets, clusters, order, out, error);
    out->report.seconds_frequency = counted - begun;
    out->report.seconds_survivors = akin_clock() - counted;
    akin_clusters_free(clusters);
    akin_sets_free(sets);
    return status;
}
