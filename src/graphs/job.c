/* The workers of a join of graphs, and its end. */
#include "graphs/job.h"

#include "base/bits.h"

akin_status akin_graph_job_begin(akin_graph_job *job, akin_error *error)
{
    const uint32_t places = job->index.side->count;
    job->workers = akin_alloc_zero(job->account, job->scope->threads, sizeof *job->workers);
    if (!job->workers)
        return akin_fail_memory(error, "a join of graphs");
    for (uint32_t t = 0; t < job->scope->threads; t++) {
        akin_graph_worker *w = &job->workers[t];
        w->cancellation = (akin_cancellation){.scope = job->scope, .cancelled = &job->cancelled, .thread = t};
        w->failed = UINT64_MAX;
        akin_graph_search_begin(&w->search, job->account, job->options.budget, &w->cancellation);
    }
    for (uint32_t t = 0; t < job->scope->threads; t++) {
        akin_graph_lookup *lookup = &job->workers[t].lookup;
        lookup->seen = akin_alloc_zero(job->account, places, sizeof *lookup->seen);
        lookup->found = akin_alloc(job->account, places, sizeof *lookup->found);
        if (!lookup->seen || !lookup->found)
            return akin_fail_memory(error, "a join of graphs");
    }
    return AKIN_OK;
}

akin_status akin_graph_job_compare(const akin_graph_job *job, akin_graph_worker *worker, uint32_t probe, uint32_t other,
                                   uint32_t *distance)
{
    const akin_graph_side *left = &job->sides[0], *right = job->index.side;
    const uint32_t most = job->options.most;
    *distance = AKIN_GRAPH_FAR;
    if (akin_graph_sketches_apart(left->sketches + (uint64_t)probe * AKIN_GRAPH_SKETCH,
                                  right->sketches + (uint64_t)other * AKIN_GRAPH_SKETCH) > most)
        return AKIN_OK;
    worker->compared++;
    const akin_graph *a = akin_graph_at(left, probe), *b = akin_graph_at(right, other);
    if (akin_graph_branches_apart(left->branches + left->branches_begin[probe], a->nodes,
                                  right->branches + right->branches_begin[other], b->nodes, most) > most)
        return AKIN_OK;
    worker->bounded++;
    /* within one column the graph of the lower row is the left one, whichever is the probe */
    const int swap = job->self && left->rows[probe] > right->rows[other];
    return akin_graph_search_pair(&worker->search, swap ? b : a, swap ? a : b, most, NULL, distance);
}

void akin_graph_job_add_up(akin_graph_job *job)
{
    const uint64_t left = job->sides[0].count, right = job->sides[1].count;
    akin_graphs_report *report = &job->report;
    for (uint32_t t = 0; t < job->scope->threads; t++) {
        const akin_graph_worker *w = &job->workers[t];
        report->candidates += w->candidates;
        report->compared += w->compared;
        report->bounded += w->bounded;
        report->searched += w->search.searched;
        report->states += w->search.visited;
        report->pairs_found += w->found;
        report->undecided += w->undecided;
    }
    report->rows_left = (uint32_t)left;
    report->rows_right = (uint32_t)right;
    report->nodes_left = job->sides[0].graphs.nodes;
    report->nodes_right = job->sides[1].graphs.nodes;
    report->edges_left = job->sides[0].graphs.edges;
    report->edges_right = job->sides[1].graphs.edges;
    report->labels = job->ranks.labels;
    report->threads = job->scope->threads;
    report->pairs_all = job->self ? left * (left - (left > 0)) / 2 : left * right;
    report->memory_peak = job->account->peak;
}

void akin_graph_job_clear(akin_graph_job *job)
{
    for (uint32_t t = 0; t < job->scope->threads && job->workers; t++) {
        akin_graph_search_clear(&job->workers[t].search);
        akin_free(job->workers[t].lookup.seen);
        akin_free(job->workers[t].lookup.found);
    }
    akin_free(job->workers);
    akin_graph_index_clear(&job->index);
    akin_graph_ranks_clear(&job->ranks);
    akin_graph_side_clear(&job->sides[0]);
    akin_graph_side_clear(&job->sides[1]);
}
