/* The most similar sets of each set: akin_join with the option `top`. */
#ifndef AKIN_JOIN_SETS_TOP_H
#define AKIN_JOIN_SETS_TOP_H

#include "base/memory.h"
#include "join/report.h"
#include "join/threshold.h"
#include "sets/sets.h"

/* Options as akin_join read and checked them. right NULL: partners are the other rows of `left`. The summary of the
 * report is filled. of_groups: rows stand for groups of equal ones; so one is a partner of itself, too, and partners
 * that tie are marked (AKIN_BEST_TIES). Errors: those of akin_join, and AKIN_E_LIMIT (a set of 2^31 tokens). */
akin_status akin_sets_top(const akin_scope *scope, akin_account *account, const akin_sets *left, const akin_sets *right,
                          const akin_join_options *options, int of_groups, akin_pair_sink sink, void *sink_user,
                          akin_join_summary *summary, akin_error *error);

/* Refuses options that go with `top` no more than any other technique does, and reads the least similarity that
 * partners must have. Errors: AKIN_E_OPTION. */
akin_status akin_sets_top_check(const akin_join_options *options, akin_threshold *least, akin_error *error);

#endif
