/* Many words looked up at once in a trie compressed as RRR. */
#ifndef AKIN_PAPERS_DICT_RRR_WALK_H
#define AKIN_PAPERS_DICT_RRR_WALK_H

#include "dict/trie_layout.h"

/* The walker of a SIMD level: akin_trie_form.walker. */
akin_trie_walker akin_rrr_walker_choose(akin_cpu cpu);
akin_trie_walker akin_rrr_walker_avx2(void); /* NULL where this build has none */

#endif
