/* Rules for a plan that lacks them, while memory runs out: every allocation fails once, alone and with all that follow.
 * Leaks show under the address sanitizer. */
#define _GNU_SOURCE

#include "test_base_cancel.h"
#include "test_base_failing.h"
#include "test_table_support.h"

/* All kinds of rules: weeks of dates, codes, a combined column, ids. */
static const char text[] =
    "id,name,seen,what\n"
    "k1,anna berg,2024-01-02,a camera of the kind DSC120W in black\n"
    "k2,anna berk,2024-01-03,camera of the kind DSC120W and black\n"
    "k3,karl holm,2024-02-05,a case for the camera DSC150X in grey\n"
    "k4,carl holm,2024-02-06,case for the cameras DSC150X in grey\n"
    "k5,rosa lind,2024-03-01,a tripod of the kind TRI200P in white\n";

static akin_status make(const akin_table *left, const akin_table *right, akin_error *error)
{
    const char *const ignored[] = {"id"};
    akin_suggest_options options = AKIN_SUGGEST_OPTIONS_INIT;
    akin_dedupe_plan *plan = NULL;
    options.left = left;
    options.right = right;
    options.ignored = ignored;
    options.ignored_count = 1;
    akin_status status = akin_dedupe_plan_create(NULL, &plan, error);
    if (status == AKIN_OK)
        status = akin_dedupe_plan_add(plan, "id", "id", error);
    if (status == AKIN_OK)
        status = akin_dedupe_plan_suggest(&context, plan, &options, NULL, NULL, error);
    assert_true(status != AKIN_OK || !akin_dedupe_plan_is_partial(plan));
    akin_dedupe_plan_free(plan);
    return status;
}

static void fail_each(const akin_table *left, const akin_table *right)
{
    akin_error cancelled;
    CANCEL_EACH(&context, cancelled, make(left, right, &cancelled));
    for (int alone = 0; alone < 2; alone++)
        for (unsigned n = 0;; n++) {
            akin_error error = {.code = AKIN_OK};
            begin_failing(n, alone);
            akin_status status = make(left, right, &error);
            armed = 0;
            if (failed == 0) {
                assert_int_equal(status, AKIN_OK);
                assert_true(n > 40);
                break;
            }
            assert_int_equal(status, AKIN_E_NOMEM);
            assert_int_equal(error.code, AKIN_E_NOMEM);
        }
}

static void test_no_memory_is_an_error(void **state)
{
    akin_table *table = NULL;
    (void)state;
    assert_int_equal(read_bytes("a.csv", text, strlen(text), NULL, &table, NULL), AKIN_OK);
    fail_each(table, NULL);
    fail_each(table, table);
    akin_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_memory_is_an_error)};
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
