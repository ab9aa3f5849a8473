/*
 * Finds separators, line feeds and quotes in 64 bytes of text at a time, once for each SIMD level: bit i is for byte i.
 */
#ifndef AKIN_TABLE_MARKS_H
#define AKIN_TABLE_MARKS_H

#include "base/bits.h"

#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include "base/neon.h"
#endif

#define MARKS_BYTES 64

typedef struct marks {
    uint64_t separator;
    uint64_t feed;
    uint64_t quote;
} marks;

typedef marks (*marker)(const char *bytes, char separator);

/* Bit i is the parity of bits 0 .. i: with bits for quotes, ones from an opening quote to before its closing one. */
static inline uint64_t running_parity(uint64_t bits)
{
    for (int shift = 1; shift < 64; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

/* 8 bits, the lowest byte's first, for the bytes of the word that are `byte`. */
static inline uint64_t equal_plain(uint64_t word, unsigned char byte)
{
    const uint64_t x = word ^ AKIN_BYTES(byte);
    return akin_gather(~(((x & AKIN_BYTES(0x7f)) + AKIN_BYTES(0x7f)) | x));
}

static inline marks mark_plain(const char *bytes, char separator)
{
    marks all = {0, 0, 0};
    for (unsigned i = 0; i < MARKS_BYTES; i += 8) {
        const uint64_t word = akin_load_word(bytes + i);
        all.separator |= equal_plain(word, (unsigned char)separator) << i;
        all.feed |= equal_plain(word, '\n') << i;
        all.quote |= equal_plain(word, '"') << i;
    }
    return all;
}

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))

AVX2 static inline uint64_t equal_avx2(__m256i low, __m256i high, char byte)
{
    __m256i all = _mm256_set1_epi8(byte);
    uint32_t first = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, all));
    uint32_t second = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, all));
    return (uint64_t)second << 32 | first;
}

AVX2 static inline marks mark_avx2(const char *bytes, char separator)
{
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)bytes);
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(bytes + 32));
    return (marks){equal_avx2(low, high, separator), equal_avx2(low, high, '\n'), equal_avx2(low, high, '"')};
}

#elif defined(__aarch64__)

AKIN_NEON_INLINE uint64_t equal_neon(uint8x16x4_t bytes, char byte)
{
    const uint8x16_t all = vdupq_n_u8((uint8_t)byte);
    return akin_neon_bits_64(vceqq_u8(bytes.val[0], all), vceqq_u8(bytes.val[1], all), vceqq_u8(bytes.val[2], all),
                             vceqq_u8(bytes.val[3], all));
}

AKIN_NEON_INLINE marks mark_neon(const char *bytes, char separator)
{
    const uint8x16x4_t all = vld1q_u8_x4((const uint8_t *)bytes);
    return (marks){equal_neon(all, separator), equal_neon(all, '\n'), equal_neon(all, '"')};
}

#endif

#endif
