/* Clusters around centers. */
#ifndef AKIN_GRAPH_CENTER_H
#define AKIN_GRAPH_CENTER_H

#include "graph/split.h"

/* Split a component; the second one merges clusters, too. Errors, without a message: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_split_by_centers(const akin_split_graph *graph);
akin_status akin_split_by_merged_centers(const akin_split_graph *graph);

#endif
