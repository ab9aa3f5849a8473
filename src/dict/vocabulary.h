/*
 * The distinct tokens of some rows of text, and the rows as lists of them: what one thread gathers without asking
 * others, and what is merged into the dictionary.
 *
 *     list      | numbers of row 1 | of row 2 | ...     each once a row; tokens are numbered as they first appear
 *     terms     | tokens of part 0 | of part 1 | ...    of the dictionary, in each part by number
 *     ids       once merged: the id of each number
 */
#ifndef AKIN_DICT_VOCABULARY_H
#define AKIN_DICT_VOCABULARY_H

#include "base/error.h"
#include "base/memory.h"
#include "dict/term.h"

#define AKIN_DICTIONARY_PARTS 64

/* The part of the dictionary that a string belongs to. */
static inline uint32_t akin_dictionary_part(uint64_t hash)
{
    return (uint32_t)(hash % AKIN_DICTIONARY_PARTS);
}

typedef struct akin_vocabulary {
    akin_account *account; /* charged for its arrays; NULL: none */
    uint64_t count;
    uint64_t terms_capacity;
    akin_term *terms; /* their number: the token's own */
    uint64_t starts[AKIN_DICTIONARY_PARTS + 1];
    uint64_t used; /* of the bytes of long tokens */
    uint64_t bytes_capacity;
    char *bytes;
    uint64_t listed;
    uint64_t list_capacity;
    uint32_t *list;
    uint64_t ids_capacity;
    uint32_t *ids;
    uint64_t fresh_capacity;
    uint8_t *fresh; /* for the merging: what is to be done for a number */
} akin_vocabulary;

/* Takes `count` terms in the order of their numbers, `stride` bytes from one to the next, whose long ones have their bytes in the
 * vocabulary: all but its ids is there then. Errors, without a message: AKIN_E_NOMEM. */
akin_status akin_vocabulary_seal(akin_vocabulary *vocabulary, akin_salt salt, const akin_term *first, size_t stride,
                                 uint64_t count);
void akin_vocabulary_clear(akin_vocabulary *vocabulary);

#endif
