/* The workers of a join of trees, and its end. */
#include "trees/job.h"

akin_status akin_tree_job_begin(akin_tree_job *job, akin_error *error)
{
    const uint32_t places = job->index.side->count;
    job->workers = akin_alloc_zero(job->account, job->scope->threads, sizeof *job->workers);
    if (!job->workers)
        return akin_fail_memory(error, "a join of trees");
    for (uint32_t t = 0; t < job->scope->threads; t++) {
        akin_tree_worker *w = &job->workers[t];
        w->cancellation = (akin_cancellation){job->scope, &job->cancelled, t, 0};
        akin_tree_verifier_begin(&w->verifier, job->account, &w->cancellation);
    }
    for (uint32_t t = 0; t < job->scope->threads; t++) {
        akin_tree_worker *w = &job->workers[t];
        const int has_lookup = akin_tree_lookup_begin(job->account, &job->index, &w->lookup);
        w->order = akin_alloc(job->account, job->options.top ? places : 0, sizeof *w->order);
        if (!has_lookup || !w->order)
            return akin_fail_memory(error, "a join of trees");
    }
    return AKIN_OK;
}

void akin_tree_job_add_up(akin_tree_job *job)
{
    const uint64_t left = job->sides[0].count, right = job->sides[1].count;
    akin_trees_report *report = &job->report;
    for (uint32_t t = 0; t < job->scope->threads; t++) {
        report->candidates += job->workers[t].candidates;
        report->compared += job->workers[t].compared;
        report->verified += job->workers[t].verifier.bounded;
        report->pairs_found += job->workers[t].found;
    }
    report->rows_left = (uint32_t)left;
    report->rows_right = (uint32_t)right;
    report->nodes_left = job->sides[0].trees.nodes;
    report->nodes_right = job->sides[1].trees.nodes;
    report->threads = job->scope->threads;
    report->pairs_all = job->self ? left * (left - (left > 0)) / (job->options.top ? 1 : 2) : left * right;
    report->memory_peak = job->account->peak;
}

void akin_tree_job_clear(akin_tree_job *job)
{
    for (uint32_t t = 0; t < job->scope->threads && job->workers; t++) {
        akin_tree_verifier_clear(&job->workers[t].verifier);
        akin_tree_lookup_clear(&job->workers[t].lookup);
        akin_free(job->workers[t].order);
    }
    akin_free(job->workers);
    akin_tree_index_clear(&job->index);
    akin_free(job->ranks.rank);
    akin_tree_side_clear(&job->sides[0]);
    akin_tree_side_clear(&job->sides[1]);
}
