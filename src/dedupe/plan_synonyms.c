/* Reads which synonyms columns have, and their files. */
#include "dedupe/plan_synonyms.h"

#include <string.h>

#include "dedupe/plan_columns.h"
#include "dedupe/plan_words.h"
#include "text/synonyms.h"

#define SYNONYMS "synonyms"
#define EXPECTED "expected FILE, or COLUMN:FILE"

/* ----------------------------------------------------------------------------------------------------------- words */

static akin_status fail_quotes(const char *word, akin_error *error)
{
    return akin_plan_fail_quotes(error, SYNONYMS, word);
}

/* GROUP[+GROUP...], as lines. */
static akin_status read_groups(akin_plan_made *made, const char *word, char *text, const char **out, akin_error *error)
{
    char ended = '+', *lines = akin_plan_copy(made, word, error), *to = lines;
    if (!lines)
        return AKIN_E_NOMEM;
    while (ended) {
        const char *group = akin_plan_take(&text, "+", &ended);
        if (!group)
            return fail_quotes(word, error);
        const size_t length = strlen(group);
        memcpy(to, group, length); /* with its mark it is no longer than in the word */
        to += length;
        *to++ = ended ? '\n' : '\0';
    }
    *out = lines;
    return AKIN_OK;
}

/* COLUMN: before a file or groups; all stands for all columns. */
static akin_status read_column(akin_plan_made *made, const char *word, char **text, uint32_t *out, akin_error *error)
{
    char ended;
    const char *right, *name;
    *out = AKIN_PLAN_COLUMNS;
    if (!(name = akin_plan_take_column(text, ":", &ended, &right)))
        return akin_plan_fail_column(error, SYNONYMS, word, right, EXPECTED);
    const int is_same = strcmp(name, right) == 0;
    if (*word != '"' && is_same && strcmp(name, AKIN_PLAN_ALL) == 0)
        return AKIN_OK;
    const uint64_t column = akin_plan_named(made, name, right);
    *out = (uint32_t)column;
    if (column < made->columns.count)
        return AKIN_OK;
    akin_plan_fail(error, AKIN_REASON_NO_COLUMN, SYNONYMS, word, name,
                   "'%s%s%s' is no column that a comparison or a selection names (a file with a colon in its name "
                   "stands in quotes)",
                   name, is_same ? "" : "=", is_same ? "" : right);
    return akin_note_place(AKIN_E_OPTION, AKIN_NO_ROW, name, error);
}

/* FILE, or what stands behind the column: FILE, or :GROUP[+GROUP...]. */
static akin_status read_source(akin_plan_made *made, const char *word, akin_error *error)
{
    akin_plan_source source = {.column = AKIN_PLAN_COLUMNS};
    akin_status status = AKIN_OK;
    char ended, *text = akin_plan_copy(made, word, error);
    if (!text)
        return AKIN_E_NOMEM;
    source.file = akin_plan_take(&text, ":", &ended);
    if (!source.file)
        return fail_quotes(word, error);
    if (ended) {
        if (!(text = akin_plan_copy(made, word, error)))
            return AKIN_E_NOMEM;
        status = read_column(made, word, &text, &source.column, error);
        if (status == AKIN_OK && !(source.file = akin_plan_take(&text, ":", &ended)))
            return fail_quotes(word, error);
    }
    if (status == AKIN_OK && ended)
        status = read_groups(made, word, text, &source.groups, error);
    if (status != AKIN_OK)
        return status;
    if (!*source.file)
        source.file = NULL;
    if (!source.file == !source.groups)
        return akin_plan_fail(error, AKIN_REASON_MALFORMED, SYNONYMS, word, word, EXPECTED);
    if (source.file && strcmp(source.file, "-") == 0)
        return akin_plan_fail(error, AKIN_REASON_MALFORMED, SYNONYMS, word, word,
                              "expected the name of a file, not standard input");
    const akin_comparator_row *reader =
        source.column == AKIN_PLAN_COLUMNS ? NULL : akin_plan_reader(made, source.column);
    if (reader)
        return akin_plan_fail(error, AKIN_REASON_NONE, SYNONYMS, word, akin_plan_column_name(made, source.column),
                              "%s is compared by %s, which reads no words", akin_plan_column_name(made, source.column),
                              reader->choice.name);
    akin_plan_source *to = akin_plan_push(&made->sources, sizeof *to, error);
    if (to)
        *to = source;
    return to ? AKIN_OK : AKIN_E_NOMEM;
}

/* --------------------------------------------------------------------------------------------------------- columns */

/* Whether there are sources of that column. */
static int has_sources(const akin_plan_made *made, uint32_t column)
{
    const akin_plan_source *sources = made->sources.rows;
    for (uint64_t i = 0; i < made->sources.count; i++)
        if (sources[i].column == column)
            return 1;
    return 0;
}

/* The synonyms of a column; AKIN_PLAN_COLUMNS: those of columns that have no sources of their own. NULL: there is no
 * memory for them, as the error says. */
static akin_synonyms *synonyms_for(akin_plan_made *made, uint32_t column, akin_error *error)
{
    akin_plan_equals *equals = made->equals.rows;
    for (uint64_t i = 0; i < made->equals.count; i++)
        if (equals[i].column == column)
            return equals[i].synonyms;
    equals = akin_plan_push(&made->equals, sizeof *equals, error);
    if (!equals)
        return NULL;
    equals->column = column;
    if (akin_synonyms_create(&equals->synonyms, error) != AKIN_OK)
        return NULL;
    equals->synonyms->is_awaited = 1;
    return equals->synonyms;
}

akin_status akin_plan_read_synonyms(akin_plan_made *made, const akin_plan_list *words, akin_error *error)
{
    const akin_plan_said *list = words->rows;
    akin_status status = AKIN_OK;
    for (uint64_t i = 0; i < words->count && status == AKIN_OK; i++)
        status = read_source(made, list[i].word, error);
    for (uint32_t c = 0; words->count > 0 && c < made->columns.count && status == AKIN_OK; c++) {
        const akin_synonyms **to = akin_plan_push(&made->synonyms, sizeof *to, error);
        const uint32_t column = has_sources(made, c) ? c : AKIN_PLAN_COLUMNS;
        if (!to)
            return AKIN_E_NOMEM;
        if (!akin_plan_is_named(made, c) || akin_plan_reader(made, c) || !has_sources(made, column))
            continue;
        *to = synonyms_for(made, column, error);
        status = *to ? AKIN_OK : AKIN_E_NOMEM;
    }
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- files */

/* Adds the groups of a source to all synonyms that have it. */
static akin_status load_source(akin_context *context, akin_plan_made *made, const akin_plan_source *source,
                               akin_error *error)
{
    const akin_plan_equals *equals = made->equals.rows;
    akin_synonyms *read = NULL;
    akin_status status = akin_synonyms_create(&read, error);
    if (status == AKIN_OK)
        status = source->file ? akin_synonyms_read(context, read, source->file, error)
                              : akin_synonyms_add(read, SYNONYMS, source->groups, strlen(source->groups), error);
    for (uint64_t i = 0; i < made->equals.count && status == AKIN_OK; i++)
        if (source->column == AKIN_PLAN_COLUMNS || source->column == equals[i].column)
            status = akin_synonyms_append(equals[i].synonyms, read, error);
    akin_synonyms_free(read);
    return status;
}

akin_status akin_plan_load_synonyms(akin_context *context, akin_plan_made *made, akin_error *error)
{
    const akin_plan_equals *equals = made->equals.rows;
    const akin_plan_source *sources = made->sources.rows;
    akin_status status = AKIN_OK;
    if (made->equals.count == 0 || !equals[0].synonyms->is_awaited)
        return AKIN_OK;
    for (uint64_t i = 0; i < made->sources.count && status == AKIN_OK; i++)
        status = load_source(context, made, &sources[i], error);
    for (uint64_t i = 0; i < made->equals.count; i++) {
        equals[i].synonyms->is_awaited = status != AKIN_OK;
        if (status != AKIN_OK)
            equals[i].synonyms->count = equals[i].synonyms->length = 0;
    }
    return status;
}
