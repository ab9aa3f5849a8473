/*
 * The join of graphs: an index of rare branches finds candidates, counts of labels and degrees and branches in common
 * drop most of those that are too far, and a search of the cheapest mapping decides on the rest.
 */
#include "graphs/join.h"

#include "base/budget.h"
#include "base/ceiling.h"
#include "base/clock.h"
#include "base/options.h"
#include "graphs/job.h"
#include "join/delivery.h"

#define TASK 4 /* probes that a thread takes at once */

AKIN_OPTIONS_END(akin_graphs_options, budget);
AKIN_OPTIONS_END(akin_graphs_report, reserved);

/* A join, and where its pairs go. */
typedef struct graph_join {
    akin_graph_job job;
    akin_delivery delivery;
} graph_join;

/* ---------------------------------------------------------------------------------------------------------- options */

akin_status akin_graphs_options_read(const akin_graphs_options *options, akin_graphs_options *own, akin_error *error)
{
    *own = (akin_graphs_options)AKIN_GRAPHS_OPTIONS_INIT;
    const akin_status status = akin_options_read(options, own, sizeof *own, sizeof *own, "akin_graphs_options", error);
    const struct {
        const char *name;
        uint32_t value;
    } flags[] = {{"any_order", own->any_order}, {"connecting", own->connecting}, {"undecided", own->undecided}};
    if (status != AKIN_OK)
        return status;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i].value > 1)
            return akin_fail(error, AKIN_E_OPTION, "akin_graphs_options: %s is %u, expected 0 or 1", flags[i].name,
                             flags[i].value);
    return own->connecting && own->undecided
               ? akin_fail(
                     error, AKIN_E_OPTION,
                     "akin_graphs_options: connecting is 1, expected 0 with undecided pairs, which connect nothing")
               : AKIN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- prepare */

/* Reads the graphs of both sides, with one dictionary, whose numbers are enough afterwards. */
static akin_status read_graphs(akin_graph_job *j, const akin_graph_columns *both, akin_error *error)
{
    const akin_column *const columns[] = {both->left, both->right};
    const uint32_t rows[] = {both->rows_left, both->rows_right}, count = j->self ? 1 : 2;
    const akin_graph_collection *const graphs[] = {&j->sides[0].graphs, &j->sides[1].graphs};
    akin_dictionary *dictionary = NULL;
    akin_status status = akin_dictionary_create_within(j->scope, &dictionary, error);
    for (uint32_t s = 0; s < count && status == AKIN_OK; s++)
        status = akin_graph_collection_make(j->scope, j->account, columns[s], rows[s], s ? "right" : "left", dictionary,
                                            &j->sides[s].graphs, error);
    if (status == AKIN_OK)
        status = akin_graph_ranks_make(j->scope, j->account, akin_dictionary_count(dictionary), graphs, count,
                                       &j->ranks, error);
    akin_dictionary_free(dictionary);
    return status;
}

static akin_status prepare(akin_graph_job *j, const akin_graph_columns *both, akin_error *error)
{
    akin_status status = read_graphs(j, both, error);
    for (uint32_t s = 0; s < (j->self ? 1 : 2) && status == AKIN_OK; s++)
        status = akin_graph_side_make(j->scope, j->account, &j->ranks, &j->sides[s], error);
    if (status == AKIN_OK)
        status = akin_graph_index_make(j->account, &j->sides[!j->self], &j->ranks, j->options.most, &j->index, error);
    return status == AKIN_OK ? akin_graph_job_begin(j, error) : status;
}

/* ------------------------------------------------------------------------------------------------------------- join */

/* Notes the first pair of a task that is beyond the budget. */
static akin_status fail_pair(akin_graph_worker *w, uint64_t task, uint32_t left, uint32_t right)
{
    w->failed = task;
    w->failed_left = left;
    w->failed_right = right;
    return AKIN_E_LIMIT;
}

/* Compares a probe with a candidate. Errors, without a message: AKIN_E_NOMEM (also if the pair cannot be kept),
 * AKIN_E_LIMIT (the pair is beyond the budget, as the worker notes), AKIN_E_CANCELLED. */
static akin_status join_pair(graph_join *join, uint32_t thread, uint64_t task, uint32_t probe, uint32_t other)
{
    const akin_graph_job *j = &join->job;
    akin_graph_worker *w = &j->workers[thread];
    uint32_t distance;
    const akin_status status = akin_graph_job_compare(j, w, probe, other, &distance);
    if (status != AKIN_OK || distance == AKIN_GRAPH_FAR)
        return status;
    const uint32_t row = j->sides[0].rows[probe], met = j->index.side->rows[other];
    const int swap = j->self && row > met;
    const uint32_t left = swap ? met : row, right = swap ? row : met;
    if (distance == AKIN_GRAPH_UNKNOWN && !j->options.undecided)
        return fail_pair(w, task, left, right);
    w->undecided += distance == AKIN_GRAPH_UNKNOWN;
    w->found += distance != AKIN_GRAPH_UNKNOWN;
    return !join->delivery.pairs || akin_pairs_add(&join->delivery.pairs[thread], left, right, distance) ? AKIN_OK
                                                                                                         : AKIN_E_NOMEM;
}

/* Large graphs first: what takes longest does not come last. */
static akin_status join_probes(void *argument, uint64_t task, uint32_t thread)
{
    graph_join *join = argument;
    const akin_graph_job *j = &join->job;
    akin_graph_lookup *lookup = &j->workers[thread].lookup;
    const uint64_t count = j->sides[0].count, begun = task * TASK;
    akin_status status = AKIN_OK;
    for (uint64_t i = begun; i < akin_min_u64(begun + TASK, count) && status == AKIN_OK; i++) {
        const uint32_t probe = (uint32_t)(count - 1 - i);
        akin_graph_index_look_up(&j->index, &j->sides[0], probe, j->self ? probe : j->index.side->count, lookup);
        j->workers[thread].candidates += lookup->count;
        for (uint32_t c = 0; c < lookup->count && status == AKIN_OK; c++)
            status = join_pair(join, thread, task, probe, lookup->found[c]);
    }
    return status;
}

/* Names the first pair beyond the budget. */
static akin_status fail_undecided(const akin_graph_job *j, akin_error *error)
{
    const akin_graph_worker *first = &j->workers[0];
    for (uint32_t t = 1; t < j->scope->threads; t++)
        first = j->workers[t].failed < first->failed ? &j->workers[t] : first;
    return akin_fail(
        error, AKIN_E_LIMIT,
        "the graphs of %srow %u and %srow %u: their distance takes more than %llu states: raise the budget, "
        "or ask for undecided pairs",
        j->self ? "" : "left ", first->failed_left, j->self ? "" : "right ", first->failed_right,
        (unsigned long long)j->options.budget);
}

/* Finds all pairs, and delivers them. */
static akin_status join_all(graph_join *join, uint32_t rows, akin_pair_sink sink, void *user, akin_error *error)
{
    akin_graph_job *j = &join->job;
    const int any_order = j->options.any_order || j->options.connecting;
    akin_status status =
        akin_delivery_begin(&join->delivery, j->scope, j->account, j->scope->threads, any_order, sink, user, error);
    if (status != AKIN_OK)
        return status;
    const double begun = akin_clock();
    status = akin_parallel_long(j->scope, "joining", akin_ceil_div(j->sides[0].count, TASK), join_probes, join,
                                &j->cancelled);
    if (status == AKIN_E_LIMIT)
        return fail_undecided(j, error);
    if (status == AKIN_E_NOMEM && (!join->delivery.pairs || !akin_delivery_failed(&join->delivery)))
        return akin_fail_memory(error, "a join of graphs");
    if (status != AKIN_OK)
        return status == AKIN_E_NOMEM ? akin_delivery_failure(&join->delivery, error)
                                      : akin_fail_stopped(error, status, "a join of graphs");
    const double joined = akin_clock();
    status = akin_delivery_finish(&join->delivery, rows, error);
    j->report.seconds_join = joined - begun;
    j->report.seconds_deliver = akin_clock() - joined;
    return status;
}

akin_status akin_graphs_join_within(const akin_scope *scope, const akin_graph_columns *both,
                                    const akin_graphs_options *options, akin_pair_limit *limit, uint64_t *count,
                                    akin_graphs_report *report, akin_error *error)
{
    akin_account account = {0};
    const akin_scope few = akin_scope_narrow(scope, (akin_narrowing){.threads = akin_scope_threads(scope)});
    const akin_pair_sink sink = limit->sink ? akin_pair_limit_sink : NULL;
    graph_join join = {.job = {.scope = &few, .account = &account, .self = !both->right}};
    akin_graph_job *j = &join.job;
    j->report.size = sizeof j->report;
    akin_account_begin(&account, scope);
    akin_status status = akin_graphs_options_read(options, &j->options, error);
    if (status == AKIN_OK)
        status = akin_options_check(report, sizeof *report, "akin_graphs_report", error);
    const double begun = akin_clock();
    if (status == AKIN_OK)
        status = prepare(j, both, error);
    j->report.seconds_prepare = akin_clock() - begun;
    if (status == AKIN_OK)
        status = join_all(&join, both->rows_left, sink, limit, error);
    if (status == AKIN_OK)
        akin_graph_job_add_up(j);
    akin_delivery_clear(&join.delivery);
    akin_graph_job_clear(j);
    if (status == AKIN_E_NOMEM && scope->memory && account.refused)
        akin_fail(error, status, "%.0f MiB of memory are too little to join these graphs: allow more",
                  (double)scope->memory / (1 << 20));
    status = akin_ceiling_conclude(scope, &account, "the join of graphs", status, error);
    if (status == AKIN_OK && count)
        *count = j->report.pairs_found + j->report.undecided;
    return status == AKIN_OK && report
               ? akin_options_write(&j->report, sizeof j->report, report, "akin_graphs_report", error)
               : status;
}
