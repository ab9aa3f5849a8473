/*
 * How far found clusters agree with the clusters of gold.
 *
 * Records are sorted by their cluster of gold, then by their found cluster, so that what two clusters share is a run:
 *
 *     | cluster of gold (32 bits) | found cluster (32 bits) | right record? (1 bit) |
 *
 * B-cubed: each of the n records of a run has precision n / records of the found cluster, so the run adds n^2 / records
 * to the sum. The squares are added for each size of a cluster, in integers, and divided at the end.
 *
 * Source: Bagga and Baldwin, Entity-Based Cross-Document Coreferencing Using the Vector Space Model, 1998.
 */
#include "evaluate/agreement.h"

#include "base/parallel.h"
#include "base/sort_parallel.h"
#include "evaluate/bootstrap.h"

#define REPORT 65536u /* entities after which the caller is asked */

static const char what[] = "the evaluation of clusters"; /* the memory is for */

enum { FOUND, GOLD, BOTH };

typedef struct agreement {
    const akin_tally *tally;
    akin_clusters *clusters[2];
    uint32_t rows;
    akin_u128 *records;      /* as above */
    uint64_t largest[2];     /* clusters have so many records at most */
    uint64_t *squares[2];    /* of runs, by the size of the found cluster, and of that of gold */
    uint32_t *lefts;         /* of a found cluster of two tables, at its label: its left records; NULL: not needed */
    uint64_t *pairs[3];      /* of an entity, at its label, as akin_entity has them; NULL: closures, or not needed */
    akin_entities *entities; /* NULL: none are drawn */
} agreement;

/* A run of records that two clusters share. */
typedef struct run {
    uint64_t count, lefts;
    uint32_t found; /* the label of the found cluster */
} run;

static uint64_t size_of(const agreement *a, int which, uint32_t row)
{
    return akin_clusters_size(a->clusters[which], row);
}

/* --------------------------------------------------------------------------------------------------------- entities */

/* The found pairs and those of gold, as they stand, of each entity. Both lists are sorted alike. */
static akin_status count_pairs(agreement *a, akin_error *error)
{
    const akin_tally *t = a->tally;
    const uint32_t shift = t->linked ? t->lefts : 0;
    uint64_t at = 0;
    for (int i = FOUND; i <= BOTH; i++)
        if (!(a->pairs[i] = akin_alloc_zero(t->account, a->rows, sizeof *a->pairs[i])))
            return akin_fail_memory(error, what);
    for (uint64_t i = 0; i < t->gold.count; i++)
        a->pairs[GOLD][akin_clusters_row(a->clusters[GOLD], (uint32_t)(akin_tally_rows(t, t->gold.keys[i]) >> 32))]++;
    for (uint64_t i = 0; i < t->pairs.count; i++) {
        const uint64_t rows = akin_tally_rows(t, t->pairs.keys[i]);
        const uint32_t left = akin_clusters_row(a->clusters[GOLD], (uint32_t)(rows >> 32));
        const uint32_t right = akin_clusters_row(a->clusters[GOLD], (uint32_t)rows + shift);
        if (akin_is_stopped(t->scope, i))
            return akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
        while (at < t->gold.count && akin_tally_rows(t, t->gold.keys[at]) < rows)
            at++;
        a->pairs[FOUND][left]++; /* twice, if both are of one entity */
        a->pairs[FOUND][right]++;
        a->pairs[BOTH][left] += at < t->gold.count && akin_tally_rows(t, t->gold.keys[at]) == rows;
    }
    return AKIN_OK;
}

/* Counts the left records of found clusters of two tables. */
static akin_status count_lefts(agreement *a, akin_error *error)
{
    a->lefts = akin_alloc_zero(a->tally->account, a->rows, sizeof *a->lefts);
    if (!a->lefts)
        return akin_fail_memory(error, what);
    for (uint32_t row = 0; row < a->tally->lefts; row++)
        a->lefts[akin_clusters_row(a->clusters[FOUND], row)]++;
    return AKIN_OK;
}

/* What is needed to draw entities. */
static akin_status prepare_entities(agreement *a, akin_error *error)
{
    akin_status status = akin_entities_create(a->tally->scope, a->tally->account, &a->entities, error);
    if (status == AKIN_OK && !a->tally->closed)
        return count_pairs(a, error);
    return status == AKIN_OK && a->tally->linked ? count_lefts(a, error) : status;
}

/* Adds to an entity the closed pairs of a run: those in it, and those that lead out of it. */
static void add_closed(const agreement *a, const run *r, akin_entity *entity)
{
    const uint64_t size = size_of(a, FOUND, r->found), rights = r->count - r->lefts;
    if (a->tally->linked) {
        const uint64_t all_lefts = a->lefts[r->found];
        entity->found += r->lefts * (size - all_lefts) + rights * all_lefts;
        entity->both += r->lefts * rights;
    } else {
        entity->found += r->count * (size - 1);
        entity->both += r->count * (r->count - 1) / 2;
    }
}

static akin_status add_entity(const agreement *a, uint32_t label, uint64_t lefts, akin_entity *entity,
                              akin_error *error)
{
    const uint64_t rights = entity->records - lefts;
    if (a->tally->closed) {
        entity->gold = a->tally->linked ? lefts * rights : entity->records * (entity->records - 1) / 2;
    } else {
        entity->found = a->pairs[FOUND][label];
        entity->gold = a->pairs[GOLD][label];
        entity->both = a->pairs[BOTH][label];
    }
    return akin_entities_add(a->entities, entity, error);
}

/* ------------------------------------------------------------------------------------------------------------- runs */

static akin_status sort_records(agreement *a, akin_error *error)
{
    a->records = akin_alloc(a->tally->account, a->rows, sizeof *a->records);
    if (!a->records)
        return akin_fail_memory(error, what);
    for (uint32_t row = 0; row < a->rows; row++)
        a->records[row] = (akin_u128)akin_clusters_row(a->clusters[GOLD], row) << 64 |
                          (akin_u128)akin_clusters_row(a->clusters[FOUND], row) << 32 |
                          (a->tally->linked && row >= a->tally->lefts);
    akin_status status = akin_sort_parallel_u128(a->tally->scope, a->tally->account, a->records, a->rows);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, what);
}

/* The run that begins at a place, left records first. */
static run run_at(const agreement *a, uint64_t at)
{
    const akin_u128 clusters = a->records[at] >> 32;
    run r = {.found = (uint32_t)clusters};
    for (; at < a->rows && a->records[at] >> 32 == clusters; at++, r.count++)
        r.lefts += !(a->records[at] & 1);
    return r;
}

/* Counts the runs of the entity that begins at *at, and goes on behind it. */
static akin_status count_entity(agreement *a, uint64_t *at, akin_cluster_evaluation *out, akin_error *error)
{
    const uint32_t label = (uint32_t)(a->records[*at] >> 64);
    akin_entity entity = {.records = size_of(a, GOLD, label)};
    uint64_t lefts = 0, squares = 0;
    for (const uint64_t end = *at + entity.records; *at < end;) {
        const run r = run_at(a, *at);
        const uint64_t square = r.count * r.count, size = size_of(a, FOUND, r.found);
        a->squares[FOUND][size] += square;
        squares += square;
        out->both_clusters += r.count > 1 && r.count == size && r.count == entity.records;
        if (a->entities)
            entity.precision += ((akin_u128)square << 64) / size;
        lefts += r.lefts;
        if (a->entities && a->tally->closed)
            add_closed(a, &r, &entity);
        *at += r.count;
    }
    a->squares[GOLD][entity.records] += squares;
    entity.recall = entity.records > 0 ? ((akin_u128)squares << 64) / entity.records : 0;
    return a->entities ? add_entity(a, label, lefts, &entity, error) : AKIN_OK;
}

static akin_status count_entities(agreement *a, akin_cluster_evaluation *out, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint64_t at = 0, count = 0; at < a->rows && status == AKIN_OK; count++) {
        if (count % REPORT == 0 && akin_scope_report(a->tally->scope, "comparing", at, a->rows) != AKIN_OK)
            return akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
        status = count_entity(a, &at, out, error);
    }
    return status;
}

/* -------------------------------------------------------------------------------------------------------------- all */

/* Counts the clusters of two records and more, and makes room for the squares of each size. */
static akin_status count_clusters(agreement *a, int which, uint64_t *count, akin_error *error)
{
    for (uint32_t row = 0; row < a->rows; row++) {
        a->largest[which] = akin_max_u64(a->largest[which], size_of(a, which, row));
        *count += akin_clusters_row(a->clusters[which], row) == row && size_of(a, which, row) > 1;
    }
    a->squares[which] = akin_alloc_zero(a->tally->account, a->largest[which] + 1, sizeof *a->squares[which]);
    return a->squares[which] ? AKIN_OK : akin_fail_memory(error, what);
}

/* The mean over all records: squares / size, added by rising size. */
static double mean_of(const agreement *a, int which)
{
    double sum = 0;
    for (uint64_t size = 1; size <= a->largest[which]; size++)
        sum += (double)a->squares[which][size] / (double)size;
    return a->rows ? sum / a->rows : 0;
}

static double harmonic_mean(double a, double b)
{
    return a + b > 0 ? 2 * (a / (a + b)) * b : 0; /* a, if both are the same */
}

static double quotient(uint64_t count, uint64_t of)
{
    return of == 0 ? 0 : (double)count / (double)of;
}

static void write_quality(const agreement *a, akin_cluster_evaluation *out)
{
    const double precision = mean_of(a, FOUND), recall = mean_of(a, GOLD);
    out->records = a->rows;
    out->bcubed = (akin_quality){precision, recall, harmonic_mean(precision, recall)};
    out->clusters = (akin_quality){quotient(out->both_clusters, out->found_clusters),
                                   quotient(out->both_clusters, out->gold_clusters),
                                   quotient(2 * out->both_clusters, out->found_clusters + out->gold_clusters)};
}

static void free_agreement(agreement *a)
{
    akin_entities_free(a->entities);
    for (int i = FOUND; i <= BOTH; i++)
        akin_free(a->pairs[i]);
    for (int which = FOUND; which <= GOLD; which++) {
        akin_clusters_free(a->clusters[which]);
        akin_free(a->squares[which]);
    }
    akin_free(a->lefts);
    akin_free(a->records);
}

akin_status akin_agreement_count(const akin_tally *tally, const akin_drawing *drawing, akin_cluster_evaluation *out,
                                 akin_error *error)
{
    agreement a = {.tally = tally};
    out->found_clusters = out->gold_clusters = out->both_clusters = 0;
    out->pairs_low = out->pairs_high = out->bcubed_low = out->bcubed_high = (akin_quality){0, 0, 0};
    akin_status status = akin_tally_cluster(tally, &tally->pairs, &a.clusters[FOUND], error);
    if (status == AKIN_OK)
        status = akin_tally_cluster(tally, &tally->gold, &a.clusters[GOLD], error);
    a.rows = status == AKIN_OK ? akin_clusters_rows(a.clusters[GOLD]) : 0;
    if (status == AKIN_OK)
        status = count_clusters(&a, FOUND, &out->found_clusters, error);
    if (status == AKIN_OK)
        status = count_clusters(&a, GOLD, &out->gold_clusters, error);
    if (status == AKIN_OK)
        status = sort_records(&a, error);
    if (status == AKIN_OK && drawing->times > 0)
        status = prepare_entities(&a, error);
    if (status == AKIN_OK)
        status = count_entities(&a, out, error);
    if (status == AKIN_OK)
        write_quality(&a, out);
    if (status == AKIN_OK && a.entities)
        status = akin_entities_draw(a.entities, drawing->times, drawing->seed, out, error);
    free_agreement(&a);
    return status;
}
