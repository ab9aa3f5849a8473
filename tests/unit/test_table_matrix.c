/* Matrices of vectors: each format, plain and compressed, and what is refused of them. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "table/matrix.h"
#include "test_base_files.h"

#include <math.h>
#include <zlib.h>

static akin_context context = {.threads = 1};
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
static akin_status read_as(const bytes *b, const char *name, akin_matrix *out)
{
    akin_matrix_format format;
    const char *path = save(b, name);
    assert_true(akin_matrix_format_of(path, &format));
    error.message[0] = 0;
    return akin_matrix_read(&context, path, format, out, &error);
}

static void refuse(const bytes *b, const char *name, const char *why)
{
    akin_matrix matrix;
    assert_int_equal(read_as(b, name, &matrix), AKIN_E_INPUT);
    assert_non_null(strstr(error.message, why));
    assert_non_null(strstr(error.message, name));
    akin_matrix_clear(&matrix);
}

/* All formats have 3 rows of 2 numbers: 0, 1, .. 5. */
static void assert_read(const bytes *b, const char *name, int is_bytes)
{
    akin_matrix matrix;
    float numbers[6], middle[2];
    assert_int_equal(read_as(b, name, &matrix), AKIN_OK);
    assert_int_equal(matrix.rows, 3);
    assert_int_equal(matrix.dimensions, 2);
    assert_int_equal(matrix.is_bytes, is_bytes);
    akin_matrix_floats(&matrix, 0, 3, numbers);
    akin_matrix_floats(&matrix, 1, 1, middle);
    for (int i = 0; i < 6; i++)
        assert_true(numbers[i] >= (float)i && numbers[i] <= (float)i);
    assert_memory_equal(middle, numbers + 2, sizeof middle);
    akin_matrix_clear(&matrix);
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

static void names(void **state)
{
    (void)state;
    akin_matrix_format format;
    assert_true(akin_matrix_format_of("a.b/x.u8.zst", &format) && format == AKIN_MATRIX_U8);
    assert_true(akin_matrix_format_of("x.fvecs.gz", &format) && format == AKIN_MATRIX_FVECS);
    assert_false(akin_matrix_format_of("x.csv", &format));
    assert_false(akin_matrix_format_of(".npy", &format));
    assert_false(akin_matrix_format_of("u8", &format));
    assert_false(akin_matrix_format_of("", &format));
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
    akin_matrix matrix;
    assert_non_null(file);
    fwrite(head, sizeof head, 1, file);
    for (int i = 0; i < ROWS * DIMENSIONS; i++)
        putc(i % 251 < 200 ? '\n' : i % 251, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(akin_matrix_read(&context, path, AKIN_MATRIX_U8, &matrix, &error), AKIN_OK);
    assert_int_equal(matrix.rows, ROWS);
    for (int i = 0; i < ROWS * DIMENSIONS; i++)
        assert_int_equal(((uint8_t *)matrix.numbers)[i], i % 251 < 200 ? '\n' : i % 251);
    akin_matrix_clear(&matrix);
}

/* Every file that is cut short is refused, but where a row ends of those that do not tell their number. */
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
            akin_matrix matrix;
            b.length = length;
            const int is_whole = rows[f] > 0 && length % rows[f] == 0;
            assert_int_equal(read_as(&b, as[f], &matrix), is_whole ? AKIN_OK : AKIN_E_INPUT);
            if (is_whole)
                assert_int_equal(matrix.rows, length / rows[f]);
            akin_matrix_clear(&matrix);
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
    akin_matrix matrix;
    const float bad = NAN;
    const double large = 1e300;
    add_int(&b, 1);
    add_int(&b, 0);
    refuse(&b, "a.u8", "0 dimensions");
    b.length = 4;
    add_int(&b, -1);
    refuse(&b, "a.u8", "4294967295 dimensions");
    b.length = 0;
    add_int(&b, -1);
    add_int(&b, 1);
    assert_int_equal(read_as(&b, "a.u8", &matrix), AKIN_E_LIMIT);
    akin_matrix_clear(&matrix);
    b.length = 0;
    add_int(&b, 1);
    add_int(&b, 1);
    add(&b, &bad, sizeof bad);
    refuse(&b, "a.f32", "row 0, dimension 0: expected a finite number");
    b = vecs(1);
    add_int(&b, 3);
    add(&b, "abc", 3);
    refuse(&b, "a.bvecs", "row 3 has 3 dimensions");
    b = npy("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }\n", 8);
    memcpy(b.data + b.length - sizeof large, &large, sizeof large);
    refuse(&b, "a.npy", "row 2, dimension 1: expected a finite number that a float can hold");
    b = npy("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 2), }\n", 4);
    refuse(&b, "a.npy", "in Fortran's order");
    b = npy("{'descr': '<i8', 'fortran_order': False, 'shape': (3, 2), }\n", 8);
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
    akin_matrix_clear(&matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats), cmocka_unit_test(names), cmocka_unit_test(compressed),
        cmocka_unit_test(many),    cmocka_unit_test(cut),   cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
