/* How pairs of records are selected, and by which keys: the tables of names. */
#include "dedupe/selections.h"

static const akin_selection_row selections[] = {
    {{"all", "", "all pairs", AKIN_SELECT_ALL, 0}, akin_plan_read_all, {{{NULL, AKIN_FIELD_TEXT, 0, NULL}}}},
    {{"window", ":W[:COLUMN[:KEY]]", "records sorted by a key, each with the W - 1 next ones", AKIN_SELECT_WINDOW, 0},
     akin_plan_read_window,
     {{{"size", AKIN_FIELD_NUMBER, 0, NULL}, {"column", AKIN_FIELD_TEXT, 1, NULL}, {"key", AKIN_FIELD_KEY, 1, NULL}}}},
    {{"block", ":COLUMN[:KEY][+COLUMN[:KEY]...]", "records whose keys are equal", AKIN_SELECT_BLOCK, 0},
     akin_plan_read_block,
     {{{"columns", AKIN_FIELD_LIST, 0, NULL}}}},
    {{"similar", ":COLUMN:MEASURE:T[:TOKENS]", "records that have similar sets of tokens in a column",
      AKIN_SELECT_SIMILAR, 0},
     akin_plan_read_similar,
     {{{"column", AKIN_FIELD_TEXT, 0, NULL},
       {"measure", AKIN_FIELD_TEXT, 0, NULL},
       {"threshold", AKIN_FIELD_NUMBER, 0, NULL},
       {"tokens", AKIN_FIELD_REST, 1, NULL}}}},
};
const akin_choice_table akin_selections = AKIN_CHOICE_TABLE("selection of pairs", selections);

static const akin_key_row keys[] = {
    {{"value", "", "the value itself", AKIN_KEY_VALUE, 0}, 0},
    {{"simple", "", "the length of the value and its first character", AKIN_KEY_SIMPLE, 0}, 0},
    {{"soundex", "", "the Soundex code of the value", AKIN_KEY_SOUNDEX, 0}, 0},
};
const akin_choice_table akin_keys = AKIN_CHOICE_TABLE("key", keys);

static const akin_choice ways[] = {
    {"zero", "", "a missing value has similarity 0", AKIN_MISSING_ZERO, AKIN_IS_DEFAULT},
    {"skip", "", "a column with a missing value does not count", AKIN_MISSING_SKIP, 0},
    {"equal", "", "similarity 1 if both values are missing, else 0", AKIN_MISSING_EQUAL, 0},
};
const akin_choice_table akin_missing_ways = AKIN_CHOICE_TABLE("way to deal with missing values", ways);

static const akin_token_row tokens[] = {
    {{"words", "[:N]", "runs of letters and digits, or of N words", AKIN_TOKENS_WORDS, AKIN_IS_DEFAULT},
     1,
     AKIN_TOKENS_SHINGLES},
    {{"qgrams", ":N", "runs of N characters", AKIN_TOKENS_QGRAMS, 0}, 0, AKIN_TOKENS_QGRAMS},
};
const akin_choice_table akin_similar_tokens = AKIN_CHOICE_TABLE("cut of tokens", tokens);
