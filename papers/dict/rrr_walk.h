/* The lookup of many words in a trie compressed as RRR. */
#ifndef AKIN_PAPERS_DICT_RRR_WALK_H
#define AKIN_PAPERS_DICT_RRR_WALK_H

#include "dict/trie_layout.h"

/* Returns the walker for a SIMD level: akin_trie_form.walker. */
akin_trie_walker akin_rrr_walker_choose(akin_cpu cpu);
akin_trie_walker akin_rrr_walker_avx2(void); /* NULL if this build has none */

#endif
