/* What readers of trees write to: nodes whose labels are strings, numbered by a dictionary. */
#ifndef AKIN_TREES_BUILDER_H
#define AKIN_TREES_BUILDER_H

#include "strings/labelled.h"
#include "trees/json_order.h"
#include "trees/nodes.h"

/* An attribute of an XML element: its name in the document, and the place of its decoded value. */
typedef struct akin_xml_attribute {
    const char *name;
    size_t name_length;
    uint64_t from, length;
} akin_xml_attribute;

/* All fields are zero at first but the account and the dictionary. A thread has its own. */
typedef struct akin_tree_builder {
    akin_account *account;
    akin_dictionary *dictionary; /* of the labels */
    akin_tree_nodes nodes;
    akin_cpu cpu;
    char *text; /* room for a reader: a copy of the text, say */
    uint64_t text_room;
    akin_xml_attribute *attributes; /* of the element that a reader of XML reads */
    uint64_t attributes_room;
    akin_json_order *order; /* what the reader of JSON keeps; NULL: nothing so far */
} akin_tree_builder;

/* Where a text is no tree. */
typedef akin_text_fault akin_tree_fault;

/* Opens a node with that label below the one that is open. Errors: those of akin_tree_nodes_open and
 * akin_dictionary_add. */
akin_status akin_tree_builder_open(akin_tree_builder *builder, const char *label, size_t length, akin_error *error);

/* Room for `length` bytes in builder->text; NULL and the error: there is no memory. */
char *akin_tree_builder_room(akin_tree_builder *builder, uint64_t length, akin_error *error);

/* Says where a text is no tree. Returns AKIN_E_INPUT. */
akin_status akin_tree_fault_at(akin_tree_fault *fault, uint64_t at, const char *expected);

/* Frees all but the dictionary. */
void akin_tree_builder_clear(akin_tree_builder *builder);

#endif
