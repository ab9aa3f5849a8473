/*
 * Folds and classifies 64 bytes of text at a time: the inner part of normal.c, once for each SIMD level. Bytes of 0x80
 * and above are marked; their other results are meaningless.
 */
#ifndef AKIN_TEXT_ASCII_H
#define AKIN_TEXT_ASCII_H

#include "base/bits.h"

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include "base/neon.h"
#endif

#define AKIN_ASCII_GROUP 64

/* What is wanted of ASCII characters; masks that are all ones or all zeros. */
typedef struct akin_ascii_rules {
    uint64_t fold;  /* upper case becomes lower case */
    uint64_t words; /* letters and digits are in tokens */
    uint64_t solid; /* all but spaces, tabs and line ends are */
    uint64_t any;   /* all are */
} akin_ascii_rules;

/* What was found: bit i for byte i. */
typedef struct akin_ascii_classes {
    uint64_t high;   /* not ASCII */
    uint64_t inside; /* in a token */
} akin_ascii_classes;

/* Classifies 64 bytes and writes them, folded, to `to`. */
typedef akin_ascii_classes (*akin_ascii_classifier)(const char *from, char *to, const akin_ascii_rules *rules);

static inline uint64_t akin_ascii_inside(const akin_ascii_rules *rules, uint64_t word, uint64_t blank)
{
    return (word & rules->words) | (~blank & rules->solid) | rules->any;
}

/* --------------------------------------------------------------------------------------------------- plain integers */

/* Bit 7 of the bytes, all below 0x80, that are from `first` to `last`. */
static inline uint64_t akin_ascii_within(uint64_t word, unsigned char first, unsigned char last)
{
    return (word + AKIN_BYTES((uint64_t)0x80 - first)) & ~(word + AKIN_BYTES((uint64_t)0x7f - last)) & AKIN_BYTES(0x80);
}

static inline akin_ascii_classes akin_ascii_plain(const char *from, char *to, const akin_ascii_rules *rules)
{
    uint64_t high = 0, words = 0, blanks = 0;
    for (unsigned i = 0; i < AKIN_ASCII_GROUP; i += 8) {
        uint64_t word = akin_load_word(from + i), low = word & AKIN_BYTES(0x7f);
        uint64_t letter = akin_ascii_within(low | AKIN_BYTES(0x20), 'a', 'z');
        uint64_t blank = akin_ascii_within(low, ' ', ' ') | akin_ascii_within(low, '\t', '\r');
        uint64_t upper = letter & ~(low << 2); /* bit 5 distinguishes the cases */
        uint64_t original;
        high |= akin_gather(word) << i;
        words |= akin_gather(letter | akin_ascii_within(low, '0', '9')) << i;
        blanks |= akin_gather(blank) << i;
        upper &= rules->fold;
        memcpy(&original, from + i, sizeof original);
        original ^= upper >> 2;
        memcpy(to + i, &original, sizeof original);
    }
    return (akin_ascii_classes){high, akin_ascii_inside(rules, words, blanks)};
}

#if defined(__x86_64__)

/* ------------------------------------------------------------------------------------------------------------- AVX2 */

#define AKIN_ASCII_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))

/* 255 for the bytes from `first` on, `count` values. */
AKIN_ASCII_AVX2 static inline __m256i akin_ascii_within_avx2(__m256i bytes, char first, char count)
{
    __m256i value = _mm256_sub_epi8(bytes, _mm256_set1_epi8(first));
    return _mm256_cmpeq_epi8(_mm256_min_epu8(value, _mm256_set1_epi8((char)(count - 1))), value);
}

AKIN_ASCII_AVX2 static inline akin_ascii_classes akin_ascii_avx2(const char *from, char *to,
                                                                 const akin_ascii_rules *rules)
{
    uint64_t high = 0, words = 0, blanks = 0;
    const __m256i bit5 = _mm256_set1_epi8(0x20), fold = _mm256_and_si256(bit5, _mm256_set1_epi8((char)rules->fold));
    for (unsigned i = 0; i < AKIN_ASCII_GROUP; i += 32) {
        __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)(from + i));
        __m256i letter = akin_ascii_within_avx2(_mm256_or_si256(bytes, bit5), 'a', 26);
        __m256i digit = akin_ascii_within_avx2(bytes, '0', 10);
        __m256i blank = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(' ')),
                                        akin_ascii_within_avx2(bytes, '\t', '\r' - '\t' + 1));
        __m256i folded = _mm256_or_si256(bytes, _mm256_and_si256(letter, fold));
        _mm256_storeu_si256((__m256i *)(void *)(to + i), folded);
        high |= (uint64_t)(uint32_t)_mm256_movemask_epi8(bytes) << i;
        words |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_or_si256(letter, digit)) << i;
        blanks |= (uint64_t)(uint32_t)_mm256_movemask_epi8(blank) << i;
    }
    return (akin_ascii_classes){high, akin_ascii_inside(rules, words, blanks)};
}

/* ----------------------------------------------------------------------------------------------------------- AVX512 */

#define AKIN_ASCII_AVX512 __attribute__((target("avx512f,avx512bw,bmi,bmi2,popcnt")))

AKIN_ASCII_AVX512 static inline akin_ascii_classes akin_ascii_avx512(const char *from, char *to,
                                                                     const akin_ascii_rules *rules)
{
    const __m512i bit5 = _mm512_set1_epi8(0x20);
    __m512i bytes = _mm512_loadu_si512(from);
    __m512i letters = _mm512_sub_epi8(_mm512_or_si512(bytes, bit5), _mm512_set1_epi8('a'));
    uint64_t letter = _mm512_cmplt_epu8_mask(letters, _mm512_set1_epi8(26));
    uint64_t digit = _mm512_cmplt_epu8_mask(_mm512_sub_epi8(bytes, _mm512_set1_epi8('0')), _mm512_set1_epi8(10));
    uint64_t blank =
        _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(' ')) |
        _mm512_cmplt_epu8_mask(_mm512_sub_epi8(bytes, _mm512_set1_epi8('\t')), _mm512_set1_epi8('\r' - '\t' + 1));
    __m512i fold = _mm512_maskz_mov_epi8(letter & rules->fold, bit5);
    _mm512_storeu_si512(to, _mm512_or_si512(bytes, fold));
    return (akin_ascii_classes){_mm512_movepi8_mask(bytes), akin_ascii_inside(rules, letter | digit, blank)};
}

#elif defined(__aarch64__)

/* ------------------------------------------------------------------------------------------------------------- NEON */

/* 255 for the bytes from `first` on, `count` values. */
AKIN_NEON_INLINE uint8x16_t akin_ascii_within_neon(uint8x16_t bytes, uint8_t first, uint8_t count)
{
    return vcltq_u8(vsubq_u8(bytes, vdupq_n_u8(first)), vdupq_n_u8(count));
}

AKIN_NEON_INLINE akin_ascii_classes akin_ascii_neon(const char *from, char *to, const akin_ascii_rules *rules)
{
    const uint8x16x4_t all = vld1q_u8_x4((const uint8_t *)from);
    const uint8x16_t bit5 = vdupq_n_u8(0x20), fold = vandq_u8(bit5, vdupq_n_u8((uint8_t)rules->fold));
    uint8x16_t high[4], words[4], blanks[4];
    for (int i = 0; i < 4; i++) {
        const uint8x16_t bytes = all.val[i], letter = akin_ascii_within_neon(vorrq_u8(bytes, bit5), 'a', 26);
        high[i] = vcltzq_s8(vreinterpretq_s8_u8(bytes));
        words[i] = vorrq_u8(letter, akin_ascii_within_neon(bytes, '0', 10));
        blanks[i] = vorrq_u8(vceqq_u8(bytes, vdupq_n_u8(' ')), akin_ascii_within_neon(bytes, '\t', '\r' - '\t' + 1));
        vst1q_u8((uint8_t *)to + 16 * i, vorrq_u8(bytes, vandq_u8(letter, fold)));
    }
    return (akin_ascii_classes){akin_neon_bits_64(high[0], high[1], high[2], high[3]),
                                akin_ascii_inside(rules, akin_neon_bits_64(words[0], words[1], words[2], words[3]),
                                                  akin_neon_bits_64(blanks[0], blanks[1], blanks[2], blanks[3]))};
}

#endif

#endif
