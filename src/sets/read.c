/* Reads a collection from a file: `ids` text or what akin_sets_save wrote, either of them plain or compressed. */
#define _POSIX_C_SOURCE 200809L

#include "base/container.h"
#include "base/reader.h"
#include "sets/ids_pieces.h"
#include "sets/sets.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC_BYTES 8

/* The first block is parsed by this thread: it shows how long a row is, and what the whole of the file is like. */
static akin_status read_ids(const akin_scope *scope, akin_reader *reader, akin_sets **out, akin_error *error)
{
    akin_ids ids;
    char *text;
    size_t length = 0;
    akin_status status = akin_ids_begin(&ids, scope, akin_reader_name(reader), error);
    if (status == AKIN_OK)
        status = akin_reader_next(reader, &text, &length, error);
    if (status == AKIN_OK && length > 0)
        status = akin_ids_add(&ids, text, length, error);
    if (status == AKIN_OK && !scope->memory) /* under a bound, what has room on the heap is not known */
        akin_ids_expect(&ids, akin_reader_times(reader));
    if (status == AKIN_OK && length > 0)
        status = akin_ids_read_rest(&ids, scope, reader, error);
    if (status == AKIN_OK)
        status = akin_ids_finish(&ids, out, error);
    akin_ids_clear(&ids);
    return status;
}

/* Reads a saved collection through the reader, which has to decompress it or cannot map it, and parses it in memory. */
static akin_status read_saved(const akin_scope *scope, akin_reader *reader, akin_sets **out, akin_error *error)
{
    akin_bulk image = akin_bulk_of(scope, NULL, 2 * akin_sets_share(scope));
    uint64_t used = 0;
    for (;;) {
        char *data;
        size_t length;
        akin_status status = akin_reader_next(reader, &data, &length, error);
        if (status == AKIN_OK && length == 0) {
            akin_bulk_trim(&image, used);
            status = akin_sets_parse(scope, akin_reader_name(reader), &image, used, out, error);
            if (status == AKIN_OK)
                return status;
        }
        if (status == AKIN_OK)
            status = akin_bulk_grow(&image, used + length, "a saved collection", error);
        if (status != AKIN_OK) {
            akin_bulk_clear(&image);
            return status;
        }
        memcpy((char *)image.data + used, data, length);
        used += length;
    }
}

/* Whether path is a file that can be mapped as it is: a regular one with the container's magic, not compressed. Asked
 * only once the reader has found the magic in the content. */
static int can_be_mapped(const char *path)
{
    struct stat about;
    char magic[MAGIC_BYTES];
    if (strcmp(path, "-") == 0 || stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    ssize_t got = read(file, magic, sizeof magic);
    close(file);
    return got > 0 && akin_container_recognise(magic, (size_t)got);
}

akin_status akin_sets_read(akin_context *context, const char *path, akin_sets **out, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    akin_reader *reader;
    const char *start;
    size_t length;
    akin_status status = akin_reader_open(scope, path, &reader, error);
    if (status != AKIN_OK)
        return status;
    status = akin_reader_peek(reader, MAGIC_BYTES, &start, &length, error);
    if (status == AKIN_OK)
        status = akin_container_check_empty(path, length, error);
    if (status == AKIN_OK) {
        if (!akin_container_recognise(start, length))
            status = read_ids(scope, reader, out, error);
        else if (!can_be_mapped(path))
            status = read_saved(scope, reader, out, error);
        else
            status = akin_sets_open(scope, path, out, error);
    }
    akin_reader_close(reader);
    return status;
}
