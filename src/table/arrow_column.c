/* A column's part of a chunk of Arrow arrays: checked as far as the interface permits, and read. */
#include "table/arrow.h"

#include "table/utf8.h"

#include <stdlib.h>
#include <string.h>

#define VIEW        16 /* bytes of a view: length, then the text; or four bytes of it, the block and the place there */
#define VIEW_INLINE 12 /* bytes of text in it */

/* Entries are counted in 64 bits; these leave bytes and pointers countable, too. */
#define ENTRIES_MOST ((uint64_t)1 << 56)

static int is_text(akin_arrow_kind kind)
{
    return kind == AKIN_ARROW_TEXT32 || kind == AKIN_ARROW_TEXT64;
}

/* Bytes of an entry that is not text or a bit. */
static uint64_t entry_width_of(akin_arrow_kind kind)
{
    switch (kind) {
    case AKIN_ARROW_I8:
    case AKIN_ARROW_U8:
        return 1;
    case AKIN_ARROW_I16:
    case AKIN_ARROW_U16:
        return 2;
    case AKIN_ARROW_I32:
    case AKIN_ARROW_U32:
    case AKIN_ARROW_F32:
    case AKIN_ARROW_DAYS:
    case AKIN_ARROW_CLOCK_S:
    case AKIN_ARROW_CLOCK_MS:
    case AKIN_ARROW_DECIMAL32:
        return 4;
    case AKIN_ARROW_DECIMAL128:
        return 16;
    case AKIN_ARROW_DECIMAL256:
        return 32;
    case AKIN_ARROW_VIEW:
        return VIEW;
    default:
        return 8;
    }
}

uint64_t akin_arrow_index(const akin_arrow_values *values, uint64_t entry)
{
    return (uint64_t)akin_arrow_integer(values->kind,
                                        values->data + (values->first + entry) * entry_width_of(values->kind));
}

/* ----------------------------------------------------------------------------------------------------------- checks */

static akin_status fail_array(const char *name, const char *what, akin_error *error)
{
    return akin_fail_column(error, AKIN_E_INPUT, AKIN_REASON_MALFORMED, name,
                            "column '%s': an Arrow array that cannot be: %s", name, what);
}

static akin_status fail_array_row(const char *name, uint64_t row, const char *what, akin_error *error)
{
    return akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_MALFORMED, row, name,
                         ", column '%s': an Arrow array that cannot be: %s", name, what);
}

/* What holds of every array: numbers that agree with one another. */
static akin_status check_array_shape(const struct ArrowArray *array, akin_arrow_kind kind, int has_dictionary,
                                     const char *name, akin_error *error)
{
    int64_t buffers = kind == AKIN_ARROW_NULL ? 0 : is_text(kind) ? 3 : 2;
    if (!array || !array->release)
        return fail_array(name, "it has been released", error);
    if (array->length < 0 || array->offset < 0 || (uint64_t)array->length + (uint64_t)array->offset > ENTRIES_MOST)
        return fail_array(name, "its length or its offset is negative, or larger than any memory", error);
    if (array->null_count < -1 || array->null_count > array->length)
        return fail_array(name, "its number of nulls is not one of its rows", error);
    if (array->n_children != 0 || has_dictionary != (array->dictionary != NULL))
        return fail_array(name, "it has children or a dictionary where its type has none, or lacks the dictionary",
                          error);
    /* Nulls had a buffer before version 1.0 of Arrow, and Polars still gives them one. */
    int with_old = kind == AKIN_ARROW_NULL && array->n_buffers == 1;
    if (kind == AKIN_ARROW_VIEW ? array->n_buffers < 3 : array->n_buffers != buffers && !with_old)
        return fail_array(name, "it has a number of buffers that its type does not have", error);
    if (buffers > 0 && !array->buffers)
        return fail_array(name, "its buffers are missing", error);
    return AKIN_OK;
}

/* The first row that ends before it begins, or beyond what there may be; values->rows: there is none. `kind` is that of
 * the values, which a loop of its own need not look at. */
static inline uint64_t first_disordered(const akin_arrow_values *values, akin_arrow_kind kind, uint64_t most)
{
    akin_arrow_values own = *values;
    own.kind = kind;
    uint64_t i = 0, last = akin_arrow_offset(&own, 0), next;
    for (; i < own.rows && (next = akin_arrow_offset(&own, i + 1)) >= last && next <= most; i++)
        last = next;
    return i;
}

/* Offsets that never decrease, bytes where there must be some. */
static akin_status check_offsets(akin_arrow_values *values, const char *name, uint64_t row, akin_error *error)
{
    const uint64_t most = values->kind == AKIN_ARROW_TEXT64 ? INT64_MAX : INT32_MAX;
    uint64_t last = akin_arrow_offset(values, 0), start = last;
    values->is_tight = 1;
    if (last > most)
        return fail_array_row(name, row, "its offset is negative", error);
    const uint64_t disordered = values->kind == AKIN_ARROW_TEXT64 ? first_disordered(values, AKIN_ARROW_TEXT64, most)
                                                                  : first_disordered(values, AKIN_ARROW_TEXT32, most);
    if (disordered < values->rows)
        return fail_array_row(name, row + disordered, "its offset is above the next one", error);
    for (uint64_t i = 0; i < values->rows && values->validity && values->is_tight; i++)
        values->is_tight =
            akin_arrow_has(values, i) || akin_arrow_offset(values, i) == akin_arrow_offset(values, i + 1);
    last = akin_arrow_offset(values, values->rows);
    if (last > start && !values->bytes)
        return fail_array(name, "the buffer of its text is missing", error);
    if (!values->bytes)
        values->bytes = "";
    return AKIN_OK;
}

static akin_status check_views(const akin_arrow_values *values, const char *name, uint64_t row, akin_error *error)
{
    for (uint64_t i = 0; i < values->rows; i++) {
        int32_t view[4];
        if (!akin_arrow_has(values, i))
            continue;
        memcpy(view, values->data + (values->first + i) * VIEW, VIEW);
        if (view[0] >= 0 && view[0] <= VIEW_INLINE)
            continue;
        if (view[0] < 0 || view[2] < 0 || view[3] < 0 || (uint64_t)view[2] >= values->block_count ||
            !values->blocks[view[2]] || (int64_t)view[3] + view[0] > values->sizes[view[2]])
            return fail_array_row(name, row + i, "its view is beyond the buffers", error);
    }
    return AKIN_OK;
}

/* Whether text is ASCII without NUL. */
static int look_ascii(const akin_arrow_values *values, akin_cpu cpu)
{
    const uint64_t start = akin_arrow_offset(values, 0), end = akin_arrow_offset(values, values->rows);
    return akin_utf8_is_plain(values->bytes + start, (size_t)(end - start), cpu);
}

/* All text at once, and no entry begins within a character. */
static int look_clean(const akin_arrow_values *values, akin_cpu cpu)
{
    if (!is_text(values->kind))
        return values->kind != AKIN_ARROW_VIEW;
    if (values->is_ascii)
        return 1;
    const uint64_t start = akin_arrow_offset(values, 0), end = akin_arrow_offset(values, values->rows);
    const char *bytes = values->bytes;
    for (uint64_t i = 1; i < values->rows; i++) {
        uint64_t offset = akin_arrow_offset(values, i);
        if (offset < end && ((unsigned char)bytes[offset] & 0xc0) == 0x80)
            return 0;
    }
    return !memchr(bytes + start, '\0', (size_t)(end - start)) &&
           akin_utf8_is_valid(bytes + start, (size_t)(end - start), cpu);
}

static akin_status open_values(const struct ArrowArray *array, akin_arrow_kind kind, const char *name, akin_cpu cpu,
                               uint64_t first, uint64_t rows, uint64_t row, akin_arrow_values *out, akin_error *error)
{
    akin_arrow_values v = {.kind = kind, .rows = rows};
    if (first + rows > (uint64_t)array->length)
        return fail_array(name, "it is shorter than the chunk that it is part of", error);
    v.first = (uint64_t)array->offset + first;
    v.is_clean = 1;
    if (kind == AKIN_ARROW_NULL || rows == 0) {
        v.kind = AKIN_ARROW_NULL;
        *out = v;
        return AKIN_OK;
    }
    v.validity = array->null_count == 0 ? NULL : array->buffers[0];
    v.data = array->buffers[1];
    if (!v.validity && array->null_count > 0)
        return fail_array(name, "it has nulls, but no buffer that marks them", error);
    if (!v.data)
        return fail_array(name, "the buffer of its values is missing", error);
    akin_status status = AKIN_OK;
    if (is_text(kind)) {
        v.bytes = array->buffers[2];
        status = check_offsets(&v, name, row, error);
    } else if (kind == AKIN_ARROW_VIEW) {
        v.block_count = (uint64_t)array->n_buffers - 3;
        v.blocks = (const void *const *)array->buffers + 2;
        v.sizes = array->buffers[array->n_buffers - 1];
        if (v.block_count > 0 && !v.sizes)
            return fail_array(name, "the lengths of its buffers are missing", error);
        status = check_views(&v, name, row, error);
    }
    if (status == AKIN_OK) {
        v.is_ascii = is_text(kind) && look_ascii(&v, cpu);
        v.is_clean = look_clean(&v, cpu);
        *out = v;
    }
    return status;
}

static akin_status check_indices(const akin_arrow_column *column, const char *name, uint64_t row, akin_error *error)
{
    for (uint64_t i = 0; i < column->rows.rows; i++)
        if (akin_arrow_has(&column->rows, i) && akin_arrow_index(&column->rows, i) >= column->values.rows)
            return fail_array_row(name, row + i, "its number is beyond the dictionary", error);
    return AKIN_OK;
}

akin_status akin_arrow_open(const struct ArrowArray *array, const akin_arrow_type *type, const char *name, akin_cpu cpu,
                            uint64_t first, uint64_t rows, uint64_t row, akin_arrow_column *out, akin_error *error)
{
    akin_arrow_column column = {.has_dictionary = type->index != AKIN_ARROW_NULL};
    akin_arrow_kind kind = column.has_dictionary ? type->index : type->kind;
    akin_status status = check_array_shape(array, kind, column.has_dictionary, name, error);
    if (status == AKIN_OK)
        status = open_values(array, kind, name, cpu, first, rows, row, &column.rows, error);
    if (status == AKIN_OK && column.has_dictionary) {
        const struct ArrowArray *values = array->dictionary;
        status = check_array_shape(values, type->kind, 0, name, error);
        if (status == AKIN_OK)
            status = open_values(values, type->kind, name, cpu, 0, (uint64_t)values->length, 0, &column.values, error);
        column.values.is_zoned = type->is_zoned;
        column.values.is_decimal = type->is_decimal;
        column.values.scale = type->scale;
        if (status == AKIN_OK)
            status = check_indices(&column, name, row, error);
    }
    column.rows.is_zoned = type->is_zoned;
    column.rows.is_decimal = type->is_decimal;
    column.rows.scale = type->scale;
    if (status == AKIN_OK)
        *out = column;
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- reading */

int akin_arrow_read(const akin_arrow_column *column, uint64_t row, char scratch[AKIN_ARROW_TEXT], const char **bytes,
                    uint64_t *length)
{
    const akin_arrow_values *v = &column->rows;
    if (!akin_arrow_has(v, row))
        return 0;
    if (column->has_dictionary) {
        row = akin_arrow_index(v, row);
        v = &column->values;
        if (!akin_arrow_has(v, row))
            return 0;
    }
    const uint64_t entry = v->first + row;
    if (is_text(v->kind)) {
        uint64_t start = akin_arrow_offset(v, row);
        *bytes = v->bytes + start;
        *length = akin_arrow_offset(v, row + 1) - start;
    } else if (v->kind == AKIN_ARROW_VIEW) {
        int32_t view[4];
        memcpy(view, v->data + entry * VIEW, VIEW);
        *length = (uint64_t)view[0];
        *bytes = view[0] <= VIEW_INLINE ? v->data + entry * VIEW + 4 : (const char *)v->blocks[view[2]] + view[3];
    } else if (v->kind == AKIN_ARROW_BOOL) {
        *bytes = (unsigned char)v->data[entry / 8] >> entry % 8 & 1 ? "true" : "false";
        *length = strlen(*bytes);
    } else {
        const uint64_t width = entry_width_of(v->kind);
        const char *value = v->data + entry * width;
        *bytes = scratch;
        *length = v->is_decimal ? akin_arrow_format_decimal(value, (uint32_t)width, v->scale, scratch)
                                : akin_arrow_format(v->kind, v->is_zoned, value, scratch);
        return *length > 0;
    }
    return 1;
}
