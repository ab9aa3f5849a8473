/*
 * Fuzzes the import of Arrow streams of dictionary-encoded text. The input is chunks, each with a dictionary of its
 * own; the same rows as plain text must give the same table, or an error, too, and codes must be those of one text.
 *
 *     layout and lossy, then of each chunk: entries, rows, the entries (a length, 255: null; bytes), a byte for each
 *     row: its entry, from 200 on a null
 */
#include "base/context.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHUNKS  4
#define MOST    64 /* entries, or rows, of a chunk */
#define LONGEST 32 /* bytes of an entry */
#define NULL_AT 200

static void require(int condition)
{
    if (!condition)
        abort();
}

/* Entries, or rows, as text of one layout. */
typedef struct text {
    uint32_t count;
    uint8_t validity[MOST / 8];
    int32_t offsets[MOST + 1], views[MOST][4];
    int64_t wide[MOST + 1], sizes[1];
    char bytes[MOST * LONGEST + 1];
    const void *buffers[4];
} text;

typedef struct chunk {
    text entries, plain;
    uint8_t numbers[MOST];
    const void *buffers[2];
    struct ArrowArray dictionary;
} chunk;

typedef struct input {
    chunk chunks[CHUNKS];
    uint32_t count, next;
    int layout, lossy, is_bad; /* bad: a row has an entry that is not there */
    int is_plain;              /* what the stream gives */
    struct ArrowSchema values;
} input;

static const char *const layouts[] = {"u", "U", "vu"};

static void add_text(text *t, const char *bytes, uint32_t length)
{
    const uint32_t i = t->count++, start = (uint32_t)t->offsets[i];
    if (bytes) {
        memcpy(t->bytes + start, bytes, length);
        t->validity[i / 8] |= (uint8_t)(1u << i % 8);
    }
    t->offsets[i + 1] = (int32_t)(start + (bytes ? length : 0));
    t->wide[i + 1] = t->offsets[i + 1];
    t->views[i][0] = (int32_t)(bytes ? length : 0);
    if (length <= 12 && bytes) {
        memcpy(&t->views[i][1], bytes, length);
    } else {
        t->views[i][2] = 0;
        t->views[i][3] = (int32_t)start;
    }
}

/* ----------------------------------------------------------------------------------------------------------- stream */

static void release_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array)
{
    array->release = NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    stream->release = NULL;
}

static struct ArrowArray array_of(text *t, int layout)
{
    const void *starts[] = {t->offsets, t->wide, t->views};
    t->sizes[0] = t->offsets[t->count];
    t->buffers[0] = t->validity;
    t->buffers[1] = starts[layout];
    t->buffers[2] = t->bytes;
    t->buffers[3] = t->sizes;
    return (struct ArrowArray){.length = t->count,
                               .null_count = -1,
                               .n_buffers = layout == 2 ? 4 : 3,
                               .buffers = t->buffers,
                               .release = release_array};
}

static int give_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    input *in = stream->private_data;
    in->values = (struct ArrowSchema){.format = layouts[in->layout], .release = release_schema};
    *out = in->values;
    if (!in->is_plain) {
        out->format = "C";
        out->dictionary = &in->values;
    }
    return 0;
}

static int give_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    input *in = stream->private_data;
    memset(out, 0, sizeof *out);
    if (in->next == in->count)
        return 0;
    chunk *c = &in->chunks[in->next++];
    *out = array_of(&c->plain, in->layout);
    if (in->is_plain)
        return 0;
    c->dictionary = array_of(&c->entries, in->layout);
    c->buffers[0] = c->plain.validity;
    c->buffers[1] = c->numbers;
    out->dictionary = &c->dictionary;
    out->n_buffers = 2;
    out->buffers = c->buffers;
    return 0;
}

static akin_status import(input *in, int is_plain, akin_table **table)
{
    akin_context context = {.scope = {.context = &context, .threads = 1, .cpu = akin_cpu_detect()}};
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    akin_error error;
    struct ArrowArrayStream stream = {
        .get_schema = give_schema, .get_next = give_next, .release = release_stream, .private_data = in};
    options.lossy = in->lossy;
    in->is_plain = is_plain;
    in->next = 0;
    return akin_table_import(&context, &stream, &options, table, &error);
}

/* ------------------------------------------------------------------------------------------------------------ input */

/* The next byte, 0 behind the last. */
static uint8_t take(const uint8_t **at, const uint8_t *end)
{
    return *at < end ? *(*at)++ : 0;
}

static void read_chunk(input *in, chunk *c, const uint8_t **at, const uint8_t *end)
{
    const uint32_t entries = take(at, end) % MOST, rows = take(at, end) % MOST;
    for (uint32_t i = 0; i < entries; i++) {
        char bytes[LONGEST];
        const uint8_t given = take(at, end);
        const uint32_t length = given == 255 ? 0 : given % LONGEST;
        for (uint32_t b = 0; b < LONGEST; b++)
            bytes[b] = b < length ? (char)take(at, end) : '\0';
        add_text(&c->entries, given == 255 ? NULL : bytes, length);
    }
    for (uint32_t i = 0; i < rows; i++) {
        const uint8_t entry = c->numbers[i] = take(at, end);
        const int has_text = entry < entries && (c->entries.validity[entry / 8] >> entry % 8 & 1);
        const int32_t *offsets = c->entries.offsets;
        in->is_bad |= entry >= entries && entry < NULL_AT;
        add_text(&c->plain, has_text ? c->entries.bytes + offsets[entry] : NULL,
                 has_text ? (uint32_t)(offsets[entry + 1] - offsets[entry]) : 0);
    }
}

/* The rows that a null entry makes nulls are not null in the dictionary's own array: they have that entry. */
static void mark_numbers(chunk *c, uint8_t validity[MOST / 8])
{
    memset(validity, 0, MOST / 8);
    for (uint32_t i = 0; i < c->plain.count; i++)
        validity[i / 8] |= (uint8_t)((c->numbers[i] < NULL_AT) << i % 8);
}

/* ------------------------------------------------------------------------------------------------------------ check */

static int has(const akin_column *column, uint32_t row)
{
    return !column->validity || (column->validity[row / 8] >> row % 8 & 1);
}

static int is_same(const akin_column *a, uint32_t i, const akin_column *b, uint32_t j)
{
    const uint64_t length = a->offsets[i + 1] - a->offsets[i];
    return has(a, i) == has(b, j) && length == b->offsets[j + 1] - b->offsets[j] &&
           memcmp(a->bytes + a->offsets[i], b->bytes + b->offsets[j], length) == 0;
}

static void check_tables(const akin_table *coded, const akin_table *plain)
{
    akin_column a = AKIN_COLUMN_INIT, b = AKIN_COLUMN_INIT;
    const uint32_t rows = akin_table_rows(coded);
    require(rows == akin_table_rows(plain) && akin_table_column(coded, 0, &a, NULL) == AKIN_OK &&
            akin_table_column(plain, 0, &b, NULL) == AKIN_OK && !b.codes && !a.codes == !a.code_count);
    for (uint32_t row = 0; row < rows; row++) {
        require(is_same(&a, row, &b, row));
        if (!a.codes)
            continue;
        require((a.codes[row] == AKIN_CODE_NONE) == !has(&a, row));
        require(a.codes[row] < a.code_count || a.codes[row] == AKIN_CODE_NONE);
        for (uint32_t other = 0; other < row; other++)
            require(a.codes[other] != a.codes[row] || is_same(&a, other, &a, row));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *at = data, *end = data + size;
    akin_table *coded = NULL, *plain = NULL;
    input *in = calloc(1, sizeof *in);
    require(in != NULL);
    const uint8_t how = take(&at, end);
    in->layout = how % 3;
    in->lossy = how / 3 % 2;
    while (at < end && in->count < CHUNKS)
        read_chunk(in, &in->chunks[in->count++], &at, end);
    const akin_status expected = import(in, 1, &plain);
    for (uint32_t i = 0; i < in->count; i++)
        mark_numbers(&in->chunks[i], in->chunks[i].plain.validity);
    const akin_status status = import(in, 0, &coded);
    require(in->is_bad ? status == AKIN_E_INPUT : status == expected);
    if (status == AKIN_OK)
        check_tables(coded, plain);
    akin_table_free(coded);
    akin_table_free(plain);
    free(in);
    return 0;
}
