/* Tables of choices: finds rows by name and by value, and says which names there are. */
#include "base/choice.h"

#include <stdio.h>
#include <string.h>

#define NAME_SHOWN 60 /* bytes of an unknown name that a message shows */

const akin_choice *akin_choice_at(const akin_choice_table *table, uint32_t index)
{
    if (index < table->count)
        return (const akin_choice *)((const char *)table->rows + index * table->stride);
    return table->more ? akin_choice_at(table->more, index - table->count) : NULL;
}

const akin_choice *akin_choice_of(const akin_choice_table *table, int value)
{
    const akin_choice *row;
    uint32_t i = 0;
    while ((row = akin_choice_at(table, i)) && row->value != value)
        i++;
    return row;
}

const char *akin_choice_name(const akin_choice_table *table, int value)
{
    const akin_choice *row = akin_choice_of(table, value);
    return row ? row->name : NULL;
}

/* A dash may be written as an underscore, as Python has it. */
static int is_spelled(const char *name, const char *as, size_t length)
{
    if (strlen(name) != length)
        return 0;
    while (length > 0 && (*name == *as || (*name == '-' && *as == '_')))
        name++, as++, length--;
    return length == 0;
}

void akin_choice_respell(char *name)
{
    for (; *name && *name != '/' && *name != ':'; name++)
        if (*name == '_')
            *name = '-';
}

static int is_wanted(const akin_choice *row, unsigned capabilities)
{
    return capabilities == 0 || (row->capabilities & capabilities) != 0;
}

void akin_choice_list_if(const akin_choice_table *table, int (*is_listed)(const akin_choice *row, unsigned what),
                         unsigned what, char *text, size_t room)
{
    const akin_choice *row, *before = NULL;
    size_t length = 0;
    int is_first = 1;
    text[0] = '\0';
    for (uint32_t i = 0; length < room; i++) { /* one row late, so that the last one is known */
        while ((row = akin_choice_at(table, i)) && !is_listed(row, what))
            i++;
        if (before) {
            const char *comma = is_first ? "" : row ? ", " : " or ";
            length += (size_t)snprintf(text + length, room - length, "%s%s%s", comma, before->name, before->arguments);
            is_first = 0;
        }
        before = row;
        if (!row)
            return;
    }
}

void akin_choice_list(const akin_choice_table *table, unsigned capabilities, char *text, size_t room)
{
    akin_choice_list_if(table, is_wanted, capabilities, text, room);
}

const char *akin_choice_name_now(const akin_choice_table *table, const char *name, size_t length)
{
    for (const akin_former_name *former = table->formers; former && former->old; former++)
        if (strlen(former->old) == length && memcmp(former->old, name, length) == 0)
            return former->now;
    return table->more ? akin_choice_name_now(table->more, name, length) : NULL;
}

/* Whether a row that is wanted has that name. */
static int has_name(const akin_choice_table *table, const char *name, unsigned capabilities)
{
    const akin_choice *row;
    for (uint32_t i = 0; (row = akin_choice_at(table, i)); i++)
        if (is_wanted(row, capabilities) && strcmp(row->name, name) == 0)
            return 1;
    return 0;
}

/* The wanted row that is spelled so; NULL: there is none. */
static const akin_choice *find_spelled(const akin_choice_table *table, const char *name, size_t length,
                                       unsigned capabilities)
{
    const akin_choice *row;
    for (uint32_t i = 0; (row = akin_choice_at(table, i)); i++)
        if (is_wanted(row, capabilities) && is_spelled(row->name, name, length))
            return row;
    return NULL;
}

/* Sets the error of a name that the table lacks: its present name, or the nearest one and all that there are. */
static void refuse_unknown(const akin_choice_table *table, const char *name, size_t length, unsigned capabilities,
                           akin_error *error)
{
    char names[sizeof error->message - 200], word[NAME_SHOWN + 1], meant[NAME_SHOWN + 24] = "";
    snprintf(word, sizeof word, "%.*s", (int)(length < NAME_SHOWN ? length : NAME_SHOWN), name);
    const char *now = akin_choice_name_now(table, name, length);
    if (now && has_name(table, now, capabilities)) {
        akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_UNKNOWN_CHOICE, "the %s '%s' is now called '%s'", table->what,
                       word, now);
        akin_note_meant(AKIN_E_OPTION, now, error);
        return;
    }
    akin_guess guess = {.word = word};
    const akin_choice *row;
    for (uint32_t i = 0; (row = akin_choice_at(table, i)); i++)
        if (is_wanted(row, capabilities))
            akin_guess_offer(&guess, row->name);
    if (guess.best)
        snprintf(meant, sizeof meant, " (did you mean '%.*s'?)", NAME_SHOWN, guess.best);
    akin_choice_list(table, capabilities, names, sizeof names);
    akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_UNKNOWN_CHOICE, "unknown %s '%s'%s: expected %s", table->what,
                   word, meant, names);
    akin_note_meant(AKIN_E_OPTION, guess.best, error);
}

akin_status akin_choice_parse(const akin_choice_table *table, const char *name, size_t length, unsigned capabilities,
                              const akin_choice **out, akin_error *error)
{
    const akin_choice *row = find_spelled(table, name, length, capabilities);
    if (row) {
        *out = row;
        return AKIN_OK;
    }
    if (error)
        refuse_unknown(table, name, length, capabilities, error);
    return akin_note_word(AKIN_E_OPTION, name, length, error);
}

akin_status akin_choice_value(const akin_choice_table *table, const char *name, int *out, akin_error *error)
{
    const akin_choice *row = NULL;
    akin_status status = akin_choice_parse(table, name, strlen(name), 0, &row, error);
    if (row)
        *out = row->value;
    return status;
}
