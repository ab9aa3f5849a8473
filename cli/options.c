/* Reads a command line against a command's table of options. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "number.h"
#include "unknown.h"

const char akin_cli_lacking[1] = "";

/* How many arguments an option takes. */
static int argument_count(const akin_cli_option *option)
{
    return !option->argument ? 0 : strchr(option->argument, ' ') ? 2 : 1;
}

/* What is left of the command line. */
typedef struct command_line {
    const akin_cli_command *command;
    akin_cli_arguments *arguments;
    int argc, next;
    char **argv;
} command_line;

/* A word that an option may take as its argument: not what looks like another option. ("-" does not, nor does "-5",
 * which deserves a better answer than a missing argument.) */
static int is_argument(const char *word)
{
    return word[0] != '-' || word[1] == '\0' || (word[1] >= '0' && word[1] <= '9');
}

/* Adds an argument of an option that may be given several times: there are fewer of them than words. */
static int add_repeated(command_line *line, int option, const char *row, const char *value)
{
    akin_cli_arguments *arguments = line->arguments;
    if (!arguments->repeated)
        arguments->repeated = malloc(((size_t)line->argc + 1) * sizeof *arguments->repeated);
    if (!arguments->repeated) {
        akin_cli_refuse("not enough memory for the command line");
        return 0;
    }
    arguments->repeated[arguments->repeated_count++] = (struct akin_cli_repeated){option, row, value};
    return 1;
}

const char *akin_cli_repeated_next(const akin_cli_arguments *arguments, int option, const char *row, int *at)
{
    while (*at < arguments->repeated_count) {
        const struct akin_cli_repeated *given = &arguments->repeated[(*at)++];
        if (given->option == option && (!row || strcmp(given->row, row) == 0))
            return given->value;
    }
    return NULL;
}

/* An option as it was typed: "--top", or "-k". */
typedef struct typed {
    char text[64 + 3];
} typed;

static typed typed_long(const char *name)
{
    typed t;
    snprintf(t.text, sizeof t.text, "--%s", name);
    return t;
}

static typed typed_short(char letter)
{
    return (typed){{'-', letter}};
}

/* Stores an option with its arguments; `first` is the argument that is attached to it ("--name=first", "-ofirst") or
 * NULL. */
static akin_cli_parsed take_option(command_line *line, const akin_cli_option *option, int at, typed name,
                                   const char *first)
{
    const char **value = line->arguments->value[at];
    int wanted = argument_count(option), got = 0, before = 0;
    const akin_cli_option *entry = &line->command->options[at];
    const int is_row = !entry->name, is_listed = entry->repeated != 0;
    if (is_row && !is_listed && value[0] && value[1] && option->name && strcmp(value[1], option->name) != 0) {
        akin_cli_refuse("--%s and --%s: expected only one of them", value[1], option->name);
        return AKIN_CLI_REFUSED;
    }
    if (!option->repeated &&
        (is_listed ? akin_cli_repeated_next(line->arguments, at, is_row ? option->name : NULL, &before) : value[0])) {
        akin_cli_refuse("option %s is given twice", name.text);
        return AKIN_CLI_REFUSED;
    }
    value[0] = "";
    if (first)
        value[got++] = first;
    while (got < wanted && line->next < line->argc && is_argument(line->argv[line->next]))
        value[got++] = line->argv[line->next++];
    if (got < wanted && option->may_lack) {
        value[0] = akin_cli_lacking;
    } else if (got < wanted) {
        akin_cli_refuse("option %s needs %s: %s %s", name.text, wanted == 2 ? "two arguments" : "an argument",
                        name.text, option->argument);
        return AKIN_CLI_REFUSED;
    }
    if (is_listed && !add_repeated(line, at, is_row ? option->name : NULL, value[0]))
        return AKIN_CLI_REFUSED;
    if (is_row)
        value[1] = option->name;
    return AKIN_CLI_PARSED;
}

/* "--name" or "--name=value". */
static akin_cli_parsed take_long(command_line *line, const char *word)
{
    const akin_cli_command *command = line->command;
    const char *value = strchr(word, '=');
    size_t length = value ? (size_t)(value - word) : strlen(word);
    char name[64] = "";
    memcpy(name, word, length < sizeof name ? length : sizeof name - 1);
    if (strcmp(name, "help") == 0)
        return AKIN_CLI_HELP;
    akin_cli_option option;
    for (int i = 0; i < command->option_count; i++)
        for (uint32_t row = 0; akin_cli_option_at(command, i, row, &option); row++) {
            if (strcmp(name, option.name) != 0)
                continue;
            if (value && argument_count(&option) == 0) {
                akin_cli_refuse("option --%s takes no argument", name);
                return AKIN_CLI_REFUSED;
            }
            return take_option(line, &option, i, typed_long(name), value ? value + 1 : NULL);
        }
    akin_cli_unknown(command, name);
    return AKIN_CLI_REFUSED;
}

/* "-o", "-ovalue", "-qo value". */
static akin_cli_parsed take_short(command_line *line, const char *letters)
{
    const akin_cli_command *command = line->command;
    for (; *letters; letters++) {
        if (*letters == 'h')
            return AKIN_CLI_HELP;
        const akin_cli_option *option = command->options;
        const akin_cli_option *end = option + command->option_count;
        while (option < end && option->letter != *letters)
            option++;
        if (option == end) {
            akin_cli_refuse("unknown option -%c: see 'akin %s --help'", *letters, command->name);
            return AKIN_CLI_REFUSED;
        }
        int attached = argument_count(option) > 0 && letters[1];
        akin_cli_parsed parsed = take_option(line, option, (int)(option - command->options), typed_short(*letters),
                                             attached ? letters + 1 : NULL);
        if (parsed != AKIN_CLI_PARSED || attached)
            return parsed;
    }
    return AKIN_CLI_PARSED;
}

int akin_cli_option_is_file(const akin_cli_option *option)
{
    return option->argument && strncmp(option->argument, "FILE", strlen("FILE")) == 0;
}

akin_cli_parsed akin_cli_parse(const akin_cli_command *command, int argc, char **argv, akin_cli_arguments *arguments)
{
    memset(arguments, 0, sizeof *arguments);
    arguments->operands = (const char *const *)argv;
    command_line line = {.command = command, .arguments = arguments, .argc = argc, .argv = argv};
    int operands_only = 0;
    while (line.next < argc) {
        char *word = argv[line.next++];
        akin_cli_parsed parsed = AKIN_CLI_PARSED;
        if (operands_only || word[0] != '-' || word[1] == '\0')
            argv[arguments->operand_count++] = word; /* never ahead of line.next */
        else if (strcmp(word, "--") == 0)
            operands_only = arguments->dashes = 1;
        else
            parsed = word[1] == '-' ? take_long(&line, word + 2) : take_short(&line, word + 1);
        if (parsed != AKIN_CLI_PARSED)
            return parsed;
    }
    return AKIN_CLI_PARSED;
}

int akin_cli_check_digits(const char *text, int is_shown, int *digits)
{
    const int fine = akin_cli_read_digits(text, digits);
    if (!text && is_shown)
        *digits = AKIN_CLI_DIGITS_SCREEN;
    if (fine)
        return AKIN_CLI_DONE;
    return akin_cli_refuse("--digits %s: expected a whole number from 0 to %d", akin_cli_word(text),
                           AKIN_CLI_DIGITS_MOST);
}
