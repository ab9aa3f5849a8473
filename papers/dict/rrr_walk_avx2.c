/* The walker of RRR for a CPU that has AVX2, and with it an instruction that counts bits. */
#include "papers/dict/rrr_walk.h"

#define WALKER walk_rrr_avx2
#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

#include "papers/dict/rrr_walk_body.h"

TARGET void akin_rrr_walk_avx2(const akin_trie *trie, const akin_trie_batch *batch)
{
    walk_rrr_avx2(trie, batch);
}
