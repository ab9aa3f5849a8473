/* Words of the command line that are made of fields. */
#include "fields.h"

#include <string.h>

char *akin_cli_field_take(char **text, const char *ends, char *ended)
{
    char *field = *text, *from = field, *to = field;
    int quoted = *from == '"';
    for (from += quoted; *from && (quoted || !strchr(ends, *from)); *to++ = *from++) {
        if (quoted && *from == '"' && *++from != '"') {
            quoted = 0;
            if (*from && !strchr(ends, *from))
                return NULL;
            break;
        }
    }
    if (quoted)
        return NULL;
    *ended = *from;
    *text = from + (*from != '\0');
    *to = '\0';
    return field;
}

char *akin_cli_field_put(char *to, const char *field)
{
    int quoted = *field == '"' || strpbrk(field, ":+") != NULL;
    if (quoted)
        *to++ = '"';
    for (; *field; field++) {
        if (quoted && *field == '"')
            *to++ = '"';
        *to++ = *field;
    }
    if (quoted)
        *to++ = '"';
    return to;
}
