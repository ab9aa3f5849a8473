/* The trees of a column of text. */
#ifndef AKIN_TREES_COLLECTION_H
#define AKIN_TREES_COLLECTION_H

#include "trees/formats.h"

/* Trees by row. Labels are numbers of a dictionary that the sides of a join share. */
typedef struct akin_tree_collection {
    akin_tree *trees; /* a null, and a text without anything but blanks, has no nodes */
    uint32_t rows;
    uint64_t nodes;              /* of all trees */
    akin_tree_builder *builders; /* of pieces of rows, which have the nodes */
    uint32_t builder_count;
} akin_tree_collection;

/*
 * Reads the trees of `rows` rows by all threads. `side` names the column in messages if it has no name. On failure
 * *out is empty. Errors: AKIN_E_OPTION, AKIN_E_INPUT (a row is not UTF-8, or no tree: the message has the row and the
 * byte), AKIN_E_LIMIT, AKIN_E_NOMEM, AKIN_E_IO (a temporary file), AKIN_E_CANCELLED.
 */
akin_status akin_tree_collection_make(const akin_scope *scope, akin_account *account, akin_tree_format format,
                                      const akin_column *column, uint32_t rows, const char *side,
                                      akin_dictionary *dictionary, akin_tree_collection *out, akin_error *error);

/* Gives all labels other numbers: numbers[label]. */
void akin_tree_collection_renumber(akin_tree_collection *trees, const uint32_t *numbers);
void akin_tree_collection_clear(akin_tree_collection *trees);

#endif
