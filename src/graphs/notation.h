/*
 * Graphs as text: the labels of the nodes, and behind a semicolon the edges.
 *
 *     C C O; 0-1:single 1-2:double
 *
 * Nodes have the numbers 0, 1, 2 ... An edge is the numbers of two nodes with a hyphen between, and behind a colon its
 * label; an edge without a label has the empty one. Blanks stand between nodes, and between edges. A label that is
 * empty, begins with a quote, or has blanks or semicolons stands in quotes, where a backslash stands before a quote and
 * before a backslash. There are no loops, and at most one edge between two nodes.
 */
#ifndef AKIN_GRAPHS_NOTATION_H
#define AKIN_GRAPHS_NOTATION_H

#include "graphs/builder.h"

/* Reads the graph of a text behind those of the builder. *nodes and *edges become its numbers, 0 for a text of blanks.
 * Errors: AKIN_E_INPUT (the fault says where, without `expected` if that is not UTF-8), and those of the builder. */
akin_status akin_graph_read(akin_graph_builder *builder, const char *text, uint64_t length, uint32_t *nodes,
                            uint32_t *edges, akin_text_fault *fault, akin_error *error);

#endif
