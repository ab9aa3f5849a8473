/* The grammar of JSON: values are passed over and checked without recursion, strings 16 bytes at a time. */
#include "table/json.h"

#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include "base/neon.h"
#endif

static const char *fail_json(akin_json_fault *fault, const char *at, const char *expected)
{
    *fault = (akin_json_fault){at, expected};
    return NULL;
}

/* ---------------------------------------------------------------------------------------------------------- strings */

static const char *find_plain(const char *at)
{
    while (*at != '"' && *at != '\\' && (unsigned char)*at >= 0x20)
        at++;
    return at;
}

#if defined(__x86_64__)
static const char *find_sse2(const char *at)
{
    for (;; at += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
        __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), escape = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
        __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
        int found = _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, escape), control));
        if (found != 0)
            return at + __builtin_ctz((unsigned)found);
    }
}
#elif defined(__aarch64__)
static const char *find_neon(const char *at)
{
    for (;; at += 16) {
        const uint8x16_t bytes = vld1q_u8((const uint8_t *)at);
        const uint8x16_t marks = vorrq_u8(vceqq_u8(bytes, vdupq_n_u8('"')), vceqq_u8(bytes, vdupq_n_u8('\\')));
        const uint64_t found = akin_neon_nibbles(vorrq_u8(marks, vcltq_u8(bytes, vdupq_n_u8(0x20))));
        if (found != 0)
            return at + __builtin_ctzll(found) / 4;
    }
}
#endif

akin_json_finder akin_json_finder_for(akin_cpu cpu)
{
    static const akin_json_finder by_level[] = AKIN_CPU_ROW(find_plain, find_neon, find_sse2, find_sse2);
    return by_level[cpu];
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The value of 4 hexadecimal digits; -1 if they are none. */
static int hex_of(const char *at)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = digit_of(at[i]);
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

/* The byte that an escape of one letter means; 0 if there is none. */
static char letter_of(char c)
{
    static const char letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
    const char *found = c ? strchr(letters, c) : NULL;
    return found ? bytes[found - letters] : '\0';
}

const char *akin_json_string(const char *at, akin_json_finder find, int *escaped, akin_json_fault *fault)
{
    *escaped = 0;
    for (;;) {
        at = find(at);
        if (*at == '"')
            return at;
        if (*at == '\n')
            return fail_json(fault, at, "the end of the string, a quote");
        if (*at != '\\')
            return fail_json(fault, at, "no control character in a string, but its escape");
        *escaped = 1;
        if (at[1] == 'u' && hex_of(at + 2) >= 0)
            at += 6;
        else if (letter_of(at[1]) != '\0')
            at += 2;
        else
            return fail_json(fault, at, "an escape: \\ and one of \"\\/bfnrt, or u and 4 hexadecimal digits");
    }
}

/* Writes a character as UTF-8. */
static char *encode(char *to, unsigned c)
{
    if (c < 0x80) {
        *to++ = (char)c;
        return to;
    }
    if (c < 0x800) {
        *to++ = (char)(0xc0 | c >> 6);
    } else {
        if (c < 0x10000) {
            *to++ = (char)(0xe0 | c >> 12);
        } else {
            *to++ = (char)(0xf0 | c >> 18);
            *to++ = (char)(0x80 | (c >> 12 & 0x3f));
        }
        *to++ = (char)(0x80 | (c >> 6 & 0x3f));
    }
    *to++ = (char)(0x80 | (c & 0x3f));
    return to;
}

/* Decodes the escape \uXXXX at `at`, with a second one if both are a surrogate pair; returns what follows. */
static const char *decode_unit(const char *at, const char *end, int lossy, char **to, akin_json_fault *fault)
{
    unsigned c = (unsigned)hex_of(at + 2);
    const char *next = at + 6;
    if (c == 0)
        return fail_json(fault, at, "no \\u0000, as text has no NUL");
    if (c >= 0xd800 && c < 0xe000) {
        int low = c < 0xdc00 && end - next >= 6 && next[0] == '\\' && next[1] == 'u' ? hex_of(next + 2) : 0;
        if (low >= 0xdc00 && low < 0xe000) {
            c = 0x10000 + ((c - 0xd800) << 10) + ((unsigned)low - 0xdc00);
            next += 6;
        } else if (lossy) {
            c = 0xfffd;
        } else {
            return fail_json(fault, at, "both halves of a surrogate pair, \\ud800 to \\udbff and \\udc00 to \\udfff");
        }
    }
    *to = encode(*to, c);
    return next;
}

size_t akin_json_decode(const char *bytes, size_t length, int lossy, char *to, akin_json_fault *fault)
{
    const char *at = bytes, *end = bytes + length;
    char *out = to;
    while (at < end) {
        const char *escape = memchr(at, '\\', (size_t)(end - at));
        size_t plain = (size_t)((escape ? escape : end) - at);
        memcpy(out, at, plain);
        out += plain;
        at += plain;
        if (!escape)
            break;
        if (at[1] == 'u') {
            at = decode_unit(at, end, lossy, &out, fault);
            if (!at)
                return SIZE_MAX;
        } else {
            *out++ = letter_of(at[1]);
            at += 2;
        }
    }
    return (size_t)(out - to);
}

/* ----------------------------------------------------------------------------------------------------------- values */

static const char *digits(const char *at, akin_json_fault *fault)
{
    if (*at < '0' || *at > '9')
        return fail_json(fault, at, "a digit");
    while (*at >= '0' && *at <= '9')
        at++;
    return at;
}

static const char *read_json_number(const char *at, akin_json_fault *fault)
{
    at += *at == '-';
    if (*at == '0')
        at++;
    else if (!(at = digits(at, fault)))
        return NULL;
    if (*at == '.' && !(at = digits(at + 1, fault)))
        return NULL;
    if (*at == 'e' || *at == 'E') {
        at++;
        at = digits(at + (*at == '+' || *at == '-'), fault);
    }
    return at;
}

/* What follows a value that is neither array nor object. */
static const char *scalar(const char *at, akin_json_finder find, akin_json_fault *fault)
{
    static const char *const words[] = {"null", "true", "false"};
    if (*at == '"') {
        int escaped;
        const char *end = akin_json_string(at + 1, find, &escaped, fault);
        return end ? end + 1 : NULL;
    }
    if (*at == '-' || (*at >= '0' && *at <= '9'))
        return read_json_number(at, fault);
    for (int i = 0; i < 3; i++)
        if (*at == *words[i] && strncmp(at, words[i], strlen(words[i])) == 0)
            return at + strlen(words[i]);
    return fail_json(fault, at, "a value: a string, number, array, object, true, false or null");
}

/* What follows a key and its colon, and blanks. */
static const char *key(const char *at, akin_json_finder find, akin_json_fault *fault)
{
    int escaped;
    if (*at != '"')
        return fail_json(fault, at, "a key in double quotes");
    at = akin_json_string(at + 1, find, &escaped, fault);
    if (!at)
        return NULL;
    at = akin_json_space(at + 1);
    return *at == ':' ? akin_json_space(at + 1) : fail_json(fault, at, "':' and a value");
}

const char *akin_json_value(const char *at, akin_json_finder find, akin_json_fault *fault)
{
    char closing[AKIN_JSON_DEPTH]; /* of each array and object that is open */
    unsigned depth = 0;
    for (;;) {
        /* a value begins at `at` */
        if (*at == '[' || *at == '{') {
            if (depth == AKIN_JSON_DEPTH)
                return fail_json(fault, at, "values within one another at most 512 deep");
            closing[depth++] = *at == '[' ? ']' : '}';
            at = akin_json_space(at + 1);
            if (*at != closing[depth - 1]) {
                if (closing[depth - 1] == '}' && !(at = key(at, find, fault)))
                    return NULL;
                continue;
            }
        } else if (!(at = scalar(at, find, fault))) {
            return NULL;
        } else if (depth > 0) {
            at = akin_json_space(at);
        }
        /* what is open ends, or goes on */
        while (depth > 0 && *at == closing[depth - 1]) {
            at++;
            if (--depth > 0)
                at = akin_json_space(at);
        }
        if (depth == 0)
            return at;
        if (*at != ',')
            return fail_json(fault, at, closing[depth - 1] == ']' ? "',' or ']'" : "',' or '}'");
        at = akin_json_space(at + 1);
        if (closing[depth - 1] == '}' && !(at = key(at, find, fault)))
            return NULL;
    }
}
