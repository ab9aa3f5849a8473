/* A mapping that grows: costs, and counts of what remains. */
#include "graphs/state.h"

#include "base/bits.h"

#include <string.h>

/* ----------------------------------------------------------------------------------------------------------- counts */

static void add(akin_graph_counts *c, int side, uint32_t label)
{
    c->total[side]++;
    c->in_common += c->of[side][label]++ < c->of[!side][label];
}

static void take(akin_graph_counts *c, int side, uint32_t label)
{
    c->total[side]--;
    c->in_common -= c->of[side][label]-- <= c->of[!side][label];
}

/* Adds or takes a node that remains, and its inner edges. */
static void count_first(akin_graph_state *s, uint32_t node, void (*change)(akin_graph_counts *, int, uint32_t))
{
    const akin_graph_half *half = &s->pair->first;
    change(&s->nodes, 0, half->label[node]);
    for (uint32_t e = half->begin[node]; e < half->begin[node + 1]; e++)
        if (half->ends[e].node > node)
            change(&s->inner, 0, half->ends[e].label);
}

static void count_second(akin_graph_state *s, uint32_t node, void (*change)(akin_graph_counts *, int, uint32_t))
{
    const akin_graph_half *half = &s->pair->second;
    change(&s->nodes, 1, half->label[node]);
    for (uint32_t e = half->begin[node]; e < half->begin[node + 1]; e++)
        if (s->source[half->ends[e].node] == AKIN_GRAPH_NO_NODE)
            change(&s->inner, 1, half->ends[e].label);
}

/* --------------------------------------------------------------------------------------------------------- crossing */

/* Counts anew what the crossing edges of a mapped node differ in. */
static void cross(akin_graph_state *s, uint32_t node)
{
    const akin_graph_half *a = &s->pair->first, *b = &s->pair->second;
    const uint32_t image = s->image[node];
    uint32_t left = 0, right = 0, in_common = 0;
    for (uint32_t e = a->begin[node]; e < a->begin[node + 1]; e++)
        if (a->ends[e].node >= s->mapped) {
            s->tally[a->ends[e].label]++;
            left++;
        }
    for (uint32_t e = b->begin[image]; e < b->begin[image + 1]; e++)
        if (s->source[b->ends[e].node] == AKIN_GRAPH_NO_NODE) {
            uint32_t *tally = &s->tally[b->ends[e].label];
            right++;
            in_common += *tally > 0;
            *tally -= *tally > 0;
        }
    for (uint32_t e = a->begin[node]; e < a->begin[node + 1]; e++)
        s->tally[a->ends[e].label] = 0;
    s->crossing_sum -= s->crossing[node];
    s->crossing[node] = akin_max_u32(left, right) - in_common;
    s->crossing_sum += s->crossing[node];
}

/* The same for the mapped nodes next to a node, and next to its image. */
static void cross_around(akin_graph_state *s, uint32_t node, uint32_t image)
{
    const akin_graph_half *a = &s->pair->first, *b = &s->pair->second;
    for (uint32_t e = a->begin[node]; e < a->begin[node + 1]; e++)
        if (a->ends[e].node < node)
            cross(s, a->ends[e].node);
    for (uint32_t e = b->begin[image]; e < b->begin[image + 1]; e++) {
        const uint32_t source = s->source[b->ends[e].node];
        if (source < node)
            cross(s, source);
    }
}

/* ---------------------------------------------------------------------------------------------------------- mapping */

/* What a node costs that is mapped to another: its label, and the edges of both to what is mapped. */
static uint32_t cost_of(akin_graph_state *s, uint32_t node, uint32_t image)
{
    const akin_graph_half *a = &s->pair->first, *b = &s->pair->second;
    uint32_t cost = a->label[node] != b->label[image];
    for (uint32_t e = b->begin[image]; e < b->begin[image + 1]; e++)
        if (s->source[b->ends[e].node] != AKIN_GRAPH_NO_NODE) {
            s->mark[b->ends[e].node] = b->ends[e].label + 1;
            cost++;
        }
    for (uint32_t e = a->begin[node]; e < a->begin[node + 1]; e++)
        if (a->ends[e].node < node) {
            const uint32_t mark = s->mark[s->image[a->ends[e].node]];
            cost += mark == 0;
            cost -= mark == a->ends[e].label + 1;
        }
    for (uint32_t e = b->begin[image]; e < b->begin[image + 1]; e++)
        s->mark[b->ends[e].node] = 0;
    return cost;
}

void akin_graph_state_map(akin_graph_state *state, uint32_t node)
{
    const uint32_t next = state->mapped;
    state->cost += cost_of(state, next, node);
    count_first(state, next, take);
    count_second(state, node, take);
    state->image[next] = node;
    state->source[node] = next;
    state->mapped = next + 1;
    state->crossing[next] = 0;
    cross(state, next);
    cross_around(state, next, node);
}

void akin_graph_state_unmap(akin_graph_state *state)
{
    const uint32_t last = --state->mapped, node = state->image[last];
    state->crossing_sum -= state->crossing[last];
    state->source[node] = AKIN_GRAPH_NO_NODE;
    cross_around(state, last, node);
    count_first(state, last, add);
    count_second(state, node, add);
    state->cost -= cost_of(state, last, node);
}

int akin_graph_state_begin(akin_graph_state *state, const akin_graph_pair *pair)
{
    const uint64_t first = pair->first.nodes, second = pair->second.nodes, labels = pair->labels;
    const uint64_t count = 2 * first + 3 * second + 5 * labels;
    uint32_t *words = akin_enlarge(state->account, state->words, &state->words_room, count, sizeof *words);
    state->words = words ? words : state->words;
    if (!words || !akin_graph_state_reserve(state, pair))
        return 0;
    memset(words, 0, count * sizeof *words);
    state->pair = pair;
    state->mapped = state->cost = state->crossing_sum = 0;
    state->image = words;
    state->crossing = state->image + first;
    state->source = state->crossing + first;
    state->next = state->source + second;
    state->mark = state->next + second;
    state->tally = state->mark + second;
    state->nodes = (akin_graph_counts){.of = {state->tally + labels, state->tally + 2 * labels}};
    state->inner = (akin_graph_counts){.of = {state->tally + 3 * labels, state->tally + 4 * labels}};
    for (uint32_t i = 0; i < second; i++)
        state->source[i] = AKIN_GRAPH_NO_NODE;
    for (uint32_t i = 0; i < first; i++)
        count_first(state, i, add);
    for (uint32_t i = 0; i < second; i++) {
        state->source[i] = 0; /* so that each edge is counted at one of its ends */
        count_second(state, i, add);
    }
    for (uint32_t i = 0; i < second; i++)
        state->source[i] = AKIN_GRAPH_NO_NODE;
    return 1;
}

void akin_graph_state_clear(akin_graph_state *state)
{
    akin_assigner_clear(&state->assigner);
    akin_free(state->words);
    akin_free(state->branches);
    akin_free(state->costs);
    *state = (akin_graph_state){.account = state->account, .assigner = {.account = state->account}};
}
