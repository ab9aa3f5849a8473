/* The functions that completion.zsh completes the command lines of each command by: specifications for _arguments. */
#include <stdio.h>
#include <string.h>

#include "completion.h"

/* Text in single quotes of zsh, where also brackets and colons mean something to _arguments. */
static void put_zsh_quoted(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\'') {
            fputs("'\\''", stdout);
            continue;
        }
        if (strchr("[]:\\", text[i]))
            putchar('\\');
        putchar(text[i]);
    }
}

static void put_argument(const akin_cli_awaited *awaited)
{
    putchar(':');
    put_zsh_quoted(awaited->name, awaited->name_length);
    putchar(':');
    if (awaited->file)
        fputs("_files", stdout);
    if (awaited->words[0]) {
        fputs("_akin_words ", stdout);
        put_zsh_quoted(awaited->words, strlen(awaited->words));
    } else if (!awaited->file) {
        putchar(' '); /* nothing is offered */
    }
}

/* One name of an option; `others` is the pair of names, which exclude each other. */
static void print_name(const akin_cli_option *option, const char *name, const char *joined, const char *others)
{
    char brief[AKIN_CLI_BRIEF_BYTES];
    printf("        '%s%s%s[", option->repeated ? "*" : others, name, joined);
    const size_t length = akin_cli_brief(option, brief);
    put_zsh_quoted(brief, length);
    putchar(']');
    akin_cli_awaited awaited;
    for (const char *at = option->argument; akin_cli_awaited_next(option, &at, &awaited);)
        put_argument(&awaited);
    puts("' \\");
}

static void print_zsh_option(const akin_cli_command *command, const akin_cli_option *option)
{
    char name[68], letter[3] = {'-', option->letter}, others[80] = "";
    const int one =
        option->argument && !strchr(option->argument, ' '); /* argument: it may follow '=', or a letter at once */
    snprintf(name, sizeof name, "--%s", option->name);
    if (option->letter)
        snprintf(others, sizeof others, "(%s %s)", letter, name);
    if (option->letter)
        print_name(option, letter, one ? "+" : "", others);
    print_name(option, name, one ? "=" : "", others);
    (void)command;
}

static void print_command(const akin_cli_command *command)
{
    akin_cli_awaited operands;
    akin_cli_awaited_operands(command, &operands);
    printf("_akin_%s()\n{\n    _arguments -s -S \\\n", command->name);
    akin_cli_each_option(command, print_zsh_option);
    if (operands.words[0]) {
        fputs("        '1:what:_akin_words ", stdout);
        put_zsh_quoted(operands.words, strlen(operands.words));
        puts("' \\");
    }
    printf("        '*:%s'\n}\n\n", operands.file ? "file:_files" : "word: ");
}

static void print_entry(const char *name, const char *help)
{
    printf("        '%s:", name);
    put_zsh_quoted(help, strlen(help));
    puts("'");
}

/* What `akin help` prints besides commands: tables of choices. */
static void print_tables(void)
{
    const akin_choice *table;
    puts(
        "_akin_tables()\n"
        "{\n"
        "    local -a tables=(");
    for (uint32_t i = 0; (table = akin_cli_choice_at("choices", i)); i++)
        print_entry(table->name, table->help);
    puts(
        "    )\n"
        "    _describe -t tables 'table of choices' tables\n"
        "}\n");
}

void akin_cli_complete_zsh(void)
{
    printf(
        "#compdef akin\n"
        "# Completion in zsh for akin %s, made from its tables of options.\n"
        "\n"
        "_akin_commands()\n"
        "{\n"
        "    local -a commands=(\n",
        akin_version());
    for (const akin_cli_command *const *command = akin_cli_commands; *command; command++)
        print_entry((*command)->name, (*command)->summary);
    print_entry("help", akin_cli_help_summary);
    puts(
        "    )\n"
        "    _describe -t commands command commands\n"
        "}\n");
    print_tables();
    for (const akin_cli_command *const *command = akin_cli_commands; *command; command++)
        print_command(*command);
}
