/*
 * Trees in bracket notation: a tree is a brace, the label of its root, the children as trees, and a brace.
 *
 *     {a{b}{c{d}}}
 *
 * A label is any text. Before a brace or a backslash that belongs to the label stands a backslash. Blanks before and
 * behind the tree are left out, and those between trees.
 */
#ifndef AKIN_TREES_BRACKETS_H
#define AKIN_TREES_BRACKETS_H

#include "trees/builder.h"

/* Reads a tree. Errors: AKIN_E_INPUT (the fault says where), and those of the builder. */
akin_status akin_brackets_read(akin_tree_builder *builder, const char *text, uint64_t length, akin_tree_fault *fault,
                               akin_error *error);

#endif
