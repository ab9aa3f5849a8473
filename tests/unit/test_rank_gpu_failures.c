/*
 * akin_rank on a GPU that the host plays, while it fails. The test lets each call of the device and each allocation
 * fail, alone and with all that follow, and it cancels at each check. A job on the GPU returns an error then. With
 * `auto` the CPU goes on from where the GPU was, and finds the same. Nothing of the device's memory is left; leaks of
 * the heap show under the address sanitizer.
 */
#define _GNU_SOURCE

#include "base/context.h"
#include "device/devices.h"
#include "unit/test_base_failing.h"
#include "unit/test_rank_support.h"
#include "unit/test_base_cancel.h"

#include "property/host_rank.h"

enum { DOCUMENTS = 1000, QUERIES = 23, ROWS = 25001 /* enough that a GPU is worth it */ };

static akin_rank_index *subject;
static lines asked[2]; /* a few, and many */
static hits expected[2];

/* Takes what is found without allocating: no more than is expected. */
static int take_here(void *user, const akin_ranking_hit *found, size_t count)
{
    hits *h = user;
    assert_true(h->count + count <= expected[h->stop].count);
    memcpy(h->list + h->count, found, count * sizeof *found);
    h->count += count;
    return 0;
}

static hits room_for(int many)
{
    hits found = {.list = malloc(expected[many].count * sizeof *found.list), .stop = many};
    assert_non_null(found.list);
    return found;
}

static akin_status rank(akin_device_choice choice, int many, asking *a, hits *found, akin_error *error)
{
    akin_context context = {.scope = {.context = &context,
                                      .threads = 1,
                                      .device_choice = choice,
                                      .reporter = {.cancel = a ? asking_answer : NULL, .user = a}},
                            .backend = &host_backend,
                            .wishes = &(akin_wishes){.candidates = many ? 0 : 9}};
    akin_column queries = lines_column(&asked[many]);
    akin_ranking *ranking = NULL;
    akin_status status = akin_ranking_create(&context, subject, NULL, &ranking, error);
    found->count = 0;
    if (status == AKIN_OK)
        status = akin_ranking_run(ranking, &queries, 1, asked[many].rows, take_here, found, error);
    akin_ranking_free(ranking);
    armed = 0;
    assert_int_equal(host_device_holds(), 0);
    akin_devices_close(&context);
    if (status == AKIN_OK) {
        assert_int_equal(found->count, expected[many].count);
        assert_memory_equal(found->list, expected[many].list, found->count * sizeof *found->list);
    }
    return status;
}

static int setup(void **state)
{
    akin_context context = {.scope = {.context = &context, .threads = 1, .device_choice = AKIN_DEVICE_CPU}};
    lines texts;
    (void)state;
    make_rows(&texts, 3, DOCUMENTS, 12, 90);
    make_rows(&asked[0], 4, QUERIES, 5, 90);
    make_rows(&asked[1], 5, ROWS, 2, 90);
    for (int i = 0; i < 2000; i++)
        fprintf(asked[0].out, "w%d ", i % 40); /* one that the CPU ranks */
    akin_column column = lines_column(&texts);
    akin_weights *weights = weigh(&context, &column, DOCUMENTS, AKIN_FORMULA_PAPER);
    assert_int_equal(akin_rank_index_create(&context, weights, NULL, &subject, NULL), AKIN_OK);
    akin_weights_free(weights);
    lines_clear(&texts);
    for (int many = 0; many < 2; many++) {
        akin_column queries = lines_column(&asked[many]);
        assert_int_equal(akin_rank(&context, subject, &queries, 1, asked[many].rows, NULL, take, &expected[many], NULL),
                         AKIN_OK);
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (int many = 0; many < 2; many++) {
        lines_clear(&asked[many]);
        free(expected[many].list);
    }
    akin_rank_index_free(subject);
    return 0;
}

static void fail_calls(akin_status status, int alone)
{
    hits found = room_for(0);
    for (uint64_t n = 1;; n++) {
        akin_error error = {.code = AKIN_OK};
        host_device_set(.failing = n, .status = status, .alone = alone);
        akin_status got = rank(AKIN_DEVICE_CUDA, 0, NULL, &found, &error);
        if (host_device.calls < n) {
            assert_int_equal(got, AKIN_OK);
            assert_true(n > 60);
            break;
        }
        assert_int_equal(got, status);
        assert_string_equal(error.message, HOST_DEVICE_FAILED);
    }
    free(found.list);
}

static void calls(void **state)
{
    (void)state;
    for (int alone = 0; alone < 2; alone++) {
        fail_calls(AKIN_E_DEVICE, alone);
        fail_calls(AKIN_E_NOMEM, alone);
    }
}

/* With auto none of it is an error. */
static void calls_with_auto(void **state)
{
    static const uint64_t fails[] = {1, 20, 55, 60, 70, 80, 90, 100, 110};
    hits found = room_for(1);
    uint64_t all = 0;
    (void)state;
    for (size_t i = 0; i <= sizeof fails / sizeof *fails; i++) {
        akin_error error;
        host_device_set(.failing = i > 0 ? fails[i - 1] : 0, .status = AKIN_E_DEVICE);
        assert_int_equal(rank(AKIN_DEVICE_AUTO, 1, NULL, &found, &error), AKIN_OK);
        all = i == 0 ? host_device.calls : all;
    }
    assert_in_range(all, 100, 200);
    free(found.list);
}

static void allocations(void **state)
{
    hits found = room_for(0);
    (void)state;
    host_device_set(.failing = 0);
    for (int alone = 0; alone < 2; alone++)
        for (unsigned n = 0;; n++) {
            akin_error error = {.code = AKIN_OK};
            begin_failing(n, alone);
            akin_status status = rank(AKIN_DEVICE_CUDA, 0, NULL, &found, &error);
            if (failed == 0) {
                assert_int_equal(status, AKIN_OK);
                assert_true(n > 60);
                break;
            }
            assert_int_equal(status, AKIN_E_NOMEM);
            assert_non_null(strstr(error.message, "memory"));
        }
    free(found.list);
}

static void cancelled(void **state)
{
    hits found = room_for(0);
    (void)state;
    host_device_set(.failing = 0);
    for (unsigned n = 1;; n++) {
        akin_error error = {.code = AKIN_OK};
        asking a = {.stop_at = n};
        akin_status status = rank(AKIN_DEVICE_CUDA, 0, &a, &found, &error);
        if (atomic_load(&a.asked) < n) {
            assert_int_equal(status, AKIN_OK);
            assert_true(n > 5);
            break;
        }
        assert_int_equal(status, AKIN_E_CANCELLED);
    }
    free(found.list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls),
        cmocka_unit_test(calls_with_auto),
        cmocka_unit_test(allocations),
        cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
