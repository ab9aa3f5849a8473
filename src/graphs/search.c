/* The search of a cheapest mapping. */
#include "graphs/search.h"

#include "base/bits.h"
#include "base/sort.h"

#define STATES_UNASKED 1024 /* between two looks whether the caller cancels */

void akin_graph_search_begin(akin_graph_search *search, akin_account *account, uint64_t budget,
                             akin_cancellation *cancellation)
{
    *search = (akin_graph_search){.account = account,
                                  .pair = {.account = account},
                                  .state = {.account = account, .assigner = {.account = account}},
                                  .budget = budget,
                                  .cancellation = cancellation};
}

static int make_room(akin_graph_search *s)
{
    const uint64_t first = s->pair.first.nodes, second = s->pair.second.nodes;
    uint64_t *keys = akin_enlarge(s->account, s->keys, &s->keys_room, first * second, sizeof *keys);
    s->keys = keys ? keys : s->keys;
    akin_graph_level *levels = akin_enlarge(s->account, s->levels, &s->levels_room, first, sizeof *levels);
    s->levels = levels ? levels : s->levels;
    uint32_t *partners = akin_enlarge(s->account, s->partners, &s->partners_room, first, sizeof *partners);
    s->partners = partners ? partners : s->partners;
    return keys && levels && partners;
}

/* Whether the next node need not be mapped to that one, because twins are mapped, and taken, in their order. */
static int is_spared(const akin_graph_search *s, uint32_t node)
{
    const uint32_t twin = s->pair.second.twin[node], before = s->pair.first.twin[s->state.mapped];
    return (twin != AKIN_GRAPH_NO_NODE && s->state.source[twin] == AKIN_GRAPH_NO_NODE) ||
           (before != AKIN_GRAPH_NO_NODE && s->state.image[before] > node);
}

/* Lists the nodes that the next one may be mapped to within `limit`, by rising bounds, behind the keys before `begin`.
 * *above becomes the smallest bound that is larger, if it is smaller than that. */
static void open_level(akin_graph_search *s, uint64_t begin, uint32_t limit, uint32_t *above)
{
    akin_graph_state *state = &s->state;
    akin_graph_level *level = &s->levels[state->mapped];
    uint64_t count = 0;
    for (uint32_t node = 0; node < s->pair.second.nodes; node++) {
        if (state->source[node] != AKIN_GRAPH_NO_NODE || is_spared(s, node))
            continue;
        uint32_t bound = state->cost + state->next[node];
        if (bound <= limit) {
            akin_graph_state_map(state, node);
            bound = akin_max_u32(bound, state->cost + akin_graph_state_labels(state));
            akin_graph_state_unmap(state);
        }
        if (bound <= limit)
            s->keys[begin + count++] = (uint64_t)bound << 32 | node;
        else
            *above = akin_min_u32(*above, bound);
    }
    akin_sort_u64(s->keys + begin, count);
    *level = (akin_graph_level){begin, begin + count};
}

/* Whether a mapping may be completed within `limit`, by branches. */
static int is_open(akin_graph_search *s, uint32_t limit, uint32_t *above)
{
    const uint32_t rest = limit - s->state.cost;
    if (akin_graph_state_branches(&s->state, rest) <= rest)
        return 1;
    *above = akin_min_u32(*above, limit + 1);
    return 0;
}

/* Searches mappings within `limit`. *found: one is complete, and mapped. Errors: AKIN_E_LIMIT (the budget), and
 * AKIN_E_CANCELLED. */
static akin_status deepen(akin_graph_search *s, uint32_t limit, uint32_t *above, int *found)
{
    akin_graph_state *state = &s->state;
    if (!is_open(s, limit, above))
        return AKIN_OK;
    open_level(s, 0, limit, above);
    for (;;) {
        akin_graph_level *level = &s->levels[state->mapped];
        if (level->at == level->end) {
            if (state->mapped == 0)
                return AKIN_OK;
            akin_graph_state_unmap(state);
            continue;
        }
        if (s->budget && s->states == s->budget)
            return AKIN_E_LIMIT;
        if (++s->states % STATES_UNASKED == 0 && !akin_goes_on(s->cancellation))
            return AKIN_E_CANCELLED;
        akin_graph_state_map(state, (uint32_t)s->keys[level->at++]);
        *found = state->mapped == s->pair.first.nodes;
        if (*found)
            return AKIN_OK;
        if (is_open(s, limit, above))
            open_level(s, level->end, limit, above);
        else
            akin_graph_state_unmap(state);
    }
}

/* Raises the limit until a mapping is found. */
static akin_status find_distance(akin_graph_search *s, uint32_t least, uint32_t most, uint32_t *distance)
{
    akin_status status = AKIN_OK;
    int found = 0;
    s->searched++;
    akin_graph_pair_find_twins(&s->pair);
    for (uint32_t limit = least, above; limit <= most && !found && status == AKIN_OK; limit = above) {
        above = UINT32_MAX;
        status = deepen(s, limit, &above, &found);
    }
    s->visited += s->states;
    if (status == AKIN_E_LIMIT)
        *distance = AKIN_GRAPH_UNKNOWN;
    else if (found)
        *distance = s->state.cost + akin_graph_state_labels(&s->state);
    return status == AKIN_E_LIMIT ? AKIN_OK : status;
}

/* Writes the partners of the left nodes. */
static void write_partners(const akin_graph_search *s, const akin_graph *left, uint32_t *partners)
{
    const akin_graph_pair *p = &s->pair;
    for (uint32_t i = 0; i < left->nodes; i++)
        partners[i] = AKIN_GRAPH_NO_NODE;
    for (uint32_t i = 0; i < p->first.nodes; i++)
        partners[p->is_swapped ? s->state.image[i] : p->number[i]] = p->is_swapped ? p->number[i] : s->state.image[i];
}

akin_status akin_graph_search_pair(akin_graph_search *search, const akin_graph *left, const akin_graph *right,
                                   uint32_t most, uint32_t *partners, uint32_t *distance)
{
    akin_graph_search *s = search;
    /* all nodes renamed or inserted, all edges deleted and inserted */
    most = akin_min_u32(most, akin_max_u32(left->nodes, right->nodes) + left->edges + right->edges);
    *distance = AKIN_GRAPH_FAR;
    s->states = 0;
    if (!akin_graph_pair_take(&s->pair, left, right, NULL) || !akin_graph_state_begin(&s->state, &s->pair) ||
        !make_room(s))
        return AKIN_E_NOMEM;
    uint32_t least = akin_graph_state_labels(&s->state);
    if (least > most)
        return AKIN_OK;
    least = akin_max_u32(least, akin_graph_state_branches(&s->state, most));
    if (least > most)
        return AKIN_OK;
    /* nodes in an order that knows which partners are possible */
    akin_graph_state_partners(&s->state, most, s->partners);
    if (!akin_graph_pair_take(&s->pair, left, right, s->partners) || !akin_graph_state_begin(&s->state, &s->pair))
        return AKIN_E_NOMEM;
    const akin_status status = find_distance(s, least, most, distance);
    if (status == AKIN_OK && *distance <= most && partners)
        write_partners(s, left, partners);
    return status;
}

void akin_graph_search_clear(akin_graph_search *search)
{
    akin_graph_pair_clear(&search->pair);
    akin_graph_state_clear(&search->state);
    akin_free(search->keys);
    akin_free(search->levels);
    akin_free(search->partners);
}
