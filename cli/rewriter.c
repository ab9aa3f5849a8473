/* Records with another text in one column: the value is found in the record, and written again. */
#include "rewriter.h"

#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "writer.h"

/* ------------------------------------------------------------------------------------------------------ CSV and TSV */

/* The byte behind the field that begins at `at`. */
static uint64_t field_end(const akin_cli_rewriter *r, const char *record, uint64_t length, uint64_t at)
{
    if (r->row->quote && at < length && record[at] == r->row->quote)
        for (at++;
             at < length && (record[at] != r->row->quote || (at + 1 < length && record[at + 1] == r->row->quote));)
            at += record[at] == r->row->quote ? 2 : 1;
    const char *end = at < length ? memchr(record + at, r->row->separator, (size_t)(length - at)) : NULL;
    return end ? (uint64_t)(end - record) : length;
}

static int find_field(const akin_cli_rewriter *r, const char *record, uint64_t length, uint64_t *begin, uint64_t *end)
{
    *begin = 0;
    *end = field_end(r, record, length, 0);
    for (uint64_t i = 0; i < r->field && *end < length; i++) {
        *begin = *end + 1;
        *end = field_end(r, record, length, *begin);
    }
    return 1;
}

/* Whether a field has a name, which may stand in quotes. */
static int is_named(const akin_cli_rewriter *r, const char *field, uint64_t length, const char *name)
{
    const int quoted = r->row->quote && length >= 2 && field[0] == r->row->quote;
    const char *end = field + length - quoted;
    for (field += quoted; field < end && *name && *field == *name; name++)
        field += quoted && *field == r->row->quote ? 2 : 1;
    return field == end && !*name;
}

static int find_name(akin_cli_rewriter *r, const char *header, uint64_t length)
{
    const int mark = length >= 3 && memcmp(header, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    uint64_t at = (uint64_t)mark, end;
    for (r->field = 0; at <= length; r->field++, at = end + 1) {
        end = field_end(r, header, length, at);
        if (is_named(r, header + at, end - at, r->column))
            return 1;
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------------------- JSON lines */

/* The byte behind a string that begins at `at`. */
static uint64_t string_end(const char *record, uint64_t length, uint64_t at)
{
    for (at++; at < length && record[at] != '"'; at++)
        at += record[at] == '\\';
    return at + 1;
}

static int is_among(char byte, const char *bytes)
{
    return byte && strchr(bytes, byte);
}

static uint64_t skip_blanks(const char *record, uint64_t length, uint64_t at)
{
    while (at < length && is_among(record[at], " \t\r\n"))
        at++;
    return at;
}

/* The byte behind the value that begins at `at`. */
static uint64_t value_end(const char *record, uint64_t length, uint64_t at)
{
    uint64_t depth = 0;
    if (record[at] == '"')
        return string_end(record, length, at);
    for (; at < length && (depth > 0 || !is_among(record[at], ",}] \t\r\n")); at++) {
        depth += is_among(record[at], "{[") ? 1 : 0;
        if (record[at] == '"')
            at = string_end(record, length, at) - 1;
        else if (is_among(record[at], "}]") && --depth == 0)
            return at + 1;
    }
    return at;
}

/* Whether a key, in quotes, is a name. */
static int is_key(const char *key, uint64_t length, const char *name)
{
    akin_json *json = NULL;
    if (!memchr(key, '\\', (size_t)length))
        return strlen(name) == length - 2 && memcmp(key + 1, name, (size_t)length - 2) == 0;
    const int found = akin_json_parse("", key, (size_t)length, &json, NULL) == AKIN_OK &&
                      strcmp(akin_json_nodes(json)->text, name) == 0;
    akin_json_free(json);
    return found;
}

/* Records have been read, so they are objects. */
static int find_value(const akin_cli_rewriter *r, const char *record, uint64_t length, uint64_t *begin, uint64_t *end)
{
    uint64_t at = skip_blanks(record, length, 0) + 1; /* behind the brace */
    while ((at = skip_blanks(record, length, at)) < length && record[at] == '"') {
        const uint64_t key = at;
        at = string_end(record, length, at);
        const int found = is_key(record + key, at - key, r->column);
        *begin = skip_blanks(record, length, skip_blanks(record, length, at) + 1); /* behind the colon */
        if (*begin >= length)
            return 0;
        *end = value_end(record, length, *begin);
        if (found)
            return 1;
        at = skip_blanks(record, length, *end) + 1; /* behind the comma */
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------------------ any format */

/* A line is the value. */
static int find_line(const akin_cli_rewriter *r, const char *record, uint64_t length, uint64_t *begin, uint64_t *end)
{
    (void)r;
    (void)record;
    *begin = 0;
    *end = length;
    return 1;
}

static const akin_cli_rewriter_row rows[] = {{AKIN_FORMAT_CSV, ',', '"', find_field},
                                             {AKIN_FORMAT_TSV, '\t', '\0', find_field},
                                             {AKIN_FORMAT_JSONL, '\0', '\0', find_value},
                                             {AKIN_FORMAT_TEXT, '\0', '\0', find_line}};

static const akin_cli_rewriter_row *row_of(akin_format format)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].format == format)
            return &rows[i];
    return NULL;
}

int akin_cli_rewriter_can(akin_format format)
{
    return row_of(format) != NULL;
}

akin_status akin_cli_rewriter_begin(akin_cli_rewriter *rewriter, const char *column, akin_format format,
                                    const char *header, uint64_t length, akin_error *error)
{
    rewriter->column = column;
    rewriter->row = row_of(format);
    if (rewriter->row->find != find_field || find_name(rewriter, header, length))
        return AKIN_OK;
    return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NO_COLUMN, "the header has no column '%.600s'", column);
}

void akin_cli_rewriter_clear(akin_cli_rewriter *rewriter)
{
    free(rewriter->buffer);
    *rewriter = (akin_cli_rewriter){0};
}

/* Writes the text into the buffer, as the format has it. is_alone: the record is this value. */
static akin_status put_value(akin_cli_rewriter *r, const char *text, uint64_t length, int is_alone, uint64_t *written,
                             akin_error *error)
{
    const uint64_t room = 6 * length + 3;
    if (room > r->capacity) {
        char *buffer = realloc(r->buffer, (size_t)room);
        if (!buffer)
            return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for a record");
        r->buffer = buffer;
        r->capacity = room;
    }
    *written = akin_cli_name_write(r->buffer, text, (size_t)length, (akin_cli_format)r->row->format);
    if (*written == 0 && is_alone && r->row->quote) { /* an empty line is no record of CSV */
        r->buffer[0] = r->buffer[1] = r->row->quote;
        *written = 2;
    }
    return AKIN_OK;
}

akin_status akin_cli_rewriter_write(akin_cli_rewriter *rewriter, const char *record, uint64_t length, const char *text,
                                    uint64_t text_length, akin_output *output, akin_error *error)
{
    uint64_t begin = 0, end = 0, written = 0;
    if (!rewriter->row->find(rewriter, record, length, &begin, &end))
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NONE, "a record has no value of '%.600s'",
                              rewriter->column);
    akin_status status = put_value(rewriter, text, text_length, end - begin == length, &written, error);
    if (status == AKIN_OK)
        status = akin_output_write(output, record, (size_t)begin, error);
    if (status == AKIN_OK)
        status = akin_output_write(output, rewriter->buffer, (size_t)written, error);
    if (status == AKIN_OK)
        status = akin_output_write(output, record + end, (size_t)(length - end), error);
    return status == AKIN_OK ? akin_output_write(output, "\n", 1, error) : status;
}
