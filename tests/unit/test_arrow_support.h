/* Arrow arrays made by hand, as a stranger would make them; how many of them have not been released is counted. */
#ifndef AKIN_TEST_ARROW_SUPPORT_H
#define AKIN_TEST_ARROW_SUPPORT_H

#include "akin.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int alive; /* schemas, arrays and streams */

static inline void *arrow_block(size_t size)
{
    void *block = calloc(1, size ? size : 1);
    assert_non_null(block);
    return block;
}

/* ----------------------------------------------------------------------------------------------------------- schema */

static inline void release_schema(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->release)
            schema->children[i]->release(schema->children[i]);
        free(schema->children[i]);
    }
    if (schema->dictionary) {
        if (schema->dictionary->release)
            schema->dictionary->release(schema->dictionary);
        free(schema->dictionary);
    }
    free(schema->children);
    free(schema->private_data);
    schema->release = NULL;
    alive--;
}

/* The name is copied. */
static inline struct ArrowSchema schema_of(const char *format, const char *name)
{
    char *copy = name ? strdup(name) : NULL;
    alive++;
    return (struct ArrowSchema){
        .format = format, .name = copy, .flags = ARROW_FLAG_NULLABLE, .release = release_schema, .private_data = copy};
}

static inline void add_child_schema(struct ArrowSchema *parent, struct ArrowSchema child)
{
    parent->children = realloc(parent->children, (size_t)(parent->n_children + 1) * sizeof *parent->children);
    assert_non_null(parent->children);
    parent->children[parent->n_children] = arrow_block(sizeof child);
    *parent->children[parent->n_children++] = child;
}

static inline struct ArrowSchema dictionary_schema(const char *index, const char *values, const char *name)
{
    struct ArrowSchema schema = schema_of(index, name);
    schema.dictionary = arrow_block(sizeof schema);
    *schema.dictionary = schema_of(values, NULL);
    return schema;
}

/* ------------------------------------------------------------------------------------------------------------ array */

static inline void release_made(struct ArrowArray *array)
{
    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release)
            array->children[i]->release(array->children[i]);
        free(array->children[i]);
    }
    if (array->dictionary) {
        if (array->dictionary->release)
            array->dictionary->release(array->dictionary);
        free(array->dictionary);
    }
    for (int64_t i = 0; i < array->n_buffers; i++)
        free((void *)(uintptr_t)array->buffers[i]);
    free((void *)array->buffers);
    free(array->children);
    array->release = NULL;
    alive--;
}

/* Takes the buffers, which are blocks of malloc's, or NULL. */
static inline struct ArrowArray array_of(int64_t length, int64_t offset, int64_t nulls, int64_t count, void **buffers)
{
    const void **own = arrow_block((size_t)count * sizeof *own);
    for (int64_t i = 0; i < count; i++)
        own[i] = buffers[i];
    alive++;
    return (struct ArrowArray){.length = length,
                               .null_count = nulls,
                               .offset = offset,
                               .n_buffers = count,
                               .buffers = own,
                               .release = release_made};
}

static inline void add_child(struct ArrowArray *parent, struct ArrowArray child)
{
    parent->children = realloc(parent->children, (size_t)(parent->n_children + 1) * sizeof *parent->children);
    assert_non_null(parent->children);
    parent->children[parent->n_children] = arrow_block(sizeof child);
    *parent->children[parent->n_children++] = child;
}

/* A struct of no children yet. */
static inline struct ArrowArray struct_array(int64_t length, int64_t offset)
{
    void *none[1] = {NULL};
    return array_of(length, offset, 0, 1, none);
}

/* A bit an entry, set where there is a text; NULL if all have one. */
static inline uint8_t *made_validity(const char *const *texts, int64_t entries, int64_t *nulls)
{
    uint8_t *bits = arrow_block((size_t)entries / 8 + 1);
    *nulls = 0;
    for (int64_t i = 0; i < entries; i++) {
        *nulls += texts[i] == NULL;
        bits[i / 8] |= (uint8_t)((texts[i] != NULL) << i % 8);
    }
    if (*nulls > 0)
        return bits;
    free(bits);
    return NULL;
}

/* Texts with offsets; entries from `offset` on. `under_nulls`: bytes that nulls have. */
static inline struct ArrowArray text_array(int wide, const char *const *texts, int64_t entries, int64_t offset,
                                           const char *under_nulls)
{
    int64_t nulls, length = 0;
    int32_t *narrow = arrow_block((size_t)(entries + 1) * sizeof *narrow);
    int64_t *offsets = arrow_block((size_t)(entries + 1) * sizeof *offsets);
    for (int64_t i = 0; i < entries; i++) {
        length += (int64_t)strlen(texts[i] ? texts[i] : under_nulls);
        offsets[i + 1] = length;
        narrow[i + 1] = (int32_t)length;
    }
    char *bytes = arrow_block((size_t)length);
    for (int64_t i = 0; i < entries; i++) {
        const char *text = texts[i] ? texts[i] : under_nulls;
        memcpy(bytes + offsets[i], text, strlen(text));
    }
    void *buffers[3] = {made_validity(texts, entries, &nulls), wide ? (void *)offsets : narrow, bytes};
    free(wide ? (void *)narrow : offsets);
    return array_of(entries - offset, offset, -(nulls > 0), 3, buffers);
}

/* Texts as views, those that are longer than 12 bytes in two blocks in turn. */
static inline struct ArrowArray view_array(const char *const *texts, int64_t entries, int64_t offset)
{
    int64_t nulls, *sizes = arrow_block(2 * sizeof *sizes);
    int32_t(*views)[4] = arrow_block((size_t)(entries + 1) * sizeof *views);
    char *blocks[2] = {arrow_block(1), arrow_block(1)};
    for (int64_t i = 0; i < entries; i++) {
        int32_t length = texts[i] ? (int32_t)strlen(texts[i]) : 0;
        int block = i % 2 != 0;
        views[i][0] = length;
        if (length <= 12) {
            memcpy(&views[i][1], texts[i] ? texts[i] : "", (size_t)length);
            continue;
        }
        memcpy(&views[i][1], texts[i], 4);
        views[i][2] = block;
        views[i][3] = (int32_t)sizes[block];
        blocks[block] = realloc(blocks[block], (size_t)(sizes[block] + length));
        assert_non_null(blocks[block]);
        memcpy(blocks[block] + sizes[block], texts[i], (size_t)length);
        sizes[block] += length;
    }
    void *buffers[5] = {made_validity(texts, entries, &nulls), views, blocks[0], blocks[1], sizes};
    return array_of(entries - offset, offset, -(nulls > 0), 5, buffers);
}

/* Texts as numbers of 2 bytes of the distinct ones among them, without looking for repetitions: value i is text i. */
static inline struct ArrowArray dictionary_array(const char *const *texts, int64_t entries, int64_t offset)
{
    int64_t nulls;
    int16_t *numbers = arrow_block((size_t)(entries + 1) * sizeof *numbers);
    for (int64_t i = 0; i < entries; i++)
        numbers[i] = (int16_t)(texts[i] ? entries - 1 - i : -7);
    const char **values = arrow_block((size_t)(entries + 1) * sizeof *values);
    for (int64_t i = 0; i < entries; i++)
        values[entries - 1 - i] = texts[i];
    void *buffers[2] = {made_validity(texts, entries, &nulls), numbers};
    struct ArrowArray array = array_of(entries - offset, offset, nulls ? -1 : 0, 2, buffers);
    array.dictionary = arrow_block(sizeof array);
    *array.dictionary = text_array(0, values, entries, 0, "");
    free(values);
    return array;
}

/* Numbers of `size` bytes each, copied, all of them there. */
static inline struct ArrowArray number_array(const void *numbers, size_t size, int64_t rows)
{
    void *buffers[2] = {NULL, arrow_block(size * (size_t)rows)};
    memcpy(buffers[1], numbers, size * (size_t)rows);
    return array_of(rows, 0, 0, 2, buffers);
}

/* ----------------------------------------------------------------------------------------------------------- stream */

#define CHUNKS 8

typedef struct chunks {
    struct ArrowSchema schema;
    struct ArrowArray arrays[CHUNKS];
    int count, next;
    int fails_at, code; /* get_next number `fails_at` (from 1 on; 0: none, -1: the schema) fails so */
} chunks;

static inline int give_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    chunks *c = stream->private_data;
    if (c->fails_at == -1)
        return c->code;
    *out = c->schema;
    c->schema.release = NULL;
    return 0;
}

static inline int give_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    chunks *c = stream->private_data;
    if (c->fails_at == c->next + 1)
        return c->code;
    memset(out, 0, sizeof *out);
    if (c->next < c->count) {
        *out = c->arrays[c->next];
        c->arrays[c->next++].release = NULL;
    }
    return 0;
}

static inline const char *give_reason(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "the cable was pulled. Detail: Python exception: Traceback (most recent call last)"; /* as pyarrow says */
}

static inline void release_chunks(struct ArrowArrayStream *stream)
{
    chunks *c = stream->private_data;
    if (c->schema.release)
        c->schema.release(&c->schema);
    for (int i = 0; i < c->count; i++)
        if (c->arrays[i].release)
            c->arrays[i].release(&c->arrays[i]);
    free(c);
    stream->release = NULL;
    alive--;
}

/* A stream of no arrays yet, which chunks_add adds. */
static inline struct ArrowArrayStream stream_of(struct ArrowSchema schema)
{
    chunks *c = arrow_block(sizeof *c);
    c->schema = schema;
    alive++;
    return (struct ArrowArrayStream){.get_schema = give_schema,
                                     .get_next = give_next,
                                     .get_last_error = give_reason,
                                     .release = release_chunks,
                                     .private_data = c};
}

static inline void chunks_add(struct ArrowArrayStream *stream, struct ArrowArray array)
{
    chunks *c = stream->private_data;
    assert_true(c->count < CHUNKS);
    c->arrays[c->count++] = array;
}

static inline void chunks_fail(struct ArrowArrayStream *stream, int at, int code)
{
    chunks *c = stream->private_data;
    c->fails_at = at;
    c->code = code;
}

#endif
