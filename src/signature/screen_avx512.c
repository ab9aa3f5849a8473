/* Screens in AVX-512 with VPOPCNTDQ: eight pairs an instruction. */
#include "signature/screen.h"

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

/* Distances of one probe, its words broadcast, to the eight sets of a group. */
INLINE __m512i distances(const __m512i *probe, const uint64_t *group, uint32_t stride)
{
    __m512i sum = _mm512_popcnt_epi64(_mm512_xor_si512(probe[0], _mm512_load_si512(group)));
    for (uint32_t w = 1; w < stride; w++) {
        __m512i x = _mm512_xor_si512(probe[w], _mm512_load_si512(group + w * AKIN_SCREEN_GROUP));
        sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(x));
    }
    return sum;
}

INLINE void screen_with(const akin_screen_block *block, const int64_t *slack, uint32_t stride)
{
    for (uint32_t p = 0; p < block->probe_count; p++) {
        const uint64_t *words = block->probes + (uint64_t)p * stride;
        uint8_t *hits = (uint8_t *)(block->hits + (uint64_t)p * AKIN_SCREEN_WORDS); /* little-endian: a byte a group */
        __m512i probe[32];
        for (uint32_t w = 0; w < stride; w++)
            probe[w] = _mm512_set1_epi64((long long)words[w]);
        _mm512_store_si512(hits, _mm512_setzero_si512());
        const uint64_t *group = block->strip;
        const __m512i limit = _mm512_set1_epi64((long long)block->limits[p]);
#pragma GCC unroll 4
        for (uint32_t g = 0; g < block->groups; g++, group += stride * AKIN_SCREEN_GROUP)
            hits[g] = (uint8_t)_mm512_cmplt_epi64_mask(
                distances(probe, group, stride),
                slack ? _mm512_add_epi64(limit, _mm512_load_si512(slack + g * AKIN_SCREEN_GROUP)) : limit);
    }
}

/* Without slack the limit stays in a register. */
INLINE void screen_words(const akin_screen_block *block, uint32_t stride)
{
    if (block->slack)
        screen_with(block, block->slack, stride);
    else
        screen_with(block, NULL, stride);
}
AKIN_SCREEN_VERSIONS(TARGET, screen)

akin_screen akin_screen_avx512(uint32_t bits)
{
    return screen_versions[akin_screen_width(bits)];
}

INLINE void refine_words(const akin_screen_block *block, uint32_t stride)
{
    for (uint32_t p = 0; p < block->probe_count; p++) {
        uint8_t *hits = (uint8_t *)(block->hits + (uint64_t)p * AKIN_SCREEN_WORDS);
        __m512i all = _mm512_load_si512(hits);
        uint64_t groups = _mm512_test_epi8_mask(all, all);
        if (!groups)
            continue;
        const __m512i limit = _mm512_set1_epi64((long long)block->limits[p]);
        __m512i probe[32];
        for (uint32_t w = 0; w < stride; w++)
            probe[w] = _mm512_set1_epi64((long long)block->probes[(uint64_t)p * stride + w]);
        for (; groups; groups &= groups - 1) {
            uint32_t g = (uint32_t)__builtin_ctzll(groups);
            __m512i bound = limit;
            if (block->slack)
                bound = _mm512_add_epi64(limit, _mm512_load_si512(block->slack + g * AKIN_SCREEN_GROUP));
            __m512i distance = distances(probe, block->strip + (uint64_t)g * stride * AKIN_SCREEN_GROUP, stride);
            hits[g] = (uint8_t)(hits[g] & _mm512_cmplt_epi64_mask(distance, bound));
        }
    }
}

AKIN_SCREEN_VERSIONS(TARGET, refine)

akin_screen akin_refine_avx512(uint32_t bits)
{
    return refine_versions[akin_screen_width(bits)];
}

TARGET uint32_t akin_hamming_avx512(const uint64_t *a, const uint64_t *b, uint32_t stride)
{
    if (stride < 8) {
        uint64_t distance = 0;
        for (uint32_t w = 0; w < stride; w++)
            distance += (uint64_t)_mm_popcnt_u64(a[w] ^ b[w]);
        return (uint32_t)distance;
    }
    __m512i sum = _mm512_setzero_si512();
    for (uint32_t w = 0; w < stride; w += 8)
        sum = _mm512_add_epi64(
            sum, _mm512_popcnt_epi64(_mm512_xor_si512(_mm512_loadu_si512(a + w), _mm512_loadu_si512(b + w))));
    return (uint32_t)_mm512_reduce_add_epi64(sum);
}
