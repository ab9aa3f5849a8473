/* Prints the table that a shell completes command lines from: akin_completion bash, zsh or fish. It is made from the
 * tables of options. A program of its own, run when akin is built. */
#include "completion.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* What an argument may be that has no table of choices, by its option and what the help calls it. The tests hold these
 * lists against what akin says that it expected. */
static const struct {
    const char *option, *argument;
    const char *words;
} values[] = {
    {"bits", "N", "64 128 256 512 1024 2048"},
    {"device", "NAME", "auto cpu cuda cuda:0 cuda:all"},
};

/* What usage lines call files. */
static const char *const files[] = {"FILE", "INDEX", "QUERIES", "DATA", "DOCUMENTS"};

static int is_word(const char *text, size_t length, const char *word)
{
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

static void add_awaited(akin_cli_awaited *out, const char *word, const char *behind)
{
    const size_t length = strlen(out->words);
    snprintf(out->words + length, sizeof out->words - length, "%s%s%s", length ? " " : "", word, behind);
}

/* The names of rows; behind one that must go on stands a colon. */
static void add_choices(const akin_cli_option *option, akin_cli_awaited *out)
{
    const akin_choice *row;
    const int all_go_on = strchr(option->argument, ':') != NULL;
    for (const char *at = option->other; at && *at; at += strspn(at, " ")) {
        char word[64];
        const size_t length = strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        add_awaited(out, word, all_go_on ? ":" : "");
        at += length;
    }
    for (uint32_t i = 0; (row = akin_cli_option_row(option, i)); i++) {
        const int goes_on = row->arguments[0] == ':' || all_go_on;
        add_awaited(out, row->name, goes_on ? ":" : "");
        if (!goes_on && strncmp(row->arguments, "[:", 2) == 0) /* or it may go on */
            add_awaited(out, row->name, ":");
    }
}

int akin_cli_awaited_next(const akin_cli_option *option, const char **at, akin_cli_awaited *out)
{
    if (!*at || !**at)
        return 0;
    memset(out, 0, sizeof *out);
    out->name = *at;
    out->name_length = strcspn(*at, " ");
    *at += out->name_length;
    *at += strspn(*at, " ");
    out->file = !option->choices && is_word(out->name, out->name_length, "FILE");
    if (option->choices)
        add_choices(option, out);
    for (size_t i = 0; !option->choices && i < sizeof values / sizeof values[0]; i++)
        if (strcmp(option->name, values[i].option) == 0 && is_word(out->name, out->name_length, values[i].argument))
            add_awaited(out, values[i].words, "");
    return 1;
}

void akin_cli_awaited_operands(const akin_cli_command *command, akin_cli_awaited *out)
{
    memset(out, 0, sizeof *out);
    out->name = "FILE";
    out->name_length = strlen(out->name);
    const char *usage = command->usage;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        out->file |= strstr(usage, files[i]) != NULL;
    for (; *usage && *usage != '\n'; usage += strspn(usage, " |")) {
        char word[64];
        const size_t length = strcspn(usage, " |\n");
        if (islower((unsigned char)*usage) && length < sizeof word) {
            memcpy(word, usage, length);
            word[length] = '\0';
            add_awaited(out, word, "");
        }
        usage += length;
    }
}

void akin_cli_each_option(const akin_cli_command *command,
                          void (*print)(const akin_cli_command *command, const akin_cli_option *option))
{
    akin_cli_option option;
    for (int i = 0; i < command->option_count; i++)
        for (uint32_t row = 0; akin_cli_option_at(command, i, row, &option); row++)
            print(command, &option);
    print(command, &akin_cli_help_option);
}

/* Whether what follows ends the first thing said. */
static int ends(const char *text)
{
    return (strchr(";:.,", text[0]) && (text[1] == '\0' || isspace((unsigned char)text[1]))) ||
           strncmp(text, " (", 2) == 0;
}

size_t akin_cli_brief(const akin_cli_option *option, char brief[AKIN_CLI_BRIEF_BYTES])
{
    char help[AKIN_CLI_HELP_BYTES];
    akin_cli_option_help(option, help);
    size_t length = 0, at = 0, blank = 0;
    for (; help[at] && !ends(help + at) && length < AKIN_CLI_BRIEF_BYTES - 1; at++) {
        if (help[at] == ' ' || help[at] == '\n')
            blank = length;
        brief[length++] = help[at] == '\n' ? ' ' : help[at];
    }
    if (help[at] && !ends(help + at)) /* whole words */
        length = blank;
    brief[length] = '\0';
    return length;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } shells[] = {{"bash", akin_cli_complete_bash}, {"zsh", akin_cli_complete_zsh}, {"fish", akin_cli_complete_fish}};
    for (size_t i = 0; argc == 2 && i < sizeof shells / sizeof shells[0]; i++) {
        if (strcmp(argv[1], shells[i].name) == 0) {
            shells[i].print();
            return akin_cli_flush();
        }
    }
    return akin_cli_refuse("expected the name of a shell: bash, zsh or fish");
}
