/* Gathers the tokens of rows of text into a vocabulary: the table that a thread has for it, used again and again. */
#ifndef AKIN_DICT_GATHERER_H
#define AKIN_DICT_GATHERER_H

#include "dict/slots.h"
#include "dict/vocabulary.h"
#include "text/tokenizer.h"

/* A string that is no token. */
typedef struct akin_stop {
    const char *bytes;
    uint32_t length;
} akin_stop;

typedef struct akin_entry {
    akin_term term;       /* its number: the last row with it */
    uint32_t occurrences; /* in that row, if they are counted */
    uint32_t unused;
} akin_entry;

/* Zeros at first, but for the account. */
typedef struct akin_gatherer {
    akin_account *account; /* charged for its arrays; NULL: none */
    akin_slots slots;
    uint64_t count;
    uint64_t capacity;
    akin_entry *entries; /* | stop words | tokens | */
    uint32_t stops;
    int multiset;
    uint32_t row; /* at hand, from 1 on */
    uint64_t scratch_capacity;
    char *scratch;  /* a token with its occurrence */
    akin_salt salt; /* the dictionary's */
    akin_vocabulary *into;
} akin_gatherer;

/* Begins a vocabulary for the dictionary with that salt, in the memory that it has from before; zeros at first,
 * but for the account.
 * Errors, of this and what follows without a message: AKIN_E_NOMEM. */
akin_status akin_gatherer_begin(akin_gatherer *gatherer, akin_salt salt, const akin_stop *stops, uint32_t count,
                                int multiset, akin_vocabulary *into);

/* Begins a row. */
static inline void akin_gatherer_row(akin_gatherer *gatherer)
{
    gatherer->row++;
}

/* Adds tokens to the row. Errors: AKIN_E_NOMEM; AKIN_E_LIMIT (a token and its occurrence take 2^32 bytes, or there are
 * 2^32 - 2 tokens). */
akin_status akin_gatherer_add(akin_gatherer *gatherer, const akin_spans *spans);

/* Ends the vocabulary: all but its ids is there. */
akin_status akin_gatherer_seal(akin_gatherer *gatherer);

void akin_gatherer_clear(akin_gatherer *gatherer);

#endif
