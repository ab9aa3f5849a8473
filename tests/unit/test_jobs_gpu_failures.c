/*
 * Joins and searches on a GPU that the host plays, while it fails. Each call of the device and each allocation fails
 * once, alone and with all that follow, and each check cancels. A job returns an error then, or what the CPU finds.
 * Nothing of the device's memory is left; leaks of the heap show under the address sanitizer.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "device/devices.h"
#include "property/host_device.h"
#include "unit/test_base_cancel.h"
#include "unit/test_base_failing.h"

#include <stdlib.h>
#include <string.h>

#define ROWS    40
#define LONGEST 14
#define TOKENS  6 /* of a set, and numbers of a vector */
#define FOUND   (1 << 21)

/* What a job finds, byte by byte. */
typedef struct found {
    size_t length;
    unsigned char bytes[FOUND];
} found;

static char text[ROWS * LONGEST];
static uint64_t text_offsets[ROWS + 1], set_offsets[ROWS + 1];
static uint32_t tokens[ROWS * TOKENS];
static uint8_t numbers[ROWS * TOKENS];
static akin_column column;
static const akin_matrix vectors = {sizeof vectors, ROWS, TOKENS, AKIN_NUMBER_U8, 0, numbers};
static akin_sets *sets;
static akin_search_index *strings, *grams, *sets_index, *vectors_index;

static void keep(found *f, const void *data, size_t length)
{
    assert_true(f->length + length <= FOUND);
    memcpy(f->bytes + f->length, data, length);
    f->length += length;
}

static int keep_pairs(void *user, const akin_pair *pairs, size_t count)
{
    keep(user, pairs, count * sizeof *pairs);
    return 0;
}

static int keep_hits(void *user, const akin_search_hit *hits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t hit[] = {hits[i].query, hits[i].object, hits[i].count};
        keep(user, hit, sizeof hit);
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ jobs */

typedef akin_status (*job)(akin_context *context, found *out, akin_error *error);

static akin_status match(akin_context *context, akin_comparator comparator, int self, found *out, akin_error *error)
{
    akin_match_options options = AKIN_MATCH_OPTIONS_INIT;
    akin_compare_options compare = AKIN_COMPARE_OPTIONS_INIT;
    compare.comparator = comparator;
    options.compare = &compare;
    options.cutoff = (akin_ratio){1, 2};
    options.technique = AKIN_MATCH_BAGS;
    return akin_match(context, &column, ROWS, self ? NULL : &column, self ? 0 : ROWS, &options, keep_pairs, out, NULL,
                      NULL, error);
}

static akin_status match_edits(akin_context *context, found *out, akin_error *error)
{
    return match(context, AKIN_LEVENSHTEIN, 1, out, error);
}

static akin_status match_jaro(akin_context *context, found *out, akin_error *error)
{
    return match(context, AKIN_JARO_WINKLER, 0, out, error);
}

static akin_status search_texts(akin_context *context, const akin_search_index *index, uint32_t candidates, found *out,
                                akin_error *error)
{
    akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
    options.k = 4;
    options.candidates = candidates;
    return akin_search(context, index, &column, 1, 12, &options, keep_hits, out, NULL, error);
}

static akin_status search_nearest(akin_context *context, found *out, akin_error *error)
{
    return search_texts(context, strings, 0, out, error);
}

static akin_status search_candidates(akin_context *context, found *out, akin_error *error)
{
    return search_texts(context, grams, 8, out, error);
}

static akin_status search_sets(akin_context *context, akin_measure measure, found *out, akin_error *error)
{
    akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
    options.k = 4;
    options.measure = measure;
    return akin_search_sets(context, sets_index, sets, &options, keep_hits, out, NULL, error);
}

static akin_status search_counts(akin_context *context, found *out, akin_error *error)
{
    return search_sets(context, AKIN_OVERLAP, out, error);
}

static akin_status search_similar(akin_context *context, found *out, akin_error *error)
{
    return search_sets(context, AKIN_DICE, out, error);
}

static akin_status search_vectors(akin_context *context, found *out, akin_error *error)
{
    akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
    options.k = 3;
    options.rerank = 9;
    return akin_search_vectors(context, vectors_index, &vectors, &options, keep_hits, out, NULL, error);
}

static const job jobs[] = {match_edits,   match_jaro,     search_nearest, search_candidates,
                           search_counts, search_similar, search_vectors};
#define JOBS (sizeof jobs / sizeof *jobs)

static found *expected[JOBS], *got;

/* --------------------------------------------------------------------------------------------------------- trials */

static akin_context context_of(akin_context *self, akin_device_choice choice)
{
    static const akin_wishes small = {.candidates = 1000, .equal_rows = -1};
    return (akin_context){.scope = {.context = self, .threads = 1, .device_choice = choice, .cpu = akin_cpu_detect()},
                          .cpu_best = akin_cpu_detect(),
                          .backend = &host_backend,
                          .wishes = &small};
}

static void draw_rows(void)
{
    akin_random random;
    akin_random_seed(&random, 6);
    for (uint32_t row = 0; row < ROWS; row++) {
        const uint32_t length = (uint32_t)akin_random_below(&random, LONGEST + 1);
        for (uint32_t i = 0; i < length; i++)
            text[text_offsets[row] + i] = (char)('a' + akin_random_below(&random, 5));
        text_offsets[row + 1] = text_offsets[row] + length;
        set_offsets[row + 1] = set_offsets[row] + TOKENS;
        for (uint32_t i = 0; i < TOKENS; i++) {
            tokens[set_offsets[row] + i] = 10 * i + (uint32_t)akin_random_below(&random, 3);
            numbers[row * TOKENS + i] = (uint8_t)akin_random_below(&random, 9);
        }
    }
    column = (akin_column){sizeof column, "text", text_offsets, text, NULL, 0, NULL, 0, 0};
}

static int setup(void **state)
{
    akin_context context = context_of(&context, AKIN_DEVICE_CPU);
    akin_strings_options options = AKIN_STRINGS_OPTIONS_INIT;
    akin_vectors_options functions = AKIN_VECTORS_OPTIONS_INIT;
    (void)state;
    draw_rows();
    functions.functions = 20;
    options.ngram = 0;
    assert_int_equal(akin_search_index_of_strings(&context, &column, ROWS, &options, NULL, &strings, NULL), AKIN_OK);
    options.ngram = 2;
    assert_int_equal(akin_search_index_of_strings(&context, &column, ROWS, &options, NULL, &grams, NULL), AKIN_OK);
    assert_int_equal(akin_sets_from_arrays(&context, ROWS, set_offsets, tokens, &sets, NULL), AKIN_OK);
    assert_int_equal(akin_search_index_of_sets(&context, sets, NULL, &sets_index, NULL), AKIN_OK);
    assert_int_equal(akin_search_index_of_vectors(&context, &vectors, &functions, NULL, &vectors_index, NULL), AKIN_OK);
    got = calloc(1, sizeof *got);
    assert_non_null(got);
    for (size_t i = 0; i < JOBS; i++) {
        expected[i] = calloc(1, sizeof *expected[i]);
        assert_non_null(expected[i]);
        assert_int_equal(jobs[i](&context, expected[i], NULL), AKIN_OK);
        assert_true(expected[i]->length > 100);
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    akin_search_index_free(strings);
    akin_search_index_free(grams);
    akin_search_index_free(sets_index);
    akin_search_index_free(vectors_index);
    akin_sets_free(sets);
    for (size_t i = 0; i < JOBS; i++)
        free(expected[i]);
    free(got);
    return 0;
}

static akin_status try_job(size_t i, asking *a, akin_error *error)
{
    akin_context context = context_of(&context, AKIN_DEVICE_CUDA);
    if (a)
        context.scope.reporter = (akin_reporter){.cancel = asking_answer, .user = a};
    got->length = 0;
    akin_status status = jobs[i](&context, got, error);
    armed = 0;
    if (status == AKIN_OK) {
        assert_int_equal(got->length, expected[i]->length);
        assert_memory_equal(got->bytes, expected[i]->bytes, got->length);
    }
    assert_int_equal(host_device_holds(), 0);
    akin_devices_close(&context);
    return status;
}

static void every_call(void **state)
{
    (void)state;
    for (size_t k = 0; k < 4 * JOBS; k++) {
        const akin_status failing = k / JOBS % 2 ? AKIN_E_NOMEM : AKIN_E_DEVICE;
        for (uint64_t n = 1;; n += FAILING_STEP) {
            akin_error error = {0};
            host_device_set(.failing = n, .status = failing, .alone = k >= 2 * JOBS);
            akin_status status = try_job(k % JOBS, NULL, &error);
            const uint64_t calls = host_device.calls;
            host_device_set(.failing = 0);
            if (calls < n) {
                assert_int_equal(status, AKIN_OK);
                assert_true(n > 20);
                break;
            }
            assert_true(status == AKIN_OK ? failing == AKIN_E_NOMEM : status == failing);
        }
    }
}

static void every_allocation(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2 * JOBS; k++)
        for (unsigned n = 0;; n += FAILING_STEP) {
            akin_error error;
            begin_failing(n, k < JOBS);
            akin_status status = try_job(k % JOBS, NULL, &error);
            if (failed == 0) {
                assert_int_equal(status, AKIN_OK);
                assert_true(n > 10);
                break;
            }
            assert_true(status == AKIN_OK || (status == AKIN_E_NOMEM && strstr(error.message, "memory")));
        }
}

static void every_question(void **state)
{
    (void)state;
    for (size_t i = 0; i < JOBS; i++) {
        asking never = {0};
        host_device_set(.failing = 0); /* as often in each trial a launch is late */
        assert_int_equal(try_job(i, &never, NULL), AKIN_OK);
        assert_true(never.asked >= 2);
        for (unsigned at = 1; at <= never.asked; at++) {
            asking a = {.stop_at = at};
            akin_error error;
            host_device_set(.failing = 0);
            assert_int_equal(try_job(i, &a, &error), AKIN_E_CANCELLED);
            assert_non_null(strstr(error.message, "cancelled"));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_call), cmocka_unit_test(every_allocation),
                                       cmocka_unit_test(every_question)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
