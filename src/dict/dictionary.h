/*
 * The growing dictionary. It consists of parts, which several threads fill at once, and of the place of each id. The
 * hash of a string chooses its part.
 *
 *     parts[p].terms    | string, id | string, id | ...        strings of that part, in the order of their arrival
 *     places[id]        the part, and the number in the part
 */
#ifndef AKIN_DICT_DICTIONARY_H
#define AKIN_DICT_DICTIONARY_H

#include "base/scope.h"
#include "dict/slots.h"
#include "dict/vocabulary.h"

#define AKIN_ID_NONE    UINT32_MAX       /* a string that failed work left behind; it counts as absent */
#define AKIN_ID_PENDING (UINT32_MAX - 1) /* a string that gets its id when all parts are merged */
#define AKIN_IDS        (UINT32_MAX - 1) /* the most strings of a dictionary */

typedef struct akin_part {
    akin_slots slots;
    uint64_t count;
    akin_term *terms; /* the number of a term is its id */
    uint64_t used;
    char *bytes;        /* the bytes of long strings */
    akin_bulk bulks[2]; /* the memory of terms and bytes */
    uint64_t fresh;     /* the number of terms that are pending */
} akin_part;

typedef struct akin_place {
    uint32_t part;
    uint32_t number;
} akin_place;

struct akin_dictionary {
    akin_salt salt; /* the salt of all hashes; the ids do not depend on it */
    uint32_t count;
    akin_place *places;
    akin_bulk bulk;      /* the memory of the places */
    akin_bulk column[2]; /* the strings as a column, made on request: offsets, bytes */
    akin_store store;    /* the account and the directory of all this memory */
    akin_part parts[AKIN_DICTIONARY_PARTS];
};

/* Makes room for `more` strings in the part. Errors of this function and of the next ones, without a message:
 * AKIN_E_NOMEM, AKIN_E_IO (a temporary file). */
akin_status akin_part_reserve(akin_part *part, uint64_t more);

/* Returns the term of a string, or NULL if the part does not have it. */
akin_term *akin_part_find(const akin_part *part, uint64_t hash, const akin_term *term, const char *string);

/* Finds the term of a string, or adds it without an id, in *out. The part must have room for it. */
akin_status akin_part_add(akin_part *part, uint64_t hash, const akin_term *term, const char *string, akin_term **out);

/* Makes room for the places of `count` ids in total. */
akin_status akin_dictionary_reserve(akin_dictionary *dictionary, uint64_t count);

/* Removes the ids from `count` on, and the pending ones. */
void akin_dictionary_cut(akin_dictionary *dictionary, uint32_t count);

/*
 * Merges vocabularies: each number of each vocabulary gets its id. New strings get their ids in the order of the
 * vocabularies, and within one in the order of its numbers. After an error the dictionary has the strings that it had
 * before. Errors: AKIN_E_LIMIT (too many strings), AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED.
 */
akin_status akin_dictionary_merge(const akin_scope *scope, akin_dictionary *dictionary,
                                  akin_vocabulary *const *vocabularies, uint32_t count, akin_error *error);

/* The same as akin_dictionary_add_words, within a scope. */
akin_status akin_dictionary_add_words_within(const akin_scope *scope, akin_dictionary *dictionary,
                                             const akin_dictionary_words *words, akin_error *error);

/* Adds the words of a trie. New words get their ids in the order of their ids in the trie. Errors: the same, and
 * AKIN_E_INPUT (the file of the trie was altered). */
akin_status akin_dictionary_add_trie(const akin_scope *scope, akin_dictionary *dictionary, const akin_trie *trie,
                                     akin_error *error);

/* The same as akin_dictionary_create, within a scope. */
akin_status akin_dictionary_create_within(const akin_scope *scope, akin_dictionary **out, akin_error *error);

#endif
