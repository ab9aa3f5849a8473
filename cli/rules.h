/* How records are told to be alike: what --pairs, --compare and the like were set to, read. */
#ifndef AKIN_CLI_RULES_H
#define AKIN_CLI_RULES_H

#include "source.h"

#define AKIN_CLI_RULES 64 /* of a kind, at most */

typedef struct akin_cli_rules {
    /* The columns that are named, once each: column c of the rules below is columns[c] of a file; and behind the column_count
     * that files have those that are combined of them. */
    const char *columns[AKIN_CLI_COLUMNS];
    uint32_t column_count;
    const char *combined_names[AKIN_CLI_RULES];
    akin_combined combined[AKIN_CLI_RULES];
    uint32_t combined_parts[AKIN_CLI_RULES], combined_part_count;
    uint32_t folds[AKIN_CLI_COLUMNS];        /* what their values are cleaned of */
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
    const char *const *pairs, *const *compare, *const *combine, *const *fold; /* each time */
    uint32_t pairs_count, compare_count, combine_count, fold_count;
    const char *threshold, *missing, *max_block;
} akin_cli_rules_words;

/* Returns AKIN_CLI_DONE, AKIN_CLI_USAGE or AKIN_CLI_FAILED; the rules stay where they are, and are to be cleared in any
 * case. */
int akin_cli_rules_check(const akin_cli_rules_words *words, akin_cli_rules *out);
void akin_cli_rules_clear(akin_cli_rules *rules);

/* Adds to a message about a column that is not there, if there is one whose name goes on with a colon or a plus, that such a
 * name stands in quotes. */
void akin_cli_rules_advise(const akin_cli_rules *rules, akin_error *error);

/* The number of a file's column, which is a new one if it was not named before. Returns AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_rules_column(akin_cli_rules *rules, const char *name, uint32_t *out);

#endif
