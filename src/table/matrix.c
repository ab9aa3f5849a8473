/* Reads matrices of numbers, row by row, whatever their format; see matrix.h. */
#include "table/matrix.h"

#include "base/budget.h"
#include "base/bulk.h"
#include "base/memory.h"
#include "base/reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "a matrix"; /* the memory is for */

/* Numbers in memory. */
static const struct number_facts {
    uint8_t bytes;
    uint8_t is_of_vectors;
} number_facts[] = {
    [AKIN_NUMBER_U8] = {1, 1}, [AKIN_NUMBER_F32] = {4, 1}, [AKIN_NUMBER_I32] = {4, 0}, [AKIN_NUMBER_I64] = {8, 0}};

size_t akin_number_bytes(akin_number number)
{
    return (unsigned)number < sizeof number_facts / sizeof *number_facts ? number_facts[number].bytes : 0;
}

int akin_number_is_of_vectors(akin_number number)
{
    return akin_number_bytes(number) > 0 && number_facts[number].is_of_vectors;
}

/* Numbers as files have them. */
typedef struct type {
    const char *name; /* NumPy's */
    uint32_t width;   /* bytes: 1, 2, 4 or 8 */
    int is_signed;
    akin_number number; /* that they become */
} type;

static const type types[] = {{"'|u1'", 1, 0, AKIN_NUMBER_U8},  {"'<f4'", 4, 1, AKIN_NUMBER_F32},
                             {"'<f8'", 8, 1, AKIN_NUMBER_F32}, {"'|i1'", 1, 1, AKIN_NUMBER_I32},
                             {"'<i2'", 2, 1, AKIN_NUMBER_I32}, {"'<u2'", 2, 0, AKIN_NUMBER_I32},
                             {"'<i4'", 4, 1, AKIN_NUMBER_I32}, {"'<u4'", 4, 0, AKIN_NUMBER_I64},
                             {"'<i8'", 8, 1, AKIN_NUMBER_I64}, {"'<u8'", 8, 0, AKIN_NUMBER_I64}};

/* One that was read. */
typedef struct owned {
    akin_matrix matrix; /* first, so that it gives the place of the rest */
    akin_bulk numbers;
} owned;

/* ------------------------------------------------------------------------------------------------------------ bytes */

/* Notes the place of an invalid number. */
static akin_status note_number(uint64_t row, uint64_t column, akin_error *error)
{
    char number[24];
    snprintf(number, sizeof number, "%" PRIu64, column);
    return akin_note_place(AKIN_E_INPUT, row, number, error);
}

/* A file being read. */
typedef struct reading {
    akin_reader *reader;
    akin_error *error;
    const char *at; /* the rest of the block at hand */
    size_t left;
    const type *type;
    uint64_t rows; /* the expected number, or UINT64_MAX where the file does not give it */
    akin_matrix *out;
    akin_bulk *numbers; /* of it */
    unsigned char *row;
} reading;

static akin_status fail_short(const reading *r)
{
    akin_error_set(r->error, AKIN_E_INPUT, AKIN_REASON_DAMAGED, "%s: ends within %s %" PRIu32,
                   akin_reader_name(r->reader), r->out->columns > 0 ? "row" : "what it says of rows, at row",
                   r->out->rows);
    return akin_note_place(AKIN_E_INPUT, r->out->rows, NULL, r->error);
}

/* Goes on to the next block if the one at hand is used up; at the end of the file none is left. */
static akin_status refill(reading *r)
{
    char *data;
    if (r->left > 0)
        return AKIN_OK;
    akin_status status = akin_reader_next(r->reader, &data, &r->left, r->error);
    r->at = data;
    r->left = status == AKIN_OK ? r->left : 0;
    return status;
}

static akin_status take_bytes(reading *r, void *to, size_t count)
{
    unsigned char *out = to;
    while (count > 0) {
        akin_status status = refill(r);
        if (status != AKIN_OK)
            return status;
        if (r->left == 0)
            return fail_short(r);
        const size_t step = count < r->left ? count : r->left;
        memcpy(out, r->at, step);
        r->at += step;
        r->left -= step;
        out += step;
        count -= step;
    }
    return AKIN_OK;
}

static uint64_t little_endian_of(const unsigned char *bytes, size_t count)
{
    uint64_t number = 0;
    for (size_t i = count; i > 0; i--)
        number = number << 8 | bytes[i - 1];
    return number;
}

static akin_status take_number(reading *r, size_t bytes, uint64_t *out)
{
    unsigned char of[8] = {0};
    akin_status status = take_bytes(r, of, bytes);
    *out = status == AKIN_OK ? little_endian_of(of, bytes) : 0;
    return status;
}

/* ------------------------------------------------------------------------------------------------------------- head */

static akin_status set_shape(reading *r, uint64_t rows, uint64_t columns, const type *type)
{
    const char *name = akin_reader_name(r->reader);
    if (columns == 0 || columns > AKIN_MATRIX_COLUMNS)
        return akin_fail(r->error, AKIN_E_INPUT, "%s: rows of %" PRIu64 " numbers: expected 1 to %d", name, columns,
                         AKIN_MATRIX_COLUMNS);
    if (rows != UINT64_MAX && rows >= UINT32_MAX)
        return akin_fail(r->error, AKIN_E_LIMIT, "%s: %" PRIu64 " rows: expected fewer than 2^32 - 1", name, rows);
    r->rows = rows;
    r->type = type;
    r->out->columns = (uint32_t)columns;
    r->out->number = type->number;
    akin_free(r->row);
    r->row = akin_alloc(NULL, columns, type->width);
    return r->row ? AKIN_OK : akin_fail_memory(r->error, what);
}

static akin_status read_plain_head(reading *r, const type *type)
{
    uint64_t rows, columns;
    akin_status status = take_number(r, 4, &rows);
    if (status == AKIN_OK)
        status = take_number(r, 4, &columns);
    return status == AKIN_OK ? set_shape(r, rows, columns, type) : status;
}

/* What follows 'KEY': in the head of NumPy, or NULL. */
static const char *entry_of(const char *head, const char *key)
{
    const char *at = strstr(head, key);
    if (!at)
        return NULL;
    at += strlen(key);
    while (*at == ' ' || *at == ':')
        at++;
    return at;
}

static akin_status fail_npy(reading *r, const char *why)
{
    return akin_error_set(
        r->error, AKIN_E_INPUT, AKIN_REASON_MALFORMED,
        "%s: %s: expected a NumPy array of integers, float32 or float64, two-dimensional and in C order "
        "(numpy.ascontiguousarray)",
        akin_reader_name(r->reader), why);
}

static akin_status parse_npy(reading *r, const char *head)
{
    const char *descr = entry_of(head, "'descr'"), *order = entry_of(head, "'fortran_order'");
    const char *shape = entry_of(head, "'shape'");
    char *end;
    const type *type = NULL;
    for (size_t i = 0; descr && i < sizeof types / sizeof *types; i++)
        if (strncmp(descr, types[i].name, strlen(types[i].name)) == 0)
            type = &types[i];
    if (!type)
        return fail_npy(r, "its numbers are of another type");
    if (!order || strncmp(order, "False", 5) != 0)
        return fail_npy(r, "it is in Fortran's order");
    if (!shape || *shape != '(' || shape[1] < '0' || shape[1] > '9')
        return fail_npy(r, "it has no shape");
    const uint64_t rows = strtoull(shape + 1, &end, 10);
    while (*end == ',' || *end == ' ')
        end++;
    if (*end < '0' || *end > '9')
        return fail_npy(r, "it has one dimension");
    const uint64_t columns = strtoull(end, &end, 10);
    while (*end == ' ' || *end == ',')
        end++;
    return *end == ')' ? set_shape(r, rows, columns, type) : fail_npy(r, "it has more than two dimensions");
}

#define NPY_HEAD_MOST 65536 /* bytes of a head, fewer than that */

static akin_status read_npy_head(reading *r, const type *unused)
{
    (void)unused;
    static const char magic[] = "\x93NUMPY";
    unsigned char start[8] = {0};
    uint64_t length = 0;
    akin_status status = take_bytes(r, start, sizeof start);
    if (status != AKIN_OK)
        return status;
    if (memcmp(start, magic, 6) != 0 || start[6] < 1 || start[6] > 3)
        return fail_npy(r, "it does not begin as one");
    status = take_number(r, start[6] == 1 ? 2 : 4, &length);
    if (status != AKIN_OK)
        return status;
    if (length >= NPY_HEAD_MOST)
        return fail_npy(r, "its head is too long");
    char *head = akin_alloc(NULL, length + 1, 1);
    if (!head)
        return akin_fail_memory(r->error, "the head of a matrix");
    status = take_bytes(r, head, (size_t)length);
    head[length] = 0;
    status = status == AKIN_OK ? parse_npy(r, head) : status;
    akin_free(head);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------- rows */

/* The head of a row in .bvecs and its kin; the first one gives the number of columns. */
static akin_status read_row_head(reading *r, const type *type)
{
    uint64_t columns;
    akin_status status = take_number(r, 4, &columns);
    if (status != AKIN_OK)
        return status;
    if (r->out->rows == 0)
        return set_shape(r, UINT64_MAX, columns, type);
    if (columns == r->out->columns)
        return AKIN_OK;
    akin_error_set(r->error, AKIN_E_INPUT, AKIN_REASON_MALFORMED,
                   "%s: row %" PRIu32 " has %" PRIu64 " numbers, those before it %" PRIu32, akin_reader_name(r->reader),
                   r->out->rows, columns, r->out->columns);
    return akin_note_place(AKIN_E_INPUT, r->out->rows, NULL, r->error);
}

static akin_status fail_infinite(const reading *r, uint32_t column)
{
    akin_error_set(r->error, AKIN_E_INPUT, AKIN_REASON_NOT_A_NUMBER,
                   "%s: row %" PRIu32 ", column %" PRIu32 ": expected a finite %s", akin_reader_name(r->reader),
                   r->out->rows, column, r->type->width == 4 ? "number" : "number that a float can hold");
    return note_number(r->out->rows, column, r->error);
}

static akin_status convert_floats(const reading *r, float *to)
{
    const uint32_t width = r->type->width;
    for (uint32_t j = 0; j < r->out->columns; j++) {
        const uint64_t bits = little_endian_of(r->row + (size_t)j * width, width);
        const uint32_t half = (uint32_t)bits;
        double wide;
        if (width == 4) {
            memcpy(&to[j], &half, sizeof half);
        } else {
            memcpy(&wide, &bits, sizeof bits);
            to[j] = (float)wide;
        }
        if (!isfinite(to[j]))
            return fail_infinite(r, j);
    }
    return AKIN_OK;
}

/* Integers, `to` int32_t or int64_t. */
static void convert_integers(const reading *r, void *to)
{
    const type *type = r->type;
    const uint64_t sign = (uint64_t)1 << ((8 * type->width - 1) & 63); /* which is below 64 anyway */
    for (uint32_t j = 0; j < r->out->columns; j++) {
        uint64_t bits = little_endian_of(r->row + (size_t)j * type->width, type->width);
        bits = type->is_signed ? (bits ^ sign) - sign : bits;
        if (type->number == AKIN_NUMBER_I64)
            ((int64_t *)to)[j] = (int64_t)bits;
        else
            ((int32_t *)to)[j] = (int32_t)(uint32_t)bits;
    }
}

static akin_status read_row(reading *r)
{
    akin_matrix *m = r->out;
    const size_t size = m->columns * akin_number_bytes(m->number);
    if (m->rows == UINT32_MAX - 1)
        return akin_fail(r->error, AKIN_E_LIMIT, "%s: 2^32 - 1 rows or more", akin_reader_name(r->reader));
    const uint64_t needed = ((uint64_t)m->rows + 1) * size;
    akin_status status = needed > r->numbers->capacity ? akin_bulk_grow(r->numbers, needed, what, r->error) : AKIN_OK;
    if (status == AKIN_OK)
        status = take_bytes(r, r->row, (size_t)m->columns * r->type->width);
    if (status != AKIN_OK)
        return status;
    void *to = (char *)r->numbers->data + (size_t)m->rows * size;
    if (m->number == AKIN_NUMBER_U8)
        memcpy(to, r->row, size);
    else if (m->number == AKIN_NUMBER_F32)
        status = convert_floats(r, to);
    else
        convert_integers(r, to);
    m->rows += status == AKIN_OK;
    return status;
}

static akin_status read_rows(reading *r, const type *each)
{
    akin_status status = AKIN_OK;
    while (status == AKIN_OK && (each || r->out->rows < r->rows)) {
        status = each ? refill(r) : AKIN_OK;
        if (status == AKIN_OK && each && r->left == 0)
            return AKIN_OK;
        if (status == AKIN_OK && each)
            status = read_row_head(r, each);
        if (status == AKIN_OK)
            status = read_row(r);
    }
    if (status == AKIN_OK)
        status = refill(r);
    if (status == AKIN_OK && r->left > 0)
        return akin_fail(r->error, AKIN_E_INPUT, "%s: goes on behind its %" PRIu32 " rows of %" PRIu32 " numbers",
                         akin_reader_name(r->reader), r->out->rows, r->out->columns);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- formats */

typedef struct format_row {
    akin_choice choice;                                     /* its value is an akin_matrix_format */
    const char *endings[2];                                 /* of the names of such files */
    const type *type;                                       /* of the numbers; NULL: the head says it */
    akin_status (*read_head)(reading *r, const type *type); /* NULL: each row has a head */
} format_row;

static const format_row format_rows[] = {
    {{"auto", "", "as the file's name says", AKIN_MATRIX_AUTO, AKIN_IS_DEFAULT}, {NULL}, NULL, NULL},
    {{"u8", "", "row and column counts, then bytes", AKIN_MATRIX_U8, AKIN_CAN_READ},
     {".u8", ".u8bin"},
     &types[0],
     read_plain_head},
    {{"f32", "", "row and column counts, then floats of 32 bits", AKIN_MATRIX_F32, AKIN_CAN_READ},
     {".f32", ".fbin"},
     &types[1],
     read_plain_head},
    {{"i32", "", "row and column counts, then integers of 32 bits", AKIN_MATRIX_I32, AKIN_CAN_READ},
     {".i32", ".ibin"},
     &types[6],
     read_plain_head},
    {{"npy", "", "an array of NumPy", AKIN_MATRIX_NPY, AKIN_CAN_READ}, {".npy", NULL}, NULL, read_npy_head},
    {{"bvecs", "", "rows of bytes, each after its length", AKIN_MATRIX_BVECS, AKIN_CAN_READ},
     {".bvecs", NULL},
     &types[0],
     NULL},
    {{"fvecs", "", "rows of floats, each after its length", AKIN_MATRIX_FVECS, AKIN_CAN_READ},
     {".fvecs", NULL},
     &types[1],
     NULL},
    {{"ivecs", "", "rows of integers, each after its length", AKIN_MATRIX_IVECS, AKIN_CAN_READ},
     {".ivecs", NULL},
     &types[6],
     NULL},
};
const akin_choice_table akin_matrix_formats = AKIN_CHOICE_TABLE("format", format_rows);

#define FORMATS (sizeof format_rows / sizeof *format_rows)

akin_status akin_matrix_format_parse(const char *name, akin_matrix_format *out, akin_error *error)
{
    int value;
    akin_status status = akin_choice_value(&akin_matrix_formats, name, &value, error);
    if (status == AKIN_OK)
        *out = (akin_matrix_format)value;
    return status;
}

akin_status akin_matrix_format_of_name(const char *path, akin_matrix_format *out, akin_error *error)
{
    const size_t length = akin_reader_stem(path);
    char all[160] = "";
    size_t used = 0;
    for (size_t i = 0; i < FORMATS; i++)
        for (size_t e = 0; e < 2 && format_rows[i].endings[e]; e++) {
            const char *ending = format_rows[i].endings[e];
            if (length > strlen(ending) && akin_reader_ends(path, length, ending)) {
                *out = (akin_matrix_format)format_rows[i].choice.value;
                return AKIN_OK;
            }
            if (used < sizeof all)
                used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", used > 0 ? ", " : "", ending);
        }
    return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_UNKNOWN_FORMAT,
                          "%s: its name does not say the format of a matrix: expected an ending such as %s, also with "
                          ".gz or .zst behind, or to be told the format",
                          path, all);
}

static akin_status read_all(reading *r, const format_row *format)
{
    akin_status status = format->read_head ? format->read_head(r, format->type) : AKIN_OK;
    return status == AKIN_OK ? read_rows(r, format->read_head ? NULL : format->type) : status;
}

akin_status akin_matrix_read(akin_context *context, const char *path, akin_matrix_format format, akin_matrix **out,
                             akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    akin_status status = AKIN_OK;
    const format_row *row = (const format_row *)akin_choice_of(&akin_matrix_formats, (int)format);
    if (!row)
        return akin_fail(error, AKIN_E_OPTION, "format %d of a matrix is none of those there are", (int)format);
    if (format == AKIN_MATRIX_AUTO)
        status = akin_matrix_format_of_name(path, &format, error);
    if (status != AKIN_OK)
        return status;
    row = (const format_row *)akin_choice_of(&akin_matrix_formats, (int)format);
    owned *m = akin_alloc_zero(NULL, 1, sizeof *m);
    if (!m)
        return akin_fail_memory(error, what);
    reading r = {.error = error, .out = &m->matrix, .numbers = &m->numbers};
    m->numbers = akin_bulk_of(scope, NULL, akin_budget(scope, AKIN_BUDGET_MATRIX));
    status = akin_reader_open(scope, path, &r.reader, error);
    if (status == AKIN_OK)
        status = read_all(&r, row);
    akin_reader_close(r.reader);
    akin_free(r.row);
    akin_bulk_trim(&m->numbers, (uint64_t)m->matrix.rows * m->matrix.columns * akin_number_bytes(m->matrix.number));
    m->matrix.size = sizeof m->matrix;
    m->matrix.numbers = m->numbers.data ? m->numbers.data : "";
    if (status == AKIN_OK)
        *out = &m->matrix;
    else
        akin_matrix_free(&m->matrix);
    return status;
}

void akin_matrix_free(akin_matrix *matrix)
{
    if (!matrix)
        return;
    akin_bulk_clear(&((owned *)matrix)->numbers);
    akin_free(matrix);
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

akin_status akin_matrix_check(const akin_matrix *matrix, const char *purpose, akin_error *error)
{
    if (matrix->size != sizeof *matrix || matrix->reserved != 0 || akin_number_bytes(matrix->number) == 0)
        return akin_fail(
            error, AKIN_E_OPTION,
            "the matrix to %s: size is %zu, number %d, reserved %u; expected %zu, a type that there is and 0", purpose,
            matrix->size, (int)matrix->number, matrix->reserved, sizeof *matrix);
    if (matrix->rows == UINT32_MAX || matrix->columns > AKIN_MATRIX_COLUMNS ||
        (matrix->rows > 0 && (matrix->columns == 0 || !matrix->numbers)))
        return akin_fail(error, AKIN_E_OPTION,
                         "the matrix to %s: %u rows of %u numbers; expected fewer than 2^32 - 1, of 1 to %d, and them",
                         purpose, matrix->rows, matrix->columns, AKIN_MATRIX_COLUMNS);
    const uint64_t count = (uint64_t)matrix->rows * matrix->columns;
    const float *numbers = matrix->numbers;
    for (uint64_t i = 0; matrix->number == AKIN_NUMBER_F32 && i < count; i++)
        if (!isfinite(numbers[i])) {
            const uint64_t row = i / matrix->columns, column = i % matrix->columns;
            akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_NOT_A_NUMBER, row, NULL,
                          ", column %" PRIu64 ": expected a finite number", column);
            return note_number(row, column, error);
        }
    return AKIN_OK;
}

void akin_matrix_floats(const akin_matrix *matrix, uint32_t first, uint32_t count, float *out)
{
    const size_t begin = (size_t)first * matrix->columns, numbers = (size_t)count * matrix->columns;
    if (matrix->number == AKIN_NUMBER_F32) {
        memcpy(out, (const float *)matrix->numbers + begin, numbers * sizeof *out);
        return;
    }
    for (size_t i = 0; i < numbers; i++)
        out[i] = ((const uint8_t *)matrix->numbers)[begin + i];
}
