/*
 * Counts the terms of documents: the table that a thread has for it, and keeps from one chunk of documents to the next,
 * so that a word is looked at closely once and then only found.
 *
 *     words    what stands in the text -> number of its term, or STOP, or SHARED; how often it is in the document at
 *              hand, and in how many it has been: all in one half of a cache line, so that a word costs one look at
 *              memory
 *     list     places of the words in the document at hand, as they first appear
 *
 * Where several words are one term, stemmed or unknown to a fixed vocabulary, there is more:
 *
 *     stems    terms -> number
 *     cells    the same counts, of each number
 *
 * Terms are numbered as they first appear to this thread. The words new in a chunk make its vocabulary, which is merged
 * into the dictionary; `ids` receives their ids.
 */
#ifndef AKIN_WEIGH_COUNTER_H
#define AKIN_WEIGH_COUNTER_H

#include "dict/dictionary.h"
#include "sets/analysis.h"

#define AKIN_NUMBER_STOP   0 /* of a stop word: counted, and then left out */
#define AKIN_NUMBER_SHARED 1 /* of all terms that a fixed vocabulary lacks */
#define AKIN_NUMBER_FIRST  2

/* A place of a hash table; free if the length is 0. */
typedef struct akin_word {
    akin_term term;  /* its number: the term's */
    uint32_t tf, df; /* in the document at hand; documents so far */
} akin_word;

typedef struct akin_words {
    akin_word *places;
    uint64_t mask, count, limit; /* places - 1; those taken; those that may be */
    int shift;                   /* 64 - log2(places): a hash's home is its uppermost bits */
    char *bytes;                 /* of long ones */
    uint64_t used, capacity;
} akin_words;

typedef struct akin_cell {
    uint32_t tf, df;
} akin_cell;

/* Zeros at first. */
typedef struct akin_counter {
    akin_account *account;             /* charged for its arrays */
    akin_analyser *analyser;           /* of the thread */
    const akin_dictionary *dictionary; /* of all; it does not grow while documents are counted */
    int fixed;                         /* terms that it lacks are shared */
    int combined;                      /* several words may be one term */
    akin_words words, stems;
    uint32_t count;   /* numbers */
    akin_cell *cells; /* if combined */
    uint32_t *ids;    /* of the numbers, once merged */
    uint64_t cells_capacity, ids_capacity;
    uint64_t *list;
    uint64_t listed, list_capacity;
    uint32_t first;   /* the first number of the chunk at hand */
    akin_term *fresh; /* from that on; their bytes are in the vocabulary */
    uint64_t fresh_capacity;
    akin_vocabulary *vocabulary; /* of that chunk */
} akin_counter;

/* Begins a chunk, whose terms that are new to the thread the vocabulary gets. Errors, of this and what follows without
 * a message: AKIN_E_NOMEM, AKIN_E_LIMIT (2^32 - 2 terms). After an error the counter can only be cleared. */
akin_status akin_counter_begin(akin_counter *counter, akin_vocabulary *vocabulary);

/* Adds tokens to the document at hand. */
akin_status akin_counter_add(akin_counter *counter, const akin_spans *spans);

/* Ends the document: writes the numbers of its terms and how often each is there, in any order, to arrays with room for
 * counter->listed of them, and returns how many there are; *stops is how many tokens were left out. */
uint32_t akin_counter_end(akin_counter *counter, uint32_t *numbers, uint32_t *tf, uint32_t *stops);

/* Ends the chunk: all but its ids is in the vocabulary. */
akin_status akin_counter_seal(akin_counter *counter);

/* Adds to df, which is that of ids, in how many documents each term has been since this was done last; threads may do
 * so at once. */
void akin_counter_settle(akin_counter *counter, _Atomic uint32_t *df);

/* Takes over the ids of the vocabulary of a chunk whose numbers begin with `first`. */
akin_status akin_counter_learn(akin_counter *counter, const akin_vocabulary *vocabulary, uint32_t first);

/* Forgets everything. */
void akin_counter_clear(akin_counter *counter);

#endif
