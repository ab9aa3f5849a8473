/*
 * Graphs, one behind the other, as a reader writes them. A graph with n nodes and m edges has n places of `label`,
 * n + 1 of `begin`, and 2 m of `ends`:
 *
 *     a b c; 0-1:x 0-2:y     label  a b c     begin  0 2 3 4     ends  1:x 2:y | 0:x | 0:y
 */
#ifndef AKIN_GRAPHS_BUILDER_H
#define AKIN_GRAPHS_BUILDER_H

#include "strings/labelled.h"

#define AKIN_GRAPH_NODES 1024 /* of a graph, at most: what a search needs grows by their square */

/* An end of an edge: the node that is there, and the label of the edge. */
typedef struct akin_graph_end {
    uint32_t node, label;
} akin_graph_end;

/* An undirected graph without loops, and with at most one edge between two nodes. Borrowed. */
typedef struct akin_graph {
    const uint32_t *label;      /* of each node */
    const uint32_t *begin;      /* ends of node i: from begin[i] to begin[i + 1] - 1 */
    const akin_graph_end *ends; /* of a node by rising nodes */
    uint32_t nodes, edges;
} akin_graph;

static inline uint32_t akin_graph_degree(const akin_graph *graph, uint32_t node)
{
    return graph->begin[node + 1] - graph->begin[node];
}

/* An edge as it is read, and the byte where it begins. */
typedef struct akin_graph_edge {
    uint32_t from, to, label;
    uint64_t at;
} akin_graph_edge;

/* All fields are zero at first but the account and the dictionary. A thread has its own. */
typedef struct akin_graph_builder {
    akin_account *account;
    akin_dictionary *dictionary; /* of the labels */
    uint32_t *label, *begin;
    akin_graph_end *ends;
    uint64_t label_room, begin_room, ends_room;
    uint64_t label_first, begin_first, ends_first; /* of the graph that is read */
    uint32_t nodes;                                /* of it */
    akin_graph_edge *edges;                        /* of it */
    uint64_t edges_room;
    uint32_t edge_count;
    uint64_t *keys; /* of its edges, to sort them */
    uint64_t keys_room;
    char *text; /* room for a label */
    uint64_t text_room;
} akin_graph_builder;

/* Begins a graph behind the last one, which was ended or is dropped. */
void akin_graph_builder_begin(akin_graph_builder *builder);

/* Adds a node. Errors: AKIN_E_NOMEM, AKIN_E_LIMIT (too many nodes), those of akin_dictionary_add. */
akin_status akin_graph_builder_node(akin_graph_builder *builder, const char *label, size_t length, akin_error *error);

/* Adds an edge between two nodes that are there and differ. `at` is its byte. Errors: the same. */
akin_status akin_graph_builder_edge(akin_graph_builder *builder, uint32_t from, uint32_t to, const char *label,
                                    size_t length, uint64_t at, akin_error *error);

/* Ends the graph, and says what it has. Errors: AKIN_E_INPUT (*fault says where an edge comes again), AKIN_E_NOMEM. */
akin_status akin_graph_builder_end(akin_graph_builder *builder, uint32_t *nodes, uint32_t *edges,
                                   akin_text_fault *fault, akin_error *error);

/* Frees all but the dictionary. */
void akin_graph_builder_clear(akin_graph_builder *builder);

#endif
