/* Tests of the sorts, against qsort on many shapes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/sort.h"
#include "base/sort_parallel.h"
#include "test_sanitizers.h"

#include <stdlib.h>
#include <string.h>

enum shape { RANDOM, FEW, EQUAL, ASCENDING, DESCENDING, PIPES, SAW, NEARLY, HIGH_BYTES, EXTREMES, SHAPES };

#define MOST 20000

static uint64_t key_of(enum shape shape, size_t i, size_t count, akin_random *random)
{
    switch (shape) {
    case RANDOM:
        return akin_random_next(random);
    case FEW:
        return akin_random_below(random, 5);
    case EQUAL:
        return 77;
    case ASCENDING:
        return i;
    case DESCENDING:
        return count - i;
    case PIPES:
        return i < count / 2 ? i : count - i;
    case SAW:
        return i % 37;
    case NEARLY:
        return akin_random_below(random, 50) ? i : akin_random_below(random, count);
    case HIGH_BYTES:
        return akin_random_below(random, 1000) << 40 | akin_random_below(random, 300);
    default:
        return akin_random_below(random, 2) ? UINT64_MAX - akin_random_below(random, 2) : akin_random_below(random, 2);
    }
}

static int compare_u64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void check(const uint64_t *keys, size_t count)
{
    static uint64_t expected[MOST], got[MOST], scratch[MOST];
    static uint32_t narrow[MOST];
    memcpy(expected, keys, count * sizeof *keys);
    qsort(expected, count, sizeof *expected, compare_u64);
    memcpy(got, keys, count * sizeof *keys);
    akin_sort_u64(got, count);
    assert_memory_equal(got, expected, count * sizeof *got);
    memcpy(got, keys, count * sizeof *keys);
    akin_radix_sort_u64(got, scratch, count);
    assert_memory_equal(got, expected, count * sizeof *got);

    for (size_t i = 0; i < count; i++) {
        narrow[i] = (uint32_t)(keys[i] ^ keys[i] >> 40);
        expected[i] = narrow[i];
    }
    qsort(expected, count, sizeof *expected, compare_u64);
    akin_sort_u32(narrow, count);
    for (size_t i = 0; i < count; i++)
        assert_true(narrow[i] == expected[i]);
}

static void all_shapes(void **state)
{
    (void)state;
    static const size_t counts[] = {1,  2,  3,  4,   5,   10,  15,  16,   17,   18,   24,   31,  48,
                                    49, 50, 99, 100, 255, 256, 257, 1000, 2047, 2048, 4097, MOST};
    static uint64_t keys[MOST];
    akin_random random;
    akin_random_seed(&random, 11);
    for (int shape = 0; shape < SHAPES; shape++) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            for (int round = 0; round < (counts[c] < 100 ? 20 : 1); round++) {
                for (size_t i = 0; i < counts[c]; i++)
                    keys[i] = key_of((enum shape)shape, i, counts[c], &random);
                check(keys, counts[c]);
            }
        }
    }
}

static void every_order_of_few(void **state)
{
    (void)state;
    for (uint32_t code = 0; code < 6 * 6 * 6 * 6 * 6 * 6; code++) { /* with repetitions */
        uint64_t keys[6];
        uint32_t rest = code;
        for (size_t i = 0; i < 6; i++, rest /= 6)
            keys[i] = rest % 6;
        check(keys, 6);
    }
}

/* An order that makes the medians of three as bad as can be (Musser 1997), so that heap sort has to come in. */
static void order_against_the_median_of_three(void **state)
{
    (void)state;
    static uint64_t keys[MOST];
    const size_t half = MOST / 2;
    for (size_t i = 1; i <= half; i++) {
        keys[i - 1] = i % 2 ? i : half + i - 1;
        keys[half + i - 1] = 2 * i;
    }
    check(keys, MOST);
}

static void nothing_to_sort(void **state)
{
    (void)state;
    akin_sort_u32(NULL, 0);
    akin_sort_u64(NULL, 0);
    akin_radix_sort_u64(NULL, NULL, 0);
}

#define MANY ((size_t)3 << 17) /* keys: more than are sorted in one go */

static int compare_u128(const void *a, const void *b)
{
    const akin_u128 x = *(const akin_u128 *)a, y = *(const akin_u128 *)b;
    return (x > y) - (x < y);
}

/* A shape's keys; the lower half is there so that none are equal in the upper one alone. */
static void make_many(enum shape shape, akin_u128 *keys, akin_random *random)
{
    for (size_t i = 0; i < MANY; i++)
        keys[i] = (akin_u128)key_of(shape, i, MANY, random) << 64 | key_of(shape, i, MANY, random);
}

/* The callback counts its calls, and cancels at the call of that number. */
typedef struct asked {
    int calls, stop_at; /* 0: never */
} asked;

static int answer(void *user)
{
    asked *a = user;
    return ++a->calls == a->stop_at;
}

static void many_keys(void **state)
{
    (void)state;
    akin_u128 *keys = malloc(MANY * sizeof *keys), *expected = malloc(MANY * sizeof *keys);
    uint64_t *words = malloc(2 * MANY * sizeof *words), *copy = malloc(MANY * sizeof *words);
    akin_random random;
    akin_random_seed(&random, 12);
    for (int shape = 0; shape < SHAPES; shape++) {
        make_many((enum shape)shape, keys, &random);
        for (size_t i = 0; i < MANY; i++)
            words[i] = (uint64_t)keys[i];
        memcpy(expected, keys, MANY * sizeof *keys);
        qsort(expected, MANY, sizeof *expected, compare_u128);
        assert_true(akin_sort_long_u128(keys, MANY, NULL));
        assert_memory_equal(keys, expected, MANY * sizeof *keys);
        memcpy(words + MANY, words, MANY * sizeof *words);
        assert_true(akin_sort_long_u64(words + MANY, MANY, NULL));
        memcpy(copy, words + MANY, MANY * sizeof *words);
        assert_true(akin_radix_sort_long_u64(words, words + MANY, MANY, 0, NULL));
        assert_memory_equal(words, copy, MANY * sizeof *words);
        for (size_t i = 1; i < MANY; i++)
            assert_true(words[i - 1] <= words[i]);
    }
    free(keys);
    free(expected);
    free(words);
    free(copy);
}

/* A sort checks for cancellation before it begins, and from then on. It stops at any of the checks. */
static void long_sorts_stop(void **state)
{
    (void)state;
    akin_u128 *keys = malloc(MANY * sizeof *keys);
    uint64_t *words = malloc(2 * MANY * sizeof *words);
    akin_random random;
    akin_random_seed(&random, 13);
    asked a = {.stop_at = 1};
    akin_context context = {.scope = {.context = &context, .threads = 1, .reporter = {.cancel = answer, .user = &a}}};
    atomic_int cancelled = 0;
    akin_cancellation asking = {akin_scope_of(&context), &cancelled, 0, 0};
    make_many(RANDOM, keys, &random);
    for (size_t i = 0; i < MANY; i++)
        words[i] = (uint64_t)keys[i];
    assert_false(akin_sort_long_u128(keys, MANY, &asking));
    assert_int_equal(a.calls, 1);
    assert_false(akin_radix_sort_long_u64(words, words + MANY, MANY, 0, &asking)); /* it is cancelled */
    cancelled = 0;
    asking.reported_at = 0;
    a = (asked){.stop_at = 1};
    assert_false(akin_radix_sort_long_u64(words, words + MANY, MANY, 0, &asking));
    assert_int_equal(a.calls, 1);
    free(keys);
    free(words);
}

/* By several threads, and alone where the account has no room for copies: the same order. */
static void parallel_sorts(void **state)
{
    (void)state;
    static const uint32_t threads[] = {3, 1, 2, 8};
    static const size_t counts[] = {0, 1, 65535, 65536, MANY};
    static const enum shape shapes[] = {RANDOM, FEW, EQUAL, SAW, EXTREMES};
    akin_u128 *keys = malloc(MANY * sizeof *keys), *expected = malloc(MANY * sizeof *keys);
    akin_u128 *got = malloc(MANY * sizeof *keys);
    akin_context context = {.scope = {.context = &context}};
    akin_random random;
    akin_random_seed(&random, 14);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            make_many(shapes[s], keys, &random);
            memcpy(expected, keys, counts[c] * sizeof *keys);
            qsort(expected, counts[c], sizeof *expected, compare_u128);
            for (size_t i = 0; i < (UNDER_TSAN ? 1 : 2 * sizeof threads / sizeof *threads); i++) {
                akin_account account = {.limit = i % 2 ? 100000 : 0};
                context.scope.threads = threads[i / 2];
                memcpy(got, keys, counts[c] * sizeof *keys);
                assert_int_equal(akin_sort_parallel_u128(&context.scope, &account, got, counts[c]), AKIN_OK);
                assert_memory_equal(got, expected, counts[c] * sizeof *got);
                assert_int_equal(account.held, 0);
                assert_true(!account.limit || account.peak <= account.limit);
            }
        }
    free(keys);
    free(expected);
    free(got);
}

static void parallel_sorts_of_words(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 65535, 65536, MANY};
    static const enum shape shapes[] = {RANDOM, FEW, EQUAL, SAW, EXTREMES};
    akin_u128 *keys = malloc(MANY * sizeof *keys);
    uint64_t *expected = malloc(MANY * sizeof *expected), *got = malloc(MANY * sizeof *got);
    akin_context context = {.scope = {.context = &context}};
    akin_random random;
    akin_random_seed(&random, 16);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            make_many(shapes[s], keys, &random);
            for (size_t i = 0; i < counts[c]; i++)
                expected[i] = (uint64_t)keys[i];
            qsort(expected, counts[c], sizeof *expected, compare_u64);
            for (uint32_t threads = 1; threads < (UNDER_TSAN ? 3 : 9); threads = 2 * threads + 1) {
                akin_account account = {.limit = threads == 7 ? 100000 : 0};
                context.scope.threads = threads;
                for (size_t i = 0; i < counts[c]; i++)
                    got[i] = (uint64_t)keys[i];
                assert_int_equal(akin_sort_parallel_u64(&context.scope, &account, got, counts[c]), AKIN_OK);
                assert_memory_equal(got, expected, counts[c] * sizeof *got);
                assert_int_equal(account.held, 0);
            }
        }
    free(keys);
    free(expected);
    free(got);
}

static void parallel_sorts_stop(void **state)
{
    (void)state;
    akin_u128 *keys = malloc(MANY * sizeof *keys);
    akin_random random;
    akin_random_seed(&random, 15);
    for (uint64_t is_short = 0; is_short < 2; is_short++) {
        akin_account account = {.limit = is_short};
        asked a = {.stop_at = 1};
        akin_context context = {
            .scope = {.context = &context, .threads = 2, .reporter = {.cancel = answer, .user = &a}}};
        make_many(RANDOM, keys, &random);
        assert_int_equal(akin_sort_parallel_u128(&context.scope, &account, keys, MANY), AKIN_E_CANCELLED);
        assert_int_equal(account.held, 0);
    }
    free(keys);
}

/* A sort that is cancelled at any check leaves all keys, in some order. */
static void parallel_sorts_lose_nothing(void **state)
{
    (void)state;
    akin_u128 *keys = malloc(MANY * sizeof *keys), *expected = malloc(MANY * sizeof *keys);
    akin_random random;
    akin_random_seed(&random, 16);
    make_many(RANDOM, keys, &random);
    memcpy(expected, keys, MANY * sizeof *keys);
    akin_sort_u128(expected, MANY);
    akin_status status = AKIN_E_CANCELLED;
    uint64_t checks = 1;
    for (; status == AKIN_E_CANCELLED; checks++) {
        akin_account account = {0};
        asked a = {.stop_at = (int)checks};
        akin_context context = {
            .scope = {.context = &context, .threads = 2, .reporter = {.cancel = answer, .user = &a}}};
        status = akin_sort_parallel_u128(&context.scope, &account, keys, MANY);
        akin_u128 *kept = malloc(MANY * sizeof *kept);
        memcpy(kept, keys, MANY * sizeof *kept);
        akin_sort_u128(kept, MANY);
        assert_memory_equal(kept, expected, MANY * sizeof *kept);
        free(kept);
    }
    assert_int_equal(status, AKIN_OK);
    assert_memory_equal(keys, expected, MANY * sizeof *keys);
    assert_true(checks > 3);
    free(expected);
    free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parallel_sorts),      cmocka_unit_test(parallel_sorts_of_words),
        cmocka_unit_test(parallel_sorts_stop), cmocka_unit_test(all_shapes),
        cmocka_unit_test(every_order_of_few),  cmocka_unit_test(order_against_the_median_of_three),
        cmocka_unit_test(nothing_to_sort),     cmocka_unit_test(many_keys),
        cmocka_unit_test(long_sorts_stop),     cmocka_unit_test(parallel_sorts_lose_nothing),
    };
    return RUN_TESTS(tests, 3, NULL, NULL);
}
