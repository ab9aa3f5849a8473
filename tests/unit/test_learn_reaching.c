/* Which probabilities are large enough, and their sum: the same with any number of threads. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "learn/reaching.h"
#include "unit/test_learn_support.h"

#define COUNT 200000

static void check(const double *probabilities, uint64_t count, uint32_t threads, double *sum)
{
    akin_context context = context_of(&context, threads);
    akin_account account = {0};
    akin_error error;
    uint64_t *numbers, found, at = 0;
    double plain = 0;
    assert_int_equal(
        akin_reaching_list(&context.scope, &account, probabilities, count, 0.9, &numbers, &found, sum, &error),
        AKIN_OK);
    for (uint64_t i = 0; i < count; i++) {
        plain += probabilities[i];
        if (probabilities[i] >= 0.9)
            assert_true(at < found && numbers[at++] == i);
    }
    assert_int_equal(at, found);
    assert_true(!sum || fabs(*sum - plain) <= 1e-9 * plain);
    akin_free(numbers);
    assert_int_equal(account.held, 0);
}

static void any_threads(void **state)
{
    double *probabilities = malloc(COUNT * sizeof *probabilities), one, other;
    akin_random random;
    (void)state;
    assert_non_null(probabilities);
    akin_random_seed(&random, 1);
    for (uint64_t i = 0; i < COUNT; i++)
        probabilities[i] = akin_random_unit(&random);
    check(probabilities, COUNT, 1, &one);
    for (uint32_t threads = 2; threads <= 5; threads++) {
        check(probabilities, COUNT, threads, &other);
        assert_true(one == other);
    }
    check(probabilities, COUNT, 2, NULL);
    check(probabilities, 0, 2, &other);
    free(probabilities);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
