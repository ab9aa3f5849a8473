/* Frames in the making. */
#include "table/frame.h"

#include "base/budget.h"
#include "base/bits.h"
#include "base/memory.h"

static const char what[] = "the results";

/* Bytes of a value, for each akin_type; 0: there is none such. */
static uint64_t value_width_of(akin_type type)
{
    static const uint8_t widths[] = {
        [AKIN_TYPE_U32] = 4,  [AKIN_TYPE_U64] = 8, [AKIN_TYPE_F64] = 8, [AKIN_TYPE_BOOL] = 1,
        [AKIN_TYPE_TEXT] = 8, [AKIN_TYPE_I32] = 4, [AKIN_TYPE_I64] = 8};
    return (size_t)type < sizeof widths ? widths[type] : 0;
}

akin_status akin_frame_create(akin_context *context, uint32_t count, const akin_type *types, const char *const *names,
                              akin_frame **out, akin_error *error)
{
    for (uint32_t i = 0; i < count; i++)
        if (value_width_of(types[i]) == 0)
            return akin_fail(error, AKIN_E_OPTION, "column %u: there is no type %d", i, (int)types[i]);
    akin_frame *frame = akin_alloc_zero(NULL, 1, sizeof *frame);
    if (!frame)
        return akin_fail_memory(error, what);
    frame->holders = 1;
    akin_status status = akin_store_begin(&frame->store, akin_scope_of(context), AKIN_BUDGET_TABLE, what, error);
    frame->columns = status == AKIN_OK ? akin_alloc_zero(NULL, count, sizeof *frame->columns) : NULL;
    for (; frame->columns && frame->count < count; frame->count++) {
        akin_frame_column *column = &frame->columns[frame->count];
        size_t bytes = strlen(names[frame->count]) + 1;
        *column = (akin_frame_column){.type = types[frame->count],
                                      .name = akin_alloc(NULL, bytes, 1),
                                      .data = akin_bulk_in(&frame->store),
                                      .validity = akin_bulk_in(&frame->store),
                                      .text = akin_strings_in(&frame->store)};
        if (!column->name)
            break;
        memcpy(column->name, names[frame->count], bytes);
    }
    if (status == AKIN_OK && frame->count == count && frame->columns) {
        *out = frame;
        return AKIN_OK;
    }
    akin_frame_free(frame);
    return status == AKIN_OK ? akin_fail_memory(error, what) : status;
}

/* Makes room for `rows` entries of a column that is not text. New values are zeros; new bits of the validity are
 * ones. */
static akin_status grow_frame_column(akin_frame_column *column, uint64_t before, uint64_t rows)
{
    const uint64_t width = value_width_of(column->type);
    akin_status status = akin_bulk_grow(&column->data, rows * width, NULL, NULL);
    if (status == AKIN_OK && column->nulls > 0)
        status = akin_bulk_grow(&column->validity, rows, NULL, NULL);
    if (status != AKIN_OK || rows == before)
        return status;
    memset((char *)column->data.data + before * width, 0, (size_t)((rows - before) * width));
    if (column->nulls > 0)
        memset((char *)column->validity.data + before, 1, (size_t)(rows - before));
    return AKIN_OK;
}

static akin_status fail_exported(akin_error *error)
{
    return akin_fail(error, AKIN_E_OPTION, "the frame has been exported, and does not change any more");
}

akin_status akin_frame_extend(akin_frame *frame, uint64_t rows, void **data, akin_error *error)
{
    if (frame->is_exported)
        return fail_exported(error);
    if (rows > UINT64_MAX / 64 - frame->rows)
        return akin_fail_memory(error, what);
    for (uint32_t i = 0; i < frame->count; i++) {
        akin_frame_column *column = &frame->columns[i];
        akin_status status =
            column->type == AKIN_TYPE_TEXT ? AKIN_OK : grow_frame_column(column, frame->rows, frame->rows + rows);
        if (status != AKIN_OK)
            return akin_store_fail(&frame->store, status, what, error);
    }
    for (uint32_t i = 0; i < frame->count && data; i++) {
        akin_frame_column *column = &frame->columns[i];
        data[i] = column->type == AKIN_TYPE_TEXT
                      ? NULL
                      : (char *)column->data.data + frame->rows * value_width_of(column->type);
    }
    frame->rows += rows;
    return AKIN_OK;
}

static akin_status check_column(const akin_frame *frame, uint32_t column, int is_text, akin_error *error)
{
    if (frame->is_exported)
        return fail_exported(error);
    if (column >= frame->count || (frame->columns[column].type == AKIN_TYPE_TEXT) != is_text)
        return akin_fail(error, AKIN_E_OPTION, "there is no column %u of %s", column, is_text ? "text" : "numbers");
    return AKIN_OK;
}

akin_status akin_frame_add_text(akin_frame *frame, uint32_t column, const char *bytes, uint64_t length,
                                akin_error *error)
{
    akin_status status = check_column(frame, column, 1, error);
    if (status != AKIN_OK)
        return status;
    akin_strings *text = &frame->columns[column].text;
    if (text->rows == frame->rows)
        return akin_fail(error, AKIN_E_OPTION, "column %u has as many texts as there are rows", column);
    if (!bytes)
        status = akin_strings_add_nulls(text, text->rows + 1);
    else
        status = akin_strings_append(text, bytes, (size_t)length);
    if (bytes && status == AKIN_OK)
        status = akin_strings_end(text);
    return status == AKIN_OK ? AKIN_OK : akin_store_fail(&frame->store, status, what, error);
}

akin_status akin_frame_set_null(akin_frame *frame, uint32_t column, uint64_t row, akin_error *error)
{
    akin_status status = check_column(frame, column, 0, error);
    if (status != AKIN_OK)
        return status;
    akin_frame_column *to = &frame->columns[column];
    if (row >= frame->rows)
        return akin_fail(error, AKIN_E_OPTION, "there is no row %llu", (unsigned long long)row);
    if (to->nulls == 0) {
        status = akin_bulk_grow(&to->validity, frame->rows, NULL, NULL);
        if (status != AKIN_OK)
            return akin_store_fail(&frame->store, status, what, error);
        memset(to->validity.data, 1, (size_t)frame->rows);
    }
    unsigned char *valid = (unsigned char *)to->validity.data + row;
    to->nulls += *valid;
    *valid = 0;
    return AKIN_OK;
}

uint64_t akin_frame_rows(const akin_frame *frame)
{
    return frame->rows;
}

void akin_frame_free(akin_frame *frame)
{
    if (!frame || atomic_fetch_sub_explicit(&frame->holders, 1, memory_order_acq_rel) > 1)
        return;
    for (uint32_t i = 0; i < frame->count; i++) {
        akin_frame_column *column = &frame->columns[i];
        akin_free(column->name);
        akin_bulk_clear(&column->data);
        akin_bulk_clear(&column->validity);
        akin_strings_clear(&column->text);
    }
    akin_free(frame->columns);
    akin_store_clear(&frame->store);
    akin_free(frame);
}
