/* The options that say which documents are weighed, and how, checked: of akin weigh, of akin index --kind bm25 and of akin rank. */
#ifndef AKIN_CLI_WEIGHING_H
#define AKIN_CLI_WEIGHING_H

#include "weighed.h"

/* What was given on the command line; NULL: not given. */
typedef struct akin_cli_weighing_words {
    const char *input, *on, *id, *lossy, *documents;             /* how files are read */
    const char *tokens, *fold, *stem, *stop_words;               /* what a term is */
    const char *dictionary, *unknown, *formula, *k1, *b, *delta; /* and what it weighs */
    const char *purpose;                                         /* what is done with columns, for messages */
} akin_cli_weighing_words;

/* Checks all of them and takes them into `out`, whose paths are there; it is to be cleared. Returns AKIN_CLI_DONE, AKIN_CLI_USAGE or
 * AKIN_CLI_FAILED. */
int akin_cli_weighing_check(const akin_cli_weighing_words *words, akin_cli_weighed *out);
void akin_cli_weighing_clear(akin_cli_weighed *weighed);

/* Refuses an output, given to the option of that name, that would replace what is read. Returns as above. */
int akin_cli_weighing_check_output(const char *option, const char *path, const akin_cli_weighed *weighed);

#endif
