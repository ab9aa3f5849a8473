/*
 * Fuzzes JSON texts: a plain parser, the fuzzer's own and recursive, says whether a text is JSON and what it holds, and
 * the tree must say the same.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "akin.h"
#include "table/json.h"
#include "table/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

/* The text, and its tree: `node` is the next one that the plain parser expects. NULL: it is no JSON. */
typedef struct reading {
    const char *at, *end;
    const akin_json_node *nodes;
    uint32_t node;
    uint64_t line;
} reading;

static int peek(const reading *r)
{
    return r->at && r->at < r->end ? (unsigned char)*r->at : -1;
}

static void expect(reading *r, int c)
{
    const char *at = r->at;
    r->at = at && peek(r) == c ? at + 1 : NULL;
}

static void skip(reading *r)
{
    for (int c = peek(r); c == ' ' || c == '\t' || c == '\r' || c == '\n'; r->at++, c = peek(r))
        r->line += c == '\n';
}

/* Four hexadecimal digits. */
static unsigned hex(reading *r)
{
    unsigned value = 0;
    for (int i = 0; i < 4 && r->at; i++) {
        const char *digits = "0123456789abcdefABCDEF", *found = peek(r) > 0 ? strchr(digits, peek(r)) : NULL;
        unsigned digit = found ? (unsigned)(found - digits) : 0;
        value = value * 16 + (digit < 16 ? digit : digit - 6);
        r->at = found ? r->at + 1 : NULL;
    }
    return value;
}

static size_t encode(unsigned c, char *to)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    size_t length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)(c | (0xf00u >> length & 0xff));
    return length;
}

static unsigned escape(reading *r)
{
    static const char letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
    int c = peek(r);
    const char *found = c > 0 ? strchr(letters, c) : NULL;
    if (r->at)
        r->at++;
    if (found)
        return (unsigned char)bytes[found - letters];
    unsigned unit = c == 'u' ? hex(r) : 0;
    if (unit >= 0xd800 && unit < 0xdc00 && r->at) {
        expect(r, '\\');
        expect(r, 'u');
        unsigned low = hex(r);
        unit = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((unit & 0x3ff) << 10 | (low & 0x3ff)) : 0;
    } else if (unit >= 0xdc00 && unit < 0xe000) {
        unit = 0;
    }
    if (unit == 0)
        r->at = NULL;
    return unit;
}

/* A string, which says what is `expected`, unless that is NULL. */
static void string(reading *r, const char *expected)
{
    expect(r, '"');
    while (r->at && peek(r) != '"') {
        char bytes[4];
        size_t length = 1;
        if (peek(r) < 0x20) {
            r->at = NULL;
            return;
        }
        bytes[0] = *r->at++;
        if (bytes[0] == '\\')
            length = encode(escape(r), bytes);
        if (expected) {
            require(strncmp(expected, bytes, length) == 0);
            expected += length;
        }
    }
    expect(r, '"');
    require(!expected || *expected == '\0');
}

static void digits(reading *r)
{
    if (peek(r) < '0' || peek(r) > '9')
        r->at = NULL;
    while (peek(r) >= '0' && peek(r) <= '9')
        r->at++;
}

static void number(reading *r, const char *expected)
{
    const char *begin = r->at;
    if (peek(r) == '-')
        r->at++;
    if (peek(r) == '0')
        r->at++;
    else
        digits(r);
    if (peek(r) == '.') {
        r->at++;
        digits(r);
    }
    if (peek(r) == 'e' || peek(r) == 'E') {
        r->at++;
        if (peek(r) == '+' || peek(r) == '-')
            r->at++;
        digits(r);
    }
    if (!expected || !r->at)
        return;
    const size_t length = (size_t)(r->at - begin);
    if (strlen(expected) == length && memcmp(expected, begin, length) == 0)
        return;
    /* A whole number, without its fraction or its exponent. */
    char *written = malloc(length + 1);
    require(written != NULL);
    memcpy(written, begin, length);
    written[length] = '\0';
    require(strpbrk(written, ".eE") && strspn(expected, "-0123456789") == strlen(expected));
    require(strtold(written, NULL) == strtold(expected, NULL));
    free(written);
}

static void word(reading *r, const char *letters)
{
    while (*letters)
        expect(r, *letters++);
}

static void value(reading *r, unsigned depth, int has_key);

static void collection(reading *r, unsigned depth, char closing)
{
    if (depth > AKIN_JSON_DEPTH)
        r->at = NULL;
    expect(r, closing == ']' ? '[' : '{');
    skip(r);
    for (int first = 1; r->at && !(first && peek(r) == closing); first = 0) {
        value(r, depth, closing == '}');
        skip(r);
        if (peek(r) == closing)
            break;
        expect(r, ',');
        skip(r);
    }
    expect(r, closing);
}

static void value(reading *r, unsigned depth, int has_key)
{
    const akin_json_node *node = r->nodes ? &r->nodes[r->node] : NULL;
    r->node++;
    require(!node || (node->line == r->line && (node->key != NULL) == has_key));
    if (has_key) {
        string(r, node ? node->key : NULL);
        skip(r);
        expect(r, ':');
        skip(r);
    }
    int c = peek(r);
    akin_json_kind kind = c == '"'   ? AKIN_JSON_STRING
                          : c == '[' ? AKIN_JSON_ARRAY
                          : c == '{' ? AKIN_JSON_OBJECT
                          : c == 'n' ? AKIN_JSON_NULL
                          : c == 't' ? AKIN_JSON_TRUE
                          : c == 'f' ? AKIN_JSON_FALSE
                                     : AKIN_JSON_NUMBER;
    require(!node || (node->kind == kind && (node->text != NULL) == (c == '"' || kind == AKIN_JSON_NUMBER)));
    if (kind == AKIN_JSON_STRING)
        string(r, node ? node->text : NULL);
    else if (kind == AKIN_JSON_ARRAY || kind == AKIN_JSON_OBJECT)
        collection(r, depth + 1, c == '[' ? ']' : '}');
    else if (kind == AKIN_JSON_NUMBER)
        number(r, node ? node->text : NULL);
    else
        word(r, c == 'n' ? "null" : c == 't' ? "true" : "false");
    require(!node || node->next == r->node);
}

/* Whether all of a text is JSON; with a tree, that it is of this text. */
static int is_json(const char *text, size_t size, const akin_json_node *nodes)
{
    reading r = {.at = text, .end = text + size, .nodes = nodes, .line = 1};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        r.at += 3;
    if (memchr(text, '\0', size) || akin_utf8_check(text, size) != size)
        return 0;
    skip(&r);
    value(&r, 0, 0);
    skip(&r);
    return r.at == r.end;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    akin_json *json = NULL;
    akin_error error;
    if (size == 0 || size > AKIN_JSON_LONGEST)
        return 0;
    const char *text = (const char *)data;
    akin_status status = akin_json_parse("input", text, size, &json, &error);
    require(status == (is_json(text, size, NULL) ? AKIN_OK : AKIN_E_INPUT));
    if (status == AKIN_OK)
        require(is_json(text, size, akin_json_nodes(json)));
    else
        require(strncmp(error.message, "input:", 6) == 0);
    akin_json_free(json);
    return 0;
}
