/* The walker of chunks for AVX2: a register has the 24 counts of a record, or the 16 places of a cell. */
#include "dict/chunks.h"
#include "dict/trie_walk.h"

#include <immintrin.h>

#define WALKER walk_chunks_avx2
#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

_Static_assert(offsetof(akin_chunk_record, cells) == 4 && offsetof(akin_chunk_record, counts) == 8,
               "as the sums stand");

/* Computes both sums at once: the lower halves of 64-bit lanes add up the counts, the upper halves the bytes of the
 * cells. The two numbers of the record have the same layout, and are added at the end. */
INLINE akin_chunk look(const akin_chunk_record *record, uint32_t bit)
{
    static const uint8_t below[64] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                                      255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    const uint32_t chunk = bit / AKIN_CHUNK;
    const __m256i zero = _mm256_setzero_si256(), most = _mm256_set1_epi8(AKIN_CHUNK_PLACES);
    __m256i counts = _mm256_loadu_si256((const __m256i *)(const void *)record);
    counts = _mm256_and_si256(counts, _mm256_loadu_si256((const __m256i *)(const void *)(below + 24 - chunk)));
    counts = _mm256_and_si256(counts, _mm256_setr_epi64x(0, -1, -1, -1));
    const __m256i ones = _mm256_sad_epu8(counts, zero), sizes = _mm256_sad_epu8(_mm256_min_epu8(counts, most), zero);
    const __m256i both = _mm256_or_si256(ones, _mm256_slli_epi64(sizes, 32));
    __m128i sum = _mm_add_epi64(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
    sum = _mm_add_epi64(sum, _mm_unpackhi_epi64(sum, sum));
    const uint64_t numbers = akin_load_word((const char *)record) + (uint64_t)_mm_cvtsi128_si64(sum);
    akin_chunk found;
    found.number = (uint32_t)numbers;
    found.count = record->counts[chunk];
    found.bit = bit % AKIN_CHUNK;
    found.cell = (uint32_t)(numbers >> 32);
    return found;
}

INLINE int settle(akin_chunk chunk, const uint8_t *cell, uint32_t *number)
{
    const __m128i places = _mm_loadu_si128((const __m128i *)(const void *)cell);
    const __m128i bit = _mm_set1_epi8((char)chunk.bit);
    const uint32_t some = _bzhi_u32(UINT32_MAX, chunk.count);
    const uint32_t less = (uint32_t)_mm_movemask_epi8(_mm_cmplt_epi8(places, bit)) & some;
    const uint32_t equal = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(places, bit)) & some;
    const uint64_t low = (uint64_t)_mm_cvtsi128_si64(places), high = (uint64_t)_mm_extract_epi64(places, 1);
    const uint64_t in_high = 0 - (uint64_t)(chunk.bit >> 6), before = ~(~(uint64_t)0 << chunk.bit % 64);
    const uint32_t bits =
        (uint32_t)_mm_popcnt_u64(low & (before | in_high)) + (uint32_t)_mm_popcnt_u64(high & before & in_high);
    const uint32_t set = cell[chunk.bit / 8], one = set >> chunk.bit % 8 & (uint32_t)(bits < chunk.count);
    const uint32_t rank = (uint32_t)_mm_popcnt_u32(less), there = (0 - equal) >> 31;
    const uint32_t dense = 0 - (uint32_t)(chunk.count > AKIN_CHUNK_PLACES);
    *number = chunk.number + (rank ^ ((rank ^ bits) & dense));
    return (int)(there ^ ((there ^ one) & dense));
}

#include "dict/trie_walk_chunks.h"

TARGET void akin_trie_walk_avx2(const akin_trie *trie, const akin_trie_batch *batch)
{
    walk_chunks_avx2(trie, batch);
}
