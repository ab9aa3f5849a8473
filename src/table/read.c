/* Reads a table from a file, plain or compressed, or from several. */
#include "base/counted.h"
#include "base/memory.h"
#include "base/options.h"
#include "table/delimited.h"
#include "table/feed.h"
#include "table/formats.h"
#include "table/opened.h"
#include "table/pieces.h"
#include "table/skipper.h"

#include <stddef.h>

AKIN_OPTIONS_END(akin_table_options, reserved);

static akin_status read_table_options(const akin_table_options *given, akin_table_options *own, akin_error *error)
{
    akin_status status =
        akin_options_read(given, own, sizeof *own, AKIN_TABLE_OPTIONS_FIRST, "akin_table_options", error);
    if (status != AKIN_OK)
        return status;
    if (own->format != AKIN_FORMAT_AUTO && !akin_format_of(own->format))
        return akin_fail(error, AKIN_E_OPTION, "format %d is none of those there are", (int)own->format);
    if (own->column_count > 0 && !own->columns)
        return akin_fail(error, AKIN_E_OPTION, "columns is NULL, expected %u names", own->column_count);
    if (own->optional > own->column_count)
        return akin_fail(error, AKIN_E_OPTION, "optional is %u; expected at most the number of columns, %u",
                         own->optional, own->column_count);
    if (own->more_count > 0 && !own->more)
        return akin_fail(error, AKIN_E_OPTION, "more is NULL, expected %u paths", own->more_count);
    if (own->reserved != 0)
        return akin_fail(error, AKIN_E_OPTION, "akin_table_options: reserved is %u; expected 0", own->reserved);
    return AKIN_OK;
}

/* A table in the making. */
typedef struct reading {
    const akin_scope *scope;
    akin_feed feed;
    akin_parser parser;
    akin_skipper skipper; /* used if bad records are skipped */
    akin_feed_block at;   /* the block at hand, on one thread */
} reading;

/* Parses the block at hand. */
static akin_status add_block(reading *r, akin_error *error)
{
    const char *text = r->at.block.data + r->at.begin;
    const size_t length = r->at.block.length - r->at.begin;
    const int skips = r->feed.options->skip_bad > 0 && r->parser.format->cut != AKIN_CUT_NOWHERE;
    return length == 0 ? AKIN_OK
           : skips     ? akin_skipper_add(&r->skipper, text, length, error)
                       : akin_parser_add(&r->parser, text, length, error);
}

/* Whether all threads can parse what follows: there is more, and the first rows have shown what there is to know. */
static int goes_on_by_all(const reading *r, uint32_t slots)
{
    return slots > 0 && akin_parser_is_settled(&r->parser) && r->skipper.kept.length == 0 &&
           (!akin_reader_is_at_end(r->feed.reader) || akin_feed_goes_on(&r->feed));
}

/* Reads a file of text: by this thread, until the first rows have shown what there is to know, and then by all threads,
 * and with it the files of text that follow. */
static akin_status read_text(reading *r, akin_error *error)
{
    akin_parser *head = &r->feed.head;
    akin_status status = akin_feed_open(&r->feed, &r->at, error);
    r->feed.has_failed = status != AKIN_OK;
    if (status != AKIN_OK)
        return status;
    const int is_only = r->parser.table->rows == 0;
    const uint32_t slots = akin_pieces_slots(r->scope, head->format);
    uint64_t length = 0;
    const char *header = head->table->header.rows > 0 ? akin_strings_row(&head->table->header, 0, &length) : "";
    status = akin_parser_turn(&r->parser, head, head->lines, header, length, error);
    if (status == AKIN_OK)
        status = add_block(r, error);
    if (status == AKIN_OK && is_only && !r->scope->memory) /* under a bound, what has room on the heap is not known */
        akin_table_expect(r->parser.table, akin_feed_times(&r->feed));
    while (status == AKIN_OK && r->at.block.length > 0) {
        if (goes_on_by_all(r, slots)) {
            status = akin_pieces_read(r->scope, &r->feed, slots, &r->parser,
                                      r->feed.options->skip_bad > 0 ? &r->skipper : NULL, error);
            break;
        }
        r->at.begin = 0;
        status = akin_reader_take(r->feed.reader, &r->at.block, error);
        r->feed.has_failed = status != AKIN_OK;
        if (status == AKIN_OK)
            status = add_block(r, error);
    }
    if (status == AKIN_OK)
        status = akin_skipper_end_file(&r->skipper, error);
    return status == AKIN_OK ? akin_parser_end_file(&r->parser, error) : status;
}

/* The parser that has come as far as the file was read: that of the header, until that of the table has turned to the
 * file. */
static const akin_parser *farthest(const reading *r)
{
    const akin_parser *head = &r->feed.head;
    const int is_behind = r->parser.name != head->name || r->parser.lines < head->lines ||
                          (head->delimited.separator && !head->delimited.has_header);
    return is_behind ? head : &r->parser;
}

static uint64_t feeds_in(const akin_strings *text)
{
    uint64_t feeds = 0;
    for (uint64_t i = 0; i < text->length; i++)
        feeds += text->bytes[i] == '\n';
    return feeds;
}

/* Says where the record begins that the reader found too long, and whether a quote may be the cause. */
static akin_status fail_long(const reading *r, akin_error *error)
{
    akin_counted room;
    size_t length = 0;
    const akin_parser *p = farthest(r);
    const char *text = akin_reader_long_line(r->feed.reader, &length);
    const int is_odd = p->format->cut == AKIN_CUT_QUOTES && akin_quotes_are_odd(text, length);
    if (p->delimited.inside != 0)
        return akin_delimited_fail_long(p, error);
    return akin_fail_record(error, p->record_most, p->name, p->lines + feeds_in(&r->skipper.kept) + 1,
                            "the line has more than %s%s", akin_count(&room, p->record_most.bytes, "byte"),
                            is_odd ? ": perhaps a quote in it is not closed" : "");
}

/* Reads all files. */
static akin_status read_files(reading *r, akin_error *error)
{
    akin_feed *feed = &r->feed;
    akin_status status = AKIN_OK;
    while (feed->next < feed->files->count && status == AKIN_OK) {
        const akin_format_row *format;
        status = akin_feed_format(feed, feed->next, &format, error);
        if (status == AKIN_OK && !format->read)
            status = read_text(r, error);
        else if (status == AKIN_OK)
            status = akin_opened_append(r->scope, feed->files->names[feed->next++], format, feed->options, &r->parser,
                                        error);
    }
    return status;
}

static akin_status read_table(const akin_scope *scope, const akin_files *files, const akin_table_options *options,
                              akin_table **out, akin_error *error)
{
    reading r = {.scope = scope, .feed = {.scope = scope, .files = files, .options = options}};
    const akin_format_row *format = NULL, *first = NULL;
    akin_status status = AKIN_OK;
    size_t length;
    for (uint64_t i = 0; i < files->count && status == AKIN_OK; i++) { /* before much is read */
        status = akin_feed_format(&r.feed, i, &format, error);
        first = i == 0 ? format : first;
    }
    if (status != AKIN_OK)
        return status;
    if (files->count == 1 && first->read) { /* whose text may stay where it is */
        akin_table_options own = *options;
        own.format = (akin_format)first->choice.value;
        return first->read(scope, files->names[0], first, &own, out, error);
    }
    status = akin_parser_begin(&r.parser, scope, akin_files_name(files->names[0]), first, options, error);
    r.skipper = akin_skipper_of(scope, &r.parser, options->skip_bad);
    if (status == AKIN_OK)
        status = read_files(&r, error);
    if ((status == AKIN_E_LIMIT || status == AKIN_E_NOMEM) && r.feed.has_failed && r.feed.reader &&
        akin_reader_long_line(r.feed.reader, &length))
        status = fail_long(&r, error);
    r.parser.format = NULL; /* its last file has ended */
    if (status == AKIN_OK)
        status = akin_parser_finish(&r.parser, out, error);
    akin_skipper_clear(&r.skipper);
    akin_parser_clear(&r.parser);
    akin_feed_close(&r.feed);
    akin_free(r.at.block.data);
    return status;
}

akin_status akin_table_read(akin_context *context, const char *path, const akin_table_options *options,
                            akin_table **out, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    akin_table_options own = AKIN_TABLE_OPTIONS_INIT;
    akin_files files = {0};
    akin_status status = read_table_options(options, &own, error);
    if (status == AKIN_OK)
        status = akin_files_find(scope, path, &files, error);
    for (uint32_t i = 0; i < own.more_count && status == AKIN_OK; i++)
        status = akin_files_add(own.more[i], &files, error);
    if (status == AKIN_OK)
        status = read_table(scope, &files, &own, out, error);
    akin_files_clear(&files);
    return status;
}
