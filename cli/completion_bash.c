/* The table that completion.bash completes command lines from. */
#include <stdio.h>

#include "completion.h"

/* "'join --output' | 'join -o') name=--output awaited=('FILE') ;;"; one that may be given again has no name, by which
 * it would be known as given. */
static void print_bash_option(const akin_cli_command *command, const akin_cli_option *option)
{
    printf("    '%s --%s'", command->name, option->name);
    if (option->letter)
        printf(" | '%s -%c'", command->name, option->letter);
    fputs(")", stdout);
    if (!option->repeated)
        printf(" name=--%s", option->name);
    fputs(" awaited=(", stdout);
    akin_cli_awaited awaited;
    const char *at = option->argument, *blank = "";
    for (; akin_cli_awaited_next(option, &at, &awaited); blank = " ")
        printf("%s'%s'", blank, awaited.file ? "FILE" : awaited.words);
    puts(") ;;");
}

static void print_name(const akin_cli_command *command, const akin_cli_option *option)
{
    printf("--%s%s", option->name, option == &akin_cli_help_option ? "' ;;\n" : " ");
    (void)command;
}

static void print_command(const akin_cli_command *command)
{
    akin_cli_awaited operands;
    akin_cli_awaited_operands(command, &operands);
    printf("    '%s') operands='%s%s%s' options='", command->name, operands.words, operands.words[0] ? " " : "",
           operands.file ? "FILE" : "");
    akin_cli_each_option(command, print_name);
    akin_cli_each_option(command, print_bash_option);
}

static void print_names(void)
{
    for (const akin_cli_command *const *command = akin_cli_commands; *command; command++)
        printf("%s ", (*command)->name);
}

/* What `akin help` prints besides commands: tables of choices. */
static void print_tables(void)
{
    const akin_choice *table;
    for (uint32_t i = 0; (table = akin_cli_choice_at("choices", i)); i++)
        printf("%s ", table->name);
}

void akin_cli_complete_bash(void)
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
    print_tables();
    fputs("' ;;\n", stdout);
    for (const akin_cli_command *const *command = akin_cli_commands; *command; command++)
        print_command(*command);
    fputs("    esac\n}\n\n", stdout);
}
