/* The options of an index that choose the hash functions of vectors, sets and signatures. */
#ifndef AKIN_CLI_FUNCTIONS_H
#define AKIN_CLI_FUNCTIONS_H

#include "akin.h"

/* What was given on the command line; NULL: not given. */
typedef struct akin_cli_functions_words {
    const char *family, *functions, *epsilon, *delta, *width, *buckets, *sigma, *seed, *signatures_only;
} akin_cli_functions_words;

/* Reads them for a kind of index, which has such options. Returns AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_functions_check(const akin_cli_functions_words *words, akin_search_kind kind, akin_vectors_options *out);

#endif
