/* Words of the command line that are made of fields, such as "title:exact:0.8". */
#ifndef AKIN_CLI_FIELDS_H
#define AKIN_CLI_FIELDS_H

#include <stddef.h>

/* Takes the next field off a text, which is written to, up to one of `ends`, which *ended tells, or to its end, which is
 * '\0'. One in quotes may hold anything, and quotes that are doubled. NULL: it does not end as it began. */
char *akin_cli_field_take(char **text, const char *ends, char *ended);

/* Writes a field at `to`, in quotes if it would be taken for another one without: at most 2 bytes for each of its own, and
 * 2 more, no NUL; returns where it ends. */
char *akin_cli_field_put(char *to, const char *field);

#endif
