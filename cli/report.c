/* The report of a search for duplicates, as the command names what is in it. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "path.h"

/* A file without the folders that it is in. */
static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (akin_cli_path_is_stdin(path))
        return akin_cli_path_name(path);
    return slash && slash[1] ? slash + 1 : path;
}

/* What selections are called: as they were given, and one of several that one word stands for with its column. */
static int name_selections(akin_cli_page *page, const akin_cli_rules *rules)
{
    size_t room = 1;
    for (uint32_t i = 0; i < rules->options.selection_count; i++)
        room += strlen(rules->pairs[i]) + (rules->of[i] ? strlen(rules->of[i]) + 4 : 0) + 1;
    char *at = page->words = malloc(room);
    for (uint32_t i = 0; at && i < rules->options.selection_count; i++) {
        page->selections[i] = at;
        int length =
            snprintf(at, room, "%s%s%s", rules->pairs[i], rules->of[i] ? " of " : "", rules->of[i] ? rules->of[i] : "");
        at += length + 1;
        room -= (size_t)length + 1;
    }
    return page->words != NULL;
}

akin_status akin_cli_page_begin(akin_cli_page *page, akin_cli_job *job, const akin_cli_dedupe_request *request,
                                const akin_column *const ids[2], const akin_cli_id_pairs *gold, akin_error *error)
{
    *page = (akin_cli_page){.options = AKIN_REPORT_OPTIONS_INIT};
    if (!name_selections(page, &request->rules)) {
        snprintf(error->message, sizeof error->message, "not enough memory for the report");
        return error->code = AKIN_E_NOMEM;
    }
    for (int i = 0; i < 2 && request->inputs[i]; i++)
        page->tables[i] = name_of(request->inputs[i]);
    page->options.tables = page->tables;
    page->options.columns = request->rules.columns;
    page->options.comparators = request->rules.comparators;
    page->options.selections = page->selections;
    for (int i = 0; i < 2; i++) {
        page->options.ids[i] = ids[i];
        page->options.gold[i] = gold ? &gold->ids[i] : NULL;
    }
    page->options.gold_rows = gold ? gold->rows : 0;
    return akin_report_create(job->context, &page->options, &page->report, error);
}

void akin_cli_page_clear(akin_cli_page *page)
{
    akin_report_free(page->report);
    free(page->words);
    *page = (akin_cli_page){.report = NULL};
}
