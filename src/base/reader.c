/* Reads plain, gzip and zstd files in blocks that end at line ends. */
#define _POSIX_C_SOURCE 200809L

#include "base/counted.h"
#include "base/reader.h"

#include "base/bits.h"
#include "base/clock.h"
#include "base/context.h"
#include "base/decoder.h"
#include "base/descriptor.h"
#include "base/limits.h"
#include "base/unpacker.h"
#include "base/memory.h"
#include "base/record.h"
#include "base/remote.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define CONTENT_BYTES  ((size_t)1 << 18) /* a few blocks, with what they become, fit a cache of level 2 */
#define STORED_BYTES   ((size_t)1 << 18)
#define PADDING        64
#define MAGIC_BYTES    10
#define REPORT_SECONDS 0.01

/*
 * The content and, for compressed files only, the stored bytes. Each is a buffer that is filled in part.
 *
 *     content   | handed out | yet to be handed out | free | 64 bytes of padding |
 *               0            begin                  end    capacity
 *     stored    | decoded | yet to be decoded | free |
 *               0         stored_begin        stored_end
 */
struct akin_reader {
    const akin_scope *scope;
    char *name;   /* for messages: the path as akin_address_show has it */
    int is_stdin; /* read, and left open */
    int fd;
    void *elsewhere; /* the file of the context's opener, in a store of objects; NULL: fd is read */
    akin_packing packing;
    atomic_uint holders;
    int is_ahead;      /* ranges up to the position were cut, and the file was not read up to there */
    uint64_t position; /* bytes of the file read so far */
    uint64_t size;     /* of the file; 0: not known */
    double reported;   /* when progress was last reported */
    char *content;
    size_t capacity, begin, end;
    size_t usual; /* the capacity, unless a line is longer */
    int is_stuck; /* the first line of the content is too long */
    int content_ended;
    char *stored;
    size_t stored_begin, stored_end;
    int stored_ended;
    akin_decoder decoder;
    akin_unpacker *unpacker; /* what several threads decode; NULL: the calling thread does */
    uint64_t decoded;        /* bytes of content so far, of a compressed file */
    uint64_t shared_again;   /* the byte from which on they may try */
};

#define NAME_MOST 600

const char *akin_reader_name_of(const char *path)
{
    /* Only the end of a very long path is shown, so that the message has room for the reason. */
    const size_t length = strlen(path);
    return strcmp(path, "-") == 0 ? "standard input" : length > NAME_MOST ? path + length - NAME_MOST : path;
}

const char *akin_reader_name(const akin_reader *reader)
{
    return akin_reader_name_of(reader->name);
}

static akin_status fail_cancelled(const akin_reader *r, akin_error *error)
{
    return akin_fail(error, AKIN_E_CANCELLED, "%s: cancelled while reading", akin_reader_name(r));
}

static akin_status fail_read(const akin_reader *r, int failed, uint64_t place, akin_error *error)
{
    return akin_fail_system(error, failed == EBADF ? AKIN_E_INPUT : AKIN_E_IO, AKIN_REASON_FILE, failed,
                            "%s: byte %llu: cannot be read", akin_reader_name(r), (unsigned long long)place);
}

/* Reads up to `room` bytes of the file; *got is 0 only at its end. */
static akin_status read_file(akin_reader *r, char *to, size_t room, size_t *got, akin_error *error)
{
    if (r->elsewhere) {
        const akin_status status = r->scope->context->opener->read_bytes(r->elsewhere, to, room, got, error);
        r->position += status == AKIN_OK ? *got : 0;
        return status;
    }
    int failed = r->is_ahead && lseek(r->fd, (off_t)r->position, SEEK_SET) < 0
                     ? errno
                     : akin_descriptor_read(r->scope, r->fd, to, room, got);
    if (failed == ECANCELED)
        return fail_cancelled(r, error);
    if (failed != 0)
        return fail_read(r, failed, r->position, error);
    r->is_ahead = 0;
    r->position += *got;
    return AKIN_OK;
}

static akin_status report(akin_reader *r, akin_error *error)
{
    double now = akin_clock();
    if (now - r->reported < REPORT_SECONDS)
        return AKIN_OK;
    r->reported = now;
    if (akin_scope_report(r->scope, "reading", r->position, r->size) != AKIN_OK)
        return fail_cancelled(r, error);
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------ decompression
 */

static akin_status fail_decoding(const akin_reader *r, akin_decoded what, const char *reason, akin_error *error)
{
    const char *name = akin_packing_name(r->packing);
    akin_counted most;
    if (what == AKIN_DECODED_NO_MEMORY)
        return akin_fail_memory(error, r->packing == AKIN_PACKING_GZIP ? "decompressing gzip" : "decompressing zstd");
    if (what == AKIN_DECODED_DICTIONARY)
        return akin_fail(error, AKIN_E_INPUT, "%s: was compressed with a zstd dictionary; unpack it first",
                         akin_reader_name(r));
    if (what == AKIN_DECODED_WINDOW) {
        akin_error_set(error, AKIN_E_LIMIT, AKIN_REASON_LIMIT, "%s: before byte %llu: a zstd window of more than %s",
                       akin_reader_name(r), (unsigned long long)r->position,
                       akin_count(&most, akin_decoder_window(akin_limit_of(r->scope, AKIN_LIMIT_WINDOW)), "byte"));
        return akin_note_limit(error, AKIN_LIMIT_WINDOW);
    }
    return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED, "%s: before byte %llu: damaged %s data (%s)",
                          akin_reader_name(r), (unsigned long long)r->position, name, reason);
}

/* Reads stored bytes, where all have been decoded. */
static akin_status read_stored(akin_reader *r, akin_error *error)
{
    /* Reads end at the same bytes of a regular file whatever came before, and so do errors. */
    const size_t past = (size_t)((r->position + STORED_BYTES - MAGIC_BYTES) % STORED_BYTES);
    size_t got = 0;
    const akin_status status = read_file(r, r->stored, r->size ? STORED_BYTES - past : STORED_BYTES, &got, error);
    if (status != AKIN_OK)
        return status;
    r->stored_begin = 0;
    r->stored_end = got;
    r->stored_ended = got == 0;
    return AKIN_OK;
}

/* Decodes some more on the calling thread, having read what that takes. */
static akin_status decode_alone(akin_reader *r, akin_error *error)
{
    akin_status status = r->stored_begin == r->stored_end && !r->stored_ended ? read_stored(r, error) : AKIN_OK;
    if (status != AKIN_OK)
        return status;
    if (r->stored_ended && r->stored_begin == r->stored_end && !r->decoder.inside) {
        r->content_ended = 1;
        return AKIN_OK;
    }
    akin_coded coded = {r->stored, r->stored_begin, r->stored_end, r->content, r->end, r->capacity};
    const char *reason = NULL;
    const akin_decoded decoded = akin_decoder_run(&r->decoder, &coded, &reason);
    const int moved = coded.in_at > r->stored_begin || coded.out_at > r->end;
    r->stored_begin = coded.in_at;
    r->end = coded.out_at;
    if (decoded != AKIN_DECODED_WELL)
        return fail_decoding(r, decoded, reason, error);
    if (r->stored_ended && r->decoder.inside && !moved)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED,
                              "%s: byte %llu: truncated %s data; expected more", akin_reader_name(r),
                              (unsigned long long)r->position, akin_packing_name(r->packing));
    return AKIN_OK;
}

/* Takes what other threads have decoded; where they give up, the calling thread goes on. */
static akin_status take_decoded(akin_reader *r, akin_error *error)
{
    size_t got = 0;
    int left = 0;
    if (akin_unpacker_next(r->unpacker, r->content + r->end, r->capacity - r->end, &got, &r->position, &left) !=
        AKIN_OK)
        return fail_cancelled(r, error);
    r->end += got;
    if (got > 0)
        return AKIN_OK;
    akin_unpacker_close(r->unpacker);
    r->unpacker = NULL;
    r->shared_again = r->position + AKIN_UNPACKER_BATCH_MOST;
    r->content_ended = !left;
    r->stored_begin = r->stored_end = 0;
    akin_decoder_reset(&r->decoder);
    return left && lseek(r->fd, (off_t)r->position, SEEK_SET) < 0 ? fail_read(r, errno, r->position, error) : AKIN_OK;
}

#define RATIO       1000u               /* decompressed bytes of a stored one, at most, */
#define RATIO_LEAST ((uint64_t)1 << 30) /* where there are more than these */

/* Counts content, of which there may be too much: a small file that becomes a huge one is hardly meant. */
static akin_status count_decoded(akin_reader *r, size_t count, akin_error *error)
{
    akin_counted room;
    uint64_t most = akin_limit_of(r->scope, AKIN_LIMIT_DECOMPRESSED);
    if (most == AKIN_LIMIT_BY_RATIO)
        most = akin_max_u64(RATIO_LEAST, (r->size ? r->size : r->position) * RATIO);
    r->decoded += count;
    if (!most || r->decoded <= most)
        return AKIN_OK;
    akin_error_set(error, AKIN_E_LIMIT, AKIN_REASON_LIMIT, "%s: has more than %s once it is decompressed",
                   akin_reader_name(r), akin_count(&room, most, "byte"));
    return akin_note_limit(error, AKIN_LIMIT_DECOMPRESSED);
}

static akin_status decode(akin_reader *r, akin_error *error)
{
    const uint64_t at = r->position - (r->stored_end - r->stored_begin); /* the first byte that is not decoded */
    if (!r->unpacker && r->size && !r->is_stdin && !r->elsewhere && !r->decoder.inside && at >= r->shared_again) {
        r->unpacker = akin_unpacker_open(r->scope, r->fd, r->packing, at, r->size);
        r->shared_again = at + AKIN_UNPACKER_BATCH_MOST;
    }
    const size_t before = r->end;
    const akin_status status = r->unpacker ? take_decoded(r, error) : decode_alone(r, error);
    return status == AKIN_OK ? count_decoded(r, r->end - before, error) : status;
}

/* ------------------------------------------------------------------------------------------------------------ opening
 */

/* What has compressed a file that cannot be read here, or NULL. */
static const char *packer(const char *bytes, size_t length)
{
    static const struct {
        const char *program, *magic;
        size_t at, length;
    } packers[] = {{"xz",
                    "\xfd"
                    "7zXZ",
                    0, 6},
                   {"bzip2", "1AY&SY", 4, 6}, /* after BZh and a digit */
                   {"zip", "PK\3\4", 0, 4},
                   {"7z", "7z\xbc\xaf\x27\x1c", 0, 6},
                   {"lz4", "\x04\x22\x4d\x18", 0, 4}};
    for (size_t i = 0; i < sizeof packers / sizeof *packers; i++)
        if (length >= packers[i].at + packers[i].length &&
            memcmp(bytes + packers[i].at, packers[i].magic, packers[i].length) == 0)
            return packers[i].program;
    return NULL;
}

/* Reads the first bytes and decides what they are. */
static akin_status detect_compression(akin_reader *r, akin_error *error)
{
    while (r->end < MAGIC_BYTES && !r->content_ended) {
        size_t got = 0;
        akin_status status = read_file(r, r->content + r->end, MAGIC_BYTES - r->end, &got, error);
        if (status != AKIN_OK)
            return status;
        r->end += got;
        r->content_ended = got == 0;
    }
    const char *program = packer(r->content, r->end);
    if (program)
        return akin_fail(error, AKIN_E_INPUT, "%s: is compressed by %s; unpack it first: akin reads gzip and zstd",
                         akin_reader_name(r), program);
    r->packing = akin_packing_of(r->content, r->end);
    if (r->packing == AKIN_PACKING_NONE)
        return AKIN_OK;
    r->stored = akin_alloc(NULL, STORED_BYTES, 1);
    if (!r->stored)
        return akin_fail_memory(error, "reading a file");
    memcpy(r->stored, r->content, r->end);
    r->stored_end = r->end;
    r->end = 0;
    r->content_ended = 0;
    return akin_decoder_open(&r->decoder, r->packing, akin_limit_of(r->scope, AKIN_LIMIT_WINDOW))
               ? AKIN_OK
               : fail_decoding(r, AKIN_DECODED_NO_MEMORY, NULL, error);
}

/* Has the opener open a file in a store of objects. */
static akin_status open_elsewhere(akin_reader *r, const char *path, const akin_remote *store, akin_error *error)
{
    const akin_opener *opener = r->scope->context ? r->scope->context->opener : NULL;
    if (opener && opener->open_bytes)
        return opener->open_bytes(opener->user, path, &r->elsewhere, &r->size, error);
    return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_FOREIGN_FORMAT,
                          "%.300s: libakin does not read %s addresses; the command of the Python package does: pip "
                          "install 'libakin[parquet]'%s%s%s",
                          r->name, store->scheme, store->get ? "; or pipe it: " : "", store->get ? store->get : "",
                          store->get ? " | akin ... -" : "");
}

static akin_status open_file(akin_reader *r, const char *path, akin_error *error)
{
    struct stat about;
    const akin_remote *store = akin_remote_of(path);
    if (store)
        return open_elsewhere(r, path, store, error);
    r->is_stdin = strcmp(path, "-") == 0;
    int failed = 0;
    if (r->is_stdin)
        r->fd = STDIN_FILENO;
    else
        failed = akin_descriptor_open(r->scope, path, O_RDONLY, &r->fd);
    if (failed == ECANCELED)
        return fail_cancelled(r, error);
    if (failed != 0)
        return akin_fail_system(error, failed == EMFILE || failed == ENFILE ? AKIN_E_IO : AKIN_E_INPUT,
                                AKIN_REASON_FILE, failed, "%s: cannot be opened", r->name);
    if (fstat(r->fd, &about) != 0)
        return akin_fail_system(error, AKIN_E_INPUT, AKIN_REASON_FILE, errno, "%s: cannot be opened",
                                akin_reader_name(r));
    if (S_ISDIR(about.st_mode))
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_FILE, "%s: is a directory; expected a file",
                              akin_reader_name(r));
    if (S_ISREG(about.st_mode))
        r->size = (uint64_t)about.st_size;
    return AKIN_OK;
}

size_t akin_reader_block_bytes(const akin_scope *scope)
{
    const uint64_t wished = akin_wishes_of(scope)->block_bytes;
    return wished ? (size_t)akin_max_u64(wished, MAGIC_BYTES) : CONTENT_BYTES;
}

akin_status akin_reader_open(const akin_scope *scope, const char *path, akin_reader **out, akin_error *error)
{
    akin_status status = AKIN_E_NOMEM;
    const size_t room = akin_address_show(path, NULL, 0) + 1;
    akin_reader *r = akin_alloc_zero(NULL, 1, sizeof *r);
    if (!r)
        return akin_fail_memory(error, "reading a file");
    r->scope = scope;
    atomic_init(&r->holders, 1);
    r->fd = -1;
    r->reported = -1;
    r->capacity = r->usual = akin_reader_block_bytes(scope);
    r->content = akin_alloc(NULL, r->capacity + PADDING, 1);
    r->name = akin_alloc(NULL, room, 1);
    if (!r->content || !r->name) {
        akin_fail_memory(error, "reading a file");
        goto done;
    }
    akin_address_show(path, r->name, room);
    status = open_file(r, path, error);
    if (status == AKIN_OK)
        status = detect_compression(r, error);
done:
    if (status == AKIN_OK)
        *out = r;
    else
        akin_reader_close(r);
    return status;
}

void akin_reader_hold(akin_reader *reader)
{
    atomic_fetch_add(&reader->holders, 1);
}

void akin_reader_close(akin_reader *reader)
{
    if (!reader || atomic_fetch_sub(&reader->holders, 1) > 1)
        return;
    akin_unpacker_close(reader->unpacker);
    akin_decoder_close(&reader->decoder);
    if (reader->elsewhere)
        reader->scope->context->opener->close_bytes(reader->elsewhere);
    if (reader->fd >= 0 && !reader->is_stdin)
        close(reader->fd);
    akin_free(reader->stored);
    akin_free(reader->content);
    akin_free(reader->name);
    akin_free(reader);
}

/* ------------------------------------------------------------------------------------------------------------ content
 */

/* Moves what is yet to be handed out to the front. */
static void move_unread(akin_reader *r)
{
    memmove(r->content, r->content + r->begin, r->end - r->begin);
    r->end -= r->begin;
    r->begin = 0;
}

/* Adds content until the buffer is full or there is no more. */
static akin_status fill_reader(akin_reader *r, akin_error *error)
{
    akin_status status = report(r, error);
    while (status == AKIN_OK && r->end < r->capacity && !r->content_ended) {
        if (r->packing != AKIN_PACKING_NONE) {
            status = decode(r, error);
        } else {
            size_t got = 0;
            status = read_file(r, r->content + r->end, r->capacity - r->end, &got, error);
            r->end += got;
            r->content_ended = status == AKIN_OK && got == 0;
        }
        if (status == AKIN_OK) /* a pipe may take long to fill the buffer */
            status = report(r, error);
    }
    memset(r->content + r->end, 0, PADDING);
    return status;
}

static akin_status grow_reader(akin_reader *r, akin_error *error)
{
    akin_counted room;
    if (r->capacity > (SIZE_MAX - PADDING) / 2)
        return akin_fail_memory(error, "a line");
    char *larger = akin_resize(NULL, r->content, 2 * r->capacity + PADDING, 1);
    if (!larger)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY,
                              "%s: not enough memory for a line of more than %s", akin_reader_name(r),
                              akin_count(&room, r->capacity, "byte"));
    r->content = larger;
    r->capacity *= 2;
    return AKIN_OK;
}

/* Checks the length of the first line of the content, in whose first `scanned` bytes it does not end. */
static akin_status check_line(akin_reader *r, size_t scanned, akin_error *error)
{
    akin_counted room;
    const akin_record_most most = akin_record_most_of(r->scope, akin_reader_block_bytes(r->scope));
    if (!most.bytes || scanned == 0 || r->end <= most.bytes)
        return AKIN_OK;
    const char *end = scanned > most.bytes ? NULL : memchr(r->content + scanned, '\n', r->end - scanned);
    if (end && (uint64_t)(end - r->content) <= most.bytes)
        return AKIN_OK;
    r->is_stuck = 1;
    return akin_fail_record(error, most, akin_reader_name(r), 0, "has a line of more than %s",
                            akin_count(&room, most.bytes, "byte"));
}

const char *akin_reader_long_line(const akin_reader *reader, size_t *length)
{
    *length = reader->end;
    return reader->is_stuck ? reader->content : NULL;
}

akin_status akin_reader_next(akin_reader *reader, char **data, size_t *length, akin_error *error)
{
    akin_reader *r = reader;
    move_unread(r);
    if (r->capacity > r->usual) /* a long line has made it so; blocks are cut alike by all that read them */
        r->capacity = r->end > r->usual ? r->end : r->usual;
    for (size_t scanned = 0;;) {
        akin_status status = fill_reader(r, error);
        if (status != AKIN_OK)
            return status;
        size_t cut = r->end;
        if (!r->content_ended)
            while (cut > scanned && r->content[cut - 1] != '\n')
                cut--;
        if (cut == scanned && memchr(r->content + scanned, '\0', r->end - scanned))
            cut = r->end; /* no text, so no line to wait for */
        else
            status = check_line(r, scanned, error);
        if (status != AKIN_OK)
            return status;
        if (cut > scanned || r->content_ended) {
            r->begin = cut;
            *data = r->content;
            *length = cut;
            return AKIN_OK;
        }
        scanned = r->end;
        status = grow_reader(r, error);
        if (status != AKIN_OK)
            return status;
    }
}

int akin_reader_is_at_end(const akin_reader *reader)
{
    return reader->content_ended && reader->begin == reader->end;
}

uint64_t akin_reader_size(const akin_reader *reader)
{
    return reader->size;
}

double akin_reader_times(const akin_reader *reader)
{
    return reader->size > 0 && reader->position > 0 ? (double)reader->size / (double)reader->position : 0;
}

static akin_status change_block(akin_block *block, size_t capacity)
{
    char *data = capacity < SIZE_MAX - PADDING ? akin_resize(NULL, block->data, capacity + PADDING, 1) : NULL;
    if (!data)
        return AKIN_E_NOMEM;
    block->data = data;
    block->capacity = capacity;
    return AKIN_OK;
}

akin_status akin_block_resize(akin_block *block, size_t length)
{
    const akin_status status = block->data && length <= block->capacity ? AKIN_OK : change_block(block, length);
    if (status == AKIN_OK)
        block->length = length;
    return status;
}

akin_status akin_reader_take(akin_reader *reader, akin_block *block, akin_error *error)
{
    akin_reader *r = reader;
    char *data;
    size_t length;
    akin_status status = akin_reader_next(r, &data, &length, error);
    if (status != AKIN_OK)
        return status;
    const size_t rest = r->end - r->begin, room = rest > r->usual ? rest : r->usual;
    if ((!block->data || block->capacity != room) && change_block(block, room) != AKIN_OK)
        return akin_fail_memory(error, "reading a file");
    const akin_block filled = {r->content, r->capacity, length};
    memcpy(block->data, r->content + r->begin, rest); /* the beginning of the next block */
    r->content = block->data;
    r->capacity = block->capacity;
    r->begin = 0;
    r->end = rest;
    *block = filled;
    return AKIN_OK;
}

/* ----------------------------------------------------------------------------------------------------------- ranges
 */

#define TAIL_BYTES ((size_t)4096)

int akin_reader_has_ranges(const akin_reader *reader)
{
    return reader->size > 0 && reader->packing == AKIN_PACKING_NONE && !reader->is_stdin && !reader->elsewhere;
}

uint64_t akin_reader_place(const akin_reader *reader)
{
    return reader->position - (reader->end - reader->begin);
}

/* Reads the bytes of a range. */
static akin_status read_range(const akin_reader *r, akin_range range, char *to, akin_error *error)
{
    while (range.begin < range.end) {
        const ssize_t got = pread(r->fd, to, (size_t)(range.end - range.begin), (off_t)range.begin);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_read(r, errno, range.begin, error);
        if (got == 0)
            return akin_fail(error, AKIN_E_IO, "%s: byte %llu: has become shorter while it was read",
                             akin_reader_name(r), (unsigned long long)range.begin);
        range.begin += (uint64_t)got;
        to += got;
    }
    return AKIN_OK;
}

/* Shortens a range to whole lines; an empty one is left where no line ends in it. Only its last bytes are read. */
static akin_status cut_range(const akin_reader *r, akin_range *range, akin_error *error)
{
    char tail[TAIL_BYTES];
    while (range->end > range->begin) {
        const uint64_t length = akin_min_u64(range->end - range->begin, TAIL_BYTES);
        const akin_range last = {range->end - length, range->end};
        const akin_status status = read_range(r, last, tail, error);
        if (status != AKIN_OK)
            return status;
        for (; range->end > last.begin; range->end--)
            if (tail[range->end - 1 - last.begin] == '\n')
                return AKIN_OK;
    }
    return AKIN_OK;
}

akin_status akin_reader_cut(akin_reader *reader, akin_block *block, akin_range *range, akin_error *error)
{
    akin_reader *r = reader;
    const uint64_t begin = akin_reader_place(r);
    *range = (akin_range){begin, begin + r->usual};
    /* The last block is read as ever, as a file may grow. */
    akin_status status = AKIN_OK;
    if (akin_reader_has_ranges(r) && range->end < r->size)
        status = cut_range(r, range, error);
    else
        range->end = begin;
    if (status != AKIN_OK || range->end == begin)
        return status == AKIN_OK ? akin_reader_take(r, block, error) : status;
    block->length = 0;
    r->begin = r->end = 0;
    r->position = range->end;
    r->is_ahead = 1;
    return report(r, error);
}

akin_status akin_reader_load(const akin_reader *reader, akin_range range, akin_block *block, akin_error *error)
{
    const size_t at = block->length, more = (size_t)(range.end - range.begin);
    const size_t room = akin_max_u64(at + more, reader->usual); /* so that it has to be made once */
    akin_status status = akin_block_resize(block, room);
    block->length = at;
    if (status != AKIN_OK)
        return akin_fail_memory(error, "reading a file");
    status = read_range(reader, range, block->data + at, error);
    if (status == AKIN_OK)
        block->length = at + more;
    return status;
}

akin_status akin_reader_peek(akin_reader *reader, size_t length, const char **data, size_t *got, akin_error *error)
{
    akin_reader *r = reader;
    move_unread(r);
    akin_status status = AKIN_OK;
    while (status == AKIN_OK && r->capacity < length)
        status = grow_reader(r, error);
    if (status == AKIN_OK && r->end < length)
        status = fill_reader(r, error);
    if (status != AKIN_OK)
        return status;
    *data = r->content;
    *got = r->end < length ? r->end : length;
    return AKIN_OK;
}

size_t akin_reader_stem(const char *path)
{
    const size_t length = akin_remote_name_length(path);
    return length - (akin_reader_ends(path, length, ".gz") ? 3 : akin_reader_ends(path, length, ".zst") ? 4 : 0);
}

int akin_reader_ends(const char *path, size_t length, const char *ending)
{
    const size_t tail = strlen(ending);
    return length >= tail && strncasecmp(path + length - tail, ending, tail) == 0;
}
