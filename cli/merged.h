/* Writes one record a cluster, merged of its records by a rule for each column: --merged. */
#ifndef AKIN_CLI_MERGED_H
#define AKIN_CLI_MERGED_H

#include "command.h"
#include "source.h"

/* What an argument of --merge says. */
typedef struct akin_cli_merge_rule {
    const char *column, *by; /* by NULL: the rule takes no column */
    int is_all;              /* every column that has no rule of its own */
    uint32_t rule;           /* an akin_merge_rule */
} akin_cli_merge_rule;

/* Zeros: there are none. */
typedef struct akin_cli_merge_rules {
    akin_cli_merge_rule *rules; /* whose names are in `words` */
    uint32_t count;
    char *words;
} akin_cli_merge_rules;

/* Takes the arguments of option `at`, COLUMN:RULE or COLUMN:RULE:COLUMN. The caller clears *out in any case. Returns
 * AKIN_CLI_DONE, AKIN_CLI_USAGE or AKIN_CLI_FAILED. */
int akin_cli_merge_rules_check(const akin_cli_arguments *arguments, int at, const akin_cli_option *option,
                               akin_cli_merge_rules *out);
void akin_cli_merge_rules_clear(akin_cli_merge_rules *rules);

/* How records are merged and written. */
typedef struct akin_cli_merged_form {
    const akin_cli_merge_rules *rules;
    akin_cli_format format;
    const akin_column *ids; /* what rows are called; NULL: by their numbers */
    const char *id_type;    /* of these, in Arrow's notation */
    int with_sources;       /* a column of the row that each value is from, for each column */
} akin_cli_merged_form;

/* Writes a record for each cluster, in the order of their numbers, with the columns of the table. Errors: AKIN_E_OPTION
 * (a column that is not there, two columns of one name), AKIN_E_INPUT (a value that TSV cannot hold), those of
 * akin_merge and akin_output_write. */
akin_status akin_cli_merged_write(akin_cli_job *job, const akin_clusters *clusters, const akin_table *table,
                                  const akin_cli_merged_form *form, akin_output *output, akin_error *error);

/* Finds the columns of the rules in a table, before the work. Errors: AKIN_E_OPTION. */
akin_status akin_cli_merge_rules_find(const akin_cli_merge_rules *rules, const akin_table *table, akin_error *error);

#endif
