/* The sources of the clusters of a component while these are merged. */
#include "graph/sources.h"

uint64_t akin_split_sources_bytes(const akin_split_graph *graph)
{
    return graph->sources ? graph->nodes * (sizeof(uint64_t) + 2 * sizeof(uint32_t)) : 0;
}

akin_split_sources akin_split_sources_begin(const akin_split_graph *graph, char **at)
{
    akin_split_sources s = {.of = graph->sources, .are_few = graph->are_few};
    if (!s.of)
        return s;
    s.masks = akin_split_cut(at, graph->nodes, sizeof *s.masks);
    s.heads = akin_split_cut(at, graph->nodes, sizeof *s.heads);
    s.nexts = akin_split_cut(at, graph->nodes, sizeof *s.nexts);
    for (uint32_t node = 0; node < graph->nodes; node++) {
        const int has_source = s.of[node] != AKIN_NO_SOURCE;
        s.masks[node] = (uint64_t)has_source << s.of[node] % AKIN_SPLIT_FEW;
        s.heads[node] = has_source ? node : AKIN_SPLIT_NOBODY;
        s.nexts[node] = AKIN_SPLIT_NOBODY;
    }
    return s;
}

int akin_split_sources_clash(const akin_split_sources *sources, uint32_t x, uint32_t y)
{
    const akin_split_sources *s = sources;
    if (!s->of || !(s->masks[x] & s->masks[y]))
        return 0;
    if (s->are_few)
        return 1;
    uint32_t a = s->heads[x], b = s->heads[y];
    while (a != AKIN_SPLIT_NOBODY && b != AKIN_SPLIT_NOBODY && s->of[a] != s->of[b])
        if (s->of[a] < s->of[b])
            a = s->nexts[a];
        else
            b = s->nexts[b];
    return a != AKIN_SPLIT_NOBODY && b != AKIN_SPLIT_NOBODY;
}

void akin_split_sources_merge(const akin_split_sources *sources, uint32_t first, uint32_t other)
{
    const akin_split_sources *s = sources;
    if (!s->of)
        return;
    uint32_t a = s->heads[first], b = s->heads[other], *to = &s->heads[first];
    s->masks[first] |= s->masks[other];
    while (a != AKIN_SPLIT_NOBODY && b != AKIN_SPLIT_NOBODY) {
        uint32_t *least = s->of[a] < s->of[b] ? &a : &b;
        *to = *least;
        to = &s->nexts[*least];
        *least = *to;
    }
    *to = a != AKIN_SPLIT_NOBODY ? a : b;
}
