/* The third value of a pair: how alike its rows are, or how far apart, as text. */
#ifndef AKIN_CLI_SCORES_H
#define AKIN_CLI_SCORES_H

#include "number.h"
#include "strings.h"

#define AKIN_CLI_SCORES     65536u /* most pairs that are scored, and written, at once */
#define AKIN_CLI_SCORE_ROOM 32u    /* bytes for a score, which may be shorter */

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

/* What a thread knows from the pairs before: the size of their left row, by which pairs are sorted, and the texts of
 * similarities, because few of them are distinct. */
typedef struct akin_cli_scores_known {
    int has_left;
    uint32_t row, size;
    akin_cli_texts texts;
} akin_cli_scores_known;

/* Whether a pair has no score: its distance is undecided. */
int akin_cli_scores_lack(const akin_cli_scores *scores, const akin_pair *pair);

/* Writes the score of pair `index` of those taken in, which is `pair`; returns where it ends. Each thread that writes
 * has a `known` of its own, zeros at first. */
char *akin_cli_scores_put(const akin_cli_scores *scores, akin_cli_scores_known *known, char *at, const akin_pair *pair,
                          size_t index);

#endif
