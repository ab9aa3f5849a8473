/* Blocks through all threads: each is read, worked on, joined and copied once, joined in order; and how a run ends. */
#include "base/context.h"
#include "base/pipeline.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BLOCKS     500
#define SLOTS_MOST 24
#define NEVER      UINT32_MAX

/* A job on blocks that are numbers. A step fails at a block, or the caller cancels there. */
typedef struct job {
    uint32_t slots[SLOTS_MOST]; /* the block in each */
    uint32_t read, joined;
    uint32_t waits, read_fails, join_fails, cancels;
    int writes; /* only the calling thread joins */
    pthread_t caller;
    _Atomic uint32_t worked[BLOCKS], copied[BLOCKS];
    _Atomic uint32_t copying;
} job;

static akin_status read_number(void *argument, uint32_t slot, int *waits, int *ended, akin_error *error)
{
    job *j = argument;
    if (j->read == j->read_fails)
        return akin_fail(error, AKIN_E_IO, "block %u cannot be read", j->read);
    *ended = j->read == BLOCKS;
    *waits = j->waits > 0 && j->read % j->waits != 0;
    if (!*ended)
        j->slots[slot] = j->read++;
    return AKIN_OK;
}

static void work(void *argument, uint32_t slot)
{
    job *j = argument;
    j->worked[j->slots[slot]]++;
}

/* Some blocks have to be joined while nobody copies. */
static int fits(void *argument, uint32_t slot)
{
    const job *j = argument;
    return j->slots[slot] % 3 != 0;
}

static akin_status join(void *argument, uint32_t slot, akin_error *error)
{
    job *j = argument;
    const uint32_t block = j->slots[slot];
    assert_int_equal(block, j->joined);
    assert_true(!j->writes || pthread_equal(pthread_self(), j->caller));
    assert_int_equal(j->worked[block], 1);
    assert_true(block % 3 != 0 || j->copying == 0);
    if (block == j->join_fails)
        return akin_fail(error, AKIN_E_INPUT, "block %u is wrong", block);
    j->joined++;
    return AKIN_OK;
}

static void copy(void *argument, uint32_t slot)
{
    job *j = argument;
    j->copying++;
    j->copied[j->slots[slot]]++;
    j->copying--;
}

static int cancel(void *user)
{
    const job *j = user;
    return j->read >= j->cancels;
}

static akin_status run(job *j, uint32_t threads, uint32_t slots, akin_error *error)
{
    j->caller = pthread_self();
    akin_context context = {
        .scope = {.context = &context, .threads = threads, .reporter = {.cancel = cancel, .user = j}}};
    const akin_pipeline pipeline = {j, "numbers", slots, read_number, work, fits, join, copy, j->writes};
    return akin_pipeline_run(akin_scope_of(&context), &pipeline, error);
}

static job job_of(uint32_t waits, uint32_t read_fails, uint32_t join_fails)
{
    return (job){.waits = waits, .read_fails = read_fails, .join_fails = join_fails, .cancels = NEVER};
}

static void each_way(void (*check)(uint32_t threads, uint32_t slots, uint32_t waits))
{
    for (uint32_t threads = 1; threads < 9; threads += 1 + threads / 3)
        for (uint32_t slots = 2; slots <= SLOTS_MOST; slots *= 2)
            for (uint32_t waits = 0; waits < 4; waits += 2)
                check(threads, slots, waits);
}

static void check_all(uint32_t threads, uint32_t slots, uint32_t waits)
{
    akin_error error;
    for (int writes = 0; writes < 2; writes++) {
        job j = job_of(waits, NEVER, NEVER);
        j.writes = writes;
        assert_int_equal(run(&j, threads, slots, &error), AKIN_OK);
        assert_int_equal(j.joined, BLOCKS);
        for (uint32_t i = 0; i < BLOCKS; i++)
            assert_true(j.worked[i] == 1 && j.copied[i] == 1);
    }
}

static void test_all(void **state)
{
    (void)state;
    each_way(check_all);
}

/* What fails first in the order of the blocks: joining comes before reading that fails later, and all blocks before are
 * joined. */
static void check_failures(uint32_t threads, uint32_t slots, uint32_t waits)
{
    akin_error error;
    job j = job_of(waits, 300, 200);
    assert_int_equal(run(&j, threads, slots, &error), AKIN_E_INPUT);
    assert_string_equal(error.message, "block 200 is wrong");
    assert_int_equal(j.joined, 200);
    j = job_of(waits, 300, 200);
    j.writes = 1;
    assert_int_equal(run(&j, threads, slots, &error), AKIN_E_INPUT);
    assert_int_equal(j.joined, 200);
    j = job_of(waits, 300, NEVER);
    assert_int_equal(run(&j, threads, slots, &error), AKIN_E_IO);
    assert_string_equal(error.message, "block 300 cannot be read");
    assert_int_equal(j.joined, 300);
}

static void test_failures(void **state)
{
    (void)state;
    each_way(check_failures);
}

static void check_cancel(uint32_t threads, uint32_t slots, uint32_t waits)
{
    akin_error error;
    job j = job_of(waits, NEVER, NEVER);
    j.cancels = 0;
    assert_int_equal(run(&j, threads, slots, &error), AKIN_E_CANCELLED);
    assert_string_equal(error.message, "numbers: cancelled while reading");
    assert_int_equal(error.code, AKIN_E_CANCELLED);
    j = job_of(waits, NEVER, NEVER);
    j.cancels = 0;
    j.writes = 1;
    assert_int_equal(run(&j, threads, slots, &error), AKIN_E_CANCELLED);
    assert_string_equal(error.message, "numbers: cancelled while writing");
}

static void test_cancel(void **state)
{
    (void)state;
    each_way(check_cancel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
