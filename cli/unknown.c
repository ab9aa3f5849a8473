/* Options and words that a command does not have: the message says what was probably meant. */
#include "unknown.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "elsewhere.h"
#include "former.h"

#define SHOWN_BYTES 64

/* What people call a threshold who know other programs. */
static const char *const thresholds[] = {"threshold", "cutoff", "score-cutoff", "min-similarity"};

/* Whether the argument of an option is a threshold of similarity: T, or NAME:T. An option that has the word in its
 * name, such as --boost-threshold, is about another one. */
static int is_threshold(const akin_cli_option *option)
{
    const char *argument = option->argument;
    const size_t length = argument ? strlen(argument) : 0;
    return length > 0 && argument[length - 1] == 'T' && (length == 1 || argument[length - 2] == ':') &&
           !strstr(option->name, thresholds[0]);
}

static int is_threshold_word(const char *name)
{
    for (size_t i = 0; i < sizeof thresholds / sizeof *thresholds; i++)
        if (strcmp(thresholds[i], name) == 0)
            return 1;
    return 0;
}

/* Refuses a word for a threshold with the options that have one; 0: it is no such word, or the command has none. */
static int refuse_threshold(const akin_cli_command *command, const char *name)
{
    char text[AKIN_CLI_HELP_BYTES], shown[SHOWN_BYTES];
    akin_cli_list list = {.text = text, .room = sizeof text};
    akin_guess guess = {.word = name};
    akin_cli_option option;
    int count = 0;
    for (size_t i = 0; i < sizeof thresholds / sizeof *thresholds; i++)
        akin_guess_offer(&guess, thresholds[i]);
    if (!guess.best)
        return 0;
    for (int i = 0; i < command->option_count; i++)
        for (uint32_t row = 0; akin_cli_option_at(command, i, row, &option); row++)
            if (is_threshold(&option)) {
                snprintf(shown, sizeof shown, "--%s ", option.name);
                akin_cli_list_add(&list, shown, option.argument, "");
                count++;
            }
    if (count > 0)
        akin_cli_refuse("unknown option --%s: a threshold is the argument of %s", name, akin_cli_list_end(&list));
    return count > 0;
}

/* Refuses the name of a choice with the option that takes it; 0: no option does. */
static int refuse_choice(const akin_cli_command *command, const char *name)
{
    const akin_choice *choice;
    for (int i = 0; i < command->option_count; i++) {
        const akin_cli_option *option = &command->options[i];
        for (uint32_t row = 0; option->name && option->choices && (choice = akin_cli_option_row(option, row)); row++)
            if (strcmp(choice->name, name) == 0) {
                const char *behind = strchr(option->argument, ':');
                akin_cli_refuse("unknown option --%s: did you mean --%s %s%s?", name, option->name, name,
                                behind ? behind : "");
                return 1;
            }
    }
    return 0;
}

/* The nearest name of an option; NULL: none is near. */
static const char *nearest(const akin_cli_command *command, const char *name, akin_cli_option *option)
{
    akin_guess guess = {.word = name};
    for (int i = 0; i < command->option_count; i++)
        for (uint32_t row = 0; akin_cli_option_at(command, i, row, option); row++)
            akin_guess_offer(&guess, option->name);
    return guess.best;
}

/* Refuses an option of other commands with these; 0: no command has it. */
static int refuse_other(const char *name)
{
    char text[AKIN_CLI_HELP_BYTES], shown[SHOWN_BYTES];
    akin_cli_list list = {.text = text, .room = sizeof text};
    akin_cli_option option;
    int count = 0;
    for (const akin_cli_command *const *command = akin_cli_commands; *command; command++)
        for (int i = 0; i < (*command)->option_count; i++)
            for (uint32_t row = 0; akin_cli_option_at(*command, i, row, &option); row++)
                if (strcmp(option.name, name) == 0) {
                    snprintf(shown, sizeof shown, "akin %s", (*command)->name);
                    akin_cli_list_add(&list, shown, "", "");
                    count++;
                }
    if (count > 0)
        akin_cli_refuse("unknown option --%s: it is an option of %s", name, akin_cli_list_end(&list));
    return count > 0;
}

void akin_cli_unknown(const akin_cli_command *command, const char *name)
{
    akin_cli_option option;
    const char *now = akin_cli_former(command, name), *near = nearest(command, name, &option);
    const akin_cli_same *same = akin_cli_elsewhere(command, name);
    if (now)
        akin_cli_refuse("option --%s is now called --%s", name, now);
    else if (is_threshold_word(name) && refuse_threshold(command, name))
        return;
    else if (same && strncmp(same->how, AKIN_CLI_SAYS, strlen(AKIN_CLI_SAYS)) == 0)
        akin_cli_refuse("unknown option --%s%s", name, same->how);
    else if (same)
        akin_cli_refuse("unknown option --%s: did you mean --%s%s?", name, same->here, same->how);
    else if (near)
        akin_cli_refuse("unknown option --%s: did you mean --%s?", name, near);
    else if (!refuse_threshold(command, name) && !refuse_choice(command, name) && !refuse_other(name))
        akin_cli_refuse("unknown option --%s: see 'akin %s --help'", name, command->name);
}

int akin_cli_unknown_word(const akin_cli_command *command, const char *word)
{
    char text[AKIN_CLI_HELP_BYTES], names[8][SHOWN_BYTES];
    akin_cli_list list = {.text = text, .room = sizeof text};
    akin_guess guess = {.word = word};
    const char *usage = command->usage;
    for (int i = 0; i < 8 && islower((unsigned char)*usage); i++) {
        const size_t length = strcspn(usage, " |");
        snprintf(names[i], sizeof names[i], "%.*s", (int)length, usage);
        akin_guess_offer(&guess, names[i]);
        akin_cli_list_add(&list, names[i], "", "");
        usage += length + (usage[length] == '|');
    }
    const char *listed = akin_cli_list_end(&list);
    if (guess.best)
        return akin_cli_refuse("%s %s: did you mean %s? expected %s", command->name, word, guess.best, listed);
    return akin_cli_refuse("%s %s: expected %s", command->name, akin_cli_word(word), listed);
}
