/* The join of graphs, within another job or a call. */
#ifndef AKIN_GRAPHS_JOIN_H
#define AKIN_GRAPHS_JOIN_H

#include "akin.h"
#include "base/pair_limit.h"

/* The columns of a join. */
typedef struct akin_graph_columns {
    const akin_column *left, *right; /* right NULL: the left ones among themselves */
    uint32_t rows_left, rows_right;
} akin_graph_columns;

/* akin_graphs_join without its limit of pairs, which is the caller's. */
akin_status akin_graphs_join_within(const akin_scope *scope, const akin_graph_columns *both,
                                    const akin_graphs_options *options, akin_pair_limit *limit, uint64_t *count,
                                    akin_graphs_report *report, akin_error *error);

/* Reads the options of a join or a comparison. Errors: AKIN_E_OPTION. */
akin_status akin_graphs_options_read(const akin_graphs_options *options, akin_graphs_options *own, akin_error *error);

#endif
