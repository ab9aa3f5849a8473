/* Repeated passages while memory runs out: every allocation fails once, alone and with all that follow. Leaks show
 * under the address sanitizer. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "test_base_failing.h"

static const char text[] =
    "The mill on the river, \xc3\xa9 and the town. THE MILL on the river; \xc3\xa9 and the TOWN! "
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
static const uint64_t offsets[] = {0, 40, sizeof text - 1};

static void fail_each(uint32_t unit, uint32_t keep, int once)
{
    akin_context context = {.scope = {.context = &context, .threads = 2, .cpu = akin_cpu_detect()}};
    const akin_column column = {.size = sizeof column, .offsets = offsets, .bytes = text};
    akin_repeats_options options = AKIN_REPEATS_OPTIONS_INIT;
    unsigned refused = 0;
    options.unit = unit;
    options.keep = keep;
    options.length = unit == AKIN_REPEATS_WORDS ? 3 : 8;
    for (unsigned n = 0;; n++) {
        akin_repeats *repeats = NULL;
        akin_error error;
        begin_failing(n, once);
        const akin_status status = akin_repeats_find(&context, &column, 2, &options, &repeats, &error);
        armed = 0;
        if (status == AKIN_OK) {
            assert_true(akin_repeats_count(repeats) > 0);
            akin_repeats_free(repeats);
        } else {
            refused++;
            assert_int_equal(status, AKIN_E_NOMEM);
            assert_non_null(strstr(error.message, "memory"));
            assert_null(repeats);
        }
        if (failed == 0)
            break;
    }
    assert_true(refused > 5);
}

static void every_allocation(void **state)
{
    (void)state;
    for (int once = 0; once < 2; once++) {
        fail_each(AKIN_REPEATS_BYTES, AKIN_KEEP_FIRST, once);
        fail_each(AKIN_REPEATS_BYTES, AKIN_KEEP_NONE, once);
        fail_each(AKIN_REPEATS_WORDS, AKIN_KEEP_FIRST, once);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
