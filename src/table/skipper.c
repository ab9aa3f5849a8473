/*
 * Leaves bad records out of a table.
 *
 * The text is cut into records without looking at what is in them. A run of records is parsed into a piece, which is
 * appended to the table. Where that fails, the records of the run are parsed one by one. One that fails is left out:
 *
 *     text     | good | good | bad | good | begi        the beginning of a record is kept for the next text
 *     pieces   | run: fails                |
 *              | one  | one  | --  | one  |
 *
 * A record of CSV ends at the first line feed outside quotes. Where a quote is misplaced, nobody knows where the record
 * was meant to end: its first line is left out, and the next line is taken for the beginning of a record. So what is
 * left out depends on the file alone, not on how blocks cut it.
 */
#include "table/skipper.h"

#include "base/budget.h"
#include "base/memory.h"
#include "base/reader.h"
#include "table/delimited.h"

#include <string.h>

#define RECORD_MOST ((size_t)16 << 20) /* bytes of a record whose quote is still open; include/akin.h has the figure */

/* A record in a text. */
typedef struct record {
    size_t length; /* 0: it has no end in the text */
    size_t looked; /* what an error in it may be in */
    int misplaced; /* a quote is, or a quoted field is too long */
} record;

akin_skipper akin_skipper_of(const akin_scope *scope, akin_parser *parser, uint64_t most)
{
    return (akin_skipper){.scope = scope, .parser = parser, .left = most, .most = most};
}

/* ---------------------------------------------------------------------------------------------------------- records */

/* A line; the last one of a file may lack its line feed. */
static record line_at(const char *text, size_t length, int is_last)
{
    const char *feed = memchr(text, '\n', length);
    const size_t bytes = feed ? (size_t)(feed - text) + 1 : is_last ? length : 0;
    return (record){bytes, bytes, 0};
}

/* The end of a quoted field behind the quote that opens it: behind that which closes it; 0: it has none. */
static size_t quoted_end(const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        const char *quote = memchr(text + at, '"', length - at);
        if (!quote)
            return 0;
        at = (size_t)(quote - text) + 1;
        if (at == length || text[at] != '"')
            return at;
        at++;
    }
    return 0;
}

/* The first line alone, as a quote at `at` is misplaced. */
static record misplaced_at(const char *text, size_t length, size_t at, int is_last)
{
    record r = line_at(text, length, is_last);
    r.looked = at + line_at(text + at, length - at, 1).length;
    r.misplaced = 1;
    return r;
}

/* Whether a quoted field ends before `at`. */
static int is_end_of_field(const char *text, size_t length, size_t at, char separator)
{
    if (at < length && text[at] == '\r')
        at++;
    return at == length || text[at] == '\n' || (text[at] == separator && text[at - 1] == '"');
}

/* A record of CSV. */
static record quoted_record_at(const char *text, size_t length, char separator, int is_last)
{
    const record none = {0, 0, 0};
    for (size_t at = 0; at < length;) {
        if (text[at] == '"') {
            const size_t end = quoted_end(text + at + 1, length - at - 1);
            if ((end ? end : length - at) > RECORD_MOST)
                return misplaced_at(text, length, 0, is_last);
            if (!end)
                return is_last ? misplaced_at(text, length, length - 1, 1) : none;
            at += 1 + end;
            if (length - at < 2 && !is_last) /* what follows may be in the next text */
                return at < length && text[at] == '\n' ? (record){at + 1, at + 1, 0} : none;
            if (!is_end_of_field(text, length, at, separator))
                return misplaced_at(text, length, at, is_last);
        }
        while (at < length && text[at] != separator && text[at] != '\n' && text[at] != '"')
            at++;
        if (at == length)
            break;
        if (text[at] == '"')
            return misplaced_at(text, length, at, is_last);
        if (text[at++] == '\n')
            return (record){at, at, 0};
    }
    return is_last ? (record){length, length, 0} : none;
}

static record record_at(const akin_skipper *s, const char *text, size_t length, int is_last)
{
    const akin_delimited *d = &s->parser->delimited;
    return s->parser->format->cut == AKIN_CUT_QUOTES ? quoted_record_at(text, length, d->separator, is_last)
                                                     : line_at(text, length, is_last);
}

/* ---------------------------------------------------------------------------------------------------------- parsing */

/* Makes the piece for the file at hand, or empties it. Its lines are those of the file. */
static akin_status renew_piece(akin_skipper *s, akin_error *error)
{
    akin_status status = AKIN_OK;
    if (!s->piece.table) {
        const uint64_t bound = akin_budget_block(s->scope, akin_reader_block_bytes(s->scope), AKIN_BUDGET_TABLE);
        const akin_scope own = akin_scope_narrow(s->scope, (akin_narrowing){.memory = bound});
        status = akin_parser_fork(s->parser, &own, &s->piece, error);
        if (status == AKIN_OK && s->parser->delimited.has_header)
            status = akin_delimited_fork(s->parser, &s->piece, error);
    }
    if (status != AKIN_OK) { /* it may be half made */
        akin_parser_clear(&s->piece);
        return status;
    }
    akin_parser_renew(&s->piece);
    akin_delimited_renew(&s->piece.delimited);
    s->piece.lines = s->piece.delimited.line = s->parser->lines;
    return AKIN_OK;
}

/* Parses a text with the piece. Errors: AKIN_E_INPUT alone says that it is bad. */
static akin_status parse(akin_skipper *s, const char *text, size_t length, akin_error *error)
{
    akin_status status = renew_piece(s, error);
    if (status == AKIN_OK)
        status = akin_parser_add(&s->piece, text, length, error);
    return status == AKIN_OK && s->parser->format->cut == AKIN_CUT_QUOTES ? s->piece.format->finish(&s->piece, error)
                                                                          : status;
}

/* Appends the rows of the piece. */
static akin_status append_piece(akin_skipper *s, akin_error *error)
{
    akin_table *table = s->parser->table;
    akin_status status = AKIN_E_LIMIT;
    if (s->piece.table->rows <= UINT32_MAX - table->rows)
        status = akin_table_place(table, s->piece.table, 0, &s->places);
    if (status != AKIN_OK)
        return akin_parser_fail(s->parser, status, error);
    for (uint64_t i = 0; i < s->places.count; i++)
        akin_strings_copy_piece(&s->places.list[i]);
    s->parser->lines = s->parser->delimited.line = s->piece.lines;
    return AKIN_OK;
}

/* Leaves a record of `length` bytes out, for what `found` says. */
static akin_status leave_out(akin_skipper *s, const char *text, size_t length, const akin_error *found,
                             akin_error *error)
{
    const uint64_t line = s->parser->lines + 1;
    if (s->left == 0) {
        akin_fail_again(error, AKIN_E_INPUT, found);
        return AKIN_E_INPUT;
    }
    s->left--;
    const akin_status status = akin_table_add_skip(s->parser->table, line, found->message + found->rest);
    if (status != AKIN_OK)
        return akin_parser_fail(s->parser, status, error);
    for (const char *at = text, *end = text + length; at < end; s->parser->lines++) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        at = feed ? feed + 1 : end;
    }
    s->parser->delimited.line = s->parser->lines;
    return AKIN_OK;
}

/* Parses one record, of which `looked` bytes say what is wrong with it. */
static akin_status take_record(akin_skipper *s, const char *text, record r, akin_error *error)
{
    akin_error found = {0};
    const akin_status status = parse(s, text, r.looked, &found);
    if (status == AKIN_OK) /* a long line is none of the bad ones */
        return append_piece(s, error);
    if (status != AKIN_E_INPUT)
        return akin_fail_again(error, status, &found);
    return leave_out(s, text, r.length, &found, error);
}

/* Parses records without a misplaced quote. */
static akin_status take_run(akin_skipper *s, const char *text, size_t length, int is_last, akin_error *error)
{
    if (length == 0)
        return AKIN_OK;
    akin_status status = parse(s, text, length, NULL);
    if (status == AKIN_OK)
        return append_piece(s, error);
    status = AKIN_OK;
    for (size_t at = 0; at < length && status == AKIN_OK;) {
        const record r = record_at(s, text + at, length - at, is_last);
        status = take_record(s, text + at, r, error);
        at += r.length;
    }
    return status;
}

/* Parses all whole records; *done receives their bytes. */
static akin_status take_records(akin_skipper *s, const char *text, size_t length, int is_last, size_t *done,
                                akin_error *error)
{
    size_t run = 0, at = 0; /* records from `run` on are not parsed yet */
    akin_status status = AKIN_OK;
    while (at < length && status == AKIN_OK) {
        const record r = record_at(s, text + at, length - at, is_last);
        if (r.length == 0)
            break;
        if (r.misplaced) {
            status = take_run(s, text + run, at - run, 0, error);
            if (status == AKIN_OK)
                status = take_record(s, text + at, r, error);
            run = at + r.length;
        }
        at += r.length;
    }
    *done = at;
    return status == AKIN_OK ? take_run(s, text + run, at - run, is_last, error) : status;
}

/* Keeps bytes for the next text. */
static akin_status keep(akin_skipper *s, const char *text, size_t length, akin_error *error)
{
    akin_status status = akin_strings_append(&s->kept, text, length);
    if (status == AKIN_OK)
        status = akin_strings_grow(&s->kept, AKIN_PARSER_PADDING);
    return status == AKIN_OK ? AKIN_OK : akin_parser_fail(s->parser, status, error);
}

akin_status akin_skipper_add(akin_skipper *skipper, const char *text, size_t length, akin_error *error)
{
    akin_skipper *s = skipper;
    size_t done = 0;
    if (s->kept.length == 0) {
        const akin_status status = take_records(s, text, length, 0, &done, error);
        return status == AKIN_OK && done < length ? keep(s, text + done, length - done, error) : status;
    }
    akin_status status = keep(s, text, length, error);
    if (status == AKIN_OK)
        status = take_records(s, s->kept.bytes, (size_t)s->kept.length, 0, &done, error);
    if (status != AKIN_OK)
        return status;
    s->kept.length -= done;
    memmove(s->kept.bytes, s->kept.bytes + done, (size_t)s->kept.length);
    return AKIN_OK;
}

akin_status akin_skipper_end_file(akin_skipper *skipper, akin_error *error)
{
    akin_skipper *s = skipper;
    size_t done;
    const akin_status status =
        s->kept.length > 0 ? take_records(s, s->kept.bytes, (size_t)s->kept.length, 1, &done, error) : AKIN_OK;
    s->kept.length = 0;
    akin_parser_clear(&s->piece);
    s->piece = (akin_parser){0};
    return status;
}

int akin_skipper_takes_none(const akin_skipper *skipper, const akin_parser *piece)
{
    return skipper->kept.length == 0 && piece->delimited.inside == 0;
}

void akin_skipper_clear(akin_skipper *skipper)
{
    akin_parser_clear(&skipper->piece);
    akin_strings_clear(&skipper->kept);
    akin_free(skipper->places.list);
}
