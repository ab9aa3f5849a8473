/*
 * A vocabulary: the distinct tokens of some rows of text, and the rows as lists of tokens. One thread gathers it,
 * without waiting for others. Then it is merged into the dictionary.
 *
 *     list      | numbers of row 1 | of row 2 | ...     each number once a row, but for sequences; a new token gets the
 *                                                       next number
 *     terms     | tokens of part 0 | of part 1 | ...    parts of the dictionary; in a part in the order of numbers
 *     ids       after merging: the id of each number
 */
#ifndef AKIN_DICT_VOCABULARY_H
#define AKIN_DICT_VOCABULARY_H

#include "base/error.h"
#include "base/memory.h"
#include "dict/term.h"

#define AKIN_DICTIONARY_PARTS 64

/* Returns the part of the dictionary that a string with this hash belongs to. */
static inline uint32_t akin_dictionary_part(uint64_t hash)
{
    return (uint32_t)(hash % AKIN_DICTIONARY_PARTS);
}

typedef struct akin_vocabulary {
    akin_account *account; /* charged for its arrays; NULL: none */
    uint64_t count;
    uint64_t terms_capacity;
    akin_term *terms; /* the number of a term is the number of the token */
    uint64_t starts[AKIN_DICTIONARY_PARTS + 1];
    uint64_t used; /* the bytes of long tokens that are used */
    uint64_t bytes_capacity;
    char *bytes;
    uint64_t listed;
    uint64_t list_capacity;
    uint32_t *list;
    uint64_t ids_capacity;
    uint32_t *ids;
    uint64_t fresh_capacity;
    uint8_t *fresh; /* for merging: the work that each number needs */
} akin_vocabulary;

/* Takes `count` terms in the order of their numbers, `stride` bytes apart. The bytes of long terms must be in the
 * vocabulary already. The vocabulary then has all but its ids. Errors, without a message: AKIN_E_NOMEM. */
akin_status akin_vocabulary_seal(akin_vocabulary *vocabulary, akin_salt salt, const akin_term *first, size_t stride,
                                 uint64_t count);
void akin_vocabulary_clear(akin_vocabulary *vocabulary);

#endif
