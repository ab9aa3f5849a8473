/* A plan of deduplication: words and JSON become the options of akin_dedupe. */
#include "dedupe/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dedupe/plan_forms.h"
#include "dedupe/selections.h"

/* An option that is no selection: its value is its place. */
typedef struct option {
    akin_choice choice;
    akin_plan_shape shape;
    int is_repeated;
    akin_plan_form form;
} option;

#define NO_FORM                                                                                                        \
    {                                                                                                                  \
        {                                                                                                              \
            {                                                                                                          \
                0                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }

static const option rows[] = {
    {{"max-block", "", "records of a block, at most", AKIN_PLAN_MAX_BLOCK, 0}, AKIN_SHAPE_NUMBER, 0, NO_FORM},
    {{"compare", "", "a column that is compared, and how", AKIN_PLAN_COMPARE, 0},
     AKIN_SHAPE_FORM,
     1,
     {{{"column", AKIN_FIELD_TEXT, 0, NULL},
       {"right", AKIN_FIELD_RIGHT, 1, NULL},
       {"comparator", AKIN_FIELD_TEXT, 0, NULL},
       {"threshold", AKIN_FIELD_NUMBER, 1, "0"},
       {"weight", AKIN_FIELD_NUMBER, 1, NULL}}}},
    {{"combine", "", "a column that is made of others", AKIN_PLAN_COMBINE, 0}, AKIN_SHAPE_TEXT, 1, NO_FORM},
    {{"fold", "", "what values of a column are cleaned of", AKIN_PLAN_FOLD, 0}, AKIN_SHAPE_TEXT, 1, NO_FORM},
    {{"missing", "", "what a missing value contributes", AKIN_PLAN_MISSING, 0}, AKIN_SHAPE_TEXT, 0, NO_FORM},
    {{"threshold", "", "the least average of similarities", AKIN_PLAN_THRESHOLD, 0}, AKIN_SHAPE_NUMBER, 0, NO_FORM},
    {{"one-to-one", "", "a record is in one pair at most", AKIN_PLAN_ONE_TO_ONE, 0}, AKIN_SHAPE_FLAG, 0, NO_FORM},
    {{"id", "", "the column that names rows", AKIN_PLAN_ID, 0}, AKIN_SHAPE_TEXT, 0, NO_FORM},
};
const akin_choice_table akin_plan_options = AKIN_CHOICE_TABLE("option of a plan", rows);

/* ------------------------------------------------------------------------------------------------------------- said */

/* An option by its name, be it a selection or not. */
typedef struct named {
    const akin_choice *row;
    int list; /* of what was said: its place */
    akin_plan_shape shape;
    int is_repeated;
    const akin_plan_form *form;
} named;

static named name_option(const option *o)
{
    return (named){&o->choice, o->choice.value, o->shape, o->is_repeated, &o->form};
}

static named name_selection(const akin_choice *row)
{
    const akin_plan_form *form = &((const akin_selection_row *)row)->form;
    int has_words = form->fields->name != NULL;
    return (named){row, AKIN_PLAN_SELECTIONS, has_words ? AKIN_SHAPE_FORM : AKIN_SHAPE_FLAG, has_words, form};
}

/* Forgets what was said of an option. */
static void forget(akin_plan_list *said, const akin_choice *row)
{
    akin_plan_said *words = said->rows;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < said->count; i++) {
        if (words[i].option != row) {
            words[kept++] = words[i];
            continue;
        }
        akin_free(words[i].word);
        akin_free(words[i].json);
    }
    said->count = kept;
}

static void clear_made(akin_plan_made *made)
{
    char **copies = made->copies.rows;
    akin_plan_list *const lists[] = {
        &made->copies,   &made->columns,          &made->sides[0],         &made->sides[1],
        &made->combined, &made->combined_parts,   &made->combined_options, &made->attributes,
        &made->compare,  &made->comparators,      &made->attribute_titles, &made->selections,
        &made->texts,    &made->selection_titles, &made->selected,         &made->parts,
        &made->folds};
    for (uint64_t i = 0; i < made->copies.count; i++)
        akin_free(copies[i]);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        akin_free(lists[i]->rows);
    *made = (akin_plan_made){.is_complete = 0};
}

akin_status akin_dedupe_plan_create(akin_dedupe_plan **out, akin_error *error)
{
    *out = akin_alloc_zero(NULL, 1, sizeof **out);
    return *out ? AKIN_OK : akin_fail_memory(error, "the plan");
}

void akin_dedupe_plan_free(akin_dedupe_plan *plan)
{
    if (!plan)
        return;
    clear_made(&plan->made);
    for (int i = 0; i < AKIN_PLAN_OPTIONS; i++) {
        akin_plan_said *words = plan->said[i].rows;
        for (uint64_t at = 0; at < plan->said[i].count; at++) {
            akin_free(words[at].word);
            akin_free(words[at].json);
        }
        akin_free(words);
    }
    akin_free(plan);
}

/* Refuses a name that no option has. */
static akin_status refuse_name(const char *name, akin_error *error)
{
    const akin_choice_table *const tables[] = {&akin_selections, &akin_plan_options};
    char meant[100] = "", selections[300], options[300];
    const akin_choice *row;
    akin_guess guess = {.word = name};
    for (size_t t = 0; t < 2; t++)
        for (uint32_t i = 0; (row = akin_choice_at(tables[t], i)); i++)
            akin_guess_offer(&guess, row->name);
    if (guess.best)
        snprintf(meant, sizeof meant, " (did you mean '%.60s'?)", guess.best);
    akin_choice_list(tables[0], 0, selections, sizeof selections);
    akin_choice_list(tables[1], 0, options, sizeof options);
    akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_UNKNOWN_CHOICE,
                   "unknown option of a plan '%.60s'%s: expected %s, %s", name, meant, selections, options);
    akin_note_meant(AKIN_E_OPTION, guess.best, error);
    return akin_note_word(AKIN_E_OPTION, name, strlen(name), error);
}

static akin_status find_option(const char *name, named *out, akin_error *error)
{
    const akin_choice *row;
    size_t length = strlen(name);
    if (akin_choice_parse(&akin_plan_options, name, length, 0, &row, NULL) == AKIN_OK)
        *out = name_option((const option *)row);
    else if (akin_choice_parse(&akin_selections, name, length, 0, &row, NULL) == AKIN_OK)
        *out = name_selection(row);
    else
        return refuse_name(name, error);
    return AKIN_OK;
}

/* The option of that name, of a plan that may be changed from now on. */
static akin_status change_option(akin_dedupe_plan *plan, const char *name, named *out, akin_error *error)
{
    akin_status status = find_option(name, out, error);
    if (status == AKIN_OK)
        clear_made(&plan->made);
    return status;
}

/* Adds a word, which becomes the plan's; NULL: what was said of the option is forgotten. */
static akin_status add_word(akin_dedupe_plan *plan, const named *o, char *word, akin_error *error)
{
    akin_plan_list *said = &plan->said[o->list];
    if (!o->is_repeated)
        forget(said, o->row);
    akin_plan_said *to = word ? akin_plan_push(said, sizeof *to, error) : NULL;
    if (to)
        *to = (akin_plan_said){.option = o->row, .word = word};
    else
        akin_free(word);
    return to || !word ? AKIN_OK : AKIN_E_NOMEM;
}

akin_status akin_dedupe_plan_add(akin_dedupe_plan *plan, const char *name, const char *word, akin_error *error)
{
    named o = {.row = NULL};
    akin_status status = change_option(plan, name, &o, error);
    if (status != AKIN_OK)
        return status;
    size_t size = strlen(word) + 1;
    char *copy = akin_alloc(NULL, size, 1);
    if (!copy)
        return akin_fail_memory(error, "the plan");
    memcpy(copy, word, size);
    return add_word(plan, &o, copy, error);
}

akin_status akin_dedupe_plan_add_json(akin_dedupe_plan *plan, const char *name, const akin_json *json, uint32_t node,
                                      const char *called, akin_error *error)
{
    named o = {.row = NULL};
    const akin_plan_json from = {name, called, akin_json_nodes(json)};
    akin_status status = change_option(plan, name, &o, error);
    if (status != AKIN_OK)
        return status;
    uint32_t at = o.is_repeated ? node + 1 : node, end = from.nodes[node].next;
    if (o.is_repeated && from.nodes[node].kind != AKIN_JSON_ARRAY)
        return akin_plan_json_fail(&from, node, error, "expected an array");
    for (; at < end && status == AKIN_OK; at = from.nodes[at].next) {
        char *word;
        status = akin_plan_word_of_json(&from, at, o.shape, o.form, &word, error);
        if (status == AKIN_OK)
            status = add_word(plan, &o, word, error);
    }
    return status;
}

akin_status akin_dedupe_plan_drop(akin_dedupe_plan *plan, const char *name, akin_error *error)
{
    named o = {.row = NULL};
    akin_status status = change_option(plan, name, &o, error);
    if (status == AKIN_OK)
        forget(&plan->said[o.list], o.row);
    return status;
}

/* What was said of an option, the `index`th time; NULL: nothing. */
static const akin_plan_said *find_said(const akin_dedupe_plan *plan, const char *name, uint64_t index)
{
    named o = {.row = NULL};
    if (find_option(name, &o, NULL) != AKIN_OK)
        return NULL;
    const akin_plan_list *said = &plan->said[o.list];
    const akin_plan_said *words = said->rows;
    for (uint64_t i = 0; i < said->count; i++)
        if (words[i].option == o.row && index-- == 0)
            return &words[i];
    return NULL;
}

const char *akin_dedupe_plan_word(const akin_dedupe_plan *plan, const char *name, uint64_t index)
{
    const akin_plan_said *said = find_said(plan, name, index);
    return said ? said->word : NULL;
}

const char *akin_dedupe_plan_json(const akin_dedupe_plan *plan, const char *name, uint64_t index)
{
    const akin_plan_said *said = find_said(plan, name, index);
    return said ? said->json : NULL;
}

/* ------------------------------------------------------------------------------------------------------------- made */

/* The word of an option, the first one of those that may be said several times; NULL: none. */
static const char *word_of(const akin_dedupe_plan *plan, int at)
{
    return plan->said[at].count ? ((const akin_plan_said *)plan->said[at].rows)->word : NULL;
}

/* Refuses a plan that lacks what no plan can do without. */
static akin_status check_presence(const akin_dedupe_plan *plan, akin_error *error)
{
    char selections[400];
    if (!word_of(plan, AKIN_PLAN_COMPARE))
        return akin_fail(error, AKIN_E_OPTION,
                         "compare: expected COLUMN:COMPARATOR, which columns are compared, and how");
    akin_choice_list(&akin_selections, 0, selections, sizeof selections);
    if (!word_of(plan, AKIN_PLAN_SELECTIONS))
        return akin_fail(error, AKIN_E_OPTION,
                         "%s: expected at least one of %s, which select the pairs of records that are compared",
                         akin_choice_at(&akin_selections, 0)->name, selections);
    if (!word_of(plan, AKIN_PLAN_THRESHOLD))
        return akin_fail(error, AKIN_E_OPTION, "threshold: expected T, how alike records must be, above 0, to 1");
    return AKIN_OK;
}

static akin_status read_numbers(const akin_dedupe_plan *plan, akin_dedupe_options *options, akin_error *error)
{
    const char *threshold = word_of(plan, AKIN_PLAN_THRESHOLD), *max_block = word_of(plan, AKIN_PLAN_MAX_BLOCK);
    const char *missing = word_of(plan, AKIN_PLAN_MISSING);
    const akin_choice *way;
    akin_error refused;
    akin_ratio *ratio = &options->threshold;
    if (akin_ratio_parse(threshold, ratio, NULL) != AKIN_OK || ratio->num == 0 || ratio->num > ratio->den)
        return akin_fail(error, AKIN_E_OPTION,
                         "threshold %s: expected a decimal number without exponent, above 0, to 1 (at most 9 digits)",
                         akin_plan_shown(threshold));
    if (max_block && !akin_plan_number(max_block, 2, UINT32_MAX, &options->max_block))
        return akin_fail(error, AKIN_E_OPTION, "max-block %s: expected a whole number from 2 to %" PRIu32,
                         akin_plan_shown(max_block), UINT32_MAX);
    if (missing && akin_choice_parse(&akin_missing_ways, missing, strlen(missing), 0, &way, &refused) != AKIN_OK) {
        akin_fail(error, AKIN_E_OPTION, "missing %s: %s", akin_plan_shown(missing), refused.message);
        return akin_note_from(AKIN_E_OPTION, &refused, error);
    }
    if (missing)
        options->missing = (akin_missing)way->value;
    options->one_to_one = word_of(plan, AKIN_PLAN_ONE_TO_ONE) != NULL;
    return AKIN_OK;
}

static akin_status read_each(akin_dedupe_plan *plan, int at,
                             akin_status (*read)(akin_plan_made *made, const char *word, akin_error *error),
                             akin_error *error)
{
    const akin_plan_said *said = plan->said[at].rows;
    akin_status status = AKIN_OK;
    for (uint64_t i = 0; i < plan->said[at].count && status == AKIN_OK; i++)
        status = read(&plan->made, said[i].word, error);
    return status;
}

/* Selections in the order of their table, those of one row as they were given. */
static akin_status read_selections(akin_dedupe_plan *plan, akin_error *error)
{
    const akin_plan_list *said = &plan->said[AKIN_PLAN_SELECTIONS];
    const akin_plan_said *words = said->rows;
    const akin_choice *row;
    akin_status status = AKIN_OK;
    for (uint32_t at = 0; (row = akin_choice_at(&akin_selections, at)); at++) {
        const akin_selection_row *selection = (const akin_selection_row *)row;
        for (uint64_t i = 0; i < said->count && status == AKIN_OK; i++)
            if (words[i].option == row)
                status = selection->read(&plan->made, selection, words[i].word, error);
    }
    return status;
}

/* What results call attributes: by their column, and where it is compared more than once by their comparator, too. */
static akin_status name_attributes(akin_plan_made *made, akin_error *error)
{
    const akin_attribute *attributes = made->attributes.rows;
    const char *const *columns = made->columns.rows, *const *comparators = made->comparators.rows;
    for (uint64_t i = 0; i < made->attributes.count; i++) {
        uint64_t same = 0;
        for (uint64_t other = 0; other < made->attributes.count; other++)
            same += attributes[other].column == attributes[i].column;
        const char *column = columns[attributes[i].column],
                   **title = akin_plan_push(&made->attribute_titles, sizeof *title, error);
        if (!title)
            return AKIN_E_NOMEM;
        *title = same == 1 ? column : akin_plan_text(made, error, "%s:%s", column, comparators[i]);
        if (!*title)
            return AKIN_E_NOMEM;
    }
    return AKIN_OK;
}

/* Sets what points into lists, now that they grow no more. */
static akin_status point(akin_plan_made *made, akin_error *error)
{
    akin_attribute *attributes = made->attributes.rows;
    akin_selection *selections = made->selections.rows;
    const akin_key_part *parts = made->parts.rows;
    const akin_plan_combined *combined = made->combined.rows;
    const uint32_t *members = made->combined_parts.rows;
    for (uint64_t i = 0; i < made->attributes.count; i++)
        attributes[i].compare = (const akin_compare_options *)made->compare.rows + i;
    for (uint64_t i = 0; i < made->selections.count; i++) {
        selections[i].parts = selections[i].part_count ? parts : NULL;
        parts += selections[i].part_count;
        if (akin_selection_row_of(selections[i].kind)->has_text)
            selections[i].text = (const akin_text_options *)made->texts.rows + i;
    }
    for (uint64_t i = 0; i < made->combined.count; i++) {
        akin_combined *to = akin_plan_push(&made->combined_options, sizeof *to, error);
        if (!to)
            return AKIN_E_NOMEM;
        *to = (akin_combined){.columns = members, .count = combined[i].count};
        members += combined[i].count;
    }
    return AKIN_OK;
}

/* The options and titles over the lists. */
static akin_status complete(akin_plan_made *made, akin_error *error)
{
    akin_dedupe_options *options = &made->options;
    akin_dedupe_titles *titles = &made->titles;
    if (made->attributes.count > UINT32_MAX || made->selections.count > UINT32_MAX)
        return akin_fail(error, AKIN_E_LIMIT, "there are too many comparisons or selections of pairs");
    options->selections = made->selections.rows;
    options->selection_count = (uint32_t)made->selections.count;
    options->selected = made->selected.rows;
    options->attributes = made->attributes.rows;
    options->attribute_count = (uint32_t)made->attributes.count;
    options->folds = made->folds.rows;
    options->combined = made->combined_options.rows;
    options->combined_count = made->combined_options.count;
    titles->columns = made->columns.rows;
    titles->left_columns = made->sides[0].rows;
    titles->right_columns = made->sides[1].rows;
    titles->comparators = made->comparators.rows;
    titles->attributes = made->attribute_titles.rows;
    titles->selections = made->selection_titles.rows;
    made->is_complete = 1;
    return AKIN_OK;
}

static akin_status write_json(akin_dedupe_plan *plan, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (int at = 0; at < AKIN_PLAN_OPTIONS; at++) {
        akin_plan_said *said = plan->said[at].rows;
        for (uint64_t i = 0; i < plan->said[at].count && status == AKIN_OK; i++) {
            const named o = at == AKIN_PLAN_SELECTIONS ? name_selection(said[i].option) : name_option(&rows[at]);
            if (!said[i].json)
                status = akin_plan_json_of_word(said[i].word, o.shape, o.form, &said[i].json, error);
        }
    }
    return status;
}

akin_status akin_dedupe_plan_finish(akin_dedupe_plan *plan, akin_error *error)
{
    akin_plan_made *made = &plan->made;
    clear_made(made);
    made->options = (akin_dedupe_options)AKIN_DEDUPE_OPTIONS_INIT;
    akin_status status = check_presence(plan, error);
    if (status == AKIN_OK)
        status = read_numbers(plan, &made->options, error);
    if (status == AKIN_OK)
        status = read_each(plan, AKIN_PLAN_COMBINE, akin_plan_read_combine, error);
    if (status == AKIN_OK)
        status = read_each(plan, AKIN_PLAN_COMPARE, akin_plan_read_compare, error);
    if (status == AKIN_OK)
        status = read_selections(plan, error);
    if (status == AKIN_OK)
        status = akin_plan_number_columns(made, error);
    if (status == AKIN_OK)
        status = read_each(plan, AKIN_PLAN_ID, akin_plan_read_id, error);
    if (status == AKIN_OK)
        status = akin_plan_read_folds(made, &plan->said[AKIN_PLAN_FOLD], error);
    if (status == AKIN_OK)
        status = name_attributes(made, error);
    if (status == AKIN_OK)
        status = point(made, error);
    if (status == AKIN_OK)
        status = write_json(plan, error);
    if (status == AKIN_OK)
        status = complete(made, error);
    if (status != AKIN_OK)
        clear_made(made);
    return status;
}

const akin_dedupe_options *akin_dedupe_plan_options(const akin_dedupe_plan *plan)
{
    return plan->made.is_complete ? &plan->made.options : NULL;
}

const akin_dedupe_titles *akin_dedupe_plan_titles(const akin_dedupe_plan *plan)
{
    return plan->made.is_complete ? &plan->made.titles : NULL;
}
