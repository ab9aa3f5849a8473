/* Pairs put aside in sorted runs by several threads, and merged in one pass or several. */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/random.h"
#include "join/pairs.h"
#include "unit/test_base_cancel.h"
#include "unit/test_base_files.h"

#include <signal.h>
#include <sys/resource.h>

#define THREADS 3

typedef struct receiver {
    akin_pair last;
    uint64_t count, sum, calls, stop_at;
} receiver;

/* What a pair adds to the sum, which shows whether all pairs came. */
static uint64_t mix(const akin_pair *pair)
{
    uint64_t x = ((uint64_t)pair->left << 32 | pair->right) * UINT64_C(0x9e3779b97f4a7c15) + pair->overlap;
    return x ^ x >> 29;
}

static int receive(void *user, const akin_pair *pairs, size_t count)
{
    receiver *r = user;
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++, r->count++) {
        assert_true(r->count == 0 || r->last.left < pairs[i].left ||
                    (r->last.left == pairs[i].left && r->last.right < pairs[i].right));
        r->last = pairs[i];
        r->sum += mix(&pairs[i]);
    }
    return ++r->calls == r->stop_at;
}

typedef struct subject {
    akin_pairs pairs[THREADS];
    uint64_t count, sum;
    akin_account account;
    akin_runs runs;
} subject;

/* Adds `count` pairs, in an order and to threads drawn at random. 0 if one cannot be added. */
static int add(subject *s, uint64_t count)
{
    akin_random random;
    akin_random_seed(&random, count);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t number = i * 2654435761u % ((uint64_t)1 << 32); /* each once, as the factor is odd */
        akin_pair pair = {(uint32_t)(number >> 12), (uint32_t)number << 20, (uint32_t)akin_random_next(&random)};
        if (!akin_pairs_add(&s->pairs[akin_random_below(&random, THREADS)], pair.left, pair.right, pair.overlap))
            return 0;
        s->sum += mix(&pair);
        s->count++;
    }
    return 1;
}

static void make(subject *s, akin_context *context, uint64_t length)
{
    *s = (subject){.count = 0};
    assert_int_equal(akin_runs_make(akin_scope_of(context), length, &s->runs, NULL), AKIN_OK);
    for (uint32_t t = 0; t < THREADS; t++) {
        s->pairs[t].runs = &s->runs;
        s->pairs[t].rest.pairs = akin_alloc(&s->account, length, sizeof(akin_u128));
        assert_non_null(s->pairs[t].rest.pairs);
    }
}

static akin_status deliver(subject *s, akin_context *context, uint64_t room, receiver *r, akin_error *error)
{
    akin_runs_rest rests[THREADS];
    for (uint32_t t = 0; t < THREADS; t++)
        rests[t] = s->pairs[t].rest;
    return akin_runs_deliver(akin_scope_of(context), &s->account, &s->runs, rests, THREADS, room, receive, r, error);
}

static void unmake(subject *s)
{
    for (uint32_t t = 0; t < THREADS; t++)
        akin_pairs_clear(&s->pairs[t]);
    akin_runs_clear(&s->runs);
    assert_int_equal(s->account.held, 0);
    assert_int_equal(scratch_entries("."), 0);
}

static void all_pairs_come_sorted(void **state)
{
    static const struct {
        uint64_t count, length, fan;
    } cases[] = {
        {0, 10, 0},      {1, 10, 0},     {25, 10, 0},        {5000, 10, 2},     {5000, 7, 3},    {5000, 1, 5},
        {20000, 100, 4}, {20000, 64, 0}, {300000, 20000, 2}, {300000, 5000, 0}, {4096, 1024, 2}, {100000, 1000000, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        akin_context context = {.scope = {.context = &context, .threads = 1},
                                .temporary = scratch,
                                .wishes = &(akin_wishes){.runs_a_merge = cases[i].fan}};
        subject s;
        receiver r = {.count = 0};
        make(&s, &context, cases[i].length);
        assert_true(add(&s, cases[i].count));
        assert_true(cases[i].count < 4 * cases[i].length || s.runs.count > 0);
        assert_int_equal(deliver(&s, &context, 1 << 20, &r, NULL), AKIN_OK);
        assert_int_equal(r.count, cases[i].count);
        assert_int_equal(r.sum, s.sum);
        unmake(&s);
    }
}

/* Stopped at every check for cancellation, and by the sink. */
static void it_can_be_stopped(void **state)
{
    (void)state;
    akin_status status = AKIN_E_CANCELLED;
    unsigned stops = 0;
    for (; status != AKIN_OK; stops++) {
        asking a = {.stop_at = stops + 1};
        akin_context context = asking_context(&context, &a);
        akin_wishes wishes = {0};
        context.wishes = &wishes;
        akin_error error = {.code = AKIN_OK};
        subject s;
        receiver r = {.count = 0};
        context.temporary = scratch;
        wishes.runs_a_merge = 3;
        make(&s, &context, 500);
        assert_true(add(&s, 20000));
        status = deliver(&s, &context, 1 << 20, &r, &error);
        assert_int_equal(error.code, status);
        assert_true(r.count <= 20000 && (status == AKIN_OK ? r.count == 20000 : status == AKIN_E_CANCELLED));
        unmake(&s);
    }
    assert_true(stops > 10);
    akin_context context = {.scope = {.context = &context, .threads = 1}, .temporary = scratch};
    akin_error error;
    subject s;
    receiver r = {.stop_at = 2};
    make(&s, &context, 500);
    assert_true(add(&s, 20000));
    assert_int_equal(deliver(&s, &context, 1 << 20, &r, &error), AKIN_E_CANCELLED);
    assert_int_equal(r.calls, 2);
    unmake(&s);
}

static void a_full_disk(void **state)
{
    (void)state;
    struct rlimit before, less;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    less = before;
    less.rlim_cur = 100000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
    akin_context context = {.scope = {.context = &context, .threads = 1}, .temporary = scratch};
    subject s;
    make(&s, &context, 500);
    assert_false(add(&s, 20000));
    assert_int_equal(s.runs.error.code, AKIN_E_IO);
    assert_memory_equal(s.runs.error.message, scratch, strlen(scratch));
    assert_false(add(&s, 5000)); /* nor does it go on */
    unmake(&s);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}

static void a_directory_that_is_not_there(void **state)
{
    (void)state;
    char absent[] = "/absent/directory";
    akin_context context = {.scope = {.context = &context, .threads = 1}, .temporary = absent};
    subject s;
    make(&s, &context, 500);
    assert_true(add(&s, 500)); /* it is not needed so far */
    assert_false(add(&s, 2000));
    assert_int_equal(s.runs.error.code, AKIN_E_IO);
    assert_memory_equal(s.runs.error.message, absent, strlen(absent));
    unmake(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs_come_sorted),
        cmocka_unit_test(it_can_be_stopped),
        cmocka_unit_test(a_full_disk),
        cmocka_unit_test(a_directory_that_is_not_there),
    };
    signal(SIGXFSZ, SIG_IGN);
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
