/*
 * The oracle of text: tokens the slow and plain way. The whole string goes through utf8proc at once, and is then read
 * code point by code point. And random strings of what is difficult in Unicode.
 */
#ifndef AKIN_TEST_TEXT_SUPPORT_H
#define AKIN_TEST_TEXT_SUPPORT_H

#include "test_sets_support.h"

#include <utf8proc.h>

/* ----------------------------------------------------------------------------------------------------------- oracle */

typedef struct oracle {
    char *text;
    size_t length;
    size_t count; /* tokens: text[starts[i]] .. text[ends[i] - 1] */
    size_t *starts;
    size_t *ends;
} oracle;

static inline void oracle_clear(oracle *o)
{
    free(o->text);
    free(o->starts);
    free(o->ends);
}

static inline int oracle_inside(akin_tokens tokens, int32_t point)
{
    const char *category = utf8proc_category_string(point);
    if (tokens == AKIN_TOKENS_WHITESPACE)
        return point != ' ' && point != '\t' && point != '\n' && point != '\v' && point != '\f' && point != '\r';
    return category[0] == 'L' || category[0] == 'M' || strcmp(category, "Nd") == 0;
}

/* A valid UTF-8 string as tokens are taken from: decomposed and put in order, and only then folded and composed. */
static inline char *oracle_normalise(const char *bytes, size_t length, akin_tokens tokens, int fold, size_t *made)
{
    int options = UTF8PROC_STABLE | (tokens == AKIN_TOKENS_WORDS ? UTF8PROC_COMPAT : 0);
    utf8proc_uint8_t *plain = NULL, *mapped = NULL;
    utf8proc_ssize_t count = utf8proc_map((const utf8proc_uint8_t *)bytes, (utf8proc_ssize_t)length, &plain,
                                          (utf8proc_option_t)(options | UTF8PROC_DECOMPOSE));
    assert_true(count >= 0);
    options |= UTF8PROC_COMPOSE | (fold ? UTF8PROC_CASEFOLD : 0);
    count = utf8proc_map(plain, count, &mapped, (utf8proc_option_t)options);
    assert_true(count >= 0);
    free(plain);
    *made = (size_t)count;
    return (char *)mapped;
}

static inline oracle oracle_of(const char *bytes, size_t length, akin_tokens tokens, uint32_t q, int fold);

/* Shingles: the words, a blank between, and every q of them. */
static inline oracle oracle_shingles(const char *bytes, size_t length, uint32_t q, int fold)
{
    oracle words = oracle_of(bytes, length, AKIN_TOKENS_WORDS, 0, fold), o = {0};
    size_t gap = words.count < q ? words.count : q;
    o.text = calloc(words.length + 1, 1);
    o.starts = calloc(words.count + 1, sizeof *o.starts);
    o.ends = calloc(words.count + 1, sizeof *o.ends);
    assert_true(o.text && o.starts && o.ends);
    for (size_t i = 0; i < words.count; i++) {
        size_t size = words.ends[i] - words.starts[i];
        if (i > 0)
            o.text[o.length++] = ' ';
        memcpy(o.text + o.length, words.text + words.starts[i], size);
        words.starts[i] = o.length;
        words.ends[i] = o.length += size;
    }
    for (size_t i = 0; gap > 0 && i + gap <= words.count; i++) {
        o.starts[i] = words.starts[i];
        o.ends[i] = words.ends[i + gap - 1];
        o.count++;
    }
    oracle_clear(&words);
    return o;
}

/* Codes: of each run between white space the letters, marks and digits, a blank between runs that have a digit. */
static inline oracle oracle_codes(const char *bytes, size_t length, int fold)
{
    oracle o = {0};
    size_t size, start = 0, digits = 0;
    char *normal = oracle_normalise(bytes, length, AKIN_TOKENS_WORDS, fold, &size);
    o.text = calloc(size + 2, 1);
    o.starts = calloc(size + 1, sizeof *o.starts);
    o.ends = calloc(size + 1, sizeof *o.ends);
    assert_true(o.text && o.starts && o.ends);
    for (size_t at = 0; at <= size;) {
        int32_t point = ' ';
        size_t bytes_of = 1;
        if (at < size)
            bytes_of =
                (size_t)utf8proc_iterate((const utf8proc_uint8_t *)normal + at, (utf8proc_ssize_t)(size - at), &point);
        if (!oracle_inside(AKIN_TOKENS_WHITESPACE, point)) {
            if (digits > 0) {
                o.starts[o.count] = start;
                o.ends[o.count++] = o.length;
                o.text[o.length++] = ' ';
            }
            o.length = start = digits > 0 ? o.length : start;
            digits = 0;
        } else if (oracle_inside(AKIN_TOKENS_WORDS, point)) {
            memcpy(o.text + o.length, normal + at, bytes_of);
            o.length += bytes_of;
            digits += strcmp(utf8proc_category_string(point), "Nd") == 0;
        }
        at += bytes_of;
    }
    o.length -= o.count > 0; /* the blank behind the last one */
    free(normal);
    return o;
}

/* Lines and paragraphs: white space with less than `ends` line ends becomes a blank, other white space ends a token. */
static inline oracle oracle_lines(const char *bytes, size_t length, size_t ends, int fold)
{
    oracle o = {0};
    size_t size, ended = 0;
    char *normal = oracle_normalise(bytes, length, AKIN_TOKENS_WHITESPACE, fold, &size);
    o.text = calloc(size + 2, 1);
    o.starts = calloc(size + 1, sizeof *o.starts);
    o.ends = calloc(size + 1, sizeof *o.ends);
    assert_true(o.text && o.starts && o.ends);
    for (size_t at = 0, word = 0; at < size; at = word) {
        while (word < size && strchr(" \t\n\v\f\r", normal[word]) && normal[word] != '\0') {
            ended += normal[word] == '\r' || (normal[word] == '\n' && (word == 0 || normal[word - 1] != '\r'));
            word++;
        }
        at = word;
        while (word < size && (normal[word] == '\0' || !strchr(" \t\n\v\f\r", normal[word])))
            word++;
        if (word == at)
            break;
        if (o.count > 0)
            o.text[o.length++] = ' ';
        if (o.count == 0 || ended >= ends)
            o.starts[o.count++] = o.length;
        memcpy(o.text + o.length, normal + at, word - at);
        o.ends[o.count - 1] = o.length += word - at;
        ended = 0;
    }
    free(normal);
    return o;
}

/* Tokens of a valid UTF-8 string; fold is 0 or 1. */
static inline oracle oracle_of(const char *bytes, size_t length, akin_tokens tokens, uint32_t q, int fold)
{
    oracle o = {0};
    if (tokens == AKIN_TOKENS_SHINGLES)
        return oracle_shingles(bytes, length, q, fold);
    if (tokens == AKIN_TOKENS_CODES)
        return oracle_codes(bytes, length, fold);
    if (tokens == AKIN_TOKENS_LINES || tokens == AKIN_TOKENS_PARAGRAPHS)
        return oracle_lines(bytes, length, tokens == AKIN_TOKENS_LINES ? 1 : 2, fold);
    o.text = oracle_normalise(bytes, length, tokens, fold, &o.length);
    const utf8proc_uint8_t *mapped = (const utf8proc_uint8_t *)o.text;
    o.starts = calloc(o.length + 1, sizeof *o.starts);
    o.ends = calloc(o.length + 1, sizeof *o.ends);
    size_t *points = calloc(o.length + 1, sizeof *points), point_count = 0;
    assert_true(o.starts && o.ends && points);
    int inside_before = 0;
    for (size_t at = 0; at < o.length;) {
        int32_t point;
        utf8proc_ssize_t size = utf8proc_iterate(mapped + at, (utf8proc_ssize_t)(o.length - at), &point);
        assert_true(size > 0);
        int inside = oracle_inside(tokens, point);
        if (tokens != AKIN_TOKENS_QGRAMS && inside && !inside_before)
            o.starts[o.count++] = at;
        points[point_count++] = at;
        inside_before = inside;
        at += (size_t)size;
        if (tokens != AKIN_TOKENS_QGRAMS && inside)
            o.ends[o.count - 1] = at;
    }
    points[point_count] = o.length;
    if (tokens == AKIN_TOKENS_QGRAMS && point_count > 0) {
        o.count = point_count < q ? 1 : point_count - q + 1;
        for (size_t i = 0; i < o.count; i++) {
            o.starts[i] = points[i];
            o.ends[i] = points[point_count < q ? point_count : i + q];
        }
    }
    free(points);
    return o;
}

/* --------------------------------------------------------------------------------------------------- random strings */

static inline void text_add_point(text *t, int32_t point)
{
    utf8proc_uint8_t bytes[4];
    text_add(t, (const char *)bytes, (size_t)utf8proc_encode_char(point, bytes));
}

/* A code point in first .. last. */
static inline int32_t point_within(akin_random *random, int32_t first, int32_t last)
{
    return first + (int32_t)akin_random_below(random, (uint64_t)(last - first) + 1);
}

static inline int32_t random_point(akin_random *random)
{
    static const int32_t odd[] = {
        0x49,    0x69,    0x130,   0x131,   0xdf,     0x1e9e,  0x3a3,   0x3c2,   0x3c3,  0x345,  0x300,
        0x301,   0x308,   0x327,   0x323,   0x344,    0xaa,    0xb4,    0xad,    0x200d, 0xfe0f, 0x1f468,
        0xfb03,  0xfb01,  0xfdfa,  0x1fb3,  0x212b,   0x2126,  0x149,   0x1f0,   0x1e96, 0x3131, 0x314f,
        0xff9e,  0xff76,  0x9be,   0x9c7,   0x1100,   0x1161,  0x11a8,  0xac00,  0xac01, 0x94d,  0x93c,
        0x958,   0x64b,   0x651,   0x671,   0x2000,   0x3000,  0xa0,    0x9,     0x20,   0xa,    0x2e,
        0xff21,  0xff11,  0x2460,  0x661,   0x966,    0x1d15e, 0x1d400, 0x2f800, 0xfa0e, 0xf900, 0x115b9,
        0x11131, 0x11127, 0x16fe4, 0xe0001, 0x10ffff, 0x1e900, 0x10400, 0xab70,  0x13a0,
    };
    switch (akin_random_below(random, 16)) {
    case 0:
    case 1:
    case 2:
    case 3:
        return point_within(random, 0x20, 0x7e);
    case 4:
    case 5:
        return point_within(random, 'A', 'Z') | (int32_t)akin_random_below(random, 2) << 5;
    case 6:
        return akin_random_below(random, 3) ? ' ' : "\t\n\v\f\r"[akin_random_below(random, 5)];
    case 7:
        return point_within(random, 0xa0, 0x24f);
    case 8:
        return point_within(random, 0x300, 0x36f);
    case 9:
        return point_within(random, 0x370, 0x52f);
    case 10:
        return point_within(random, 0x5d0, 0x6ff);
    case 11:
        return point_within(random, 0x900, 0xdff);
    case 12:
        return akin_random_below(random, 2) ? point_within(random, 0xac00, 0xd7a3)
                                            : point_within(random, 0x1100, 0x11ff);
    case 13:
        return akin_random_below(random, 2) ? point_within(random, 0x3040, 0x318e)
                                            : point_within(random, 0xfb00, 0xffdc);
    case 14:
        return point_within(random, 0x1f600, 0x1f64f);
    default:
        return odd[akin_random_below(random, sizeof odd / sizeof *odd)];
    }
}

/* A string of up to `most` code points: mixed, or for the most part ASCII. */
static inline text random_text(akin_random *random, uint64_t most)
{
    text t = {0};
    uint64_t count = akin_random_below(random, most + 1), plain = akin_random_below(random, 3);
    text_add(&t, "", 0);
    for (uint64_t i = 0; i < count; i++) {
        int ascii = plain == 0 || (plain == 1 && akin_random_below(random, 12));
        text_add_point(&t, ascii ? point_within(random, 0x20, 0x7e) : random_point(random));
    }
    return t;
}

#endif
