/* Tests of limits: how they are read, and what stops at each of them. */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/limits.h"
#include "base/reader.h"
#include "test_base_files.h"
#include "test_base_packed.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ----------------------------------------------------------------------------------------------------------- values */

static void expect_parsed(akin_limit limit, const char *text, uint64_t expected)
{
    uint64_t got = 0;
    assert_int_equal(akin_limit_parse(limit, text, &got, NULL), AKIN_OK);
    assert_true(got == expected);
}

static void reads_values(void **state)
{
    static const char *const wrong[] = {"", "x", "-1", "1x", "1.", ".", "1.2345", "99999999999999999999"};
    (void)state;
    expect_parsed(AKIN_LIMIT_PAIRS, "0", 0);
    expect_parsed(AKIN_LIMIT_PAIRS, "1000000000000", 1000000000000);
    expect_parsed(AKIN_LIMIT_OUTPUT, "2G", (uint64_t)2 << 30);
    expect_parsed(AKIN_LIMIT_OUTPUT, "5MB", 5000000);
    expect_parsed(AKIN_LIMIT_TIMEOUT, "2", 2000);
    expect_parsed(AKIN_LIMIT_TIMEOUT, "1.5", 1500);
    expect_parsed(AKIN_LIMIT_TIMEOUT, ".025", 25);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        akin_error error;
        uint64_t got;
        assert_int_equal(akin_limit_parse(AKIN_LIMIT_TIMEOUT, wrong[i], &got, &error), AKIN_E_OPTION);
        assert_int_equal(akin_limit_parse(AKIN_LIMIT_RECORD, wrong[i], &got, &error), AKIN_E_OPTION);
        assert_int_equal(akin_limit_parse(AKIN_LIMIT_PAIRS, wrong[i], &got, &error), AKIN_E_OPTION);
    }
    uint64_t got;
    assert_int_equal(akin_limit_parse((akin_limit)AKIN_LIMIT_COUNT, "1", &got, NULL), AKIN_E_OPTION);
}

static akin_context *make_context(uint32_t threads)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    options.threads = threads;
    options.device = "cpu";
    if (akin_context_create(&options, &context, NULL) != AKIN_OK || !context)
        fail();
    return context;
}

static void set_limit(akin_context *context, akin_limit limit, uint64_t most)
{
    assert_int_equal(akin_context_limit(context, limit, most, NULL), AKIN_OK);
}

static void has_defaults(void **state)
{
    (void)state;
    akin_context *context = make_context(1);
    const akin_scope *scope = akin_scope_of(context);
    assert_true(akin_limit_of(scope, AKIN_LIMIT_PAIRS) == 0);
    assert_true(akin_limit_of(scope, AKIN_LIMIT_RECORD) == (uint64_t)64 << 20);
    assert_true(akin_limit_usual(AKIN_LIMIT_RECORD) == (uint64_t)64 << 20);
    assert_true(akin_limit_of(scope, AKIN_LIMIT_PAIRS) == 0 && akin_limit_of(NULL, AKIN_LIMIT_PAIRS) == 0);
    assert_true(akin_limit_usual(AKIN_LIMIT_PAIRS) == 1000000000 && akin_limit_usual((akin_limit)99) == 0);
    assert_true(akin_limit_of(NULL, AKIN_LIMIT_WINDOW) == (uint64_t)128 << 20);
    set_limit(context, AKIN_LIMIT_WINDOW, 7);
    assert_true(akin_limit_of(scope, AKIN_LIMIT_WINDOW) == 7);
    assert_int_equal(akin_context_limit(context, (akin_limit)-1, 7, NULL), AKIN_E_OPTION);
    akin_context_free(context);
}

static void expect_limit(const akin_error *error, const char *name)
{
    assert_int_equal(error->code, AKIN_E_LIMIT);
    assert_int_equal(error->reason, AKIN_REASON_LIMIT);
    assert_string_equal(error->option, name);
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

#define ROWS 300 /* equal ones: ROWS * (ROWS - 1) / 2 pairs */

typedef struct strings {
    char bytes[ROWS * 8];
    uint64_t offsets[ROWS + 1];
    akin_column column;
} strings;

static void make_strings(strings *s)
{
    for (uint32_t i = 0; i < ROWS; i++) {
        memcpy(s->bytes + (size_t)i * 8, "the same", 8);
        s->offsets[i + 1] = (i + UINT64_C(1)) * 8;
    }
    s->offsets[0] = 0;
    s->column = (akin_column){.size = sizeof s->column, .name = "text", .bytes = s->bytes, .offsets = s->offsets};
}

static int count_pairs(void *user, const akin_pair *pairs, size_t count)
{
    (void)pairs;
    *(uint64_t *)user += count;
    return 0;
}

static int count_scored(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    (void)pairs;
    (void)each;
    *(uint64_t *)user += count;
    return 0;
}

static akin_status match_strings(akin_context *context, const strings *s, uint32_t any_order, uint64_t *handed,
                                 akin_error *error)
{
    akin_match_options options = AKIN_MATCH_OPTIONS_INIT;
    options.any_order = any_order;
    *handed = 0;
    return akin_match(context, &s->column, ROWS, NULL, 0, &options, count_pairs, handed, NULL, NULL, error);
}

static akin_status dedupe_by(akin_context *context, const strings *s, const akin_compare_options *compare,
                             uint64_t *handed, akin_error *error)
{
    const akin_attribute attribute = {.compare = compare, .weight = {1, 1}};
    const akin_selection all = {.kind = AKIN_SELECT_ALL};
    akin_dedupe_options options = AKIN_DEDUPE_OPTIONS_INIT;
    options.attributes = &attribute;
    options.attribute_count = 1;
    options.selections = &all;
    options.selection_count = 1;
    options.threshold = (akin_ratio){1, 2};
    *handed = 0;
    return akin_dedupe(context, &s->column, ROWS, NULL, 0, 1, &options, count_scored, handed, NULL, NULL, error);
}

static akin_status dedupe_strings(akin_context *context, const strings *s, uint64_t *handed, akin_error *error)
{
    return dedupe_by(context, s, NULL, handed, error);
}

/* Exactly as many pairs as allowed are no error, and one more is. */
static void stops_at_pairs(void **state)
{
    static const uint64_t all = (uint64_t)ROWS * (ROWS - 1) / 2;
    (void)state;
    strings *s = malloc(sizeof *s);
    assert_non_null(s);
    make_strings(s);
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        akin_context *context = make_context(threads);
        for (uint32_t any_order = 0; any_order < 3; any_order++)
            for (int less = -1; less < 2; less++) {
                akin_error error = {.code = AKIN_OK};
                uint64_t handed;
                set_limit(context, AKIN_LIMIT_PAIRS, less < 0 ? 0 : all - (uint64_t)less);
                const akin_status status = any_order == 2 ? dedupe_strings(context, s, &handed, &error)
                                                          : match_strings(context, s, any_order, &handed, &error);
                assert_int_equal(status, less == 1 ? AKIN_E_LIMIT : AKIN_OK);
                assert_true(less == 1 ? handed < all : handed == all);
                if (less == 1)
                    expect_limit(&error, "max-pairs");
            }
        akin_context_free(context);
    }
    free(s);
}

/* ---------------------------------------------------------------------------------------------------------- symbols */

static void refuses_long_values(void **state)
{
    (void)state;
    strings *s = malloc(sizeof *s);
    assert_non_null(s);
    make_strings(s);
    akin_context *context = make_context(1);
    akin_error error = {.code = AKIN_OK};
    uint64_t handed;
    s->offsets[2] += 3; /* row 1 has 11 symbols, and row 2 has 5 */
    set_limit(context, AKIN_LIMIT_SYMBOLS, 11);
    assert_int_equal(dedupe_strings(context, s, &handed, &error), AKIN_OK);
    static const struct {
        akin_comparator comparator;
        int is_quadratic;
    } ways[] = {{AKIN_LEVENSHTEIN, 1}, {AKIN_OSA, 1},      {AKIN_JARO, 1}, {AKIN_JARO_WINKLER, 1},
                {AKIN_MONGE_ELKAN, 1}, {AKIN_INITIALS, 1}, {AKIN_EXACT, 0}};
    set_limit(context, AKIN_LIMIT_SYMBOLS, 10);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        akin_compare_options compare = AKIN_COMPARE_OPTIONS_INIT;
        compare.comparator = ways[i].comparator;
        assert_int_equal(dedupe_by(context, s, &compare, &handed, &error),
                         ways[i].is_quadratic ? AKIN_E_LIMIT : AKIN_OK);
        if (!ways[i].is_quadratic)
            continue;
        expect_limit(&error, "max-symbols");
        assert_int_equal(error.row, 1);
        assert_string_equal(error.column, "text");
    }
    akin_context_free(context);
    free(s);
}

/* ------------------------------------------------------------------------------------------------------------- time */

static void stops_in_time(void **state)
{
    (void)state;
    strings *s = malloc(sizeof *s);
    assert_non_null(s);
    make_strings(s);
    akin_context *context = make_context(1);
    akin_error error = {.code = AKIN_OK};
    uint64_t handed;
    set_limit(context, AKIN_LIMIT_TIMEOUT, 3600000);
    assert_int_equal(match_strings(context, s, 0, &handed, &error), AKIN_OK);
    assert_int_equal(akin_context_conclude(context, AKIN_E_CANCELLED, &error), AKIN_E_CANCELLED);
    set_limit(context, AKIN_LIMIT_TIMEOUT, 1);
    usleep(2000);
    akin_status status = match_strings(context, s, 0, &handed, &error);
    assert_int_equal(status, AKIN_E_CANCELLED);
    assert_int_equal(akin_context_conclude(context, status, &error), AKIN_E_LIMIT);
    expect_limit(&error, "timeout");
    assert_int_equal(akin_context_conclude(context, AKIN_E_IO, &error), AKIN_E_IO);
    set_limit(context, AKIN_LIMIT_TIMEOUT, 0);
    assert_int_equal(match_strings(context, s, 0, &handed, &error), AKIN_OK);
    akin_context_free(context);
    free(s);
}

/* ------------------------------------------------------------------------------------------------------------ files */

static void stops_at_output(void **state)
{
    static const char line[100] = "x";
    (void)state;
    akin_context *context = make_context(1);
    const char *path = scratch_path("output");
    set_limit(context, AKIN_LIMIT_OUTPUT, 1000);
    for (int over = 0; over < 2; over++) {
        akin_output *output = NULL;
        akin_error error = {.code = AKIN_OK};
        assert_int_equal(akin_output_open(context, path, &output, &error), AKIN_OK);
        for (int i = 0; i < 10 + over; i++)
            assert_int_equal(akin_output_write(output, line, sizeof line, &error), AKIN_OK); /* gathered */
        assert_int_equal(akin_output_commit(output, &error), over ? AKIN_E_LIMIT : AKIN_OK);
        if (over)
            expect_limit(&error, "max-output");
        assert_int_equal(access(path, F_OK), over ? -1 : 0);
        unlink(path);
    }
    akin_context_free(context);
}

/* Reads all of a file. */
static akin_status read_limited(akin_context *context, const char *path, uint64_t *got, akin_error *error)
{
    akin_reader *reader = NULL;
    char *data;
    size_t length = 1;
    *got = 0;
    akin_status status = akin_reader_open(akin_scope_of(context), path, &reader, error);
    while (status == AKIN_OK && length > 0) {
        status = akin_reader_next(reader, &data, &length, error);
        *got += status == AKIN_OK ? length : 0;
    }
    akin_reader_close(reader);
    return status;
}

#define LINE ((size_t)1 << 20)

static void stops_at_record(void **state)
{
    (void)state;
    akin_context *context = make_context(1);
    char *text = malloc(LINE + 6);
    assert_non_null(text);
    memset(text, 'x', LINE + 6);
    text[2] = text[LINE + 2] = text[LINE + 5] = '\n'; /* lines of 3, LINE and 3 bytes */
    const char *path = scratch_write("lines", text, LINE + 6);
    for (uint64_t most = LINE - 2; most <= LINE; most++) {
        akin_error error = {.code = AKIN_OK};
        uint64_t got;
        set_limit(context, AKIN_LIMIT_RECORD, most);
        const akin_status status = read_limited(context, path, &got, &error);
        assert_int_equal(status, most < LINE - 1 ? AKIN_E_LIMIT : AKIN_OK);
        if (status != AKIN_OK)
            expect_limit(&error, "max-record");
        else
            assert_true(got == LINE + 6);
    }
    set_limit(context, AKIN_LIMIT_RECORD, 0);
    uint64_t got;
    assert_int_equal(read_limited(context, path, &got, NULL), AKIN_OK);
    free(text);
    akin_context_free(context);
}

static void stops_at_decompressed(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        akin_context *context = make_context(threads);
        char *text = malloc(LINE);
        assert_non_null(text);
        memset(text, '\n', LINE);
        bytes packed = {0};
        append_gzip(&packed, text, LINE);
        const char *path = scratch_write("packed", packed.data, packed.length);
        free(packed.data);
        for (uint64_t most = LINE - 1; most <= LINE; most++) {
            akin_error error = {.code = AKIN_OK};
            uint64_t got;
            set_limit(context, AKIN_LIMIT_DECOMPRESSED, most);
            const akin_status status = read_limited(context, path, &got, &error);
            assert_int_equal(status, most < LINE ? AKIN_E_LIMIT : AKIN_OK);
            if (status != AKIN_OK)
                expect_limit(&error, "max-decompressed");
        }
        set_limit(context, AKIN_LIMIT_DECOMPRESSED, AKIN_LIMIT_BY_RATIO);
        uint64_t got;
        assert_int_equal(read_limited(context, path, &got, NULL), AKIN_OK);
        free(text);
        akin_context_free(context);
    }
}

static void stops_at_window(void **state)
{
    (void)state;
    akin_context *context = make_context(1);
    char *text = malloc(LINE);
    assert_non_null(text);
    memset(text, '\n', LINE);
    bytes packed = {0};
    append_zstd(&packed, text, LINE, 0);
    const char *path = scratch_write("packed", packed.data, packed.length);
    free(packed.data);
    for (int log = 17; log < 22; log++) {
        akin_error error = {.code = AKIN_OK};
        uint64_t got;
        set_limit(context, AKIN_LIMIT_WINDOW, (uint64_t)1 << log);
        const akin_status status = read_limited(context, path, &got, &error);
        assert_int_equal(status, log < 20 ? AKIN_E_LIMIT : AKIN_OK);
        if (status != AKIN_OK)
            expect_limit(&error, "max-window");
    }
    free(text);
    akin_context_free(context);
}

/* -------------------------------------------------------------------------------------------------- memory refused */

/* What is said of a process without memory, under a bound and a resource limit. */
static void expect_named(uint64_t bound, uint64_t limit, const char *expected, akin_reason reason)
{
    struct rlimit before, less;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_error error;
    options.memory = bound;
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
    assert_int_equal(getrlimit(RLIMIT_DATA, &before), 0);
    less = (struct rlimit){limit, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_DATA, &less), 0);
    akin_error_set(&error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory");
    const akin_status status = akin_context_conclude(context, AKIN_E_NOMEM, &error);
    assert_int_equal(setrlimit(RLIMIT_DATA, &before), 0);
    assert_int_equal(status, AKIN_E_NOMEM);
    assert_string_equal(error.message, expected);
    assert_int_equal(error.reason, reason);
    akin_context_free(context);
}

#define MIB ((uint64_t)1 << 20)

/* Whether a limit can be read after it was set: QEMU ignores those of memory. */
static int limits_hold(void)
{
    struct rlimit before, less, now;
    assert_int_equal(getrlimit(RLIMIT_DATA, &before), 0);
    less = (struct rlimit){20 * MIB, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_DATA, &less), 0);
    assert_int_equal(getrlimit(RLIMIT_DATA, &now), 0);
    assert_int_equal(setrlimit(RLIMIT_DATA, &before), 0);
    return now.rlim_cur == less.rlim_cur;
}

static void names_what_refuses_memory(void **state)
{
    (void)state;
    if (!limits_hold())
        skip();
    const uint64_t far = (uint64_t)1 << 60; /* the process is not near to it */
    expect_named(0, RLIM_INFINITY, "not enough memory", AKIN_REASON_MEMORY);
    expect_named(0, 20 * MIB, "not enough memory; ulimit -d allows 21.0 MB of memory", AKIN_REASON_MEMORY_ULIMIT);
    expect_named(64 * MIB, 20 * MIB, "not enough memory; ulimit -d allows 21.0 MB of memory",
                 AKIN_REASON_MEMORY_ULIMIT);
    expect_named(16 * MIB, 17 * MIB, "not enough memory; ulimit -d allows 17.8 MB of memory", AKIN_REASON_MEMORY);
    expect_named(16 * MIB, far, "not enough memory", AKIN_REASON_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_what_refuses_memory),
        cmocka_unit_test(reads_values),
        cmocka_unit_test(has_defaults),
        cmocka_unit_test(stops_at_pairs),
        cmocka_unit_test(refuses_long_values),
        cmocka_unit_test(stops_in_time),
        cmocka_unit_test(stops_at_output),
        cmocka_unit_test(stops_at_record),
        cmocka_unit_test(stops_at_decompressed),
        cmocka_unit_test(stops_at_window),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
