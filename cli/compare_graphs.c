/* Compares two graphs, and shows a cheapest mapping: a line for each node, then one for each edge, with the numbers
 * that nodes have on either side. */
#include "compare_graphs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "job.h"

/* A label on either side; NULL: the node or edge is not there. */
typedef struct change {
    const char *label[2];
    size_t length[2];
} change;

/* Puts a label; an empty one that is renamed, or becomes that, as quotes. */
static void put_label(const change *c, int side, int is_renamed)
{
    if (is_renamed && c->length[side] == 0)
        fputs("\"\"", stdout);
    akin_cli_put_shown(stdout, c->label[side], c->length[side], '?');
}

/* The mark of a line: "- " what goes, "+ " what comes, "~ " what is renamed. */
static void put_mark(const change *c)
{
    const int is_same = c->label[0] && c->label[1] && c->length[0] == c->length[1] &&
                        memcmp(c->label[0], c->label[1], c->length[0]) == 0;
    fputs(!c->label[1] ? "- " : !c->label[0] ? "+ " : is_same ? "  " : "~ ", stdout);
}

/* Ends a line with what a label is, or becomes. */
static void put_labels(const change *c)
{
    const int first = c->label[0] ? 0 : 1;
    const int is_renamed = c->label[0] && c->label[1] &&
                           (c->length[0] != c->length[1] || memcmp(c->label[0], c->label[1], c->length[0]) != 0);
    if (is_renamed || c->length[first] > 0)
        fputs(": ", stdout);
    put_label(c, first, is_renamed);
    if (is_renamed) {
        fputs(" -> ", stdout);
        put_label(c, 1, 1);
    }
    putchar('\n');
}

static void show_nodes(const akin_graph_compared *compared)
{
    uint32_t counts[2];
    const akin_graph_node *const nodes[2] = {akin_graph_compared_nodes(compared, 0, &counts[0]),
                                             akin_graph_compared_nodes(compared, 1, &counts[1])};
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < counts[side]; i++) {
            const akin_graph_node *node = &nodes[side][i];
            const int has_partner = node->partner != AKIN_GRAPH_NO_PARTNER;
            change c = {{NULL, NULL}, {0, 0}};
            if (side == 1 && has_partner)
                continue;
            c.label[side] = node->label;
            c.length[side] = node->length;
            if (has_partner) {
                c.label[1] = nodes[1][node->partner].label;
                c.length[1] = nodes[1][node->partner].length;
            }
            put_mark(&c);
            printf("%" PRIu32, i);
            if (has_partner && node->partner != i)
                printf(" -> %" PRIu32, node->partner);
            put_labels(&c);
        }
}

static void show_links(const akin_graph_compared *compared)
{
    uint32_t counts[2];
    const akin_graph_link *const links[2] = {akin_graph_compared_links(compared, 0, &counts[0]),
                                             akin_graph_compared_links(compared, 1, &counts[1])};
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < counts[side]; i++) {
            const akin_graph_link *link = &links[side][i];
            const int has_partner = link->partner != AKIN_GRAPH_NO_PARTNER;
            change c = {{NULL, NULL}, {0, 0}};
            if (side == 1 && has_partner)
                continue;
            c.label[side] = link->label;
            c.length[side] = link->length;
            if (has_partner) {
                c.label[1] = links[1][link->partner].label;
                c.length[1] = links[1][link->partner].length;
            }
            put_mark(&c);
            printf("%" PRIu32 "-%" PRIu32, link->from, link->to);
            if (has_partner && (links[1][link->partner].from != link->from || links[1][link->partner].to != link->to))
                printf(" -> %" PRIu32 "-%" PRIu32, links[1][link->partner].from, links[1][link->partner].to);
            put_labels(&c);
        }
}

akin_status akin_cli_compare_graphs(const char *const sides[2], uint64_t budget, int mapping, akin_error *error)
{
    const akin_context_options single = {.size = sizeof single, .threads = 1, .device = "cpu"};
    akin_graphs_options options = AKIN_GRAPHS_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_graph_compared *compared = NULL;
    options.budget = budget;
    akin_status status = akin_cli_context_create(&single, &context, error);
    if (status == AKIN_OK)
        status = akin_graph_compare(context, &options, sides[0], strlen(sides[0]), sides[1], strlen(sides[1]),
                                    &compared, error);
    if (status == AKIN_OK) {
        printf("%" PRIu32 "\n", akin_graph_compared_distance(compared));
        if (mapping) {
            show_nodes(compared);
            show_links(compared);
        }
    }
    akin_graph_compared_free(compared);
    akin_context_free(context);
    return status;
}
