/* The lookup of many words in a trie compressed as RRR. */
#ifndef AKIN_PAPERS_DICT_RRR_WALK_H
#define AKIN_PAPERS_DICT_RRR_WALK_H

#include "dict/trie_layout.h"

/* Returns the walker for a SIMD level: akin_trie_form.walker. */
akin_trie_walker akin_rrr_walker_choose(akin_cpu cpu);
void akin_rrr_walk_avx2(const akin_trie *trie, const akin_trie_batch *batch);

#endif
