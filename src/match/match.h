/* The similarity join of strings, within another job or a call. */
#ifndef AKIN_MATCH_MATCH_H
#define AKIN_MATCH_MATCH_H

#include "akin.h"
#include "base/pair_limit.h"

/* The strings of a join. */
typedef struct akin_match_strings {
    const akin_column *left, *right; /* right NULL: the left ones among themselves */
    uint32_t rows_left, rows_right;
} akin_match_strings;

/* akin_match without its limit of pairs, which is the caller's, and without a second try where memory is short. */
akin_status akin_match_within(const akin_scope *scope, const akin_match_strings *both,
                              const akin_match_options *options, akin_pair_limit *limit, uint64_t *count,
                              akin_match_report *report, akin_error *error);

#endif
