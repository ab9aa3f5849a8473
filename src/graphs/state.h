/*
 * A mapping of two graphs that grows node by node, its cost so far, and what the rest costs at least:
 *
 *     first     mapped nodes | nodes that remain          an inner edge joins two nodes that remain,
 *     second    their images | nodes that remain          a crossing edge a mapped node and one that remains
 *
 * The bound by labels adds up what nodes that remain, inner edges, and crossing edges of each mapped node differ in
 * (Chang, Feng, Lin, Qin, Zhang and Ouyang 2020). It is exact when all nodes of the first graph are mapped. The bound
 * by branches is that of the cheapest assignment of nodes that remain: labels differ, inner edges count for a half at
 * each end (Zheng, Zou, Lian, Wang and Zhao 2013), and crossing edges count as they are.
 */
#ifndef AKIN_GRAPHS_STATE_H
#define AKIN_GRAPHS_STATE_H

#include "graphs/assignment.h"
#include "graphs/pair.h"

/* What remains of both graphs, counted by label. */
typedef struct akin_graph_counts {
    uint32_t *of[2];    /* by label */
    uint32_t total[2];  /* of all labels */
    uint32_t in_common; /* as many as both have */
} akin_graph_counts;

/* All fields are zero at first but the accounts. A thread has its own. */
typedef struct akin_graph_state {
    akin_account *account;
    const akin_graph_pair *pair;
    uint32_t mapped;  /* the first nodes of the first graph are */
    uint32_t cost;    /* of what is mapped, and of the edges between */
    uint32_t *image;  /* of each mapped node, in the second graph */
    uint32_t *source; /* of each node of the second graph, or AKIN_GRAPH_NO_NODE */
    akin_graph_counts nodes, inner;
    uint32_t *crossing; /* what the crossing edges of each mapped node differ in */
    uint32_t crossing_sum;
    uint32_t *next; /* by node of the second graph: what the bound by branches says of the next node */
    uint32_t *mark; /* by node of the second graph, and by label: 0 between two uses */
    uint32_t *tally;
    uint32_t *words; /* the memory of these arrays */
    uint64_t words_room;
    akin_assigner assigner;
    uint32_t *branches; /* memory of the bound by branches */
    uint64_t branches_room;
    uint32_t halves; /* what the last bound by branches was, if it was not above */
    uint16_t *costs;
    uint64_t costs_room;
} akin_graph_state;

/* Makes room for the bound by branches. Returns 0 if memory is short. */
int akin_graph_state_reserve(akin_graph_state *state, const akin_graph_pair *pair);

/* Begins with nothing mapped, and room for the bound. The pair is borrowed. Returns 0 if memory is short. */
int akin_graph_state_begin(akin_graph_state *state, const akin_graph_pair *pair);

/* Maps the next node of the first graph to a node that remains, or takes that back. */
void akin_graph_state_map(akin_graph_state *state, uint32_t node);
void akin_graph_state_unmap(akin_graph_state *state);

/* What the rest costs at least, by labels. */
static inline uint32_t akin_graph_state_labels(const akin_graph_state *state)
{
    const akin_graph_counts *nodes = &state->nodes, *inner = &state->inner;
    const uint32_t edges = inner->total[0] > inner->total[1] ? inner->total[0] : inner->total[1];
    return nodes->total[1] - nodes->in_common + edges - inner->in_common + state->crossing_sum;
}

/* What the rest costs at least, by branches; most + 1 if that is above `most`. Else next[v] becomes what it costs at
 * least if the next node of the first graph is mapped to node v, which remains. */
uint32_t akin_graph_state_branches(akin_graph_state *state, uint32_t most);

/* After the bound by branches, with nothing mapped: counts the partners that each node of the first graph may have
 * within `most`, by the number that it has in its graph. */
void akin_graph_state_partners(const akin_graph_state *state, uint32_t most, uint32_t *counts);

void akin_graph_state_clear(akin_graph_state *state);

#endif
