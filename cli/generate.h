/* Data to try things on: what all kinds of it, sets, records and text, have in common. */
#ifndef AKIN_CLI_GENERATE_H
#define AKIN_CLI_GENERATE_H

#include "akin_generate.h"
#include "command.h"

/* The options: of sets, of records, of text; of sets and records; of all. */
enum {
    GENERATE_SETS,
    GENERATE_TOKENS,
    GENERATE_AVERAGE,
    GENERATE_SPREAD,
    GENERATE_SMALLEST,
    GENERATE_LARGEST,
    GENERATE_LOGNORMAL,
    GENERATE_ZIPF,
    GENERATE_GROW,
    GENERATE_RECORDS,
    GENERATE_KIND,
    GENERATE_TRACKS,
    GENERATE_COPIES,
    GENERATE_MOST_COPIES,
    GENERATE_FIELD_MODIFICATIONS,
    GENERATE_RECORD_MODIFICATIONS,
    GENERATE_MODIFY,
    GENERATE_LINKED,
    GENERATE_GOLD,
    GENERATE_FORMAT,
    GENERATE_SAFE_CSV,
    GENERATE_REPLACE,
    GENERATE_DOCUMENTS,
    GENERATE_BYTES,
    GENERATE_WORDS,
    GENERATE_VOCABULARY,
    GENERATE_DISTRIBUTION,
    GENERATE_LENGTH,
    GENERATE_DUPLICATES,
    GENERATE_SEED,
    GENERATE_OUTPUT,
    GENERATE_SYNC,
    GENERATE_QUIET,
    GENERATE_THREADS,
    GENERATE_JOB,
    GENERATE_SAVE_JOB,
    GENERATE_ALLOW_PATHS,
    GENERATE_OPTIONS
};

/* Each makes what it is called by; returns the exit status. */
int akin_cli_generate_sets(const akin_cli_arguments *arguments);
int akin_cli_generate_records(const akin_cli_arguments *arguments);
int akin_cli_generate_text(const akin_cli_arguments *arguments);

/* Reads the number that an option is set to, if it is given. Return AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_generate_whole(const akin_cli_arguments *arguments, int option, uint64_t low, uint64_t high,
                            uint64_t *out);
int akin_cli_generate_u32(const akin_cli_arguments *arguments, int option, uint32_t low, uint32_t *out);
int akin_cli_generate_decimal(const akin_cli_arguments *arguments, int option, double high, double *out);

#endif
