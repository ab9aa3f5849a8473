/* The columns of a plan: those of the tables, those that are made of others, and what all are cleaned of. */
#include "dedupe/plan_columns.h"

#include <string.h>

#include "dedupe/plan_words.h"
#include "strings/comparators.h"
#include "text/fold.h"

#define COMBINE  "combine"
#define FOLD     "fold"
#define SOURCE   "one-per-source"
#define EXPECTED "expected NAME=COLUMN+COLUMN"

/* ----------------------------------------------------------------------------------------------------------- names */

/* The column that the tables call so; their count: there is none. */
static uint64_t find_column(const akin_plan_made *made, const char *left, const char *right)
{
    const char *const *lefts = made->sides[0].rows, *const *rights = made->sides[1].rows;
    uint64_t i = 0;
    while (i < made->sides[0].count && (strcmp(lefts[i], left) != 0 || strcmp(rights[i], right) != 0))
        i++;
    return i;
}

/* The combined column of that name; their count: there is none. */
static uint64_t find_combined(const akin_plan_made *made, const char *name)
{
    const akin_plan_combined *combined = made->combined.rows;
    uint64_t i = 0;
    while (i < made->combined.count && strcmp(combined[i].name, name) != 0)
        i++;
    return i;
}

static akin_status check_count(uint64_t count, akin_error *error)
{
    return count < AKIN_PLAN_COMBINED ? AKIN_OK : akin_fail(error, AKIN_E_LIMIT, "there are too many columns");
}

akin_status akin_plan_column(akin_plan_made *made, const char *left, const char *right, uint32_t *out,
                             akin_error *error)
{
    uint64_t at = find_column(made, left, right);
    akin_status status = check_count(at, error);
    if (status != AKIN_OK)
        return status;
    *out = (uint32_t)at;
    if (at < made->columns.count)
        return AKIN_OK;
    const char *title = strcmp(left, right) == 0 ? left : akin_plan_text(made, error, "%s=%s", left, right);
    const char **column = title ? akin_plan_push(&made->columns, sizeof *column, error) : NULL;
    const char **first = column ? akin_plan_push(&made->sides[0], sizeof *first, error) : NULL;
    const char **second = first ? akin_plan_push(&made->sides[1], sizeof *second, error) : NULL;
    if (!second)
        return AKIN_E_NOMEM;
    *column = title;
    *first = left;
    *second = right;
    return AKIN_OK;
}

akin_status akin_plan_any_column(akin_plan_made *made, const char *left, const char *right, uint32_t *out,
                                 akin_error *error)
{
    uint64_t at = strcmp(left, right) == 0 ? find_combined(made, left) : made->combined.count;
    if (at == made->combined.count)
        return akin_plan_column(made, left, right, out, error);
    *out = AKIN_PLAN_COMBINED + (uint32_t)at;
    return AKIN_OK;
}

const char *akin_plan_column_name(const akin_plan_made *made, uint32_t column)
{
    const akin_plan_combined *combined = made->combined.rows;
    const char *const *names = made->columns.rows;
    return column < AKIN_PLAN_COMBINED ? names[column] : combined[column - AKIN_PLAN_COMBINED].name;
}

akin_status akin_plan_read_id(akin_plan_made *made, const char *word, akin_error *error)
{
    char ended, *text = akin_plan_copy(made, word, error);
    if (!text)
        return AKIN_E_NOMEM;
    const char *left = akin_plan_take(&text, "=", &ended), *right = left;
    if (left && ended == '=')
        right = akin_plan_take(&text, "", &ended);
    if (!left || !right || (!*left && !*right))
        return akin_plan_fail_column(error, "id", word, left ? right : NULL, "expected COLUMN, or LEFT=RIGHT");
    made->titles.id = *left ? left : NULL;
    made->titles.right_id = *right ? right : NULL;
    return AKIN_OK;
}

akin_status akin_plan_read_source(akin_plan_made *made, const char *word, akin_error *error)
{
    uint32_t column;
    char ended, *text = akin_plan_copy(made, word, error);
    if (!text)
        return AKIN_E_NOMEM;
    const char *right, *left = akin_plan_take_column(&text, "", &ended, &right);
    if (!left)
        return akin_plan_fail_column(error, SOURCE, word, right, "expected COLUMN, or LEFT=RIGHT");
    if (find_combined(made, left) < made->combined.count)
        return akin_plan_fail(error, AKIN_REASON_NO_COLUMN, SOURCE, word, left,
                              "'%s' is combined: expected a column of the file", left);
    const akin_status status = akin_plan_column(made, left, right, &column, error);
    made->options.one_per_source = status == AKIN_OK ? column + UINT64_C(1) : 0;
    return status;
}

/* --------------------------------------------------------------------------------------------------------- combined */

/* The columns that a combined column is made of; none of these is combined itself. */
static akin_status read_parts(akin_plan_made *made, const char *word, char *text, akin_plan_combined *combined,
                              akin_error *error)
{
    akin_status status = AKIN_OK;
    char ended = '+';
    while (ended && status == AKIN_OK) {
        const char *right, *name = akin_plan_take_column(&text, "+", &ended, &right);
        if (!name)
            return akin_plan_fail_column(error, COMBINE, word, right, EXPECTED);
        if (strcmp(name, combined->name) == 0 || find_combined(made, name) < made->combined.count)
            return akin_plan_fail(error, AKIN_REASON_NONE, COMBINE, word, name,
                                  "'%s' is combined itself: expected columns of the file", name);
        uint32_t *part = akin_plan_push(&made->combined_parts, sizeof *part, error);
        status = part ? akin_plan_column(made, name, right, part, error) : AKIN_E_NOMEM;
        combined->count++;
    }
    return status;
}

akin_status akin_plan_read_combine(akin_plan_made *made, const char *word, akin_error *error)
{
    char ended, *text = akin_plan_copy(made, word, error);
    akin_plan_combined combined = {.count = 0};
    if (!text)
        return AKIN_E_NOMEM;
    combined.name = akin_plan_take(&text, "=", &ended);
    if (!combined.name)
        return akin_plan_fail_quotes(error, COMBINE, word);
    if (!*combined.name || !ended)
        return akin_plan_fail(error, AKIN_REASON_MALFORMED, COMBINE, word, word, EXPECTED);
    if (find_combined(made, combined.name) < made->combined.count)
        return akin_plan_fail(error, AKIN_REASON_REPEATED, COMBINE, word, combined.name, "'%s' is combined already",
                              combined.name);
    if (find_column(made, combined.name, combined.name) < made->columns.count) /* only those have been named yet */
        return akin_plan_fail(error, AKIN_REASON_REPEATED, COMBINE, word, combined.name,
                              "'%s' is a column that another combined column is made of", combined.name);
    akin_status status = read_parts(made, word, text, &combined, error);
    akin_plan_combined *to = status == AKIN_OK ? akin_plan_push(&made->combined, sizeof *to, error) : NULL;
    if (!to)
        return status == AKIN_OK ? AKIN_E_NOMEM : status;
    *to = combined;
    return AKIN_OK;
}

static void renumber(uint32_t *column, uint32_t count)
{
    if (*column >= AKIN_PLAN_COMBINED)
        *column += count - AKIN_PLAN_COMBINED;
}

akin_status akin_plan_number_columns(akin_plan_made *made, akin_error *error)
{
    uint32_t count = (uint32_t)made->columns.count;
    akin_attribute *attributes = made->attributes.rows;
    akin_key_part *parts = made->parts.rows;
    const akin_plan_combined *combined = made->combined.rows;
    akin_status status = check_count(made->columns.count + made->combined.count, error);
    if (status != AKIN_OK)
        return status;
    made->titles.column_count = count;
    for (uint64_t i = 0; i < made->combined.count; i++) {
        const char **column = akin_plan_push(&made->columns, sizeof *column, error);
        if (!column)
            return AKIN_E_NOMEM;
        *column = combined[i].name;
    }
    for (uint64_t i = 0; i < made->attributes.count; i++)
        renumber(&attributes[i].column, count);
    for (uint64_t i = 0; i < made->parts.count; i++)
        renumber(&parts[i].column, count);
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ folds */

/* What was said of a column, or of all. */
typedef struct said {
    const char *word; /* by which; NULL: nothing */
    uint32_t folds;
    int is_listed; /* one by one */
} said;

/* FOLD[+FOLD...] */
static akin_status read_names(const char *word, char *text, uint32_t *out, akin_error *error)
{
    const akin_choice *choice;
    akin_error refused;
    char ended = '+';
    *out = 0;
    while (ended) {
        const char *name = akin_plan_take(&text, "+", &ended);
        if (!name)
            return akin_plan_fail_quotes(error, FOLD, word);
        if (akin_choice_parse(&akin_folds, name, strlen(name), 0, &choice, &refused) != AKIN_OK)
            return akin_plan_fail_from(error, FOLD, word, &refused, "");
        *out |= (uint32_t)choice->value;
    }
    return AKIN_OK;
}

int akin_plan_is_named(const akin_plan_made *made, uint64_t column)
{
    const akin_attribute *attributes = made->attributes.rows;
    const akin_key_part *parts = made->parts.rows;
    for (uint64_t i = 0; i < made->attributes.count; i++)
        if (attributes[i].column == column)
            return 1;
    for (uint64_t i = 0; i < made->parts.count; i++)
        if (parts[i].column == column)
            return 1;
    return 0;
}

/* The last one, as a combined one may be called as another. */
uint64_t akin_plan_named(const akin_plan_made *made, const char *left, const char *right)
{
    const char *const *names = made->columns.rows;
    uint64_t found = made->columns.count, at = find_column(made, left, right);
    if (at < made->sides[0].count && akin_plan_is_named(made, at))
        found = at;
    for (uint64_t c = made->sides[0].count; c < made->columns.count && strcmp(left, right) == 0; c++)
        if (strcmp(names[c], left) == 0 && akin_plan_is_named(made, c))
            found = c;
    return found;
}

/* The name of a fold in the place of a column is probably of all columns. */
static akin_status fail_no_column(const char *word, const char *name, const char *right, akin_error *error)
{
    uint32_t folds;
    const int is_same = strcmp(name, right) == 0;
    if (is_same && *word != '"' && akin_folds_parse(name, &folds, NULL) == AKIN_OK)
        akin_plan_fail(error, AKIN_REASON_NO_COLUMN, FOLD, word, name,
                       "'%s' is no column that a comparison or a selection names: did you mean '%s:%s'?", name,
                       AKIN_PLAN_ALL, name);
    else
        akin_plan_fail(error, AKIN_REASON_NO_COLUMN, FOLD, word, name,
                       "'%s%s%s' is no column that a comparison or a selection names", name, is_same ? "" : "=",
                       is_same ? "" : right);
    return akin_note_place(AKIN_E_OPTION, AKIN_NO_ROW, name, error);
}

/* COLUMN[:FOLD[+FOLD...]], or all for the column: a column of that name stands in quotes. */
static akin_status read_fold(akin_plan_made *made, const char *word, said *columns, said *all, akin_error *error)
{
    char ended, *text = akin_plan_copy(made, word, error);
    said *of = all;
    if (!text)
        return AKIN_E_NOMEM;
    const char *right, *name = akin_plan_take_column(&text, ":", &ended, &right);
    if (!name)
        return akin_plan_fail_column(error, FOLD, word, right,
                                     "expected COLUMN, all, or either with :FOLD+FOLD behind it");
    if (*word == '"' || strcmp(name, AKIN_PLAN_ALL) != 0 || strcmp(name, right) != 0) {
        uint64_t column = akin_plan_named(made, name, right);
        if (column == made->columns.count)
            return fail_no_column(word, name, right, error);
        of = &columns[column];
    }
    if (of->word)
        return akin_plan_fail(error, AKIN_REASON_REPEATED, FOLD, word, word, "expected it once, and there is fold %s",
                              of->word);
    *of = (said){word, AKIN_FOLD_ALL, ended != '\0'};
    return ended ? read_names(word, text, &of->folds, error) : AKIN_OK;
}

const akin_comparator_row *akin_plan_reader(const akin_plan_made *made, uint64_t column)
{
    const akin_attribute *attributes = made->attributes.rows;
    const akin_compare_options *compare = made->compare.rows;
    for (uint64_t i = 0; i < made->attributes.count; i++) {
        const akin_comparator_row *row = akin_comparator_of(compare[i].comparator);
        if (attributes[i].column == column && row && row->has_punctuation)
            return row;
    }
    return NULL;
}

/* What each column is cleaned of, by what was said. */
static akin_status settle_folds(akin_plan_made *made, const said *columns, const said *all, akin_error *error)
{
    const char *const *names = made->columns.rows;
    for (uint64_t c = 0; c < made->columns.count; c++) {
        const said *of = columns[c].word ? &columns[c] : all;
        const akin_comparator_row *keeps = of->folds & AKIN_FOLD_PUNCTUATION ? akin_plan_reader(made, c) : NULL;
        uint32_t *folds = akin_plan_push(&made->folds, sizeof *folds, error);
        if (!folds)
            return AKIN_E_NOMEM;
        if (keeps && of != all && of->is_listed)
            return akin_plan_fail(error, AKIN_REASON_NONE, FOLD, of->word, names[c],
                                  "%s is compared by %s, to which punctuation means something", names[c],
                                  keeps->choice.name);
        *folds = of->folds & ~(keeps ? (uint32_t)AKIN_FOLD_PUNCTUATION : 0);
    }
    return AKIN_OK;
}

akin_status akin_plan_read_folds(akin_plan_made *made, const akin_plan_list *words, akin_error *error)
{
    const akin_plan_said *list = words->rows;
    said all = {.word = NULL}, *columns = akin_alloc_zero(NULL, made->columns.count, sizeof *columns);
    akin_status status = AKIN_OK;
    if (!columns)
        return akin_fail_memory(error, "the plan");
    for (uint64_t i = 0; i < words->count && status == AKIN_OK; i++)
        status = read_fold(made, list[i].word, columns, &all, error);
    if (status == AKIN_OK && words->count > 0)
        status = settle_folds(made, columns, &all, error);
    akin_free(columns);
    return status;
}
