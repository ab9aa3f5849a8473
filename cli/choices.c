/* What the command takes from tables of choices: options and their arguments, and lists in texts of the help. */
#include <stdio.h>
#include <string.h>

#include "command.h"

#define TEXT_WIDTH 80 /* of a text of the help */
#define TABLE_NAME 64 /* bytes of the name of a table */
#define NAME_WIDTH 26 /* of a name with its arguments; a longer one has a line of its own */

/* ------------------------------------------------------------------------------------------------------------- names */

/* Whether one of the tables before `table` has a row of that name. */
static int is_listed(const char *tables, const char *table, const char *name)
{
    char what[TABLE_NAME];
    const akin_choice *row = NULL;
    for (; tables < table && !row; tables += strspn(tables, " ")) {
        snprintf(what, sizeof what, "%.*s", (int)strcspn(tables, " "), tables);
        for (uint32_t i = 0; (row = akin_choices(what, i)) && strcmp(row->name, name) != 0;)
            i++;
        tables += strlen(what);
    }
    return row != NULL;
}

const akin_choice *akin_cli_option_row(const akin_cli_option *option, uint32_t index)
{
    char what[TABLE_NAME];
    for (const char *tables = option->choices; tables && *tables; tables += strspn(tables, " ")) {
        const akin_choice *row;
        snprintf(what, sizeof what, "%.*s", (int)strcspn(tables, " "), tables);
        for (uint32_t i = 0; (row = akin_choices(what, i)); i++)
            if ((option->capabilities == 0 || (row->capabilities & option->capabilities)) &&
                !is_listed(option->choices, tables, row->name) && index-- == 0)
                return row;
        tables += strlen(what);
    }
    return NULL;
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

/* What follows a name in the argument of an option: ":T" of "NAME:T". */
static const char *behind_name(const akin_cli_option *option)
{
    const char *colon = option->argument ? strchr(option->argument, ':') : NULL;
    return colon ? colon : "";
}

/* Lists what an option takes: "a, b or c". */
static void list_names(const akin_cli_option *option, char *text, size_t room)
{
    size_t length = (size_t)snprintf(text, room, "%s%s", option->other ? option->other : "",
                                     option->other ? behind_name(option) : "");
    uint32_t count = 0;
    while (akin_cli_option_row(option, count))
        count++;
    for (uint32_t i = 0; i < count && length < room; i++) {
        const akin_choice *row = akin_cli_option_row(option, i);
        const char *comma = length == 0 ? "" : i + 1 < count ? ", " : " or ";
        length += (size_t)snprintf(text + length, room - length, "%s%s%s%s", comma, row->name, row->arguments,
                                   behind_name(option));
    }
}

const char *akin_cli_option_names(const akin_cli_option *option, char text[AKIN_CLI_HELP_BYTES])
{
    list_names(option, text, AKIN_CLI_HELP_BYTES);
    return text;
}

int akin_cli_option_choose(const akin_cli_option *option, const char *word, const akin_choice **out)
{
    char names[512], name[64], meant[96] = "";
    const char *behind = behind_name(option);
    akin_guess guess = {.word = name};
    size_t length = strcspn(word, behind[0] ? ":" : "/");
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : 0), word);
    for (uint32_t i = 0; (*out = akin_cli_option_row(option, i)); i++) {
        if (strcmp((*out)->name, name) == 0 && (!behind[0] || word[length]))
            return AKIN_CLI_DONE;
        akin_guess_offer(&guess, (*out)->name);
    }
    if (guess.best && strcmp(guess.best, name) != 0)
        snprintf(meant, sizeof meant, " (did you mean '%.64s'?)", guess.best);
    list_names(option, names, sizeof names);
    return akin_cli_refuse("--%s %s%s: expected %s", option->name, akin_cli_word(word), meant, names);
}

int akin_cli_option_format(const akin_cli_option *option, const char *word, akin_format *out)
{
    const akin_choice *row;
    int status = akin_cli_option_choose(option, word, &row);
    if (status == AKIN_CLI_DONE)
        *out = (akin_format)row->value;
    return status;
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

/* Writes words from a column on, broken so that no line is longer than 80; the first line is there up to the column. */
static void write_wrapped(FILE *to, const char *words, int column)
{
    int room = TEXT_WIDTH - column, left = room;
    while (*words) {
        int length = (int)strcspn(words, " ");
        if (length > left && left < room) {
            fprintf(to, "\n%*s", column, "");
            left = room;
        }
        fprintf(to, "%s%.*s", left < room ? " " : "", length, words);
        left -= length + 1;
        words += length + (words[length] == ' ');
    }
    fputc('\n', to);
}

void akin_cli_choices_write(FILE *to, const char *what, unsigned capabilities)
{
    const akin_choice *row;
    int widest = 0;
    for (uint32_t i = 0; (row = akin_choices(what, i)); i++) {
        int width = (int)(strlen(row->name) + strlen(row->arguments));
        if (width > widest && width <= NAME_WIDTH)
            widest = width;
    }
    for (uint32_t i = 0; (row = akin_choices(what, i)); i++) {
        if (capabilities && !(row->capabilities & capabilities))
            continue;
        int width = fprintf(to, "  %s%s", row->name, row->arguments), column = widest + 4;
        if (width > column - 2)
            fprintf(to, "\n%*s", column, "");
        else
            fprintf(to, "%*s", column - width, "");
        write_wrapped(to, row->help, column);
    }
}

void akin_cli_text_write(FILE *to, const char *text)
{
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n") + 1;
        char what[64] = "", name[64] = "";
        const akin_choice *capability = NULL;
        int words = *line == '{' ? sscanf(line, "{%63[a-z-]:%63[a-z-]}", what, name) : 0;
        if (words == 2)
            akin_choice_find("capabilities", name, &capability, NULL);
        if (words > 0)
            akin_cli_choices_write(to, what, capability ? (unsigned)capability->value : 0);
        else
            fwrite(line, 1, length, to);
        line += length;
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
