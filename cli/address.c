/* Passwords in the addresses of tables: they are taken out of the arguments before anything is made of these. */
#include "address.h"

#include <stdlib.h>
#include <string.h>

/* The address that was given; else the path itself. */
static const char *given_of(const akin_cli_addresses *addresses, const char *path)
{
    for (int i = 0; i < addresses->count; i++)
        if (strcmp(addresses->list[i].shown, path) == 0)
            return addresses->list[i].given;
    return path;
}

static akin_status open_given(void *user, const akin_opening *opening, struct ArrowArrayStream *out, akin_error *error)
{
    const akin_cli_addresses *addresses = user;
    const akin_opener *opener = &addresses->host->opener;
    akin_opening given = *opening;
    given.path = given_of(addresses, opening->path);
    return opener->open(opener->user, &given, out, error);
}

static akin_status save_given(void *user, const akin_saving *saving, void **saved, akin_error *error)
{
    const akin_cli_addresses *addresses = user;
    const akin_saver *saver = &addresses->host->saver;
    akin_saving given = *saving;
    given.path = given_of(addresses, saving->path);
    return saver->open(saver->user, &given, saved, error);
}

void akin_cli_addresses_begin(akin_cli_addresses *addresses, const akin_cli_host *host)
{
    *addresses = (akin_cli_addresses){.host = host};
    addresses->opener = (akin_opener){sizeof addresses->opener, open_given, addresses};
    if (host)
        addresses->saver = host->saver;
    addresses->saver.open = save_given;
    addresses->saver.user = addresses;
}

void akin_cli_addresses_clear(akin_cli_addresses *addresses)
{
    for (int i = 0; i < addresses->count; i++)
        free(addresses->list[i].shown);
    free(addresses->list);
    *addresses = (akin_cli_addresses){.count = 0};
}

/* Replaces a word that has a password. */
static int hide(akin_cli_addresses *addresses, const char **word)
{
    const size_t length = *word ? akin_address_show(*word, NULL, 0) : 0;
    if (!*word || length == strlen(*word))
        return AKIN_CLI_DONE;
    struct akin_cli_address *list = realloc(addresses->list, ((size_t)addresses->count + 1) * sizeof *list);
    char *shown = malloc(length + 1);
    if (list)
        addresses->list = list;
    if (!list || !shown) {
        free(shown);
        akin_cli_refuse("not enough memory for the command line");
        return AKIN_CLI_FAILED;
    }
    akin_address_show(*word, shown, length + 1);
    list[addresses->count++] = (struct akin_cli_address){shown, *word};
    *word = shown;
    return AKIN_CLI_DONE;
}

/* Whether the operands are files: not the two strings of akin compare. */
static int has_files(const akin_cli_command *command, const akin_cli_arguments *arguments)
{
    for (int at = 0; at < command->option_count; at++)
        if (command->options[at].files)
            return arguments->value[at][0] != NULL;
    return 1;
}

int akin_cli_addresses_hide(const akin_cli_command *command, akin_cli_arguments *arguments)
{
    akin_cli_addresses *addresses = arguments->addresses;
    int status = AKIN_CLI_DONE;
    for (int i = 0; i < arguments->operand_count && status == AKIN_CLI_DONE && has_files(command, arguments); i++)
        status = hide(addresses, (const char **)&arguments->operands[i]);
    for (int at = 0; at < command->option_count && status == AKIN_CLI_DONE; at++)
        if (akin_cli_option_is_file(&command->options[at]))
            status = hide(addresses, &arguments->value[at][0]);
    for (int i = 0; i < arguments->repeated_count && status == AKIN_CLI_DONE; i++)
        if (akin_cli_option_is_file(&command->options[arguments->repeated[i].option]))
            status = hide(addresses, &arguments->repeated[i].value);
    return status;
}
