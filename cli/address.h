/* Addresses of tables on the command line: which table they name, and their passwords, which only the opener and the
 * saver see. */
#ifndef AKIN_CLI_ADDRESS_H
#define AKIN_CLI_ADDRESS_H

#include "command.h"
#include "run.h"

/* The addresses of a command line and its job that have passwords, and an opener and a saver that know them. */
typedef struct akin_cli_addresses {
    akin_opener opener;
    akin_saver saver;
    const akin_cli_host *host; /* what they call; NULL: nothing opens addresses */
    struct akin_cli_address {
        char *shown;       /* without its password, to be freed */
        const char *given; /* as it was typed, or stands in the job */
    } * list;
    int count;
    char **completed; /* addresses with the table that an option names, to be freed */
    int completed_count;
} akin_cli_addresses;

void akin_cli_addresses_begin(akin_cli_addresses *addresses, const akin_cli_host *host);
void akin_cli_addresses_clear(akin_cli_addresses *addresses);

/* Appends the argument of --table or --sql to each database address that has neither, and removes the option. Refused
 * if no operand is such an address. Returns an exit status, having reported it. */
int akin_cli_addresses_complete(const akin_cli_command *command, akin_cli_arguments *arguments);

/* Replaces each path among the arguments by what messages and jobs may show. Their opener and saver open the
 * table all the same. Refused: two addresses that differ in their passwords alone. Returns an exit status, having
 * reported it. */
int akin_cli_addresses_hide(const akin_cli_command *command, akin_cli_arguments *arguments);

#endif
