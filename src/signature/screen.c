/* Portable screens, and the choice of a version by SIMD level. */
#include "signature/screen.h"

#include "base/bits.h"

#include <string.h>

static inline void screen_words(const akin_screen_block *block, uint32_t stride)
{
    for (uint32_t p = 0; p < block->probe_count; p++) {
        const uint64_t *probe = block->probes + (uint64_t)p * stride;
        uint64_t *hits = block->hits + (uint64_t)p * AKIN_SCREEN_WORDS;
        memset(hits, 0, AKIN_SCREEN_WORDS * sizeof *hits);
        for (uint32_t set = 0; set < block->groups * AKIN_SCREEN_GROUP; set++) {
            const uint64_t *words = block->strip + (uint64_t)(set / AKIN_SCREEN_GROUP) * stride * AKIN_SCREEN_GROUP;
            int64_t limit = block->limits[p] + (block->slack ? block->slack[set] : 0), distance = 0;
            for (uint32_t w = 0; w < stride; w++)
                distance += akin_popcount64(probe[w] ^ words[w * AKIN_SCREEN_GROUP + set % AKIN_SCREEN_GROUP]);
            hits[set / 64] |= (uint64_t)(distance < limit) << set % 64;
        }
    }
}

#define SCREEN(bits)                                                                                                   \
    static void screen_##bits(const akin_screen_block *block)                                                          \
    {                                                                                                                  \
        screen_words(block, (bits) / 64);                                                                              \
    }
SCREEN(64)
SCREEN(128)
SCREEN(256)
SCREEN(512)
SCREEN(1024)
SCREEN(2048)

static akin_screen screen_scalar(uint32_t bits)
{
    static const akin_screen screens[] = {screen_64, screen_128, screen_256, screen_512, screen_1024, screen_2048};
    uint32_t index = 0;
    while (index < 5 && 64u << index < bits)
        index++;
    return screens[index];
}

akin_screen akin_screen_choose(akin_cpu cpu, uint32_t bits)
{
    akin_screen screen = NULL;
    if (cpu >= AKIN_CPU_AVX512)
        screen = akin_screen_avx512(bits);
    if (!screen && cpu >= AKIN_CPU_AVX2)
        screen = akin_screen_avx2(bits);
    return screen ? screen : screen_scalar(bits);
}

/* Bit by bit; a hit costs one distance. */
static inline void refine_words(const akin_screen_block *block, uint32_t stride)
{
    for (uint32_t p = 0; p < block->probe_count; p++) {
        const uint64_t *probe = block->probes + (uint64_t)p * stride;
        for (uint32_t i = 0; i < AKIN_SCREEN_WORDS; i++) {
            uint64_t *hits = &block->hits[p * AKIN_SCREEN_WORDS + i];
            for (uint64_t some = *hits; some; some &= some - 1) {
                uint32_t set = i * 64 + (uint32_t)__builtin_ctzll(some);
                const uint64_t *words = block->strip + (uint64_t)(set / AKIN_SCREEN_GROUP) * stride * AKIN_SCREEN_GROUP;
                int64_t limit = block->limits[p] + (block->slack ? block->slack[set] : 0), distance = 0;
                for (uint32_t w = 0; w < stride; w++)
                    distance += akin_popcount64(probe[w] ^ words[w * AKIN_SCREEN_GROUP + set % AKIN_SCREEN_GROUP]);
                *hits &= ~((uint64_t)(distance >= limit) << set % 64);
            }
        }
    }
}

#define REFINE(bits)                                                                                                   \
    static void refine_##bits(const akin_screen_block *block)                                                          \
    {                                                                                                                  \
        refine_words(block, (bits) / 64);                                                                              \
    }
REFINE(64)
REFINE(128)
REFINE(256)
REFINE(512)
REFINE(1024)
REFINE(2048)

akin_screen akin_refine_choose(akin_cpu cpu, uint32_t bits)
{
    static const akin_screen refines[] = {refine_64, refine_128, refine_256, refine_512, refine_1024, refine_2048};
    akin_screen refine = cpu >= AKIN_CPU_AVX512 ? akin_refine_avx512(bits) : NULL;
    uint32_t index = 0;
    while (index < 5 && 64u << index < bits)
        index++;
    return refine ? refine : refines[index];
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
    akin_hamming best = NULL;
    if (cpu >= AKIN_CPU_AVX512)
        best = akin_hamming_avx512();
    if (!best && cpu >= AKIN_CPU_AVX2)
        best = akin_hamming_avx2();
    return best ? best : hamming;
}
