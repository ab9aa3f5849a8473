/* Nodes of trees, gathered in postorder by a stack of those that are open. */
#include "trees/nodes.h"

void akin_tree_nodes_begin(akin_tree_nodes *nodes)
{
    nodes->opened = nodes->closed = nodes->open_count = 0;
}

/* Makes room for one more node in each array; 0: memory is short, and the arrays keep what they have. */
static int grow_nodes(akin_tree_nodes *nodes)
{
    uint32_t **const arrays[] = {&nodes->label, &nodes->size, &nodes->depth, &nodes->pre};
    const uint64_t room = nodes->room + nodes->room / 2 + 64;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        uint32_t *larger = akin_resize(nodes->account, *arrays[i], room, sizeof *larger);
        if (!larger)
            return 0;
        *arrays[i] = larger;
    }
    nodes->room = room;
    return 1;
}

akin_status akin_tree_nodes_open(akin_tree_nodes *nodes, uint32_t label, akin_error *error)
{
    if (nodes->opened == AKIN_TREE_NODES)
        return akin_fail(error, AKIN_E_LIMIT, "a tree of more than %u nodes", AKIN_TREE_NODES);
    akin_tree_open *open =
        akin_enlarge(nodes->account, nodes->open, &nodes->open_room, nodes->open_count + UINT64_C(1), sizeof *open);
    nodes->open = open ? open : nodes->open;
    if (!open || (nodes->first + nodes->opened == nodes->room && !grow_nodes(nodes)))
        return akin_fail_memory(error, "the nodes of trees");
    nodes->pre[nodes->first + nodes->opened++] = label;
    open[nodes->open_count++] = (akin_tree_open){label, nodes->closed};
    return AKIN_OK;
}

void akin_tree_nodes_close(akin_tree_nodes *nodes)
{
    const akin_tree_open node = nodes->open[--nodes->open_count];
    const uint64_t at = nodes->first + nodes->closed++;
    nodes->label[at] = node.label;
    nodes->size[at] = nodes->closed - node.begin;
    nodes->depth[at] = nodes->open_count;
}

uint32_t akin_tree_nodes_end(akin_tree_nodes *nodes)
{
    const uint32_t count = nodes->closed;
    nodes->first += count;
    akin_tree_nodes_begin(nodes);
    return count;
}

void akin_tree_nodes_clear(akin_tree_nodes *nodes)
{
    akin_free(nodes->label);
    akin_free(nodes->size);
    akin_free(nodes->depth);
    akin_free(nodes->pre);
    akin_free(nodes->open);
    *nodes = (akin_tree_nodes){.account = nodes->account};
}
