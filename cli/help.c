/* The help of a command, laid out from its table of options. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "command.h"

#define HELP_COLUMN 27 /* where the explanations begin: 80 columns less AKIN_CLI_HELP_WIDTH */

/* The heading above options of a verb. One that begins with the name of the verb is what comes behind that; one that
 * begins with the name of another verb is not of this one. */
static const char *heading_of(const akin_cli_command *command, const akin_cli_verb *verb, const char *heading)
{
    for (const akin_cli_verb *own = command->verbs; own && own->name; own++) {
        const size_t length = strlen(own->name);
        if (strncmp(heading, own->name, length) == 0)
            return own == verb && heading[length] == ':' ? heading + length + 1 + strspn(heading + length + 1, " ")
                                                         : "options";
    }
    return heading;
}

static void print_heading(const char *heading)
{
    printf("\n%c%s:\n", toupper((unsigned char)heading[0]), heading + 1);
}

static void print_help_option(const akin_cli_option *option)
{
    char left[80], help[AKIN_CLI_HELP_BYTES];
    int length = option->letter ? snprintf(left, sizeof left, "  -%c, --%s", option->letter, option->name)
                                : snprintf(left, sizeof left, "      --%s", option->name);
    if (option->argument)
        length += snprintf(left + length, sizeof left - (size_t)length, " %s", option->argument);
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

/* The options of a verb. One that the verb lacks leaves its heading to the next. */
static void print_verb_options(const akin_cli_command *command, const akin_cli_verb *verb)
{
    const char *heading = NULL, *printed = "";
    akin_cli_option option;
    for (int i = 0; i < command->option_count; i++)
        for (uint32_t row = 0; akin_cli_option_at(command, i, row, &option); row++) {
            heading = option.heading ? heading_of(command, verb, option.heading) : heading;
            if (!akin_cli_verb_has(verb, &option))
                continue;
            if (heading && strcmp(heading, printed) != 0)
                print_heading(printed = heading);
            print_help_option(&option);
        }
}

static void print_options(const akin_cli_command *command)
{
    akin_cli_option option;
    if (command->option_count == 0)
        fputs("\nOptions:\n", stdout);
    for (int i = 0; i < command->option_count; i++)
        for (uint32_t row = 0; akin_cli_option_at(command, i, row, &option); row++) {
            if (option.heading)
                printf("\n%s:\n", option.heading);
            print_help_option(&option);
        }
}

int akin_cli_help(const akin_cli_command *command, const akin_cli_verb *verb)
{
    if (verb)
        printf("Usage: akin %s %s %s [OPTION...]\n\n", command->name, verb->name, verb->takes);
    else
        printf("Usage: akin %s%s%s\n\n", command->name, command->usage[0] ? " " : "", command->usage);
    akin_cli_about_write(stdout, command, verb);
    if (verb)
        print_verb_options(command, verb);
    else
        print_options(command);
    print_help_option(&akin_cli_help_option);
    putchar('\n');
    akin_cli_notes_write(stdout, command, verb);
    return akin_cli_flush();
}
