/* A choice of few things, each of which has a name. */
#include "base/choice.h"

#include <stdio.h>
#include <string.h>

const char *akin_choice_name(const akin_choice *choice, unsigned value)
{
    return value < choice->count ? choice->names[value] : NULL;
}

/* "a, b or c". */
static void list(const akin_choice *choice, char *text, size_t room)
{
    size_t length = 0;
    for (unsigned i = 0; i < choice->count && length < room; i++) {
        const char *before = i == 0 ? "" : i + 1 < choice->count ? ", " : " or ";
        length += (size_t)snprintf(text + length, room - length, "%s%s", before, choice->names[i]);
    }
}

akin_status akin_choice_parse(const akin_choice *choice, const char *name, unsigned *out, akin_error *error)
{
    char names[256] = "";
    for (unsigned i = 0; i < choice->count; i++)
        if (strcmp(name, choice->names[i]) == 0) {
            *out = i;
            return AKIN_OK;
        }
    list(choice, names, sizeof names);
    return akin_fail(error, AKIN_E_OPTION, "unknown %s '%.60s': expected %s", choice->what, name, names);
}
