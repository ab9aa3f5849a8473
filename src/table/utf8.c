/* Checks and repairs UTF-8: 64 bytes at a time as long as they are ASCII, else character by character. */
#include "table/utf8.h"

#include "base/bits.h"

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include "base/neon.h"
#endif

#define HIGH  UINT64_C(0x8080808080808080)
#define GROUP 64

static int is_ascii(const char *bytes)
{
    uint64_t words[GROUP / 8], any = 0;
    memcpy(words, bytes, sizeof words);
    for (int i = 0; i < GROUP / 8; i++)
        any |= words[i];
    return (any & HIGH) == 0;
}

/* The length of the character at `at` (not ASCII); or, negative, of the longest beginning of one there is, at least
 * 1. */
static int character(const unsigned char *at, size_t left)
{
    unsigned char lead = at[0], low = 0x80, high = 0xbf;
    int length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (lead < 0xc2 || lead > 0xf4)
        return -1;
    if (lead == 0xe0) /* overlong */
        low = 0xa0;
    else if (lead == 0xed) /* surrogates */
        high = 0x9f;
    else if (lead == 0xf0) /* overlong */
        low = 0x90;
    else if (lead == 0xf4) /* above U+10FFFF */
        high = 0x8f;
    for (int i = 1; i < length; i++) {
        if ((size_t)i == left || at[i] < low || at[i] > high)
            return -i;
        low = 0x80;
        high = 0xbf;
    }
    return length;
}

size_t akin_utf8_check(const char *bytes, size_t length)
{
    const unsigned char *text = (const unsigned char *)bytes;
    size_t at = 0;
    while (at < length) {
        if (text[at] < 0x80) {
            at++;
            while (length - at >= GROUP && is_ascii(bytes + at))
                at += GROUP;
        } else {
            int taken = character(text + at, length - at);
            if (taken < 0)
                return at;
            at += (size_t)taken;
        }
    }
    return length;
}

size_t akin_utf8_repair(const char *bytes, size_t length, char *to)
{
    size_t at = 0, written = 0;
    for (;;) {
        size_t valid = akin_utf8_check(bytes + at, length - at);
        memcpy(to + written, bytes + at, valid);
        at += valid;
        written += valid;
        if (at == length)
            return written;
        at += (size_t)-character((const unsigned char *)bytes + at, length - at);
        memcpy(to + written, "\xef\xbf\xbd", 3);
        written += 3;
    }
}

#if defined(__x86_64__) || defined(__aarch64__)

/*
 * What can be wrong with two adjacent bytes, a bit for each error. Keiser and Lemire, Validating UTF-8 In Less Than One
 * Instruction Per Byte (2021): three tables, by the upper and lower half of the first byte and the upper half of the
 * second, have the errors that each of these permits. The errors in all three are real.
 */
enum {
    TOO_SHORT = 1 << 0,     /* a lead, and no continuation */
    TOO_LONG = 1 << 1,      /* ASCII, and a continuation */
    OVERLONG_3 = 1 << 2,    /* e0 80 .. e0 9f */
    TOO_LARGE = 1 << 3,     /* f4 90 .. f4 bf, and f5 .. ff with 90 .. bf */
    SURROGATE = 1 << 4,     /* ed a0 .. ed bf */
    OVERLONG_2 = 1 << 5,    /* c0, c1 */
    OVERLONG_4 = 1 << 6,    /* f0 80 .. f0 8f; and f5 .. ff with 80 .. 8f, which is too large */
    CONTINUATIONS = 1 << 7, /* two, which is wrong unless they are the second and third, or third and fourth byte */
    ANY_LOW = TOO_SHORT | TOO_LONG | CONTINUATIONS,
    LARGE_LOW = ANY_LOW | TOO_LARGE | OVERLONG_4,
    ANY_CONTINUATION = TOO_LONG | OVERLONG_2 | CONTINUATIONS
};

static const uint8_t first_upper[16] = {TOO_LONG,
                                        TOO_LONG,
                                        TOO_LONG,
                                        TOO_LONG,
                                        TOO_LONG,
                                        TOO_LONG,
                                        TOO_LONG,
                                        TOO_LONG,
                                        CONTINUATIONS,
                                        CONTINUATIONS,
                                        CONTINUATIONS,
                                        CONTINUATIONS,
                                        TOO_SHORT | OVERLONG_2,
                                        TOO_SHORT,
                                        TOO_SHORT | OVERLONG_3 | SURROGATE,
                                        TOO_SHORT | TOO_LARGE | OVERLONG_4};
static const uint8_t first_lower[16] = {ANY_LOW | OVERLONG_2 | OVERLONG_3 | OVERLONG_4,
                                        ANY_LOW | OVERLONG_2,
                                        ANY_LOW,
                                        ANY_LOW,
                                        ANY_LOW | TOO_LARGE,
                                        LARGE_LOW,
                                        LARGE_LOW,
                                        LARGE_LOW,
                                        LARGE_LOW,
                                        LARGE_LOW,
                                        LARGE_LOW,
                                        LARGE_LOW,
                                        LARGE_LOW,
                                        LARGE_LOW | SURROGATE,
                                        LARGE_LOW,
                                        LARGE_LOW};
static const uint8_t second_upper[16] = {TOO_SHORT,
                                         TOO_SHORT,
                                         TOO_SHORT,
                                         TOO_SHORT,
                                         TOO_SHORT,
                                         TOO_SHORT,
                                         TOO_SHORT,
                                         TOO_SHORT,
                                         ANY_CONTINUATION | OVERLONG_3 | OVERLONG_4,
                                         ANY_CONTINUATION | OVERLONG_3 | TOO_LARGE,
                                         ANY_CONTINUATION | SURROGATE | TOO_LARGE,
                                         ANY_CONTINUATION | SURROGATE | TOO_LARGE,
                                         TOO_SHORT,
                                         TOO_SHORT,
                                         TOO_SHORT,
                                         TOO_SHORT};
#endif

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2")))

AVX2 static inline __m256i table_of(const uint8_t table[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)table));
}

AVX2 static inline __m256i upper_half(__m256i bytes)
{
    return _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0f));
}

/* Nonzero where the bytes are wrong; `before` are the bytes before them. */
AVX2 static inline __m256i faults_of(__m256i bytes, __m256i before)
{
    __m256i middle = _mm256_permute2x128_si256(before, bytes, 0x21); /* the bytes from 16 before on */
    __m256i first = _mm256_alignr_epi8(bytes, middle, 15);
    __m256i faults = _mm256_and_si256(
        _mm256_and_si256(_mm256_shuffle_epi8(table_of(first_upper), upper_half(first)),
                         _mm256_shuffle_epi8(table_of(first_lower), _mm256_and_si256(first, _mm256_set1_epi8(0x0f)))),
        _mm256_shuffle_epi8(table_of(second_upper), upper_half(bytes)));
    /* third bytes after e0 .. ff, fourth ones after f0 .. ff: they, and no others, must be the second of
     * continuations */
    __m256i third = _mm256_subs_epu8(_mm256_alignr_epi8(bytes, middle, 14), _mm256_set1_epi8(0xe0 - 0x80));
    __m256i fourth = _mm256_subs_epu8(_mm256_alignr_epi8(bytes, middle, 13), _mm256_set1_epi8(0xf0 - 0x80));
    __m256i later = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8((char)0x80));
    return _mm256_xor_si256(faults, later);
}

AVX2 static int is_valid_avx2(const char *bytes, size_t length)
{
    __m256i before = _mm256_setzero_si256(), faults = before;
    for (size_t at = 0; at <= length; at += 2 * sizeof before) {
        char padded[2 * sizeof before];
        const char *here = bytes + at;
        if (length - at < sizeof padded) { /* zeros behind the end, so that what is cut there shows */
            memset(padded, 0, sizeof padded);
            memcpy(padded, here, length - at);
            here = padded;
        }
        __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)here);
        __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(here + sizeof low));
        if (_mm256_movemask_epi8(_mm256_or_si256(_mm256_or_si256(low, high), before)) != 0) {
            faults = _mm256_or_si256(faults, faults_of(low, before));
            faults = _mm256_or_si256(faults, faults_of(high, low));
        }
        before = high;
    }
    return _mm256_testz_si256(faults, faults);
}

/* Such bytes are above 0 with a sign, too. */
AVX2 static int is_plain_avx2(const char *bytes, size_t length)
{
    const __m256i zero = _mm256_setzero_si256();
    size_t at = 0;
    for (; length - at >= 4 * sizeof zero; at += 4 * sizeof zero) {
        const __m256i *here = (const __m256i *)(const void *)(bytes + at);
        const __m256i low = _mm256_min_epi8(_mm256_loadu_si256(here), _mm256_loadu_si256(here + 1));
        const __m256i high = _mm256_min_epi8(_mm256_loadu_si256(here + 2), _mm256_loadu_si256(here + 3));
        if (_mm256_movemask_epi8(_mm256_cmpgt_epi8(_mm256_min_epi8(low, high), zero)) != -1)
            return 0;
    }
    while (at < length && (signed char)bytes[at] > 0)
        at++;
    return at == length;
}

#elif defined(__aarch64__)

/* Nonzero where the bytes are wrong; `before` are the bytes before them. */
AKIN_NEON_INLINE uint8x16_t faults_of(uint8x16_t bytes, uint8x16_t before)
{
    const uint8x16_t first = vextq_u8(before, bytes, 15);
    const uint8x16_t faults = vandq_u8(vandq_u8(vqtbl1q_u8(vld1q_u8(first_upper), vshrq_n_u8(first, 4)),
                                                vqtbl1q_u8(vld1q_u8(first_lower), vandq_u8(first, vdupq_n_u8(0x0f)))),
                                       vqtbl1q_u8(vld1q_u8(second_upper), vshrq_n_u8(bytes, 4)));
    /* third bytes after e0 .. ff, fourth ones after f0 .. ff, as above */
    const uint8x16_t third = vqsubq_u8(vextq_u8(before, bytes, 14), vdupq_n_u8(0xe0 - 0x80));
    const uint8x16_t fourth = vqsubq_u8(vextq_u8(before, bytes, 13), vdupq_n_u8(0xf0 - 0x80));
    return veorq_u8(faults, vandq_u8(vorrq_u8(third, fourth), vdupq_n_u8(0x80)));
}

static int is_valid_neon(const char *bytes, size_t length)
{
    uint8x16_t before = vdupq_n_u8(0), faults = before;
    for (size_t at = 0; at <= length; at += GROUP) {
        uint8_t padded[GROUP];
        const uint8_t *here = (const uint8_t *)bytes + at;
        if (length - at < sizeof padded) { /* zeros behind the end, so that what is cut there shows */
            memset(padded, 0, sizeof padded);
            memcpy(padded, here, length - at);
            here = padded;
        }
        const uint8x16x4_t all = vld1q_u8_x4(here);
        const uint8x16_t any = vorrq_u8(vorrq_u8(all.val[0], all.val[1]), vorrq_u8(all.val[2], all.val[3]));
        if (vmaxvq_u8(vorrq_u8(any, before)) >= 0x80)
            for (int i = 0; i < 4; i++)
                faults = vorrq_u8(faults, faults_of(all.val[i], i > 0 ? all.val[i - 1] : before));
        before = all.val[3];
    }
    return !akin_neon_any(faults);
}

/* Such bytes are above 0 with a sign, too. */
static int is_plain_neon(const char *bytes, size_t length)
{
    size_t at = 0;
    for (; length - at >= GROUP; at += GROUP) {
        const int8x16x4_t all = vld1q_s8_x4((const int8_t *)bytes + at);
        if (vminvq_s8(vminq_s8(vminq_s8(all.val[0], all.val[1]), vminq_s8(all.val[2], all.val[3]))) <= 0)
            return 0;
    }
    while (at < length && (signed char)bytes[at] > 0)
        at++;
    return at == length;
}

#endif

static int is_plain(const char *bytes, size_t length)
{
    size_t at = 0;
    while (length - at >= 8 &&
           !(((akin_load_word(bytes + at) - AKIN_BYTES(1)) | akin_load_word(bytes + at)) & AKIN_BYTES(0x80)))
        at += 8;
    while (at < length && (signed char)bytes[at] > 0)
        at++;
    return at == length;
}

static int is_valid(const char *bytes, size_t length)
{
    return akin_utf8_check(bytes, length) == length;
}

int akin_utf8_is_plain(const char *bytes, size_t length, akin_cpu cpu)
{
    static int (*const by_level[])(const char *, size_t) =
        AKIN_CPU_ROW(is_plain, is_plain_neon, is_plain_avx2, is_plain_avx2);
    return by_level[cpu](bytes, length);
}

int akin_utf8_is_valid(const char *bytes, size_t length, akin_cpu cpu)
{
    static int (*const by_level[])(const char *, size_t) =
        AKIN_CPU_ROW(is_valid, is_valid_neon, is_valid_avx2, is_valid_avx2);
    return by_level[cpu](bytes, length);
}
