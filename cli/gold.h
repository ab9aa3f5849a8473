/* How good the pairs are that were found, against a file of those that are known to be right. */
#ifndef AKIN_CLI_GOLD_H
#define AKIN_CLI_GOLD_H

#include "id_pairs.h"
#include "source.h"

typedef struct akin_cli_gold {
    akin_cli_id_pairs known;
    uint32_t *rows[2]; /* of the pairs that were found */
    size_t count, room;
    int failed;                     /* there was no memory for one of them */
    akin_evaluation evaluation;     /* of the pairs */
    akin_cluster_evaluation closed; /* of the clusters that they make */
} akin_cli_gold;

/* Takes pairs that were found; 0: memory is short. */
int akin_cli_gold_add(akin_cli_gold *gold, const akin_scored_pair *pairs, size_t count);

/* Reports that memory is short. Returns AKIN_E_NOMEM. */
akin_status akin_cli_gold_fail(akin_error *error);

/* Evaluates them, and the clusters that were made of them, by B-cubed of all rows, too: a row's id is that of
 * ids[side], or its number if that is NULL. linked: the pairs are of two tables, the left one of `lefts` rows; else
 * `lefts` is 0. The pairs are taken away. Errors: those of akin_evaluate. */
akin_status akin_cli_gold_evaluate(akin_cli_job *job, akin_cli_gold *gold, const akin_column *const ids[2],
                                   const akin_clusters *clusters, int linked, uint32_t lefts, akin_error *error);

/* Refuses a file none of whose ids (of two tables, none of one side) is of a record: AKIN_E_INPUT. Warns, on stderr, if
 * ids of the file are of no record, or its first line names records. Of one table both are the same; their names are
 * written in the format `written`, the file is of `format`. Errors: AKIN_E_NOMEM, those of a dictionary. */
akin_status akin_cli_gold_check(akin_cli_job *job, const akin_cli_id_pairs *known, akin_format format,
                                const akin_cli_source *const tables[2], akin_cli_format written, akin_error *error);
void akin_cli_gold_clear(akin_cli_gold *gold);

#endif
