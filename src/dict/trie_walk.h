/*
 * The lookup of many words at once. A walk down a trie waits for memory at every step. So a thread has many walks under
 * way: while one waits, the others continue. A walk that has ended makes room for the next word.
 */
#ifndef AKIN_DICT_TRIE_WALK_H
#define AKIN_DICT_TRIE_WALK_H

#include "dict/trie_layout.h"

/* Returns the walker of chunks for a SIMD level: akin_trie_form.walker. */
akin_trie_walker akin_trie_walker_choose(akin_cpu cpu);
void akin_trie_walk_neon(const akin_trie *trie, const akin_trie_batch *batch);
void akin_trie_walk_avx2(const akin_trie *trie, const akin_trie_batch *batch);

/* Looks up a batch of any number of words on the threads of the scope. Errors: AKIN_E_CANCELLED. */
akin_status akin_trie_walk(const akin_scope *scope, const akin_trie *trie, const akin_trie_batch *batch,
                           akin_error *error);

#endif
