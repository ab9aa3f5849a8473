/*
 * A JSON text as a tree, its values listed in the order of the text, each with what it holds behind it:
 *
 *     {"a": [1, 2], "b": true}
 *
 *     node    0 object   1 array "a"   2 number   3 number   4 true "b"
 *     next    5          4             3          4          5
 *
 * The text is copied, with a line feed behind it, which ends every scan of json.h, and read once. Decoded strings go to
 * a buffer of the length of the text, since no string is longer than its JSON form with the quotes. A whole number is
 * kept as digits alone: 1.0 as 1, and 1e3 as 1000. That is longer only with an exponent, for which the buffer has room.
 */
#include "base/foreign.h"
#include "base/memory.h"
#include "base/reader.h"
#include "table/json.h"
#include "table/utf8.h"

#include <string.h>

#define MARK "\xef\xbb\xbf"

struct akin_json {
    akin_json_node *nodes;
    uint32_t count;
    uint64_t capacity;
    char *texts;
};

typedef struct parsing {
    akin_json *json;
    const char *name, *at, *end; /* of the text: at `end` is a line feed */
    const char *line_begin;      /* of the line that `at` is on */
    uint64_t line;
    char *text;                     /* where the next string is written */
    uint32_t open[AKIN_JSON_DEPTH]; /* the arrays and objects that `at` is within */
    uint32_t depth;
    akin_json_finder find;
    akin_json_fault fault;
} parsing;

/* ------------------------------------------------------------------------------------------------------------ bytes */

static akin_status fail_parsing(const parsing *p, const char *at, const char *expected, akin_error *error)
{
    return akin_fail_line(error, AKIN_E_INPUT, AKIN_REASON_MALFORMED, p->name, p->line, "byte %llu: expected %s",
                          (unsigned long long)(at - p->line_begin) + 1, expected);
}

static akin_status fail_fault(const parsing *p, akin_error *error)
{
    return fail_parsing(p, p->fault.at, p->fault.expected, error);
}

static uint64_t lines_before(const char *text, size_t length)
{
    uint64_t lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    return lines;
}

/* Refuses what is no text. */
static akin_status check_bytes(const char *name, const char *text, size_t length, akin_error *error)
{
    const char *zero = memchr(text, '\0', length), *foreign;
    size_t upto = zero ? (size_t)(zero - text) : length, valid = akin_utf8_check(text, upto);
    uint64_t line = lines_before(text, valid) + 1;
    if (valid == length)
        return AKIN_OK;
    if ((foreign = akin_wide(text, length)) != NULL)
        return akin_fail_line(error, AKIN_E_INPUT, AKIN_REASON_UTF16, name, line, "%s", foreign);
    if (valid < upto)
        return akin_fail_line(error, AKIN_E_INPUT, zero ? AKIN_REASON_NUL : AKIN_REASON_NOT_UTF8, name, line,
                              "is not UTF-8 (byte 0x%02x), which JSON is in", (unsigned char)text[valid]);
    return akin_fail_line(error, AKIN_E_INPUT, AKIN_REASON_NUL, name, line, "has a NUL byte, which text never has");
}

/* Passes over blanks, and lines. */
static void skip(parsing *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\r' || *p->at == '\n'))
        if (*p->at++ == '\n') {
            p->line++;
            p->line_begin = p->at;
        }
}

/* ----------------------------------------------------------------------------------------------------------- values */

/* Takes the string whose opening quote is at `at`. */
static akin_status take_string(parsing *p, const char **out, akin_error *error)
{
    int escaped;
    const char *begin = p->at + 1, *end = akin_json_string(begin, p->find, &escaped, &p->fault);
    if (!end)
        return fail_fault(p, error);
    size_t length = akin_json_decode(begin, (size_t)(end - begin), 0, p->text, &p->fault);
    if (length == SIZE_MAX)
        return fail_fault(p, error);
    *out = p->text;
    p->text += length;
    *p->text++ = '\0';
    p->at = end + 1;
    return AKIN_OK;
}

/* Takes a key with its colon. */
static akin_status take_key(parsing *p, const char **out, akin_error *error)
{
    if (*p->at != '"')
        return fail_parsing(p, p->at, "a key in double quotes", error);
    akin_status status = take_string(p, out, error);
    skip(p);
    if (status == AKIN_OK && *p->at++ != ':')
        return fail_parsing(p, p->at - 1, "':' and a value", error);
    skip(p);
    return status;
}

#define WHOLE_DIGITS 20 /* of a whole number, at most, that is written with a fraction or an exponent */

/* The exponent of a number, whose text is `from` behind the digits; 1000 or more stands for all that are larger. */
static int exponent_of(const char *from, const char *end)
{
    int exponent = 0;
    const char *digit = from + 1 + (from < end && (from[1] == '-' || from[1] == '+'));
    for (; digit < end && exponent < 1000; digit++)
        exponent = exponent * 10 + (*digit - '0');
    return from < end && from[1] == '-' ? -exponent : exponent;
}

/* A number without its sign: digits, and the zeros that follow these before the point. Below 0: how many of the digits
 * stand behind the point. */
typedef struct decimal {
    char digits[2 * WHOLE_DIGITS];
    size_t count;
    int zeros;
} decimal;

/* Reads a number; 0: it is too long. */
static int read_decimal(const char *begin, const char *end, decimal *out)
{
    const char *at = begin + (*begin == '-'), *point = NULL;
    *out = (decimal){.count = 0};
    for (; at < end && *at != 'e' && *at != 'E'; at++) {
        if (*at == '.')
            point = at;
        else if (out->count == sizeof out->digits)
            return 0;
        else
            out->digits[out->count++] = *at;
    }
    out->zeros = exponent_of(at, end) - (point ? (int)(at - point) - 1 : 0);
    return 1;
}

/* Leaves out what stands behind the point; returns whether that was zeros alone. */
static int make_whole(decimal *d)
{
    for (; d->zeros < 0; d->zeros++)
        if (d->count > 0 && d->digits[--d->count] != '0')
            return 0;
    return 1;
}

/* Writes a whole number as digits alone, and returns their end; NULL: the number is not whole, or long. */
static char *put_whole(char *to, const char *begin, const char *end)
{
    decimal d;
    size_t first = 0; /* digit that is written */
    if (!read_decimal(begin, end, &d) || !make_whole(&d))
        return NULL;
    while (first < d.count && d.digits[first] == '0')
        first++;
    const int zeros = first < d.count ? d.zeros : 1; /* of a zero itself */
    if (zeros > WHOLE_DIGITS || d.count - first + (size_t)zeros > WHOLE_DIGITS)
        return NULL;
    if (*begin == '-' && first < d.count)
        *to++ = '-';
    memcpy(to, d.digits + first, d.count - first);
    to += d.count - first;
    memset(to, '0', (size_t)zeros);
    return to + zeros;
}

/* Takes a number, true, false or null. */
static akin_status take_word(parsing *p, akin_json_node *node, akin_error *error)
{
    const char *begin = p->at, *end = akin_json_value(begin, p->find, &p->fault);
    if (!end)
        return fail_fault(p, error);
    p->at = end;
    node->kind = *begin == 'n'   ? AKIN_JSON_NULL
                 : *begin == 'f' ? AKIN_JSON_FALSE
                 : *begin == 't' ? AKIN_JSON_TRUE
                                 : AKIN_JSON_NUMBER;
    if (node->kind != AKIN_JSON_NUMBER)
        return AKIN_OK;
    node->text = p->text;
    char *whole = put_whole(p->text, begin, end);
    if (!whole)
        memcpy(p->text, begin, (size_t)(end - begin));
    p->text = whole ? whole : p->text + (end - begin);
    *p->text++ = '\0';
    return AKIN_OK;
}

static char closing(const parsing *p)
{
    return p->json->nodes[p->open[p->depth - 1]].kind == AKIN_JSON_ARRAY ? ']' : '}';
}

/* Takes a value, and its key if it is of an object; of an array or object only its beginning. */
static akin_status take_value(parsing *p, akin_error *error)
{
    akin_json *json = p->json;
    akin_json_node node = {.line = p->line, .next = json->count + 1};
    akin_status status = p->depth > 0 && closing(p) == '}' ? take_key(p, &node.key, error) : AKIN_OK;
    if (status != AKIN_OK)
        return status;
    if (*p->at == '[' || *p->at == '{') {
        if (p->depth == AKIN_JSON_DEPTH)
            return fail_parsing(p, p->at, "values within one another at most 512 deep", error);
        node.kind = *p->at++ == '[' ? AKIN_JSON_ARRAY : AKIN_JSON_OBJECT;
        p->open[p->depth++] = json->count;
    } else if (*p->at == '"') {
        node.kind = AKIN_JSON_STRING;
        status = take_string(p, &node.text, error);
    } else {
        status = take_word(p, &node, error);
    }
    akin_json_node *nodes = akin_enlarge(NULL, json->nodes, &json->capacity, (uint64_t)json->count + 1, sizeof *nodes);
    if (!nodes)
        return status == AKIN_OK ? akin_fail_memory(error, "a JSON text") : status;
    json->nodes = nodes;
    nodes[json->count++] = node;
    return status;
}

/* Takes all there is, value by value. */
static akin_status take_text(parsing *p, akin_error *error)
{
    int is_first = 1; /* of the array or object that has just begun */
    skip(p);
    do {
        uint32_t depth = p->depth;
        akin_status status = take_value(p, error);
        if (status != AKIN_OK)
            return status;
        is_first = p->depth > depth;
        skip(p);
        while (p->depth > 0 && *p->at == closing(p)) {
            p->json->nodes[p->open[--p->depth]].next = p->json->count;
            p->at++;
            is_first = 0;
            skip(p);
        }
        if (p->depth > 0 && !is_first) {
            if (*p->at != ',')
                return fail_parsing(p, p->at, closing(p) == ']' ? "',' or ']'" : "',' or '}'", error);
            p->at++;
            skip(p);
        }
    } while (p->depth > 0);
    return p->at == p->end ? AKIN_OK : fail_parsing(p, p->at, "the end of the file", error);
}

/* ------------------------------------------------------------------------------------------------------------- text */

/* The bytes that whole numbers may need beside those of the text: each has an exponent. */
static size_t more_bytes(const char *text, size_t length)
{
    size_t exponents = 0;
    for (size_t i = 1; i < length; i++)
        exponents += (text[i] == 'e' || text[i] == 'E') && text[i - 1] >= '0' && text[i - 1] <= '9';
    return exponents * WHOLE_DIGITS;
}

static akin_status parse(const char *name, const char *text, size_t length, akin_json *json, akin_error *error)
{
    char *copy = akin_alloc(NULL, length + 1, 1);
    json->texts = akin_alloc(NULL, length + more_bytes(text, length) + 1, 1);
    akin_status status = AKIN_OK;
    if (copy && json->texts) {
        memcpy(copy, text, length);
        copy[length] = '\n';
        parsing p = {.json = json, .name = name, .at = copy, .end = copy + length, .line_begin = copy, .line = 1};
        p.text = json->texts;
        p.find = akin_json_finder_for(AKIN_CPU_SCALAR); /* which reads nothing beyond the line feed */
        status = take_text(&p, error);
    } else {
        status = akin_fail_memory(error, "a JSON text");
    }
    akin_free(copy);
    return status;
}

akin_status akin_json_parse(const char *name, const char *text, uint64_t length, akin_json **out, akin_error *error)
{
    size_t mark = strlen(MARK);
    if (length > AKIN_JSON_LONGEST)
        return akin_fail(error, AKIN_E_LIMIT, "%s: is longer than %d bytes: expected a short JSON text", name,
                         AKIN_JSON_LONGEST);
    if (length >= mark && memcmp(text, MARK, mark) == 0) {
        text += mark;
        length -= mark;
    }
    akin_status status = check_bytes(name, text, (size_t)length, error);
    if (status != AKIN_OK)
        return status;
    akin_json *json = akin_alloc_zero(NULL, 1, sizeof *json);
    if (!json)
        return akin_fail_memory(error, "a JSON text");
    status = parse(name, text, (size_t)length, json, error);
    if (status == AKIN_OK)
        *out = json;
    else
        akin_json_free(json);
    return status;
}

/* Adds what the reader has to *text, up to a byte more than is allowed. */
static akin_status read_all(akin_reader *reader, char **text, uint64_t *length, akin_error *error)
{
    uint64_t capacity = 0;
    for (;;) {
        char *block;
        size_t more;
        akin_status status = akin_reader_next(reader, &block, &more, error);
        if (status != AKIN_OK || more == 0 || *length > AKIN_JSON_LONGEST)
            return status;
        if (more > AKIN_JSON_LONGEST + 1 - *length)
            more = (size_t)(AKIN_JSON_LONGEST + 1 - *length);
        char *moved = akin_enlarge(NULL, *text, &capacity, *length + more, 1);
        if (!moved)
            return akin_fail_memory(error, "a JSON text");
        *text = moved;
        memcpy(moved + *length, block, more);
        *length += more;
    }
}

akin_status akin_json_read(akin_context *context, const char *path, akin_json **out, akin_error *error)
{
    akin_reader *reader;
    char *text = NULL;
    uint64_t length = 0;
    akin_status status = akin_reader_open(akin_scope_of(context), path, &reader, error);
    if (status != AKIN_OK)
        return status;
    status = read_all(reader, &text, &length, error);
    if (status == AKIN_OK)
        status = akin_json_parse(akin_reader_name(reader), text ? text : "", length, out, error);
    akin_free(text);
    akin_reader_close(reader);
    return status;
}

const akin_json_node *akin_json_nodes(const akin_json *json)
{
    return json->nodes;
}

void akin_json_free(akin_json *json)
{
    if (!json)
        return;
    akin_free(json->nodes);
    akin_free(json->texts);
    akin_free(json);
}
