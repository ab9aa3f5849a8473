/* The third value of a pair: how alike its rows are, or how far apart, as text. */
#ifndef AKIN_CLI_SCORES_H
#define AKIN_CLI_SCORES_H

#include "strings.h"

#define AKIN_CLI_SCORES     8192u /* most pairs that are scored at once: the library hands over no more */
#define AKIN_CLI_SCORE_ROOM 32u   /* bytes for a score, which may be shorter */

/* Of a join of sets by `measure`, or of strings if these are wanted. Sources are borrowed; in a self-join both are the
 * same. Errors: AKIN_E_NOMEM, and those of akin_context_create. */
akin_status akin_cli_scores_create(akin_cli_job *job, akin_measure measure, const akin_cli_strings *strings, int digits,
                                   const akin_cli_source *left, const akin_cli_source *right, akin_cli_scores **out,
                                   akin_error *error);
void akin_cli_scores_free(akin_cli_scores *scores);

/* Whether they are distances. */
int akin_cli_scores_are_distances(const akin_cli_scores *scores);

/* Takes in the pairs whose scores will be written: `count` is at most AKIN_CLI_SCORES. Errors: those of
 * akin_compare_pairs. */
akin_status akin_cli_scores_take(akin_cli_scores *scores, const akin_pair *pairs, size_t count, akin_error *error);

/* Writes the score of pair `index` of those taken in, which is `pair`; returns where it ends. */
char *akin_cli_scores_put(akin_cli_scores *scores, char *at, const akin_pair *pair, size_t index);

#endif
