/* Columns that are made of others: what --combine was set to, read. */
#ifndef AKIN_CLI_COMBINED_H
#define AKIN_CLI_COMBINED_H

#include "rules.h"

/* Reads NAME=COLUMN+COLUMN..., of which the copy is cut into fields, and adds it to the rules. Returns AKIN_CLI_DONE or
 * AKIN_CLI_USAGE. */
int akin_cli_combined_read(akin_cli_rules *rules, const char *word, char *copy);

/* The number of the column that is combined under a name, as long as columns of the tables are still being named; 0: there is
 * none. */
int akin_cli_combined_find(const akin_cli_rules *rules, const char *name, uint32_t *out);

/* Gives them the numbers behind all columns of the tables, now that these are known. Returns as above. */
int akin_cli_combined_number(akin_cli_rules *rules);

#endif
