/* What the makers of completions for the shells share: what may stand where in a command line. */
#ifndef AKIN_CLI_COMPLETION_H
#define AKIN_CLI_COMPLETION_H

#include <stddef.h>

#include "command.h"

#define AKIN_CLI_WORDS_BYTES 2048
#define AKIN_CLI_BRIEF_BYTES 80

/* What an argument or operand may be. */
typedef struct akin_cli_awaited {
    const char *name; /* what the help calls it; it has name_length bytes */
    size_t name_length;
    int file;                         /* the name of a file */
    char words[AKIN_CLI_WORDS_BYTES]; /* or one of these, with blanks between them; one that ends in ':' goes on */
} akin_cli_awaited;

/* The next argument of an option; 0: there is none. *at is its `argument` at first. */
int akin_cli_awaited_next(const akin_cli_option *option, const char **at, akin_cli_awaited *out);

/* What the operands of a command may be: first one of `words`, if there are any, then files, if `file` is set. */
void akin_cli_awaited_operands(const akin_cli_command *command, akin_cli_awaited *out);

/* Calls `print` for each option of a command, --help being the last. */
void akin_cli_each_option(const akin_cli_command *command,
                          void (*print)(const akin_cli_command *command, const akin_cli_option *option));

/* What the help says of an option first, in a line; returns its length. */
size_t akin_cli_brief(const akin_cli_option *option, char brief[AKIN_CLI_BRIEF_BYTES]);

/* Print the table of a shell. */
void akin_cli_complete_bash(void);
void akin_cli_complete_zsh(void);
void akin_cli_complete_fish(void);

#endif
