/* Tries as a whole: how they are built, read from files, and listed, and how words are looked up in them. */
#ifndef AKIN_DICT_TRIE_H
#define AKIN_DICT_TRIE_H

#include "dict/trie_layout.h"

/* The same as akin_trie_build, within a scope. */
akin_status akin_trie_build_within(const akin_scope *scope, const akin_column *words, uint32_t rows,
                                   const akin_trie_options *options, akin_trie **out, akin_error *error);

/* The same as akin_trie_look_up, within a scope. */
akin_status akin_trie_look_up_within(const akin_scope *scope, const akin_trie *trie, const akin_column *words,
                                     uint32_t rows, uint32_t *ids, akin_error *error);

/* Returns the node whose child by the symbol is `next`. The trie must have that node. */
uint32_t akin_trie_parent(const akin_trie *trie, uint32_t symbol, uint32_t next);

/* akin_trie_set_edges makes the edges and the codes from the head and the parts. akin_trie_prepare makes them, and all
 * else that walks need. Errors of akin_trie_prepare: AKIN_E_NOMEM. */
void akin_trie_set_edges(akin_trie *trie);
akin_status akin_trie_prepare(akin_trie *trie, akin_error *error);

/* ------------------------------------------------------------------------------------------------------------ files */

/*
 * Each of these checks a trie that comes from a file; `name` is for messages. Errors: AKIN_E_INPUT, AKIN_E_NOMEM,
 * AKIN_E_CANCELLED, and AKIN_E_OPTION: the trie is of a kind that only an annex has, and the context does not use one.
 */

/* Takes a trie from an image in memory, aligned to 64 bytes. On success the image belongs to the trie. */
akin_status akin_trie_parse(const akin_scope *scope, const char *name, akin_bulk *image, uint64_t length,
                            akin_trie **out, akin_error *error);

/* Takes a trie from a container, which belongs to the trie on success, and is closed after an error. */
akin_status akin_trie_of_container(const akin_scope *scope, const char *name, akin_container *container,
                                   akin_trie **out, akin_error *error);

/* Gives the sections of a trie, which still belong to it, for a file that has other sections, too. */
void akin_trie_sections(const akin_trie *trie, akin_section sections[AKIN_TRIE_PARTS]);

/* Takes a trie from the sections of such a file. They must stay in place as long as the trie lives.
 * akin_trie_take_guarded leaves what walks guard whatever it holds, cells and places, to akin_trie_check: most of the
 * time that checking takes. */
akin_status akin_trie_take(const akin_scope *scope, const char *name, const akin_section sections[AKIN_TRIE_PARTS],
                           akin_trie **out, akin_error *error);
akin_status akin_trie_take_guarded(const akin_scope *scope, const char *name,
                                   const akin_section sections[AKIN_TRIE_PARTS], akin_trie **out, akin_error *error);
akin_status akin_trie_check(const akin_scope *scope, const char *name, const akin_trie *trie, akin_error *error);

/* ------------------------------------------------------------------------------------------------------------ lists */

/* For all nodes but the root, the parent and the byte that leads from it to the node: words are read along these. */
typedef struct akin_trie_parents {
    const akin_trie *trie;
    akin_bulk bulks[3];
    uint32_t *nodes;
    uint8_t *bytes;
    uint32_t *ends; /* the node of each word */
} akin_trie_parents;

/* Finds the parents on all threads. The caller clears *out in any case. Errors: AKIN_E_NOMEM, AKIN_E_IO,
 * AKIN_E_CANCELLED. */
akin_status akin_trie_parents_find(const akin_scope *scope, const akin_trie *trie, akin_trie_parents *out,
                                   akin_error *error);
void akin_trie_parents_clear(akin_trie_parents *parents);

/* Writes the word of an id so that it ends at `end`; there must be room for the longest word before `end`. If `end` is
 * NULL, the function only measures the word. Returns 0 if the word is longer than the longest one: in an altered file
 * with correct checksums, parents may form a circle. */
int akin_trie_parents_word(const akin_trie_parents *parents, uint32_t id, char *end, uint32_t *length);

/* Lists all words in the order of their ids. words[0] becomes the offsets, 8 bytes each and one more than words, and
 * words[1] the bytes. The caller clears both in any case. Errors: AKIN_E_INPUT (an altered trie), AKIN_E_NOMEM,
 * AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_trie_list(const akin_scope *scope, const akin_trie *trie, akin_bulk words[2], akin_error *error);

#endif
