/* Options and words that a command does not have. */
#ifndef AKIN_CLI_UNKNOWN_H
#define AKIN_CLI_UNKNOWN_H

#include "command.h"

/* Refuses `name`, without its dashes, which is no option of the command: says on stderr what was probably meant. */
void akin_cli_unknown(const akin_cli_command *command, const char *name);

/* Refuses the first operand of a command if its usage, such as "sets|records|text", does not have that word. Returns
 * AKIN_CLI_USAGE. */
int akin_cli_unknown_word(const akin_cli_command *command, const char *word);

#endif
