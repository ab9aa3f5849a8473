/* The rows of the paper's techniques of a search, and how a searcher counts by them. */
#include "papers/search/techniques.h"

#include "papers/search/choice.h"
#include "papers/search/cpu_idx.h"
#include "papers/search/paper.h"
#include "search/searcher.h"

static akin_status count_on_cpu(akin_searcher *searcher, const akin_queries *queries,
                                const akin_search_technique_row *technique, akin_search_results *out, akin_error *error)
{
    (void)technique;
    searcher->device = 0;
    return akin_cpu_idx_search(searcher->scope, &searcher->index->objects, queries, out, error);
}

/* Adds what a batch took. */
static void add_figures(double figures[AKIN_SEARCH_FIGURES], const akin_paper_report *own)
{
    if ((double)own->query_bytes > figures[AKIN_FIGURE_QUERY_BYTES])
        figures[AKIN_FIGURE_QUERY_BYTES] = (double)own->query_bytes;
    figures[AKIN_FIGURE_AGAIN] += (double)own->again;
    figures[AKIN_FIGURE_TRANSFER] += own->seconds_transfer;
    figures[AKIN_FIGURE_MATCH] += own->seconds_match;
    figures[AKIN_FIGURE_SELECT] += own->seconds_select;
}

static akin_status count_on_gpu(akin_searcher *searcher, const akin_queries *queries,
                                const akin_search_technique_row *technique, akin_search_results *out, akin_error *error)
{
    const akin_papers_search_options asked = akin_papers_search_options_of(searcher->annex_options);
    const akin_paper_options options = {.is_balanced = asked.load_balance != 0};
    akin_paper_report own;
    akin_status status = akin_searcher_bring(searcher, error);
    if (status != AKIN_OK)
        return status;
    if (!searcher->ranges)
        return akin_fail(error, AKIN_E_OPTION, "the technique %s is one of a GPU", technique->choice.name);
    status = akin_paper_search(searcher->scope, searcher->ranges, queries, technique, &options, out, &own, error);
    add_figures(searcher->annex_figures, &own);
    return status;
}

static const akin_paper_way by_queue = {.has_queue = 1}, by_table = {0}, by_scan = {.scans = 1};

const akin_search_technique_row akin_papers_search_techniques[AKIN_PAPERS_SEARCH_TECHNIQUES] = {
    {{"cpu-idx", "", "inverted index and a partial sort on the CPU", AKIN_SEARCH_CPU_IDX,
      AKIN_ON_CPU | AKIN_FROM_PAPER},
     .count = count_on_cpu,
     .counts_grams = 1,
     .check = akin_paper_check},
    {{"cpq", "", "a count priority queue on a GPU", AKIN_SEARCH_CPQ, AKIN_ON_GPU | AKIN_FROM_PAPER},
     .count = count_on_gpu,
     .counts_grams = 1,
     .check = akin_paper_check,
     .own = &by_queue},
    {{"spq", "", "a count table and a bucket selection on a GPU", AKIN_SEARCH_SPQ, AKIN_ON_GPU | AKIN_FROM_PAPER},
     .count = count_on_gpu,
     .counts_grams = 1,
     .check = akin_paper_check,
     .own = &by_table},
    {{"spq-scan", "", "a scan and a bucket selection on a GPU", AKIN_SEARCH_SPQ_SCAN, AKIN_ON_GPU | AKIN_FROM_PAPER},
     .count = count_on_gpu,
     .check = akin_paper_check,
     .own = &by_scan},
};
