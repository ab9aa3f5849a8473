/* Clusters of rows that pairs connect, by any clustering. */
#include "graph/clusters.h"

#include "graph/clustering.h"
#include "graph/clusterings.h"
#include "graph/followers.h"
#include "graph/split.h"

#include "base/annex.h"
#include "base/bits.h"
#include "base/budget.h"
#include "base/options.h"
#include "base/parallel.h"
#include "base/sort_parallel.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

AKIN_OPTIONS_END(akin_clusters_options, reserved);

#define TASK 65536 /* rows of a task */

/* The rows of a task end here. */
static uint32_t end_of(const akin_clusters *clusters, uint64_t task)
{
    return (uint32_t)akin_min_u64(akin_clusters_rows(clusters), (task + 1) * TASK);
}

static akin_status begin_sizes(void *argument, uint64_t task, uint32_t thread)
{
    const akin_clusters *clusters = argument;
    const uint32_t end = end_of(clusters, task);
    (void)thread;
    for (uint32_t row = (uint32_t)(task * TASK); row < end; row++)
        clusters->sizes[row] = 1;
    return AKIN_OK;
}

/* Makes every row a cluster of its own. That is short, so the caller is not asked whether to cancel. */
static akin_status part_rows(const akin_scope *of, akin_clusters *clusters, akin_error *error)
{
    static const akin_reporter nobody = {0};
    const uint32_t rows = akin_clusters_rows(clusters);
    const akin_scope silent = of ? akin_scope_narrow(of, (akin_narrowing){.reporter = &nobody}) : (akin_scope){0};
    const akin_scope *scope = of ? &silent : NULL;
    akin_status status =
        akin_components_begin(scope, &clusters->components, clusters->bulks[0].data, clusters->sizes, rows, NULL);
    clusters->count = rows;
    if (status == AKIN_OK)
        status = akin_parallel_or_alone(scope, NULL, akin_ceil_div(rows, TASK), begin_sizes, clusters);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the clusters");
}

/* Reads the options, and finds the row that they name. */
static akin_status check_clusters_options(const akin_scope *scope, const akin_clusters_options *options,
                                          akin_clusters_options *own, const akin_choice **out, akin_error *error)
{
    akin_status status = akin_options_read(options, own, sizeof *own, sizeof *own, "akin_clusters_options", error);
    if (status != AKIN_OK)
        return status;
    const akin_choice *row = NULL;
    status = akin_annex_row(akin_annex_of(scope), &akin_clusterings, (int)own->clustering, "akin_clusters_options",
                            &row, error);
    if (status != AKIN_OK)
        return status;
    if (own->parameter.den == 0)
        return akin_fail(error, AKIN_E_OPTION,
                         "akin_clusters_options: parameter is a ratio: its denominator cannot be 0");
    if (own->parameter.num > 0 && !row->arguments[0])
        return akin_fail(error, AKIN_E_OPTION, "akin_clusters_options: parameter is %u/%u; expected 0, as %s has none",
                         own->parameter.num, own->parameter.den, row->name);
    *out = row;
    return AKIN_OK;
}

akin_status akin_clusters_options_parse(const akin_annex *annex, const char *text, akin_clusters_options *options,
                                        akin_error *error)
{
    akin_clusters_options own = AKIN_CLUSTERS_OPTIONS_INIT;
    const size_t length = strcspn(text, ":");
    const char *behind = text[length] ? text + length + 1 : NULL;
    const akin_choice *row = NULL;
    const akin_choice_table clusterings = akin_annex_table(annex, &akin_clusterings);
    akin_status status = akin_choice_parse(&clusterings, text, length, 0, &row, error);
    if (status != AKIN_OK)
        return status;
    const int has_parameter = behind && row->arguments[0] &&
                              akin_ratio_parse(behind, &own.parameter, NULL) == AKIN_OK && own.parameter.num > 0;
    if (behind ? !has_parameter : row->arguments[0] == ':')
        return akin_fail(error, AKIN_E_OPTION, "clustering '%.60s': expected %s%s", text, row->name, row->arguments);
    own.clustering = (uint32_t)row->value;
    return akin_options_write(&own, sizeof own, options, "akin_clusters_options", error);
}

akin_status akin_clusters_create(akin_context *context, uint32_t rows_left, uint32_t rows_right, akin_clusters **out,
                                 akin_error *error)
{
    return akin_clusters_create_within(akin_scope_of(context), rows_left, rows_right, NULL, out, error);
}

akin_status akin_clusters_create_within(const akin_scope *scope, uint32_t rows_left, uint32_t rows_right,
                                        const akin_clusters_options *options, akin_clusters **out, akin_error *error)
{
    akin_clusters_options own = AKIN_CLUSTERS_OPTIONS_INIT;
    const akin_choice *row = NULL;
    akin_status status = check_clusters_options(scope, options, &own, &row, error);
    if (status != AKIN_OK || !row)
        return status;
    if (rows_right > UINT32_MAX - rows_left)
        return akin_fail(error, AKIN_E_LIMIT, "clusters of %u rows and %u rows: expected at most %u together",
                         rows_left, rows_right, UINT32_MAX);
    uint32_t rows = rows_left + rows_right;
    akin_clusters *clusters = akin_alloc_zero(NULL, 1, sizeof *clusters);
    if (!clusters)
        return akin_fail_memory(error, "the clusters");
    clusters->clustering = (const akin_clustering_row *)row;
    clusters->functions = clusters->clustering->functions;
    clusters->rows_left = rows_left;
    clusters->rows_right = rows_right;
    for (int i = 0; i < 2 && status == AKIN_OK; i++) {
        akin_bulk *bulk = &clusters->bulks[i];
        *bulk = scope ? akin_bulk_of(scope, NULL, akin_budget(scope, AKIN_BUDGET_CLUSTERS)) : (akin_bulk){0};
        status = akin_bulk_reserve(bulk, (uint64_t)rows * sizeof(uint32_t), "the clusters", error);
        if (status == AKIN_OK)
            akin_bulk_trim(bulk, bulk->capacity);
    }
    if (status == AKIN_OK && clusters->functions->begin)
        status = clusters->functions->begin(scope, clusters, &own, error);
    clusters->sizes = clusters->bulks[1].data;
    clusters->least = own.parameter.num > 0 ? own.parameter : clusters->clustering->least;
    if (status == AKIN_OK)
        status = part_rows(scope, clusters, error);
    if (status != AKIN_OK) {
        akin_clusters_free(clusters);
        return status;
    }
    *out = clusters;
    return AKIN_OK;
}

akin_status akin_clusters_create_like(const akin_scope *scope, uint32_t rows_left, uint32_t rows_right,
                                      const akin_clusters *like, akin_clusters **out, akin_error *error)
{
    akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
    options.clustering = (uint32_t)like->clustering->choice.value;
    if (like->clustering->choice.arguments[0])
        options.parameter = like->least;
    return akin_clusters_create_within(scope, rows_left, rows_right, &options, out, error);
}

akin_status akin_clusters_create_by(akin_context *context, uint32_t rows_left, uint32_t rows_right,
                                    const akin_clusters_options *options, akin_clusters **out, akin_error *error)
{
    return akin_clusters_create_within(akin_scope_of(context), rows_left, rows_right, options, out, error);
}

void akin_clusters_free(akin_clusters *clusters)
{
    if (!clusters)
        return;
    akin_bulk_clear(&clusters->bulks[0]);
    akin_bulk_clear(&clusters->bulks[1]);
    akin_bulk_clear(&clusters->sources);
    if (clusters->functions->clear)
        clusters->functions->clear(clusters);
    akin_free(clusters->united);
    akin_free(clusters);
}

/* Refuses clusters that cannot keep sources apart any more, or at all. */
static akin_status check_separable(const akin_clusters *clusters, akin_error *error)
{
    const akin_clustering_row *row = clusters->clustering;
    if (!row->split)
        return akin_fail(error, AKIN_E_OPTION,
                         "the clustering %s cannot keep the records of a source apart: expected %s, or a clustering by "
                         "similarities",
                         row->choice.name, akin_choice_name(&akin_clusterings, AKIN_CLUSTERING_COMPONENTS));
    if (clusters->has_pairs)
        return akin_fail(error, AKIN_E_OPTION,
                         "the clusters have pairs already: expected akin_clusters_separate before the first pair");
    return AKIN_OK;
}

akin_status akin_clusters_separate_within(const akin_scope *scope, akin_clusters *clusters, const uint32_t *sources,
                                          akin_error *error)
{
    const uint32_t rows = akin_clusters_rows(clusters);
    const uint64_t bytes = rows * sizeof *sources;
    const akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_bulk copy = {0};
    akin_status status = check_separable(clusters, error);
    if (status != AKIN_OK)
        return status;
    if (scope)
        copy = akin_bulk_of(scope, NULL, akin_budget(scope, AKIN_BUDGET_CLUSTERS));
    status = akin_bulk_reserve(&copy, bytes, "the sources", error);
    if (status == AKIN_OK && clusters->functions != &akin_split_functions)
        status = akin_split_functions.begin(scope, clusters, &options, error);
    if (status != AKIN_OK) {
        akin_bulk_clear(&copy);
        return status;
    }
    if (bytes > 0)
        memcpy(copy.data, sources, bytes);
    clusters->are_few = 1;
    for (uint32_t row = 0; row < rows; row++)
        clusters->are_few &= sources[row] < AKIN_SPLIT_FEW || sources[row] == AKIN_NO_SOURCE;
    akin_bulk_clear(&clusters->sources);
    clusters->sources = copy;
    clusters->functions = &akin_split_functions;
    return AKIN_OK;
}

akin_status akin_clusters_separate(akin_context *context, akin_clusters *clusters, const uint32_t *sources,
                                   akin_error *error)
{
    return akin_clusters_separate_within(akin_scope_of(context), clusters, sources, error);
}

akin_ratio akin_clusters_least(const akin_clusters *clusters)
{
    return clusters->clustering->least.num > 0 ? clusters->least : (akin_ratio){0, 1};
}

/* Pairs as edges of the graph. */
static akin_edges edges_of(const akin_clusters *clusters, const akin_pair *pairs, const double *similarities,
                           uint64_t count)
{
    return (akin_edges){.pairs = pairs,
                        .similarities = similarities,
                        .count = count,
                        .lefts = clusters->rows_left,
                        .rights = clusters->rows_right ? clusters->rows_right : clusters->rows_left,
                        .shift = clusters->rows_right ? clusters->rows_left : 0};
}

/* Refuses similarities that cannot be ordered, and pairs without, where the clustering looks at them. */
static akin_status check_similarities(const akin_clusters *clusters, const akin_edges *edges, akin_error *error)
{
    const akin_choice *row = &clusters->clustering->choice;
    const int is_split = (row->capabilities & AKIN_BY_SIMILARITY) || clusters->sources.data;
    if (!edges->similarities && edges->count > 0 && is_split)
        return akin_fail(error, AKIN_E_OPTION, "the clustering %s%s needs the similarities of pairs, and they are NULL",
                         row->name, clusters->sources.data ? " that keeps sources apart" : "");
    for (uint64_t i = 0; edges->similarities && i < edges->count; i++)
        if (isnan(edges->similarities[i]))
            return akin_fail(error, AKIN_E_OPTION, "pair %llu of rows %u and %u: the similarity is not a number",
                             (unsigned long long)i, edges->pairs[i].left, edges->pairs[i].right);
    return AKIN_OK;
}

akin_status akin_clusters_add(akin_clusters *clusters, const akin_pair *pairs, const double *similarities, size_t count,
                              akin_error *error)
{
    akin_edges edges = edges_of(clusters, pairs, similarities, count);
    akin_status status = akin_edges_check(&edges, 0, count, error);
    if (status == AKIN_OK)
        status = check_similarities(clusters, &edges, error);
    edges.checked = 1;
    clusters->has_pairs |= status == AKIN_OK && count > 0;
    return status == AKIN_OK ? clusters->functions->add(NULL, clusters, &edges, error) : status;
}

int akin_clusters_sink(void *clusters, const akin_pair *pairs, size_t count)
{
    return akin_clusters_add(clusters, pairs, NULL, count, NULL) != AKIN_OK;
}

akin_status akin_clusters_connect_within(const akin_scope *scope, akin_clusters *clusters, const akin_pair *pairs,
                                         const double *similarities, uint64_t count, akin_error *error)
{
    akin_edges edges = edges_of(clusters, pairs, similarities, count);
    akin_status status = check_similarities(clusters, &edges, error);
    clusters->has_pairs |= status == AKIN_OK && count > 0;
    return status == AKIN_OK ? clusters->functions->add(scope, clusters, &edges, error) : status;
}

akin_status akin_clusters_connect(akin_context *context, akin_clusters *clusters, const akin_pair *pairs,
                                  const double *similarities, uint64_t count, akin_error *error)
{
    return akin_clusters_connect_within(akin_scope_of(context), clusters, pairs, similarities, count, error);
}

/* The labels, for who only reads. */
static uint32_t label_of(const akin_clusters *clusters, uint32_t row)
{
    return atomic_load_explicit(&clusters->components.parents[row], memory_order_relaxed);
}

#define AHEAD 32u /* rows, whose labels' sizes are prefetched */

#define HELD 64u /* labels, whose rows a task holds back, so that threads do not wait for a large cluster's size */

typedef struct counting {
    akin_clusters *clusters;
    _Atomic uint32_t count; /* clusters */
} counting;

/* Rows that are not yet counted at their label. */
typedef struct held {
    uint32_t label, rows;
} held;

static void release(uint32_t *sizes, const held *h)
{
    if (h->rows > 0)
        __atomic_fetch_add(&sizes[h->label], h->rows, __ATOMIC_RELAXED);
}

/* Counts rows at their label, which is the first row, and has counted itself. */
static akin_status count_task(void *argument, uint64_t task, uint32_t thread)
{
    counting *c = argument;
    uint32_t *sizes = c->clusters->sizes, count = 0;
    const uint32_t end = end_of(c->clusters, task);
    held some[HELD] = {{0, 0}};
    (void)thread;
    for (uint32_t row = (uint32_t)(task * TASK); row < end; row++) {
        const uint32_t label = label_of(c->clusters, row);
        held *h = &some[label % HELD];
        if (end - row > AHEAD)
            __builtin_prefetch(&sizes[label_of(c->clusters, row + AHEAD)], 1);
        count += label == row;
        if (label == row)
            continue;
        if (h->label != label) {
            release(sizes, h);
            *h = (held){label, 0};
        }
        h->rows++;
    }
    for (uint32_t i = 0; i < HELD; i++)
        release(sizes, &some[i]);
    atomic_fetch_add_explicit(&c->count, count, memory_order_relaxed);
    return AKIN_OK;
}

/* Counts the rows of each cluster. */
static akin_status count_rows(const akin_scope *scope, akin_clusters *clusters)
{
    const uint64_t tasks = akin_ceil_div(akin_clusters_rows(clusters), TASK);
    counting c = {.clusters = clusters};
    clusters->components.largest = AKIN_COMPONENTS_NONE; /* what is known of it makes room for sizes */
    akin_status status = akin_parallel_or_alone(scope, NULL, tasks, begin_sizes, clusters);
    if (status == AKIN_OK)
        status = akin_parallel_or_alone(scope, NULL, tasks, count_task, &c);
    clusters->count = c.count;
    return status;
}

void akin_clusters_finish(akin_clusters *clusters)
{
    (void)akin_components_settle(NULL, &clusters->components);
    (void)count_rows(NULL, clusters);
}

akin_status akin_clusters_unite(akin_clusters *clusters, const akin_pair *pairs, uint64_t count, akin_error *error)
{
    akin_pair *larger =
        akin_enlarge(NULL, clusters->united, &clusters->united_room, clusters->united_count + count, sizeof *larger);
    if (!larger)
        return akin_fail_memory(error, "the clusters");
    clusters->united = larger;
    if (count > 0)
        memcpy(clusters->united + clusters->united_count, pairs, count * sizeof *pairs);
    clusters->united_count += count;
    return AKIN_OK;
}

static akin_status link_united(akin_clusters *clusters, akin_error *error)
{
    const uint32_t rows = akin_clusters_rows(clusters);
    const akin_edges edges = {
        .pairs = clusters->united, .count = clusters->united_count, .lefts = rows, .rights = rows, .checked = 1};
    return edges.count > 0 ? akin_components_link(NULL, &clusters->components, &edges, error) : AKIN_OK;
}

akin_status akin_clusters_close_within(const akin_scope *scope, akin_clusters *clusters, akin_error *error)
{
    const akin_clustering_functions *functions = clusters->functions;
    akin_status status = functions->close ? functions->close(scope, clusters, error) : AKIN_OK;
    if (status == AKIN_OK)
        status = link_united(clusters, error);
    if (status != AKIN_OK)
        return status;
    status = akin_components_settle(scope, &clusters->components);
    if (status == AKIN_OK)
        status = count_rows(scope, clusters);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the clusters");
}

akin_status akin_clusters_close(akin_context *context, akin_clusters *clusters, akin_error *error)
{
    return akin_clusters_close_within(akin_scope_of(context), clusters, error);
}

uint32_t akin_clusters_rows(const akin_clusters *clusters)
{
    return clusters->rows_left + clusters->rows_right;
}

uint32_t akin_clusters_count(const akin_clusters *clusters)
{
    return clusters->count;
}

uint32_t akin_clusters_row(const akin_clusters *clusters, uint32_t row)
{
    return label_of(clusters, row);
}

uint32_t akin_clusters_size(const akin_clusters *clusters, uint32_t row)
{
    return clusters->sizes[label_of(clusters, row)];
}

akin_status akin_clusters_followers(const akin_scope *scope, akin_account *account, const akin_clusters *clusters,
                                    uint64_t **followers, uint64_t *count, akin_error *error)
{
    akin_status status = akin_followers_list(scope, account, clusters->bulks[0].data, akin_clusters_rows(clusters),
                                             followers, count, error);
    if (status != AKIN_OK)
        return status;
    status = akin_sort_parallel_u64(scope, account, *followers, *count);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the clusters");
}

/* Counts the left rows of each cluster, at its label. */
static akin_status count_lefts(const akin_clusters *clusters, uint32_t **lefts, akin_error *error)
{
    *lefts = akin_alloc_zero(NULL, akin_clusters_rows(clusters), sizeof **lefts);
    if (!*lefts)
        return akin_fail_memory(error, "what clusters come to");
    for (uint32_t row = 0; row < clusters->rows_left; row++)
        (*lefts)[label_of(clusters, row)]++;
    return AKIN_OK;
}

akin_status akin_clusters_describe(const akin_clusters *clusters, akin_clusters_shape *out, akin_error *error)
{
    const uint32_t rows = akin_clusters_rows(clusters);
    uint32_t *lefts = NULL;
    akin_clusters_shape shape = {.size = sizeof shape};
    if (out->size != sizeof *out)
        return akin_fail(error, AKIN_E_OPTION, "akin_clusters_shape: its size is %zu; expected %zu", out->size,
                         sizeof *out);
    akin_status status = clusters->rows_right ? count_lefts(clusters, &lefts, error) : AKIN_OK;
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++) {
        const uint64_t size = label_of(clusters, row) == row ? clusters->sizes[row] : 0;
        if (size < 2)
            continue;
        shape.clusters++;
        shape.rows += (uint32_t)size;
        shape.pairs += lefts ? lefts[row] * (size - lefts[row]) : size * (size - 1) / 2;
        if (size > shape.largest) {
            shape.largest = (uint32_t)size;
            shape.first = row;
        }
    }
    akin_free(lefts);
    if (status == AKIN_OK)
        *out = shape;
    return status;
}

/* A label is the first row of its cluster, so it has a number before the others need it. */
void akin_clusters_number(const akin_clusters *clusters, uint32_t *numbers)
{
    const uint32_t rows = akin_clusters_rows(clusters);
    uint32_t count = 0;
    for (uint32_t row = 0; row < rows; row++) {
        const uint32_t label = label_of(clusters, row);
        if (row + AHEAD < rows)
            __builtin_prefetch(&numbers[label_of(clusters, row + AHEAD)]);
        numbers[row] = label == row ? count++ : numbers[label];
    }
}
