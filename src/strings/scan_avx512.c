/* Candidates among the strings that passed a screen, in AVX-512: 16 at a time. */
#include "strings/scan.h"

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd,popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

#define LANES 16

/* The limits by the number of equal first symbols. */
typedef struct table {
    __m512i bound, apart;
    __m512 rest;
} table;

INLINE table load_table(const akin_scan_limits *limits)
{
    _Alignas(64) int32_t bound[LANES] = {0}, apart[LANES] = {0};
    _Alignas(64) float rest[LANES] = {0};
    for (uint32_t prefix = 0; prefix < AKIN_PREFIXES; prefix++) {
        bound[prefix] = (int32_t)limits->bound[prefix];
        apart[prefix] = (int32_t)limits->apart[prefix]; /* at most INT32_MAX */
        rest[prefix] = (float)limits->rest[prefix];
    }
    return (table){_mm512_load_si512(bound), _mm512_load_si512(apart), _mm512_load_ps(rest)};
}

/* How many first symbols are equal, as akin_head_prefix has it. Places ascend, and a gather takes signed ones: they are
 * counted from the first. */
INLINE __m512i prefixes_of(const akin_scan_passed *passed, __m512i places, __mmask16 there)
{
    const __m512i none = _mm512_setzero_si512();
    const uint32_t first = (uint32_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(places));
    const __m512i behind = _mm512_sub_epi32(places, _mm512_set1_epi32((int)first));
    const __m512i heads = _mm512_mask_i32gather_epi32(none, there, behind, passed->heads + first, 4);
    const __m512i differs = _mm512_xor_si512(heads, _mm512_set1_epi32((int)passed->head));
    return _mm512_srli_epi32(_mm512_lzcnt_epi32(differs), 3);
}

/* Where the strings begin. */
INLINE void store_begins(const akin_scan_passed *passed, __m512i places, uint64_t *at)
{
    const __m512i length = _mm512_set1_epi64(passed->length), origin = _mm512_set1_epi64((long long)passed->origin);
    const __m512i low = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(places));
    const __m512i high = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(places, 1));
    _mm512_storeu_si512(at, _mm512_add_epi64(origin, _mm512_mul_epu32(low, length)));
    _mm512_storeu_si512(at + LANES / 2, _mm512_add_epi64(origin, _mm512_mul_epu32(high, length)));
}

TARGET uint32_t akin_scan_sift_avx512(const akin_scan_passed *passed)
{
    const table t = load_table(passed->limits);
    uint32_t count = 0;
    for (uint32_t i = 0; i < passed->count; i += LANES) {
        const uint32_t left = passed->count - i;
        const __mmask16 there = (__mmask16)(left < LANES ? (1u << left) - 1 : 0xffff);
        const __m512i places = _mm512_maskz_loadu_epi32(there, passed->places + i);
        const __m512i prefix = passed->by_prefix ? prefixes_of(passed, places, there) : _mm512_setzero_si512();
        __mmask16 near = there;
        if (passed->apart)
            near = _mm512_mask_cmple_epi32_mask(there, _mm512_maskz_loadu_epi32(there, passed->apart + i),
                                                _mm512_permutexvar_epi32(prefix, t.apart));
        const __m512i kept = _mm512_maskz_compress_epi32(near, prefix);
        const __m512i first = _mm512_set1_epi32((int)passed->first);
        const __m512i place = _mm512_add_epi32(_mm512_maskz_compress_epi32(near, places), first);
        _mm512_storeu_si512(passed->place + count, place);
        _mm512_storeu_si512(passed->runs + count, _mm512_set1_epi32((int)passed->run));
        _mm512_storeu_si512(passed->lengths + count, _mm512_set1_epi32((int)passed->length));
        store_begins(passed, place, passed->at + count);
        _mm_storeu_si128((__m128i *)(void *)(passed->prefix + count), _mm512_cvtepi32_epi8(kept));
        _mm512_storeu_si512(passed->bound + count, _mm512_permutexvar_epi32(kept, t.bound));
        _mm512_storeu_ps(passed->rest + count, _mm512_permutexvar_ps(kept, t.rest));
        count += (uint32_t)__builtin_popcount(near);
    }
    return count;
}
