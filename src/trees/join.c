/*
 * The join of trees: an index of rare nodes finds candidates, counts of labels and the sequences of labels drop most of
 * those that are too far, and a band around the diagonal decides on the rest.
 */
#include "trees/join.h"

#include "base/budget.h"
#include "base/ceiling.h"
#include "base/clock.h"
#include "base/options.h"
#include "base/parallel.h"
#include "join/delivery.h"
#include "trees/index.h"
#include "trees/verifier.h"

#include <string.h>

#define TASK 16 /* probes that a thread takes at once */

AKIN_OPTIONS_END(akin_trees_options, connecting);
AKIN_OPTIONS_END(akin_trees_report, reserved);

/* What a thread works with. */
typedef struct worker {
    _Alignas(64) akin_tree_lookup lookup; /* so that threads have no line of the cache in common */
    akin_tree_verifier verifier;
    uint64_t candidates, compared, found;
} worker;

typedef struct tree_join {
    const akin_scope *scope;
    akin_account *account;
    akin_trees_options options;
    int self;
    akin_dictionary *dictionary;
    akin_tree_side sides[2];
    akin_tree_ranks ranks;
    akin_tree_index index;
    worker *workers;
    akin_delivery delivery;
    akin_trees_report report;
} tree_join;

/* ---------------------------------------------------------------------------------------------------------- options */

akin_status akin_trees_options_read(const akin_trees_options *options, akin_trees_options *own, akin_error *error)
{
    const akin_tree_format_row *row;
    *own = (akin_trees_options)AKIN_TREES_OPTIONS_INIT;
    akin_status status = akin_options_read(options, own, sizeof *own, sizeof *own, "akin_trees_options", error);
    if (status == AKIN_OK)
        status = akin_tree_format_of(own->format, &row, error);
    if (status == AKIN_OK && (own->any_order > 1 || own->connecting > 1))
        status = akin_fail(error, AKIN_E_OPTION, "akin_trees_options: %s is %u, expected 0 or 1",
                           own->any_order > 1 ? "any_order" : "connecting",
                           own->any_order > 1 ? own->any_order : own->connecting);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- prepare */

static akin_status read_sides(tree_join *j, const akin_tree_columns *both, akin_error *error)
{
    const akin_column *const columns[] = {both->left, both->right};
    const uint32_t rows[] = {both->rows_left, both->rows_right};
    const akin_tree_collection *const trees[] = {&j->sides[0].trees, &j->sides[1].trees};
    const uint32_t count = j->self ? 1 : 2;
    akin_status status = akin_dictionary_create_within(j->scope, &j->dictionary, error);
    for (uint32_t s = 0; s < count && status == AKIN_OK; s++)
        status = akin_tree_collection_make(j->scope, j->account, j->options.format, columns[s], rows[s],
                                           s ? "right" : "left", j->dictionary, &j->sides[s].trees, error);
    if (status == AKIN_OK)
        status = akin_tree_ranks_make(j->scope, j->account, akin_dictionary_count(j->dictionary), trees, count,
                                      &j->ranks, error);
    j->report.labels = j->ranks.count;
    akin_dictionary_free(j->dictionary); /* numbers are enough from here on */
    j->dictionary = NULL;
    for (uint32_t s = 0; s < count && status == AKIN_OK; s++)
        status = akin_tree_side_make(j->scope, j->account, &j->ranks, j->options.most, &j->sides[s], error);
    if (status == AKIN_OK)
        status = akin_tree_index_make(j->account, &j->sides[!j->self], &j->ranks, j->options.most, &j->index, error);
    return status;
}

static akin_status make_workers(tree_join *j, akin_error *error)
{
    const uint32_t places = j->index.side->count;
    j->workers = akin_alloc_zero(j->account, j->scope->threads, sizeof *j->workers);
    if (!j->workers)
        return akin_fail_memory(error, "a join of trees");
    for (uint32_t t = 0; t < j->scope->threads; t++)
        akin_tree_verifier_begin(&j->workers[t].verifier, j->account);
    for (uint32_t t = 0; t < j->scope->threads; t++) {
        akin_tree_lookup *lookup = &j->workers[t].lookup;
        lookup->seen = akin_alloc_zero(j->account, places, sizeof *lookup->seen);
        lookup->found = akin_alloc(j->account, places, sizeof *lookup->found);
        if (!lookup->seen || !lookup->found)
            return akin_fail_memory(error, "a join of trees");
    }
    return AKIN_OK;
}

static void clear_workers(tree_join *j)
{
    for (uint32_t t = 0; t < j->scope->threads && j->workers; t++) {
        akin_tree_verifier_clear(&j->workers[t].verifier);
        akin_free(j->workers[t].lookup.seen);
        akin_free(j->workers[t].lookup.found);
    }
    akin_free(j->workers);
}

/* ------------------------------------------------------------------------------------------------------------- join */

/* Compares a probe with a candidate. Errors, without a message: AKIN_E_NOMEM (also if the pair cannot be kept). */
static akin_status compare(tree_join *j, uint32_t thread, uint32_t probe, uint32_t other)
{
    const akin_tree_side *left = &j->sides[0], *right = j->index.side;
    worker *w = &j->workers[thread];
    const uint32_t most = j->options.most;
    uint32_t distance = 0;
    if (akin_tree_labels_apart(left->buckets + (uint64_t)probe * AKIN_TREE_BUCKETS,
                               right->buckets + (uint64_t)other * AKIN_TREE_BUCKETS) > most)
        return AKIN_OK;
    w->compared++;
    if (!akin_tree_verify(&w->verifier, akin_tree_at(left, probe), akin_tree_at(right, other), most, NULL, &distance))
        return AKIN_E_NOMEM;
    if (distance == AKIN_BAND_FAR)
        return AKIN_OK;
    w->found++;
    const uint32_t row = left->rows[probe], met = right->rows[other];
    const int swap = j->self && row > met;
    return !j->delivery.pairs ||
                   akin_pairs_add(&j->delivery.pairs[thread], swap ? met : row, swap ? row : met, distance)
               ? AKIN_OK
               : AKIN_E_NOMEM;
}

/* Large trees first: what takes longest does not come last. */
static akin_status join_probes(void *argument, uint64_t task, uint32_t thread)
{
    tree_join *j = argument;
    worker *w = &j->workers[thread];
    const uint64_t count = j->sides[0].count, begun = task * TASK;
    akin_status status = AKIN_OK;
    for (uint64_t i = begun; i < akin_min_u64(begun + TASK, count) && status == AKIN_OK; i++) {
        const uint32_t probe = (uint32_t)(count - 1 - i);
        akin_tree_index_look_up(&j->index, &j->sides[0], probe, j->self ? probe : j->index.side->count, &w->lookup);
        w->candidates += w->lookup.count;
        for (uint32_t c = 0; c < w->lookup.count && status == AKIN_OK; c++)
            status = compare(j, thread, probe, w->lookup.found[c]);
    }
    return status;
}

static akin_status join_sides(tree_join *j, akin_pair_limit *limit, akin_error *error)
{
    akin_status status = akin_delivery_begin(&j->delivery, j->scope, j->account, j->scope->threads,
                                             j->options.any_order || j->options.connecting,
                                             limit->sink ? akin_pair_limit_sink : NULL, limit, error);
    if (status == AKIN_OK)
        status = make_workers(j, error);
    if (status != AKIN_OK)
        return status;
    status = akin_parallel(j->scope, "joining", akin_ceil_div(j->sides[0].count, TASK), join_probes, j);
    if (status == AKIN_E_NOMEM && (!j->delivery.pairs || !akin_delivery_failed(&j->delivery)))
        return akin_fail_memory(error, "a join of trees");
    if (status != AKIN_OK)
        return status == AKIN_E_NOMEM ? akin_delivery_failure(&j->delivery, error)
                                      : akin_fail_stopped(error, status, "a join of trees");
    for (uint32_t t = 0; t < j->scope->threads; t++) {
        j->report.candidates += j->workers[t].candidates;
        j->report.compared += j->workers[t].compared;
        j->report.verified += j->workers[t].verifier.bounded;
        j->report.pairs_found += j->workers[t].found;
    }
    return AKIN_OK;
}

static void add_up(tree_join *j)
{
    const uint64_t left = j->sides[0].count, right = j->sides[1].count;
    akin_trees_report *report = &j->report;
    report->rows_left = (uint32_t)left;
    report->rows_right = (uint32_t)right;
    report->nodes_left = j->sides[0].trees.nodes;
    report->nodes_right = j->sides[1].trees.nodes;
    report->threads = j->scope->threads;
    report->pairs_all = j->self ? left * (left - (left > 0)) / 2 : left * right;
    report->memory_peak = j->account->peak;
}

static void clear_join(tree_join *j)
{
    akin_delivery_clear(&j->delivery);
    clear_workers(j);
    akin_tree_index_clear(&j->index);
    akin_free(j->ranks.rank);
    akin_tree_side_clear(&j->sides[0]);
    akin_tree_side_clear(&j->sides[1]);
    akin_dictionary_free(j->dictionary);
}

akin_status akin_trees_join_within(const akin_scope *scope, const akin_tree_columns *both,
                                   const akin_trees_options *options, akin_pair_limit *limit, uint64_t *count,
                                   akin_trees_report *report, akin_error *error)
{
    akin_account account = {0};
    const akin_scope few = akin_scope_narrow(scope, (akin_narrowing){.threads = akin_scope_threads(scope)});
    tree_join j = {
        .scope = &few, .account = &account, .self = !both->right, .report = {.size = sizeof(akin_trees_report)}};
    akin_account_begin(&account, scope);
    akin_status status = akin_trees_options_read(options, &j.options, error);
    if (status == AKIN_OK)
        status = akin_options_check(report, sizeof *report, "akin_trees_report", error);
    const double begun = akin_clock();
    if (status == AKIN_OK)
        status = read_sides(&j, both, error);
    const double prepared = akin_clock();
    j.report.seconds_prepare = prepared - begun;
    if (status == AKIN_OK)
        status = join_sides(&j, limit, error);
    const double joined = akin_clock();
    j.report.seconds_join = joined - prepared;
    if (status == AKIN_OK)
        status = akin_delivery_finish(&j.delivery, both->rows_left, error);
    j.report.seconds_deliver = akin_clock() - joined;
    if (status == AKIN_OK)
        add_up(&j);
    clear_join(&j);
    if (status == AKIN_E_NOMEM && scope->memory && account.refused)
        akin_fail(error, status, "%.0f MiB of memory are too little to join these trees: allow more",
                  (double)scope->memory / (1 << 20));
    status = akin_ceiling_conclude(scope, &account, "the join of trees", status, error);
    if (status == AKIN_OK && count)
        *count = j.report.pairs_found;
    return status == AKIN_OK && report
               ? akin_options_write(&j.report, sizeof j.report, report, "akin_trees_report", error)
               : status;
}
