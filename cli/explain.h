/* Writes the plan of a join to stderr, for a person to read. */
#ifndef AKIN_CLI_EXPLAIN_H
#define AKIN_CLI_EXPLAIN_H

#include "strings.h"

/* Prints what was known, weighed and done; seconds_read is what reading the collections took. Of a join for the best
 * partners `top` is how many of each row; else 0. */
void akin_cli_explain(const akin_join_report *report, uint32_t top, double seconds_read);

/* The same of a join of strings. */
void akin_cli_explain_strings(const akin_cli_strings *strings, const akin_match_report *report, double seconds_read);

/* The same of a join of trees. */
void akin_cli_explain_graphs(const akin_graphs_report *report, double seconds_read);
void akin_cli_explain_trees(const akin_cli_strings *strings, const akin_trees_report *report, double seconds_read);

#endif
