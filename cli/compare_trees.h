/* The comparison of two trees, for akin compare. */
#ifndef AKIN_CLI_COMPARE_TREES_H
#define AKIN_CLI_COMPARE_TREES_H

#include "akin.h"

#define AKIN_CLI_TREE_EDITS "tree-edits" /* the word that akin compare takes beside comparators */

/* Prints the distance of two trees, or with `mapping` also which nodes stay, become others, come or go. Errors: those
 * of akin_tree_compare. */
akin_status akin_cli_compare_trees(const char *const sides[2], akin_tree_format format, int mapping, akin_error *error);

#endif
