/*
 * Words looked up on a GPU that the host plays, while it fails. The test lets each call of the device and each
 * allocation fail, alone and with all that follow, and it cancels at each check. A job on the GPU returns an error
 * then. If only memory is lacking, the CPU does the work, as it does with `auto`. Nothing of the device's memory is
 * left; leaks of the heap show under the address sanitizer.
 */
#define _POSIX_C_SOURCE 200809L

#include "base/context.h"
#include "device/devices.h"
#include "property/host_trie.h"
#include "unit/test_base_cancel.h"
#include "unit/test_base_failing.h"
#include "unit/test_dict_words.h"

enum { WORDS = 5000 };

static words in;
static akin_trie *trie;
static akin_column column;
static uint32_t expected[WORDS], ids[WORDS];

static int setup(void **state)
{
    akin_context context = words_context(&context, 1);
    (void)state;
    context.scope.device_choice = AKIN_DEVICE_CPU;
    in = words_draw(4, WORDS, 9, 26);
    trie = words_build(&context, &in, AKIN_TRIE_RRR);
    column = words_column(&in);
    return akin_trie_look_up(&context, trie, &column, WORDS, expected, NULL) == AKIN_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    words_column_clear(&column);
    akin_trie_free(trie);
    words_clear(&in);
    return 0;
}

/* In five chunks. */
static akin_status look_up(akin_device_choice choice, asking *a, akin_error *error)
{
    akin_context context = {.scope = {.context = &context,
                                      .threads = 1,
                                      .device_choice = choice,
                                      .reporter = {.cancel = a ? asking_answer : NULL, .user = a}},
                            .backend = &host_backend,
                            .wishes = &(akin_wishes){.candidates = 1}};
    const akin_trie_gpu_job job = {akin_scope_of(&context), host_gpu(), trie, AKIN_BALANCE_BINS};
    memset(ids, 0x5a, sizeof ids);
    /* with auto the words were too few */
    akin_status status = choice == AKIN_DEVICE_AUTO ? akin_trie_look_up_there(&job, &column, WORDS, ids, error)
                                                    : akin_trie_look_up(&context, trie, &column, WORDS, ids, error);
    armed = 0;
    if (status == AKIN_OK)
        assert_memory_equal(ids, expected, sizeof ids);
    assert_int_equal(host_device_holds(), 0);
    akin_devices_close(&context);
    return status;
}

/* Makes one call after the other fail. `there`: nothing else is tried. */
static void fail_calls(akin_status failing, int alone, int there)
{
    uint64_t failures = 0;
    for (uint64_t n = 1;; n++) {
        akin_error error = {0};
        host_device_set(.failing = n, .status = failing, .alone = alone);
        akin_status status = look_up(there ? AKIN_DEVICE_AUTO : AKIN_DEVICE_CUDA, NULL, &error);
        if (host_device.calls < n) {
            assert_int_equal(status, AKIN_OK);
            assert_true(n > 40);
            break;
        }
        failures += status != AKIN_OK;
        if (status != AKIN_OK) {
            assert_int_equal(status, failing);
            assert_string_equal(error.message, HOST_DEVICE_FAILED);
        }
        assert_true(status != AKIN_OK || (failing == AKIN_E_NOMEM && !there));
    }
    host_device_set(.failing = 0);
    assert_true(failures > 40 || (failing == AKIN_E_NOMEM && !there && failures == 1)); /* that of opening it */
}

static void every_call(void **state)
{
    (void)state;
    for (int alone = 0; alone < 2; alone++)
        for (int there = 0; there < 2; there++) {
            fail_calls(AKIN_E_DEVICE, alone, there);
            fail_calls(AKIN_E_NOMEM, alone, there);
        }
}

/* Those of the device's memory, too; the CPU needs none. The first is that of opening the GPU. */
static void every_allocation(void **state)
{
    (void)state;
    for (int there = 0; there < 2; there++)
        for (int alone = 0; alone < 2; alone++)
            for (unsigned n = 0;; n++) {
                akin_error error;
                begin_failing(n, alone);
                akin_status status = look_up(there ? AKIN_DEVICE_AUTO : AKIN_DEVICE_CUDA, NULL, &error);
                if (failed == 0) {
                    assert_int_equal(status, AKIN_OK);
                    assert_true(n > 15);
                    break;
                }
                assert_int_equal(status, there || n == 0 ? AKIN_E_NOMEM : AKIN_OK);
                if (status != AKIN_OK)
                    assert_non_null(strstr(error.message, "memory"));
            }
}

static void every_question(void **state)
{
    asking never = {0};
    (void)state;
    assert_int_equal(look_up(AKIN_DEVICE_CUDA, &never, NULL), AKIN_OK);
    assert_true(never.asked >= 5);
    for (unsigned at = 1; at <= never.asked; at++) {
        asking a = {.stop_at = at};
        akin_error error;
        assert_int_equal(look_up(AKIN_DEVICE_CUDA, &a, &error), AKIN_E_CANCELLED);
        assert_string_equal(error.message, "cancelled");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_call), cmocka_unit_test(every_allocation),
                                       cmocka_unit_test(every_question)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
