/*
 * Whole joins while memory runs out: every allocation fails once, alone and with all that follow, and threads do not
 * start. The linker puts the functions here in the place of the C library's (--wrap); blocks that live are counted.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/budget.h"
#include "base/context.h"
#include "base/random.h"
#include "join/top.h"
#include "property/oracle.h"
#include "unit/test_failing_step.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);

#define NEVER LONG_MAX

static atomic_long countdown = NEVER; /* allocations that succeed before one fails */
static int only_once;
static atomic_long failed;
static atomic_long live; /* blocks allocated and not freed */
static atomic_long threads_left = NEVER;

static int fails(void)
{
    long before = atomic_fetch_sub(&countdown, 1);
    if (before > 0 || (only_once && before < 0))
        return 0;
    atomic_fetch_add(&failed, 1);
    return 1;
}

static void *born(void *block)
{
    if (block)
        atomic_fetch_add(&live, 1);
    return block;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : born(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : born(__real_calloc(count, size));
}

void *__wrap_realloc(void *block, size_t size)
{
    if (fails())
        return NULL;
    void *moved = __real_realloc(block, size);
    return block ? moved : born(moved);
}

void __wrap_free(void *block)
{
    if (block)
        atomic_fetch_sub(&live, 1);
    __real_free(block);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    if (atomic_fetch_sub(&threads_left, 1) <= 0)
        return EAGAIN;
    return __real_pthread_create(thread, attributes, start, argument);
}

/* ------------------------------------------------------------------------------------------------------------ joins */

static const akin_technique techniques[] = {AKIN_AUTO,      AKIN_ALLPAIRS, AKIN_PPJOIN,
                                            AKIN_GROUPJOIN, AKIN_BITMAP,   AKIN_SCREENED};
#define TECHNIQUES (sizeof techniques / sizeof *techniques)

/* Collections, and the pairs in each kind of join, enough to fill several chunks. */
typedef struct subject {
    akin_sets *left, *right;
    oracle_pairs self, both;
} subject;

/* Rows in families: all of a family share most of their tokens. */
static rows make_rows(uint64_t seed, uint32_t count, uint32_t families, uint32_t factor)
{
    akin_random random;
    rows all = {0};
    akin_random_seed(&random, seed);
    while (all.count < count) {
        uint32_t tokens[8], family = (uint32_t)akin_random_below(&random, families);
        for (uint32_t i = 0; i < 8; i++)
            tokens[i] = (8 * family + (i < 6 ? i : (uint32_t)akin_random_below(&random, 40))) * factor;
        rows_add(&all, tokens, 8);
    }
    return all;
}

static akin_join_options options_of(akin_technique technique)
{
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    options.threshold = (akin_ratio){1, 2};
    options.technique = technique;
    return options;
}

static subject make(uint32_t count, uint32_t families, uint32_t factor)
{
    rows left = make_rows(1, count, families, factor), right = make_rows(2, count / 2, families, factor);
    akin_join_options options = options_of(AKIN_AUTO);
    subject s = {.left = rows_to_sets(&left), .right = rows_to_sets(&right)};
    oracle_pairs self = oracle_compare(&left, NULL), both = oracle_compare(&left, &right);
    s.self = oracle_select(&self, &left, NULL, options.measure, options.threshold, NULL);
    s.both = oracle_select(&both, &left, &right, options.measure, options.threshold, NULL);
    oracle_clear(&self);
    oracle_clear(&both);
    rows_clear(&left);
    rows_clear(&right);
    return s;
}

static void unmake(subject *s)
{
    akin_sets_free(s->left);
    akin_sets_free(s->right);
    oracle_clear(&s->self);
    oracle_clear(&s->both);
}

/* One kind of join of a subject. */
typedef struct kind {
    akin_technique technique;
    int self, keep;
    uint32_t threads;
    int bounded; /* in parts, and with pairs put aside */
    int cut;     /* bucket by bucket */
    int equal;   /* the distinct rows, and without memory for that, all of them; -1: all of them */
} kind;

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

/* Joins, with whatever fails, and checks all but whether it fails. */
static akin_status join(const subject *s, const kind *k)
{
    akin_context context = {.scope = {.context = &context, .threads = k->threads, .cpu = akin_cpu_detect()},
                            .cpu_best = akin_cpu_detect()};
    akin_wishes wishes = {0};
    context.wishes = &wishes;
    if (k->bounded) {
        context.scope.memory = AKIN_MEMORY_LEAST;
        wishes.part_tokens = 1300;
        wishes.pairs_a_run = 100;
        wishes.runs_a_merge = 20;
    }
    wishes.cut_all = k->cut;
    wishes.equal_rows = k->equal;
    akin_join_options options = options_of(k->technique);
    akin_join_report *report = NULL;
    akin_error error = {.code = AKIN_OK};
    receiver got = {k->self ? &s->self : &s->both, 0};
    uint64_t count = 77;
    long blocks = atomic_load(&live);
    akin_status status = akin_join(&context, s->left, k->self ? NULL : s->right, &options, k->keep ? receive : NULL,
                                   &got, &count, &report, &error);
    atomic_store(&countdown, NEVER);
    if (status == AKIN_OK) {
        akin_join_summary summary = {.size = sizeof summary};
        assert_int_equal(akin_join_report_summary(report, &summary, NULL), AKIN_OK);
        akin_join_report_free(report);
        assert_int_equal(atomic_load(&live), blocks);
        assert_int_equal(count, got.expected->count);
        assert_int_equal(summary.pairs_found, count);
        assert_true(!k->keep || got.count == count);
        return status;
    }
    assert_int_equal(atomic_load(&live), blocks);
    assert_int_equal(status, AKIN_E_NOMEM);
    assert_int_equal(error.code, AKIN_E_NOMEM);
    if (!strstr(error.message, "memory"))
        fail_msg("'%s' does not speak of memory", error.message);
    assert_int_equal(count, 77);
    assert_null(report);
    return status;
}

/* Fails allocation after allocation until there is none left to fail. The join reports the failure. The list of threads
 * is the only allocation that it can do without. */
static void fail_each(const subject *s, const kind *k, int once)
{
    for (long n = 0;; n += FAILING_STEP) {
        only_once = once;
        atomic_store(&failed, 0);
        atomic_store(&countdown, n);
        akin_status status = join(s, k);
        if (atomic_load(&failed) == 0) {
            assert_int_equal(status, AKIN_OK);
            assert_true(n > 10);
            return;
        }
        if (k->threads == 1 && status != AKIN_E_NOMEM && k->equal <= 0)
            fail_msg("%s, %s, %s: allocation %ld failed, the join did not", akin_technique_name(NULL, k->technique),
                     k->self ? "self" : "two collections", k->keep ? "pairs" : "counted", n);
    }
}

static void fail_all(const subject *s)
{
    for (size_t t = 0; t < TECHNIQUES; t++)
        for (int self = 0; self < 2; self++) {
            fail_each(s, &(kind){techniques[t], self, 1, 1, 0, 0, 0}, 1);
            fail_each(s, &(kind){techniques[t], self, 0, 1, 0, 0, 0}, 0);
            fail_each(s, &(kind){techniques[t], self, 1, 3, 0, 0, 0}, 0);
            fail_each(s, &(kind){techniques[t], self, 0, 3, 0, 0, 0}, 1);
        }
}

static void many_pairs_of_dense_tokens(void **state)
{
    (void)state;
    subject s = make(300, 2, 1);
    assert_true(s.self.count > 16384 && s.both.count > 16384);
    fail_all(&s);
    unmake(&s);
}

/* Candidates of a probe for several batches: memory may fail in the middle of them. */
static void many_partners_of_a_row(void **state)
{
    subject s = make(700, 1, 1);
    (void)state;
    for (int self = 0; self < 2; self++) {
        fail_each(&s, &(kind){AKIN_ALLPAIRS, self, 1, 1, 0, 0, -1}, 1);
        fail_each(&s, &(kind){AKIN_GROUPJOIN, self, 1, 1, 0, 0, -1}, 1);
    }
    unmake(&s);
}

/* Every part may be the one that fails. */
static void in_parts(void **state)
{
    (void)state;
    subject s = make(300, 2, 1);
    for (size_t t = 0; t < TECHNIQUES; t += 2) {
        fail_each(&s, &(kind){techniques[t], 1, 1, 1, 1, 0, 0}, 1);
        fail_each(&s, &(kind){techniques[t + 1], 0, 1, 3, 1, 0, 0}, 0);
    }
    unmake(&s);
}

/* Every bucket, too, or the plan of one. */
static void in_buckets(void **state)
{
    (void)state;
    subject s = make(300, 2, 1);
    for (size_t t = 0; t < TECHNIQUES; t += 2) {
        fail_each(&s, &(kind){techniques[t], 1, 1, 1, 0, 1, 0}, 1);
        fail_each(&s, &(kind){techniques[t + 1], 0, 1, 3, 0, 1, 0}, 0);
    }
    unmake(&s);
}

/* Many rows are equal: the distinct ones, their pairs, and the pairs of rows take memory. */
static void of_equal_rows(void **state)
{
    (void)state;
    subject s = make(60, 2, 1);
    for (size_t t = 0; t<TECHNIQUES; t += t> 0 ? 2 : 1)
        for (int way = 0; way < 8; way++)
            fail_each(&s, &(kind){techniques[t], way % 2, way / 2 % 2, t % 2 ? 3 : 1, way / 4, 0, 1}, way % 3 != 0);
    unmake(&s);
}

static void many_sparse_tokens(void **state)
{
    (void)state;
    subject s = make(500, 300, 2654435761u);
    assert_true(s.self.count > 100 && s.both.count > 50);
    fail_all(&s);
    unmake(&s);
}

/* Finds the 3 best partners of each row: the answer is the one in `expected`, if there is one. */
static akin_status join_top(const subject *s, int self, int bounded, const akin_top_way *way, oracle_pairs *expected)
{
    akin_context context = {.scope = {.context = &context, .threads = 1, .cpu = akin_cpu_detect()},
                            .cpu_best = akin_cpu_detect()};
    akin_wishes wishes = {0};
    context.wishes = &wishes;
    akin_join_options options = options_of(AKIN_AUTO);
    akin_error error = {.code = AKIN_OK};
    receiver got = {expected, 0};
    uint64_t count = 77;
    const long blocks = atomic_load(&live);
    context.scope.memory = bounded ? AKIN_MEMORY_LEAST : 0;
    wishes.part_tokens = bounded ? 1300 : 0;
    wishes.top_way = way;
    options.top = 3;
    akin_status status = akin_join(&context, s->left, self ? NULL : s->right, &options, expected ? receive : NULL, &got,
                                   &count, NULL, &error);
    atomic_store(&countdown, NEVER);
    assert_int_equal(atomic_load(&live), blocks);
    assert_true(status == AKIN_OK || (status == AKIN_E_NOMEM && strstr(error.message, "memory")));
    assert_true(status == AKIN_OK ? !expected || got.count == expected->count : count == 77);
    return status;
}

static int keep_pairs(void *user, const akin_pair *pairs, size_t count)
{
    oracle_pairs *kept = user;
    memcpy(kept->pairs + kept->count, pairs, count * sizeof *pairs);
    kept->count += count;
    return 0;
}

/* property_top says that the answer is right; here it is the same again whatever failed before. */
static void best_partners(void **state)
{
    (void)state;
    subject s = make(300, 20, 1);
    for (int way = 0; way < 8; way++) {
        const int self = way % 2, bounded = way / 2 % 2;
        akin_context context = {.scope = {.context = &context, .threads = 2, .cpu = akin_cpu_detect()},
                                .cpu_best = akin_cpu_detect()};
        akin_join_options options = options_of(AKIN_AUTO);
        oracle_pairs expected = {malloc(3 * 300 * sizeof(akin_pair)), 0};
        assert_non_null(expected.pairs);
        options.top = 3;
        assert_int_equal(
            akin_join(&context, s.left, self ? NULL : s.right, &options, keep_pairs, &expected, NULL, NULL, NULL),
            AKIN_OK);
        assert_true(expected.count > 300);
        for (long n = 0;; n += FAILING_STEP) {
            only_once = way % 4 < 3;
            atomic_store(&failed, 0);
            atomic_store(&countdown, n);
            akin_status status = join_top(&s, self, bounded, way / 4 ? &akin_top_prefix : &akin_top_counted, &expected);
            assert_int_equal(status, atomic_load(&failed) ? AKIN_E_NOMEM : AKIN_OK);
            if (status == AKIN_OK) {
                assert_true(n > 10);
                break;
            }
        }
        oracle_clear(&expected);
    }
    unmake(&s);
}

/* Threads that do not start are no error: those that do, or the caller alone, do the work. */
static void threads_do_not_start(void **state)
{
    (void)state;
    subject s = make(600, 20, 1);
    for (size_t t = 0; t < TECHNIQUES; t++)
        for (long started = 0; started <= 3; started++) {
            atomic_store(&threads_left, started);
            akin_status status = join(&s, &(kind){techniques[t], (int)started % 2, 1, 4, (int)started / 2, 0, 0});
            assert_true(atomic_load(&threads_left) < started);
            atomic_store(&threads_left, NEVER);
            assert_int_equal(status, AKIN_OK);
        }
    unmake(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_pairs_of_dense_tokens),
        cmocka_unit_test(many_partners_of_a_row),
        cmocka_unit_test(many_sparse_tokens),
        cmocka_unit_test(in_parts),
        cmocka_unit_test(in_buckets),
        cmocka_unit_test(of_equal_rows),
        cmocka_unit_test(best_partners),
        cmocka_unit_test(threads_do_not_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
