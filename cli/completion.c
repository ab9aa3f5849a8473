/* Prints the table that completion.bash completes command lines from, which is made from the tables of options. A
 * program of its own, run when akin is built. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "command.h"

/* What an argument may be, where that can be listed, by its option and what the help calls it: a word that ends in
 * ':' goes on. The tests hold these lists against what akin says that it expected. */
static const struct {
    const char *option, *argument;
    const char *values;
} values[] = {
    {"bits", "N", "64 128 256 512 1024 2048"},
    {"device", "DEVICE", "auto cpu"},
    {"device", "NAME", "auto cpu cuda cuda:0 cuda:all"},
};

static const char *values_of(const char *option, const char *argument, size_t length)
{
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (strcmp(option, values[i].option) == 0 && strlen(values[i].argument) == length &&
            memcmp(argument, values[i].argument, length) == 0)
            return values[i].values;
    return "";
}

/* The names of rows; behind one that must go on stands a colon. */
static void print_choices(const akin_cli_option *option)
{
    const akin_choice *row;
    const char *blank = option->other ? " " : "";
    if (option->other)
        printf("%s%s", option->other, strchr(option->argument, ':') ? ":" : "");
    for (uint32_t i = 0; (row = akin_cli_option_row(option, i)); i++, blank = " ") {
        const int goes_on = row->arguments[0] == ':' || strchr(option->argument, ':') != NULL;
        printf("%s%s%s", blank, row->name, goes_on ? ":" : "");
        if (!goes_on && strncmp(row->arguments, "[:", 2) == 0) /* or it may go on */
            printf(" %s:", row->name);
    }
}

/* "awaited=(FILE '')": what can be said of each argument. */
static void print_arguments(const akin_cli_option *option)
{
    fputs(" awaited=(", stdout);
    for (const char *word = option->argument; word && *word;) {
        size_t length = strcspn(word, " ");
        int file = length == 4 && memcmp(word, "FILE", 4) == 0;
        putchar('\'');
        if (option->choices)
            print_choices(option);
        else
            fputs(file ? "FILE" : values_of(option->name, word, length), stdout);
        putchar('\'');
        word += length;
        if (*word)
            putchar(' '), word++;
    }
    fputs(")", stdout);
}

/* "'join --output' | 'join -o') name=--output awaited=(FILE) ;;"; one that may be given again has no name, by which it would
 * be known as given. */
static void print_option(const akin_cli_command *command, const akin_cli_option *option)
{
    printf("    '%s --%s'", command->name, option->name);
    if (option->letter)
        printf(" | '%s -%c'", command->name, option->letter);
    fputs(")", stdout);
    if (!option->repeated)
        printf(" name=--%s", option->name);
    print_arguments(option);
    puts(" ;;");
}

/* What a command's operands may be: the words of its usage that are to be typed as they stand, or files, or files after
 * such a word. */
static void print_operands(const char *usage)
{
    const char *files = strstr(usage, "FILE") ? "FILE" : "";
    fputs(" operands='", stdout);
    for (; *usage; usage += strspn(usage, " |")) {
        size_t length = strcspn(usage, " |");
        if (islower((unsigned char)*usage))
            printf("%.*s ", (int)length, usage);
        usage += length;
    }
    printf("%s'", files);
}

static void print_command(const akin_cli_command *command)
{
    printf("    '%s')", command->name);
    print_operands(command->usage);
    fputs(" options='", stdout);
    akin_cli_option option;
    for (int i = 0; i < command->option_count; i++)
        for (uint32_t row = 0; akin_cli_option_at(command, i, row, &option); row++)
            printf("--%s ", option.name);
    printf("--%s' ;;\n", akin_cli_help_option.name);
    for (int i = 0; i < command->option_count; i++)
        for (uint32_t row = 0; akin_cli_option_at(command, i, row, &option); row++)
            print_option(command, &option);
    print_option(command, &akin_cli_help_option);
}

static void print_names(void)
{
    for (const akin_cli_command *const *command = akin_cli_commands; *command; command++)
        printf("%s ", (*command)->name);
}

int main(void)
{
    printf(
        "# Completion in bash for akin %s, made from its tables of options.\n"
        "\n"
        "# Sets what there is to offer for a command, or to await after an option of it, in the variables of _akin.\n"
        "# shellcheck disable=SC2034\n"
        "_akin_table()\n"
        "{\n"
        "    name='' awaited=()\n"
        "    case $1 in\n"
        "    '') operands='",
        akin_version());
    print_names();
    fputs("help' options='--help --version' ;;\n    'help') operands='", stdout);
    print_names();
    fputs("' ;;\n", stdout);
    for (const akin_cli_command *const *command = akin_cli_commands; *command; command++)
        print_command(*command);
    fputs("    esac\n}\n\n", stdout);
    return akin_cli_flush();
}
