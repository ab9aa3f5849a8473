/* The nodes of a JSON value, and how they are built: a stack replaces recursion. */
#include "trees/json_order.h"

#include "base/bits.h"

#include <string.h>

#define CLOSING UINT32_MAX /* on the stack: the node below is complete */

/* Puts a number on the stack; 0: memory is short. */
static int push(akin_json_order *order, uint32_t number)
{
    uint32_t *stack =
        akin_enlarge(order->account, order->stack, &order->stack_room, order->stacked + UINT64_C(1), sizeof *stack);
    if (!stack)
        return 0;
    order->stack = stack;
    stack[order->stacked++] = number;
    return 1;
}

static akin_status fail_nodes(akin_error *error)
{
    return akin_fail_memory(error, "the nodes of a JSON value");
}

akin_status akin_json_order_keep(akin_json_order *order, uint32_t label, akin_json_form form, akin_error *error)
{
    if (order->count == AKIN_TREE_NODES)
        return akin_fail(error, AKIN_E_LIMIT, "a tree of more than %u nodes", AKIN_TREE_NODES);
    akin_json_kept *nodes =
        akin_enlarge(order->account, order->nodes, &order->room, order->count + UINT64_C(1), sizeof *nodes);
    if (!nodes)
        return fail_nodes(error);
    order->nodes = nodes;
    if (form != AKIN_JSON_LEAF && !push(order, order->count))
        return fail_nodes(error);
    nodes[order->count] = (akin_json_kept){label, order->count + 1, form};
    order->count++;
    return AKIN_OK;
}

void akin_json_order_close(akin_json_order *order)
{
    order->nodes[order->stack[--order->stacked]].next = order->count;
}

akin_json_form akin_json_order_top(const akin_json_order *order)
{
    return order->stacked ? order->nodes[order->stack[order->stacked - 1]].form : AKIN_JSON_LEAF;
}

/* Whether the key of node b comes before that of node a. */
static int is_before(const akin_json_order *order, const akin_dictionary *labels, uint32_t b, uint32_t a)
{
    const char *keys[2];
    size_t lengths[2];
    if (akin_dictionary_string(labels, order->nodes[a].label, &keys[0], &lengths[0], NULL) != AKIN_OK ||
        akin_dictionary_string(labels, order->nodes[b].label, &keys[1], &lengths[1], NULL) != AKIN_OK)
        return 0;
    /* a label is a key in quotes with a colon: the quote behind a shorter key must not decide */
    const size_t shorter = (lengths[0] < lengths[1] ? lengths[0] : lengths[1]) - 2;
    const int compared = memcmp(keys[0], keys[1], shorter);
    return compared != 0 ? compared > 0 : lengths[1] < lengths[0];
}

/* Sorts the members of an object by key, equal keys as they stand, by merging runs. Returns the sorted half of
 * `members`, which has room for 2 * count. */
static const uint32_t *sort_members(const akin_json_order *order, const akin_dictionary *labels, uint32_t *members,
                                    uint32_t count)
{
    uint32_t *from = members, *to = members + count;
    for (uint64_t width = 1; width < count; width *= 2) {
        for (uint64_t begin = 0; begin < count; begin += 2 * width) {
            const uint64_t middle = akin_min_u64(begin + width, count), end = akin_min_u64(begin + 2 * width, count);
            uint64_t a = begin, b = middle;
            for (uint64_t i = begin; i < end; i++)
                to[i] = a == middle || (b < end && is_before(order, labels, from[b], from[a])) ? from[b++] : from[a++];
        }
        uint32_t *other = from;
        from = to;
        to = other;
    }
    return from;
}

/* Puts the children of a node on the stack, the first one uppermost; 0: memory is short. */
static int push_children(akin_json_order *order, const akin_dictionary *labels, uint32_t node, int is_sorted)
{
    const uint32_t end = order->nodes[node].next;
    uint32_t count = 0;
    for (uint32_t child = node + 1; child < end; child = order->nodes[child].next)
        count++;
    uint32_t *children =
        akin_enlarge(order->account, order->children, &order->children_room, 2 * (uint64_t)count, sizeof *children);
    if (!children)
        return 0;
    order->children = children;
    for (uint32_t child = node + 1, i = 0; child < end; child = order->nodes[child].next)
        children[i++] = child;
    const uint32_t *in_order = is_sorted && order->nodes[node].form == AKIN_JSON_MEMBERS
                                   ? sort_members(order, labels, children, count)
                                   : children;
    for (uint32_t i = count; i-- > 0;)
        if (!push(order, in_order[i]))
            return 0;
    return 1;
}

akin_status akin_json_order_build(akin_json_order *order, const akin_dictionary *labels, int is_sorted,
                                  akin_tree_nodes *nodes, akin_error *error)
{
    akin_status status = AKIN_OK;
    order->stacked = 0;
    if (!push(order, 0))
        return fail_nodes(error);
    while (order->stacked > 0 && status == AKIN_OK) {
        const uint32_t node = order->stack[--order->stacked];
        if (node == CLOSING) {
            akin_tree_nodes_close(nodes);
            continue;
        }
        status = akin_tree_nodes_open(nodes, order->nodes[node].label, error);
        if (status == AKIN_OK && (!push(order, CLOSING) || !push_children(order, labels, node, is_sorted)))
            status = fail_nodes(error);
    }
    return status;
}

void akin_json_order_free(akin_json_order *order)
{
    if (!order)
        return;
    akin_free(order->nodes);
    akin_free(order->stack);
    akin_free(order->children);
    akin_free(order);
}
