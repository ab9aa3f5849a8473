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
#include "trees/best.h"

#include <string.h>

#define TASK  16 /* probes that a thread takes at once */
#define AHEAD 8  /* candidates whose counts of labels are fetched before they are needed */

AKIN_OPTIONS_END(akin_trees_options, reserved);
AKIN_OPTIONS_END(akin_trees_report, reserved);

/* A join, and where its pairs go. */
typedef struct tree_join {
    akin_tree_job job;
    akin_delivery delivery;
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
    if (status == AKIN_OK && own->reserved != 0)
        status = akin_fail(error, AKIN_E_OPTION, "akin_trees_options: reserved is not 0");
    if (status == AKIN_OK && own->connecting && own->top > 0)
        status = akin_fail(error, AKIN_E_OPTION,
                           "akin_trees_options: connecting is 1, expected 0 with the best partners of each row");
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- prepare */

/* Reads the trees of both sides, with one dictionary, whose numbers are enough afterwards. */
static akin_status read_trees(akin_tree_job *j, const akin_tree_columns *both, akin_error *error)
{
    const akin_column *const columns[] = {both->left, both->right};
    const uint32_t rows[] = {both->rows_left, both->rows_right}, count = j->self ? 1 : 2;
    const akin_tree_collection *const trees[] = {&j->sides[0].trees, &j->sides[1].trees};
    akin_dictionary *dictionary = NULL;
    akin_status status = akin_dictionary_create_within(j->scope, &dictionary, error);
    for (uint32_t s = 0; s < count && status == AKIN_OK; s++)
        status = akin_tree_collection_make(j->scope, j->account, j->options.format, columns[s], rows[s],
                                           s ? "right" : "left", dictionary, &j->sides[s].trees, error);
    if (status == AKIN_OK)
        status = akin_tree_ranks_make(j->scope, j->account, akin_dictionary_count(dictionary), trees, count, &j->ranks,
                                      error);
    j->report.labels = j->ranks.count;
    akin_dictionary_free(dictionary);
    return status;
}

/* The nodes of the largest tree. */
static uint32_t largest_of(const akin_tree_job *j)
{
    uint32_t largest = 0;
    for (uint32_t s = 0; s < 2; s++)
        for (uint32_t row = 0; row < j->sides[s].trees.rows; row++)
            largest = akin_max_u32(largest, j->sides[s].trees.trees[row].nodes);
    return largest;
}

static akin_status prepare(akin_tree_job *j, const akin_tree_columns *both, akin_error *error)
{
    akin_status status = read_trees(j, both, error);
    /* trees of at most K nodes need no marks: any two of them are candidates */
    const uint32_t marks = largest_of(j) <= j->options.most ? 0 : j->options.most + 1;
    for (uint32_t s = 0; s < (j->self ? 1 : 2) && status == AKIN_OK; s++)
        status = akin_tree_side_make(j->scope, j->account, &j->ranks, marks, &j->sides[s], error);
    if (status == AKIN_OK)
        status = akin_tree_index_make(j->account, &j->sides[!j->self], &j->ranks, j->options.most, &j->index, error);
    return status == AKIN_OK ? akin_tree_job_begin(j, error) : status;
}

/* ------------------------------------------------------------------------------------------------------------- join */

/* Compares a probe with a candidate. Errors, without a message: AKIN_E_NOMEM (also if the pair cannot be kept). */
static akin_status join_pair(tree_join *join, uint32_t thread, uint32_t probe, uint32_t other)
{
    const akin_tree_job *j = &join->job;
    akin_tree_worker *w = &j->workers[thread];
    const uint32_t most = j->options.most;
    uint32_t distance = 0;
    if (akin_tree_job_bound(j, probe, other) > most)
        return AKIN_OK;
    if (!akin_tree_job_compare(j, w, probe, other, most, &distance))
        return akin_tree_verifier_failure(&w->verifier);
    if (distance == AKIN_BAND_FAR)
        return AKIN_OK;
    w->found++;
    const uint32_t row = j->sides[0].rows[probe], met = j->index.side->rows[other];
    const int swap = j->self && row > met;
    return !join->delivery.pairs ||
                   akin_pairs_add(&join->delivery.pairs[thread], swap ? met : row, swap ? row : met, distance)
               ? AKIN_OK
               : AKIN_E_NOMEM;
}

/* Large trees first: what takes longest does not come last. */
static akin_status join_probes(void *argument, uint64_t task, uint32_t thread)
{
    tree_join *join = argument;
    const akin_tree_job *j = &join->job;
    akin_tree_worker *w = &j->workers[thread];
    const uint64_t count = j->sides[0].count, begun = task * TASK;
    akin_status status = AKIN_OK;
    for (uint64_t i = begun; i < akin_min_u64(begun + TASK, count) && status == AKIN_OK; i++) {
        const uint32_t probe = (uint32_t)(count - 1 - i);
        akin_tree_index_look_up(&j->index, &j->sides[0], probe, j->self ? probe : j->index.side->count, j->options.most,
                                &w->lookup);
        w->candidates += w->lookup.count;
        for (uint32_t c = 0; c < w->lookup.count && status == AKIN_OK; c++) {
            if (c + AHEAD < w->lookup.count)
                akin_tree_job_fetch(j, w->lookup.found[c + AHEAD]);
            status = join_pair(join, thread, probe, w->lookup.found[c]);
        }
    }
    return status;
}

/* Finds all pairs, and delivers them. */
static akin_status join_all(tree_join *join, uint32_t rows, akin_pair_sink sink, void *user, akin_error *error)
{
    akin_tree_job *j = &join->job;
    const int any_order = j->options.any_order || j->options.connecting;
    akin_status status =
        akin_delivery_begin(&join->delivery, j->scope, j->account, j->scope->threads, any_order, sink, user, error);
    if (status != AKIN_OK)
        return status;
    const double begun = akin_clock();
    status = akin_parallel_long(j->scope, "joining", akin_ceil_div(j->sides[0].count, TASK), join_probes, join,
                                &j->cancelled);
    if (status == AKIN_E_NOMEM && (!join->delivery.pairs || !akin_delivery_failed(&join->delivery)))
        return akin_fail_memory(error, "a join of trees");
    if (status != AKIN_OK)
        return status == AKIN_E_NOMEM ? akin_delivery_failure(&join->delivery, error)
                                      : akin_fail_stopped(error, status, "a join of trees");
    const double joined = akin_clock();
    status = akin_delivery_finish(&join->delivery, rows, error);
    j->report.seconds_join = joined - begun;
    j->report.seconds_deliver = akin_clock() - joined;
    return status;
}

static akin_status join_best(akin_tree_job *j, akin_pair_sink sink, void *user, akin_error *error)
{
    const double begun = akin_clock();
    const akin_status status = akin_trees_best(j, sink, user, error);
    j->report.seconds_join = akin_clock() - begun;
    return status;
}

akin_status akin_trees_join_within(const akin_scope *scope, const akin_tree_columns *both,
                                   const akin_trees_options *options, akin_pair_limit *limit, uint64_t *count,
                                   akin_trees_report *report, akin_error *error)
{
    akin_account account = {0};
    const akin_scope few = akin_scope_narrow(scope, (akin_narrowing){.threads = akin_scope_threads(scope)});
    const akin_pair_sink sink = limit->sink ? akin_pair_limit_sink : NULL;
    tree_join join = {.job = {.scope = &few, .account = &account, .self = !both->right}};
    akin_tree_job *j = &join.job;
    j->report.size = sizeof j->report;
    akin_account_begin(&account, scope);
    akin_status status = akin_trees_options_read(options, &j->options, error);
    if (status == AKIN_OK)
        status = akin_options_check(report, sizeof *report, "akin_trees_report", error);
    const double begun = akin_clock();
    if (status == AKIN_OK)
        status = prepare(j, both, error);
    j->report.seconds_prepare = akin_clock() - begun;
    if (status == AKIN_OK)
        status =
            j->options.top ? join_best(j, sink, limit, error) : join_all(&join, both->rows_left, sink, limit, error);
    if (status == AKIN_OK)
        akin_tree_job_add_up(j);
    akin_delivery_clear(&join.delivery);
    akin_tree_job_clear(j);
    if (status == AKIN_E_NOMEM && scope->memory && account.refused)
        akin_fail(error, status, "%.0f MiB of memory are too little to join these trees: allow more",
                  (double)scope->memory / (1 << 20));
    status = akin_ceiling_conclude(scope, &account, "the join of trees", status, error);
    if (status == AKIN_OK && count)
        *count = j->report.pairs_found;
    return status == AKIN_OK && report
               ? akin_options_write(&j->report, sizeof j->report, report, "akin_trees_report", error)
               : status;
}
