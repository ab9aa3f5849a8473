/* What is refused of the paper's techniques. */
#include "search/paper/choice.h"

enum { NAMES = 128 };

static const akin_paper_way ways[] = {
    {AKIN_SEARCH_CPQ, .has_queue = 1},
    {AKIN_SEARCH_SPQ, .has_queue = 0},
    {AKIN_SEARCH_SPQ_SCAN, .scans = 1},
};

const akin_paper_way *akin_paper_way_of(akin_search_technique technique)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (ways[i].technique == technique)
            return &ways[i];
    return NULL;
}

/* Lists of techniques, for messages. */
static int splits_lists(const akin_choice *row, unsigned unused)
{
    const akin_paper_way *way = akin_paper_way_of((akin_search_technique)row->value);
    (void)unused;
    return way && !way->scans;
}

static int counts_candidates(const akin_choice *row, unsigned unused)
{
    const akin_paper_way *way = akin_paper_way_of((akin_search_technique)row->value);
    (void)unused;
    return (row->capabilities & AKIN_FROM_PAPER) && !(way && way->scans);
}

static int is_of_device(const akin_choice *row, unsigned device)
{
    return (row->capabilities & AKIN_FROM_PAPER) && (row->capabilities & device);
}

static akin_status fail(const char *message, const char *name, int (*is_listed)(const akin_choice *row, unsigned what),
                        unsigned what, akin_error *error)
{
    char names[NAMES];
    akin_choice_list_if(&akin_search_techniques, is_listed, what, names, sizeof names);
    return akin_fail(error, AKIN_E_OPTION, "the technique %s %s %s", name, message, names);
}

akin_status akin_paper_check(const akin_search_options *options, int is_of_candidates, int is_gpu, akin_error *error)
{
    const akin_search_technique technique = options->technique;
    const akin_choice *row = akin_choice_of(&akin_search_techniques, (int)technique);
    if (options->load_balance > 0 && (!row || !splits_lists(row, 0)))
        return fail("splits no long lists, which load_balance asks for: expected",
                    akin_search_technique_name(technique), splits_lists, 0, error);
    if (!row || !akin_search_is_paper(technique))
        return AKIN_OK;
    if (options->measure != AKIN_OVERLAP)
        return akin_fail(error, AKIN_E_OPTION, "the technique %s counts, and measures nothing: expected %s", row->name,
                         akin_search_technique_name(AKIN_SEARCH_LISTS));
    if (is_of_candidates && (options->candidates == 0 || !counts_candidates(row, 0)))
        return fail("counts no strings; candidates among them are counted by", row->name, counts_candidates, 0, error);
    if (is_gpu && !(row->capabilities & AKIN_ON_GPU))
        return fail("is one of the CPU: expected the device cpu, or", row->name, is_of_device, AKIN_ON_GPU, error);
    if (!is_gpu && !(row->capabilities & AKIN_ON_CPU))
        return fail("is one of a GPU: expected the device cuda, or", row->name, is_of_device, AKIN_ON_CPU, error);
    return AKIN_OK;
}
