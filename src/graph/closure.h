/* The transitive closure of pairs, a clustering. */
#ifndef AKIN_GRAPH_CLOSURE_H
#define AKIN_GRAPH_CLOSURE_H

#include "graph/clustering.h"

extern const akin_clustering_functions akin_closure_functions;

#endif
