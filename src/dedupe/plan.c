/* A plan of deduplication: what is said of each option, as words and as JSON. */
#include "dedupe/plan.h"

#include <stdio.h>
#include <string.h>

#include "dedupe/plan_forms.h"
#include "dedupe/plan_words.h"
#include "dedupe/selections.h"

/* An option that is no selection: its value is its place. */
typedef struct option {
    akin_choice choice;
    akin_plan_form form; /* no fields: it is a number, a flag or text */
} option;

static const option rows[] = {
    {{"max-block", "", "records of a block, at most", AKIN_PLAN_MAX_BLOCK, AKIN_IS_NUMBER}, .form.is_short = 0},
    {{"compare", "", "a column that is compared, and how", AKIN_PLAN_COMPARE, AKIN_IS_REPEATED},
     {{AKIN_FIELDS_OF_COLUMN,
       {"comparator", AKIN_FIELD_CHOICE, 0, 0, NULL, NULL},
       {"threshold", AKIN_FIELD_NUMBER, 0, 1, "0", NULL},
       {"weight", AKIN_FIELD_NUMBER, 0, 1, NULL, NULL}},
      0}},
    {{"combine", "", "a column that is made of others", AKIN_PLAN_COMBINE, AKIN_IS_REPEATED},
     {{{"name", AKIN_FIELD_TEXT, 0, 0, NULL, NULL}, {"columns", AKIN_FIELD_LIST, '=', 0, NULL, &akin_plan_column_form}},
      0}},
    {{"fold", "", "the differences that cleaning removes from a column", AKIN_PLAN_FOLD, AKIN_IS_REPEATED},
     {{{"column", AKIN_FIELD_TEXT, 0, 1, AKIN_PLAN_ALL, NULL},
       {"right", AKIN_FIELD_TEXT, '=', 1, NULL, NULL},
       {"fold", AKIN_FIELD_NAMES, 0, 1, NULL, NULL}},
      0}},
    {{"synonyms", "", "words of a column that count as equal", AKIN_PLAN_SYNONYMS, AKIN_IS_REPEATED},
     {{{"column", AKIN_FIELD_TEXT, 0, 1, AKIN_PLAN_ALL, NULL},
       {"right", AKIN_FIELD_TEXT, '=', 1, NULL, NULL},
       {"file", AKIN_FIELD_TEXT, 0, 0, "", NULL},
       {"groups", AKIN_FIELD_NAMES, 0, 1, NULL, NULL}},
      0}},
    {{"missing", "", "what a missing value contributes", AKIN_PLAN_MISSING, 0}, .form.is_short = 0},
    {{"evidence", "", "the least share of all weights that missing values leave", AKIN_PLAN_EVIDENCE, AKIN_IS_NUMBER},
     .form.is_short = 0},
    {{"weights", "", "where the weights of comparisons come from", AKIN_PLAN_WEIGHTS, 0}, .form.is_short = 0},
    {{"threshold", "", "the least average of similarities", AKIN_PLAN_THRESHOLD, AKIN_IS_NUMBER}, .form.is_short = 0},
    {{"precision", "", "the least expected precision of the found pairs", AKIN_PLAN_PRECISION, AKIN_IS_NUMBER},
     .form.is_short = 0},
    {{"one-to-one", "", "a record is in one pair at most", AKIN_PLAN_ONE_TO_ONE, AKIN_IS_FLAG}, .form.is_short = 0},
    {{"one-per-source", "", "the column that says where a record is from; one of each in a cluster",
      AKIN_PLAN_ONE_PER_SOURCE, 0},
     {{AKIN_FIELDS_OF_COLUMN}, 1}},
    {{"cluster", "", "how pairs become clusters", AKIN_PLAN_CLUSTER, 0}, .form.is_short = 0},
    {{"id", "", "the column that names rows", AKIN_PLAN_ID, 0}, {{AKIN_FIELDS_OF_COLUMN}, 1}},
};
const akin_choice_table akin_plan_options = AKIN_CHOICE_TABLE("option of a plan", rows);

/* ------------------------------------------------------------------------------------------------------------- said */

/* An option by its name, be it a selection or not. */
typedef struct named {
    const akin_choice *row;
    int list; /* of what was said: its place */
    const akin_plan_form *form;
} named;

static named name_option(const akin_choice *row)
{
    return (named){row, row->value, &((const option *)row)->form};
}

static named name_selection(const akin_choice *row)
{
    return (named){row, AKIN_PLAN_SELECTIONS, &((const akin_selection_row *)row)->form};
}

/* Option `index` of a plan, selections first; 0: there is none. */
static int option_at(uint32_t index, named *out)
{
    const akin_choice *row = akin_choice_at(&akin_selections, index);
    if (row)
        *out = name_selection(row);
    else if ((row = akin_choice_at(&akin_plan_options, index - akin_selections.count)))
        *out = name_option(row);
    return row != NULL;
}

static int is_repeated(const named *o)
{
    return (o->row->capabilities & AKIN_IS_REPEATED) != 0;
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
    }
    said->count = kept;
}

akin_status akin_dedupe_plan_create(const akin_annex *annex, akin_dedupe_plan **out, akin_error *error)
{
    akin_dedupe_plan *plan = akin_alloc_zero(NULL, 1, sizeof *plan);
    if (!plan)
        return akin_fail_memory(error, "the plan");
    plan->annex = annex;
    *out = plan;
    return AKIN_OK;
}

void akin_dedupe_plan_free(akin_dedupe_plan *plan)
{
    if (!plan)
        return;
    akin_plan_clear_made(&plan->made);
    for (int i = 0; i < AKIN_PLAN_OPTIONS; i++) {
        akin_plan_said *words = plan->said[i].rows;
        for (uint64_t at = 0; at < plan->said[i].count; at++)
            akin_free(words[at].word);
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
        *out = name_option(row);
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
        akin_plan_clear_made(&plan->made);
    return status;
}

/* Adds a word, which becomes the plan's; NULL: what was said of the option is forgotten. */
static akin_status add_word(akin_dedupe_plan *plan, const named *o, char *word, akin_error *error)
{
    akin_plan_list *said = &plan->said[o->list];
    if (!is_repeated(o))
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
    if (status != AKIN_OK || !o.row)
        return status;
    const int is_list = is_repeated(&o);
    uint32_t at = is_list ? node + 1 : node, end = from.nodes[node].next;
    if (is_list && from.nodes[node].kind != AKIN_JSON_ARRAY)
        return akin_plan_json_fail(&from, node, error, "expected an array");
    for (; at < end && status == AKIN_OK; at = from.nodes[at].next) {
        char *word;
        status = akin_plan_word_of_json(&from, at, o.row->capabilities, o.form, &word, error);
        if (status == AKIN_OK)
            status = add_word(plan, &o, word, error);
    }
    return status;
}

/* Whether a name is one of a list up to NULL; NULL: of none. */
static int is_one_of(const char *const *names, const char *name)
{
    while (names && *names && strcmp(*names, name) != 0)
        names++;
    return names && *names;
}

/* The first member of an object that has the key of that one. */
static uint32_t first_of_key(const akin_json_node *nodes, uint32_t object, uint32_t member)
{
    uint32_t at = object + 1;
    while (strcmp(nodes[at].key, nodes[member].key) != 0)
        at = nodes[at].next;
    return at;
}

akin_status akin_dedupe_plan_read(akin_dedupe_plan *plan, const akin_json *json, uint32_t node, const char *called,
                                  const char *const *others, akin_error *error)
{
    const akin_plan_json from = {"plan", called, akin_json_nodes(json)};
    akin_status status = AKIN_OK;
    if (from.nodes[node].kind != AKIN_JSON_OBJECT)
        return akin_plan_json_fail(&from, node, error, "expected an object, whose keys are options of a plan");
    for (uint32_t at = node + 1; at < from.nodes[node].next && status == AKIN_OK; at = from.nodes[at].next) {
        if (is_one_of(others, from.nodes[at].key))
            continue;
        if (first_of_key(from.nodes, node, at) != at)
            return akin_plan_json_fail(&from, at, error, "is there twice");
        status = akin_dedupe_plan_add_json(plan, from.nodes[at].key, json, at, called, error);
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
static const char *find_word(const akin_dedupe_plan *plan, const named *o, uint64_t index)
{
    const akin_plan_list *said = &plan->said[o->list];
    const akin_plan_said *words = said->rows;
    for (uint64_t i = 0; i < said->count; i++)
        if (words[i].option == o->row && index-- == 0)
            return words[i].word;
    return NULL;
}

const char *akin_dedupe_plan_word(const akin_dedupe_plan *plan, const char *name, uint64_t index)
{
    named o = {.row = NULL};
    return find_option(name, &o, NULL) == AKIN_OK ? find_word(plan, &o, index) : NULL;
}

/* ---------------------------------------------------------------------------------------------------------- members */

/* Writes what was said of an option; an array has a line for each time. */
static void write_member(const akin_dedupe_plan *plan, const named *o, akin_plan_growing *out)
{
    const char *word;
    for (uint64_t i = 0; (word = find_word(plan, o, i)); i++) {
        if (i == 0) {
            akin_plan_grow(out, out->length > 0 ? ",\n  \"" : "  \"");
            akin_plan_grow(out, o->row->name);
            akin_plan_grow(out, is_repeated(o) ? "\": [" : "\": ");
        }
        if (is_repeated(o))
            akin_plan_grow(out, i > 0 ? ",\n    " : "\n    ");
        akin_plan_json_of_word(out, word, o->row->capabilities, o->form);
    }
    if (is_repeated(o) && find_word(plan, o, 0))
        akin_plan_grow(out, "\n  ]");
}

akin_status akin_plan_write_members(akin_dedupe_plan *plan, akin_error *error)
{
    akin_plan_growing out = {.text = NULL};
    named o;
    for (uint32_t i = 0; option_at(i, &o); i++)
        write_member(plan, &o, &out);
    plan->made.members = out.text;
    return out.failed ? akin_fail_memory(error, "the plan") : AKIN_OK;
}

const char *akin_dedupe_plan_members(const akin_dedupe_plan *plan)
{
    return plan->made.is_complete ? plan->made.members : NULL;
}
