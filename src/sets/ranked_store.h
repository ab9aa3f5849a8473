/*
 * A ranked collection under a memory bound. Its arrays are bulks, which go to temporary files beyond their shares. They
 * are filled stretch by stretch: some sets, by rising size, are gathered, ranked and sorted like a collection of their
 * own, and take their places.
 *
 *     classes   | size 1 | size 2       | size 3                        | size 4  | ...
 *     stretches |                   |                    |                    |       ranked one after the other
 *
 * A set is sorted among those of its stretch: a class that is in several stretches is sorted in as many runs. Joins do
 * not depend on the order of sets of one size; they are faster where sets with common tokens are near to one another.
 */
#ifndef AKIN_SETS_RANKED_STORE_H
#define AKIN_SETS_RANKED_STORE_H

#include "sets/ranked.h"

typedef struct akin_ranked_store {
    akin_bulk rows, offsets, tokens;
    akin_ranked ranked; /* whose row, offsets and tokens are those arrays; its classes are its own */
} akin_ranked_store;

/* Finds the sets and their classes: akin_rank_classes into store->ranked. There are no tokens yet. The caller clears
 * the store in any case. Errors as there. */
akin_status akin_ranked_store_begin(const akin_scope *scope, akin_account *account, const akin_sets *sets,
                                    akin_ranked_store *store, akin_error *error);

/* The bytes that the store's fill takes at least, where the largest set has that size, beside arrays in files. */
double akin_ranked_store_least(uint64_t largest);

/*
 * Ranks the sets by a ranking of their tokens, in stretches of at most `most` tokens and, if the account has a limit,
 * as many as it has room for; `most` 0: any number. A stretch that is refused memory is halved. A store whose sets are
 * one stretch that may `stay` keeps its arrays on the heap, if these are not refused. After an error the numbers of the
 * rows are in another order, and there are no tokens. Errors: AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED.
 */
akin_status akin_ranked_store_fill(const akin_scope *scope, akin_account *account, const akin_ranking *ranking,
                                   const akin_sets *sets, uint64_t most, int stay, akin_ranked_store *store,
                                   akin_error *error);

/* Frees what it holds and empties it; an empty one is allowed. */
void akin_ranked_store_clear(akin_ranked_store *store);

#endif
