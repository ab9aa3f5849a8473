/* The lookup of many words in a trie compressed as RRR: the portable walker, and the choice of a walker. */
#include "papers/dict/rrr_walk.h"

#define WALKER walk_rrr
#define TARGET
#define INLINE static inline __attribute__((always_inline))

#include "papers/dict/rrr_walk_body.h"

akin_trie_walker akin_rrr_walker_choose(akin_cpu cpu)
{
    static const akin_trie_walker by_level[] = AKIN_CPU_ROW(walk_rrr, walk_rrr, akin_rrr_walk_avx2, akin_rrr_walk_avx2);
    return by_level[cpu];
}
