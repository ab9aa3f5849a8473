/* Gathers the tokens of rows of text into a vocabulary. A thread uses its gatherer for many vocabularies. */
#ifndef AKIN_DICT_GATHERER_H
#define AKIN_DICT_GATHERER_H

#include "dict/slots.h"
#include "dict/vocabulary.h"
#include "text/tokenizer.h"

/* A stop word: a string that does not become a token. */
typedef struct akin_stop {
    const char *bytes;
    uint32_t length;
} akin_stop;

/* How often a token that a row has several times is listed. */
typedef enum akin_row_form {
    AKIN_ROW_SET = 0,      /* once */
    AKIN_ROW_MULTISET = 1, /* each time, as a token of its own */
    AKIN_ROW_SEQUENCE = 2, /* each time, as it is */
} akin_row_form;

typedef struct akin_entry {
    akin_term term;       /* the number of the term is the last row that has it */
    uint32_t occurrences; /* the times that the row has it, in a multiset */
    uint32_t unused;
} akin_entry;

/* A gatherer begins with zeros in all members but the account. */
typedef struct akin_gatherer {
    akin_account *account; /* charged for its arrays; NULL: none */
    akin_slots slots;
    uint64_t count;
    uint64_t capacity;
    akin_entry *entries; /* | stop words | tokens | */
    uint32_t stops;
    akin_row_form form;
    uint32_t row; /* the current row, from 1 on */
    uint64_t scratch_capacity;
    char *scratch;  /* a token and the number of its occurrence */
    akin_salt salt; /* the salt of the dictionary */
    akin_vocabulary *into;
} akin_gatherer;

/* Begins a vocabulary for the dictionary that has this salt. *into may be empty (zeros in all members but the account)
 * or used; its memory is used again. Errors of this function and of the next ones, without a message: AKIN_E_NOMEM. */
akin_status akin_gatherer_begin(akin_gatherer *gatherer, akin_salt salt, const akin_stop *stops, uint32_t count,
                                akin_row_form form, akin_vocabulary *into);

/* Begins a row. */
static inline void akin_gatherer_row(akin_gatherer *gatherer)
{
    gatherer->row++;
}

/* Adds tokens to the row. Errors: AKIN_E_NOMEM; AKIN_E_LIMIT (a token and its occurrence take 2^32 bytes, or the
 * vocabulary has 2^32 - 2 tokens). */
akin_status akin_gatherer_add(akin_gatherer *gatherer, const akin_spans *spans);

/* Ends the vocabulary, which then has all but its ids. */
akin_status akin_gatherer_seal(akin_gatherer *gatherer);

void akin_gatherer_clear(akin_gatherer *gatherer);

#endif
