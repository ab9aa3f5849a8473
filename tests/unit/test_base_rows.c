/* Rows of outputs by all threads: the same bytes with any number of threads, and the same failure. */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "test_base_failing.h"
#include "test_base_files.h"
#include "test_failing_step.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>

#define MEMORY_LEAST ((uint64_t)16 << 20)
#define NEVER        UINT64_MAX

static const uint32_t threads_of[] = {1, 2, 3, 8};
#define THREADS (sizeof threads_of / sizeof *threads_of)

/* Rows whose lines have lengths of their own. */
typedef struct job {
    uint64_t rows, fails; /* fails: at that row, and at some after it */
    size_t longest;
    pthread_t caller;
    int cancels, foreign; /* foreign: a callback came on another thread */
} job;

/* The bytes of a line, its end included. */
static size_t length_of(const job *j, uint64_t row)
{
    const size_t length = 1 + (size_t)(row * 2654435761u >> 7) % 60;
    return row % 1000 == 999 ? j->longest : length;
}

static akin_status format(void *user, uint64_t begin, uint64_t end, akin_lines *lines, akin_error *error)
{
    const job *j = user;
    for (uint64_t row = begin; row < end; row++) {
        const size_t length = length_of(j, row);
        if (row >= j->fails && (row - j->fails) % 700 == 0)
            return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NONE, "row %" PRIu64 " is wrong", row);
        char *at = akin_lines_reserve(lines, length);
        if (!at)
            return AKIN_E_NOMEM;
        memset(at, 'a' + (int)(row % 26), length);
        at[length - 1] = '\n';
        lines->length += length;
    }
    return AKIN_OK;
}

static int on_cancel(void *user)
{
    job *j = user;
    j->foreign |= !pthread_equal(pthread_self(), j->caller);
    return j->cancels;
}

static akin_status write_to(const char *path, job *j, uint32_t threads, uint64_t memory, uint64_t piece,
                            akin_error *error)
{
    const akin_wishes wishes = {.lines_bytes = piece};
    akin_context context = {.scope = {.context = &context,
                                      .threads = threads,
                                      .memory = memory,
                                      .reporter = {.cancel = on_cancel, .user = j}},
                            .wishes = &wishes};
    akin_output *output = NULL;
    j->caller = pthread_self();
    akin_status status = akin_output_open(&context, path, &output, error);
    assert_int_equal(status, AKIN_OK);
    status = akin_output_write_rows(output, j->rows, format, j, error);
    assert_false(j->foreign);
    if (status == AKIN_OK)
        return akin_output_commit(output, error);
    akin_output_discard(output);
    return status;
}

/* Whether a file has the lines of rows 0 to rows - 1, and nothing else. */
static void check_file(const char *path, const job *j, uint64_t rows)
{
    FILE *file = fopen(path, "rb");
    char *line = malloc(j->longest + 61), *expected = malloc(j->longest + 61);
    assert_non_null(file);
    assert_true(line && expected);
    for (uint64_t row = 0; row < rows; row++) {
        const size_t length = length_of(j, row);
        memset(expected, 'a' + (int)(row % 26), length);
        expected[length - 1] = '\n';
        if (fread(line, 1, length, file) != length || memcmp(line, expected, length) != 0)
            fail_msg("row %" PRIu64 " of %" PRIu64 " differs", row, rows);
    }
    assert_int_equal(fread(line, 1, 1, file), 0);
    free(line);
    free(expected);
    fclose(file);
}

static void check_rows(uint64_t rows, size_t longest, uint64_t memory, uint64_t piece)
{
    const char *path = scratch_path("rows");
    akin_error error;
    for (size_t i = 0; i < THREADS; i++) {
        job j = {.rows = rows, .fails = NEVER, .longest = longest};
        assert_int_equal(write_to(path, &j, threads_of[i], memory, piece, &error), AKIN_OK);
        check_file(path, &j, rows);
    }
    unlink(path);
}

static void test_rows(void **state)
{
    (void)state;
    static const uint64_t rows[] = {0, 1, 2, 255, 256, 257, 999, 1000, 5000, 100000};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint64_t piece = 0; piece <= 4096; piece = piece ? piece * 16 : 16)
            check_rows(rows[i], 200, 0, piece);
}

/* Lines that a bounded piece has no room for are formatted again, fewer at once, and alone. */
static void test_bounded(void **state)
{
    (void)state;
    check_rows(20000, 300, MEMORY_LEAST, 0);
    check_rows(20000, 100000, MEMORY_LEAST, 0);
    check_rows(3000, (size_t)2 << 20, MEMORY_LEAST, 0);
}

/* The first row in order that is wrong, whoever finds it: rows before it are written, where that can be seen. */
static void test_failures(void **state)
{
    (void)state;
    static const uint64_t rows[] = {0, 1, 300, 4999, 12345};
    char message[64];
    akin_error error;
    for (size_t f = 0; f < sizeof rows / sizeof *rows; f++)
        for (size_t i = 0; i < THREADS; i++) {
            job j = {.rows = 20000, .fails = rows[f], .longest = 50};
            assert_int_equal(write_to(scratch_path("failure"), &j, threads_of[i], 0, 1000, &error), AKIN_E_INPUT);
            snprintf(message, sizeof message, "row %" PRIu64 " is wrong", rows[f]);
            assert_string_equal(error.message, message);
            assert_int_equal(error.code, AKIN_E_INPUT);
            assert_int_equal(scratch_entries("."), 0);
        }
}

static void test_full(void **state)
{
    (void)state;
    akin_error error;
    if (access("/dev/full", W_OK) != 0)
        return;
    for (size_t i = 0; i < THREADS; i++) {
        job j = {.rows = 100000, .fails = NEVER, .longest = 50};
        assert_int_equal(write_to("/dev/full", &j, threads_of[i], 0, 0, &error), AKIN_E_IO);
        assert_string_equal(error.message, "/dev/full: cannot be written: No space left on device");
    }
}

/* Before a piece that fails, the failure to write is the first one. */
static void test_first(void **state)
{
    (void)state;
    akin_error error;
    if (access("/dev/full", W_OK) != 0)
        return;
    for (size_t i = 0; i < THREADS; i++) {
        job j = {.rows = 100000, .fails = 90000, .longest = 50};
        assert_int_equal(write_to("/dev/full", &j, threads_of[i], 0, 0, &error), AKIN_E_IO);
    }
}

static void test_cancelled(void **state)
{
    (void)state;
    const char *path = scratch_path("cancelled");
    char message[2 * PATH_BYTES];
    akin_error error;
    snprintf(message, sizeof message, "%s: cancelled while writing", path);
    for (size_t i = 0; i < THREADS; i++) {
        job j = {.rows = 1000000, .fails = NEVER, .longest = 50, .cancels = 1};
        assert_int_equal(write_to(path, &j, threads_of[i], 0, 0, &error), AKIN_E_CANCELLED);
        assert_string_equal(error.message, message);
    }
}

/* An output without a context has one thread. */
static void test_no_context(void **state)
{
    (void)state;
    const char *path = scratch_path("alone");
    akin_error error;
    akin_output *output = NULL;
    job j = {.rows = 5000, .fails = NEVER, .longest = 50};
    assert_int_equal(akin_output_open(NULL, path, &output, &error), AKIN_OK);
    assert_int_equal(akin_output_write_rows(output, j.rows, format, &j, &error), AKIN_OK);
    assert_int_equal(akin_output_commit(output, &error), AKIN_OK);
    check_file(path, &j, j.rows);
    unlink(path);
}

static void test_no_error(void **state)
{
    (void)state;
    const char *path = scratch_path("silent");
    for (size_t i = 0; i < THREADS; i++) {
        job j = {.rows = 5000, .fails = 3000, .longest = 50};
        assert_int_equal(write_to(path, &j, threads_of[i], 0, 500, NULL), AKIN_E_INPUT);
    }
}

/* A pipe that nobody reads any more. */
static void test_closed(void **state)
{
    (void)state;
    akin_error error;
    int ends[2];
    char path[32];
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < THREADS; i++) {
        job j = {.rows = 100000, .fails = NEVER, .longest = 50};
        assert_int_equal(pipe(ends), 0);
        close(ends[0]);
        snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
        assert_int_equal(write_to(path, &j, threads_of[i], 0, 0, &error), AKIN_E_IO);
        assert_non_null(strstr(error.message, "Broken pipe"));
        close(ends[1]);
    }
    signal(SIGPIPE, SIG_DFL);
}

/* A piece without memory is formatted again: if there is some then, all rows are written. */
static void test_memory(void **state)
{
    (void)state;
    const char *path = scratch_path("memory");
    for (size_t i = 0; i < THREADS; i++)
        for (int alone = 0; alone < 2; alone++)
            for (unsigned n = 0, had_failed = 1; had_failed; n += FAILING_STEP) {
                const akin_wishes wishes = {.lines_bytes = 1000};
                akin_context context = {.scope = {.context = &context, .threads = threads_of[i]}, .wishes = &wishes};
                job j = {.rows = 2000, .fails = NEVER, .longest = 3000};
                akin_output *output = NULL;
                akin_error error = {0};
                assert_int_equal(akin_output_open(&context, path, &output, &error), AKIN_OK);
                begin_failing(n, alone);
                akin_status status = akin_output_write_rows(output, j.rows, format, &j, &error);
                armed = 0;
                had_failed = failed;
                if (status == AKIN_OK) {
                    assert_int_equal(akin_output_commit(output, &error), AKIN_OK);
                    check_file(path, &j, j.rows);
                } else {
                    assert_int_equal(status, AKIN_E_NOMEM);
                    assert_int_equal(error.code, AKIN_E_NOMEM);
                    akin_output_discard(output);
                }
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),     cmocka_unit_test(test_bounded),    cmocka_unit_test(test_failures),
        cmocka_unit_test(test_full),     cmocka_unit_test(test_first),      cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_no_error), cmocka_unit_test(test_no_context), cmocka_unit_test(test_closed),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
