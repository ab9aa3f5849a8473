/*
 * Frames as Arrow arrays. What is exported has a hold of the frame, and so has each child, which the C Data Interface
 * lets a consumer move out of its parent and release on its own.
 */
#include "table/frame.h"

#include "base/memory.h"

#include <errno.h>

static const char *const formats[] = {NULL, "I", "L", "g", "b", "U", "i", "l"}; /* by akin_type */

static akin_frame *hold(akin_frame *frame)
{
    atomic_fetch_add_explicit(&frame->holders, 1, memory_order_relaxed);
    return frame;
}

/* Packs bytes, 0 or 1, to bits in place: those of a byte are read before it is written. */
static void pack_bits(akin_bulk *bulk, uint64_t rows)
{
    unsigned char *bytes = bulk->data;
    for (uint64_t i = 0; i < rows; i += 8) {
        unsigned byte = 0;
        for (uint64_t k = i; k < rows && k < i + 8; k++)
            byte |= (unsigned)(bytes[k] != 0) << (k - i);
        bytes[i / 8] = (unsigned char)byte;
    }
    akin_bulk_trim(bulk, rows / 8 + (rows % 8 != 0));
}

/* Ends the making of a frame: there are arrays for all columns, as long as their rows. */
static akin_status settle_frame(akin_frame *frame, akin_error *error)
{
    akin_status status = AKIN_OK;
    if (frame->is_exported)
        return AKIN_OK;
    for (uint32_t i = 0; i < frame->count && status == AKIN_OK; i++) {
        akin_frame_column *column = &frame->columns[i];
        if (column->type != AKIN_TYPE_TEXT) {
            status = akin_bulk_reserve(&column->data, 1, NULL, NULL);
            continue;
        }
        status = akin_strings_add_nulls(&column->text, frame->rows);
        if (status == AKIN_OK)
            status = akin_strings_fit(&column->text);
    }
    if (status != AKIN_OK)
        return akin_store_fail(&frame->store, status, "the results", error);
    for (uint32_t i = 0; i < frame->count; i++) {
        akin_frame_column *column = &frame->columns[i];
        if (column->type == AKIN_TYPE_BOOL)
            pack_bits(&column->data, frame->rows);
        if (column->nulls > 0)
            pack_bits(&column->validity, frame->rows);
    }
    frame->is_exported = 1;
    return AKIN_OK;
}

/* ----------------------------------------------------------------------------------------------------------- schema */

/* A struct's children, and the room that they are in. */
typedef struct schema_room {
    akin_frame *frame;
    struct ArrowSchema **pointers;
    struct ArrowSchema *children;
} schema_room;

static void release_child_schema(struct ArrowSchema *schema)
{
    akin_frame_free(schema->private_data);
    schema->release = NULL;
}

static void free_schema_room(schema_room *room)
{
    akin_free(room->pointers);
    akin_free(room->children);
    akin_frame_free(room->frame);
    akin_free(room);
}

static void release_schema(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++)
        if (schema->children[i]->release)
            schema->children[i]->release(schema->children[i]);
    free_schema_room(schema->private_data);
    schema->release = NULL;
}

static int make_schema(akin_frame *frame, struct ArrowSchema *out)
{
    schema_room *room = akin_alloc_zero(NULL, 1, sizeof *room);
    if (!room)
        return ENOMEM;
    room->pointers = akin_alloc(NULL, frame->count, sizeof *room->pointers);
    room->children = akin_alloc_zero(NULL, frame->count, sizeof *room->children);
    if (!room->pointers || !room->children) {
        free_schema_room(room);
        return ENOMEM;
    }
    room->frame = hold(frame);
    for (uint32_t i = 0; i < frame->count; i++) {
        const akin_frame_column *column = &frame->columns[i];
        room->pointers[i] = &room->children[i];
        room->children[i] = (struct ArrowSchema){.format = formats[column->type],
                                                 .name = column->name,
                                                 .flags = ARROW_FLAG_NULLABLE,
                                                 .release = release_child_schema,
                                                 .private_data = hold(frame)};
    }
    *out = (struct ArrowSchema){.format = "+s",
                                .name = "",
                                .n_children = frame->count,
                                .children = room->pointers,
                                .release = release_schema,
                                .private_data = room};
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ array */

/* What a child has of its own, so that it outlives its parent. */
typedef struct child_room {
    akin_frame *frame;
    const void *buffers[3];
} child_room;

typedef struct array_room {
    akin_frame *frame;
    struct ArrowArray **pointers;
    struct ArrowArray *children;
    const void *no_buffer;
} array_room;

static void release_child(struct ArrowArray *array)
{
    child_room *room = array->private_data;
    akin_frame_free(room->frame);
    akin_free(room);
    array->release = NULL;
}

static void free_array_room(array_room *room, uint32_t children)
{
    for (uint32_t i = 0; i < children; i++)
        if (room->children[i].release)
            room->children[i].release(&room->children[i]);
    akin_free(room->pointers);
    akin_free(room->children);
    akin_frame_free(room->frame);
    akin_free(room);
}

static void release_array(struct ArrowArray *array)
{
    free_array_room(array->private_data, (uint32_t)array->n_children);
    array->release = NULL;
}

static int make_child(akin_frame *frame, const akin_frame_column *column, struct ArrowArray *out)
{
    const int is_text = column->type == AKIN_TYPE_TEXT;
    child_room *room = akin_alloc_zero(NULL, 1, sizeof *room);
    if (!room)
        return ENOMEM;
    room->frame = hold(frame);
    room->buffers[0] = is_text ? column->text.validity : column->validity.data;
    room->buffers[1] = is_text ? (const void *)column->text.offsets : column->data.data;
    room->buffers[2] = is_text ? column->text.bytes : NULL;
    *out = (struct ArrowArray){.length = (int64_t)frame->rows,
                               .null_count = (int64_t)(is_text ? column->text.nulls : column->nulls),
                               .n_buffers = is_text ? 3 : 2,
                               .buffers = room->buffers,
                               .release = release_child,
                               .private_data = room};
    return 0;
}

static int make_array(akin_frame *frame, struct ArrowArray *out)
{
    array_room *room = akin_alloc_zero(NULL, 1, sizeof *room);
    if (!room)
        return ENOMEM;
    room->pointers = akin_alloc(NULL, frame->count, sizeof *room->pointers);
    room->children = akin_alloc_zero(NULL, frame->count, sizeof *room->children);
    uint32_t count = 0;
    for (; room->pointers && room->children && count < frame->count; count++) {
        if (make_child(frame, &frame->columns[count], &room->children[count]))
            break;
        room->pointers[count] = &room->children[count];
    }
    if (!room->pointers || !room->children || count < frame->count) {
        free_array_room(room, count);
        return ENOMEM;
    }
    room->frame = hold(frame);
    *out = (struct ArrowArray){.length = (int64_t)frame->rows,
                               .n_buffers = 1,
                               .n_children = frame->count,
                               .buffers = &room->no_buffer,
                               .children = room->pointers,
                               .release = release_array,
                               .private_data = room};
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- stream */

typedef struct stream_room {
    akin_frame *frame;
    int is_read;
} stream_room;

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    stream_room *room = stream->private_data;
    return make_schema(room->frame, out);
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    stream_room *room = stream->private_data;
    if (room->is_read) {
        *out = (struct ArrowArray){0};
        return 0;
    }
    int code = make_array(room->frame, out);
    room->is_read = code == 0;
    return code;
}

/* The one failure there is needs no words. */
static const char *get_last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    stream_room *room = stream->private_data;
    akin_frame_free(room->frame);
    akin_free(room);
    stream->release = NULL;
}

akin_status akin_frame_export(akin_frame *frame, struct ArrowArrayStream *out, akin_error *error)
{
    akin_status status = settle_frame(frame, error);
    if (status != AKIN_OK)
        return status;
    stream_room *room = akin_alloc_zero(NULL, 1, sizeof *room);
    if (!room)
        return akin_fail_memory(error, "a stream of the results");
    room->frame = hold(frame);
    *out = (struct ArrowArrayStream){.get_schema = get_schema,
                                     .get_next = get_next,
                                     .get_last_error = get_last_error,
                                     .release = release_stream,
                                     .private_data = room};
    return AKIN_OK;
}

akin_status akin_frame_export_array(akin_frame *frame, struct ArrowSchema *schema, struct ArrowArray *array,
                                    akin_error *error)
{
    struct ArrowSchema own;
    akin_status status = settle_frame(frame, error);
    if (status != AKIN_OK)
        return status;
    if (make_schema(frame, &own))
        return akin_fail_memory(error, "the results as an array");
    if (make_array(frame, array)) {
        own.release(&own);
        return akin_fail_memory(error, "the results as an array");
    }
    *schema = own;
    return AKIN_OK;
}
