/* The options --ignore-case and --fold: what text is cleaned of before it is compared, indexed or cut into tokens. */
#ifndef AKIN_CLI_FOLDING_H
#define AKIN_CLI_FOLDING_H

#include "command.h"

/* The rows of these options; --fold is of commands that have strings. */
#define AKIN_CLI_IGNORE_CASE(what) .name = "ignore-case", .help = what
#define AKIN_CLI_FOLD                                                                                                  \
    .name = "fold", .argument = "FOLD", .may_lack = 1, .choices = "folds",                                             \
    .help = "ignore these differences between strings: {}. Combine several with +, such as case+accents"

/* What was given to them; NULL: nothing. */
typedef struct akin_cli_folding {
    const char *ignore_case, *fold;
} akin_cli_folding;

/* What strings are cleaned of, in *folds. Returns AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_folds_check(const akin_cli_folding *folding, uint32_t *folds);

/* The same of text that is cut into tokens, whose case alone can be ignored: *option is the name of the option that
 * says so, or NULL. */
int akin_cli_folds_check_tokens(const akin_cli_folding *folding, const char **option);

#endif
