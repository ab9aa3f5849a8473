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

int akin_cli_help(const akin_cli_command *command)
{
    printf("Usage: akin %s%s%s\n\n%s", command->name, command->usage[0] ? " " : "", command->usage, command->about);
    if (command->option_count == 0)
        fputs("\nOptions:\n", stdout);
    akin_cli_option option;
    for (int i = 0; i < command->option_count; i++)
        for (uint32_t row = 0; akin_cli_option_at(command, i, row, &option); row++)
            print_help_option(&option);
    print_help_option(&akin_cli_help_option);
    putchar('\n');
    akin_cli_text_write(stdout, command->notes);
    return akin_cli_flush();
}
