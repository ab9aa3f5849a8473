/* Options whose arguments, or whose names, are rows of a table of choices. */
#include <stdio.h>
#include <string.h>

#include "command.h"

/* ------------------------------------------------------------------------------------------------------------- names */

const akin_choice *akin_cli_option_row(const akin_cli_option *option, uint32_t index)
{
    const akin_choice *row = NULL;
    for (uint32_t i = 0; option->choices && (row = akin_choices(option->choices, i)); i++)
        if ((option->capabilities == 0 || (row->capabilities & option->capabilities)) && index-- == 0)
            break;
    return row;
}

int akin_cli_option_at(const akin_cli_command *command, int index, uint32_t row, akin_cli_option *out)
{
    const akin_cli_option *option = &command->options[index];
    const akin_choice *choice = option->name ? NULL : akin_cli_option_row(option, row);
    if (!choice && (row > 0 || !option->name))
        return 0;
    *out = *option;
    if (!choice)
        return 1;
    out->name = choice->name;
    out->help = choice->help;
    out->choices = NULL;
    if (choice->capabilities & AKIN_TAKES_COUNT)
        out->argument = "N";
    if (row > 0)
        out->heading = NULL;
    return 1;
}

/* Lists what an option takes: "a, b or c". */
static void list_names(const akin_cli_option *option, char *text, size_t room)
{
    size_t length = (size_t)snprintf(text, room, "%s", option->other ? option->other : "");
    uint32_t count = 0;
    while (akin_cli_option_row(option, count))
        count++;
    for (uint32_t i = 0; i < count && length < room; i++) {
        const akin_choice *row = akin_cli_option_row(option, i);
        const char *comma = length == 0 ? "" : i + 1 < count ? ", " : " or ";
        length += (size_t)snprintf(text + length, room - length, "%s%s%s", comma, row->name, row->arguments);
    }
}

int akin_cli_option_choose(const akin_cli_option *option, const char *word, const akin_choice **out)
{
    char names[512];
    for (uint32_t i = 0; (*out = akin_cli_option_row(option, i)); i++)
        if (strcmp((*out)->name, word) == 0)
            return AKIN_CLI_DONE;
    list_names(option, names, sizeof names);
    return akin_cli_refuse("--%s %s: expected %s", option->name, akin_cli_word(word), names);
}

/* -------------------------------------------------------------------------------------------------------------- help */

/* Breaks lines that have become too long: what is beyond goes to the front of the next line. */
static void wrap(char *text)
{
    for (char *line = text; strlen(line) > AKIN_CLI_HELP_WIDTH;) {
        char *end = line + strcspn(line, "\n"), *blank = line + AKIN_CLI_HELP_WIDTH;
        if (end - line <= AKIN_CLI_HELP_WIDTH) {
            line = end + 1;
            continue;
        }
        while (blank > line && *blank != ' ')
            blank--;
        if (blank == line)
            return;
        *blank = '\n';
        if (*end == '\n' && end[1])
            *end = ' ';
        line = blank + 1;
    }
}

void akin_cli_option_help(const akin_cli_option *option, char help[AKIN_CLI_HELP_BYTES])
{
    const char *mark = strstr(option->help, "{}");
    char names[512] = "";
    if (mark)
        list_names(option, names, sizeof names);
    int before = mark ? (int)(mark - option->help) : (int)strlen(option->help);
    snprintf(help, AKIN_CLI_HELP_BYTES, "%.*s%s%s", before, option->help, names, mark ? mark + 2 : "");
    wrap(help);
}
