/* The join of sets, as other jobs call it. */
#ifndef AKIN_JOIN_JOIN_H
#define AKIN_JOIN_JOIN_H

#include "base/foreseen.h"

/* The same as akin_join, within a scope. */
akin_status akin_join_within(const akin_scope *scope, const akin_sets *left, const akin_sets *right,
                             const akin_join_options *options, akin_pair_sink sink, void *sink_user, uint64_t *count,
                             akin_join_report **report, akin_error *error);

/* Notes how many pairs a sample predicts of that join. Where it fails it says nothing: the join finds out. */
void akin_join_foresee(const akin_scope *scope, const akin_sets *left, const akin_sets *right,
                       const akin_join_options *options, akin_foreseen_use use);

#endif
