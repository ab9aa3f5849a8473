/*
 * Many words looked up at once. One walk down a trie waits for memory at every step, so many are under way together: while one
 * waits, the others go on, and one that has ended makes room for the next word.
 */
#ifndef AKIN_DICT_TRIE_WALK_H
#define AKIN_DICT_TRIE_WALK_H

#include "dict/trie.h"

/* Word i is bytes[begins[i]] .. bytes[ends[i] - 1]; `ends` may be begins + 1. */
typedef struct akin_trie_batch {
    const char *bytes;
    const uint64_t *begins, *ends;
    uint64_t count;
    uint32_t *ids; /* of each word, or AKIN_TRIE_UNKNOWN */
} akin_trie_batch;

#define AKIN_TRIE_BATCH ((uint64_t)1 << 15) /* words that a walker takes, at most */

/* Looks up the words of a batch. */
typedef void (*akin_trie_walker)(const akin_trie *trie, const akin_trie_batch *batch);

/* That of a SIMD level; all give the same ids. */
akin_trie_walker akin_trie_walker_choose(akin_cpu cpu);
akin_trie_walker akin_trie_walker_avx2(void); /* NULL where this build has none */

/* Looks up a batch of any number of words on the threads of the scope. Errors: AKIN_E_CANCELLED. */
akin_status akin_trie_walk(const akin_scope *scope, const akin_trie *trie, const akin_trie_batch *batch,
                           akin_error *error);

#endif
