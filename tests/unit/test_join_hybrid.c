/*
 * The hybrid join on a GPU that the host plays: chunks of every small size, and whatever can go wrong in one of its
 * stages while the others are at work. The host plays the GPU (gpu/host_gpu.h)
 * and of the C library's.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "annex.h"
#include "base/context.h"
#include "base/random.h"
#include "device/devices.h"
#include "gpu/host_gpu.h"
#include "property/oracle.h"
#include "unit/test_base_cancel.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
int __real_posix_memalign(void **block, size_t alignment, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);

#define NEVER LONG_MAX

static atomic_long allocations_left = NEVER, threads_left = NEVER;

static int fails(void)
{
    return atomic_fetch_sub(&allocations_left, 1) <= 0;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return fails() ? NULL : __real_realloc(block, size);
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
    return fails() ? ENOMEM : __real_posix_memalign(block, alignment, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __real_aligned_alloc(alignment, size);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    return atomic_fetch_sub(&threads_left, 1) <= 0 ? EAGAIN
                                                   : __real_pthread_create(thread, attributes, start, argument);
}

/* ------------------------------------------------------------------------------------------------------------ joins */

/* A collection, another one, and the pairs of each kind of join. */
static struct {
    akin_sets *left, *right;
    oracle_pairs self, both;
} subject;

/* Rows in families: all of a family share most of their tokens, and some are the same. */
static rows make_rows(uint64_t seed, uint32_t count)
{
    akin_random random;
    rows all = {0};
    akin_random_seed(&random, seed);
    while (all.count < count) {
        uint32_t tokens[8], family = (uint32_t)akin_random_below(&random, 6);
        for (uint32_t i = 0; i < 8; i++)
            tokens[i] = 8 * family + (i < 6 ? i : 6 + (uint32_t)akin_random_below(&random, 4));
        rows_add(&all, tokens, 8);
    }
    return all;
}

static int make(void **state)
{
    (void)state;
    rows left = make_rows(1, 150), right = make_rows(2, 70);
    const akin_ratio half = {1, 2};
    oracle_pairs self = oracle_compare(&left, NULL), both = oracle_compare(&left, &right);
    subject.left = rows_to_sets(&left);
    subject.right = rows_to_sets(&right);
    subject.self = oracle_select(&self, &left, NULL, AKIN_JACCARD, half, NULL);
    subject.both = oracle_select(&both, &left, &right, AKIN_JACCARD, half, NULL);
    assert_true(subject.self.count > 500 && subject.both.count > 500);
    oracle_clear(&self);
    oracle_clear(&both);
    rows_clear(&left);
    rows_clear(&right);
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    akin_sets_free(subject.left);
    akin_sets_free(subject.right);
    oracle_clear(&subject.self);
    oracle_clear(&subject.both);
    return 0;
}

/* One join of the subject. */
typedef struct kind {
    int self, keep;
    uint32_t threads;
    uint64_t candidates; /* words of a chunk */
    akin_technique filter;
    uint64_t stop_at; /* pairs after which the sink, which takes any order, stops the join; 0: it does not */
} kind;

typedef struct receiver {
    const oracle_pairs *expected;
    uint64_t count, stop_at;
} receiver;

static int receive(void *user, const akin_pair *pairs, size_t count)
{
    receiver *r = user;
    if (!r->stop_at) {
        assert_true(r->count + count <= r->expected->count);
        assert_memory_equal(pairs, r->expected->pairs + r->count, count * sizeof *pairs);
    }
    r->count += count;
    return r->stop_at && r->count >= r->stop_at;
}

/* Joins, with whatever fails, checks what is found, and that nothing is left. */
static akin_status join(const kind *k, asking *a, akin_error *error)
{
    akin_context context = a ? asking_context(&context, a) : (akin_context){.scope = {.context = &context}};
    akin_wishes wishes = {.candidates = k->candidates, .equal_rows = -1};
    context.wishes = &wishes;
    context.scope.threads = k->threads;
    context.backend = &host_gpu_backend;
    context.scope.device_choice = AKIN_DEVICE_CUDA;
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_papers_join_options papers = AKIN_PAPERS_JOIN_OPTIONS_INIT;
    options.threshold = (akin_ratio){1, 2};
    options.technique = AKIN_HYBRID;
    papers.filter = k->filter;
    options.annex = &papers;
    context.annex = akin_papers();
    options.any_order = k->stop_at > 0;
    receiver got = {k->self ? &subject.self : &subject.both, 0, k->stop_at};
    uint64_t count = 77;
    akin_status status = akin_join(&context, subject.left, k->self ? NULL : subject.right, &options,
                                   k->keep ? receive : NULL, &got, &count, NULL, error);
    atomic_store(&allocations_left, NEVER);
    atomic_store(&threads_left, NEVER);
    atomic_store(&host_gpu_calls_left, HOST_GPU_NEVER);
    assert_int_equal(atomic_load(&host_gpu_held), 0);
    akin_devices_close(&context);
    assert_int_equal(count, status == AKIN_OK ? got.expected->count : 77);
    assert_true(status != AKIN_OK || !k->keep || got.count == count);
    assert_int_equal(status == AKIN_OK ? AKIN_OK : error->code, status);
    return status;
}

static void expect(const kind *k, asking *a, akin_status expected, const char *text)
{
    akin_error error = {.code = AKIN_OK, .message = ""};
    akin_status status = join(k, a, &error);
    if (status != expected || !strstr(error.message, text))
        fail_msg("'%s' (%d), expected '%s' (%d)", error.message, status, text, expected);
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static void chunks_of_every_size(void **state)
{
    const akin_choice *filter;
    (void)state;
    for (uint64_t words = 1; words < 60; words += words < 16 ? 15 : 1)
        for (uint32_t threads = 1; threads <= 3; threads += 2)
            for (uint32_t i = 0; (filter = akin_choices("techniques", i)); i++)
                if (filter->capabilities & AKIN_IS_FILTER)
                    expect(&(kind){(int)(words % 2), (int)(words / 2 % 4 > 0), threads, words,
                                   (akin_technique)filter->value, 0},
                           NULL, AKIN_OK, "");
    expect(&(kind){1, 1, 4, 0, AKIN_AUTO, 0}, NULL, AKIN_OK, "");
}

/* Every call fails once, and what follows it. */
static void gpu_is_lost(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 3; threads += 2)
        for (int keep = 0; keep < 2; keep++)
            for (long n = 0, done = 0; !done; n += 1 + n / 20) {
                akin_error error = {.code = AKIN_OK};
                atomic_store(&host_gpu_calls_left, n);
                akin_status status = join(&(kind){keep, keep, threads, 60, AKIN_PPJOIN, 0}, NULL, &error);
                done = status == AKIN_OK;
                if (!done && (status != AKIN_E_DEVICE || strcmp(error.message, HOST_GPU_LOST) != 0))
                    fail_msg("call %ld: '%s' (%d)", n, error.message, status);
                assert_true(!done || n > 100);
            }
}

static void memory_is_short(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 3; threads += 2)
        for (long n = 0, done = 0; !done; n++) {
            akin_error error = {.code = AKIN_OK};
            atomic_store(&allocations_left, n);
            akin_status status = join(&(kind){1, 1, threads, 300, AKIN_GROUPJOIN, 0}, NULL, &error);
            done = status == AKIN_OK;
            if (!done && (status != AKIN_E_NOMEM || !strstr(error.message, "memory")))
                fail_msg("allocation %ld: '%s' (%d)", n, error.message, status);
            assert_true(!done || n > 20);
        }
}

/* Those of the stages must start; those of the filter need not. */
static void threads_do_not_start(void **state)
{
    (void)state;
    for (long started = 0; started < 2; started++) {
        atomic_store(&threads_left, started);
        expect(&(kind){1, 1, 1, 0, AKIN_AUTO, 0}, NULL, AKIN_E_NOMEM, "two threads of its own");
    }
    atomic_store(&threads_left, 2);
    expect(&(kind){1, 0, 1, 16, AKIN_AUTO, 0}, NULL, AKIN_OK, "");
}

static void sink_asks_to_stop(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 3; threads += 2)
        expect(&(kind){1, 1, threads, 16, AKIN_AUTO, 1}, NULL, AKIN_E_CANCELLED, "stopped by the receiver");
}

static atomic_long kernels;

static void slow_kernel(void)
{
    atomic_fetch_add(&kernels, 1);
    nap();
}

/* The filter is far ahead of the GPU, and most of the time waits for a free chunk. */
static void cancelled_while_the_gpu_is_slow(void **state)
{
    (void)state;
    const kind k = {1, 1, 3, 16, AKIN_PPJOIN, 0};
    asking never = {0};
    host_gpu_kernel = slow_kernel;
    expect(&k, &never, AKIN_OK, "");
    long all = atomic_load(&kernels);
    unsigned asked = atomic_load(&never.asked);
    assert_true(all > 100 && asked > 10);
    for (unsigned stop_at = 1; stop_at <= asked / 2; stop_at += 1 + asked / 20) {
        asking a = {.stop_at = stop_at};
        atomic_store(&kernels, 0);
        expect(&k, &a, AKIN_E_CANCELLED, "cancelled");
        assert_true(atomic_load(&kernels) < all);
    }
    host_gpu_kernel = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_of_every_size), cmocka_unit_test(gpu_is_lost),
        cmocka_unit_test(memory_is_short),      cmocka_unit_test(threads_do_not_start),
        cmocka_unit_test(sink_asks_to_stop),    cmocka_unit_test(cancelled_while_the_gpu_is_slow),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
