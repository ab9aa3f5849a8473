/* The command as a function: finds the subcommand, parses its options and runs it. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "address.h"
#include "command.h"
#include "job_file.h"
#include "run.h"
#include "table.h"

/* "join, dedupe, ... or help" */
static const char *list_commands(char text[AKIN_CLI_HELP_BYTES])
{
    akin_cli_list list = {.text = text, .room = AKIN_CLI_HELP_BYTES};
    for (const akin_cli_command *const *command = akin_cli_commands; *command; command++)
        akin_cli_list_add(&list, (*command)->name, "", "");
    akin_cli_list_add(&list, "help", "", "");
    return akin_cli_list_end(&list);
}

/* The command of that name; NULL: there is none. */
static const akin_cli_command *known_command(const char *name)
{
    for (const akin_cli_command *const *command = akin_cli_commands; *command; command++)
        if (strcmp(name, (*command)->name) == 0)
            return *command;
    return NULL;
}

/* The command of that name; NULL, having reported it, if there is none. `tables`: the name of a table would do, too. */
static const akin_cli_command *find_command(const char *name, int tables)
{
    char text[AKIN_CLI_HELP_BYTES], shown[1000];
    akin_address_show(name, shown, sizeof shown);
    akin_guess guess = {.word = name};
    const akin_choice *table;
    const akin_cli_command *known = known_command(name);
    if (known)
        return known;
    for (const akin_cli_command *const *command = akin_cli_commands; *command; command++)
        akin_guess_offer(&guess, (*command)->name);
    akin_guess_offer(&guess, "help");
    for (uint32_t i = 0; tables && (table = akin_cli_choice_at("choices", i)); i++)
        akin_guess_offer(&guess, table->name);
    if (guess.best)
        akin_cli_refuse("unknown %s '%s': did you mean %s?", tables ? "command or table" : "command", shown,
                        guess.best);
    else if (tables)
        akin_cli_refuse("unknown command or table '%s': see 'akin --help' and 'akin help choices'", shown);
    else
        akin_cli_refuse("unknown command '%s': expected %s; see 'akin --help'", shown, list_commands(text));
    return NULL;
}

static int run_help(int argc, char **argv)
{
    if (argc == 0 || argv[0][0] == '-' || strcmp(argv[0], "help") == 0)
        return akin_cli_show_overview();
    const akin_cli_command *with_verb = argc == 2 ? known_command(argv[0]) : NULL;
    const akin_cli_verb *verb = with_verb ? akin_cli_verb_of(with_verb, argv[1]) : NULL;
    if (verb)
        return akin_cli_help(with_verb, verb);
    if (argc > 1)
        return akin_cli_refuse("help explains one thing: akin help %s", argv[0]);
    const akin_choice *table = akin_cli_choice_find("choices", argv[0]);
    if (table) {
        printf("%s: %s.\n\n", table->name, table->help);
        akin_cli_choices_write(stdout, table->name, 0);
        return akin_cli_flush();
    }
    const akin_cli_command *command = find_command(argv[0], 1);
    return command ? akin_cli_help(command, NULL) : AKIN_CLI_USAGE;
}

/* An option in the place of a command. */
static int run_option(const char *word)
{
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return akin_cli_show_overview();
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("akin %s\n", akin_version());
        return akin_cli_flush();
    }
    akin_guess guess = {.word = word};
    akin_guess_offer(&guess, "--help");
    akin_guess_offer(&guess, "--version");
    if (guess.best)
        return akin_cli_refuse("unknown option %s: did you mean %s?", word, guess.best);
    return akin_cli_refuse("expected a command before %s, such as 'akin join': see 'akin --help'", word);
}

/* Fills the places of standard streams that the caller has closed, else the next file opened would be taken for one of
 * them. What fills them is open the wrong way round: to read, or to write, still fails as on a closed stream. */
static int fill_closed_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) != -1 || errno != EBADF)
            continue;
        if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) { /* the lowest that is free */
            akin_cli_refuse("file descriptor %d is closed, and /dev/null cannot be opened in its place: %s", fd,
                            strerror(errno));
            return AKIN_CLI_FAILED;
        }
    }
    return AKIN_CLI_DONE;
}

/* Whether the operands are those of the command line, and not those of a job. */
static int has_operands(const akin_cli_command *command, const akin_cli_arguments *parsed)
{
    for (int at = 0; at < command->option_count; at++)
        if (command->options[at].name && strcmp(command->options[at].name, "job") == 0 && parsed->value[at][0])
            return parsed->operand_count > akin_cli_job_file_has_word(command);
    return 1;
}

/* Runs a command line. Its passwords are only for what opens tables. */
static int run_parsed(const akin_cli_command *command, akin_cli_arguments parsed, const akin_cli_host *host)
{
    akin_cli_addresses addresses;
    akin_cli_addresses_begin(&addresses, host);
    parsed.host = host;
    parsed.opener = host ? &addresses.opener : NULL;
    parsed.saver = host ? &addresses.saver : NULL;
    parsed.addresses = &addresses;
    int status = has_operands(command, &parsed) ? akin_cli_addresses_complete(command, &parsed) : AKIN_CLI_DONE;
    if (status == AKIN_CLI_DONE)
        status = akin_cli_addresses_hide(command, &parsed);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_bad_check(command, &parsed);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_job_run(command, &parsed);
    akin_cli_addresses_clear(&addresses);
    return status;
}

int akin_cli_run(int argc, char **argv, const akin_cli_host *host)
{
    if (fill_closed_streams() != AKIN_CLI_DONE)
        return AKIN_CLI_FAILED;
    if (argc < 2) {
        fputs(
            "akin: expected a command: akin COMMAND [OPTION...] [FILE...]\n"
            "akin: commands are",
            stderr);
        for (const akin_cli_command *const *command = akin_cli_commands; *command; command++)
            fprintf(stderr, " %s,", (*command)->name);
        fputs(" help; see 'akin --help'\n", stderr);
        return AKIN_CLI_USAGE;
    }
    if (argv[1][0] == '-')
        return run_option(argv[1]);
    if (strcmp(argv[1], "help") == 0)
        return run_help(argc - 2, argv + 2);
    const akin_cli_command *command = find_command(argv[1], 0);
    if (!command)
        return AKIN_CLI_USAGE;
    akin_cli_arguments arguments;
    int status = AKIN_CLI_USAGE;
    switch (akin_cli_parse(command, argc - 2, argv + 2, &arguments)) {
    case AKIN_CLI_PARSED:
        status = run_parsed(command, arguments, host);
        break;
    case AKIN_CLI_HELP:
        status = akin_cli_help(command, argc > 2 ? akin_cli_verb_of(command, argv[2]) : NULL);
        break;
    case AKIN_CLI_REFUSED:
        break;
    }
    free(arguments.repeated);
    return status;
}
