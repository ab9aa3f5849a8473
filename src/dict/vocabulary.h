/*
 * The distinct tokens of some rows of text, and the rows as lists of them: what one thread gathers without asking
 * others.
 *
 *     entries   | stop words | tokens in the order of their first appearance |
 *     list      | entries of row 1 | of row 2 | ...       each of them once a row
 *     order     the entries that are not stop words by the part of the dictionary that they belong to, then by number
 */
#ifndef AKIN_DICT_VOCABULARY_H
#define AKIN_DICT_VOCABULARY_H

#include "dict/slots.h"
#include "dict/term.h"
#include "text/tokenizer.h"

#define AKIN_DICTIONARY_PARTS 64

static inline uint32_t akin_dictionary_part(uint64_t hash)
{
    return (uint32_t)(hash % AKIN_DICTIONARY_PARTS);
}

typedef struct akin_entry {
    akin_term term;       /* its number: the last row with it; once merged, its id in the dictionary */
    uint32_t count;       /* rows with it */
    uint32_t occurrences; /* in the last of them, if they are counted */
} akin_entry;

typedef struct akin_vocabulary {
    akin_slots *slots; /* borrowed while rows are gathered */
    int multiset;
    uint32_t row;   /* at hand, from 1 on */
    uint32_t stops; /* entries that are stop words */
    uint64_t count;
    uint64_t capacity;
    akin_entry *entries;
    uint64_t listed;
    uint64_t list_capacity;
    uint32_t *list;
    uint64_t used; /* of the bytes of long tokens */
    uint64_t bytes_capacity;
    char *bytes;
    uint64_t scratch_capacity;
    char *scratch; /* a token with its occurrence */
    uint64_t order_capacity;
    uint32_t *order;
    uint64_t starts[AKIN_DICTIONARY_PARTS + 1];
    uint64_t fresh_capacity;
    uint8_t *fresh; /* for the merging: what is to be done for an entry */
} akin_vocabulary;

/* A string that is no token. */
typedef struct akin_stop {
    const char *bytes;
    uint32_t length;
} akin_stop;

/* Begins anew, in the memory at hand: `slots` are emptied, and lent until akin_vocabulary_seal. Errors, of this and
 * what follows without a message: AKIN_E_NOMEM. The vocabulary is zeros at first. */
akin_status akin_vocabulary_begin(akin_vocabulary *vocabulary, akin_slots *slots, const akin_stop *stops, uint32_t count,
                                  int multiset);

/* Begins a row. */
static inline void akin_vocabulary_row(akin_vocabulary *vocabulary)
{
    vocabulary->row++;
}

/* Adds tokens to the row. Errors: AKIN_E_NOMEM; AKIN_E_LIMIT (a token and its occurrence take 2^32 bytes, or there are
 * 2^32 - 1 tokens). */
akin_status akin_vocabulary_add(akin_vocabulary *vocabulary, const akin_spans *spans);

/* Ends the gathering: puts the entries in order by part. */
akin_status akin_vocabulary_seal(akin_vocabulary *vocabulary);

void akin_vocabulary_clear(akin_vocabulary *vocabulary);

#endif
