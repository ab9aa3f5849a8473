/* What options are called elsewhere. */
#ifndef AKIN_CLI_ELSEWHERE_H
#define AKIN_CLI_ELSEWHERE_H

#include "command.h"

/* A word for an option, the option that does the same here, and what may stand behind that. Behind AKIN_CLI_SAYS is
 * what to do without such an option; the option is then one that the commands have for which the row is. */
#define AKIN_CLI_SAYS ": "
typedef struct akin_cli_same {
    const char *word, *here, *how;
} akin_cli_same;

/* What a command has in place of an option `name`, which it has not; NULL: nothing is known of that name. */
const akin_cli_same *akin_cli_elsewhere(const akin_cli_command *command, const char *name);

#endif
