/* A clustering: its functions, its row, and the clusters as it sees them, the forest of the rows. */
#ifndef AKIN_GRAPH_CLUSTERING_H
#define AKIN_GRAPH_CLUSTERING_H

#include "base/bulk.h"
#include "base/choice.h"
#include "graph/components.h"

struct akin_split_graph;

/* What a clustering does. */
typedef struct akin_clustering_functions {
    /* Makes what the clustering keeps of its own, in clusters->own. The scope is NULL where the caller has no context.
     * NULL: it keeps nothing. Errors: AKIN_E_OPTION (the parameter), AKIN_E_NOMEM. */
    akin_status (*begin)(const akin_scope *scope, akin_clusters *clusters, const akin_clusters_options *options,
                         akin_error *error);
    /*
     * Takes pairs, on the threads of the scope or on a GPU; without one (NULL) on the caller's thread alone, and edges
     * have been checked then. Errors: AKIN_E_OPTION (as akin_edges_check), AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_DEVICE,
     * AKIN_E_CANCELLED.
     */
    akin_status (*add)(const akin_scope *scope, akin_clusters *clusters, const akin_edges *edges, akin_error *error);
    /* Computes what has not been computed while pairs came: the forest is complete then. It may be called again, and
     * more pairs may come between. NULL: there is nothing. */
    akin_status (*close)(const akin_scope *scope, akin_clusters *clusters, akin_error *error);
    /* Frees clusters->own, which is NULL if it was not made. NULL: there is nothing. */
    void (*clear)(akin_clusters *clusters);
} akin_clustering_functions;

/* A way in which pairs become clusters; its value is an akin_clustering. One with AKIN_BY_SIMILARITY gets edges with
 * similarities alone. One without arguments has no parameter. */
typedef struct akin_clustering_row {
    akin_choice choice;
    const akin_clustering_functions *functions;
    /* Of akin_split_functions (graph/split.h): splits a component. With other functions: does so where sources are kept
     * apart, by those functions then. NULL: it cannot. `least` is the parameter if none is given. */
    akin_status (*split)(const struct akin_split_graph *graph);
    akin_ratio least;
} akin_clustering_row;

/*
 * The rows of both sides, those of the right one behind those of the left, are nodes:
 *
 *     row      0 1 2 3 4 5        pairs (0, 3), (3, 4), (2, 5)
 *     parents  0 1 2 0 0 2        the labels, once finished
 *     sizes    3 1 2 . . .        at the labels, once finished; before, the members of the largest component
 */
struct akin_clusters {
    akin_components components;
    uint32_t *sizes;
    akin_bulk bulks[2]; /* what parents and sizes are in */
    uint32_t rows_left, rows_right;
    uint32_t count;
    const akin_clustering_row *clustering;
    const akin_clustering_functions *functions; /* the clustering's, or those that keep sources apart */
    akin_bulk sources;                          /* of rows, uint32_t each; no data: there are none */
    int are_few;                                /* sources are below AKIN_SPLIT_FEW */
    int has_pairs;
    akin_ratio least;  /* its parameter; 0/0: it has none */
    akin_pair *united; /* rows that are in one cluster in any case */
    uint64_t united_count, united_room;
    void *own; /* the clustering's */
};

#endif
