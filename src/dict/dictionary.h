/*
 * What a dictionary is made of: parts, told apart by hash, that several threads fill at once, and the places of the
 * ids.
 *
 *     parts[p].terms    | string, id | string, id | ...        strings of that part, in the order in which they came
 *     places[id]        part and number in it
 */
#ifndef AKIN_DICT_DICTIONARY_H
#define AKIN_DICT_DICTIONARY_H

#include "base/scope.h"
#include "dict/slots.h"
#include "dict/vocabulary.h"

#define AKIN_ID_NONE    UINT32_MAX       /* a string that is kept and not there: left behind by work that failed */
#define AKIN_ID_PENDING (UINT32_MAX - 1) /* one that gets its id when all parts are merged */
#define AKIN_IDS        (UINT32_MAX - 1) /* strings that there can be */

typedef struct akin_part {
    akin_slots slots;
    uint64_t count;
    akin_term *terms; /* their number is the id */
    uint64_t used;
    char *bytes;        /* of the long ones */
    akin_bulk bulks[2]; /* what terms and bytes are in */
    uint64_t fresh;     /* terms that are pending */
} akin_part;

typedef struct akin_place {
    uint32_t part;
    uint32_t number;
} akin_place;

struct akin_dictionary {
    akin_salt salt; /* of all hashes; the ids do not depend on it */
    uint32_t count;
    akin_place *places;
    akin_bulk bulk;      /* what the places are in */
    akin_bulk column[2]; /* the strings as a column, once somebody has asked: offsets, bytes */
    akin_store store;    /* of all that */
    akin_part parts[AKIN_DICTIONARY_PARTS];
};

/* Makes room for `more` strings of the part. Errors, without a message, also of what follows: AKIN_E_NOMEM, AKIN_E_IO
 * (a temporary file). */
akin_status akin_part_reserve(akin_part *part, uint64_t more);

/* The term of a string; NULL if it is not there. */
akin_term *akin_part_find(const akin_part *part, uint64_t hash, const akin_term *term, const char *string);

/* The same in *out, and if it is not there it is added without an id: there must be room. */
akin_status akin_part_add(akin_part *part, uint64_t hash, const akin_term *term, const char *string, akin_term **out);

/* Makes room for the places of `count` ids in all. */
akin_status akin_dictionary_reserve(akin_dictionary *dictionary, uint64_t count);

/* Forgets the ids from `count` on, and those pending. */
void akin_dictionary_cut(akin_dictionary *dictionary, uint32_t count);

/*
 * Merges vocabularies: every number gets its id. Strings that are new get theirs in the order of the vocabularies, and
 * of the numbers in each. On failure the dictionary has the strings it had before. Errors: AKIN_E_LIMIT (too many
 * strings), AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED.
 */
akin_status akin_dictionary_merge(const akin_scope *scope, akin_dictionary *dictionary,
                                  akin_vocabulary *const *vocabularies, uint32_t count, akin_error *error);

/* Many strings: what string i is, on thread `thread`, valid until that thread is asked for the next. */
typedef struct akin_dictionary_words {
    uint64_t count;
    akin_status (*word)(void *user, uint64_t i, uint32_t thread, const char **bytes, uint32_t *length);
    void *user;
} akin_dictionary_words;

/* Adds them, on all threads: those that are new get their ids in their order. Errors: as above; on failure the strings are there up
 * to some of them. */
akin_status akin_dictionary_add_words(const akin_scope *scope, akin_dictionary *dictionary,
                                      const akin_dictionary_words *words, akin_error *error);

/* Adds the words of a trie: those that are new get their ids in the order that they have there. Errors: the same, and AKIN_E_INPUT
 * (it was altered). */
akin_status akin_dictionary_add_trie(const akin_scope *scope, akin_dictionary *dictionary, const akin_trie *trie,
                                     akin_error *error);

/* The same as akin_dictionary_create, within a scope. */
akin_status akin_dictionary_create_within(const akin_scope *scope, akin_dictionary **out, akin_error *error);

#endif
