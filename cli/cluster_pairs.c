/* Files of clusters as pairs: every two rows of a cluster are one. */
#include "cluster_pairs.h"

#include <stdlib.h>
#include <string.h>

static int is_named(const akin_table *table, uint32_t index, const char *name)
{
    akin_column column = AKIN_COLUMN_INIT;
    return index < akin_table_columns(table) && akin_table_column(table, index, &column, NULL) == AKIN_OK &&
           column.name && strcmp(column.name, name) == 0;
}

/* The column of a name; the number of columns if there is none. */
static uint32_t place_of(const akin_table *table, const char *name)
{
    uint32_t at = 0;
    while (at < akin_table_columns(table) && !is_named(table, at, name))
        at++;
    return at;
}

int akin_cli_clusters_are(const akin_table *table, akin_cli_cluster_columns *out)
{
    const uint32_t columns = akin_table_columns(table), id = place_of(table, "id"),
                   cluster = place_of(table, "cluster");
    *out = (akin_cli_cluster_columns){.has_sides = is_named(table, 0, "side") && cluster < columns && cluster > 1};
    out->id = id < columns ? id : (uint32_t)out->has_sides;
    out->cluster = id < columns ? cluster : out->id + 1;
    return is_named(table, out->cluster, "cluster");
}

static akin_status fail_pairs_memory(akin_error *error)
{
    return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the pairs of the clusters");
}

/* Rows by cluster: those of cluster c are rows[starts[c]], ... rows[starts[c + 1] - 1]. */
typedef struct grouped {
    akin_column ids, sides;
    int has_sides;
    uint32_t *numbers, *rows; /* of each row the cluster; rows in the order of clusters */
    uint32_t *starts, count;
} grouped;

/* Numbers the clusters in the order of their first rows. */
static akin_status number_clusters(akin_cli_job *job, const akin_column *clusters, uint32_t rows, grouped *g,
                                   akin_error *error)
{
    akin_dictionary *seen = NULL;
    akin_status status = akin_dictionary_create(job->context, &seen, error);
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++)
        status = akin_dictionary_add(seen, clusters->bytes + clusters->offsets[row],
                                     (size_t)(clusters->offsets[row + (uint64_t)1] - clusters->offsets[row]),
                                     &g->numbers[row], error);
    g->count = status == AKIN_OK ? akin_dictionary_count(seen) : 0;
    akin_dictionary_free(seen);
    return status;
}

/* Sorts the rows by cluster, stably. */
static akin_status sort_rows_by_cluster(uint32_t rows, grouped *g, akin_error *error)
{
    g->starts = calloc(g->count + (size_t)2, sizeof *g->starts);
    if (!g->starts)
        return fail_pairs_memory(error);
    for (uint32_t row = 0; row < rows; row++)
        g->starts[g->numbers[row] + 2]++;
    for (uint32_t c = 2; c <= g->count; c++)
        g->starts[c] += g->starts[c - 1];
    for (uint32_t row = 0; row < rows; row++) /* starts[c + 1] moves from the beginning of cluster c to its end */
        g->rows[g->starts[g->numbers[row] + 1]++] = row;
    return AKIN_OK;
}

static int is_right(const grouped *g, uint32_t row)
{
    const uint64_t begin = g->sides.offsets[row], length = g->sides.offsets[row + (uint64_t)1] - begin;
    return length == 5 && memcmp(g->sides.bytes + begin, "right", 5) == 0;
}

/* Where pairs go: their number and the bytes of their ids, and the ids themselves if there is room. */
typedef struct target {
    uint64_t pairs, bytes[2];
    uint64_t *offsets[2]; /* NULL: pairs and bytes are only counted */
    char *text[2];
} target;

static void put_pair(const grouped *g, const uint32_t rows[2], target *to)
{
    for (int side = 0; side < 2; side++) {
        const uint64_t begin = g->ids.offsets[rows[side]], length = g->ids.offsets[rows[side] + (uint64_t)1] - begin;
        if (to->offsets[0]) {
            memcpy(to->text[side] + to->bytes[side], g->ids.bytes + begin, (size_t)length);
            to->offsets[side][to->pairs + 1] = to->bytes[side] + length;
        }
        to->bytes[side] += length;
    }
    to->pairs++;
}

static void put_cluster_pairs(const grouped *g, target *to)
{
    for (uint32_t c = 0; c < g->count; c++)
        for (uint32_t i = g->starts[c]; i < g->starts[c + 1]; i++)
            for (uint32_t j = i + 1; j < g->starts[c + 1] && to->pairs <= UINT32_MAX; j++) {
                const int turned = g->has_sides && is_right(g, g->rows[i]);
                const uint32_t pair[2] = {g->rows[turned ? j : i], g->rows[turned ? i : j]};
                if (!g->has_sides || turned != is_right(g, g->rows[j]))
                    put_pair(g, pair, to);
            }
}

/* Counts the pairs, then writes them. */
static akin_status make_pairs(const grouped *g, akin_column pairs[2], uint32_t *rows, akin_error *error)
{
    target counted = {.pairs = 0}, to = {.pairs = 0};
    put_cluster_pairs(g, &counted);
    if (counted.pairs > UINT32_MAX)
        return akin_error_set(error, AKIN_E_LIMIT, AKIN_REASON_NONE, "the clusters have more than %u pairs of rows",
                              UINT32_MAX);
    for (int side = 0; side < 2; side++) {
        to.offsets[side] = calloc(counted.pairs + 1, sizeof *to.offsets[side]);
        to.text[side] = malloc(counted.bytes[side] + 1);
        pairs[side] = (akin_column){
            .size = sizeof pairs[side], .name = g->ids.name, .offsets = to.offsets[side], .bytes = to.text[side]};
    }
    if (!to.offsets[0] || !to.offsets[1] || !to.text[0] || !to.text[1])
        return fail_pairs_memory(error);
    put_cluster_pairs(g, &to);
    *rows = (uint32_t)to.pairs;
    return AKIN_OK;
}

akin_status akin_cli_cluster_pairs(akin_cli_job *job, const akin_table *table, const akin_cli_cluster_columns *columns,
                                   akin_column pairs[2], uint32_t *rows, akin_error *error)
{
    const uint32_t count = akin_table_rows(table);
    grouped g = {.has_sides = columns->has_sides,
                 .numbers = malloc((count + (size_t)1) * sizeof *g.numbers),
                 .rows = malloc((count + (size_t)1) * sizeof *g.rows)};
    akin_column clusters = AKIN_COLUMN_INIT;
    g.ids.size = g.sides.size = sizeof g.ids;
    akin_status status = g.numbers && g.rows ? AKIN_OK : fail_pairs_memory(error);
    if (status == AKIN_OK)
        status = akin_table_column(table, columns->id, &g.ids, error);
    if (status == AKIN_OK && columns->has_sides)
        status = akin_table_column(table, 0, &g.sides, error);
    if (status == AKIN_OK)
        status = akin_table_column(table, columns->cluster, &clusters, error);
    if (status == AKIN_OK)
        status = number_clusters(job, &clusters, count, &g, error);
    if (status == AKIN_OK)
        status = sort_rows_by_cluster(count, &g, error);
    if (status == AKIN_OK)
        status = make_pairs(&g, pairs, rows, error);
    free(g.numbers);
    free(g.rows);
    free(g.starts);
    return status;
}
