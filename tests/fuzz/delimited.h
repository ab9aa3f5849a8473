/* A plain parser of CSV and TSV, byte by byte, for the fuzzers of both. */
#ifndef AKIN_FUZZ_DELIMITED_H
#define AKIN_FUZZ_DELIMITED_H

#include "table.h"

typedef struct reading {
    const char *bytes;
    size_t size, at;
    long line;
    char separator;
    int quotes;
    int is_header; /* which has no carriage return outside quotes */
} reading;

/* Whether a line ends at `at`; *length is that of the line end. */
static inline int line_ends(const reading *r, size_t at, size_t *length)
{
    size_t crs = at < r->size && r->bytes[at] == '\r';
    *length = at + crs < r->size ? crs + 1 : r->size - at;
    return at + crs == r->size || r->bytes[at + crs] == '\n';
}

/* Reads a field up to its end into *out. Returns the line of a mistake, or 0. */
static inline long plain_field(reading *r, text *out)
{
    size_t unused;
    if (r->quotes && r->at < r->size && r->bytes[r->at] == '"') {
        long begun = r->line;
        for (r->at++;; r->at++) {
            if (r->at == r->size)
                return begun;
            if (r->bytes[r->at] == '"') {
                r->at++;
                if (r->at == r->size || r->bytes[r->at] != '"')
                    break;
            }
            r->line += r->bytes[r->at] == '\n';
            text_add(out, r->bytes + r->at, 1);
        }
        return line_ends(r, r->at, &unused) || r->bytes[r->at] == r->separator ? 0 : r->line;
    }
    for (; !line_ends(r, r->at, &unused) && r->bytes[r->at] != r->separator; r->at++) {
        if ((r->quotes && r->bytes[r->at] == '"') || (r->is_header && r->bytes[r->at] == '\r'))
            return r->line;
        text_add(out, r->bytes + r->at, 1);
    }
    return 0;
}

/* Reads a record: its strings to *row, how many there are to *fields. Returns the line of a mistake, or 0. */
static inline long plain_record(reading *r, text *row, size_t *fields)
{
    for (*fields = 1;; ++*fields) {
        text field = {0};
        size_t length;
        text_add(&field, "", 0);
        long line = plain_field(r, &field);
        text_add_string(row, field.bytes ? field.bytes : "", field.length);
        free(field.bytes);
        if (line || line_ends(r, r->at, &length))
            return line;
        r->at++;
    }
}

/* Whether two of the strings, each with its length before it, are the same. */
static inline int repeats(const text *row)
{
    for (char *a = row->bytes, *end = row->bytes + row->length, *next; a < end; a = next) {
        size_t length = strtoul(a, &next, 10);
        next += 1 + length;
        for (char *b = next, *after; b < end; b = after) {
            size_t other = strtoul(b, &after, 10);
            after += 1 + other;
            if (after - b == next - a && memcmp(a, b, (size_t)(next - a)) == 0)
                return 1;
        }
    }
    return 0;
}

static inline plain plain_delimited(const char *bytes, size_t size, char separator, int quotes)
{
    plain p = {{0}, -1};
    size_t columns = 0;
    reading r = {bytes, size, 0, 1, separator, quotes, 1};
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        r.at = 3;
    while (r.at < size) {
        size_t begin = r.at, fields, end_length;
        long line = r.line;
        if (!line_ends(&r, r.at, &end_length)) {
            text row = {0};
            p.line = plain_record(&r, &row, &fields);
            if (!p.line && (columns ? fields != columns : repeats(&row)))
                p.line = line;
            if (columns) {
                text_add_row(&p.table, line);
                text_add_string(&p.table, bytes + begin, r.at - begin);
            }
            text_add(&p.table, row.bytes, row.length);
            if (!columns) {
                text_add_string(&p.table, bytes + begin, r.at - begin);
                columns = fields;
                r.is_header = 0;
            }
            free(row.bytes);
            if (p.line)
                break;
            line_ends(&r, r.at, &end_length);
        }
        r.at += end_length;
        r.line++;
    }
    return p;
}

#endif
