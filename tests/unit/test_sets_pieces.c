/*
 * Files of `ids` text read by several threads, in blocks from 16 bytes up: the same collection as one thread makes, or
 * the same error. The arguments name directories of files.
 */
#define _GNU_SOURCE

#include "base/budget.h"
#include "test_sets_support.h"

#include "test_base_files.h"
#include "test_corpora.h"
#include "test_sanitizers.h"

static akin_context context;
static char **paths;
static int path_count;

/* ---------------------------------------------------------------------------------------------------- what was read */

/* The collection as text, or all that an error says. */
static text outcome(const char *path, uint32_t threads, uint64_t block)
{
    const akin_wishes wishes = {.block_bytes = block};
    akin_sets *sets = NULL;
    akin_error error;
    context.scope.threads = threads;
    context.wishes = &wishes;
    const akin_status status = akin_sets_read(&context, path, &sets, &error);
    context.wishes = NULL;
    if (status == AKIN_OK) {
        assert_sets_valid(sets);
        text t = sets_text(sets);
        akin_sets_free(sets);
        return t;
    }
    text t = {0};
    text_add_string(&t, error.message);
    text_add_string(&t, error.word);
    text_add_number(&t, error.line);
    text_add_number(&t, (uint64_t)error.reason);
    text_add_number(&t, (uint64_t)status);
    return t;
}

/* Reads a file in every way, without a memory bound and with one, under which pieces are in temporary files. What one
 * thread says depends on its blocks only where a hint (line ends are CR, UTF-16) looks at the first of them. */
static void compare_file(const char *path)
{
    static const uint64_t blocks[] = {16, 17, 50, 200, 1000, 0};
    static const uint32_t threads[] = {2, 3, 8};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        text expected = outcome(path, 1, blocks[i]);
        for (size_t k = 0; k < 2 * sizeof threads / sizeof *threads; k++) {
            context.scope.memory = k % 2 ? 8 * AKIN_MEMORY_THREAD : 0;
            text got = outcome(path, threads[k / 2], blocks[i]);
            if (strcmp(got.bytes, expected.bytes) != 0)
                print_error("%s: %u threads, blocks of %llu bytes\n", path, threads[k / 2],
                            (unsigned long long)blocks[i]);
            assert_string_equal(got.bytes, expected.bytes);
            text_clear(&got);
        }
        context.scope.memory = 0;
        text_clear(&expected);
    }
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static void test_corpora(void **state)
{
    (void)state;
    for_each_file(paths, path_count, compare_file);
}

/* Rows in order or not, with repetitions, empty ones and long ones, and both line ends. */
static text random_lines(akin_random *random, uint64_t rows)
{
    text t = {0};
    text_add(&t, "", 0);
    for (; rows > 0; rows--) {
        uint64_t tokens = akin_random_below(random, akin_random_below(random, 20) ? 6 : 80), token = 0;
        const int falls = akin_random_below(random, 4) == 0;
        for (; tokens > 0; tokens--) {
            token = falls ? akin_random_below(random, 50) : token + 1 + akin_random_below(random, 1000);
            text_add_string(&t, akin_random_below(random, 9) ? " " : "\t ");
            text_add_number(&t, token);
        }
        text_add_string(&t, akin_random_below(random, 5) ? "\n" : "\r\n");
    }
    return t;
}

static void test_generated(void **state)
{
    static const char bytes[] = {'x', '\r', '\n', '\0', '-', (char)0xff, '9'};
    (void)state;
    akin_random random;
    akin_random_seed(&random, 27);
    for (int i = 0; i < 40; i++) {
        text t = random_lines(&random, akin_random_below(&random, 60));
        if (t.length > 0 && i % 7 == 0) /* the last line lacks its end */
            t.length--;
        for (uint64_t damages = i % 2 ? 1 + akin_random_below(&random, 2) : 0; damages > 0 && t.length > 0; damages--)
            t.bytes[akin_random_below(&random, t.length)] = bytes[akin_random_below(&random, sizeof bytes)];
        compare_file(scratch_write("lines", t.bytes, t.length));
        text_clear(&t);
    }
}

/* The error of an early block comes first, whatever later ones hold. */
static void test_first_error(void **state)
{
    static const char lines[] = "1 2 3 4 5 6 7 8 9\n2 3 4 5 6 7 8 9 10\n3 4 5 6 7 8 9 b1\n4 c2\n5 5000000000\n";
    (void)state;
    const char *path = scratch_write("lines", lines, strlen(lines));
    compare_file(path);
    text message = outcome(path, 8, 16);
    assert_non_null(strstr(message.bytes, "lines:3: 'b1' is not a token id"));
    text_clear(&message);
}

/* A file of many blocks of the usual size, which threads share; later rows are longer than the first ones say. */
static void test_large(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 28);
    text t = random_lines(&random, 300000);
    for (int i = 0; i < 400000; i++)
        text_add_string(&t, i % 2 ? "1\n" : "7 5 3\n");
    const char *path = scratch_write("large", t.bytes, t.length);
    text expected = outcome(path, 1, 0);
    for (uint32_t threads = 2; threads < 9; threads += 3) {
        text got = outcome(path, threads, 0);
        assert_true(strcmp(got.bytes, expected.bytes) == 0);
        text_clear(&got);
    }
    text_clear(&expected);
    text_clear(&t);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generated),
        cmocka_unit_test(test_first_error),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_corpora),
    };
    context = context_of(&context, 1);
    context.temporary = scratch;
    paths = argv + 1;
    path_count = argc - 1;
    return RUN_TESTS(tests, 3, scratch_make, scratch_remove);
}
