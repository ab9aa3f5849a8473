/* The graphs of a column of text. */
#ifndef AKIN_GRAPHS_COLLECTION_H
#define AKIN_GRAPHS_COLLECTION_H

#include "graphs/builder.h"

/* Graphs by row. Labels are numbers of a dictionary that the sides of a join share. */
typedef struct akin_graph_collection {
    akin_graph *graphs; /* a null, and a text without anything but blanks, has no nodes */
    uint32_t rows;
    uint64_t nodes, edges;        /* of all graphs */
    akin_graph_builder *builders; /* of pieces of rows, which have the nodes */
    uint32_t builder_count;
} akin_graph_collection;

/*
 * Reads the graphs of `rows` rows by all threads. `side` names the column in messages if it has no name. On failure
 * *out is empty. Errors: those of akin_labelled_read.
 */
akin_status akin_graph_collection_make(const akin_scope *scope, akin_account *account, const akin_column *column,
                                       uint32_t rows, const char *side, akin_dictionary *dictionary,
                                       akin_graph_collection *out, akin_error *error);
void akin_graph_collection_clear(akin_graph_collection *graphs);

#endif
