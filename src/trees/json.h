/*
 * JSON values as trees. The label of a node is a piece of JSON, so that labels of different kinds differ:
 *
 *     value           label            children
 *     object          {}               a node for each member
 *     member          "key":           its value
 *     array           []               its elements, in their order
 *     string          "text"           none; the text is decoded
 *     number          as written       none
 *     true and so on  true false null  none
 *
 * The members of an object have no order in JSON. So a tree has them in the order of the bytes of their keys, and
 * members of equal keys in the order of the text; or, if it is read as written, all of them in that order.
 */
#ifndef AKIN_TREES_JSON_H
#define AKIN_TREES_JSON_H

#include "trees/builder.h"

/* Reads a value, members by key or as written. Errors: AKIN_E_INPUT (the fault says where), and those of the
 * builder. */
akin_status akin_tree_json_read(akin_tree_builder *builder, const char *text, uint64_t length, akin_tree_fault *fault,
                                akin_error *error);
akin_status akin_tree_json_read_written(akin_tree_builder *builder, const char *text, uint64_t length,
                                        akin_tree_fault *fault, akin_error *error);

#endif
