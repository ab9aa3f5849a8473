/* The tables of selections, and of their arguments. */
#include "dedupe/selections.h"

#include "dedupe/listed.h"
#include "dedupe/plan_pairs.h"
#include "dedupe/select_all.h"
#include "dedupe/select_block.h"
#include "dedupe/select_given.h"
#include "dedupe/select_nearest.h"
#include "dedupe/select_similar.h"
#include "dedupe/select_window.h"

#define PARTNERS_GUESSED 20 /* of a record */

/* How many pairs a selection has is not known before it is made. */
static double guess(const akin_dedupe_options *options, const akin_selection *selection, const akin_records *records)
{
    (void)options, (void)selection;
    return (double)records->count * PARTNERS_GUESSED;
}

static const akin_selection_row selections[] = {
    {{"all-pairs", "", "compare all pairs; for up to some 10,000 records", AKIN_SELECT_ALL, AKIN_IS_FLAG},
     .read = akin_plan_read_all,
     .has_copies = 1,
     .gpu = AKIN_GPU_NEEDS_NONE,
     .locality = AKIN_LOCALITY_PAIR,
     .pairing = &akin_pairing_all,
     .make = akin_select_all,
     .expected = akin_select_all_expected},
    {{"window", " W[:COLUMN[:KEY]]", "sort records by a key of COLUMN; compare each with the next W - 1",
      AKIN_SELECT_WINDOW, AKIN_IS_REPEATED},
     .read = akin_plan_read_window,
     .form = {{{"size", AKIN_FIELD_NUMBER, 0, 0, NULL, NULL},
               {"column", AKIN_FIELD_TEXT, 0, 1, NULL, NULL},
               {"right", AKIN_FIELD_TEXT, '=', 1, NULL, NULL},
               {"key", AKIN_FIELD_KEY, 0, 1, NULL, NULL}},
              0},
     .parts_least = 1,
     .parts_most = 1,
     .has_keys = 1,
     .has_values = 1,
     .key = AKIN_KEY_VALUE,
     .gpu = AKIN_GPU_SORTS,
     .locality = AKIN_LOCALITY_WINDOW,
     .pairing = &akin_pairing_near,
     .check = akin_select_window_check,
     .make = akin_select_window,
     .expected = akin_select_window_expected},
    {{"block", " COLUMN[:KEY][+COLUMN[:KEY]...]", "compare records whose keys are equal in all of these columns",
      AKIN_SELECT_BLOCK, AKIN_IS_REPEATED},
     .read = akin_plan_read_block,
     .form = {{{"columns", AKIN_FIELD_LIST, 0, 0, NULL, &akin_plan_keyed_form}}, 0},
     .parts_least = 1,
     .parts_most = UINT32_MAX,
     .has_keys = 1,
     .has_values = 1,
     .has_copies = 1,
     .key = AKIN_KEY_VALUE,
     .gpu = AKIN_GPU_TAKES,
     .locality = AKIN_LOCALITY_BLOCK,
     .pairing = &akin_pairing_same,
     .make = akin_select_block,
     .expected = guess},
    {{"similar", " COLUMN:MEASURE:T[:TOKENS]", "compare records whose tokens in COLUMN have a similarity of T or more",
      AKIN_SELECT_SIMILAR, AKIN_IS_REPEATED},
     .read = akin_plan_read_similar,
     .form = {{AKIN_FIELDS_OF_COLUMN,
               {"measure", AKIN_FIELD_CHOICE, 0, 0, NULL, NULL},
               {"threshold", AKIN_FIELD_NUMBER, 0, 0, NULL, NULL},
               {"tokens", AKIN_FIELD_REST, 0, 1, NULL, NULL}},
              0},
     .parts_least = 1,
     .parts_most = 1,
     .has_copies = 1,
     .key = AKIN_KEY_VALUE,
     .tokens = AKIN_TOKENS_WORDS,
     .gpu = AKIN_GPU_TAKES,
     .locality = AKIN_LOCALITY_PAIR,
     .pairing = &akin_pairing_listed,
     .check = akin_select_similar_check,
     .make = akin_select_similar,
     .expected = guess},
    {{"nearest", " K[:COLUMN[:TOKENS]]", "compare each record with the K records most alike in COLUMN",
      AKIN_SELECT_NEAREST, AKIN_IS_REPEATED},
     .read = akin_plan_read_nearest,
     .form = {{{"count", AKIN_FIELD_NUMBER, 0, 0, NULL, NULL},
               {"column", AKIN_FIELD_TEXT, 0, 1, NULL, NULL},
               {"right", AKIN_FIELD_TEXT, '=', 1, NULL, NULL},
               {"tokens", AKIN_FIELD_REST, 0, 1, NULL, NULL}},
              0},
     .parts_least = 1,
     .parts_most = 1,
     .has_values = 1,
     .key = AKIN_KEY_VALUE,
     .tokens = AKIN_NEAREST_TOKENS,
     .gpu = AKIN_GPU_TAKES,
     .locality = AKIN_LOCALITY_TABLE,
     .pairing = &akin_pairing_listed,
     .check = akin_select_nearest_check,
     .make = akin_select_nearest,
     .expected = akin_select_nearest_expected},
    {{"given", " FILE", "compare the pairs of ids, or of row numbers, that FILE has", AKIN_SELECT_GIVEN, 0},
     .read = akin_plan_read_given,
     .gpu = AKIN_GPU_TAKES,
     .locality = AKIN_LOCALITY_TABLE,
     .pairing = &akin_pairing_listed,
     .make = akin_select_given,
     .expected = akin_select_given_expected},
};
const akin_choice_table akin_selections = AKIN_CHOICE_TABLE("selection of pairs", selections);

const akin_selection_row *akin_selection_row_of(akin_selection_kind kind)
{
    return (const akin_selection_row *)akin_choice_of(&akin_selections, (int)kind);
}

akin_locality akin_selection_locality(const akin_selection *selection)
{
    const akin_selection_row *row = akin_selection_row_of(selection->kind);
    return row ? row->locality : AKIN_LOCALITY_TABLE;
}

uint32_t akin_selection_parts(const akin_selection *selection)
{
    return akin_selection_row_of(selection->kind)->parts_most > 0 ? selection->part_count : 0;
}

akin_selector akin_selector_begin(const akin_selection *selection, const akin_records *records)
{
    const akin_pairing *pairing = akin_selection_row_of(selection->kind)->pairing;
    return (akin_selector){.pairing = pairing,
                           .records = records,
                           .form = pairing->form,
                           .window = selection->window,
                           .count = records->count};
}

akin_status akin_selector_make(const akin_selecting *job, akin_selector *selector, akin_error *error)
{
    return akin_selection_row_of(job->selection->kind)->make(job, selector, error);
}

static const akin_choice ways[] = {
    {"zero", "", "a missing value has similarity 0", AKIN_MISSING_ZERO, AKIN_IS_DEFAULT},
    {"skip", "", "a column with a missing value does not count", AKIN_MISSING_SKIP, 0},
    {"equal", "", "similarity 1 if both values are missing, else 0", AKIN_MISSING_EQUAL, 0},
};
const akin_choice_table akin_missing_ways = AKIN_CHOICE_TABLE("way to deal with missing values", ways);

static const akin_choice weights_ways[] = {
    {"given", "", "each comparison has its WEIGHT, and a pair the weighted average", AKIN_WEIGHTS_GIVEN,
     AKIN_IS_DEFAULT},
    {"learn", "", "learnt from the pairs, without labels; a pair has a probability", AKIN_WEIGHTS_LEARN, 0},
};
const akin_choice_table akin_weightings = AKIN_CHOICE_TABLE("way to weigh comparisons", weights_ways);
