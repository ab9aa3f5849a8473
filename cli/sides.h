/* The options that name columns of two files: --on and --id of both, --left-on and its kin of each. */
#ifndef AKIN_CLI_SIDES_H
#define AKIN_CLI_SIDES_H

#include "reading.h"

/* The help of these options, which mean the same in every command. */
#define AKIN_CLI_LEFT_ID_HELP                                                                                          \
    "the id column of FILE alone. Rows of FILE2 have their numbers, unless --right-id names a column"
#define AKIN_CLI_RIGHT_ID_HELP "the id column of FILE2 alone, likewise"

/* What was given on the command line; NULL: not given. */
typedef struct akin_cli_sides {
    const char *on, *left_on, *right_on;
    const char *id, *left_id, *right_id;
} akin_cli_sides;

/* Checks which of them stand together, where there are two files or one, and sets what is said of columns in the words
 * of each file. Returns AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_sides_check(const akin_cli_sides *said, int two, akin_cli_reading_words words[2]);

#endif
