/* Reads match options. */
#include "match/options.h"

#include "base/options.h"
#include "strings/comparators.h"

AKIN_OPTIONS_END(akin_match_options, reserved);

static const akin_choice technique_rows[] = {
    {"auto", "", "the faster technique, by a sample, for strings of each length", AKIN_MATCH_AUTO,
     AKIN_ON_CPU | AKIN_ON_GPU | AKIN_IS_DEFAULT},
    {"bags", "", "screens all pairs of compatible lengths by bags of characters", AKIN_MATCH_BAGS,
     AKIN_ON_CPU | AKIN_ON_GPU | AKIN_BY_AUTO},
    {"segments", "", "looks up segments in an index, for edit distances", AKIN_MATCH_SEGMENTS,
     AKIN_ON_CPU | AKIN_BY_AUTO},
};
const akin_choice_table akin_match_techniques = AKIN_CHOICE_TABLE("technique of strings", technique_rows);

const char *akin_match_technique_name(akin_match_technique technique)
{
    return akin_choice_name(&akin_match_techniques, (int)technique);
}

akin_status akin_match_technique_parse(const char *name, akin_match_technique *out, akin_error *error)
{
    int value;
    akin_status status = akin_choice_value(&akin_match_techniques, name, &value, error);
    if (status == AKIN_OK)
        *out = (akin_match_technique)value;
    return status;
}

static int is_by_edits(const akin_choice *row, unsigned unused)
{
    (void)unused;
    return ((const akin_comparator_row *)row)->form == AKIN_BY_EDITS;
}

static akin_status fail_segments(akin_error *error)
{
    char names[200];
    akin_choice_list_if(&akin_comparators, is_by_edits, 0, names, sizeof names);
    return akin_fail(error, AKIN_E_OPTION, "segments are looked up for edit distances alone, %s; use auto or bags",
                     names);
}

static akin_status fail_match_technique(akin_match_technique technique, akin_error *error)
{
    char names[200];
    akin_choice_list(&akin_match_techniques, 0, names, sizeof names);
    return akin_fail(error, AKIN_E_OPTION, "unknown technique %d of strings: expected %s", (int)technique, names);
}

static akin_status fail_comparator(akin_error *error)
{
    char names[200];
    akin_choice_list(&akin_comparators, AKIN_FOR_MATCH, names, sizeof names);
    return akin_fail(error, AKIN_E_OPTION, "strings are matched by %s, and by no other comparator", names);
}

akin_status akin_match_options_read(const akin_match_options *options, akin_match_options *own, akin_cutoff *cutoff,
                                    uint32_t *folds, akin_error *error)
{
    akin_match_options request = AKIN_MATCH_OPTIONS_INIT;
    akin_compare_options compare;
    akin_status status =
        akin_options_read(options, &request, sizeof request, sizeof request, "akin_match_options", error);
    if (status == AKIN_OK)
        status = akin_compare_options_read(request.compare, &compare, error);
    if (status == AKIN_OK && request.cutoff.num > 0)
        status = akin_compare_cutoff_check(request.cutoff, error);
    if (status == AKIN_OK && request.cutoff.num > 0 && request.most > 0)
        status =
            akin_fail(error, AKIN_E_OPTION, "both a cutoff and a largest distance: set cutoff.num to 0 for a distance");
    if (status != AKIN_OK)
        return status;
    const akin_comparator_row *row = akin_comparator_of(compare.comparator);
    if (!row || !(row->choice.capabilities & AKIN_FOR_MATCH))
        return fail_comparator(error);
    if (row->form != AKIN_BY_EDITS && request.cutoff.num == 0)
        return akin_fail(error, AKIN_E_OPTION, "a cutoff of 0: expected a similarity above 0 for %s", row->choice.name);
    if (request.any_order > 1)
        return akin_fail(error, AKIN_E_OPTION, "akin_match_options: any_order is %u, expected 0 or 1",
                         request.any_order);
    if (request.connecting > 1 || (request.connecting && request.top > 0))
        return akin_fail(error, AKIN_E_OPTION, "akin_match_options: connecting is %u, expected %s", request.connecting,
                         request.top > 0 ? "0 with the best partners of each row" : "0 or 1");
    if (!akin_match_technique_name(request.technique))
        return fail_match_technique(request.technique, error);
    if (request.top > 0 && request.technique != AKIN_MATCH_AUTO)
        return akin_fail(error, AKIN_E_OPTION,
                         "the best partners of a row are found by a technique of their own: use the technique auto");
    if (request.technique == AKIN_MATCH_SEGMENTS && row->form != AKIN_BY_EDITS)
        return fail_segments(error);
    *cutoff = akin_cutoff_of(row, &compare, request.cutoff, request.most);
    *folds = compare.folds;
    if (own)
        *own = request;
    return AKIN_OK;
}
