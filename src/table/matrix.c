/* Reads matrices of numbers, row by row, whatever their format; see matrix.h. */
#include "table/matrix.h"

#include "base/memory.h"
#include "base/reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "a matrix of vectors";

static const struct {
    const char *ending;
    akin_matrix_format format;
} endings[] = {{".u8", AKIN_MATRIX_U8},      {".u8bin", AKIN_MATRIX_U8}, {".f32", AKIN_MATRIX_F32},
               {".fbin", AKIN_MATRIX_F32},   {".npy", AKIN_MATRIX_NPY},  {".bvecs", AKIN_MATRIX_BVECS},
               {".fvecs", AKIN_MATRIX_FVECS}};

int akin_matrix_format_of(const char *path, akin_matrix_format *out)
{
    const size_t length = akin_reader_stem(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (length > strlen(endings[i].ending) && akin_reader_ends(path, length, endings[i].ending)) {
            *out = endings[i].format;
            return 1;
        }
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- bytes */

/* A file being read. */
typedef struct reading {
    akin_reader *reader;
    akin_error *error;
    const char *at; /* what is left of the block at hand */
    size_t left;
    size_t width;  /* bytes of a number: 1, 4 or 8 */
    uint64_t rows; /* that there are to be, or UINT64_MAX where nothing says so */
    akin_matrix *out;
    uint64_t capacity; /* rows that there is room for */
    unsigned char *row;
} reading;

static akin_status fail_short(const reading *r)
{
    return akin_fail(r->error, AKIN_E_INPUT, "%s: ends within %s %" PRIu32, akin_reader_name(r->reader),
                     r->out->dimensions > 0 ? "row" : "what it says of rows, at row", r->out->rows);
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

static akin_status take(reading *r, void *to, size_t count)
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

static uint64_t number_of(const unsigned char *bytes, size_t count)
{
    uint64_t number = 0;
    for (size_t i = count; i > 0; i--)
        number = number << 8 | bytes[i - 1];
    return number;
}

static akin_status take_number(reading *r, size_t bytes, uint64_t *out)
{
    unsigned char of[8] = {0};
    akin_status status = take(r, of, bytes);
    *out = status == AKIN_OK ? number_of(of, bytes) : 0;
    return status;
}

/* -------------------------------------------------------------------------------------------------------------- head */

static akin_status set_shape(reading *r, uint64_t rows, uint64_t dimensions, size_t width)
{
    const char *name = akin_reader_name(r->reader);
    if (dimensions == 0 || dimensions > AKIN_MATRIX_DIMENSIONS)
        return akin_fail(r->error, AKIN_E_INPUT, "%s: vectors of %" PRIu64 " dimensions: expected 1 to %u", name,
                         dimensions, AKIN_MATRIX_DIMENSIONS);
    if (rows != UINT64_MAX && rows >= UINT32_MAX)
        return akin_fail(r->error, AKIN_E_LIMIT, "%s: %" PRIu64 " vectors: expected fewer than 2^32 - 1", name, rows);
    r->rows = rows;
    r->width = width;
    r->out->dimensions = (uint32_t)dimensions;
    r->out->is_bytes = width == 1;
    akin_free(r->row);
    r->row = akin_alloc(NULL, dimensions, width);
    return r->row ? AKIN_OK : akin_fail_memory(r->error, what);
}

static akin_status read_plain_head(reading *r, size_t width)
{
    uint64_t rows, dimensions;
    akin_status status = take_number(r, 4, &rows);
    if (status == AKIN_OK)
        status = take_number(r, 4, &dimensions);
    return status == AKIN_OK ? set_shape(r, rows, dimensions, width) : status;
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
    return akin_fail(r->error, AKIN_E_INPUT,
                     "%s: %s: expected a NumPy array of uint8, float32 or float64, two-dimensional and in C order "
                     "(numpy.ascontiguousarray)",
                     akin_reader_name(r->reader), why);
}

static akin_status parse_npy(reading *r, const char *head)
{
    static const struct {
        const char *name;
        size_t width;
    } types[] = {{"'|u1'", 1}, {"'<f4'", 4}, {"'<f8'", 8}};
    const char *type = entry_of(head, "'descr'"), *order = entry_of(head, "'fortran_order'");
    const char *shape = entry_of(head, "'shape'");
    char *end;
    size_t width = 0;
    for (size_t i = 0; type && i < sizeof types / sizeof *types; i++)
        if (strncmp(type, types[i].name, strlen(types[i].name)) == 0)
            width = types[i].width;
    if (width == 0)
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
    const uint64_t dimensions = strtoull(end, &end, 10);
    while (*end == ' ' || *end == ',')
        end++;
    return *end == ')' ? set_shape(r, rows, dimensions, width) : fail_npy(r, "it has more than two dimensions");
}

static akin_status read_npy_head(reading *r)
{
    static const char magic[] = "\x93NUMPY";
    unsigned char start[8] = {0};
    char head[65536];
    uint64_t length = 0;
    akin_status status = take(r, start, sizeof start);
    if (status != AKIN_OK)
        return status;
    if (memcmp(start, magic, 6) != 0 || start[6] < 1 || start[6] > 3)
        return fail_npy(r, "it does not begin as one");
    status = take_number(r, start[6] == 1 ? 2 : 4, &length);
    if (status != AKIN_OK)
        return status;
    if (length >= sizeof head)
        return fail_npy(r, "its head is too long");
    status = take(r, head, (size_t)length);
    head[length] = 0;
    return status == AKIN_OK ? parse_npy(r, head) : status;
}

/* -------------------------------------------------------------------------------------------------------------- rows */

/* The head of a row in .bvecs and .fvecs; the first tells the dimensions. */
static akin_status read_row_head(reading *r, size_t width)
{
    uint64_t dimensions;
    akin_status status = take_number(r, 4, &dimensions);
    if (status != AKIN_OK)
        return status;
    if (r->out->rows == 0)
        return set_shape(r, UINT64_MAX, dimensions, width);
    if (dimensions == r->out->dimensions)
        return AKIN_OK;
    return akin_fail(r->error, AKIN_E_INPUT, "%s: row %" PRIu32 " has %" PRIu64 " dimensions, those before it %" PRIu32,
                     akin_reader_name(r->reader), r->out->rows, dimensions, r->out->dimensions);
}

static akin_status convert(const reading *r, float *to)
{
    for (uint32_t j = 0; j < r->out->dimensions; j++) {
        const uint64_t bits = number_of(r->row + (size_t)j * r->width, r->width);
        const uint32_t half = (uint32_t)bits;
        double wide;
        if (r->width == 4) {
            memcpy(&to[j], &half, sizeof half);
        } else {
            memcpy(&wide, &bits, sizeof bits);
            to[j] = (float)wide;
        }
        if (!isfinite(to[j]))
            return akin_fail(r->error, AKIN_E_INPUT, "%s: row %" PRIu32 ", dimension %" PRIu32 ": expected a finite %s",
                             akin_reader_name(r->reader), r->out->rows, j,
                             r->width == 4 ? "number" : "number that a float can hold");
    }
    return AKIN_OK;
}

static akin_status read_row(reading *r)
{
    akin_matrix *m = r->out;
    const size_t size = (size_t)m->dimensions * (m->is_bytes ? 1 : sizeof(float));
    if (m->rows == UINT32_MAX - 1)
        return akin_fail(r->error, AKIN_E_LIMIT, "%s: 2^32 - 1 vectors or more", akin_reader_name(r->reader));
    void *larger = akin_enlarge(NULL, m->numbers, &r->capacity, (uint64_t)m->rows + 1, size);
    if (!larger)
        return akin_fail_memory(r->error, what);
    m->numbers = larger;
    akin_status status = take(r, r->row, (size_t)m->dimensions * r->width);
    if (status != AKIN_OK)
        return status;
    char *to = (char *)m->numbers + (size_t)m->rows * size;
    if (m->is_bytes)
        memcpy(to, r->row, size);
    else
        status = convert(r, (float *)(void *)to);
    m->rows += status == AKIN_OK;
    return status;
}

static akin_status read_rows(reading *r, akin_matrix_format format)
{
    const int is_vecs = format == AKIN_MATRIX_BVECS || format == AKIN_MATRIX_FVECS;
    akin_status status = AKIN_OK;
    while (status == AKIN_OK && (is_vecs || r->out->rows < r->rows)) {
        status = is_vecs ? refill(r) : AKIN_OK;
        if (status == AKIN_OK && is_vecs && r->left == 0)
            return AKIN_OK;
        if (status == AKIN_OK && is_vecs)
            status = read_row_head(r, format == AKIN_MATRIX_BVECS ? 1 : 4);
        if (status == AKIN_OK)
            status = read_row(r);
    }
    if (status == AKIN_OK)
        status = refill(r);
    if (status == AKIN_OK && r->left > 0)
        return akin_fail(r->error, AKIN_E_INPUT, "%s: goes on behind its %" PRIu32 " rows of %" PRIu32 " numbers",
                         akin_reader_name(r->reader), r->out->rows, r->out->dimensions);
    return status;
}

static akin_status read_all(reading *r, akin_matrix_format format)
{
    akin_status status = AKIN_OK;
    if (format == AKIN_MATRIX_U8 || format == AKIN_MATRIX_F32)
        status = read_plain_head(r, format == AKIN_MATRIX_U8 ? 1 : 4);
    else if (format == AKIN_MATRIX_NPY)
        status = read_npy_head(r);
    return status == AKIN_OK ? read_rows(r, format) : status;
}

akin_status akin_matrix_read(akin_context *context, const char *path, akin_matrix_format format, akin_matrix *out,
                             akin_error *error)
{
    reading r = {.error = error, .out = out};
    *out = (akin_matrix){0};
    akin_status status = akin_reader_open(context, path, &r.reader, error);
    if (status == AKIN_OK)
        status = read_all(&r, format);
    akin_reader_close(r.reader);
    akin_free(r.row);
    return status;
}

void akin_matrix_clear(akin_matrix *matrix)
{
    akin_free(matrix->numbers);
    *matrix = (akin_matrix){0};
}

void akin_matrix_floats(const akin_matrix *matrix, uint32_t first, uint32_t count, float *out)
{
    const size_t begin = (size_t)first * matrix->dimensions, numbers = (size_t)count * matrix->dimensions;
    if (!matrix->is_bytes) {
        memcpy(out, (const float *)matrix->numbers + begin, numbers * sizeof *out);
        return;
    }
    for (size_t i = 0; i < numbers; i++)
        out[i] = ((const uint8_t *)matrix->numbers)[begin + i];
}
