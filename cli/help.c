/* The help of a command, laid out from its table of options. */
#include <stdio.h>
#include <string.h>

#include "command.h"

#define HELP_COLUMN 27 /* where the explanations begin: 80 columns less AKIN_CLI_HELP_WIDTH */

static void print_help_option(const akin_cli_option *option)
{
    char left[80], help[AKIN_CLI_HELP_BYTES];
    int length = option->letter ? snprintf(left, sizeof left, "  -%c, --%s", option->letter, option->name)
                                : snprintf(left, sizeof left, "      --%s", option->name);
    if (option->argument)
        length += snprintf(left + length, sizeof left - (size_t)length, " %s", option->argument);
    if (option->heading)
        printf("\n%s:\n", option->heading);
    if (length > HELP_COLUMN - 2) {
        puts(left);
        left[0] = '\0';
    }
    printf("%-*s", HELP_COLUMN, left);
    akin_cli_option_help(option, help);
    for (const char *text = help; *text;) {
        size_t width = strcspn(text, "\n");
        printf("%.*s\n", (int)width, text);
        text += width;
        if (*text == '\n')
            printf("%*s", HELP_COLUMN, ""), text++;
    }
}

const akin_cli_option akin_cli_help_option = {.name = "help", .letter = 'h', .help = "show this help"};

const akin_cli_verb *akin_cli_verb_of(const akin_cli_command *command, const char *name)
{
    for (int i = 0; i < command->verb_count; i++)
        if (strcmp(name, command->verbs[i].name) == 0)
            return &command->verbs[i];
    return NULL;
}

/* Prints the options, those of a verb if there is one. A heading stands above the first one that is left below it. */
static void print_options(const akin_cli_command *command, const akin_cli_verb *verb)
{
    const char *heading = NULL;
    akin_cli_option option;
    for (int i = 0; i < command->option_count; i++)
        for (uint32_t row = 0; akin_cli_option_at(command, i, row, &option); row++) {
            heading = option.heading ? option.heading : heading;
            if (verb && (verb->options >> i & 1) == 0)
                continue;
            option.heading = heading;
            heading = NULL;
            print_help_option(&option);
        }
    print_help_option(&akin_cli_help_option);
}

int akin_cli_help(const akin_cli_command *command, const akin_cli_verb *verb)
{
    if (verb)
        printf("Usage: akin %s %s [OPTION...]\n\n%s", command->name, verb->takes, verb->about);
    else
        printf("Usage: akin %s%s%s\n\n%s", command->name, command->usage[0] ? " " : "", command->usage, command->about);
    if (command->option_count == 0)
        fputs("\nOptions:\n", stdout);
    print_options(command, verb);
    putchar('\n');
    akin_cli_text_write(stdout, verb ? verb->notes : command->notes);
    return akin_cli_flush();
}
