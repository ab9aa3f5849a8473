/* Addresses of tables on the command line: they are completed, and passwords are taken out of them, before anything is
 * made of the arguments. */
#include "address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object.h"

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

static akin_status open_given_bytes(void *user, const char *path, void **file, uint64_t *size, akin_error *error)
{
    const akin_cli_addresses *addresses = user;
    const akin_opener *opener = &addresses->host->opener;
    return opener->open_bytes(opener->user, given_of(addresses, path), file, size, error);
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
    if (host) {
        addresses->opener = host->opener;
        addresses->saver = host->saver;
    }
    addresses->opener.open = open_given;
    addresses->opener.user = addresses;
    if (addresses->opener.open_bytes)
        addresses->opener.open_bytes = open_given_bytes;
    addresses->saver.open = save_given;
    addresses->saver.user = addresses;
}

void akin_cli_addresses_clear(akin_cli_addresses *addresses)
{
    for (int i = 0; i < addresses->count; i++)
        free(addresses->list[i].shown);
    for (int i = 0; i < addresses->completed_count; i++)
        free(addresses->completed[i]);
    free(addresses->list);
    free(addresses->completed);
    *addresses = (akin_cli_addresses){.count = 0};
}

/* Whether the operands are files: not the two strings of akin compare. */
static int has_files(const akin_cli_command *command, const akin_cli_arguments *arguments)
{
    for (int at = 0; at < command->option_count; at++)
        if (command->options[at].files)
            return arguments->value[at][0] != NULL;
    return 1;
}

/* ---------------------------------------------------------------------------------------------------------- tables */

/* The place of an option; -1: the command has none of that name. */
static int find_option(const akin_cli_command *command, const char *name)
{
    for (int at = 0; at < command->option_count; at++)
        if (command->options[at].name && strcmp(command->options[at].name, name) == 0)
            return at;
    return -1;
}

/* Adds ?NAME=VALUE to an address. */
static int complete(akin_cli_addresses *addresses, const char **address, const char *name, const char *value)
{
    const size_t length = strlen(*address) + strlen(name) + strlen(value) + 3;
    char **list = realloc(addresses->completed, ((size_t)addresses->completed_count + 1) * sizeof *list);
    char *whole = malloc(length);
    if (list)
        addresses->completed = list;
    if (!list || !whole) {
        free(whole);
        akin_cli_refuse("not enough memory for the command line");
        return AKIN_CLI_FAILED;
    }
    snprintf(whole, length, "%s%c%s=%s", *address, strchr(*address, '?') ? '&' : '?', name, value);
    list[addresses->completed_count++] = whole;
    *address = whole;
    return AKIN_CLI_DONE;
}

/* Refuses an option that no operand needs. */
static int refuse_table(const akin_cli_arguments *arguments, const char *option)
{
    char shown[600];
    for (int i = 0; i < arguments->operand_count; i++)
        if (akin_cli_object_is_database(arguments->operands[i])) {
            akin_address_show(arguments->operands[i], shown, sizeof shown);
            return akin_cli_refuse("--%s: %s already has a table or a query: leave the option out", option, shown);
        }
    return akin_cli_refuse(
        "--%s: no operand is a database: expected an address such as sqlite:FILE, duckdb:FILE or "
        "postgresql://HOST/DATABASE",
        option);
}

static int refuse_empty(const char *address)
{
    char shown[600];
    akin_address_show(address, shown, sizeof shown);
    return akin_cli_refuse("%s: nothing stands behind '=': expected ?table=NAME or ?query=SQL at the end", shown);
}

int akin_cli_addresses_complete(const akin_cli_command *command, akin_cli_arguments *arguments)
{
    const int places[2] = {find_option(command, "table"), find_option(command, "sql")};
    static const char *const names[2] = {"table", "query"};
    int status = AKIN_CLI_DONE, found = 0;
    if (places[0] < 0 || places[1] < 0 || !has_files(command, arguments))
        return AKIN_CLI_DONE;
    const char *const given[2] = {arguments->value[places[0]][0], arguments->value[places[1]][0]};
    const int which = given[0] == NULL;
    const char *value = given[which], *option = which ? "sql" : "table";
    if (given[0] && given[1])
        return akin_cli_refuse("--table and --sql: expected one of them");
    if (!value)
        return AKIN_CLI_DONE;
    if (!*value)
        return akin_cli_refuse("--%s '': expected %s", option, which ? "a query" : "the name of a table");
    for (int i = 0; i < arguments->operand_count && status == AKIN_CLI_DONE; i++) {
        const char *address = arguments->operands[i], *source = akin_cli_object_source(address);
        if (source && !source[6])
            return refuse_empty(address);
        if (source || !akin_cli_object_is_database(address))
            continue;
        found = 1;
        status = complete(arguments->addresses, (const char **)&arguments->operands[i], names[which], value);
    }
    if (status == AKIN_CLI_DONE && !found)
        return refuse_table(arguments, option);
    arguments->value[places[which]][0] = NULL;
    return status;
}

/* ------------------------------------------------------------------------------------------------------- passwords */

/* Refuses two addresses of one shown form, by which addresses are looked up. */
static int check_others(const akin_cli_addresses *addresses, const char *shown, const char *given)
{
    for (int i = 0; i < addresses->count; i++)
        if (strcmp(addresses->list[i].shown, shown) == 0 && strcmp(addresses->list[i].given, given) != 0)
            return akin_cli_refuse("%s: is given with two passwords or other secrets: expected one", shown);
    return AKIN_CLI_DONE;
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
    const int status = check_others(addresses, shown, *word);
    list[addresses->count++] = (struct akin_cli_address){shown, *word};
    *word = shown;
    return status;
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
