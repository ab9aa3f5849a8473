/* A join with a reference table while memory runs out: every allocation fails once, alone and with all that follow.
 * Leaks show under the address sanitizer. */
#define _POSIX_C_SOURCE 200809L

#include "unit/test_base_failing.h"
#include "unit/test_base_cancel.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "unit/test_dedupe_reference.h"

static akin_context context = {.scope = {.context = &context, .threads = 1}};

static titles left, right;

static akin_status find(const question *q, uint64_t *found, akin_error *error)
{
    *found = 0;
    return akin_dedupe(&context, &left.column, left.rows, &right.column, right.rows, 1, &q->options, NULL, NULL, found,
                       NULL, error);
}

static void every_allocation(void **state)
{
    question q;
    akin_error error;
    uint64_t expected, found;
    (void)state;
    make_titles(&left, 1, 40);
    make_others(&right, &left, 1, 30);
    assert_int_equal(find(ask(&q, (akin_ratio){9, 10}), &expected, &error), AKIN_OK);
    assert_true(expected > 0);
    CANCEL_EACH(&context, error, find(&q, &found, &error));
    for (int alone = 0; alone < 2; alone++)
        for (unsigned n = 0, goes_on = 1; goes_on; n += FAILING_STEP) {
            begin_failing(n, alone);
            const akin_status status = find(&q, &found, &error);
            armed = 0;
            assert_int_equal(status, failed ? AKIN_E_NOMEM : AKIN_OK);
            assert_true(!failed || (error.code == AKIN_E_NOMEM && strstr(error.message, "memory")));
            goes_on = failed;
            assert_true(goes_on || (found == expected && n > 60));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
