/*
 * The edit distance of two graphs if it is at most K, and a cheapest mapping. The search maps the nodes of the smaller
 * graph one by one, deepest mappings first, and drops a mapping whose cost and lower bound are above a limit. The limit
 * is first the lower bound of the whole, and then the smallest that was met above it, up to K (Korf 1985). So the
 * first complete mapping is a cheapest one, and memory is that of one mapping.
 */
#ifndef AKIN_GRAPHS_SEARCH_H
#define AKIN_GRAPHS_SEARCH_H

#include "base/parallel.h"
#include "graphs/state.h"

#define AKIN_GRAPH_FAR     UINT32_MAX            /* a distance above K */
#define AKIN_GRAPH_UNKNOWN AKIN_GRAPHS_UNDECIDED /* the search had more states than its budget */

/* Candidates of a node: keys from `at` to end - 1 are still to be tried. */
typedef struct akin_graph_level {
    uint64_t at, end;
} akin_graph_level;

/* All fields are zero at first but the accounts. A thread has its own. */
typedef struct akin_graph_search {
    akin_account *account;
    akin_graph_pair pair;
    akin_graph_state state;
    uint64_t *keys; /* of candidates: their bound above the node */
    uint64_t keys_room;
    uint32_t *partners; /* of each node of the smaller graph: how many there may be */
    uint64_t partners_room;
    akin_graph_level *levels; /* by node of the smaller graph */
    uint64_t levels_room;
    uint64_t budget;   /* states that a pair may take; 0: any number */
    uint64_t states;   /* that the last pair took */
    uint64_t searched; /* pairs that bounds of the whole left */
    uint64_t visited;  /* states of all pairs */
    akin_cancellation *cancellation;
} akin_graph_search;

void akin_graph_search_begin(akin_graph_search *search, akin_account *account, uint64_t budget,
                             akin_cancellation *cancellation);

/* Sets *distance to that of two graphs if it is at most `most`, else to AKIN_GRAPH_FAR, or AKIN_GRAPH_UNKNOWN.
 * partners: NULL, or room for the nodes of the left graph, which get the partners that a cheapest mapping gives them in
 * the right one, or AKIN_GRAPH_NO_NODE. Errors, without a message: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_graph_search_pair(akin_graph_search *search, const akin_graph *left, const akin_graph *right,
                                   uint32_t most, uint32_t *partners, uint32_t *distance);

void akin_graph_search_clear(akin_graph_search *search);

#endif
