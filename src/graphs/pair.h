/*
 * Two graphs, made ready for a search of the cheapest mapping. The smaller one comes first, because one of its cheapest
 * mappings keeps all its nodes: if node u is deleted and node v inserted, u can become v at no more cost.
 *
 * Labels are numbers below `labels`. Nodes of the first graph are numbered anew, in the order in which they are mapped:
 * each next to earlier ones where possible, and rare ones first.
 *
 * Twins are nodes of one graph with the same label and the same edges to all others. To swap them changes no cost, so
 * the nodes of a set of twins need only be mapped, or taken, in their order.
 */
#ifndef AKIN_GRAPHS_PAIR_H
#define AKIN_GRAPHS_PAIR_H

#include "graphs/builder.h"

#define AKIN_GRAPH_NO_NODE UINT32_MAX

/* A graph of a pair; arrays as those of akin_graph. */
typedef struct akin_graph_half {
    uint32_t nodes, edges;
    uint32_t *label, *begin;
    akin_graph_end *ends; /* of a node by rising labels */
    uint32_t *twin;       /* the last twin of lower number, or AKIN_GRAPH_NO_NODE */
} akin_graph_half;

/* All fields are zero at first but the account. A thread has its own. */
typedef struct akin_graph_pair {
    akin_account *account;
    akin_graph_half first, second;
    int is_swapped;    /* the first half is the right graph */
    uint32_t labels;   /* of both */
    uint32_t *number;  /* of the nodes of the first half: those that they have in the graph */
    uint32_t *scratch; /* room for 4 numbers a node of either graph */
    uint64_t *table;   /* of labels: the label above its number + 1 */
    uint64_t table_size, table_room;
    uint32_t *words; /* the memory of the arrays of numbers */
    uint64_t words_room;
    akin_graph_end *ends; /* that of both arrays of ends */
    uint64_t ends_room;
} akin_graph_pair;

/* Takes two graphs, which it needs only now; of equal sizes the left one comes first. alike: how many partners each
 * node of the first half may have, by which it is rare; NULL: as many as have its label and its degree. Returns 0 if
 * memory is short. */
int akin_graph_pair_take(akin_graph_pair *pair, const akin_graph *left, const akin_graph *right, const uint32_t *alike);

/* Finds the twins, which a search needs. */
void akin_graph_pair_find_twins(akin_graph_pair *pair);
void akin_graph_pair_clear(akin_graph_pair *pair);

#endif
