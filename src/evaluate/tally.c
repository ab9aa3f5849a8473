/* Counts pairs of numbered ids against a gold standard. */
#include "evaluate/tally.h"

#include "base/parallel.h"
#include "graph/clusters.h"
#include "strings/average.h"

/* ------------------------------------------------------------------------------------------------------------ pairs */

uint32_t akin_step_of(double similarity)
{
    if (!(similarity > -0.5 / AKIN_BILLION)) /* NAN, too */
        return 0;
    if (similarity >= 1)
        return AKIN_STEPS - 1;
    return 1 + akin_billionths_of(similarity > 0 ? similarity : 0) / (AKIN_BILLION / (AKIN_CURVE_POINTS - 1));
}

void akin_tally_add(const akin_tally *tally, akin_pair_keys *to, uint32_t left, uint32_t right, uint32_t step)
{
    akin_u128 late = AKIN_STEPS - 1 - step;
    if (!tally->linked && left == right)
        return;
    int swapped = !tally->linked && left > right;
    akin_u128 nodes = swapped ? akin_nodes(right, left) : akin_nodes(left, right);
    to->keys[to->count++] = tally->closed ? late << 64 | nodes : nodes << 8 | late;
}

/* Drops pairs that are there again: the first one has the highest step. */
static void drop_repeated(akin_pair_keys *pairs)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < pairs->count; i++)
        if (i == 0 || pairs->keys[i] >> 8 != pairs->keys[i - 1] >> 8)
            pairs->keys[kept++] = pairs->keys[i];
    pairs->count = kept;
}

static void count_pairs(akin_tally *t)
{
    const akin_pair_keys *gold = &t->gold;
    uint64_t at = 0;
    drop_repeated(&t->pairs);
    drop_repeated(&t->gold);
    t->golds = gold->count;
    for (uint64_t i = 0; i < t->pairs.count; i++) {
        akin_u128 nodes = t->pairs.keys[i] >> 8;
        uint32_t step = AKIN_STEPS - 1 - (uint32_t)(t->pairs.keys[i] & 255);
        while (at < gold->count && gold->keys[at] >> 8 < nodes)
            at++;
        t->found[step]++;
        t->both[step] += at < gold->count && gold->keys[at] >> 8 == nodes;
    }
}

/* --------------------------------------------------------------------------------------------------------- closures */

akin_status akin_tally_cluster(const akin_tally *tally, const akin_pair_keys *pairs, akin_clusters **out,
                               akin_error *error)
{
    akin_status status =
        akin_clusters_create_within(tally->scope, tally->lefts, tally->linked ? tally->rights : 0, NULL, out, error);
    for (uint64_t i = 0; i < pairs->count && status == AKIN_OK; i++) {
        uint64_t rows = akin_tally_rows(tally, pairs->keys[i]);
        akin_pair pair = {.left = (uint32_t)(rows >> 32), .right = (uint32_t)rows};
        if (akin_is_stopped(tally->scope, i))
            return akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
        status = akin_clusters_add(*out, &pair, NULL, 1, error);
    }
    if (status == AKIN_OK)
        akin_clusters_finish(*out);
    return status;
}

static akin_status count_closures(akin_tally *t, akin_error *error)
{
    akin_clusters *gold = NULL;
    akin_status status = akin_tally_cluster(t, &t->gold, &gold, error);
    if (status == AKIN_OK) {
        const akin_closure closure = {.scope = t->scope,
                                      .account = t->account,
                                      .pairs = t->pairs.keys,
                                      .count = t->pairs.count,
                                      .gold = gold,
                                      .lefts = t->linked ? t->lefts : 0,
                                      .linked = t->linked};
        status = akin_closure_count(&closure, t->found, t->both, &t->golds, error);
    }
    akin_clusters_free(gold);
    return status;
}

/* -------------------------------------------------------------------------------------------------------------- all */

static double quotient(uint64_t count, uint64_t of)
{
    return of == 0 ? 0 : (double)count / (double)of;
}

/* A threshold keeps the pairs of its own step and of those above. */
void akin_tally_sum(const akin_tally *tally, akin_evaluation *out)
{
    uint64_t pairs = 0, both = 0;
    for (uint32_t point = AKIN_CURVE_POINTS; point-- > 0;) {
        pairs += tally->found[point + 1];
        both += tally->both[point + 1];
        if (point >= tally->points)
            continue;
        out[point] = (akin_evaluation){.precision = quotient(both, pairs),
                                       .recall = quotient(both, tally->golds),
                                       .f1 = quotient(2 * both, pairs + tally->golds),
                                       .pairs = pairs,
                                       .gold = tally->golds,
                                       .both = both};
    }
}

akin_status akin_tally_count(akin_tally *tally, akin_evaluation *out, akin_error *error)
{
    atomic_int cancelled = 0;
    akin_cancellation cancellation = {tally->scope, &cancelled, 0, 0};
    akin_status status = AKIN_OK;
    if (!akin_sort_long_u128(tally->pairs.keys, (size_t)tally->pairs.count, &cancellation) ||
        !akin_sort_long_u128(tally->gold.keys, (size_t)tally->gold.count, &cancellation))
        return akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
    if (tally->closed)
        status = count_closures(tally, error);
    else
        count_pairs(tally);
    if (status == AKIN_OK)
        akin_tally_sum(tally, out);
    return status;
}
