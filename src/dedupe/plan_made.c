/* What a plan is read into. */
#include "dedupe/plan_made.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void *akin_plan_push(akin_plan_list *list, size_t size, akin_error *error)
{
    void *rows = akin_enlarge(NULL, list->rows, &list->capacity, list->count + 1, size);
    if (!rows) {
        akin_fail_memory(error, "the plan");
        return NULL;
    }
    list->rows = rows;
    return memset((char *)rows + list->count++ * size, 0, size);
}

/* A block of that size, which is the plan's. */
static char *make_text(akin_plan_made *made, size_t size, akin_error *error)
{
    char **copy = akin_plan_push(&made->copies, sizeof *copy, error);
    if (!copy)
        return NULL;
    *copy = akin_alloc(NULL, size, 1);
    if (!*copy)
        akin_fail_memory(error, "the plan");
    return *copy;
}

char *akin_plan_copy(akin_plan_made *made, const char *word, akin_error *error)
{
    size_t size = strlen(word) + 1;
    char *copy = make_text(made, size, error);
    return copy ? memcpy(copy, word, size) : NULL;
}

char *akin_plan_text(akin_plan_made *made, akin_error *error, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = make_text(made, (size_t)(length < 0 ? 0 : length) + 1, error);
    if (text)
        vsnprintf(text, (size_t)(length < 0 ? 0 : length) + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}

void akin_plan_clear_made(akin_plan_made *made)
{
    char **copies = made->copies.rows;
    akin_plan_list *const lists[] = {&made->copies,
                                     &made->columns,
                                     &made->sides[0],
                                     &made->sides[1],
                                     &made->combined,
                                     &made->combined_parts,
                                     &made->combined_options,
                                     &made->attributes,
                                     &made->compare,
                                     &made->comparators,
                                     &made->attribute_titles,
                                     &made->selections,
                                     &made->texts,
                                     &made->selection_titles,
                                     &made->selected,
                                     &made->parsed,
                                     &made->parts,
                                     &made->folds,
                                     &made->sources,
                                     &made->equals,
                                     &made->synonyms};
    const akin_plan_equals *equals = made->equals.rows;
    for (uint64_t i = 0; i < made->copies.count; i++)
        akin_free(copies[i]);
    for (uint64_t i = 0; i < made->equals.count; i++)
        akin_synonyms_free(equals[i].synonyms);
    akin_free(made->members);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        akin_free(lists[i]->rows);
    *made = (akin_plan_made){.is_complete = 0};
}
