/* Matrices of vectors: each format, plain and compressed, and what is refused of them. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "table/matrix.h"
#include "test_base_files.h"

#include <math.h>
#include <zlib.h>

static akin_context context = {.scope = {.context = &context, .threads = 1}};
static akin_error error;

/* A file that is being put together. */
typedef struct bytes {
    unsigned char data[4096];
    size_t length;
} bytes;

static void add(bytes *b, const void *data, size_t length)
{
    assert_true(b->length + length <= sizeof b->data);
    memcpy(b->data + b->length, data, length);
    b->length += length;
}

static void add_int(bytes *b, int32_t value)
{
    add(b, &value, sizeof value);
}

static const char *save(const bytes *b, const char *name)
{
    const char *path = scratch_path(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(b->data, 1, b->length, file), b->length);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* What read answers of the bytes as a file of that name. */
static akin_status read_as(const bytes *b, const char *name, akin_matrix **out)
{
    const char *path = save(b, name);
    error.message[0] = 0;
    *out = NULL;
    return akin_matrix_read(&context, path, AKIN_MATRIX_AUTO, out, &error);
}

static void refuse(const bytes *b, const char *name, const char *why)
{
    akin_matrix *matrix = NULL;
    assert_int_equal(read_as(b, name, &matrix), AKIN_E_INPUT);
    assert_non_null(strstr(error.message, why));
    assert_non_null(strstr(error.message, name));
    akin_matrix_free(matrix);
}

/* All formats have 3 rows of 2 numbers: 0, 1, .. 5. */
static void assert_read(const bytes *b, const char *name, int is_bytes)
{
    akin_matrix *matrix = NULL;
    float numbers[6], middle[2];
    assert_int_equal(read_as(b, name, &matrix), AKIN_OK);
    assert_int_equal(matrix->rows, 3);
    assert_int_equal(matrix->columns, 2);
    assert_int_equal(matrix->number, is_bytes ? AKIN_NUMBER_U8 : AKIN_NUMBER_F32);
    akin_matrix_floats(matrix, 0, 3, numbers);
    akin_matrix_floats(matrix, 1, 1, middle);
    for (int i = 0; i < 6; i++)
        assert_true(numbers[i] >= (float)i && numbers[i] <= (float)i);
    assert_memory_equal(middle, numbers + 2, sizeof middle);
    akin_matrix_free(matrix);
}

static bytes plain(int is_bytes)
{
    bytes b = {.length = 0};
    add_int(&b, 3);
    add_int(&b, 2);
    for (int i = 0; i < 6; i++) {
        const unsigned char byte = (unsigned char)i;
        const float number = (float)i;
        if (is_bytes)
            add(&b, &byte, 1);
        else
            add(&b, &number, 4);
    }
    return b;
}

static bytes vecs(int is_bytes)
{
    bytes b = {.length = 0};
    for (int row = 0; row < 3; row++) {
        const unsigned char pair[] = {(unsigned char)(2 * row), (unsigned char)(2 * row + 1)};
        const float numbers[] = {(float)pair[0], (float)pair[1]};
        add_int(&b, 2);
        add(&b, is_bytes ? (const void *)pair : numbers, is_bytes ? sizeof pair : sizeof numbers);
    }
    return b;
}

static bytes npy(const char *head, int width)
{
    bytes b = {.length = 0};
    const unsigned char start[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)strlen(head), 0};
    add(&b, start, sizeof start);
    add(&b, head, strlen(head));
    for (int i = 0; i < 6; i++) {
        const unsigned char byte = (unsigned char)i;
        const float number = (float)i;
        const double wide = i;
        add(&b, width == 1 ? (const void *)&byte : width == 4 ? (const void *)&number : &wide, (size_t)width);
    }
    return b;
}

static void formats(void **state)
{
    (void)state;
    bytes b = plain(1);
    assert_read(&b, "a.u8", 1);
    assert_read(&b, "a.u8bin", 1);
    b = plain(0);
    assert_read(&b, "a.f32", 0);
    assert_read(&b, "a.fbin", 0);
    b = vecs(1);
    assert_read(&b, "a.bvecs", 1);
    b = vecs(0);
    assert_read(&b, "a.fvecs", 0);
    b = npy("{'descr': '|u1', 'fortran_order': False, 'shape': (3, 2), }  \n", 1);
    assert_read(&b, "a.npy", 1);
    b = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }\n", 4);
    assert_read(&b, "a.npy", 0);
    b = npy("{'shape': (3,2), 'fortran_order': False,'descr':'<f8'}\n", 8);
    assert_read(&b, "a.npy", 0);
}

/* Rows -1, 200 and 2^width - 3 and 7, with bytes of `width`. */
static void assert_integers(const char *type, unsigned width, akin_number number, int64_t first, int64_t third)
{
    static const int64_t values[] = {-1, 200, -3, 7};
    char head[128];
    bytes b = {.length = 0};
    akin_matrix *matrix;
    snprintf(head, sizeof head, "{'descr': '%s', 'fortran_order': False, 'shape': (2, 2), }\n", type);
    b = npy(head, 1);
    b.length -= 6;
    for (int i = 0; i < 4; i++)
        add(&b, &values[i], width); /* on a little-endian machine */
    assert_int_equal(read_as(&b, "a.npy", &matrix), AKIN_OK);
    assert_int_equal(matrix->number, number);
    assert_true(akin_matrix_integer(matrix, 0) == first);
    assert_true(akin_matrix_integer(matrix, 1) == (width == 1 && first < 0 ? 200 - 256 : 200));
    assert_true(akin_matrix_integer(matrix, 2) == third);
    assert_true(akin_matrix_integer(matrix, 3) == 7);
    akin_matrix_free(matrix);
}

static void integers(void **state)
{
    (void)state;
    assert_integers("|u1", 1, AKIN_NUMBER_U8, 255, 253);
    assert_integers("|i1", 1, AKIN_NUMBER_I32, -1, -3);
    assert_integers("<i2", 2, AKIN_NUMBER_I32, -1, -3);
    assert_integers("<u2", 2, AKIN_NUMBER_I32, 65535, 65533);
    assert_integers("<i4", 4, AKIN_NUMBER_I32, -1, -3);
    assert_integers("<u4", 4, AKIN_NUMBER_I64, UINT32_MAX, UINT32_MAX - INT64_C(2));
    assert_integers("<i8", 8, AKIN_NUMBER_I64, -1, -3);
    assert_integers("<u8", 8, AKIN_NUMBER_I64, -1, -3);
    bytes b = {.length = 0};
    akin_matrix *matrix;
    for (int i = 0; i < 2; i++) {
        add_int(&b, 1);
        add_int(&b, -5 - i);
    }
    assert_int_equal(read_as(&b, "a.ivecs", &matrix), AKIN_OK);
    assert_true(matrix->rows == 2 && matrix->columns == 1 && akin_matrix_integer(matrix, 1) == -6);
    akin_matrix_free(matrix);
    b.length = 0;
    add_int(&b, 1);
    add_int(&b, 1);
    add_int(&b, -9);
    assert_int_equal(read_as(&b, "a.ibin", &matrix), AKIN_OK);
    assert_true(matrix->number == AKIN_NUMBER_I32 && akin_matrix_integer(matrix, 0) == -9);
    akin_matrix_free(matrix);
}

/* What a caller may not hand over. */
static void checked(void **state)
{
    (void)state;
    const float numbers[] = {1, 2, 3, INFINITY};
    akin_matrix m = {sizeof m, 2, 2, AKIN_NUMBER_F32, 0, numbers};
    assert_int_equal(akin_matrix_check(&m, "try", &error), AKIN_E_INPUT);
    assert_string_equal(error.message, "row 1, column 1: expected a finite number");
    m.rows = 1;
    assert_int_equal(akin_matrix_check(&m, "try", &error), AKIN_OK);
    m.columns = 0;
    assert_int_equal(akin_matrix_check(&m, "try", &error), AKIN_E_OPTION);
    m.columns = AKIN_MATRIX_COLUMNS + 1;
    assert_int_equal(akin_matrix_check(&m, "try", &error), AKIN_E_OPTION);
    m.columns = 2;
    m.numbers = NULL;
    assert_int_equal(akin_matrix_check(&m, "try", &error), AKIN_E_OPTION);
    m.rows = 0;
    assert_int_equal(akin_matrix_check(&m, "try", &error), AKIN_OK);
    m.number = (akin_number)4;
    assert_int_equal(akin_matrix_check(&m, "try", &error), AKIN_E_OPTION);
    m = (akin_matrix){sizeof m - 1, 2, 2, AKIN_NUMBER_F32, 0, numbers};
    assert_int_equal(akin_matrix_check(&m, "try", &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "the matrix to try: size is"));
}

static void names(void **state)
{
    (void)state;
    akin_matrix_format format;
    assert_true(akin_matrix_format_of_name("a.b/x.u8.zst", &format, NULL) == AKIN_OK && format == AKIN_MATRIX_U8);
    assert_true(akin_matrix_format_of_name("x.fvecs.gz", &format, NULL) == AKIN_OK && format == AKIN_MATRIX_FVECS);
    assert_int_equal(akin_matrix_format_of_name("x.csv", &format, NULL), AKIN_E_OPTION);
    assert_int_equal(akin_matrix_format_of_name(".npy", &format, NULL), AKIN_E_OPTION);
    assert_int_equal(akin_matrix_format_of_name("u8", &format, NULL), AKIN_E_OPTION);
    assert_int_equal(akin_matrix_format_of_name("", &format, NULL), AKIN_E_OPTION);
}

static void compressed(void **state)
{
    (void)state;
    const bytes b = plain(1);
    bytes packed = {.length = 0};
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)b.data,
                       .avail_in = (unsigned)b.length,
                       .next_out = packed.data,
                       .avail_out = sizeof packed.data};
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.length = stream.total_out;
    deflateEnd(&stream);
    assert_read(&packed, "a.u8.gz", 1);
}

/* Line feeds are numbers like others, and rows go over the ends of blocks. */
static void many(void **state)
{
    (void)state;
    enum { ROWS = 3000, DIMENSIONS = 784 };
    const char *path = scratch_path("many.u8");
    FILE *file = fopen(path, "wb");
    const int32_t head[] = {ROWS, DIMENSIONS};
    akin_matrix *matrix = NULL;
    assert_non_null(file);
    fwrite(head, sizeof head, 1, file);
    for (int i = 0; i < ROWS * DIMENSIONS; i++)
        putc(i % 251 < 200 ? '\n' : i % 251, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(akin_matrix_read(&context, path, AKIN_MATRIX_U8, &matrix, &error), AKIN_OK);
    assert_int_equal(matrix->rows, ROWS);
    for (int i = 0; i < ROWS * DIMENSIONS; i++)
        assert_int_equal(((const uint8_t *)matrix->numbers)[i], i % 251 < 200 ? '\n' : i % 251);
    akin_matrix_free(matrix);
}

/* Every file that is cut short is refused, unless it is cut at the end of a row in a format without the number of
 * rows. */
static void cut(void **state)
{
    (void)state;
    const bytes all[] = {plain(1), plain(0), vecs(1), vecs(0),
                         npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }\n", 4)};
    static const char *const as[] = {"a.u8", "a.f32", "a.bvecs", "a.fvecs", "a.npy"};
    static const size_t rows[] = {0, 0, 6, 12, 0};
    for (size_t f = 0; f < sizeof as / sizeof *as; f++) {
        for (size_t length = 0; length < all[f].length; length++) {
            bytes b = all[f];
            akin_matrix *matrix = NULL;
            b.length = length;
            const int is_whole = rows[f] > 0 && length % rows[f] == 0;
            assert_int_equal(read_as(&b, as[f], &matrix), is_whole ? AKIN_OK : AKIN_E_INPUT);
            if (is_whole)
                assert_int_equal(matrix->rows, length / rows[f]);
            akin_matrix_free(matrix);
        }
        bytes b = all[f];
        add(&b, "", 1);
        refuse(&b, as[f], rows[f] ? "ends within" : "goes on behind its 3 rows");
    }
}

static void refused(void **state)
{
    (void)state;
    bytes b = {.length = 0};
    akin_matrix *matrix = NULL;
    const float bad = NAN;
    const double large = 1e300;
    add_int(&b, 1);
    add_int(&b, 0);
    refuse(&b, "a.u8", "rows of 0 numbers");
    b.length = 4;
    add_int(&b, -1);
    refuse(&b, "a.u8", "rows of 4294967295 numbers");
    b.length = 0;
    add_int(&b, -1);
    add_int(&b, 1);
    assert_int_equal(read_as(&b, "a.u8", &matrix), AKIN_E_LIMIT);
    akin_matrix_free(matrix);
    b.length = 0;
    add_int(&b, 1);
    add_int(&b, 1);
    add(&b, &bad, sizeof bad);
    refuse(&b, "a.f32", "row 0, column 0: expected a finite number");
    b = vecs(1);
    add_int(&b, 3);
    add(&b, "abc", 3);
    refuse(&b, "a.bvecs", "row 3 has 3 numbers");
    b = npy("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }\n", 8);
    memcpy(b.data + b.length - sizeof large, &large, sizeof large);
    refuse(&b, "a.npy", "row 2, column 1: expected a finite number that a float can hold");
    b = npy("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 2), }\n", 4);
    refuse(&b, "a.npy", "in Fortran's order");
    b = npy("{'descr': '<c8', 'fortran_order': False, 'shape': (3, 2), }\n", 8);
    refuse(&b, "a.npy", "of another type");
    b = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }\n", 4);
    refuse(&b, "a.npy", "one dimension");
    b = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2, 1), }\n", 4);
    refuse(&b, "a.npy", "more than two");
    b = npy("{'descr': '<f4', 'fortran_order': False, }\n", 4);
    refuse(&b, "a.npy", "no shape");
    b = plain(1);
    refuse(&b, "a.npy", "does not begin as one");
    assert_int_equal(akin_matrix_read(&context, scratch_path("none.u8"), AKIN_MATRIX_U8, &matrix, &error),
                     AKIN_E_INPUT);
    akin_matrix_free(matrix);
}

/* Each character of a head is replaced by others: the file is refused, or it has 6 numbers. */
static void any_head(void **state)
{
    static const char head[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }\n",
                      others[] = "019(,)'x <>|uif8 F\n";
    uint64_t accepted = 0;
    (void)state;
    for (size_t at = 0; at + 1 < sizeof head; at++)
        for (size_t i = 0; i + 1 < sizeof others; i++) {
            char changed[sizeof head];
            akin_matrix *matrix = NULL;
            memcpy(changed, head, sizeof head);
            changed[at] = others[i];
            const bytes b = npy(changed, 4);
            const akin_status status = read_as(&b, "a.npy", &matrix);
            assert_true(status == AKIN_OK || (status == AKIN_E_INPUT && strstr(error.message, "a.npy")));
            assert_true(status != AKIN_OK || (matrix->rows * matrix->columns <= 24 && matrix->columns > 0));
            accepted += status == AKIN_OK;
            akin_matrix_free(matrix);
        }
    assert_true(accepted > 10);
}

/* Versions of the format, and lengths of the head. */
static void any_start(void **state)
{
    const bytes good = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }\n", 4);
    (void)state;
    for (size_t at = 0; at < 10; at++)
        for (int value = 0; value < 256; value++) {
            akin_matrix *matrix = NULL;
            bytes b = good;
            b.data[at] = (unsigned char)value;
            const akin_status status = read_as(&b, "a.npy", &matrix);
            assert_true(status == AKIN_OK || (status == AKIN_E_INPUT && strstr(error.message, "a.npy")));
            assert_true(status == AKIN_OK || value != good.data[at]);
            akin_matrix_free(matrix);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats),    cmocka_unit_test(integers),  cmocka_unit_test(checked), cmocka_unit_test(names),
        cmocka_unit_test(compressed), cmocka_unit_test(many),      cmocka_unit_test(cut),     cmocka_unit_test(refused),
        cmocka_unit_test(any_head),   cmocka_unit_test(any_start),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
