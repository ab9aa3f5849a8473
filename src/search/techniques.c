/* The table of the techniques of a search. */
#include "search/techniques.h"

#include "base/annex.h"
#include "search/searcher.h"

#define EITHER (AKIN_ON_CPU | AKIN_ON_GPU)

static const akin_search_technique_row rows[] = {
    {{"auto", "", "the technique that is predicted to be fastest", AKIN_SEARCH_AUTO, EITHER | AKIN_IS_DEFAULT},
     .count = akin_searcher_count},
    {{"lists", "", "counts by posting lists", AKIN_SEARCH_LISTS, EITHER | AKIN_BY_AUTO},
     .count = akin_searcher_count,
     .counts_grams = 1},
    {{"scan", "", "compares all objects", AKIN_SEARCH_SCAN, EITHER | AKIN_BY_AUTO}, .count = akin_searcher_count},
};
const akin_choice_table akin_search_techniques = AKIN_CHOICE_TABLE("technique", rows);
const akin_choice_table akin_search_readers = {.what = "reader of options", .stride = sizeof(akin_search_reader)};

const akin_search_technique_row *akin_search_technique_of(const akin_annex *annex, akin_search_technique technique)
{
    return (const akin_search_technique_row *)akin_annex_find(annex, &akin_search_techniques, (int)technique);
}

const char *akin_search_technique_name(const akin_annex *annex, akin_search_technique technique)
{
    const akin_choice *row = akin_annex_find(annex, &akin_search_techniques, (int)technique);
    return row ? row->name : NULL;
}

akin_status akin_search_technique_parse(const akin_annex *annex, const char *name, akin_search_technique *out,
                                        akin_error *error)
{
    int value;
    const akin_choice_table techniques = akin_annex_table(annex, &akin_search_techniques);
    akin_status status = akin_choice_value(&techniques, name, &value, error);
    if (status == AKIN_OK)
        *out = (akin_search_technique)value;
    return status;
}
