/*
 * The sources of the clusters of a component while these are merged, where no cluster has two nodes of one source:
 *
 *     node      0 1 2 3 4        clusters 0 = {0, 3, 4} and 1 = {1, 2}; node 4 has no source
 *     source    7 5 9 2 -        lists    0: 3 -> 0     1: 1 -> 2         nodes with a source, by rising source
 *
 * Two clusters are asked for a source that both have. A mask has a bit for each source modulo 64. Where masks share no
 * bit there is none, and where there are few sources one bit is one source. Else the two lists are walked side by side,
 * as they are to merge the clusters: as many steps as both have nodes at most.
 */
#ifndef AKIN_GRAPH_SOURCES_H
#define AKIN_GRAPH_SOURCES_H

#include "graph/split.h"

/* By first node of a cluster, if not said otherwise. */
typedef struct akin_split_sources {
    const uint32_t *of; /* of nodes; NULL: nothing is apart, and there is nothing else */
    uint64_t *masks;
    uint32_t *heads; /* the first one of a list; AKIN_SPLIT_NOBODY: it is empty */
    uint32_t *nexts; /* of nodes */
    int are_few;
} akin_split_sources;

#define AKIN_SPLIT_NOBODY UINT32_MAX /* no node */

/* The bytes that a component takes, a multiple of 8. */
uint64_t akin_split_sources_bytes(const akin_split_graph *graph);

/* Cuts them out of room that begins at *at, which is that of items of 8 bytes. Every node is a cluster. */
akin_split_sources akin_split_sources_begin(const akin_split_graph *graph, char **at);

/* Whether two clusters have nodes of one source. */
int akin_split_sources_clash(const akin_split_sources *sources, uint32_t x, uint32_t y);

/* Gives the sources of `other` to `first`, the first node of both clusters. They do not clash. */
void akin_split_sources_merge(const akin_split_sources *sources, uint32_t first, uint32_t other);

#endif
