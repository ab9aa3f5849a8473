/*
 * A text that has grams more than once, as a suffix automaton of its grams. A gram is known by the place where it first
 * begins in the text:
 *
 *     words     x a a a a y      grams of 2 words: xa aa aa aa ay
 *     firsts    0 1 1 1 4
 *
 * A run of words that a document has in common with the text is a run of grams. The automaton follows the longest one
 * that ends at each place of the document (Blumer et al. 1985): in linear time, however often the text has a gram, if
 * few different grams follow it. Those that do are looked at one after another.
 */
#ifndef AKIN_CORPUS_GRAM_AUTOMATON_H
#define AKIN_CORPUS_GRAM_AUTOMATON_H

#include "base/memory.h"

#define AKIN_GRAM_ROOT 0

/* The runs of grams that end at the same places of the text. */
typedef struct akin_gram_state {
    uint32_t length; /* of the longest of them, in grams */
    uint32_t link;   /* the state of the longest suffix that ends at further places */
    uint32_t end;    /* the first of the places: where the last gram begins */
    uint32_t edges;  /* the first of those that go out */
} akin_gram_state;

typedef struct akin_gram_edge {
    uint32_t gram, to, next;
} akin_gram_edge;

typedef struct akin_gram_automaton {
    akin_account *account; /* charged for all of it; NULL: none */
    uint32_t *firsts;      /* for each gram of the text, where it first begins */
    uint32_t *roots;       /* for each such place, the state behind the root's edge */
    akin_gram_state *states;
    akin_gram_edge *edges;
    uint64_t state_capacity, edge_capacity;
    uint32_t grams, state_count, edge_count;
} akin_gram_automaton;

/* Makes the automaton of a text of `grams` grams, below 2^30. Errors, without a message: AKIN_E_NOMEM. */
akin_status akin_gram_automaton_make(akin_account *account, const uint32_t *firsts, uint32_t grams,
                                     akin_gram_automaton *out);
void akin_gram_automaton_clear(akin_gram_automaton *automaton);

/* Goes on by a gram that the text has, from the run of *length grams that *state stands for; at first that is the
 * root, with a length of 0. The text has the run that results. */
void akin_gram_automaton_step(const akin_gram_automaton *automaton, uint32_t gram, uint32_t *state, uint32_t *length);

#endif
