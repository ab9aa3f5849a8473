/*
 * Joins of sets on a GPU that the host plays, while it fails. Each call of the device and each allocation fails once,
 * alone and with all that follow, and each check cancels. The join returns an error then, or all pairs. Nothing of the
 * device's memory is left; leaks of the heap show under the address sanitizer.
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
#include "property/oracle.h"
#include "unit/test_base_cancel.h"
#include "unit/test_base_failing.h"

#include <string.h>

#define ROWS 280
#define STEP (3 * FAILING_STEP) /* from one call, allocation or question to the next that fails */

/* Small collections, and what the oracle finds. */
typedef struct subject {
    akin_sets *sets[2];
    oracle_pairs expected[2]; /* of the two, and of the first with itself */
} subject;

static subject narrow, wide; /* of few tokens, which signatures hold, and of many */

/* Rows in families that share most of their tokens. */
static rows draw(uint64_t seed, uint32_t factor)
{
    akin_random random;
    rows all = {0};
    akin_random_seed(&random, seed);
    while (all.count < ROWS) {
        const uint32_t family = (uint32_t)akin_random_below(&random, 4);
        uint32_t tokens[8];
        for (uint32_t i = 0; i < 8; i++)
            tokens[i] = (20 * family + (i < 6 ? i : (uint32_t)akin_random_below(&random, 40))) * factor;
        rows_add(&all, tokens, 8);
    }
    return all;
}

static subject make(uint32_t factor)
{
    rows left = draw(1, factor), right = draw(2, factor);
    subject s = {{rows_to_sets(&left), rows_to_sets(&right)}, {{0}}};
    for (int self = 0; self < 2; self++) {
        oracle_pairs all = oracle_compare(&left, self ? NULL : &right);
        s.expected[self] = oracle_select(&all, &left, self ? NULL : &right, AKIN_JACCARD, (akin_ratio){1, 2}, NULL);
        assert_true(s.expected[self].count > 8192); /* more than a buffer of candidates takes */
        oracle_clear(&all);
    }
    rows_clear(&left);
    rows_clear(&right);
    return s;
}

static int setup(void **state)
{
    (void)state;
    narrow = make(1);
    wide = make(2654435761u);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        akin_sets_free(narrow.sets[i]);
        akin_sets_free(wide.sets[i]);
        oracle_clear(&narrow.expected[i]);
        oracle_clear(&wide.expected[i]);
    }
    return 0;
}

/* A kind of join. */
typedef struct kind {
    akin_technique technique;
    const subject *subject;
    int self, keep;
} kind;

static const kind kinds[] = {{AKIN_TENSOR, &narrow, 1, 1}, {AKIN_TENSOR, &wide, 0, 1}, {AKIN_TENSOR, &wide, 1, 0},
                             {AKIN_PREFIX, &narrow, 0, 1}, {AKIN_PREFIX, &wide, 1, 1}, {AKIN_PREFIX, &wide, 1, 0}};
#define KINDS (sizeof kinds / sizeof *kinds)

typedef struct receiver {
    const oracle_pairs *expected;
    uint64_t count;
} receiver;

static int receive(void *user, const akin_pair *pairs, size_t count)
{
    receiver *r = user;
    assert_true(r->count + count <= r->expected->count);
    assert_memory_equal(pairs, r->expected->pairs + r->count, count * sizeof *pairs);
    r->count += count;
    return 0;
}

static akin_status join(const kind *k, asking *a, akin_error *error)
{
    const akin_wishes wishes = {.candidates = 1000, .equal_rows = -1};
    akin_context context = {.scope = {.context = &context,
                                      .threads = 1,
                                      .device_choice = AKIN_DEVICE_CUDA,
                                      .cpu = akin_cpu_detect(),
                                      .reporter = {.cancel = a ? asking_answer : NULL, .user = a}},
                            .backend = &host_backend,
                            .wishes = &wishes};
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    receiver got = {&k->subject->expected[k->self], 0};
    uint64_t count = 0;
    options.threshold = (akin_ratio){1, 2};
    options.technique = k->technique;
    options.bits = k->technique == AKIN_TENSOR ? 256 : 0;
    akin_status status = akin_join(&context, k->subject->sets[0], k->self ? NULL : k->subject->sets[1], &options,
                                   k->keep ? receive : NULL, &got, &count, NULL, error);
    armed = 0;
    if (status == AKIN_OK) {
        assert_int_equal(count, got.expected->count);
        assert_int_equal(got.count, k->keep ? count : 0);
    }
    assert_int_equal(host_device_holds(), 0);
    akin_devices_close(&context);
    return status;
}

/* What does not fit a GPU is joined there in shares. */
static void every_call(void **state)
{
    (void)state;
    for (size_t k = 0; k < 4 * KINDS; k++) {
        const akin_status failing = k / KINDS % 2 ? AKIN_E_NOMEM : AKIN_E_DEVICE;
        uint64_t refusals = 0;
        for (uint64_t n = 1;; n += STEP) {
            akin_error error = {0};
            host_device_set(.failing = n, .status = failing, .alone = k >= 2 * KINDS);
            akin_status status = join(&kinds[k % KINDS], NULL, &error);
            const uint64_t calls = host_device.calls;
            host_device_set(.failing = 0);
            if (calls < n) {
                assert_int_equal(status, AKIN_OK);
                assert_true(n > 50);
                break;
            }
            assert_true(status == AKIN_OK ? failing == AKIN_E_NOMEM : status == failing);
            assert_true(status == AKIN_OK || strstr(error.message, HOST_DEVICE_FAILED) || failing == AKIN_E_NOMEM);
            refusals += status != AKIN_OK;
        }
        assert_true(refusals > 0);
    }
}

static void every_allocation(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2 * KINDS; k++)
        for (unsigned n = 0;; n += STEP) {
            akin_error error;
            begin_failing(n, k < KINDS);
            akin_status status = join(&kinds[k % KINDS], NULL, &error);
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
    for (size_t k = 0; k < KINDS; k++) {
        asking never = {0};
        assert_int_equal(join(&kinds[k], &never, NULL), AKIN_OK);
        assert_true(never.asked >= 5);
        for (unsigned at = 1; at <= never.asked; at += STEP) {
            asking a = {.stop_at = at};
            akin_error error;
            assert_int_equal(join(&kinds[k], &a, &error), AKIN_E_CANCELLED);
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
