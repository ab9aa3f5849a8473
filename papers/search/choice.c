/* What is refused of the paper's techniques, their options, and their figures of a report. */
#include "papers/search/choice.h"

#include "base/annex.h"
#include "base/options.h"
#include "device/devices.h"
#include "papers/search/paper.h"
#include "search/call.h"
#include "search/kinds.h"
#include "search/techniques.h"

AKIN_OPTIONS_END(akin_papers_search_options, reserved);
AKIN_OPTIONS_END(akin_papers_search_report, seconds_select);

enum { NAMES = 128 };

/* Lists of techniques, for messages. */
static int splits_lists(const akin_choice *row, unsigned unused)
{
    const akin_paper_way *way = ((const akin_search_technique_row *)row)->own;
    (void)unused;
    return way && !way->scans;
}

static int counts_candidates(const akin_choice *row, unsigned unused)
{
    (void)unused;
    return (row->capabilities & AKIN_FROM_PAPER) && ((const akin_search_technique_row *)row)->counts_grams;
}

static int is_of_device(const akin_choice *row, unsigned device)
{
    return (row->capabilities & AKIN_FROM_PAPER) && (row->capabilities & device);
}

static akin_status fail_technique(const akin_search_call *call, const char *message,
                                  int (*is_listed)(const akin_choice *row, unsigned what), unsigned what,
                                  akin_error *error)
{
    const akin_choice_table all = akin_annex_table(akin_annex_of(call->scope), &akin_search_techniques);
    char names[NAMES];
    akin_choice_list_if(&all, is_listed, what, names, sizeof names);
    return akin_fail(error, AKIN_E_OPTION, "the technique %s %s %s", call->technique->choice.name, message, names);
}

akin_status akin_paper_check(const akin_search_call *call, akin_error *error)
{
    const akin_choice *row = &call->technique->choice;
    const int is_of_candidates = akin_search_takes(call->index, "candidates");
    const int is_gpu = akin_device_is_required(call->searcher->scope);
    if (call->options.measure != AKIN_OVERLAP)
        return akin_fail(error, AKIN_E_OPTION, "the technique %s counts, and measures nothing: expected %s", row->name,
                         akin_search_technique_name(NULL, AKIN_SEARCH_LISTS));
    if (is_of_candidates && (call->options.candidates == 0 || !counts_candidates(row, 0)))
        return fail_technique(call, "counts no strings; candidates among them are counted by", counts_candidates, 0,
                              error);
    if (is_gpu && !(row->capabilities & AKIN_ON_GPU))
        return fail_technique(call, "is one of the CPU: expected the device cpu, or", is_of_device, AKIN_ON_GPU, error);
    if (!is_gpu && !(row->capabilities & AKIN_ON_CPU))
        return fail_technique(call, "is one of a GPU: expected the device cuda, or", is_of_device, AKIN_ON_CPU, error);
    return AKIN_OK;
}

static akin_status read_options(const void *annex, akin_papers_search_options *own, akin_error *error)
{
    *own = (akin_papers_search_options)AKIN_PAPERS_SEARCH_OPTIONS_INIT;
    return akin_options_read(annex, own, sizeof *own, sizeof *own, "akin_papers_search_options", error);
}

static akin_status check_options(const akin_search_call *call, akin_error *error)
{
    akin_papers_search_options own;
    akin_status status = read_options(call->options.annex, &own, error);
    if (status != AKIN_OK)
        return status;
    if (own.load_balance > 1 || own.reserved != 0)
        return akin_fail(error, AKIN_E_OPTION,
                         "akin_papers_search_options: load_balance %u, reserved %u; expected 0 or 1, and 0",
                         own.load_balance, own.reserved);
    if (own.load_balance > 0 && !splits_lists(&call->technique->choice, 0))
        return fail_technique(call, "splits no long lists, which load_balance asks for: expected", splits_lists, 0,
                              error);
    return AKIN_OK;
}

const akin_search_reader akin_papers_search_readers[AKIN_PAPERS_SEARCH_READERS] = {
    {{"options", "", "reads the options of the papers' searches", 0, AKIN_FROM_PAPER}, check_options},
};

akin_papers_search_options akin_papers_search_options_of(const void *annex)
{
    akin_papers_search_options own;
    read_options(annex, &own, NULL);
    return own;
}

akin_status akin_papers_search_report_read(const akin_search_report *report, akin_papers_search_report *out,
                                           akin_error *error)
{
    const double *figures = report->annex_figures;
    const akin_papers_search_report own = {.size = sizeof own,
                                           .query_bytes = (uint64_t)figures[AKIN_FIGURE_QUERY_BYTES],
                                           .again = (uint64_t)figures[AKIN_FIGURE_AGAIN],
                                           .seconds_transfer = figures[AKIN_FIGURE_TRANSFER],
                                           .seconds_match = figures[AKIN_FIGURE_MATCH],
                                           .seconds_select = figures[AKIN_FIGURE_SELECT]};
    return akin_options_write(&own, sizeof own, out, "akin_papers_search_report", error);
}
