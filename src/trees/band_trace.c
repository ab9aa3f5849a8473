/* A cheapest mapping of two forests: the way back through the tables F, which are filled again one by one. */
#include "trees/band.h"

#include "base/bits.h"

/* Subtrees that are mapped to one another. */
typedef struct subtrees {
    uint32_t x, y;
} subtrees;

typedef struct trace {
    akin_band *band;
    uint32_t *partners;
    subtrees *stack; /* whose mappings are still to be found */
    uint64_t room;
    uint32_t count;
} trace;

static uint32_t cost_at(const trace *t, const akin_band_table *table, uint32_t i, uint32_t j)
{
    const uint64_t apart = i > j ? i - j : j - i;
    return apart > table->slack ? AKIN_BAND_FAR
                                : t->band->forest[i * table->width + (j + table->slack + UINT64_C(1) - i)];
}

static void pair_nodes(const trace *t, uint32_t x, uint32_t y)
{
    t->partners[t->band->sides[0].origin[x]] = t->band->sides[1].origin[y];
}

static int push(trace *t, uint32_t x, uint32_t y)
{
    subtrees *stack = akin_enlarge(t->band->account, t->stack, &t->room, t->count + UINT64_C(1), sizeof *stack);
    if (!stack)
        return 0;
    t->stack = stack;
    stack[t->count++] = (subtrees){x, y};
    return 1;
}

/* Goes back from F(rows, columns). Returns 0 if memory is short. */
static int go_back(trace *t, uint32_t a, uint32_t rows, uint32_t b, uint32_t columns)
{
    const akin_band_side *l = &t->band->sides[0], *r = &t->band->sides[1];
    akin_band_table table;
    uint32_t i = rows, j = columns;
    if (!akin_band_fill(t->band, a, rows, b, columns, &table))
        return 0;
    while (i > 0 && j > 0) {
        const uint32_t p = a + i - 1, q = b + j - 1, skip = l->first[p] - a, other = r->first[q] - b;
        const uint32_t cost = cost_at(t, &table, i, j);
        if (skip == 0 && other == 0 && cost_at(t, &table, i - 1, j - 1) + (l->label[p] != r->label[q]) == cost) {
            pair_nodes(t, p, q);
            i--;
            j--;
        } else if (cost_at(t, &table, i - 1, j) + 1 == cost) {
            i--;
        } else if (cost_at(t, &table, i, j - 1) + 1 == cost) {
            j--;
        } else {
            if (!push(t, p, q))
                return 0;
            i = skip;
            j = other;
        }
    }
    return 1;
}

int akin_band_trace(akin_band *band, uint32_t *partners)
{
    const akin_band_side *l = &band->sides[0], *r = &band->sides[1];
    trace t = {.band = band, .partners = partners};
    if (l->count == 0 || r->count == 0)
        return 1;
    int has_memory = go_back(&t, 0, l->count, 0, r->count);
    while (has_memory && t.count > 0) {
        const subtrees s = t.stack[--t.count];
        const uint64_t width = 2 * (uint64_t)band->most + 1;
        if (band->inner[s.x * width + (s.y + (uint64_t)band->most - s.x)] > 0) {
            has_memory = go_back(&t, l->first[s.x], l->size[s.x], r->first[s.y], r->size[s.y]);
            continue;
        }
        for (uint32_t i = 0; i < l->size[s.x]; i++) /* equal subtrees */
            pair_nodes(&t, s.x - i, s.y - i);
    }
    akin_free(t.stack);
    return has_memory;
}
