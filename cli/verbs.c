/* The verbs of a command: which options they have, and what the help says of them. */
#include <string.h>

#include "command.h"

const akin_cli_verb *akin_cli_verb_find(const akin_cli_command *command, const char *name)
{
    for (const akin_cli_verb *verb = command->verbs; verb && verb->name; verb++)
        if (strcmp(verb->name, name) == 0)
            return verb;
    return NULL;
}

int akin_cli_verb_has(const akin_cli_verb *verb, const akin_cli_option *option)
{
    const char *at = option->verbs;
    if (!verb || !at)
        return 1;
    for (size_t length; *at; at += length + strspn(at + length, " ")) {
        length = strcspn(at, " ");
        if (strlen(verb->name) == length && memcmp(at, verb->name, length) == 0)
            return 1;
    }
    return 0;
}

void akin_cli_about_write(FILE *to, const akin_cli_command *command, const akin_cli_verb *verb)
{
    for (const akin_cli_verb *own = command->verbs; own && own->name; own++)
        if (!verb || verb == own)
            fprintf(to, "%s\n", own->about);
    fputs(command->about, to);
}

void akin_cli_notes_write(FILE *to, const akin_cli_command *command, const akin_cli_verb *verb)
{
    akin_cli_text_write(to, command->notes);
    for (const akin_cli_verb *own = command->verbs; own && own->name; own++)
        if (!verb || verb == own)
            akin_cli_text_write(to, own->examples);
}
