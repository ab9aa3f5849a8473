/* Brings the columns of records to a GPU. */
#include "dedupe/gpu_records.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "device/primitives.h"
#include "strings/alphabet.h"
#include "strings/date.h"
#include "strings/number.h"
#include "table/utf8.h"

#include <math.h>

#define TASK_ROWS 65536
#define DEEP_FROM 0.95 /* as in strings/alphabet.c */

static const char what[] = "the records";

akin_status akin_gpu_records_begin(const akin_scope *scope, akin_account *account, akin_device *device,
                                   const akin_records *records, uint32_t columns, akin_gpu_records *out,
                                   akin_error *error)
{
    *out =
        (akin_gpu_records){.scope = scope, .account = account, .device = device, .records = records, .count = columns};
    out->columns = akin_alloc_zero(account, columns, sizeof *out->columns);
    if (!out->columns)
        return akin_fail_memory(error, what);
    return akin_device_stream_create(device, &out->stream, error);
}

void akin_gpu_records_ready(akin_gpu_records *records)
{
    akin_device_release(records->device, &records->bytes);
    akin_device_release(records->device, &records->offsets);
    akin_device_release(records->device, &records->validity);
    akin_device_release(records->device, &records->lengths);
    akin_device_release(records->device, &records->starts);
    akin_device_release(records->device, &records->kinds);
    akin_device_release(records->device, &records->survey);
}

void akin_gpu_records_clear(akin_gpu_records *records)
{
    for (uint32_t c = 0; records->columns && c < records->count; c++) {
        akin_device_release(records->device, &records->columns[c].shapes);
        akin_device_release(records->device, &records->columns[c].symbols);
    }
    akin_gpu_records_ready(records);
    akin_device_stream_free(records->stream);
    akin_free(records->columns);
    *records = (akin_gpu_records){0};
}

/* ------------------------------------------------------------------------------------------------------------ texts */

/* Brings a table's column there as it is. */
static akin_status bring_texts(akin_gpu_records *r, uint32_t side, uint32_t number, akin_gpu_texts *out,
                               akin_error *error)
{
    const akin_column *column = &r->records->columns[side][number];
    uint32_t rows = r->records->rows[side];
    uint64_t begin = column->offsets[0], bytes = column->offsets[rows] - begin, bits = akin_ceil_div(rows, 8);
    akin_status status = akin_device_reserve(r->device, &r->bytes, bytes + 1, 1, what, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(r->device, &r->offsets, rows + (uint64_t)1, sizeof *column->offsets, what, error);
    if (status == AKIN_OK && column->validity)
        status = akin_device_reserve(r->device, &r->validity, bits, 1, what, error);
    if (status == AKIN_OK)
        status = akin_device_upload(r->stream, r->bytes.data, column->bytes + begin, bytes, error);
    if (status == AKIN_OK)
        status = akin_device_upload(r->stream, r->offsets.data, column->offsets,
                                    (rows + (uint64_t)1) * sizeof *column->offsets, error);
    if (status == AKIN_OK && column->validity)
        status = akin_device_upload(r->stream, r->validity.data, column->validity, bits, error);
    *out = (akin_gpu_texts){.bytes = r->bytes.data,
                            .offsets = r->offsets.data,
                            .validity = column->validity ? r->validity.data : NULL,
                            .rows = rows,
                            .first = side ? r->records->rows[0] : 0};
    return status;
}

/* Gives each bin a kind, by falling counts as strings/alphabet.c does. Returns whether bags are deep. */
static int choose_kinds(const uint32_t bins[AKIN_GPU_BINS], uint8_t kinds[AKIN_GPU_BINS])
{
    uint64_t keys[AKIN_GPU_BINS], scratch[AKIN_GPU_BINS];
    double all = 0, frequent = 0;
    for (uint32_t bin = 0; bin < AKIN_GPU_BINS; bin++) {
        keys[bin] = (uint64_t)(UINT32_MAX - bins[bin]) << 32 | bin;
        all += bins[bin];
    }
    akin_radix_sort_u64(keys, scratch, AKIN_GPU_BINS);
    for (uint32_t i = 0; i < AKIN_BAG_DEEP; i++)
        frequent += bins[(uint32_t)keys[i]];
    int deep = frequent >= DEEP_FROM * all;
    for (uint32_t i = 0; i < AKIN_GPU_BINS; i++)
        kinds[(uint32_t)keys[i]] = (uint8_t)akin_bag_kind(i, deep ? AKIN_BAG_DEEP : AKIN_BAG_BROAD);
    return deep;
}

/* Surveys the texts of a table. */
static akin_status survey_side(akin_gpu_records *r, const akin_gpu_texts *texts, akin_gpu_survey *survey,
                               akin_error *error)
{
    akin_status status = akin_device_fill(r->stream, r->survey.data, 0, sizeof *survey, error);
    if (status == AKIN_OK)
        status =
            akin_kernels(r->stream)->dedupe_texts->measure(r->stream, texts, r->lengths.data, r->survey.data, error);
    if (status == AKIN_OK)
        status = akin_device_download(r->stream, survey, r->survey.data, sizeof *survey, error);
    return status;
}

/* Room for what is made of a column. */
static akin_status reserve_column(akin_gpu_records *r, akin_gpu_loaded *c, uint32_t point, uint64_t symbols,
                                  akin_error *error)
{
    c->column.width = point < 256 ? 1 : point < 65536 ? 2 : 4;
    c->column.count = r->records->count;
    akin_status status =
        akin_device_reserve(r->device, &c->shapes, r->records->count, sizeof(akin_gpu_shape), what, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(r->device, &c->symbols, symbols + 1, c->column.width, what, error);
    c->column.shapes = c->shapes.data;
    c->column.symbols = c->symbols.data;
    return status;
}

/* The surveys of both tables, whose texts are brought there; those of the last one stay. */
static akin_status survey_column(akin_gpu_records *r, uint32_t number, akin_gpu_texts *texts, akin_gpu_survey *all,
                                 akin_error *error)
{
    akin_gpu_loaded *c = &r->columns[number];
    akin_status status = AKIN_OK;
    for (uint32_t side = 0; side < r->records->tables && status == AKIN_OK; side++) {
        akin_gpu_survey survey = {0};
        if (r->records->rows[side] > 0)
            status = bring_texts(r, side, number, texts, error);
        if (status == AKIN_OK && r->records->rows[side] > 0)
            status = survey_side(r, texts, &survey, error);
        all->longest = akin_max_u32(all->longest, survey.longest);
        all->point = akin_max_u32(all->point, survey.point);
        all->unfit |= survey.unfit;
        for (uint32_t i = 0; i <= AKIN_GPU_LONGEST; i++)
            c->lengths[side][i] = survey.lengths[i];
        for (uint32_t i = 0; i < AKIN_GPU_BINS; i++)
            all->bins[i] += survey.bins[i];
    }
    if (status == AKIN_OK && all->unfit) {
        r->unfit = number + 1;
        return AKIN_E_INPUT;
    }
    return status;
}

/* Makes shapes, of the texts of the last table at hand, and of those of a first one, brought there again. */
static akin_status make_shapes(akin_gpu_records *r, uint32_t number, akin_gpu_texts *texts, int deep, akin_error *error)
{
    const akin_gpu_loaded *c = &r->columns[number];
    akin_status status = AKIN_OK;
    for (uint32_t side = r->records->tables; side-- > 0 && status == AKIN_OK;) {
        if (r->records->rows[side] == 0)
            continue;
        if (texts->first != (side ? r->records->rows[0] : 0) || texts->rows != r->records->rows[side])
            status = bring_texts(r, side, number, texts, error);
        if (status == AKIN_OK)
            status = akin_kernels(r->stream)->dedupe_texts->shape_texts(
                r->stream, texts, r->lengths.data, r->starts.data, r->kinds.data, deep, &c->column, error);
    }
    return status;
}

akin_status akin_gpu_records_need(akin_gpu_records *records, uint32_t column, akin_error *error)
{
    akin_gpu_records *r = records;
    akin_gpu_loaded *c = &r->columns[column];
    akin_gpu_survey all = {0};
    akin_gpu_texts texts = {.first = UINT32_MAX};
    uint8_t kinds[AKIN_GPU_BINS];
    uint64_t count = r->records->count, symbols = 0;
    if (c->is_there)
        return AKIN_OK;
    akin_status status = akin_records_check_cancelled(r->scope, 0, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(r->device, &r->survey, 1, sizeof all, what, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(r->device, &r->kinds, sizeof kinds, 1, what, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(r->device, &r->lengths, count, sizeof(uint32_t), what, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(r->device, &r->starts, count + 1, sizeof(uint64_t), what, error);
    if (status == AKIN_OK)
        status = survey_column(r, column, &texts, &all, error);
    if (status != AKIN_OK)
        return status;
    int deep = choose_kinds(all.bins, kinds);
    for (uint32_t side = 0; side < 2; side++)
        for (uint64_t length = 0; length <= AKIN_GPU_LONGEST; length++)
            symbols += length * c->lengths[side][length];
    c->longest = all.longest;
    status = reserve_column(r, c, all.point, symbols, error);
    if (status == AKIN_OK)
        status = akin_device_upload(r->stream, r->kinds.data, kinds, sizeof kinds, error);
    if (status == AKIN_OK)
        status = akin_device_scan64(r->stream, r->lengths.data, count, r->starts.data, error);
    if (status == AKIN_OK)
        status = make_shapes(r, column, &texts, deep, error);
    c->is_there = status == AKIN_OK;
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

typedef struct reading {
    const akin_gpu_records *records;
    uint32_t column;
    int dates;
    double *out;
} reading;

static double number_in(const char *text, uint32_t length, int dates)
{
    double number = NAN;
    int32_t days;
    if (!dates)
        return akin_number_parse(text, length, &number) ? number : NAN;
    return akin_date_parse(text, length, &days) ? (double)days : NAN;
}

static akin_status read_column_numbers(void *argument, uint64_t task, uint32_t thread)
{
    const reading *of = argument;
    const akin_records *records = of->records->records;
    uint64_t end = akin_min_u64((task + 1) * TASK_ROWS, records->count);
    (void)thread;
    for (uint64_t record = task * TASK_ROWS; record < end; record++) {
        uint32_t side = record >= records->rows[0];
        const akin_column *column = &records->columns[side][of->column];
        uint32_t row = (uint32_t)(side ? record - records->rows[0] : record);
        const char *text = column->bytes + column->offsets[row];
        uint64_t length = column->offsets[row + (uint64_t)1] - column->offsets[row];
        of->out[record] = NAN;
        if (!akin_column_has_text(column, row))
            continue;
        if (length >= UINT32_MAX || !akin_utf8_is_valid(text, length, of->records->scope->cpu))
            return AKIN_E_INPUT;
        of->out[record] = number_in(text, (uint32_t)length, of->dates);
    }
    return AKIN_OK;
}

akin_status akin_gpu_records_numbers(akin_gpu_records *records, uint32_t column, int dates, akin_device_buffer *out,
                                     akin_error *error)
{
    akin_gpu_records *r = records;
    uint64_t count = r->records->count;
    reading of = {r, column, dates, akin_alloc(r->account, count, sizeof *of.out)};
    if (!of.out)
        return akin_fail_memory(error, what);
    akin_status status =
        akin_parallel(r->scope, "reading numbers", akin_ceil_div(count, TASK_ROWS), read_column_numbers, &of);
    if (status == AKIN_E_INPUT)
        r->unfit = column + 1;
    else if (status != AKIN_OK)
        akin_fail_stopped(error, status, what);
    if (status == AKIN_OK)
        status = akin_device_reserve(r->device, out, count, sizeof *of.out, what, error);
    if (status == AKIN_OK)
        status = akin_device_upload(r->stream, out->data, of.out, count * sizeof *of.out, error);
    akin_free(of.out);
    return status;
}
