/* The join of trees, within another job or a call. */
#ifndef AKIN_TREES_JOIN_H
#define AKIN_TREES_JOIN_H

#include "base/pair_limit.h"

/* The columns of a join. */
typedef struct akin_tree_columns {
    const akin_column *left, *right; /* right NULL: the left ones among themselves */
    uint32_t rows_left, rows_right;
} akin_tree_columns;

/* akin_trees_join without its limit of pairs, which is the caller's. */
akin_status akin_trees_join_within(const akin_scope *scope, const akin_tree_columns *both,
                                   const akin_trees_options *options, akin_pair_limit *limit, uint64_t *count,
                                   akin_trees_report *report, akin_error *error);

/* Reads the options of a join or a comparison. Errors: AKIN_E_OPTION. */
akin_status akin_trees_options_read(const akin_trees_options *options, akin_trees_options *own, akin_error *error);

#endif
