/* Options that have had other names: an old name is refused with the new one. */
#include "former.h"

#include <string.h>

/*
 * To rename an option, change its name in the command's table and add a row here: the command (NULL: all that have an
 * option of the new name), the old name as it was typed after the dashes, and the new one. Job files are refused by the
 * same rows. The old name is never an alias. Words that an option takes are renamed in their table of choices
 * (AKIN_CHOICES_RENAMED).
 */
static const struct former {
    const char *command, *old, *now;
} formers[] = {
    {NULL, "output-format", "format"}, {"rank", "best", "top"},          {"search", "best", "top"},
    {"rank", "fold", "ignore-case"},   {"weigh", "fold", "ignore-case"}, {"compare", "with", "scorer"},
    {"dedupe", "pairs-out", "pairs"},  {"link", "pairs-out", "pairs"},
};

const char *akin_cli_former(const akin_cli_command *command, const char *name)
{
    for (size_t i = 0; i < sizeof formers / sizeof *formers; i++) {
        const struct former *row = &formers[i];
        if (strcmp(row->old, name) == 0 && (!row->command || strcmp(row->command, command->name) == 0) &&
            akin_cli_has_option(command, row->now))
            return row->now;
    }
    return NULL;
}
