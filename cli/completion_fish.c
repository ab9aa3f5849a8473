/* The rules that fish completes command lines by; completion.fish has the functions that they call. */
#include <stdio.h>

#include "completion.h"

/* Text in single quotes of fish. */
static void put_fish_quoted(const char *text)
{
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('\'');
}

/* Of two arguments fish knows the first; the second is a number. */
static void print_fish_option(const akin_cli_command *command, const akin_cli_option *option)
{
    char brief[AKIN_CLI_BRIEF_BYTES];
    akin_cli_awaited awaited;
    const char *at = option->argument;
    printf("complete -c akin -n '__akin_is %s%s%s' -l %s", command->name,
           option->repeated ? "" : "; and not __akin_given --", option->repeated ? "" : option->name, option->name);
    if (option->letter)
        printf(" -s %c", option->letter);
    if (akin_cli_awaited_next(option, &at, &awaited)) {
        fputs(awaited.file ? " -r -F" : " -x", stdout);
        if (awaited.words[0]) {
            fputs(" -a ", stdout);
            put_fish_quoted(awaited.words);
        }
    }
    fputs(" -d ", stdout);
    akin_cli_brief(option, brief);
    put_fish_quoted(brief);
    putchar('\n');
}

static void print_command(const akin_cli_command *command)
{
    akin_cli_awaited operands;
    akin_cli_awaited_operands(command, &operands);
    printf("\ncomplete -c akin -n __akin_first -a %s -d ", command->name);
    put_fish_quoted(command->summary);
    printf("\ncomplete -c akin -n '__akin_is help; and __akin_at 3' -f -a %s -d ", command->name);
    put_fish_quoted(command->summary);
    putchar('\n');
    if (operands.words[0])
        printf("complete -c akin -n '__akin_is %s; and __akin_at 3' -f -a '%s'\n", command->name, operands.words);
    if (!operands.file)
        printf("complete -c akin -n '__akin_is %s' -f\n", command->name);
    akin_cli_each_option(command, print_fish_option);
}

/* What `akin help` prints besides commands: tables of choices. */
static void print_tables(void)
{
    const akin_choice *table;
    for (uint32_t i = 0; (table = akin_cli_choice_at("choices", i)); i++) {
        printf("complete -c akin -n '__akin_is help; and __akin_at 3' -f -a %s -d ", table->name);
        put_fish_quoted(table->help);
        putchar('\n');
    }
}

void akin_cli_complete_fish(void)
{
    printf("# Completion in fish for akin %s, made from its tables of options.\n", akin_version());
    for (const akin_cli_command *const *command = akin_cli_commands; *command; command++)
        print_command(*command);
    putchar('\n');
    print_tables();
    fputs("\ncomplete -c akin -n __akin_first -a help -d ", stdout);
    put_fish_quoted(akin_cli_help_summary);
    puts(
        "\ncomplete -c akin -n __akin_first -l help -s h -d 'show help'"
        "\ncomplete -c akin -n __akin_first -l version -s V -d 'print the version'");
}
