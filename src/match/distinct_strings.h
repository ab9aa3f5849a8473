/* The distinct strings of a join, which are joined in place of all of them. */
#ifndef AKIN_MATCH_DISTINCT_STRINGS_H
#define AKIN_MATCH_DISTINCT_STRINGS_H

#include "join/expansion.h"
#include "match/side.h"

typedef struct akin_distinct_strings {
    akin_column columns[2]; /* row i is the first row of group i */
    akin_match_side sides[2];
    akin_bulk room[2][3]; /* of the offsets, the bytes and the lengths */
    akin_expansion expansion;
} akin_distinct_strings;

/* Sets *pay if there are so many equal strings in one of the sides that it pays to join the distinct ones. The second
 * side has no column if there is one. Errors: AKIN_E_NOMEM. */
akin_status akin_distinct_strings_pay(const akin_scope *scope, const akin_match_side sides[2], int *pay,
                                      akin_error *error);

/* Makes the distinct strings of both sides, and begins the expansion of their pairs. The caller clears them in any
 * case. Errors: AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_distinct_strings_make(const akin_scope *scope, akin_account *account, const akin_match_side sides[2],
                                       const akin_expanded *wanted, akin_distinct_strings *out, akin_error *error);
void akin_distinct_strings_clear(akin_distinct_strings *distinct);

#endif
