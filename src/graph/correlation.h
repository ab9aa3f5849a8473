/* Correlation clustering. */
#ifndef AKIN_GRAPH_CORRELATION_H
#define AKIN_GRAPH_CORRELATION_H

#include "graph/split.h"

/* Splits a component. Errors, without a message: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_split_by_correlation(const akin_split_graph *graph);

#endif
