/*
 * Finds and converts the token ids in 64 bytes of text at a time: the inner part of ids.c, once for each SIMD level.
 *
 * A group of 64 bytes is classified into bit masks (digit, line feed, anything else but a blank), bit i for byte i. A
 * token ends where a byte that is not a digit follows a digit. One shift and one AND find all ends of a group. For each
 * end the 8 bytes before it are then converted, wherever the token began:
 *
 *     text           5 LF 3 4 2 7 SP 1 9 LF
 *     word     [ . . 5 LF 3 4 2 7 ]              the 8 bytes before a token's end
 *     digits   [ 0 0 0 0  3 4 2 7 ]              what is not of the token cleared
 *
 * Bit 4 separates digits (0x30 .. 0x39) from blanks and line ends (0x20, 0x09, 0x0a, 0x0d). The highest byte without it
 * and all bytes below do not belong to the token. The digits are added up as pairs, as fours and as all eight.
 *
 * Tokens of 8 digits and more have no such byte: the 8 bytes before them are converted as well.
 */
#ifndef AKIN_SETS_IDS_GROUP_H
#define AKIN_SETS_IDS_GROUP_H

#include "base/bits.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include "base/neon.h"
#endif

#define GROUP     64 /* bytes; at most half as many tokens end in one */
#define OVERSHOOT 8  /* further tokens that a conversion may write beyond those there are */

/* Where a group is. Its bytes may be a copy; GROUP bytes before them and GROUP from them on can be read. */
typedef struct group {
    const char *text; /* the block */
    size_t at;        /* the group's place in it */
    const char *bytes;
} group;

typedef struct classes {
    uint64_t digit;
    uint64_t feed;
    uint64_t other; /* neither of these nor a blank */
} classes;

typedef classes (*classifier)(const char *bytes);

/* Converts the tokens that end where `ends` has its `count` bits, the first one lowest. 0 if one is too large. */
typedef int (*converter)(group g, uint64_t ends, uint32_t count, uint32_t *tokens);

/* --------------------------------------------------------------------------------------------------- plain integers */

/* Bit 7 of every byte that is not `byte`. */
static inline uint64_t differs(uint64_t word, unsigned char byte)
{
    uint64_t x = word ^ AKIN_BYTES(byte);
    return ((x & AKIN_BYTES(0x7f)) + AKIN_BYTES(0x7f)) | x;
}

static inline classes classify_plain(const char *bytes)
{
    classes all = {0, 0, 0};
    for (unsigned i = 0; i < GROUP; i += 8) {
        uint64_t word = akin_load_word(bytes + i), x = word ^ AKIN_BYTES('0');
        uint64_t digit = ~(((x & AKIN_BYTES(0x7f)) + AKIN_BYTES(0x80 - 10)) | x);
        uint64_t feed = ~differs(word, '\n');
        uint64_t other = ~(digit | feed) & differs(word, ' ') & differs(word, '\t');
        all.digit |= akin_gather(digit) << i;
        all.feed |= akin_gather(feed) << i;
        all.other |= akin_gather(other) << i;
    }
    return all;
}

/* The number whose 8 digits are the lower halves of the bytes, whose upper halves are 0: pairs, fours, then all eight.
 */
static inline uint32_t add_digits(uint64_t digits)
{
    uint64_t pairs = digits * 10 + (digits >> 8); /* in bytes 0, 2, 4, 6 */
    uint64_t first = (pairs & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064);
    uint64_t second = (pairs >> 16 & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001);
    return (uint32_t)((first + second) >> 32);
}

/* The bytes that are no digits, of a word of digits, blanks and line ends. */
static inline uint64_t blanks_of(uint64_t word)
{
    return ~word & AKIN_BYTES(0x10);
}

/* The digits above the highest of the blanks; there is at least one blank. */
static inline uint64_t digits_of(uint64_t word, uint64_t blanks)
{
    return word & (AKIN_BYTES(0x0f) << (63 ^ __builtin_clzll(blanks)) << 4);
}

/* Converts the token that ends before byte `end`, of any length, digit by digit. Returns 0 if it is too large. */
__attribute__((noinline)) static int convert_any(group g, unsigned end, uint32_t *token)
{
    const char *stop = g.text + g.at + end, *at = stop;
    while (at > g.text && at[-1] >= '0' && at[-1] <= '9')
        at--;
    uint64_t value = 0;
    for (; at < stop && value <= UINT32_MAX; at++)
        value = value * 10 + (uint64_t)(*at - '0');
    *token = (uint32_t)value;
    return value <= UINT32_MAX;
}

/* The same for a token of 8 digits and more, those of 8 to 15 digits at once. */
static inline int convert_long(group g, unsigned end, uint32_t *token)
{
    uint64_t upper = akin_load_word(g.bytes + end - 16), lower = akin_load_word(g.bytes + end - 8),
             blanks = blanks_of(upper);
    if (blanks == 0)
        return convert_any(g, end, token);
    uint64_t value = add_digits(digits_of(upper, blanks)) * UINT64_C(100000000) + add_digits(lower & AKIN_BYTES(0x0f));
    *token = (uint32_t)value;
    return value <= UINT32_MAX;
}

static inline int convert_plain(group g, uint64_t ends, uint32_t count, uint32_t *tokens)
{
    for (uint32_t i = 0; i < count; i++, ends &= ends - 1) {
        unsigned end = (unsigned)__builtin_ctzll(ends);
        uint64_t word = akin_load_word(g.bytes + end - 8), blanks = blanks_of(word);
        if (blanks != 0)
            tokens[i] = add_digits(digits_of(word, blanks));
        else if (!convert_long(g, end, &tokens[i]))
            return 0;
    }
    return 1;
}

#if defined(__x86_64__)

/* -------------------------------------------------------------------------------------------------- SSE2: every x86 */

static inline classes classify_sse2(const char *bytes)
{
    uint32_t digit[4], feed[4], known[4];
    for (unsigned i = 0; i < 4; i++) {
        __m128i part = _mm_loadu_si128((const __m128i *)(const void *)(bytes + 16 * i));
        __m128i value = _mm_sub_epi8(part, _mm_set1_epi8('0'));
        __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)), value);
        __m128i is_feed = _mm_cmpeq_epi8(part, _mm_set1_epi8('\n'));
        __m128i is_blank =
            _mm_or_si128(_mm_cmpeq_epi8(part, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(part, _mm_set1_epi8('\t')));
        digit[i] = (uint32_t)_mm_movemask_epi8(is_digit);
        feed[i] = (uint32_t)_mm_movemask_epi8(is_feed);
        known[i] = (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(is_digit, is_feed), is_blank));
    }
#define JOIN(x) ((uint64_t)((x)[2] | (x)[3] << 16) << 32 | ((x)[0] | (x)[1] << 16))
    return (classes){JOIN(digit), JOIN(feed), ~JOIN(known)};
#undef JOIN
}

/* The two tokens that end before `a` and `b`, each as two 32-bit numbers: its first and last four digits. Bytes 0 and 8
 * of *blanks become 0 where a token has 8 digits or more, else 255. */
static inline __m128i convert_two_sse2(const char *a, const char *b, __m128i *blanks)
{
    __m128i words = _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(const void *)(a - 8)),
                                       _mm_loadl_epi64((const __m128i *)(const void *)(b - 8)));
    __m128i before = _mm_cmpeq_epi8(_mm_and_si128(words, _mm_set1_epi8(0x10)), _mm_setzero_si128());
    before = _mm_or_si128(before, _mm_srli_epi64(before, 8)); /* from a blank down to the lowest byte */
    before = _mm_or_si128(before, _mm_srli_epi64(before, 16));
    before = _mm_or_si128(before, _mm_srli_epi64(before, 32));
    *blanks = before;
    __m128i digits = _mm_andnot_si128(before, _mm_and_si128(words, _mm_set1_epi8(0x0f)));
    /* (ten + 256 unit) (1 + 256 * 10) = ten + 256 (10 ten + unit), modulo 2^16 */
    __m128i pairs = _mm_srli_epi16(_mm_mullo_epi16(digits, _mm_set1_epi16(256 * 10 + 1)), 8);
    return _mm_madd_epi16(pairs, _mm_set1_epi32(1 << 16 | 100));
}

static inline int convert_sse2(group g, uint64_t ends, uint32_t count, uint32_t *tokens)
{
    for (uint32_t i = 0; i < count; i += 4) {
        uint64_t left = ends;
        const char *end[4];
        for (int j = 0; j < 4; j++) {
            end[j] = g.bytes + __builtin_ctzll(ends | UINT64_C(1) << 63); /* beyond the last token any end will do */
            ends &= ends - 1;
        }
        __m128i blanks[2];
        __m128i low = convert_two_sse2(end[0], end[1], &blanks[0]), high = convert_two_sse2(end[2], end[3], &blanks[1]);
        __m128i four = _mm_madd_epi16(_mm_packs_epi32(low, high), _mm_set1_epi32(1 << 16 | 10000));
        _mm_storeu_si128((__m128i *)(void *)(tokens + i), four);
        if ((_mm_movemask_epi8(_mm_and_si128(blanks[0], blanks[1])) & 0x0101) == 0x0101)
            continue;
        if (!convert_plain(g, left, count - i < 4 ? count - i : 4, tokens + i))
            return 0;
    }
    return 1;
}

/* ----------------------------------------------------------------------------------------------------------- AVX512 */

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512cd,avx512vbmi,bmi,bmi2,popcnt")))

AVX512 static inline classes classify_avx512(const char *bytes)
{
    __m512i all = _mm512_loadu_si512(bytes);
    uint64_t digit = _mm512_cmplt_epu8_mask(_mm512_sub_epi8(all, _mm512_set1_epi8('0')), _mm512_set1_epi8(10));
    uint64_t feed = _mm512_cmpeq_epi8_mask(all, _mm512_set1_epi8('\n'));
    uint64_t space = _mm512_cmpeq_epi8_mask(all, _mm512_set1_epi8(' '));
    uint64_t tab = _mm512_cmpeq_epi8_mask(all, _mm512_set1_epi8('\t'));
    return (classes){digit, feed, ~(digit | feed | space | tab)};
}

/* Converts the tokens of the 8 words; *longer gets a bit for each token of 8 digits or more, which is not converted. */
AVX512 static inline __m256i convert_eight_avx512(__m512i words, uint32_t *longer)
{
    __m512i blanks = _mm512_andnot_si512(words, _mm512_set1_epi8(0x10));
    __m512i shift = _mm512_sub_epi64(_mm512_set1_epi64(63 + 4), _mm512_lzcnt_epi64(blanks));
    __m512i digits = _mm512_and_si512(words, _mm512_sllv_epi64(_mm512_set1_epi8(0x0f), shift));
    __m512i pairs = _mm512_maddubs_epi16(digits, _mm512_set1_epi16(1 << 8 | 10));
    __m512i fours = _mm512_madd_epi16(pairs, _mm512_set1_epi32(1 << 16 | 100));
    __m512i tokens = _mm512_add_epi64(_mm512_mul_epu32(fours, _mm512_set1_epi64(10000)), _mm512_srli_epi64(fours, 32));
    *longer = _mm512_testn_epi64_mask(blanks, blanks);
    return _mm512_cvtepi64_epi32(tokens);
}

/* A quarter of the group at a time: at most 8 tokens end in it, the lanes of one vector. */
AVX512 static inline int convert_avx512(group g, uint64_t ends, uint32_t count, uint32_t *tokens)
{
    (void)count;
    const __m512i numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i spread = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8));
    const __m512i before = _mm512_loadu_si512(g.bytes - GROUP), here = _mm512_loadu_si512(g.bytes);
    for (unsigned at = 0; at < GROUP; at += 16, ends >>= 16) {
        uint32_t ends_here = (uint32_t)ends & 0xffff, longer;
        __m512i packed = _mm512_maskz_compress_epi32((__mmask16)ends_here, numbers);
        __m512i end = _mm512_shuffle_epi8(_mm512_cvtepu32_epi64(_mm512_castsi512_si256(packed)), spread);
        /* bytes end - 8 .. end - 1 of the group, counted from `before` on */
        __m512i eight = _mm512_set1_epi64((long long)(UINT64_C(0x3f3e3d3c3b3a3938) + AKIN_BYTES(at)));
        __m512i words = _mm512_permutex2var_epi8(before, _mm512_add_epi8(end, eight), here);
        __m256i converted = convert_eight_avx512(words, &longer);
        _mm256_storeu_si256((__m256i *)(void *)tokens, converted);
        uint32_t some = (uint32_t)__builtin_popcount(ends_here);
        longer &= (1u << some) - 1;
        for (uint32_t i = 0; longer != 0; i++, ends_here &= ends_here - 1, longer >>= 1)
            if ((longer & 1) && !convert_long(g, at + (unsigned)__builtin_ctz(ends_here), &tokens[i]))
                return 0;
        tokens += some;
    }
    return 1;
}

#elif defined(__aarch64__)

/* ------------------------------------------------------------------------------------------------------------- NEON */

AKIN_NEON_INLINE classes classify_neon(const char *bytes)
{
    const uint8x16x4_t all = vld1q_u8_x4((const uint8_t *)bytes);
    uint8x16_t digit[4], feed[4], known[4];
    for (int i = 0; i < 4; i++) {
        const uint8x16_t part = all.val[i];
        const uint8x16_t blank = vorrq_u8(vceqq_u8(part, vdupq_n_u8(' ')), vceqq_u8(part, vdupq_n_u8('\t')));
        digit[i] = vcltq_u8(vsubq_u8(part, vdupq_n_u8('0')), vdupq_n_u8(10));
        feed[i] = vceqq_u8(part, vdupq_n_u8('\n'));
        known[i] = vorrq_u8(vorrq_u8(digit[i], feed[i]), blank);
    }
    return (classes){akin_neon_bits_64(digit[0], digit[1], digit[2], digit[3]),
                     akin_neon_bits_64(feed[0], feed[1], feed[2], feed[3]),
                     ~akin_neon_bits_64(known[0], known[1], known[2], known[3])};
}

/* The two tokens that end before `a` and `b`, each as two 32-bit numbers: its last four digits, and 10000 times those
 * before. Words are turned round, so that the last digit is the lowest byte. A word of *blanks becomes 0 where a token
 * has 8 digits or more. */
AKIN_NEON_INLINE uint32x4_t convert_two_neon(const char *a, const char *b, uint64x2_t *blanks)
{
    const uint8x16_t tens = vreinterpretq_u8_u16(vdupq_n_u16(10 << 8 | 1));
    const uint16x8_t hundreds = vreinterpretq_u16_u32(vdupq_n_u32(100 << 16 | 1));
    const uint32x4_t myriads = vreinterpretq_u32_u64(vdupq_n_u64(UINT64_C(10000) << 32 | 1));
    const uint8x16_t words = vrev64q_u8(vcombine_u8(vld1_u8((const uint8_t *)a - 8), vld1_u8((const uint8_t *)b - 8)));
    *blanks = vreinterpretq_u64_u8(vbicq_u8(vdupq_n_u8(1), vshrq_n_u8(words, 4)));
    const uint64x2_t below = vbicq_u64(vsubq_u64(*blanks, vdupq_n_u64(1)), *blanks); /* all bits below the first one */
    const uint8x16_t digits = vandq_u8(vandq_u8(words, vdupq_n_u8(0x0f)), vreinterpretq_u8_u64(below));
    const uint16x8_t pairs = vpaddlq_u8(vmulq_u8(digits, tens));
    return vmulq_u32(vpaddlq_u16(vmulq_u16(pairs, hundreds)), myriads);
}

AKIN_NEON_INLINE int convert_neon(group g, uint64_t ends, uint32_t count, uint32_t *tokens)
{
    for (uint32_t i = 0; i < count; i += 4) {
        const uint64_t left = ends;
        const char *end[4];
        for (int j = 0; j < 4; j++) {
            end[j] = g.bytes + __builtin_ctzll(ends | UINT64_C(1) << 63); /* beyond the last token any end will do */
            ends &= ends - 1;
        }
        uint64x2_t blanks[2];
        const uint32x4_t low = convert_two_neon(end[0], end[1], &blanks[0]);
        const uint32x4_t high = convert_two_neon(end[2], end[3], &blanks[1]);
        vst1q_u32(tokens + i, vpaddq_u32(low, high));
        const uint64x2_t longer = vorrq_u64(vceqzq_u64(blanks[0]), vceqzq_u64(blanks[1]));
        if (akin_neon_any(vreinterpretq_u8_u64(longer)) &&
            !convert_plain(g, left, count - i < 4 ? count - i : 4, tokens + i))
            return 0;
    }
    return 1;
}

#endif

#endif
