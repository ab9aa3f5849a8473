/* Edit distances of graphs against all mappings by brute force, lower bounds against distances, and mappings that cost
 * as much as they should. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "akin.h"
#include "property/setting.h"
#include "test_graphs_support.h"

static akin_graph_compared *compare(akin_context *context, const akin_graphs_options *options, const char *a,
                                    const char *b)
{
    akin_graph_compared *compared = NULL;
    akin_error error;
    if (akin_graph_compare(context, options, a, strlen(a), b, strlen(b), &compared, &error) != AKIN_OK)
        fail_msg("%s: %s", a, error.message);
    return compared;
}

static int differ(const char *a, size_t a_length, const char *b, size_t b_length)
{
    return a_length != b_length || memcmp(a, b, a_length) != 0;
}

/* What the mapping of a comparison costs, whose partners must be one another's. */
static uint32_t cost_of(const akin_graph_compared *compared)
{
    uint32_t counts[2], links[2], cost = 0;
    const akin_graph_node *nodes[2];
    const akin_graph_link *edges[2];
    for (int s = 0; s < 2; s++) {
        nodes[s] = akin_graph_compared_nodes(compared, s, &counts[s]);
        edges[s] = akin_graph_compared_links(compared, s, &links[s]);
    }
    for (int s = 0; s < 2; s++) {
        for (uint32_t i = 0; i < counts[s]; i++) {
            const akin_graph_node *node = &nodes[s][i];
            if (node->partner == AKIN_GRAPH_NO_PARTNER) {
                cost++;
                continue;
            }
            const akin_graph_node *other = &nodes[!s][node->partner];
            assert_int_equal(other->partner, i);
            cost += !s && differ(node->label, node->length, other->label, other->length);
        }
        for (uint32_t i = 0; i < links[s]; i++) {
            const akin_graph_link *link = &edges[s][i];
            if (link->partner == AKIN_GRAPH_NO_PARTNER) {
                cost++;
                continue;
            }
            const akin_graph_link *other = &edges[!s][link->partner];
            const uint32_t from = nodes[s][link->from].partner, to = nodes[s][link->to].partner;
            assert_int_equal(other->partner, i);
            assert_true((other->from == from && other->to == to) || (other->from == to && other->to == from));
            cost += !s && differ(link->label, link->length, other->label, other->length);
        }
    }
    return cost;
}

static void check_pair(akin_context *context, const drawn_graph *a, const drawn_graph *b)
{
    char left[GRAPH_TEXT], right[GRAPH_TEXT];
    akin_graphs_options options = AKIN_GRAPHS_OPTIONS_INIT;
    const uint32_t expected = plain_edits(a, b);
    write_graph(a, left);
    write_graph(b, right);
    options.budget = 0;
    for (uint32_t most = expected > 2 ? expected - 2 : 0; most <= expected + 1; most++) {
        options.most = most;
        akin_graph_compared *compared = compare(context, &options, left, right);
        const uint32_t distance = akin_graph_compared_distance(compared);
        if (distance != (most < expected ? UINT32_MAX : expected))
            fail_msg("%s and %s within %u: %u, expected %u", left, right, most, distance, expected);
        if (most >= expected)
            assert_int_equal(cost_of(compared), expected);
        akin_graph_compared_free(compared);
    }
    options.most = UINT32_MAX;
    akin_graph_compared *compared = compare(context, &options, right, left);
    assert_int_equal(akin_graph_compared_distance(compared), expected);
    assert_int_equal(cost_of(compared), expected);
    akin_graph_compared_free(compared);
}

/* Random pairs of up to 6 nodes, most of them some edits apart. */
static void brute_force(void **state)
{
    akin_random random;
    akin_context *context = NULL;
    (void)state;
    akin_random_seed(&random, setting("AKIN_PROPERTY_SEED", 1));
    assert_int_equal(akin_context_create(NULL, &context, NULL), AKIN_OK);
    for (uint64_t c = setting("AKIN_PROPERTY_CASES", 3000); c > 0; c--) {
        drawn_graph a, b;
        const uint32_t labels = 1 + (uint32_t)akin_random_below(&random, 4),
                       density = (uint32_t)akin_random_below(&random, 11);
        draw_graph(&random, 1 + (uint32_t)akin_random_below(&random, 6), labels, density, &a);
        if (akin_random_below(&random, 3)) {
            b = a;
            edit_graph(&random, (uint32_t)akin_random_below(&random, 6), labels, &b);
            b.count = b.count > 6 ? 6 : b.count;
            shuffle_graph(&random, &b);
        } else {
            draw_graph(&random, 1 + (uint32_t)akin_random_below(&random, 6), labels, density, &b);
        }
        check_pair(context, &a, &b);
    }
    akin_context_free(context);
}

/* Graphs of equal nodes have many mappings of equal cost, of which twins leave few. */
static void twins(void **state)
{
    static const struct {
        const char *left, *right;
        uint32_t distance;
    } cases[] = {
        {"a a a a a a a a a a a a a a a a a a a a", "a a a a a a a a a a a a a a a a a a", 2},
        {"h c c c c c c c c c c c c; 0-1 0-2 0-3 0-4 0-5 0-6 0-7 0-8 0-9 0-10 0-11 0-12",
         "c c c c c c h c c c c c c; 6-0 6-1 6-2 6-3 6-4 6-5 6-7 6-8 6-9 6-10 6-11 6-12:x", 1},
        {"a a a a a; 0-1 0-2 0-3 0-4 1-2 1-3 1-4 2-3 2-4 3-4", "a a a a a; 0-1 0-2 0-3 0-4 1-2 1-3 1-4 2-3 2-4", 1},
    };
    akin_context *context = NULL;
    (void)state;
    assert_int_equal(akin_context_create(NULL, &context, NULL), AKIN_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        akin_graph_compared *compared = compare(context, NULL, cases[i].left, cases[i].right);
        assert_int_equal(akin_graph_compared_distance(compared), cases[i].distance);
        assert_int_equal(cost_of(compared), cases[i].distance);
        akin_graph_compared_free(compared);
    }
    akin_context_free(context);
}

/* A pair beyond the budget is an error, or undecided, whichever graph is the left one. */
static void budget(void **state)
{
    static const char left[] = "a a a a a a a a; 0-1 1-2 2-3 3-4 4-5 5-6 6-7 7-0",
                      right[] = "a a a a a a a a; 0-1 1-2 2-3 3-0 4-5 5-6 6-7 7-4";
    akin_graphs_options options = AKIN_GRAPHS_OPTIONS_INIT;
    akin_graph_compared *compared = NULL;
    akin_context *context = NULL;
    akin_error error;
    (void)state;
    options.budget = 3;
    assert_int_equal(akin_context_create(NULL, &context, NULL), AKIN_OK);
    assert_int_equal(
        akin_graph_compare(context, &options, left, sizeof left - 1, right, sizeof right - 1, &compared, &error),
        AKIN_E_LIMIT);
    assert_string_equal(error.message, "the distance of the graphs takes more than 3 states: raise the budget");
    options.undecided = 1;
    compared = compare(context, &options, left, right);
    assert_int_equal(akin_graph_compared_distance(compared), AKIN_GRAPHS_UNDECIDED);
    akin_graph_compared_free(compared);
    options.budget = 0;
    compared = compare(context, &options, left, right);
    assert_int_equal(akin_graph_compared_distance(compared), 4);
    assert_int_equal(cost_of(compared), 4);
    akin_graph_compared_free(compared);
    akin_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brute_force),
        cmocka_unit_test(twins),
        cmocka_unit_test(budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
