/* The nodes of a JSON value, kept in the order of the text until they are built, objects perhaps sorted by key. */
#ifndef AKIN_TREES_JSON_ORDER_H
#define AKIN_TREES_JSON_ORDER_H

#include "dict/dictionary.h"
#include "trees/nodes.h"

typedef enum akin_json_form { AKIN_JSON_LEAF, AKIN_JSON_LIST, AKIN_JSON_MEMBER, AKIN_JSON_MEMBERS } akin_json_form;

/* A node in preorder. */
typedef struct akin_json_kept {
    uint32_t label;
    uint32_t next; /* the number of the node behind its subtree, once that is closed */
    akin_json_form form;
} akin_json_kept;

/* All fields are zero at first but the account. */
typedef struct akin_json_order {
    akin_account *account;
    akin_json_kept *nodes;
    uint64_t room, stack_room, children_room;
    uint32_t count;
    uint32_t *stack; /* nodes that are open, or that are to be built */
    uint32_t stacked;
    uint32_t *children; /* of an object: twice its members */
} akin_json_order;

/* Keeps a node, and opens it unless it is a leaf. Errors: AKIN_E_NOMEM, AKIN_E_LIMIT (too many nodes). */
akin_status akin_json_order_keep(akin_json_order *order, uint32_t label, akin_json_form form, akin_error *error);

/* Closes the innermost open node. */
void akin_json_order_close(akin_json_order *order);

/* The form of the innermost open node; AKIN_JSON_LEAF: none is open. */
akin_json_form akin_json_order_top(const akin_json_order *order);

/* Builds the tree that is kept, members sorted by key, a label of the dictionary, or as they stand. Errors: those of
 * akin_tree_nodes_open. */
akin_status akin_json_order_build(akin_json_order *order, const akin_dictionary *labels, int is_sorted,
                                  akin_tree_nodes *nodes, akin_error *error);

/* Frees an order that has been allocated. NULL is allowed. */
void akin_json_order_free(akin_json_order *order);

#endif
