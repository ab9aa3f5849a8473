/* What akin search explains: what it chose and what it did. */
#include "search.h"

#include <inttypes.h>
#include <stdio.h>

#include "number.h"

/* Whether indexes like this one have an option. */
static int has_option(const akin_search_statistics *index, const char *option)
{
    return akin_search_facts_take(akin_search_facts_of(index->kind, index->functions > 0), option);
}

/* What was done, and where. */
static void explain_done(const akin_search_statistics *index, const akin_search_report *report)
{
    if (report->queries == 0) {
        fprintf(stderr, "%-11s nothing: there are no queries\n", "done");
        return;
    }
    fprintf(stderr, "%-11s %s, on ", "done", akin_search_technique_name(akin_papers(), report->technique));
    if (report->device)
        fprintf(stderr, "GPU %" PRIu32, report->device - 1);
    else
        fprintf(stderr, "the CPU");
    if (report->parts > 1)
        fprintf(stderr, ", in %" PRIu32 " parts", report->parts);
    if (report->given_up)
        fprintf(stderr, ", as GPU %" PRIu32 " could not", report->given_up - 1);
    fprintf(stderr, "%s\n",
            report->device && has_option(index, "candidates") && report->technique != AKIN_SEARCH_SCAN
                ? "; candidates compared on the CPU"
                : "");
}

static void explain_functions(const akin_search_statistics *index)
{
    char number[AKIN_CLI_NUMBER];
    fprintf(stderr, " of %" PRIu32 " functions", index->functions);
    if (!has_option(index, "family"))
        return;
    fprintf(stderr, " by %s", akin_family_name(index->family));
    if (index->width > 0 || index->sigma > 0) {
        const double value = index->width > 0 ? index->width : index->sigma;
        akin_cli_format_double(number, value);
        fprintf(stderr, ", %s %s", index->width > 0 ? "width" : "sigma", number);
    }
    if (has_option(index, "rerank"))
        fprintf(stderr, ", vectors %s", index->vectors > 0 ? "kept" : "not kept");
}

/* What was predicted of a GPU, if there can be one. */
static void explain_device(const akin_context *context, double seconds)
{
    akin_info info = {.size = sizeof info};
    if (akin_context_info(context, &info, NULL) != AKIN_OK || info.cuda == 0)
        return;
    if (info.devices > 0)
        fprintf(stderr, "; a GPU %.3f s", seconds);
    else
        fprintf(stderr, "; no GPU");
}

/* What auto has weighed. */
static void explain_weighed(const akin_context *context, const akin_search_statistics *index,
                            const akin_search_report *report)
{
    fprintf(stderr, "%-11s for one thread: lists %.3f s", "weighed", report->seconds_lists);
    if (report->seconds_scan > 0)
        fprintf(stderr, ", scan %.3f s", report->seconds_scan);
    else if (index->columns > 0)
        fprintf(stderr, "; no scan: a column has more than 65,535 keywords");
    if (report->seconds_device > 0)
        explain_device(context, report->seconds_device);
    fprintf(stderr, "\n");
}

/* What the papers' techniques took on a GPU. */
static void explain_papers(const akin_search_report *report)
{
    char again[AKIN_CLI_NUMBER], bytes[AKIN_CLI_NUMBER];
    akin_papers_search_report papers = {.size = sizeof papers};
    if (akin_papers_search_report_read(report, &papers, NULL) != AKIN_OK || papers.query_bytes == 0)
        return;
    fprintf(stderr, "%-11s %s on the GPU; %s counted again\n", "a query",
            akin_cli_format_amount(bytes, (double)papers.query_bytes, "B"),
            akin_cli_format_grouped(again, papers.again));
    fprintf(stderr, "%-11s transfer %.4f, match %.4f, select %.4f\n", "stages", papers.seconds_transfer,
            papers.seconds_match, papers.seconds_select);
}

void akin_cli_search_explain(const akin_context *context, const akin_search_statistics *index,
                             const akin_search_report *report)
{
    char a[AKIN_CLI_NUMBER], b[AKIN_CLI_NUMBER], c[AKIN_CLI_NUMBER];
    fprintf(stderr, "%-11s %s %s", "index", akin_cli_format_grouped(a, index->objects),
            akin_search_facts_of(index->kind, index->functions > 0)->title);
    if (has_option(index, "tree-format"))
        fprintf(stderr, ", %s labels", akin_cli_format_grouped(b, index->keywords));
    else if (has_option(index, "candidates"))
        fprintf(stderr, ", of %s bytes at most", akin_cli_format_grouped(b, index->longest));
    else
        fprintf(stderr, ", %s keywords", akin_cli_format_grouped(b, index->keywords));
    if (index->functions > 0)
        explain_functions(index);
    else if (index->columns > 0)
        fprintf(stderr, " of %" PRIu32 " columns", index->columns);
    fprintf(stderr, ", %s\n", akin_cli_format_amount(c, (double)index->bytes, "B"));
    fprintf(stderr, "%-11s %s", "queries", akin_cli_format_grouped(a, report->queries));
    if (!has_option(index, "candidates") && !has_option(index, "formula"))
        fprintf(stderr, ", %s items that objects may have", akin_cli_format_grouped(b, report->items));
    fprintf(stderr, "\n");
    if (report->seconds_lists > 0)
        explain_weighed(context, index, report);
    explain_done(index, report);
    if (has_option(index, "candidates"))
        fprintf(stderr, "%-11s %" PRIu32 " by count, %" PRIu32 " by scan, %" PRIu32 " not\n", "certified",
                report->by_count, report->by_scan, report->uncertified);
    fprintf(stderr, "%-11s %s\n", "found", akin_cli_format_grouped(a, report->found));
    explain_papers(report);
    fprintf(stderr, "%-11s queries %.3f, search %.3f\n", "seconds", report->seconds_queries, report->seconds_search);
}
