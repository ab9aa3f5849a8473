/* Portable screens, and the choice of a version by SIMD level. */
#include "signature/screen.h"

#include "base/bits.h"

#include <string.h>

/* Whether set number `set` of the strip is near enough to probe p. */
static inline int passes(const akin_screen_block *block, uint32_t p, uint32_t set, uint32_t stride)
{
    const uint64_t *probe = block->probes + (uint64_t)p * stride;
    const uint64_t *words = block->strip + (uint64_t)(set / AKIN_SCREEN_GROUP) * stride * AKIN_SCREEN_GROUP;
    int64_t limit = block->limits[p] + (block->slack ? block->slack[set] : 0), distance = 0;
    for (uint32_t w = 0; w < stride; w++)
        distance += akin_popcount64(probe[w] ^ words[w * AKIN_SCREEN_GROUP + set % AKIN_SCREEN_GROUP]);
    return distance < limit;
}

static inline void screen_words(const akin_screen_block *block, uint32_t stride)
{
    for (uint32_t p = 0; p < block->probe_count; p++) {
        uint64_t *hits = block->hits + (uint64_t)p * AKIN_SCREEN_WORDS;
        memset(hits, 0, AKIN_SCREEN_WORDS * sizeof *hits);
        for (uint32_t set = 0; set < block->groups * AKIN_SCREEN_GROUP; set++)
            hits[set / 64] |= (uint64_t)passes(block, p, set, stride) << set % 64;
    }
}
AKIN_SCREEN_VERSIONS(, screen)

static akin_screen screen_plainly(uint32_t bits)
{
    return screen_versions[akin_screen_width(bits)];
}

akin_screen akin_screen_choose(akin_cpu cpu, uint32_t bits)
{
    static akin_screen (*const by_level[])(uint32_t) =
        AKIN_CPU_ROW(screen_plainly, akin_screen_neon, akin_screen_avx2, akin_screen_avx512);
    return by_level[cpu](bits);
}

/* Bit by bit; a hit costs one distance. */
static inline void refine_words(const akin_screen_block *block, uint32_t stride)
{
    for (uint32_t p = 0; p < block->probe_count; p++)
        for (uint32_t i = 0; i < AKIN_SCREEN_WORDS; i++) {
            uint64_t *hits = &block->hits[p * AKIN_SCREEN_WORDS + i];
            for (uint64_t some = *hits; some; some &= some - 1) {
                uint32_t bit = (uint32_t)__builtin_ctzll(some);
                *hits &= ~((uint64_t)!passes(block, p, i * 64 + bit, stride) << bit);
            }
        }
}
AKIN_SCREEN_VERSIONS(, refine)

static akin_screen refine_plainly(uint32_t bits)
{
    return refine_versions[akin_screen_width(bits)];
}

akin_screen akin_refine_choose(akin_cpu cpu, uint32_t bits)
{
    static akin_screen (*const by_level[])(uint32_t) =
        AKIN_CPU_ROW(refine_plainly, akin_refine_neon, refine_plainly, akin_refine_avx512);
    return by_level[cpu](bits);
}

static uint32_t hamming(const uint64_t *a, const uint64_t *b, uint32_t stride)
{
    uint32_t distance = 0;
    for (uint32_t w = 0; w < stride; w++)
        distance += akin_popcount64(a[w] ^ b[w]);
    return distance;
}

akin_hamming akin_hamming_choose(akin_cpu cpu)
{
    static const akin_hamming by_level[] =
        AKIN_CPU_ROW(hamming, akin_hamming_neon, akin_hamming_avx2, akin_hamming_avx512);
    return by_level[cpu];
}
