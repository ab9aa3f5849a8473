/* Pairs gathered by several threads, then sorted and handed over. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/random.h"
#include "join/pairs.h"

#include <stdlib.h>
#include <string.h>

#define THREADS 3

/* What a sink has received, and after how many calls it says stop. */
typedef struct receiver {
    akin_pair *pairs;
    uint64_t count, room;
    unsigned calls, stop_at;
} receiver;

static int receive(void *user, const akin_pair *pairs, size_t count)
{
    receiver *r = user;
    assert_true(count > 0 && r->count + count <= r->room);
    memcpy(r->pairs + r->count, pairs, count * sizeof *pairs);
    r->count += count;
    return ++r->calls == r->stop_at ? -1 : 0;
}

static int compare(const void *a, const void *b)
{
    const akin_pair *x = a, *y = b;
    uint64_t p = (uint64_t)x->left << 32 | x->right, q = (uint64_t)y->left << 32 | y->right;
    return (p > q) - (p < q);
}

/* A number of pairs, each once, in random order: pair i is number i * step of all (left, right) below rows and rights.
 */
typedef struct subject {
    akin_account account;
    akin_pairs pairs[THREADS];
    akin_pair *expected;
    receiver got;
    uint64_t total;
} subject;

static subject *make(uint64_t total, uint64_t rows, uint64_t rights)
{
    akin_random random;
    subject *s = calloc(1, sizeof *s);
    assert_non_null(s);
    akin_random_seed(&random, total);
    s->total = total;
    s->expected = malloc((size_t)(total + 1) * sizeof *s->expected);
    s->got = (receiver){.pairs = malloc((size_t)(total + 1) * sizeof *s->got.pairs), .room = total};
    assert_true(s->expected && s->got.pairs);
    for (uint64_t i = 0; i < total; i++) {
        uint64_t number = i * (rows * rights / total);
        s->expected[i] = (akin_pair){(uint32_t)(number / rights), UINT32_MAX - (uint32_t)(number % rights),
                                     (uint32_t)akin_random_next(&random)};
    }
    for (uint64_t i = total; i > 1; i--) {
        uint64_t j = akin_random_below(&random, i);
        akin_pair swap = s->expected[i - 1];
        s->expected[i - 1] = s->expected[j];
        s->expected[j] = swap;
    }
    for (uint32_t t = 0; t < THREADS; t++)
        s->pairs[t].account = &s->account;
    for (uint64_t i = 0; i < total; i++) /* the last thread finds most of them */
        assert_int_equal(akin_pairs_add(&s->pairs[i % 5 < THREADS - 1 ? i % 5 : THREADS - 1], s->expected[i].left,
                                        s->expected[i].right, s->expected[i].overlap),
                         1);
    qsort(s->expected, total, sizeof *s->expected, compare);
    return s;
}

static void unmake(subject *s)
{
    for (uint32_t t = 0; t < THREADS; t++) {
        akin_pairs_clear(&s->pairs[t]);
        assert_null(s->pairs[t].first);
    }
    assert_int_equal(s->account.held, 0);
    free(s->expected);
    free(s->got.pairs);
    free(s);
}

static akin_status deliver(akin_context *context, subject *s, uint32_t rows, akin_error *error)
{
    return akin_pairs_deliver(akin_scope_of(context), &s->account, s->pairs, THREADS, rows, receive, &s->got, error);
}

static void check(uint64_t total, uint32_t rows, uint32_t rights)
{
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        akin_context context = {.scope = {.context = &context, .threads = threads}};
        subject *s = make(total, rows, rights);
        assert_int_equal(deliver(&context, s, rows, NULL), AKIN_OK);
        assert_int_equal(s->got.count, total);
        assert_memory_equal(s->got.pairs, s->expected, total * sizeof *s->expected);
        assert_int_equal(s->account.held, 0); /* the chunks are freed on the way */
        unmake(s);
    }
}

static void sorted_and_complete(void **state)
{
    (void)state;
    check(1, 1, 1);
    check(2, 2, 2);
    check(300, 10, 100);
    check(300, 100000, 100); /* most rows without a pair, several tasks */
    check(5000, 1, 5000);    /* all of one row */
    check(5000, 5000, 1);
    check(AKIN_PAIRS_CHUNK, 300, 300);
    check(200000, 9000, 900); /* several chunks a thread, many batches */
}

static void no_pairs(void **state)
{
    (void)state;
    akin_context context = {.scope = {.context = &context, .threads = 2}};
    for (uint32_t rows = 0; rows < 2; rows++) {
        subject *s = make(0, 1, 1);
        assert_int_equal(deliver(&context, s, rows, NULL), AKIN_OK);
        assert_int_equal(s->got.calls, 0);
        unmake(s);
    }
}

static void cleared_without_delivery(void **state)
{
    (void)state;
    subject *s = make(100000, 1000, 1000);
    assert_true(s->account.held >= 100000 * sizeof(akin_pair));
    unmake(s);
}

static void the_sink_may_stop(void **state)
{
    (void)state;
    for (unsigned stop_at = 1; stop_at <= 3; stop_at++) {
        akin_context context = {.scope = {.context = &context, .threads = 2}};
        akin_error error = {.code = AKIN_OK};
        subject *s = make(100000, 1000, 1000);
        s->got.stop_at = stop_at;
        assert_int_equal(deliver(&context, s, 1000, &error), AKIN_E_CANCELLED);
        assert_int_equal(error.code, AKIN_E_CANCELLED);
        assert_true(error.message[0] != '\0');
        assert_int_equal(s->got.calls, stop_at);
        assert_memory_equal(s->got.pairs, s->expected, s->got.count * sizeof *s->expected);
        unmake(s);
    }
}

static int say_stop(void *user)
{
    unsigned *left = user;
    return (*left)-- == 0;
}

/* Stopped at every check for cancellation; the pairs that were delivered are a sorted part of all. */
static void the_context_may_stop(void **state)
{
    (void)state;
    akin_status status = AKIN_E_CANCELLED;
    unsigned stops = 0;
    for (; status != AKIN_OK; stops++) {
        unsigned left = stops;
        akin_context context = {
            .scope = {.context = &context, .threads = 2, .reporter = {.cancel = say_stop, .user = &left}}};
        akin_error error = {.code = AKIN_OK};
        subject *s = make(40000, 5000, 1000);
        status = deliver(&context, s, 5000, &error);
        assert_true(status == AKIN_OK || status == AKIN_E_CANCELLED);
        assert_int_equal(error.code, status);
        assert_true(status == AKIN_OK ? s->got.count == 40000 : error.message[0] != '\0');
        assert_memory_equal(s->got.pairs, s->expected, s->got.count * sizeof *s->expected);
        unmake(s);
    }
    assert_true(stops > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorted_and_complete),      cmocka_unit_test(no_pairs),
        cmocka_unit_test(cleared_without_delivery), cmocka_unit_test(the_sink_may_stop),
        cmocka_unit_test(the_context_may_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
