/* Collections read from files and standard input: text and saved ones, plain and compressed, and what is refused. */
#define _GNU_SOURCE

#include "base/context.h"
#include "test_sets_support.h"

#include "test_base_files.h"

#include <fcntl.h>
#include <zlib.h>
#include <zstd.h>

static akin_context context = {.scope = {.context = &context, .threads = 1}};

static const char *write_gzip(const char *name, const void *bytes, size_t length)
{
    const char *path = scratch_path(name);
    gzFile file = gzopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, bytes, (unsigned)length), length);
    assert_int_equal(gzclose(file), Z_OK);
    return path;
}

static const char *write_zstd(const char *name, const void *bytes, size_t length)
{
    size_t room = ZSTD_compressBound(length);
    char *compressed = malloc(room);
    assert_non_null(compressed);
    size_t size = ZSTD_compress(compressed, room, bytes, length, 1);
    assert_false(ZSTD_isError(size));
    const char *path = scratch_write(name, compressed, size);
    free(compressed);
    return path;
}

static akin_sets *read_sets(const char *path)
{
    akin_error error;
    akin_sets *sets = NULL;
    akin_status status = akin_sets_read(&context, path, &sets, &error);
    if (status != AKIN_OK)
        fail_msg("%s", error.message);
    assert_sets_valid(sets);
    return sets;
}

static void expect_text(const char *path, const char *expected)
{
    akin_sets *sets = read_sets(path);
    assert_sets_text(sets, expected);
    akin_sets_free(sets);
}

static void expect_error(const char *path, akin_status status, const char *part)
{
    akin_error error;
    akin_sets *sets = NULL;
    assert_int_equal(akin_sets_read(&context, path, &sets, &error), status);
    assert_null(sets);
    assert_int_equal(error.code, status);
    if (!strstr(error.message, part))
        fail_msg("'%s' does not say '%s'", error.message, part);
}

/* Reads standard input from the file. */
static akin_sets *read_standard_input(const char *path)
{
    int own = dup(STDIN_FILENO), file = open(path, O_RDONLY);
    assert_true(own >= 0 && file >= 0);
    assert_true(dup2(file, STDIN_FILENO) >= 0);
    akin_sets *sets = read_sets("-");
    assert_true(dup2(own, STDIN_FILENO) >= 0);
    close(own);
    close(file);
    return sets;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static void test_text(void **state)
{
    static const char bytes[] = "3 1 2\n\n\t7  7 \r\n4294967295";
    static const char expected[] = "1 2 3\n\n7\n4294967295\n";
    (void)state;
    expect_text(scratch_write("sets.txt", bytes, sizeof bytes - 1), expected);
    expect_text(write_gzip("sets.gz", bytes, sizeof bytes - 1), expected);
    expect_text(write_zstd("sets.any name", bytes, sizeof bytes - 1), expected);
    akin_sets *sets = read_standard_input(scratch_path("sets.gz"));
    assert_sets_text(sets, expected);
    akin_sets_free(sets);
    expect_text(scratch_write("empty", "", 0), "");
    expect_text(scratch_write("feed", "\n", 1), "\n");
    expect_text(write_gzip("empty.gz", "", 0), "");
    expect_text(write_zstd("empty.zst", "", 0), "");
}

/* More than the reader takes at once, at every SIMD level; the rows are in order but for some. */
static void test_large_text(void **state)
{
    text t = {0}, expected = {0};
    (void)state;
    for (unsigned row = 0; row < 60000; row++)
        for (unsigned i = 0; i <= row % 8; i++) {
            int last = i == row % 8;
            text_add_number(&expected, row * 3 + i * i);
            text_add_string(&expected, last ? "\n" : " ");
            text_add_number(&t, row % 1000 == 999 ? row * 3 + (row % 8 - i) * (row % 8 - i) : row * 3 + i * i);
            text_add_string(&t, last ? "\n" : " ");
        }
    const char *plain = scratch_write("large.txt", t.bytes, t.length);
    assert_true(t.length > (size_t)3 << 19);
    for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++) {
        context.scope.cpu = (akin_cpu)cpu;
        expect_text(plain, expected.bytes);
    }
    expect_text(write_zstd("large.zst", t.bytes, t.length), expected.bytes);
    text_add_string(&t, "1 2\n3 x\n");
    expect_error(scratch_write("large.txt", t.bytes, t.length), AKIN_E_INPUT,
                 "large.txt:60002: 'x' is not a token id (a number from 0 to 4294967295)");
    text_clear(&t);
    text_clear(&expected);
}

static void test_saved(void **state)
{
    akin_error error;
    akin_sets *saved = random_sets(1, 20000, 40, 100000), *opened;
    const char *path = scratch_path("saved");
    size_t length;
    (void)state;
    assert_int_equal(akin_sets_save(&context, saved, path, &error), AKIN_OK);
    opened = read_sets(path);
    assert_null(opened->container); /* a copy */
    assert_non_null(opened->own[0].data);
    assert_sets_equal(saved, opened);
    akin_sets_free(opened);

    opened = read_standard_input(path);
    assert_non_null(opened->own[0].data);
    assert_sets_equal(saved, opened);
    akin_sets_free(opened);

    char *bytes = scratch_read(path, &length);
    const char *compressed = write_zstd("saved.zst", bytes, length);
    opened = read_sets(compressed);
    assert_sets_equal(saved, opened);
    akin_sets_free(opened);

    bytes[length / 2] ^= 1;
    expect_error(scratch_write("damaged", bytes, length), AKIN_E_INPUT, "damaged");
    expect_error(write_zstd("damaged.zst", bytes, length), AKIN_E_INPUT, "damaged.zst");
    expect_error(scratch_write("cut", bytes, length - 1), AKIN_E_INPUT, "cut");
    expect_error(write_gzip("cut.gz", bytes, 9), AKIN_E_INPUT, "cut.gz");
    free(bytes);
    akin_sets_free(saved);
}

static void test_refused(void **state)
{
    text t = {0};
    size_t length;
    (void)state;
    expect_error(scratch_path("missing"), AKIN_E_INPUT, "missing");
    expect_error(scratch, AKIN_E_INPUT, scratch);
    expect_error(scratch_write("bad.txt", "1 2\nthree\n", 10), AKIN_E_INPUT, "bad.txt:2: 'three' is not a token id");
    expect_error(scratch_write("empty.akin", "", 0), AKIN_E_INPUT, "empty.akin: is empty");
    expect_error(write_gzip("empty.akin.gz", "", 0), AKIN_E_INPUT, "empty.akin.gz: is empty");
    expect_text(scratch_write("empty.txt", "", 0), "");
    expect_error(write_gzip("bad.gz", "1\n\n99999999999", 14), AKIN_E_INPUT,
                 "bad.gz:3: token 99999999999 does not fit");
    for (unsigned i = 0; i < 30000; i++) {
        text_add_number(&t, i * 7919u);
        text_add_string(&t, "\n");
    }
    char *bytes = scratch_read(write_gzip("whole.gz", t.bytes, t.length), &length);
    expect_error(scratch_write("cut.gz", bytes, length / 2), AKIN_E_INPUT, "cut.gz");
    free(bytes);
    bytes = scratch_read(write_zstd("whole.zst", t.bytes, t.length), &length);
    expect_error(scratch_write("cut.zst", bytes, length - 5), AKIN_E_INPUT, "cut.zst");
    free(bytes);
    text_clear(&t);
}

/* A line that never ends is refused as soon as it is seen to be no text, by its number and first bytes. */
static void test_binary(void **state)
{
    (void)state;
    const size_t size = (size_t)3 << 20;
    char *bytes = calloc(1, size);
    assert_non_null(bytes);
    memcpy(bytes, "1 2\n3 4", 7);
    const char *plain = scratch_write("zeros.txt", bytes, size), *compressed = write_gzip("zeros.gz", bytes, size);
    for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++) {
        context.scope.cpu = (akin_cpu)cpu;
        expect_error(plain, AKIN_E_INPUT, "zeros.txt:2: '4\\x00\\x00");
        expect_error(compressed, AKIN_E_INPUT, "zeros.gz:2: '4\\x00\\x00");
    }
    memset(bytes + 7, '7', size - 7); /* a token as long as the buffer, and more */
    bytes[2000000] = '\0';
    expect_error(scratch_write("digits.txt", bytes, size), AKIN_E_INPUT, "digits.txt:2: '4777");
    free(bytes);
}

static int say_stop(void *user)
{
    (void)user;
    return 1;
}

static void test_cancelled(void **state)
{
    (void)state;
    scratch_write("sets.txt", "1 2\n", 4);
    context.scope.reporter.cancel = say_stop;
    expect_error(scratch_path("sets.txt"), AKIN_E_CANCELLED, "cancel");
    context.scope.reporter.cancel = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),    cmocka_unit_test(test_large_text), cmocka_unit_test(test_saved),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_binary),     cmocka_unit_test(test_cancelled),
    };
    context.scope.cpu = akin_cpu_detect();
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
