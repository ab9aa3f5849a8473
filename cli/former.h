/* Options that have had other names. */
#ifndef AKIN_CLI_FORMER_H
#define AKIN_CLI_FORMER_H

#include "command.h"

/* The name that an option of a command has now, if it was once called `name`; else NULL. */
const char *akin_cli_former(const akin_cli_command *command, const char *name);

#endif
