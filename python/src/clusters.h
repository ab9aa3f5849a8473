/* Clusters as a frame. */
#ifndef AKIN_PYTHON_CLUSTERS_H
#define AKIN_PYTHON_CLUSTERS_H

#include "module.h"

/* A line for each row of a cluster of at least `least` rows: row, cluster, size, representative. The clusters are
 * closed, and the call is made without the interpreter. *out may be there after an error, too. */
akin_status clusters_put(job *j, const akin_clusters *clusters, uint32_t least, akin_frame **out);

#endif
