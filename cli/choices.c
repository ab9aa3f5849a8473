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

/* A list in the making: "a, b or c". */
typedef struct list {
    char *text;
    size_t room, length;
    char last[64]; /* the name that comes next, once it is known whether it is the last one */
    int count;
} list;

static void list_write(list *l, int is_last)
{
    const char *comma = l->count == 0 ? "" : is_last ? " or " : ", ";
    if (!l->last[0] || l->length >= l->room)
        return;
    l->length += (size_t)snprintf(l->text + l->length, l->room - l->length, "%s%s", comma, l->last);
    l->count++;
}

static void list_add(list *l, const char *name, size_t length, const char *arguments)
{
    list_write(l, 0);
    snprintf(l->last, sizeof l->last, "%.*s%s", (int)length, name, arguments);
}

/* Lists what an option takes, and offers it to a guess. */
static void list_names(const akin_cli_option *option, akin_guess *guess, char *text, size_t room)
{
    list l = {.text = text, .room = room};
    const akin_choice *row;
    text[0] = '\0';
    for (const char *word = option->others; word && *word; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        list_add(&l, word, length, "");
        akin_guess_offer(guess, l.last);
        word += length;
    }
    for (uint32_t i = 0; (row = akin_cli_option_row(option, i)); i++) {
        list_add(&l, row->name, strlen(row->name), row->arguments);
        akin_guess_offer(guess, row->name);
    }
    list_write(&l, 1);
}

int akin_cli_option_choose(const akin_cli_option *option, const char *word, const akin_choice **out)
{
    char names[512];
    akin_guess guess = {.word = word};
    for (uint32_t i = 0; (*out = akin_cli_option_row(option, i)); i++)
        if (strcmp((*out)->name, word) == 0)
            return AKIN_CLI_DONE;
    list_names(option, &guess, names, sizeof names);
    return akin_cli_refuse("--%s %s: expected %s", option->name, akin_cli_word(word), names);
}

/* -------------------------------------------------------------------------------------------------------------- help */

/* Copies a help, "{}" in it replaced by `names`. */
static void fill_in(const char *help, const char *names, char *out, size_t room)
{
    const char *mark = strstr(help, "{}");
    if (mark)
        snprintf(out, room, "%.*s%s%s", (int)(mark - help), help, names, mark + 2);
    else
        snprintf(out, room, "%s", help);
}

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

int akin_cli_option_shown(const akin_cli_command *command, int index, uint32_t row, akin_cli_shown *out)
{
    const akin_cli_option *option = &command->options[index];
    const akin_choice *choice = option->name ? NULL : akin_cli_option_row(option, row);
    char names[512] = "";
    akin_guess guess = {.word = ""};
    if (!choice && (row > 0 || !option->name))
        return 0;
    out->option = *option;
    out->option.help = out->help;
    if (row > 0)
        out->option.heading = NULL;
    if (option->choices && option->name)
        list_names(option, &guess, names, sizeof names);
    if (choice) {
        out->option.name = choice->name;
        out->option.choices = NULL;
        out->option.argument = choice->capabilities & AKIN_TAKES_COUNT ? "N" : option->argument;
    }
    fill_in(choice ? choice->help : option->help, names, out->help, sizeof out->help);
    wrap(out->help);
    return 1;
}
