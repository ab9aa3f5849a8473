/* How records are told to be alike: what --pairs, --compare and the like were set to, read. */
#ifndef AKIN_CLI_RULES_H
#define AKIN_CLI_RULES_H

#include "source.h"

#define AKIN_CLI_RULES 64 /* of a kind, at most */

typedef struct akin_cli_rules {
    /* The columns that are named, once each: column c of the rules below is columns[c] of a file. */
    const char *columns[AKIN_CLI_COLUMNS];
    uint32_t column_count;
    const char *comparators[AKIN_CLI_RULES]; /* of each attribute, as it was given */
    akin_compare_options compare[AKIN_CLI_RULES];
    akin_attribute attributes[AKIN_CLI_RULES];
    const char *pairs[AKIN_CLI_RULES]; /* of each selection, what it was given by */
    const char *of[AKIN_CLI_RULES];    /* the column, where several were given by one word; else NULL */
    akin_selection selections[AKIN_CLI_RULES];
    akin_text_options texts[AKIN_CLI_RULES]; /* of selections by similarity */
    akin_key_part parts[AKIN_CLI_RULES];
    uint32_t part_count;
    akin_selected selected[AKIN_CLI_RULES]; /* what came of the selections */
    akin_dedupe_options options;
    char *words; /* what names point into */
} akin_cli_rules;

/* What was given on the command line; NULL: not given. */
typedef struct akin_cli_rules_words {
    const char *const *pairs, *const *compare; /* each time */
    uint32_t pairs_count, compare_count;
    const char *threshold, *missing, *max_block;
} akin_cli_rules_words;

/* Returns AKIN_CLI_DONE, AKIN_CLI_USAGE or AKIN_CLI_FAILED; the rules stay where they are, and are to be cleared in any
 * case. */
int akin_cli_rules_check(const akin_cli_rules_words *words, akin_cli_rules *out);
void akin_cli_rules_clear(akin_cli_rules *rules);

#endif
