/* The table of clusterings. */
#include "graph/clusterings.h"

#include "graph/apart.h"
#include "graph/average.h"
#include "graph/center.h"
#include "graph/closure.h"
#include "graph/correlation.h"

#define BY_SIMILARITY (AKIN_BY_SIMILARITY | AKIN_ON_CPU)

static const akin_clustering_row rows[] = {
    {{"components", "", "connected components: records that pairs connect", AKIN_CLUSTERING_COMPONENTS,
      AKIN_ON_CPU | AKIN_ON_GPU | AKIN_IS_DEFAULT},
     .functions = &akin_closure_functions,
     .split = akin_split_apart},
    {{"average", "[:T]", "merges the nearest clusters while their mean similarity is >= T (0.5)",
      AKIN_CLUSTERING_AVERAGE, BY_SIMILARITY},
     .functions = &akin_split_functions,
     .split = akin_split_by_average,
     .least = {1, 2}},
    {{"center", "", "a center, and the records whose most similar pair is with it", AKIN_CLUSTERING_CENTER,
      BY_SIMILARITY},
     .functions = &akin_split_functions,
     .split = akin_split_by_centers},
    {{"merge-center", "", "center, then merges two if the center of one has a pair in the other",
      AKIN_CLUSTERING_MERGE_CENTER, BY_SIMILARITY},
     .functions = &akin_split_functions,
     .split = akin_split_by_merged_centers},
    {{"correlation", "[:T]", "average, then moves records while the sum of similarity - T grows",
      AKIN_CLUSTERING_CORRELATION, BY_SIMILARITY},
     .functions = &akin_split_functions,
     .split = akin_split_by_correlation,
     .least = {1, 2}},
};
static const akin_former_name formers[] = {{"closure", "components"}, {NULL, NULL}};
const akin_choice_table akin_clusterings = AKIN_CHOICE_TABLE_RENAMED("clustering", rows, formers);
