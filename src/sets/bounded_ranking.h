/* A ranking (sets/ranking.h) under a memory bound. The table of dense tokens, four bytes for each token up to the
 * largest, may be in a temporary file; akin_ranking_number turns it into ranks where it is. */
#ifndef AKIN_SETS_BOUNDED_RANKING_H
#define AKIN_SETS_BOUNDED_RANKING_H

#include "base/bulk.h"
#include "sets/ranking.h"

typedef struct akin_bounded_ranking {
    akin_ranking ranking;
    akin_bulk table; /* the dense table, if it is here rather than on the heap */
} akin_bounded_ranking;

/* Counts the tokens of one collection or two, as akin_ranking_count does; where memory is short, dense tokens are
 * counted in a file. The caller clears *out in any case; after an error its bound is right. Errors: AKIN_E_NOMEM,
 * AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_bounded_ranking_count(const akin_scope *scope, akin_account *account, const akin_sets *left,
                                       const akin_sets *right, akin_bounded_ranking *out, akin_error *error);

void akin_bounded_ranking_clear(akin_bounded_ranking *ranking);

#endif
