/*
 * The bound by branches. Nodes that remain are sorted into classes of equal label and equal inner edges, so that few
 * pairs of branches are compared. Costs are halves:
 *
 *     a node's label differs       2
 *     an inner edge                1 at each end that lacks it, or has another label
 *     a crossing edge              2
 *
 * A node without a partner costs 2, 1 for each inner edge, and 2 for each crossing one.
 */
#include "graphs/state.h"

#include "base/bits.h"

/* The nodes of one graph that remain, by place. */
typedef struct remaining {
    uint32_t count;
    uint32_t *node, *kind, *crossing; /* of each: its number, its class, its crossing edges */
    uint32_t *place;                  /* by node; AKIN_GRAPH_NO_NODE: it is mapped */
} remaining;

/* Classes of nodes: a label, and the labels of inner edges, in order. */
typedef struct kinds {
    uint32_t count, used;
    uint32_t *label, *begin, *end; /* of each class; the labels of edges from begin on */
    uint32_t *edges;
} kinds;

/* Finds the class of a node by its label and the inner edges behind those of all classes, or makes it one. */
static uint32_t find_kind(kinds *k, uint32_t label, uint32_t edges)
{
    const uint32_t *own = k->edges + k->used;
    for (uint32_t i = 0; i < k->count; i++) {
        if (k->label[i] != label || k->end[i] - k->begin[i] != edges)
            continue;
        uint32_t e = 0;
        while (e < edges && k->edges[k->begin[i] + e] == own[e])
            e++;
        if (e == edges)
            return i;
    }
    k->label[k->count] = label;
    k->begin[k->count] = k->used;
    k->end[k->count] = k->used += edges;
    return k->count++;
}

/* Gathers the nodes that remain of one graph, from number `from` on if that is not mapped by `source`. */
static void gather(const akin_graph_state *s, const akin_graph_half *half, int is_second, kinds *k, remaining *out)
{
    out->count = 0;
    for (uint32_t i = 0; i < half->nodes; i++) {
        out->place[i] = AKIN_GRAPH_NO_NODE;
        if (is_second ? s->source[i] != AKIN_GRAPH_NO_NODE : i < s->mapped)
            continue;
        uint32_t inner = 0, crossing = 0;
        for (uint32_t e = half->begin[i]; e < half->begin[i + 1]; e++) {
            const uint32_t other = half->ends[e].node;
            const int is_mapped = is_second ? s->source[other] != AKIN_GRAPH_NO_NODE : other < s->mapped;
            crossing += (uint32_t)is_mapped;
            if (!is_mapped)
                k->edges[k->used + inner++] = half->ends[e].label;
        }
        out->place[i] = out->count;
        out->node[out->count] = i;
        out->crossing[out->count] = crossing;
        out->kind[out->count++] = find_kind(k, half->label[i], inner);
    }
}

/* What two branches differ in, in halves. */
static uint32_t compare_kinds(const kinds *k, uint32_t a, uint32_t b)
{
    const uint32_t *x = k->edges + k->begin[a], *x_end = k->edges + k->end[a];
    const uint32_t *y = k->edges + k->begin[b], *y_end = k->edges + k->end[b];
    const uint32_t most = akin_max_u32((uint32_t)(x_end - x), (uint32_t)(y_end - y));
    uint32_t in_common = 0;
    while (x < x_end && y < y_end) {
        in_common += *x == *y;
        const int x_goes = *x <= *y, y_goes = *y <= *x;
        x += x_goes;
        y += y_goes;
    }
    return 2 * (uint32_t)(k->label[a] != k->label[b]) + most - in_common;
}

/* Fills the costs of nodes that remain, and of no node in the rows behind. `table` has room for two classes each. */
static void fill_costs(const kinds *k, const remaining *a, const remaining *b, uint32_t *table, uint16_t *costs)
{
    const uint32_t count = b->count;
    for (uint32_t i = 0; i < a->count; i++) {
        uint16_t *row = costs + (size_t)i * count;
        for (uint32_t c = 0; c < k->count; c++)
            table[c] = UINT32_MAX;
        for (uint32_t j = 0; j < count; j++) {
            uint32_t *known = &table[b->kind[j]];
            if (*known == UINT32_MAX)
                *known = compare_kinds(k, a->kind[i], b->kind[j]);
            row[j] = (uint16_t)(*known + 2 * (a->crossing[i] + b->crossing[j]));
        }
    }
    for (uint32_t i = a->count; i < count; i++)
        for (uint32_t j = 0; j < count; j++) {
            const uint32_t kind = b->kind[j];
            costs[(size_t)i * count + j] = (uint16_t)(2 + k->end[kind] - k->begin[kind] + 2 * b->crossing[j]);
        }
}

/* Crossing edges of a mapped node and of its image are one edge, with one label or with two. */
static void join_crossing(const akin_graph_state *s, const remaining *a, const remaining *b, uint16_t *costs)
{
    const akin_graph_half *first = &s->pair->first, *second = &s->pair->second;
    for (uint32_t node = 0; node < s->mapped; node++)
        for (uint32_t e = first->begin[node]; e < first->begin[node + 1]; e++) {
            const akin_graph_end x = first->ends[e];
            const uint32_t image = s->image[node];
            if (x.node < s->mapped)
                continue;
            uint16_t *row = costs + (size_t)a->place[x.node] * b->count;
            for (uint32_t f = second->begin[image]; f < second->begin[image + 1]; f++) {
                const akin_graph_end y = second->ends[f];
                if (b->place[y.node] != AKIN_GRAPH_NO_NODE)
                    row[b->place[y.node]] = (uint16_t)(row[b->place[y.node]] - (x.label == y.label ? 4 : 2));
            }
        }
}

static uint32_t *cut_remaining(remaining *out, uint32_t nodes, uint32_t *words)
{
    *out = (remaining){0, words, words + nodes, words + 2 * (size_t)nodes, words + 3 * (size_t)nodes};
    return words + 4 * (size_t)nodes;
}

int akin_graph_state_reserve(akin_graph_state *state, const akin_graph_pair *pair)
{
    const uint64_t nodes = (uint64_t)pair->first.nodes + pair->second.nodes,
                   ends = 2 * ((uint64_t)pair->first.edges + pair->second.edges), count = pair->second.nodes;
    uint32_t *branches =
        akin_enlarge(state->account, state->branches, &state->branches_room, 8 * nodes + ends, sizeof *branches);
    state->branches = branches ? branches : state->branches;
    uint16_t *costs = akin_enlarge(state->account, state->costs, &state->costs_room, count * count, sizeof *costs);
    state->costs = costs ? costs : state->costs;
    return branches && costs && akin_assigner_reserve(&state->assigner, pair->second.nodes);
}

uint32_t akin_graph_state_branches(akin_graph_state *state, uint32_t most)
{
    const akin_graph_pair *p = state->pair;
    const uint32_t nodes = p->first.nodes + p->second.nodes;
    remaining a, b;
    kinds k = {0};
    uint32_t *words = cut_remaining(&a, p->first.nodes, state->branches);
    words = cut_remaining(&b, p->second.nodes, words);
    k.label = words;
    k.begin = words + nodes;
    k.end = k.begin + nodes;
    uint32_t *table = k.end + nodes;
    k.edges = table + nodes;
    gather(state, &p->first, 0, &k, &a);
    gather(state, &p->second, 1, &k, &b);
    fill_costs(&k, &a, &b, table, state->costs);
    join_crossing(state, &a, &b, state->costs);
    const uint32_t halves = akin_assign(&state->assigner, state->costs, b.count, b.count, 2 * most);
    if (halves > 2 * most)
        return most + 1;
    state->halves = halves;
    for (uint32_t j = 0; j < b.count && a.count > 0; j++) /* the next node has the first row */
        state->next[b.node[j]] = (halves + akin_assigner_more(&state->assigner, state->costs, b.count, 0, j) + 1) / 2;
    return (halves + 1) / 2;
}

void akin_graph_state_partners(const akin_graph_state *state, uint32_t most, uint32_t *counts)
{
    const akin_graph_pair *p = state->pair;
    const uint32_t count = p->second.nodes;
    for (uint32_t i = 0; i < p->first.nodes; i++) {
        uint32_t *partners = &counts[p->number[i]];
        *partners = 0;
        for (uint32_t j = 0; j < count; j++)
            *partners += state->halves + akin_assigner_more(&state->assigner, state->costs, count, i, j) <= 2 * most;
    }
}
