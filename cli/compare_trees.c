/* Compares two trees, and shows a cheapest mapping of their nodes as the lines of a tree with what changes. */
#include "compare_trees.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "job.h"

/* The nodes of a tree, and the one that comes next in preorder. */
typedef struct walk {
    const akin_tree_node *nodes;
    uint32_t count, at;
} walk;

#define DEEPEST 1000 /* depths that lines are indented by, at most */

/* Begins the line of a node, indented by a depth: "+ " where it comes, "- " where it goes. */
static void show_node(const char *mark, const akin_tree_node *node, uint32_t depth)
{
    printf("%s%*s", mark, 2 * (int)(depth < DEEPEST ? depth : DEEPEST), "");
    akin_cli_put_shown(stdout, node->label, node->length, '?');
}

static int is_renamed(const akin_tree_node *left, const akin_tree_node *right)
{
    return left->length != right->length || memcmp(left->label, right->label, left->length) != 0;
}

/* Both preorders as one: partners come in the same order in both. A node that stays is indented as on the right. */
static void show_mapping(walk *left, walk *right)
{
    while (left->at < left->count || right->at < right->count) {
        if (left->at < left->count && left->nodes[left->at].partner == AKIN_TREE_NO_PARTNER) {
            show_node("- ", &left->nodes[left->at], left->nodes[left->at].depth);
            left->at++;
        } else if (right->at < right->count && right->nodes[right->at].partner == AKIN_TREE_NO_PARTNER) {
            show_node("+ ", &right->nodes[right->at], right->nodes[right->at].depth);
            right->at++;
        } else {
            const akin_tree_node *from = &left->nodes[left->at++], *to = &right->nodes[right->at++];
            const int renamed = is_renamed(from, to);
            show_node(renamed ? "~ " : "  ", from, to->depth);
            if (renamed) {
                fputs(" -> ", stdout);
                akin_cli_put_shown(stdout, to->label, to->length, '?');
            }
        }
        putchar('\n');
    }
}

akin_status akin_cli_compare_trees(const char *const sides[2], akin_tree_format format, int mapping, akin_error *error)
{
    const akin_context_options single = {.size = sizeof single, .threads = 1, .device = "cpu"};
    akin_trees_options options = AKIN_TREES_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_tree_compared *compared = NULL;
    options.format = format;
    akin_status status = akin_cli_context_create(&single, &context, error);
    if (status == AKIN_OK)
        status = akin_tree_compare(context, &options, sides[0], strlen(sides[0]), sides[1], strlen(sides[1]), &compared,
                                   error);
    if (status == AKIN_OK) {
        walk left = {.at = 0}, right = {.at = 0};
        left.nodes = akin_tree_compared_nodes(compared, 0, &left.count);
        right.nodes = akin_tree_compared_nodes(compared, 1, &right.count);
        printf("%" PRIu32 "\n", akin_tree_compared_distance(compared));
        if (mapping)
            show_mapping(&left, &right);
    }
    akin_tree_compared_free(compared);
    akin_context_free(context);
    return status;
}
