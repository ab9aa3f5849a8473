/*
 * The pairs of a join of sets that nobody holds: they are handed over as they are found, batch by batch.
 *
 *     the join's threads    fill a batch | wait         | fill it again | wait         | ...
 *     the caller            wait         | take a batch | wait          | take a batch | ...
 *
 * So a batch is all the memory that pairs need, however many there are. Whether the join finds a given pair is counted
 * from its sets, which stay.
 */
#ifndef AKIN_DEDUPE_JOINED_H
#define AKIN_DEDUPE_JOINED_H

#include "dedupe/tokens.h"
#include "join/threshold.h"

/* Zero-initialised there is none. */
typedef struct akin_joined {
    akin_tokens_share share; /* of the sets */
    akin_sets *sets[2];      /* of two tables, or of one */
    akin_join_options options;
    akin_threshold threshold;
    uint32_t border; /* the first record of the right table, or 0 */
} akin_joined;

/* Makes the sets of a column. To be cleared in any case. Errors: those of akin_tokens_make. */
akin_status akin_joined_make(const akin_scope *scope, akin_account *account, const akin_records *records,
                             uint32_t column, const akin_text_options *text, const akin_join_options *options,
                             akin_joined *out, akin_error *error);
void akin_joined_clear(akin_joined *joined);

/* Whether the join finds a pair of records. */
int akin_joined_has(const akin_joined *joined, uint32_t lower, uint32_t higher);

/* Finds all pairs in their order, left rows first. Errors: those of akin_join. */
akin_status akin_joined_list(const akin_joined *joined, const akin_scope *scope, akin_account *account,
                             akin_pair_sink sink, void *user, akin_error *error);

/* Takes a batch of pairs of records, the lower one of each and the higher one, which it may overwrite. Any other status
 * than AKIN_OK ends the join. */
typedef akin_status (*akin_joined_take)(void *user, uint32_t *lower, uint32_t *higher, uint32_t count);

/* Hands all pairs over, in any order, on the caller's thread. *taken: what `take` answered at last. Errors: those of
 * akin_join; AKIN_E_CANCELLED, also if `take` ended the join. */
akin_status akin_joined_stream(const akin_joined *joined, const akin_scope *scope, akin_account *account,
                               akin_joined_take take, void *user, akin_status *taken, akin_error *error);

#endif
