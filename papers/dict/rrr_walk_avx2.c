/* The walker of RRR for a CPU that has AVX2, and with it an instruction that counts bits. */
#include "papers/dict/rrr_walk.h"

#if defined(__x86_64__)
#define WALKER walk_rrr_avx2
#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

#include "papers/dict/rrr_walk_body.h"

akin_trie_walker akin_rrr_walker_avx2(void)
{
    return walk_rrr_avx2;
}
#else
akin_trie_walker akin_rrr_walker_avx2(void)
{
    return NULL;
}
#endif
