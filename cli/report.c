/* The report of a search for duplicates, as the command names what is in it. */
#include "report.h"

#include "path.h"

akin_status akin_cli_page_begin(akin_cli_page *page, akin_cli_job *job, const akin_cli_dedupe_request *request,
                                const akin_column *const ids[2], const akin_cli_id_pairs *gold, akin_error *error)
{
    *page = (akin_cli_page){.options = AKIN_REPORT_OPTIONS_INIT};
    const akin_dedupe_titles *titles = akin_dedupe_plan_titles(request->plan);
    for (int i = 0; i < 2 && request->inputs[i]; i++)
        page->tables[i] = akin_cli_path_last(request->inputs[i]);
    page->options.tables = page->tables;
    page->options.columns = titles->columns;
    page->options.comparators = titles->comparators;
    page->options.selections = titles->selections;
    for (int i = 0; i < 2; i++) {
        page->options.ids[i] = ids[i];
        page->options.gold[i] = gold ? &gold->ids[i] : NULL;
    }
    page->options.gold_rows = gold ? gold->rows : 0;
    page->options.reproducible = request->reproducible;
    page->options.clustering = akin_dedupe_plan_clusters(request->plan);
    return akin_report_create(job->context, &page->options, &page->report, error);
}

void akin_cli_page_clear(akin_cli_page *page)
{
    akin_report_free(page->report);
    *page = (akin_cli_page){.report = NULL};
}
