/* The comparison of two trees: their distance, and a cheapest mapping with the labels of both. */
#include "base/ceiling.h"
#include "base/budget.h"
#include "trees/formats.h"
#include "trees/join.h"
#include "trees/verifier.h"

struct akin_tree_compared {
    akin_account account;
    akin_dictionary *labels;
    akin_tree_node *nodes[2]; /* in preorder */
    uint32_t counts[2];
    uint32_t distance;
};

static const char what[] = "comparing trees"; /* the memory is for */

/* Reads a tree behind the nodes of the builder; *nodes becomes their number. */
static akin_status read_side(const akin_tree_format_row *format, const char *side, const char *text, size_t length,
                             akin_tree_builder *builder, uint32_t *nodes, akin_error *error)
{
    akin_tree_fault fault = {0, NULL};
    const akin_status status = akin_tree_read(format, builder, text, length, nodes, &fault, error);
    if (status == AKIN_E_INPUT)
        return akin_labelled_fail(side, &fault, error);
    return status != AKIN_OK || *nodes > 0 ? status
                                           : akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_MALFORMED,
                                                            "the %s: expected a tree, not blanks", side);
}

/* The number of a node in preorder. */
static uint32_t number_of(const akin_tree *tree, uint32_t node)
{
    return node + 1 - tree->size[node] + tree->depth[node];
}

/* Lists the nodes of a tree in preorder, without partners. */
static akin_status list_nodes(akin_tree_compared *c, const akin_tree *tree, int side, akin_error *error)
{
    akin_tree_node *nodes = akin_alloc(&c->account, tree->nodes, sizeof *nodes);
    akin_status status = AKIN_OK;
    if (!nodes)
        return akin_fail_memory(error, what);
    c->nodes[side] = nodes;
    c->counts[side] = tree->nodes;
    for (uint32_t i = 0; i < tree->nodes && status == AKIN_OK; i++) {
        akin_tree_node *node = &nodes[number_of(tree, i)];
        *node = (akin_tree_node){.depth = tree->depth[i], .partner = AKIN_TREE_NO_NODE};
        status = akin_dictionary_string(c->labels, tree->label[i], &node->label, &node->length, error);
    }
    return status;
}

/* Finds the distance, and the partners. */
static akin_status map_nodes(const akin_scope *scope, akin_tree_compared *c, const akin_tree *left,
                             const akin_tree *right, uint32_t most, akin_error *error)
{
    akin_tree_verifier verifier;
    atomic_int cancelled = 0;
    akin_cancellation cancellation = {scope, &cancelled, 0, 0};
    uint32_t *partners = akin_alloc(&c->account, left->nodes, sizeof *partners);
    akin_tree_verifier_begin(&verifier, &c->account, &cancellation);
    const int is_done = partners && akin_tree_verify(&verifier, left, right, most, partners, &c->distance);
    const int is_near = is_done && c->distance != AKIN_BAND_FAR;
    for (uint32_t i = 0; i < left->nodes && is_near; i++)
        if (partners[i] != AKIN_TREE_NO_NODE) {
            const uint32_t l = number_of(left, i), r = number_of(right, partners[i]);
            c->nodes[0][l].partner = r;
            c->nodes[1][r].partner = l;
        }
    if (!is_near)
        c->distance = UINT32_MAX;
    akin_free(partners);
    const akin_status status = is_done ? AKIN_OK : akin_tree_verifier_failure(&verifier);
    akin_tree_verifier_clear(&verifier);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

static akin_status compare_within(const akin_scope *scope, akin_tree_compared *c, const akin_trees_options *options,
                                  const char *const texts[2], const size_t lengths[2], akin_error *error)
{
    static const char *const sides[2] = {"left tree", "right tree"};
    const akin_tree_format_row *format = NULL;
    akin_tree_builder builder = {.account = &c->account, .nodes = {.account = &c->account}, .cpu = scope->cpu};
    akin_tree trees[2];
    uint64_t first[2] = {0, 0};
    akin_status status = akin_tree_format_of(options->format, &format, error);
    if (status == AKIN_OK)
        status = akin_dictionary_create_within(scope, &c->labels, error);
    builder.dictionary = c->labels;
    for (int s = 0; s < 2 && status == AKIN_OK; s++) {
        first[s] = builder.nodes.first;
        status = read_side(format, sides[s], texts[s], lengths[s], &builder, &trees[s].nodes, error);
    }
    for (int s = 0; s < 2 && status == AKIN_OK; s++) {
        const akin_tree_nodes *nodes = &builder.nodes;
        trees[s] = (akin_tree){nodes->label + first[s], nodes->size + first[s], nodes->depth + first[s],
                               nodes->pre + first[s], trees[s].nodes};
        status = list_nodes(c, &trees[s], s, error);
    }
    if (status == AKIN_OK)
        status = map_nodes(scope, c, &trees[0], &trees[1], options->most, error);
    akin_tree_builder_clear(&builder);
    return status;
}

akin_status akin_tree_compare(akin_context *context, const akin_trees_options *options, const char *left,
                              size_t left_length, const char *right, size_t right_length, akin_tree_compared **out,
                              akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    const char *const texts[2] = {left, right};
    const size_t lengths[2] = {left_length, right_length};
    akin_trees_options own;
    akin_status status = akin_trees_options_read(options, &own, error);
    if (status != AKIN_OK)
        return status;
    akin_tree_compared *c = akin_alloc_zero(NULL, 1, sizeof *c);
    if (!c)
        return akin_fail_memory(error, what);
    akin_account_begin(&c->account, scope);
    status = compare_within(scope, c, &own, texts, lengths, error);
    status = akin_ceiling_conclude(scope, &c->account, "the comparison of two trees", status, error);
    if (status == AKIN_OK)
        *out = c;
    else
        akin_tree_compared_free(c);
    return status;
}

uint32_t akin_tree_compared_distance(const akin_tree_compared *compared)
{
    return compared->distance;
}

const akin_tree_node *akin_tree_compared_nodes(const akin_tree_compared *compared, int right, uint32_t *count)
{
    *count = compared->counts[right != 0];
    return compared->nodes[right != 0];
}

void akin_tree_compared_free(akin_tree_compared *compared)
{
    if (!compared)
        return;
    akin_free(compared->nodes[0]);
    akin_free(compared->nodes[1]);
    akin_dictionary_free(compared->labels);
    akin_free(compared);
}
