/* The table of clusterings: rows of the library. */
#ifndef AKIN_GRAPH_CLUSTERINGS_H
#define AKIN_GRAPH_CLUSTERINGS_H

#include "base/choice.h"

extern const akin_choice_table akin_clusterings; /* an akin_clustering_row each */

#endif
