/* The table of clusterings. */
#include "graph/clusterings.h"

#include "graph/closure.h"

static const akin_clustering_row rows[] = {
    {{"closure", "", "connected components", AKIN_CLUSTERING_CLOSURE, AKIN_ON_CPU | AKIN_ON_GPU | AKIN_IS_DEFAULT},
     &akin_closure_functions},
};
const akin_choice_table akin_clusterings = AKIN_CHOICE_TABLE("clustering", rows);
