/*
 * CSV and TSV: fields found 64 bytes at a time.
 *
 * A byte is within quotes if the number of quotes up to it is odd. The running parity of the quotes' bits shows this
 * for 64 bytes at once. Separators and line feeds outside quotes are the ends of fields:
 *
 *     text     a , " b , " " c " , d LF
 *     quote    . . 1 . . 1 1 . 1 . . .
 *     inside   . . 1 1 1 . 1 1 . . . .
 *     ends     . 1 . . . . . . . 1 . 1
 *
 * A quote that opens must follow the end of a field or, as the second of a doubled one, a quote. So one check of a
 * field is left: if it begins with a quote, it ends with one.
 */
#include "table/delimited.h"

#include "base/bits.h"
#include "base/counted.h"
#include "base/foreign.h"
#include "base/limits.h"
#include "base/memory.h"
#include "table/marks.h"

#define NAMES_SHOWN 480 /* bytes */

/* A field, or the row, that ends at hand. */
typedef struct place {
    const char *text;   /* the block */
    const char *field;  /* where the field begins, or the block if it began before */
    const char *record; /* the record likewise */
} place;

static akin_status fail_at(const akin_parser *p, uint64_t line, akin_error *error, const char *what)
{
    return akin_fail_line(error, AKIN_E_INPUT, AKIN_REASON_MALFORMED, p->name, line, "field %llu %s",
                          (unsigned long long)p->delimited.field + 1, what);
}

static akin_status fail_return(const akin_parser *p, const place *here, const char *at, akin_error *error)
{
    return akin_fail_line(error, AKIN_E_INPUT, AKIN_REASON_MALFORMED, p->name, akin_parser_line(p, here->text, at),
                          "the header contains a carriage return; expected LF or CR LF at the end of each line (tr -d "
                          "'\\r' removes stray ones; tr '\\r' '\\n' converts lines that end in CR alone, as on old "
                          "Macs)");
}

static akin_status fail_quote(const akin_parser *p, const place *here, const char *at, akin_error *error)
{
    if (!p->delimited.has_header && at > here->text && at[-1] == '\r')
        return fail_return(p, here, at, error);
    return fail_at(p, akin_parser_line(p, here->text, at), error,
                   "has a stray quote; expected a field with quotes in it to be quoted, and those in it to be doubled");
}

/* ----------------------------------------------------------------------------------------------------------- header */

/* What to say if a header of one field looks as if something else had been meant to separate fields. */
static const char *guess_separator(const akin_parser *p, const akin_strings *header)
{
    uint64_t length;
    const char *name = akin_strings_row(header, 0, &length);
    if (header->rows != 1)
        return "";
    if (p->delimited.separator != ',')
        return memchr(name, ',', length) ? "; expected tabs between them, not commas (that is CSV)" : "";
    return memchr(name, '\t', length)  ? "; expected commas between them, not tabs (that is TSV)"
           : memchr(name, ';', length) ? "; expected commas between them, not semicolons"
                                       : "";
}

static akin_status fail_missing(const akin_parser *p, const char *name, const akin_strings *header, akin_error *error)
{
    char list[NAMES_SHOWN];
    akin_names names = {.strings = *header};
    akin_names_list(&names, list, sizeof list);
    akin_fail_column(error, AKIN_E_OPTION, AKIN_REASON_NO_COLUMN, name,
                     "%s: there is no column '%s'%s; the columns are: %s%s", p->name,
                     akin_name_show(name, AKIN_NAME_SHOWN).name, akin_names_meant(&names, name).text, list,
                     guess_separator(p, header));
    return akin_note_meant(AKIN_E_OPTION, akin_names_near(&names, name), error);
}

/* Makes the columns of the header's fields (its fields' names, with a NUL behind each) or finds the requested ones. */
static akin_status take_names(akin_parser *p, const akin_strings *header, uint64_t line, akin_error *error)
{
    akin_names seen = {0};
    akin_table *table = p->table;
    akin_status status = AKIN_OK;
    for (uint64_t i = 0; i < header->rows && status == AKIN_OK; i++) {
        uint64_t length;
        const char *name = akin_strings_row(header, i, &length);
        length--;
        int is_new = akin_names_find(&seen, name, length) == AKIN_NAMES_NONE;
        int is_kept = p->keep_all || akin_names_find(&table->names, name, length) != AKIN_NAMES_NONE;
        if (!is_new && is_kept) {
            status = akin_fail_line(error, AKIN_E_INPUT, AKIN_REASON_REPEATED, p->name, line,
                                    "two columns are named '%s'; expected each name once",
                                    akin_name_show(name, AKIN_NAME_SHOWN).name);
            akin_note_place(status, AKIN_NO_ROW, name, error);
            break;
        }
        if (is_new)
            status = akin_names_add(&seen, name, length);
        if (status == AKIN_OK && p->keep_all)
            status = akin_table_add_column(table, name, length);
        if (status != AKIN_OK)
            akin_parser_fail(p, status, error);
    }
    for (uint32_t i = 0; i < p->required && status == AKIN_OK; i++) {
        const char *name = akin_names_at(&table->names, i);
        if (akin_names_find(&seen, name, strlen(name)) == AKIN_NAMES_NONE)
            status = fail_missing(p, name, header, error);
    }
    akin_names_clear(&seen);
    return status;
}

/* The header line has been read: its fields are the names in p->table->header, for the time being. */
static akin_status end_header(akin_parser *p, const char *record, size_t length, uint64_t line, akin_error *error)
{
    akin_delimited *d = &p->delimited;
    akin_strings header = p->table->header;
    p->table->header = (akin_strings){0};
    akin_status status = take_names(p, &header, line, error);
    akin_strings **columns = status == AKIN_OK ? akin_alloc(NULL, header.rows, sizeof *columns) : NULL;
    if (status == AKIN_OK && !columns)
        status = akin_parser_fail(p, AKIN_E_NOMEM, error);
    for (uint64_t i = 0; i < header.rows && columns; i++) {
        uint64_t size;
        const char *name = akin_strings_row(&header, i, &size);
        uint32_t index = akin_names_find(&p->table->names, name, size - 1);
        columns[i] = index == AKIN_NAMES_NONE ? NULL : &p->table->columns[index];
    }
    if (status == AKIN_OK && p->table->keeps_records) {
        status = akin_strings_append(&p->table->header, record, length);
        if (status == AKIN_OK)
            status = akin_strings_end(&p->table->header);
        if (status != AKIN_OK)
            akin_parser_fail(p, status, error);
    }
    d->columns = columns;
    d->fields = header.rows;
    d->has_header = 1;
    akin_strings_clear(&header);
    return status;
}

/* ----------------------------------------------------------------------------------------------------- fields, rows */

/* Adds a field that begins with a quote: without its quotes, doubled ones once. */
static akin_status add_quoted(akin_parser *p, akin_strings *to, const char *at, size_t length)
{
    const char *end = at + length - 1;
    at++;
    while (at < end) {
        const char *quote = memchr(at, '"', (size_t)(end - at));
        const char *stop = quote ? quote + 1 : end;
        akin_status status = akin_parser_append(p, to, at, (size_t)(stop - at));
        if (status != AKIN_OK)
            return status;
        at = quote ? quote + 2 : end;
    }
    return akin_strings_end(to);
}

/* Counts the line feeds within the field, if it matters. */
static void count_feeds(akin_parser *p, const char *at, size_t length)
{
    const char *end = at + length, *feed;
    for (; p->table->keeps_lines && (feed = memchr(at, '\n', (size_t)(end - at))) != NULL; at = feed + 1)
        p->delimited.feeds++;
}

/* The same, whether it began in this block or before, and whether it is kept or not. */
__attribute__((noinline)) static akin_status end_quoted(akin_parser *p, const place *here, akin_strings *to,
                                                        const char *stop, akin_error *error)
{
    akin_delimited *d = &p->delimited;
    const char *field = here->field;
    size_t length = (size_t)(stop - field);
    akin_status status = AKIN_OK;
    if (length == 0 || stop[-1] != '"')
        return fail_quote(p, here, stop - (length > 0), error);
    if (d->pending.length > 0) {
        status = akin_strings_append(&d->pending, field, length);
        field = d->pending.bytes;
        length = d->pending.length;
    }
    count_feeds(p, field, length);
    if (status == AKIN_OK && to)
        status = add_quoted(p, to, field, length);
    d->pending.length = 0;
    return status == AKIN_OK ? AKIN_OK : akin_parser_fail(p, status, error);
}

static akin_status fail_ragged(const akin_parser *p, uint64_t line, akin_error *error)
{
    const akin_delimited *d = &p->delimited;
    return akin_fail_line(error, AKIN_E_INPUT, AKIN_REASON_MALFORMED, p->name, line,
                          "has %llu field%s; expected %llu, as in the header", (unsigned long long)d->field,
                          d->field == 1 ? "" : "s", (unsigned long long)d->fields);
}

/* Ends the record; only its part in this block is at hand. */
static akin_status end_record(akin_parser *p, const place *here, const char *stop, akin_error *error)
{
    akin_delimited *d = &p->delimited;
    const char *record = here->record;
    size_t length = (size_t)(stop - record);
    akin_status status = AKIN_OK;
    if (d->has_header && d->field != d->fields)
        return fail_ragged(p, d->record_line ? d->record_line : akin_parser_line(p, here->text, here->record), error);
    if (d->record.length > 0) {
        status = akin_strings_append(&d->record, record, length);
        record = d->record.bytes;
        length = d->record.length;
    }
    if (status == AKIN_OK && d->has_header)
        status = akin_table_end_row(p->table, d->line + 1, record, length);
    if (status != AKIN_OK)
        return akin_parser_fail(p, status, error);
    if (!d->has_header)
        status = end_header(p, record, length,
                            d->record_line ? d->record_line : akin_parser_line(p, here->text, here->record), error);
    d->line += 1 + d->feeds;
    d->feeds = 0;
    d->record.length = 0;
    d->record_line = 0;
    return status;
}

/* Whether the field that ends at hand begins with a quote: one that began in an earlier block does. */
static inline int is_quoted(const akin_delimited *d, const place *here)
{
    return (*here->field == '"' && d->quotes) || d->pending.length > 0;
}

/* Adds a field of the header, as a name with a NUL behind it. */
static akin_status add_name(akin_parser *p, const place *here, const char *stop, akin_error *error)
{
    akin_strings *header = &p->table->header;
    akin_status status;
    if (is_quoted(&p->delimited, here)) {
        status = end_quoted(p, here, header, stop, error);
        if (status != AKIN_OK)
            return status;
        header->rows--; /* goes on */
    } else {
        const char *stray = memchr(here->field, '\r', (size_t)(stop - here->field));
        if (stray)
            return fail_return(p, here, stray, error);
        status = akin_parser_append(p, header, here->field, (size_t)(stop - here->field));
    }
    if (status == AKIN_OK)
        status = akin_strings_append(header, "", 1);
    if (status == AKIN_OK)
        status = akin_strings_end(header);
    return status == AKIN_OK ? AKIN_OK : akin_parser_fail(p, status, error);
}

/* Ends the field, and the record if the byte at `end` is a line feed. */
static inline akin_status end_field(akin_parser *p, place *here, const char *end, akin_error *error)
{
    akin_delimited *d = &p->delimited;
    const char *stop = end;
    int last = *end == '\n';
    akin_status status = AKIN_OK;
    if (last && stop > here->field && stop[-1] == '\r')
        stop--;
    if (last && d->field == 0 && stop == here->field && d->pending.length == 0) { /* an empty line */
        here->field = here->record = end + 1;
        d->line++;
        return AKIN_OK;
    }
    akin_strings *to = d->field < d->fields ? d->columns[d->field] : NULL;
    if (!d->has_header) {
        status = add_name(p, here, stop, error);
    } else if (is_quoted(d, here)) {
        status = end_quoted(p, here, to, stop, error);
    } else if (to) {
        status = akin_parser_put(p, to, here->field, (size_t)(stop - here->field));
        if (status != AKIN_OK)
            akin_parser_fail(p, status, error);
    }
    if (status != AKIN_OK)
        return status;
    here->field = end + 1;
    d->field++;
    if (last) {
        status = end_record(p, here, stop, error);
        d->field = 0;
        here->record = end + 1;
    }
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- blocks */

akin_status akin_delimited_fail_long(const akin_parser *parser, akin_error *error)
{
    akin_counted room;
    const akin_delimited *d = &parser->delimited;
    return akin_fail_record(error, parser->record_most, parser->name, d->pending_line,
                            "field %llu has more than %s: perhaps its quote is not closed",
                            (unsigned long long)d->field + 1, akin_count(&room, parser->record_most.bytes, "byte"));
}

/* Keeps what has begun and not ended: the block is within quotes at its end. */
static akin_status suspend(akin_parser *p, const place *here, const char *end, akin_error *error)
{
    akin_delimited *d = &p->delimited;
    akin_status status = AKIN_OK;
    if (here->field < end) {
        if (d->pending.length == 0)
            d->pending_line = akin_parser_line(p, here->text, here->field);
        if (p->record_most.bytes && d->pending.length + (uint64_t)(end - here->field) > p->record_most.bytes)
            return akin_delimited_fail_long(p, error);
        status = akin_strings_append(&d->pending, here->field, (size_t)(end - here->field));
    }
    if (here->record < end) {
        if (d->record_line == 0)
            d->record_line = akin_parser_line(p, here->text, here->record);
        if (status == AKIN_OK && p->table->keeps_records)
            status = akin_strings_append(&d->record, here->record, (size_t)(end - here->record));
    }
    return status == AKIN_OK ? AKIN_OK : akin_parser_fail(p, status, error);
}

/* Parses a block with the given function; compiled once for each, so that it is part of the loop. */
__attribute__((always_inline)) static inline akin_status scan(akin_parser *p, const char *text, size_t length,
                                                              marker mark, akin_error *error)
{
    akin_delimited *d = &p->delimited;
    place here = {text, text, text};
    uint64_t inside = d->inside, before = 1,
             feeds = 0; /* before: whether the byte before is the end of a field, or a quote */
    for (size_t at = 0; at < length; at += MARKS_BYTES) {
        marks m = mark(text + at, d->separator);
        uint64_t there = length - at < MARKS_BYTES ? (UINT64_C(1) << (length - at)) - 1 : ~UINT64_C(0), stray = 0;
        uint64_t ends = (m.separator | m.feed) & there, quotes = d->quotes ? m.quote & there : 0;
        feeds += akin_popcount64(m.feed & there);
        if ((quotes | inside) != 0) {
            uint64_t within = running_parity(quotes) ^ inside;
            inside = 0 - (within >> 63);
            ends &= ~within;
            stray = quotes & within & ~((ends | quotes) << 1 | before);
            if (stray != 0)
                ends &= (stray & (0 - stray)) - 1;
        }
        before = (ends | quotes) >> 63;
        for (; ends != 0; ends &= ends - 1) {
            akin_status status = end_field(p, &here, text + at + __builtin_ctzll(ends), error);
            if (status != AKIN_OK)
                return status;
        }
        if (stray != 0)
            return fail_quote(p, &here, text + at + __builtin_ctzll(stray), error);
    }
    akin_status status = suspend(p, &here, text + length, error);
    d->inside = inside;
    p->lines += feeds;
    return status;
}

static akin_status scan_plain(akin_parser *p, const char *text, size_t length, akin_error *error)
{
    return scan(p, text, length, mark_plain, error);
}

#if defined(__x86_64__)
AVX2 static akin_status scan_avx2(akin_parser *p, const char *text, size_t length, akin_error *error)
{
    return scan(p, text, length, mark_avx2, error);
}
#elif defined(__aarch64__)
static akin_status scan_neon(akin_parser *p, const char *text, size_t length, akin_error *error)
{
    return scan(p, text, length, mark_neon, error);
}
#endif

void akin_csv_begin(akin_parser *parser)
{
    parser->delimited.separator = ',';
    parser->delimited.quotes = 1;
}

void akin_tsv_begin(akin_parser *parser)
{
    parser->delimited.separator = '\t';
}

akin_status akin_delimited_add(akin_parser *parser, const char *text, size_t length, akin_error *error)
{
    static akin_status (*const by_level[])(akin_parser *, const char *, size_t, akin_error *) =
        AKIN_CPU_ROW(scan_plain, scan_neon, scan_avx2, scan_avx2);
    return by_level[parser->cpu](parser, text, length, error);
}

akin_status akin_delimited_finish(akin_parser *parser, akin_error *error)
{
    const akin_delimited *d = &parser->delimited;
    if (d->inside != 0)
        return fail_at(parser, d->pending_line, error, "begins with a quote that is not closed");
    if (!d->has_header)
        return akin_fail(error, AKIN_E_INPUT, "%s: is empty; expected a line with the columns' names", parser->name);
    return AKIN_OK;
}

/* ----------------------------------------------------------------------------------------------------------- pieces */

akin_status akin_delimited_fork(const akin_parser *parser, akin_parser *piece, akin_error *error)
{
    const akin_delimited *from = &parser->delimited;
    akin_delimited *to = &piece->delimited;
    to->columns = akin_alloc(NULL, from->fields, sizeof *to->columns);
    if (!to->columns)
        return akin_parser_fail(parser, AKIN_E_NOMEM, error);
    for (uint64_t i = 0; i < from->fields; i++)
        to->columns[i] = from->columns[i] ? &piece->table->columns[from->columns[i] - parser->table->columns] : NULL;
    to->fields = from->fields;
    to->has_header = 1;
    return AKIN_OK;
}

void akin_delimited_renew(akin_delimited *delimited)
{
    delimited->pending.length = delimited->record.length = 0;
    delimited->inside = delimited->field = delimited->record_line = delimited->line = delimited->feeds = 0;
}

size_t akin_delimited_cut(const akin_parser *parser, const char *text, size_t length)
{
    int inside = parser->delimited.inside != 0;
    for (size_t i = 0; i < length; i++) {
        inside ^= parser->delimited.quotes && text[i] == '"';
        if (text[i] == '\n' && !inside)
            return i + 1;
    }
    return length;
}

/* The compiler makes SIMD of the loop, which runs at the speed of the memory. */
int akin_quotes_are_odd(const char *text, size_t length)
{
    uint8_t odd = 0;
    for (size_t i = 0; i < length; i++)
        odd ^= text[i] == '"';
    return odd;
}

size_t akin_quotes_head(const char *text, size_t length)
{
    const char *at = text, *end = text + length;
    for (;;) {
        const char *closing = memchr(at, '"', (size_t)(end - at));
        if (!closing)
            return 0;
        at = closing + 1;
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        if (!feed)
            return 0;
        const char *opening = memchr(at, '"', (size_t)(feed - at));
        if (!opening)
            return (size_t)(feed - text) + 1;
        at = opening + 1;
    }
}
