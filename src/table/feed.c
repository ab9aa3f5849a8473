/* The text of a table's files, block by block, and what the header of each says. */
#include "table/feed.h"

#include "table/delimited.h"
#include "table/formats.h"

akin_status akin_feed_format(const akin_feed *feed, uint64_t index, const akin_format_row **out, akin_error *error)
{
    akin_format format = feed->options->format;
    const akin_status status =
        format == AKIN_FORMAT_AUTO ? akin_format_of_ending(feed->files->names[index], &format, error) : AKIN_OK;
    *out = status == AKIN_OK ? akin_format_of(format) : NULL;
    return status;
}

/* Parses records of the first blocks until the header is there. A file of lines without a header has none. */
static akin_status read_header(akin_feed *feed, akin_feed_block *out, akin_error *error)
{
    akin_parser *head = &feed->head;
    akin_status status = AKIN_OK;
    while (status == AKIN_OK && head->delimited.separator && !head->delimited.has_header) {
        if (out->begin == out->block.length) {
            out->begin = 0;
            status = akin_reader_take(feed->reader, &out->block, error);
            if (status != AKIN_OK || out->block.length == 0)
                break;
        }
        const char *text = out->block.data + out->begin;
        const size_t bytes = akin_delimited_cut(head, text, out->block.length - out->begin);
        status = akin_parser_add(head, text, bytes, error);
        out->begin += bytes;
    }
    return status == AKIN_OK && head->delimited.separator && !head->delimited.has_header
               ? head->format->finish(head, error)
               : status;
}

akin_status akin_feed_open(akin_feed *feed, akin_feed_block *out, akin_error *error)
{
    const char *name = feed->files->names[feed->next];
    const akin_format_row *format;
    akin_feed_close(feed);
    out->begin = 0;
    out->range = (akin_range){0};
    out->is_first = 1;
    akin_status status = akin_feed_format(feed, feed->next++, &format, error);
    if (status == AKIN_OK)
        status = akin_reader_open(feed->scope, name, &feed->reader, error);
    if (status != AKIN_OK)
        return status;
    status = akin_parser_begin(&feed->head, feed->scope, akin_files_name(name), format, feed->options, error);
    if (status == AKIN_OK)
        status = akin_reader_take(feed->reader, &out->block, error);
    if (status == AKIN_OK && out->block.length > 0)
        status = akin_parser_start(&feed->head, out->block.data, out->block.length, &out->begin, error);
    return status == AKIN_OK ? read_header(feed, out, error) : status;
}

int akin_feed_goes_on(const akin_feed *feed)
{
    const akin_format_row *format;
    return feed->next < feed->files->count && akin_feed_format(feed, feed->next, &format, NULL) == AKIN_OK &&
           !format->read && format->cut != AKIN_CUT_NOWHERE;
}

akin_status akin_feed_next(akin_feed *feed, akin_feed_block *out, int *ended, akin_error *error)
{
    out->begin = 0;
    out->is_first = 0;
    const akin_status status = akin_reader_cut(feed->reader, &out->block, &out->range, error);
    if (status != AKIN_OK || out->block.length > 0 || !akin_range_is_empty(out->range))
        return status;
    *ended = !akin_feed_goes_on(feed);
    return *ended ? AKIN_OK : akin_feed_open(feed, out, error);
}

double akin_feed_times(const akin_feed *feed)
{
    const double own = akin_reader_times(feed->reader);
    const uint64_t size = akin_reader_size(feed->reader);
    return size > 0 ? own * (double)feed->files->bytes / (double)size : own;
}

void akin_feed_close(akin_feed *feed)
{
    if (!feed->reader)
        return;
    akin_parser_clear(&feed->head);
    akin_reader_close(feed->reader);
    feed->head = (akin_parser){0};
    feed->reader = NULL;
}
