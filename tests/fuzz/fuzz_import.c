/*
 * Fuzzes the import of Arrow arrays that a stranger makes: types, lengths, offsets, counts of nulls, buffers, children
 * and dictionaries as the input says, also such as cannot be. A buffer always has room for what its array counts, up to
 * a bound, since the interface does not have the lengths of buffers; no row or character beyond them may be asked for.
 * An import is refused with a message, or gives columns of UTF-8 whose offsets rise and whose codes are in range. Every
 * struct is released once, as a whole or by the table, and the same input gives the same table by a stream and an
 * array.
 */
#include "base/context.h"
#include "table/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define COLUMNS 4
#define CHUNKS  3
#define ENTRIES 40 /* of an array, in all */
#define WIDEST  32 /* bytes of an entry */
#define ROOM    (ENTRIES * WIDEST + 64)
#define TEXT    256 /* bytes of all text of an array */

static void require(int condition)
{
    if (!condition)
        abort();
}

static const char *const formats[] = {
    "u",   "U",    "vu",   "n",     "b",          "c",         "C",          "s",          "S",         "i",
    "I",   "l",    "L",    "f",     "g",          "tdD",       "tdm",        "tts",        "ttm",       "ttu",
    "ttn", "tss:", "tsm:", "tsu:Z", "tsn:Europe", "d:10,2",    "d:38,-38",   "d:76,5,256", "d:5,1,32",  "d:9,0,64",
    "z",   "+s",   "+l",   "e",     "",           "d:0,1,128", "d: 9,1,128", "tsx:",       "d:5,1,,32", "\xff"};

enum { FORMATS = sizeof formats / sizeof *formats };

typedef struct input {
    const uint8_t *at, *end;
} input;

static uint8_t take(input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

/* Arrays with all that they point to, made at once, so that a sanitizer sees what is read outside. */
typedef struct array {
    struct ArrowArray arrow, dictionary;
    struct ArrowArray *children[COLUMNS];
    const void *buffers[6], *entry_buffers[6];
    struct array *columns[COLUMNS];
    void *blocks[16]; /* to be freed */
    uint32_t block_count;
    int *released; /* counts */
} array;

typedef struct schema {
    struct ArrowSchema arrow, children[COLUMNS], dictionaries[COLUMNS], *pointers[COLUMNS];
    char names[COLUMNS][16];
    int *released;
} schema;

static void *keep(array *a, size_t size)
{
    void *block = calloc(1, size + (size == 0));
    require(block && a->block_count < sizeof a->blocks / sizeof *a->blocks);
    a->blocks[a->block_count++] = block;
    return block;
}

static void free_array(array *a)
{
    for (uint32_t i = 0; i < COLUMNS; i++)
        if (a->columns[i])
            free_array(a->columns[i]);
    for (uint32_t i = 0; i < a->block_count; i++)
        free(a->blocks[i]);
    free(a);
}

static void release_part(struct ArrowArray *arrow)
{
    arrow->release = NULL;
}

static void release_array(struct ArrowArray *arrow)
{
    array *a = arrow->private_data;
    ++*a->released;
    free_array(a);
    arrow->release = NULL;
}

static void release_schema(struct ArrowSchema *arrow)
{
    schema *s = arrow->private_data;
    if (s) {
        ++*s->released;
        free(s);
    }
    arrow->release = NULL;
}

/* ------------------------------------------------------------------------------------------------------------ input */

/* A number as it should be, or one that cannot be. */
static int64_t distort(int64_t right, uint8_t how)
{
    static const int64_t others[] = {-1, 0, 1, INT64_MAX, INT64_MIN, INT64_C(1) << 56, UINT32_MAX, INT32_MIN};
    return how < 240 ? right : how < 248 ? others[how - 240] : right + how - 251;
}

/* Offsets of text: rising as far as the input says, within the text. */
static void fill_offsets(input *in, void *buffer, int wide, uint32_t count)
{
    int64_t offset = take(in) % 16;
    for (uint32_t i = 0; i <= count; i++) {
        const uint8_t step = take(in);
        const int64_t value = step == 255 ? -1 : step == 254 ? 0 : offset;
        const int32_t narrow = (int32_t)value;
        if (wide)
            memcpy((char *)buffer + i * sizeof value, &value, sizeof value);
        else
            memcpy((char *)buffer + i * sizeof narrow, &narrow, sizeof narrow);
        offset = offset + step % 16 < TEXT ? offset + step % 16 : offset;
    }
}

static void fill(input *in, void *buffer, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)buffer)[i] = take(in);
}

/* Views: text in them, or of one of two blocks of text, or beyond. */
static void fill_views(input *in, int32_t (*views)[4], uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t length = take(in);
        views[i][0] = length == 255 ? -1 : length % 40;
        if (length % 40 <= 12) {
            fill(in, &views[i][1], 12);
        } else {
            views[i][2] = take(in) % 4 - 1;
            views[i][3] = take(in) * 2 - 20;
        }
    }
}

/* The buffers of an array of a type; there are as many as it has, if nothing says otherwise. */
static int64_t fill_buffers(input *in, array *a, const void *buffers[6], const char *format, uint32_t count)
{
    const uint8_t missing = take(in);
    uint8_t *validity = keep(a, ENTRIES / 8 + 8);
    void *values = keep(a, ROOM);
    int64_t number = 2;
    fill(in, validity, (count + 7) / 8);
    buffers[0] = validity;
    buffers[1] = values;
    if (strcmp(format, "u") == 0 || strcmp(format, "U") == 0 || strcmp(format, "z") == 0) {
        fill_offsets(in, values, *format == 'U', count);
        buffers[2] = keep(a, TEXT);
        fill(in, (void *)(uintptr_t)buffers[2], 64);
        number = 3;
    } else if (strcmp(format, "vu") == 0) {
        int64_t *sizes = keep(a, 2 * sizeof *sizes);
        fill_views(in, values, count);
        for (int i = 0; i < 2; i++) {
            buffers[2 + i] = keep(a, TEXT);
            fill(in, (void *)(uintptr_t)buffers[2 + i], 40);
            sizes[i] = TEXT - take(in);
        }
        buffers[4] = sizes;
        number = 5;
    } else {
        fill(in, values, (size_t)count * 4); /* the rest is zeros */
        number = *format == 'n' ? 0 : 2;
    }
    for (int i = 0; i < 5; i++)
        if (missing >= 224 && missing >> i & 1)
            buffers[i] = NULL;
    return distort(number, take(in));
}

/* An array of a type; its dictionary, if it has one, is of another. `count` entries have room. */
static void fill_array(input *in, array *a, const char *format, const char *entries, uint32_t rows)
{
    const uint32_t offset = take(in) % 4, count = rows + offset;
    a->arrow = (struct ArrowArray){.length = distort(rows, take(in)),
                                   .null_count = (int8_t)take(in) % 4 - 1,
                                   .offset = distort(offset, take(in)),
                                   .buffers = a->buffers,
                                   .release = release_part};
    /* What says that there are more rows than there is room for is only believed where it cannot be. */
    if (a->arrow.length > rows && a->arrow.length <= INT64_C(1) << 56)
        a->arrow.length = rows;
    if (a->arrow.offset > offset && a->arrow.offset <= INT64_C(1) << 56)
        a->arrow.offset = offset;
    a->arrow.n_buffers = fill_buffers(in, a, a->buffers, format, count);
    if (a->arrow.n_buffers > 5 && strcmp(format, "vu") == 0)
        a->arrow.n_buffers = 5;
    if (!entries)
        return;
    const uint32_t number = take(in) % (ENTRIES - 8);
    a->dictionary = (struct ArrowArray){.length = number,
                                        .null_count = (int8_t)take(in) % 4 - 1,
                                        .offset = take(in) % 2,
                                        .buffers = a->entry_buffers,
                                        .release = release_part};
    a->dictionary.n_buffers = fill_buffers(in, a, a->entry_buffers, entries, number + 1);
    if (a->dictionary.n_buffers > 5 && strcmp(entries, "vu") == 0)
        a->dictionary.n_buffers = 5;
    if (take(in) < 250)
        a->arrow.dictionary = &a->dictionary;
}

typedef struct types {
    uint32_t columns, rows;
    const char *formats[COLUMNS], *entries[COLUMNS];
    uint8_t distortions[COLUMNS];
    int is_struct, released, given; /* structs */
} types;

static struct ArrowArray make_chunk(input *in, types *t)
{
    array *a = calloc(1, sizeof *a);
    require(a != NULL);
    a->released = &t->released;
    t->given++;
    const uint32_t rows = take(in) % (ENTRIES - 8), first = take(in) % 3;
    if (!t->is_struct) {
        fill_array(in, a, t->formats[0], t->entries[0], rows);
    } else {
        for (uint32_t i = 0; i < t->columns; i++) {
            a->columns[i] = calloc(1, sizeof *a);
            require(a->columns[i] != NULL);
            fill_array(in, a->columns[i], t->formats[i], t->entries[i], rows + first);
            a->children[i] = take(in) < 250 ? &a->columns[i]->arrow : NULL;
        }
        const uint8_t nulls = take(in);
        uint8_t *validity = keep(a, ENTRIES / 8 + 8);
        memset(validity, nulls < 250 ? 255 : nulls, ENTRIES / 8 + 8);
        a->buffers[0] = validity;
        a->arrow = (struct ArrowArray){.length = distort(rows, take(in)),
                                       .offset = first,
                                       .null_count = nulls < 128 ? 0 : -1,
                                       .n_buffers = distort(1, take(in)),
                                       .n_children = distort(t->columns, take(in)),
                                       .buffers = a->buffers,
                                       .children = a->children};
        /* Of what is longer than its columns an error is due. */
        if (a->arrow.n_children > t->columns)
            a->arrow.n_children = t->columns;
    }
    if (!t->is_struct && take(in) >= 250)
        a->arrow.children = a->children, a->arrow.n_children = 1;
    if (t->is_struct && a->arrow.length > ENTRIES && t->columns == 0)
        a->arrow.length = ENTRIES; /* rows without columns */
    if (a->arrow.length > rows && a->arrow.null_count != 0 && a->arrow.length <= INT64_C(1) << 56)
        a->arrow.length = rows;
    a->arrow.release = release_array;
    a->arrow.private_data = a;
    return a->arrow;
}

static struct ArrowSchema make_schema(types *t)
{
    schema *s = calloc(1, sizeof *s);
    require(s != NULL);
    s->released = &t->released;
    t->given++;
    for (uint32_t i = 0; i < t->columns; i++) {
        snprintf(s->names[i], sizeof s->names[i], "c%u", t->distortions[i] >= 250 ? 0 : i);
        s->dictionaries[i] = (struct ArrowSchema){.format = t->entries[i], .release = release_schema};
        s->children[i] = (struct ArrowSchema){.format = t->distortions[i] == 249 ? NULL : t->formats[i],
                                              .name = t->distortions[i] == 248 ? NULL : s->names[i],
                                              .dictionary = t->entries[i] ? &s->dictionaries[i] : NULL,
                                              .release = t->distortions[i] == 247 ? NULL : release_schema};
        s->pointers[i] = t->distortions[i] == 246 ? NULL : &s->children[i];
    }
    s->arrow = t->is_struct ? (struct ArrowSchema){.format = "+s", .n_children = t->columns, .children = s->pointers}
                            : s->children[0];
    s->arrow.release = release_schema;
    s->arrow.private_data = s;
    return s->arrow;
}

/* ----------------------------------------------------------------------------------------------------------- stream */

typedef struct source {
    types *types;
    input in;
    uint32_t left; /* chunks */
    uint8_t fails;
    int released;
} source;

static int give_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    source *s = stream->private_data;
    if (s->fails == 255)
        return 5;
    *out = make_schema(s->types);
    return 0;
}

static int give_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    source *s = stream->private_data;
    memset(out, 0, sizeof *out);
    if (s->fails == 254 && s->left == 1)
        return 12;
    if (s->left > 0 && s->left--)
        *out = make_chunk(&s->in, s->types);
    return 0;
}

static const char *say_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "it\nis \x1b[31m broken";
}

static void release_stream(struct ArrowArrayStream *stream)
{
    ((source *)stream->private_data)->released++;
    stream->release = NULL;
}

/* ------------------------------------------------------------------------------------------------------------ check */

static void check_column(const akin_column *c, uint32_t rows)
{
    require(rows == 0 || c->offsets != NULL);
    for (uint32_t row = 0; row < rows; row++) {
        const int has = !c->validity || (c->validity[row / 8] >> row % 8 & 1);
        require(c->offsets[row] <= c->offsets[row + 1]);
        const size_t length = (size_t)(c->offsets[row + 1] - c->offsets[row]);
        require(has || length == 0);
        require(akin_utf8_check(c->bytes + c->offsets[row], length) == length);
        require(length == 0 || !memchr(c->bytes + c->offsets[row], '\0', length));
        require(!c->codes || (has ? c->codes[row] < c->code_count : c->codes[row] == AKIN_CODE_NONE));
    }
}

static void check_tables(const akin_table *a, const akin_table *b)
{
    require(akin_table_rows(a) == akin_table_rows(b) && akin_table_columns(a) == akin_table_columns(b));
    for (uint32_t i = 0; i < akin_table_columns(a); i++) {
        akin_column c = AKIN_COLUMN_INIT, d = AKIN_COLUMN_INIT;
        require(akin_table_column(a, i, &c, NULL) == AKIN_OK && akin_table_column(b, i, &d, NULL) == AKIN_OK);
        check_column(&c, akin_table_rows(a));
        check_column(&d, akin_table_rows(b));
        for (uint32_t row = 0; row < akin_table_rows(a); row++) {
            const size_t length = (size_t)(c.offsets[row + 1] - c.offsets[row]);
            require(d.offsets[row + 1] - d.offsets[row] == length);
            require(length == 0 || memcmp(c.bytes + c.offsets[row], d.bytes + d.offsets[row], length) == 0);
        }
    }
}

static types read_types(input *in)
{
    types t = {.is_struct = take(in) < 200};
    t.columns = t.is_struct ? take(in) % (COLUMNS + 1) : 1;
    for (uint32_t i = 0; i < t.columns; i++) {
        const uint8_t entries = take(in);
        t.formats[i] = formats[take(in) % FORMATS];
        t.entries[i] = entries < 128 ? NULL : formats[entries % FORMATS];
        t.distortions[i] = take(in);
    }
    return t;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, data + size};
    akin_context context = {.scope = {.context = &context, .threads = 1, .cpu = akin_cpu_detect()}};
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    akin_table *streamed = NULL, *single = NULL;
    akin_error error = {.message = ""};
    const uint8_t how = take(&in), fails = take(&in);
    types t = read_types(&in), other = t;
    options.lossy = how & 1;
    source from = {.types = &t, .in = in, .left = how / 2 % CHUNKS + 1, .fails = fails};
    const int is_one = from.left == 1 && fails < 254;
    struct ArrowArrayStream stream = {give_schema, give_next, how & 128 ? NULL : say_error, release_stream, &from};
    akin_status status = akin_table_import(&context, &stream, &options, &streamed, &error);
    require((status == AKIN_OK) == (streamed != NULL) && (status == AKIN_OK || error.message[0] != '\0'));
    require(!stream.release && from.released == 1);
    for (const char *c = error.message; status != AKIN_OK && *c; c++)
        require((unsigned char)*c >= ' ');
    if (streamed)
        check_tables(streamed, streamed);
    if (is_one) {
        struct ArrowSchema arrow = make_schema(&other);
        struct ArrowArray chunk = make_chunk(&in, &other);
        require(akin_table_import_array(&context, &arrow, &chunk, &options, &single, &error) == status);
        if (single)
            check_tables(streamed, single);
    }
    akin_table_free(streamed);
    akin_table_free(single);
    require(t.released == t.given && other.released == other.given);
    return 0;
}
