/* A search for nearest strings while memory runs out: every allocation fails once, alone and with all that follow.
 * Leaks show under the address sanitizer. */
#include "unit/test_base_failing.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/context.h"
#include "search/nearest.h"

#define STRINGS 300 /* more than bags list */
#define BYTES   10  /* of each */
#define LONG    300 /* of a query that is too long for places */

static akin_context context = {.scope = {.context = &context, .threads = 1}};

static akin_status search(const akin_column *column, const akin_column *queries, uint32_t k, akin_error *error)
{
    akin_ordered ordered;
    akin_status status = akin_ordered_make(akin_scope_of(&context), column, STRINGS, &ordered, error);
    if (status == AKIN_OK) {
        uint64_t *keys;
        uint32_t *found;
        status = akin_nearest_search(akin_scope_of(&context), &ordered, queries, NULL, 2, &k, &keys, &found, error);
        if (status == AKIN_OK) {
            assert_int_equal(found[0], k);
            assert_int_equal(keys[0], 7); /* itself */
        }
        akin_free(keys);
        akin_free(found);
    }
    akin_ordered_clear(&ordered);
    return status;
}

static void fail_each(const akin_column *column, const akin_column *queries, uint32_t k)
{
    akin_error error;
    assert_int_equal(search(column, queries, k, &error), AKIN_OK);
    for (int alone = 0; alone < 2; alone++) {
        unsigned n = 0;
        do {
            begin_failing(n++, alone);
            akin_status status = search(column, queries, k, &error);
            armed = 0;
            assert_int_equal(status, failed ? AKIN_E_NOMEM : AKIN_OK);
            assert_true(!failed || strstr(error.message, "not enough memory for "));
        } while (failed);
        assert_true(n > 15);
    }
}

static void every_allocation(void **state)
{
    static char bytes[STRINGS * BYTES], asked[BYTES + LONG];
    static uint64_t offsets[STRINGS + 1];
    const uint64_t asked_offsets[] = {0, BYTES, BYTES + LONG};
    const akin_column column = {sizeof column, "text", offsets, bytes, NULL, 0, NULL, 0, 0};
    const akin_column queries = {sizeof queries, "text", asked_offsets, asked, NULL, 0, NULL, 0, 0};
    (void)state;
    for (uint32_t i = 0; i < STRINGS; i++) {
        for (uint32_t j = 0; j < BYTES; j++)
            bytes[i * BYTES + j] = (char)('a' + (i * (j + 7) * 31 >> j) % 26);
        offsets[i + 1] = offsets[i] + BYTES;
    }
    memcpy(asked, bytes + 7 * BYTES, BYTES);
    memset(asked + BYTES, 'x', LONG);
    fail_each(&column, &queries, 3);
    fail_each(&column, &queries, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
