/*
 * A set of strings that is filled and emptied many times, such as the tokens of a row. Equal strings have equal bytes:
 * hashes only say where to look.
 *
 *     slots   home of a hash -> number of the term
 *     terms   0, 1, ... as they came; the number in a term is its slot, which is freed when the set is emptied
 */
#ifndef AKIN_DICT_TERM_SET_H
#define AKIN_DICT_TERM_SET_H

#include "dict/slots.h"
#include "dict/term.h"
#include "text/tokenizer.h"

typedef struct akin_term_set {
    akin_account *account; /* charged for its arrays; NULL: none */
    akin_salt salt;
    akin_slots slots;
    uint64_t count, capacity;
    akin_term *terms;
    uint64_t used, bytes_capacity;
    char *bytes; /* of long terms */
    int moved;   /* the slots in the terms are no longer theirs */
} akin_term_set;

/* An empty set, without memory so far. Sets that share strings have one salt. */
void akin_term_set_begin(akin_term_set *set, akin_account *account, akin_salt salt);
void akin_term_set_clear(akin_term_set *set);

/* Empties the set. It keeps its memory, unless that is large. */
void akin_term_set_empty(akin_term_set *set);

/* Adds a string of which only its own bytes can be read. Errors, without a message: AKIN_E_NOMEM, AKIN_E_LIMIT (2^32 -
 * 2 strings). */
akin_status akin_term_set_add(akin_term_set *set, const char *bytes, uint32_t length);

/* Adds tokens, but for those that another set has (NULL: none). Errors: the same. */
akin_status akin_term_set_add_spans(akin_term_set *set, const akin_spans *spans, const akin_term_set *without);

/* How many of the tokens the set does not have, each as often as it stands there. */
uint32_t akin_term_set_count_others(const akin_term_set *set, const akin_spans *spans);

#endif
