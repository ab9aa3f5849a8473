/* Screens in AVX2: four pairs an instruction, bits counted by looking nibbles up. */
#include "signature/screen.h"

#include <immintrin.h>

#define TARGET __attribute__((target("avx2,popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

/* The number of set bits of every byte. */
INLINE __m256i count_bytes(__m256i x)
{
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2,
                                           2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(15);
    __m256i a = _mm256_shuffle_epi8(table, _mm256_and_si256(x, low));
    __m256i b = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(x, 4), low));
    return _mm256_add_epi8(a, b);
}

/* Distances to four sets of a group. Bytes hold the counts of up to 16 words before they are summed up. */
INLINE __m256i distances(const uint64_t *probe, const uint64_t *half, uint32_t stride)
{
    __m256i sum = _mm256_setzero_si256();
    for (uint32_t start = 0; start < stride; start += 16) {
        __m256i bytes = _mm256_setzero_si256();
        uint32_t end = stride - start < 16 ? stride : start + 16;
        for (uint32_t w = start; w < end; w++) {
            __m256i sets = _mm256_load_si256((const __m256i *)(half + w * AKIN_SCREEN_GROUP));
            __m256i x = _mm256_xor_si256(_mm256_set1_epi64x((long long)probe[w]), sets);
            bytes = _mm256_add_epi8(bytes, count_bytes(x));
        }
        sum = _mm256_add_epi64(sum, _mm256_sad_epu8(bytes, _mm256_setzero_si256()));
    }
    return sum;
}

INLINE unsigned below(__m256i distance, __m256i limit)
{
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(limit, distance)));
}

INLINE void screen_words(const akin_screen_block *block, uint32_t stride)
{
    for (uint32_t p = 0; p < block->probe_count; p++) {
        const uint64_t *probe = block->probes + (uint64_t)p * stride;
        uint8_t *hits = (uint8_t *)(block->hits + (uint64_t)p * AKIN_SCREEN_WORDS); /* little-endian: a byte a group */
        _mm256_store_si256((__m256i *)hits, _mm256_setzero_si256());
        _mm256_store_si256((__m256i *)(hits + 32), _mm256_setzero_si256());
        const uint64_t *group = block->strip;
        const __m256i limit = _mm256_set1_epi64x((long long)block->limits[p]);
        for (uint32_t g = 0; g < block->groups; g++, group += stride * AKIN_SCREEN_GROUP) {
            __m256i first = limit, second = limit;
            if (block->slack) {
                const __m256i *slack = (const __m256i *)(block->slack + g * AKIN_SCREEN_GROUP);
                first = _mm256_add_epi64(limit, _mm256_load_si256(slack));
                second = _mm256_add_epi64(limit, _mm256_load_si256(slack + 1));
            }
            unsigned low = below(distances(probe, group, stride), first);
            unsigned high = below(distances(probe, group + 4, stride), second);
            hits[g] = (uint8_t)(low | high << 4);
        }
    }
}

AKIN_SCREEN_VERSIONS(TARGET, screen)

akin_screen akin_screen_avx2(uint32_t bits)
{
    return screen_versions[akin_screen_width(bits)];
}

TARGET uint32_t akin_hamming_avx2(const uint64_t *a, const uint64_t *b, uint32_t stride)
{
    uint64_t distance = 0;
    for (uint32_t w = 0; w < stride; w++)
        distance += (uint64_t)_mm_popcnt_u64(a[w] ^ b[w]);
    return (uint32_t)distance;
}
