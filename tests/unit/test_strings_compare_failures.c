/* Comparing while memory runs out: every allocation fails once, alone and with all that follow. Leaks show under the
 * address sanitizer. */
#include "base/budget.h"
#include "unit/test_base_failing.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/context.h"

static akin_context context = {.scope = {.context = &context, .threads = 1}};

/* Strings of all sorts: short, beyond a word, beyond ASCII; with tokens of more than 16 bytes. */
static const char text[] =
    "plain"
    "na\xc3\xafve \xce\xb1\xce\xb2\xce\xb3"
    "e\xcc\x81t\xc3\xa9 the antidisestablishmentarianism 123456"
    "a text that is longer than the sixty-four symbols that a single word holds, antidisestablishmentarianism";
static const uint64_t offsets[] = {0, 5, 18, 60, sizeof text - 1};

static const char *const more[] = {"cosine/2", "dice/20"}; /* besides all comparators of the table */

static akin_status compare_all(const akin_compare_options *options, akin_compared *out, akin_error *error)
{
    static const uint32_t left[] = {0, 0, 1, 1, 2, 3, 3, 2}, right[] = {1, 3, 0, 2, 3, 0, 3, 1};
    akin_column column = {.size = sizeof column, .offsets = offsets, .bytes = text};
    return akin_compare_pairs(&context, options, &column, 4, &column, 4, left, right, 8, NULL, out, error);
}

static akin_status compare_one(const akin_compare_options *options, akin_compared *out, akin_error *error)
{
    return akin_compare(&context, options, text, 18, text + 18, sizeof text - 19, out, error);
}

static void fail_each(akin_status (*job)(const akin_compare_options *, akin_compared *, akin_error *), const char *name,
                      int alone)
{
    akin_compare_options options = {.size = sizeof options};
    akin_compared expected[8], out[8];
    akin_error error;
    unsigned n = 0;
    memset(expected, 0, sizeof expected);
    assert_int_equal(akin_compare_options_parse(name, &options, NULL), AKIN_OK);
    assert_int_equal(job(&options, expected, &error), AKIN_OK);
    do {
        memset(out, 0, sizeof out);
        begin_failing(n++, alone);
        akin_status status = job(&options, out, &error);
        armed = 0;
        assert_int_equal(status, failed ? AKIN_E_NOMEM : AKIN_OK);
        assert_true(!failed || (error.code == AKIN_E_NOMEM && strstr(error.message, "memory")));
    } while (failed);
    assert_memory_equal(out, expected, sizeof out);
    assert_true(n > 1);
}

/* All cells of two columns, among them values that lanes do not take. */
static akin_status compare_cells(const akin_compare_options *options, double *out, akin_error *error)
{
    akin_column column = {.size = sizeof column, .offsets = offsets, .bytes = text};
    akin_cells cells = AKIN_CELLS_INIT;
    cells.doubles = out;
    return akin_compare_matrix(&context, options, &column, 4, &column, 4, &cells, error);
}

static void fail_cells(const char *name, uint32_t folds)
{
    akin_compare_options options = {.size = sizeof options};
    double expected[16] = {0}, out[16];
    akin_error error;
    assert_int_equal(akin_compare_options_parse(name, &options, NULL), AKIN_OK);
    options.folds = folds;
    assert_int_equal(compare_cells(&options, expected, &error), AKIN_OK);
    for (int alone = 0; alone < 2; alone++) {
        unsigned n = 0;
        do {
            memset(out, 0, sizeof out);
            begin_failing(n++, alone);
            akin_status status = compare_cells(&options, out, &error);
            armed = 0;
            assert_int_equal(status, failed ? AKIN_E_NOMEM : AKIN_OK);
            assert_true(!failed || (error.code == AKIN_E_NOMEM && strstr(error.message, "memory")));
        } while (failed);
        assert_memory_equal(out, expected, sizeof out);
        assert_true(n > 1);
    }
}

static void every_allocation_of_cells(void **state)
{
    (void)state;
    const akin_choice *row;
    for (uint32_t i = 0; (row = akin_choices("comparators", i)); i++)
        if (row->capabilities & AKIN_FOR_COMPARE)
            fail_cells(row->name, i % 2 ? AKIN_FOLD_CASE : 0);
}

/* How often a job may ask before it is told to stop. */
static int stop_after(void *user)
{
    uint64_t *left = user;
    return *left > 0 ? ((*left)--, 0) : 1;
}

/* A matrix of strings that lanes take, or that are compared one by one, is stopped at each question in turn. */
static void cells_are_cancelled(void **state)
{
    (void)state;
    static const char *const names[] = {"levenshtein", "jaro-winkler", "monge-elkan"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (uint64_t after = 0, done = 0; !done; after++) {
            uint64_t left = after;
            akin_compare_options options = {.size = sizeof options};
            double out[16];
            akin_error error = {.code = AKIN_OK};
            assert_int_equal(akin_compare_options_parse(names[i], &options, NULL), AKIN_OK);
            context.scope.reporter.cancel = stop_after;
            context.scope.reporter.user = &left;
            akin_status status = compare_cells(&options, out, &error);
            context.scope.reporter = (akin_reporter){0};
            done = status == AKIN_OK;
            assert_true(done || (status == AKIN_E_CANCELLED && error.code == AKIN_E_CANCELLED));
            assert_true(after > 0 || !done);
        }
}

static void fail_both(const char *name)
{
    for (int alone = 0; alone < 2; alone++) {
        fail_each(compare_one, name, alone);
        fail_each(compare_all, name, alone);
    }
}

static void every_allocation(void **state)
{
    (void)state;
    const akin_choice *row;
    for (uint32_t i = 0; (row = akin_choices("comparators", i)); i++)
        if (row->capabilities & AKIN_FOR_COMPARE)
            fail_both(row->name);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        fail_both(more[i]);
}

/* What does not fit the context's bound is refused like any other. */
static void beyond_the_bound(void **state)
{
    (void)state;
    static char large[1 << 20];
    akin_context bounded = {.scope = {.context = &bounded, .threads = 1, .memory = AKIN_MEMORY_LEAST}};
    akin_compare_options options = {.size = sizeof options};
    akin_compared compared;
    akin_error error;
    memset(large, '~', sizeof large); /* nearly the last of ASCII, so there are vectors for all */
    assert_int_equal(akin_compare_options_parse("jaro", &options, NULL), AKIN_OK);
    assert_int_equal(akin_compare(&bounded, &options, large, sizeof large, "a", 1, &compared, &error), AKIN_E_NOMEM);
    assert_int_equal(akin_compare(&bounded, &options, large, 1000, "a", 1, &compared, &error), AKIN_OK);
}

int __real_pthread_mutex_init(pthread_mutex_t *lock, const pthread_mutexattr_t *attributes);
int __wrap_pthread_mutex_init(pthread_mutex_t *lock, const pthread_mutexattr_t *attributes);

static int locks_fail;

int __wrap_pthread_mutex_init(pthread_mutex_t *lock, const pthread_mutexattr_t *attributes)
{
    return locks_fail ? ENOMEM : __real_pthread_mutex_init(lock, attributes);
}

/* What threads need to begin is memory, too. */
static void no_lock(void **state)
{
    (void)state;
    akin_compare_options options = {.size = sizeof options};
    akin_compared out[8];
    akin_error error;
    assert_int_equal(akin_compare_options_parse("jaro", &options, NULL), AKIN_OK);
    locks_fail = 1;
    assert_int_equal(compare_all(&options, out, &error), AKIN_E_NOMEM);
    locks_fail = 0;
    assert_int_equal(error.code, AKIN_E_NOMEM);
    assert_non_null(strstr(error.message, "memory"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation), cmocka_unit_test(beyond_the_bound),
                                       cmocka_unit_test(no_lock), cmocka_unit_test(every_allocation_of_cells),
                                       cmocka_unit_test(cells_are_cancelled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
