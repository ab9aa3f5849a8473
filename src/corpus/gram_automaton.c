/* The suffix automaton of a text's grams. */
#include "corpus/gram_automaton.h"

#include <string.h>

#define NONE UINT32_MAX

void akin_gram_automaton_clear(akin_gram_automaton *automaton)
{
    akin_free(automaton->firsts);
    akin_free(automaton->roots);
    akin_free(automaton->states);
    akin_free(automaton->edges);
    *automaton = (akin_gram_automaton){.account = automaton->account};
}

/* Where the target of an edge stands; NULL: there is no such edge. Roots have edges in an array. */
static uint32_t *find_edge(const akin_gram_automaton *r, uint32_t state, uint32_t gram)
{
    if (state == AKIN_GRAM_ROOT)
        return r->roots[gram] == NONE ? NULL : &r->roots[gram];
    for (uint32_t at = r->states[state].edges; at != NONE; at = r->edges[at].next)
        if (r->edges[at].gram == gram)
            return &r->edges[at].to;
    return NULL;
}

void akin_gram_automaton_step(const akin_gram_automaton *automaton, uint32_t gram, uint32_t *state, uint32_t *length)
{
    const uint32_t *to = find_edge(automaton, *state, gram);
    while (!to && *state != AKIN_GRAM_ROOT) {
        *state = automaton->states[*state].link;
        *length = automaton->states[*state].length;
        to = find_edge(automaton, *state, gram);
    }
    *state = to ? *to : AKIN_GRAM_ROOT;
    *length = to ? *length + 1 : 0;
}

/* ----------------------------------------------------------------------------------------------------------- making */

static akin_status add_edge(akin_gram_automaton *r, uint32_t state, uint32_t gram, uint32_t to)
{
    if (state == AKIN_GRAM_ROOT) {
        r->roots[gram] = to;
        return AKIN_OK;
    }
    akin_gram_edge *edges =
        akin_enlarge(r->account, r->edges, &r->edge_capacity, r->edge_count + UINT64_C(1), sizeof *edges);
    if (!edges)
        return AKIN_E_NOMEM;
    r->edges = edges;
    edges[r->edge_count] = (akin_gram_edge){gram, to, r->states[state].edges};
    r->states[state].edges = r->edge_count++;
    return AKIN_OK;
}

static akin_status add_state(akin_gram_automaton *r, uint32_t length, uint32_t end)
{
    akin_gram_state *states =
        akin_enlarge(r->account, r->states, &r->state_capacity, r->state_count + UINT64_C(1), sizeof *states);
    if (!states)
        return AKIN_E_NOMEM;
    r->states = states;
    states[r->state_count++] = (akin_gram_state){length, NONE, end, NONE};
    return AKIN_OK;
}

/* Splits a state: the shorter ones of its runs, up to `length` grams, become a state of their own. The edges to it that
 * go out from `from`, and from what that links to, go to the new one. */
static akin_status split(akin_gram_automaton *r, uint32_t state, uint32_t length, uint32_t from, uint32_t gram)
{
    const uint32_t clone = r->state_count;
    akin_status status = add_state(r, length, r->states[state].end);
    for (uint32_t at = r->states[state].edges; at != NONE && status == AKIN_OK; at = r->edges[at].next)
        status = add_edge(r, clone, r->edges[at].gram, r->edges[at].to);
    if (status != AKIN_OK)
        return status;
    r->states[clone].link = r->states[state].link;
    r->states[state].link = clone;
    for (uint32_t *to; from != NONE; from = r->states[from].link) {
        to = find_edge(r, from, gram);
        if (!to || *to != state)
            break;
        *to = clone;
    }
    return AKIN_OK;
}

/* Adds the gram at a place behind those so far, whose state is *last. */
static akin_status append(akin_gram_automaton *r, uint32_t place, uint32_t *last)
{
    const uint32_t gram = r->firsts[place], own = r->state_count;
    uint32_t from = *last;
    uint32_t *to = NULL;
    akin_status status = add_state(r, place + 1, place);
    while (status == AKIN_OK && from != NONE && !(to = find_edge(r, from, gram))) {
        status = add_edge(r, from, gram, own);
        from = r->states[from].link;
    }
    if (status != AKIN_OK)
        return status;
    *last = own;
    r->states[own].link = from == NONE ? AKIN_GRAM_ROOT : *to;
    if (from == NONE || r->states[*to].length == r->states[from].length + 1)
        return AKIN_OK;
    r->states[own].link = r->state_count;
    return split(r, *to, r->states[from].length + 1, from, gram);
}

/* Gives back what the arrays have too much. */
static void trim(akin_gram_automaton *r)
{
    akin_gram_state *states = akin_resize(r->account, r->states, r->state_count, sizeof *states);
    akin_gram_edge *edges = akin_resize(r->account, r->edges, r->edge_count, sizeof *edges);
    if (states)
        r->states = states;
    if (edges)
        r->edges = edges;
}

akin_status akin_gram_automaton_make(akin_account *account, const uint32_t *firsts, uint32_t grams,
                                     akin_gram_automaton *out)
{
    akin_gram_automaton own = {.account = account, .grams = grams, .edge_capacity = grams};
    akin_gram_automaton *r = &own;
    uint32_t last = AKIN_GRAM_ROOT;
    r->firsts = akin_alloc(account, grams, sizeof *r->firsts);
    r->roots = akin_alloc(account, grams, sizeof *r->roots);
    r->edges = akin_alloc(account, grams, sizeof *r->edges);
    akin_status status = r->firsts && r->roots && r->edges ? add_state(r, 0, 0) : AKIN_E_NOMEM;
    if (status == AKIN_OK) {
        memcpy(r->firsts, firsts, grams * sizeof *firsts);
        memset(r->roots, 0xff, grams * sizeof *r->roots);
    }
    for (uint32_t place = 0; place < grams && status == AKIN_OK; place++)
        status = append(r, place, &last);
    if (status != AKIN_OK) {
        akin_gram_automaton_clear(r);
        return status;
    }
    trim(r);
    *out = own;
    return AKIN_OK;
}
