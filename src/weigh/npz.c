/*
 * Term weights as SciPy keeps a sparse matrix: a ZIP archive of arrays in NumPy's format, none of them compressed. An
 * entry is made twice, for its checksum and to be written, as an output cannot go back. What goes beyond 4 GB has ZIP's
 * 64-bit fields.
 *
 *     format.npy   "csr", documents by terms, or "csc" by term
 *     shape.npy    documents, terms
 *     indptr.npy   where lists begin        indices.npy, data.npy, tf.npy   ids, weights, frequencies
 *
 * Sources: APPNOTE.TXT 6.3 of ZIP; NEP 1 of NumPy; scipy.sparse.load_npz.
 */
#include "weigh/npz.h"

#include "base/npy.h"
#include "base/scope.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#define PIECE   2048 /* numbers that are converted at once: on the stack, which may be small */
#define ENTRIES 6

/* An array of the archive. */
typedef struct entry {
    const char *name;
    const char *type, *shape; /* as Python writes them */
    uint64_t count;
    size_t size;      /* bytes of an item */
    const void *data; /* of that type; or, converted: */
    int converted;    /* offsets, which are uint64, are to be int32 */
    int widened;      /* ids, which are uint32, are to be int64 */
    uint64_t place;   /* in the archive */
    uint32_t checksum;
    char head[AKIN_NPY_HEAD];
} entry;

/* What an entry's bytes go to. */
typedef struct sink {
    const akin_scope *scope;
    akin_output *output; /* NULL: they are summed up */
    uint32_t checksum;
    akin_error *error;
} sink;

static akin_status put_entry_bytes(sink *s, const void *data, uint64_t length)
{
    const unsigned char *from = data;
    for (uint64_t step; length > 0; from += step, length -= step) {
        step = length < (1 << 24) ? length : 1 << 24;
        if (s->output) {
            akin_status status = akin_output_write(s->output, from, (size_t)step, s->error);
            if (status != AKIN_OK)
                return status;
        } else {
            s->checksum = (uint32_t)crc32(s->checksum, from, (unsigned)step);
        }
        if (akin_scope_report(s->scope, NULL, 0, 0) != AKIN_OK)
            return akin_fail(s->error, AKIN_E_CANCELLED, "cancelled while writing");
    }
    return AKIN_OK;
}

static akin_status put_converted(sink *s, const entry *e)
{
    union {
        int32_t narrow[PIECE];
        int64_t wide[PIECE];
    } piece;
    akin_status status = AKIN_OK;
    for (uint64_t done = 0, step; done < e->count && status == AKIN_OK; done += step) {
        step = e->count - done < PIECE ? e->count - done : PIECE;
        for (uint64_t i = 0; i < step; i++) {
            if (e->widened)
                piece.wide[i] = ((const uint32_t *)e->data)[done + i];
            else
                piece.narrow[i] = (int32_t)((const uint64_t *)e->data)[done + i];
        }
        status = put_entry_bytes(s, &piece, step * e->size);
    }
    return status;
}

static akin_status put_entry(sink *s, const entry *e)
{
    akin_status status = put_entry_bytes(s, e->head, AKIN_NPY_HEAD);
    if (status == AKIN_OK)
        status = e->converted || e->widened ? put_converted(s, e) : put_entry_bytes(s, e->data, e->count * e->size);
    return status;
}

static char *put16(char *to, unsigned value)
{
    *to++ = (char)(value & 255);
    *to++ = (char)(value >> 8 & 255);
    return to;
}

static char *put32(char *to, uint64_t value)
{
    return put16(put16(to, (unsigned)(value & 0xffff)), (unsigned)(value >> 16 & 0xffff));
}

static char *put64(char *to, uint64_t value)
{
    return put32(put32(to, value), value >> 32);
}

#define SHORT UINT32_MAX /* a field that says: look at the 64-bit one */

/* A local header, or one of the directory at the end, which also has the place. */
static akin_status put_zip_header(sink *s, const entry *e, int directory)
{
    char header[128], *to = header;
    uint64_t size = AKIN_NPY_HEAD + e->count * e->size;
    size_t name = strlen(e->name);
    to = put32(to, directory ? 0x02014b50 : 0x04034b50);
    if (directory)
        to = put16(to, 45); /* made by a program that knows 64-bit fields, on no system in particular */
    to = put16(to, 45);
    to = put16(to, 0); /* flags, method: stored */
    to = put16(to, 0);
    to = put16(to, 0); /* midnight, 1980-01-01: the same bytes at all times */
    to = put16(to, 33);
    to = put32(to, e->checksum);
    to = put32(to, SHORT);
    to = put32(to, SHORT);
    to = put16(to, (unsigned)name);
    to = put16(to, directory ? 28 : 20);
    if (directory) {
        to = put16(put16(put16(to, 0), 0), 0); /* comment, disk, kind of content */
        to = put32(to, 0);
        to = put32(to, SHORT);
    }
    memcpy(to, e->name, name);
    to = put16(to + name, 1); /* the 64-bit fields */
    to = put16(to, directory ? 24 : 16);
    to = put64(put64(to, size), size);
    if (directory)
        to = put64(to, e->place);
    return put_entry_bytes(s, header, (uint64_t)(to - header));
}

static uint64_t header_bytes(const entry *e, int directory)
{
    return (directory ? 46 + 28 : 30 + 20) + strlen(e->name);
}

/* The directory's end, in 64-bit fields and in the old ones. */
static akin_status put_end(sink *s, uint64_t place, uint64_t size)
{
    char end[128], *to = end;
    to = put32(to, 0x06064b50);
    to = put64(to, 44);
    to = put16(put16(to, 45), 45);
    to = put32(put32(to, 0), 0);
    to = put64(put64(to, ENTRIES), ENTRIES);
    to = put64(put64(to, size), place);
    to = put32(to, 0x07064b50);
    to = put32(to, 0);
    to = put64(to, place + size);
    to = put32(to, 1);
    to = put32(to, 0x06054b50);
    to = put16(put16(to, 0), 0);
    to = put16(put16(to, ENTRIES), ENTRIES);
    to = put32(put32(to, SHORT), SHORT);
    to = put16(to, 0);
    return put_entry_bytes(s, end, (uint64_t)(to - end));
}

static akin_status put_archive(const akin_scope *scope, entry entries[ENTRIES], akin_output *output, akin_error *error)
{
    sink to = {scope, output, 0, error};
    uint64_t place = 0, size = 0;
    akin_status status = AKIN_OK;
    for (int i = 0; i < ENTRIES && status == AKIN_OK; i++) {
        entry *e = &entries[i];
        sink sum = {scope, NULL, 0, error};
        akin_npy_head(e->head, e->type, e->shape);
        status = put_entry(&sum, e);
        e->checksum = sum.checksum;
        e->place = place;
        if (status == AKIN_OK)
            status = put_zip_header(&to, e, 0);
        if (status == AKIN_OK)
            status = put_entry(&to, e);
        place += header_bytes(e, 0) + AKIN_NPY_HEAD + e->count * e->size;
    }
    for (int i = 0; i < ENTRIES && status == AKIN_OK; i++) {
        status = put_zip_header(&to, &entries[i], 1);
        size += header_bytes(&entries[i], 1);
    }
    return status == AKIN_OK ? put_end(&to, place, size) : status;
}

akin_status akin_weights_write_npz(const akin_scope *scope, const akin_weights *weights, akin_output *output,
                                   akin_error *error)
{
    const akin_weights *w = weights;
    const uint64_t lists = akin_weights_lists(w), shape[2] = {w->documents, w->ids_count};
    /* SciPy wants one type for both, signed, and makes copies of what is not so. */
    const int wide = w->pairs > INT32_MAX || w->documents > INT32_MAX || w->ids_count > INT32_MAX;
    char pairs[32], bounds[32];
    snprintf(pairs, sizeof pairs, "(%llu,)", (unsigned long long)w->pairs);
    snprintf(bounds, sizeof bounds, "(%llu,)", (unsigned long long)lists + 1);
    entry entries[ENTRIES] = {
        {.name = "format.npy", .type = "|S3", .shape = "()", .count = 3, .size = 1},
        {.name = "shape.npy", .type = "<i8", .shape = "(2,)", .count = 2, .size = 8, .data = shape},
        {.name = "indptr.npy", .type = wide ? "<i8" : "<i4", .shape = bounds, .count = lists + 1, .data = w->offsets},
        {.name = "indices.npy", .type = wide ? "<i8" : "<i4", .shape = pairs, .count = w->pairs, .data = w->ids},
        {.name = "data.npy", .type = "<f8", .shape = pairs, .count = w->pairs, .size = 8, .data = w->values},
        {.name = "tf.npy", .type = "<u4", .shape = pairs, .count = w->pairs, .size = 4, .data = w->tf}};
    entries[0].data = w->order == AKIN_WEIGHTS_BY_TERM ? "csc" : "csr";
    entries[2].size = entries[3].size = wide ? 8 : 4;
    entries[2].converted = !wide;
    entries[3].widened = wide;
    return put_archive(scope, entries, output, error);
}
