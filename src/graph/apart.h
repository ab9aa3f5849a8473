/* Connected components of one component whose rows of one source are kept apart. */
#ifndef AKIN_GRAPH_APART_H
#define AKIN_GRAPH_APART_H

#include "graph/split.h"

/* Labels the nodes. Errors, without a message: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_split_apart(const akin_split_graph *graph);

#endif
