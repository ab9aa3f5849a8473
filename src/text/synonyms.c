/* Reads synonyms: a group on each line. */
#include "text/synonyms.h"

#include "base/memory.h"
#include "base/reader.h"
#include "base/scope.h"
#include "table/utf8.h"
#include "text/unicode.h"
#include "text/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define BYTES_MOST ((uint64_t)1 << 28) /* folded text, which can be longer, has places of 32 bits */

static const char what[] = "synonyms"; /* the memory is for */

/* ----------------------------------------------------------------------------------------------------------- words */

/* Whether the code point at that place is a part of a word, and its length in *size. */
static int is_word(const char *text, uint64_t left, size_t *size)
{
    const unsigned char c = (unsigned char)*text;
    *size = 1;
    if (c < 0x80)
        return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
    const uint32_t point = akin_utf8_decode(text, (size_t)left, size);
    return point != AKIN_NO_POINT && akin_unicode_is_word(point);
}

uint64_t akin_synonyms_word(const char *text, uint64_t length, uint64_t at, uint64_t *begin)
{
    size_t size;
    while (at < length && !is_word(text + at, length - at, &size))
        at += size;
    *begin = at;
    if (at == length)
        return 0;
    while (at < length && is_word(text + at, length - at, &size))
        at += size;
    return at;
}

/* ------------------------------------------------------------------------------------------------------------ lines */

/* A text that is read. */
typedef struct reading {
    akin_synonyms *into;
    const char *called;
    const char *at, *end;
    uint64_t line;
    int is_first; /* the next entry is the first one of its line */
} reading;

AKIN_PRINTF(3, 4)
static akin_status refuse(const reading *r, akin_error *error, const char *format, ...)
{
    char message[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return akin_fail_line(error, AKIN_E_INPUT, AKIN_REASON_MALFORMED, r->called, r->line, "%s", message);
}

static int is_blank(char c)
{
    return c == ' ' || c == '\r';
}

static int is_separator(char c)
{
    return c == ',' || c == ';' || c == '\t';
}

/* Adds an entry, whose text is at the end of that of all, unless it is empty. */
static akin_status add_entry(reading *r, uint64_t begin, akin_error *error)
{
    akin_synonyms *s = r->into;
    const uint64_t length = s->length - begin;
    uint64_t first;
    if (length == 0)
        return AKIN_OK;
    if (akin_synonyms_word(s->text + begin, length, 0, &first) == 0)
        return refuse(r, error, "'%.*s' has no letters and no digits", length < 40 ? (int)length : 40, s->text + begin);
    akin_synonyms_entry *entries = akin_enlarge(NULL, s->entries, &s->capacity, s->count + 1, sizeof *entries);
    if (!entries)
        return akin_fail_memory(error, what);
    s->entries = entries;
    entries[s->count++] = (akin_synonyms_entry){.begin = (uint32_t)begin,
                                                .length = (uint32_t)length,
                                                .line = (uint32_t)r->line,
                                                .is_first = (uint32_t)r->is_first};
    r->is_first = 0;
    return AKIN_OK;
}

/* Reads an entry in quotes, up to the separator or the end of the line. */
static akin_status read_quoted(reading *r, const char *line_end, akin_error *error)
{
    akin_synonyms *s = r->into;
    for (r->at++; r->at < line_end && (*r->at != '"' || (r->at + 1 < line_end && r->at[1] == '"')); r->at++) {
        r->at += *r->at == '"';
        s->text[s->length++] = *r->at;
    }
    if (r->at == line_end)
        return refuse(r, error, "a quote is not closed");
    for (r->at++; r->at < line_end && is_blank(*r->at);)
        r->at++;
    return r->at == line_end || is_separator(*r->at) ? AKIN_OK : refuse(r, error, "something follows a quote");
}

/* Reads the entry that begins at r->at. */
static akin_status read_entry(reading *r, const char *line_end, akin_error *error)
{
    akin_synonyms *s = r->into;
    const uint64_t begin = s->length;
    akin_status status = AKIN_OK;
    while (r->at < line_end && is_blank(*r->at))
        r->at++;
    if (r->at < line_end && *r->at == '"')
        status = read_quoted(r, line_end, error);
    else
        while (r->at < line_end && !is_separator(*r->at))
            s->text[s->length++] = *r->at++;
    while (s->length > begin && is_blank(s->text[s->length - 1]))
        s->length--;
    return status == AKIN_OK ? add_entry(r, begin, error) : status;
}

static akin_status read_line(reading *r, const char *line_end, akin_error *error)
{
    akin_status status = AKIN_OK;
    r->is_first = 1;
    if (r->at == line_end || *r->at == '#')
        return AKIN_OK;
    while (status == AKIN_OK) {
        status = read_entry(r, line_end, error);
        if (r->at >= line_end)
            break;
        r->at++; /* the separator */
    }
    return status;
}

static akin_status read_lines(reading *r, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (r->line = 1; r->at < r->end && status == AKIN_OK; r->line++) {
        const char *feed = memchr(r->at, '\n', (size_t)(r->end - r->at)), *line_end = feed ? feed : r->end;
        if (memchr(r->at, '\0', (size_t)(line_end - r->at)))
            status = refuse(r, error, "has a NUL byte, which no text has");
        else if (akin_utf8_check(r->at, (size_t)(line_end - r->at)) < (size_t)(line_end - r->at))
            status = refuse(r, error, "is not valid UTF-8");
        else
            status = read_line(r, line_end, error);
        r->at = feed ? feed + 1 : r->end;
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------------- made */

akin_status akin_synonyms_create(akin_synonyms **out, akin_error *error)
{
    akin_synonyms *synonyms = akin_alloc_zero(NULL, 1, sizeof *synonyms);
    if (!synonyms)
        return akin_fail_memory(error, what);
    *out = synonyms;
    return AKIN_OK;
}

void akin_synonyms_free(akin_synonyms *synonyms)
{
    if (!synonyms)
        return;
    akin_free(synonyms->text);
    akin_free(synonyms->entries);
    akin_free(synonyms);
}

/* Makes room for so many bytes behind the text. */
static akin_status reserve_text(akin_synonyms *s, uint64_t length, const char *called, akin_error *error)
{
    if (length > BYTES_MOST || length > BYTES_MOST - s->length)
        return akin_fail(error, AKIN_E_LIMIT, "%s: expected at most %llu bytes of synonyms", called,
                         (unsigned long long)BYTES_MOST);
    char *larger = akin_enlarge(NULL, s->text, &s->room, s->length + length + 1, 1);
    if (!larger)
        return akin_fail_memory(error, what);
    s->text = larger;
    return AKIN_OK;
}

akin_status akin_synonyms_append(akin_synonyms *synonyms, const akin_synonyms *others, akin_error *error)
{
    akin_synonyms *s = synonyms;
    akin_status status = reserve_text(s, others->length, what, error);
    akin_synonyms_entry *entries =
        status == AKIN_OK ? akin_enlarge(NULL, s->entries, &s->capacity, s->count + others->count, sizeof *entries)
                          : NULL;
    if (!entries)
        return status == AKIN_OK ? akin_fail_memory(error, what) : status;
    s->entries = entries;
    for (uint64_t i = 0; i < others->count; i++) {
        entries[s->count + i] = others->entries[i];
        entries[s->count + i].begin += (uint32_t)s->length;
    }
    if (others->length > 0)
        memcpy(s->text + s->length, others->text, (size_t)others->length);
    s->count += others->count;
    s->length += others->length;
    return AKIN_OK;
}

akin_status akin_synonyms_add(akin_synonyms *synonyms, const char *called, const char *text, uint64_t length,
                              akin_error *error)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of the order of bytes */
    const uint64_t count = synonyms->count, before = synonyms->length;
    akin_status status = reserve_text(synonyms, length, called, error);
    if (status != AKIN_OK)
        return status;
    reading r = {.into = synonyms, .called = called, .at = text, .end = text + length};
    if (length >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0)
        r.at += sizeof mark - 1;
    status = read_lines(&r, error);
    if (status != AKIN_OK) {
        synonyms->count = count;
        synonyms->length = before;
    }
    return status;
}

/* The content of a file. */
static akin_status read_all(akin_reader *reader, char **text, uint64_t *length, akin_error *error)
{
    uint64_t room = 0;
    char *data;
    size_t size = 0;
    akin_status status = akin_reader_next(reader, &data, &size, error);
    for (; status == AKIN_OK && size > 0; status = akin_reader_next(reader, &data, &size, error)) {
        char *larger = akin_enlarge(NULL, *text, &room, *length + size, 1);
        if (!larger)
            return akin_fail_memory(error, what);
        *text = larger;
        memcpy(larger + *length, data, size);
        *length += size;
    }
    return status;
}

akin_status akin_synonyms_read(akin_context *context, akin_synonyms *synonyms, const char *path, akin_error *error)
{
    akin_reader *reader = NULL;
    char *text = NULL;
    uint64_t length = 0;
    akin_status status = akin_reader_open(akin_scope_of(context), path, &reader, error);
    if (status == AKIN_OK)
        status = read_all(reader, &text, &length, error);
    if (status == AKIN_OK)
        status = akin_synonyms_add(synonyms, akin_reader_name(reader), text ? text : "", length, error);
    akin_reader_close(reader);
    akin_free(text);
    return status;
}
