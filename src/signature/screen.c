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
        screen_words(block, bits / 64);                                                                                \
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
