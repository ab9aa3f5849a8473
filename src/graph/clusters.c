/* Clusters: the connected components of the graph whose edges are pairs of rows, by union-find. */
#include "base/bulk.h"

/*
 * A forest over the rows of both sides, those of the right side behind those of the left. A row's parent is never above
 * it, so the root of a tree is the smallest row in it, and that is the cluster's label:
 *
 *     row      0 1 2 3 4 5        pairs (0, 3), (3, 4), (2, 5)
 *     parents  0 1 2 0 0 2
 *     sizes    3 1 2 . . .        at the labels, once finished
 *
 * Linking the larger root below the smaller, whatever their trees hold, costs no more than linking by size as long as
 * paths are halved (Tarjan, van Leeuwen 1984: m finds over n rows take m log n at the worst, hardly more than m
 * mostly).
 */
struct akin_clusters {
    uint32_t *parents;
    uint32_t *sizes;
    akin_bulk bulks[2]; /* what parents and sizes are in */
    uint32_t rows_left, rows_right;
    uint32_t count;
};

/* Makes every row a cluster of its own. */
static void part(akin_clusters *clusters)
{
    clusters->count = clusters->rows_left + clusters->rows_right;
    for (uint32_t row = 0; row < clusters->count; row++) {
        clusters->parents[row] = row;
        clusters->sizes[row] = 1;
    }
}

akin_status akin_clusters_create(akin_context *context, uint32_t rows_left, uint32_t rows_right, akin_clusters **out,
                                 akin_error *error)
{
    if (rows_right > UINT32_MAX - rows_left)
        return akin_fail(error, AKIN_E_LIMIT, "clusters of %u rows and %u rows: expected at most %u together",
                         rows_left, rows_right, UINT32_MAX);
    uint32_t rows = rows_left + rows_right;
    akin_clusters *clusters = akin_alloc_zero(NULL, 1, sizeof *clusters);
    akin_status status = AKIN_OK;
    if (!clusters)
        return akin_fail_memory(error, "the clusters");
    for (int i = 0; i < 2 && status == AKIN_OK; i++) {
        akin_bulk *bulk = &clusters->bulks[i];
        *bulk = context ? akin_bulk_of(context, NULL, context->memory / 128) : (akin_bulk){0};
        status = akin_bulk_reserve(bulk, (uint64_t)rows * sizeof(uint32_t), "the clusters", error);
        if (status == AKIN_OK)
            akin_bulk_trim(bulk, bulk->capacity);
    }
    if (status != AKIN_OK) {
        akin_clusters_free(clusters);
        return status;
    }
    clusters->parents = clusters->bulks[0].data;
    clusters->sizes = clusters->bulks[1].data;
    clusters->rows_left = rows_left;
    clusters->rows_right = rows_right;
    part(clusters);
    *out = clusters;
    return AKIN_OK;
}

void akin_clusters_free(akin_clusters *clusters)
{
    if (!clusters)
        return;
    akin_bulk_clear(&clusters->bulks[0]);
    akin_bulk_clear(&clusters->bulks[1]);
    akin_free(clusters);
}

/* Whether all pairs are of rows that there are; tells of the first that is not. */
static akin_status check_pairs(const akin_clusters *clusters, const akin_pair *pairs, size_t count, akin_error *error)
{
    uint32_t lefts = clusters->rows_left, rights = clusters->rows_right ? clusters->rows_right : lefts;
    for (size_t i = 0; i < count; i++)
        if (pairs[i].left >= lefts || pairs[i].right >= rights)
            return akin_fail(error, AKIN_E_OPTION,
                             "a pair of the rows %u and %u was added to clusters of %u left and %u right rows",
                             pairs[i].left, pairs[i].right, lefts, rights);
    return AKIN_OK;
}

/* The root above a row; on the way every other row is hung from its grandparent. */
static uint32_t find(uint32_t *parents, uint32_t row)
{
    while (parents[row] != row) {
        parents[row] = parents[parents[row]];
        row = parents[row];
    }
    return row;
}

akin_status akin_clusters_add(akin_clusters *clusters, const akin_pair *pairs, size_t count, akin_error *error)
{
    uint32_t shift = clusters->rows_right ? clusters->rows_left : 0;
    akin_status status = check_pairs(clusters, pairs, count, error);
    if (status != AKIN_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        uint32_t a = find(clusters->parents, pairs[i].left);
        uint32_t b = find(clusters->parents, pairs[i].right + shift);
        if (a < b)
            clusters->parents[b] = a;
        else
            clusters->parents[a] = b;
    }
    return AKIN_OK;
}

int akin_clusters_sink(void *clusters, const akin_pair *pairs, size_t count)
{
    return akin_clusters_add(clusters, pairs, count, NULL) != AKIN_OK;
}

void akin_clusters_finish(akin_clusters *clusters)
{
    uint32_t *parents = clusters->parents, rows = akin_clusters_rows(clusters);
    clusters->count = 0;
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t label = parents[parents[row]]; /* the parent, if it is another row, has its label already */
        parents[row] = label;
        if (label == row) {
            clusters->sizes[row] = 0;
            clusters->count++;
        }
        clusters->sizes[label]++;
    }
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
    return clusters->parents[row];
}

uint32_t akin_clusters_size(const akin_clusters *clusters, uint32_t row)
{
    return clusters->sizes[clusters->parents[row]];
}
