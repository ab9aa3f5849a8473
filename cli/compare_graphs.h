/* The comparison of two graphs, for akin compare. */
#ifndef AKIN_CLI_COMPARE_GRAPHS_H
#define AKIN_CLI_COMPARE_GRAPHS_H

#include "akin.h"

#define AKIN_CLI_GRAPH_EDITS "graph-edits" /* a word that akin compare takes beside comparators */

/* Prints the distance of two graphs, or with `mapping` also which nodes and edges stay, become others, come or go.
 * Errors: those of akin_graph_compare. */
akin_status akin_cli_compare_graphs(const char *const sides[2], uint64_t budget, int mapping, akin_error *error);

#endif
