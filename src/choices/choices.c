/* akin_choices: all tables of choices, by what a user calls them. */
#include "choices/choices.h"

#include "base/annex.h"
#include "base/container.h"
#include "base/limits.h"
#include "base/reasons.h"
#include "corpus/preference.h"
#include "dedupe/keys.h"
#include "dedupe/labelling.h"
#include "dedupe/merge.h"
#include "dedupe/plan.h"
#include "dedupe/selections.h"
#include "dict/trie_forms.h"
#include "graph/clusterings.h"
#include "join/technique.h"
#include "join/technique_rows.h"
#include "match/options.h"
#include "search/kinds.h"
#include "search/techniques.h"
#include "sets/measure.h"
#include "strings/comparators.h"
#include "table/formats.h"
#include "table/matrix.h"
#include "text/fold.h"
#include "text/options.h"
#include "trees/formats.h"
#include "weigh/formula.h"
#include "weigh/stop_words.h"
#include "weigh/weigher.h"
#include "weigh/write.h"

#include <string.h>

static const akin_choice capabilities[] = {
    {"cpu", "", "runs on the CPU", AKIN_ON_CPU, 0},
    {"gpu", "", "runs on a GPU", AKIN_ON_GPU, 0},
    {"auto", "", "may be chosen by auto", AKIN_BY_AUTO, 0},
    {"paper", "", "reproduces a paper, and is never chosen by auto", AKIN_FROM_PAPER, 0},
    {"default", "", "is the default", AKIN_IS_DEFAULT, 0},
    {"compare", "", "compares two strings", AKIN_FOR_COMPARE, 0},
    {"match", "", "joins strings", AKIN_FOR_MATCH, 0},
    {"dedupe", "", "compares or selects records", AKIN_FOR_DEDUPE, 0},
    {"join", "", "joins sets", AKIN_FOR_JOIN, 0},
    {"search", "", "ranks the answers of a search", AKIN_FOR_SEARCH, 0},
    {"distance", "", "has a distance of its own, not 1 - similarity", AKIN_HAS_DISTANCE, 0},
    {"read", "", "can be read", AKIN_CAN_READ, 0},
    {"write", "", "can be written", AKIN_CAN_WRITE, 0},
    {"count", "", "takes a whole number of tokens as its threshold", AKIN_TAKES_COUNT, 0},
    {"directed", "", "treats left and right differently", AKIN_IS_DIRECTED, 0},
    {"floored", "", "can round down half of the symbols that are out of order", AKIN_TAKES_FLOORED, 0},
    {"prefix", "", "gives the first symbols of strings more weight", AKIN_TAKES_PREFIX, 0},
    {"bits", "", "takes a width of signatures", AKIN_TAKES_BITS, 0},
    {"block", "", "takes a size of blocks, on a GPU", AKIN_TAKES_BLOCK, 0},
    {"sharing", "", "takes a way to share candidates, on a GPU", AKIN_TAKES_SHARING, 0},
    {"filter", "", "takes a technique that finds candidates", AKIN_TAKES_FILTER, 0},
    {"finds-candidates", "", "may find candidates for another technique", AKIN_IS_FILTER, 0},
    {"columns", "", "has columns with names", AKIN_HAS_COLUMNS, 0},
    {"delta", "", "takes a delta", AKIN_TAKES_DELTA, 0},
    {"names", "", "has the names of terms and documents", AKIN_HAS_NAMES, 0},
    {"similarities", "", "looks at the similarities of pairs", AKIN_BY_SIMILARITY, 0},
    {"repeated", "", "may be given several times", AKIN_IS_REPEATED, 0},
    {"flag", "", "takes no argument", AKIN_IS_FLAG, 0},
    {"number", "", "takes a number", AKIN_IS_NUMBER, 0},
    {"tables", "", "a database, whose address names one of its tables", AKIN_HAS_TABLES, 0},
    {"all-jobs", "", "concerns jobs of every kind", AKIN_FOR_ALL, 0},
};
static const akin_choice_table all_capabilities = AKIN_CHOICE_TABLE("capability", capabilities);

static const akin_table_row rows[] = {
    {{"answers", "", "what a person says of a pair of records", 0, 0}, &akin_answers},
    {{"capabilities", "", "capabilities of choices; the values are bits", 0, 0}, &all_capabilities},
    {{"choices", "", "all tables of choices", 0, 0}, NULL},
    {{"clusterings", "", "how pairs become clusters", 0, 0}, &akin_clusterings},
    {{"comparators", "", "how alike two values are", 0, 0}, &akin_comparators},
    {{"dictionary-kinds", "", "how a dictionary is kept", 0, 0}, &akin_trie_kinds},
    {{"documents", "", "units of plain text that are a document", 0, 0}, &akin_document_formats},
    {{"families", "", "LSH families that hash vectors and sets", 0, 0}, &akin_families},
    {{"folds", "", "what cleaning removes from values", 0, 0}, &akin_folds},
    {{"foreign-formats", "", "formats of tables that akin neither reads nor writes, by ending", 0, 0},
     &akin_foreign_formats},
    {{"formulas", "", "formulas of term weights", 0, 0}, &akin_formulas},
    {{"keeps", "", "which of two documents that are alike is kept", 0, 0}, &akin_keeps},
    {{"keys", "", "keys that sort records or put them into blocks", 0, 0}, &akin_keys},
    {{"limits", "", "a job that meets one ends with an error; options; 0 lifts a limit", 0, 0}, &akin_limits},
    {{"matrix-formats", "", "formats of matrices of numbers", 0, 0}, &akin_matrix_formats},
    {{"measures", "", "how alike two sets are", 0, 0}, &akin_measures},
    {{"merge-rules", "", "which value of its records a merged record takes", 0, 0}, &akin_merge_rules},
    {{"missing", "", "what a missing value contributes", 0, 0}, &akin_missing_ways},
    {{"opened-formats", "", "formats of tables that other libraries read", 0, 0}, &akin_opened_formats},
    {{"plan-options", "", "options of a plan of deduplication", 0, 0}, &akin_plan_options},
    {{"reasons", "", "the reasons of errors", 0, 0}, &akin_reasons},
    {{"saved-kinds", "", "kinds of files that akin saves", 0, 0}, &akin_saved_kinds},
    {{"search-kinds", "", "kinds of objects in an index", 0, 0}, &akin_search_kinds},
    {{"search-techniques", "", "how a search counts matches", 0, 0}, &akin_search_techniques},
    {{"selections", "", "how pairs of records are selected", 0, 0}, &akin_selections},
    {{"stop-words", "", "languages with a list of stop words", 0, 0}, &akin_languages},
    {{"string-techniques", "", "how a join of strings finds candidates", 0, 0}, &akin_match_techniques},
    {{"table-formats", "", "formats of tables", 0, 0}, &akin_table_formats},
    {{"techniques", "", "how a join of sets finds candidates", 0, 0}, &akin_join_techniques},
    {{"tokens", "", "kinds of tokens of a text", 0, 0}, &akin_cuts},
    {{"tree-formats", "", "formats of trees", 0, 0}, &akin_tree_formats},
    {{"unknown-terms", "", "what happens to terms that a vocabulary lacks", 0, 0}, &akin_unknown_ways},
    {{"weigh-techniques", "", "how term weights are computed", 0, 0}, &akin_weigh_techniques},
    {{"weight-orders", "", "how term weights are listed", 0, 0}, &akin_weights_orders},
    {{"weights", "", "where the weights of comparisons come from", 0, 0}, &akin_weightings},
    {{"weights-formats", "", "formats of term weights", 0, 0}, &akin_weights_formats},
};
const akin_choice_table akin_tables = AKIN_CHOICE_TABLE("table of choices", rows);

/* The rows of a table of the library or of the annex; NULL: there is no such table. */
static const akin_choice_table *find_table(const akin_annex *annex, const char *what, akin_error *error)
{
    const akin_choice_table all = akin_annex_table(annex, &akin_tables);
    const akin_choice *choice = NULL;
    if (akin_choice_parse(&all, what, strlen(what), 0, &choice, error) != AKIN_OK)
        return NULL;
    const akin_choice_table *table = ((const akin_table_row *)choice)->table;
    return table ? table : &akin_tables;
}

/* The same with the rows that the annex has for it, by its exact name; of no rows if there is no such table. */
static akin_choice_table table_of(const akin_annex *annex, const char *what)
{
    const akin_choice_table *table = find_table(annex, what, NULL);
    return table ? akin_annex_table(annex, table) : (akin_choice_table){0};
}

const akin_choice *akin_choices(const char *what, uint32_t index)
{
    const akin_choice_table table = table_of(NULL, what);
    return akin_choice_at(&table, index);
}

const akin_choice *akin_annex_choices(const akin_annex *annex, const char *what, uint32_t index)
{
    const akin_choice_table own = table_of(NULL, what), table = table_of(annex, what);
    return akin_choice_at(&table, own.count + index);
}

const akin_choice *akin_annex_choice_of_value(const akin_annex *annex, const char *what, int value)
{
    const akin_choice_table table = table_of(annex, what);
    return akin_choice_of(&table, value);
}

const akin_choice *akin_choice_of_value(const char *what, int value)
{
    return akin_annex_choice_of_value(NULL, what, value);
}

const char *akin_choice_renamed(const char *what, const char *name)
{
    const akin_choice_table table = table_of(NULL, what);
    return akin_choice_name_now(&table, name, strlen(name));
}

akin_status akin_annex_choice_find(const akin_annex *annex, const char *what, const char *name, const akin_choice **out,
                                   akin_error *error)
{
    const akin_choice_table *own = find_table(annex, what, error);
    if (!own)
        return AKIN_E_OPTION;
    const akin_choice_table table = akin_annex_table(annex, own);
    return akin_choice_parse(&table, name, strlen(name), 0, out, error);
}

akin_status akin_choice_find(const char *what, const char *name, const akin_choice **out, akin_error *error)
{
    return akin_annex_choice_find(NULL, what, name, out, error);
}
