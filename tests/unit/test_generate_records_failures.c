/*
 * Made-up records while memory runs out: each allocation fails once, alone and with all that follow. Leaks show under
 * the address sanitizer. All of them make the words again. So there are few rows; and behind the first allocations,
 * which differ, those of columns that grow are alike: every eleventh of these fails, each in another column.
 */
#include "unit/test_base_failing.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "akin_generate.h"
#include "base/context.h"

#define ORIGINALS  90
#define DUPLICATES 10
#define DIFFERING  24 /* allocations at the beginning, at least: those before the first block of rows */
#define STEP       11

static akin_context context = {.scope = {.context = &context, .threads = 1}};

static int count_rows(void *user, const akin_records_batch *batch)
{
    uint64_t *rows = user;
    rows[batch->table - 1] += batch->rows;
    return 0;
}

static void fail_each(akin_records_kind kind, int alone)
{
    akin_records_options options = AKIN_RECORDS_OPTIONS_INIT;
    uint64_t rows[3];
    akin_error error;
    unsigned n = 0;
    options.kind = kind;
    options.rows = ORIGINALS + DUPLICATES;
    options.most_copies = 1;
    options.linked = 1;
    do {
        memset(rows, 0, sizeof rows);
        begin_failing(n, alone);
        n += n < DIFFERING ? 1 : STEP;
        akin_status status = akin_records_generate(&context, &options, count_rows, rows, &error);
        armed = 0;
        assert_int_equal(status, failed ? AKIN_E_NOMEM : AKIN_OK);
        assert_true(!failed || (error.code == AKIN_E_NOMEM && strstr(error.message, "not enough memory for ")));
    } while (failed);
    assert_int_equal(rows[0], ORIGINALS);
    assert_int_equal(rows[1], DUPLICATES);
    assert_int_equal(rows[2], DUPLICATES);
    assert_true(n > DIFFERING + 3 * STEP); /* columns have grown, too */
}

static void every_allocation(void **state)
{
    (void)state;
    for (int alone = 0; alone < 2; alone++) {
        fail_each(AKIN_RECORDS_PEOPLE, alone);
        fail_each(AKIN_RECORDS_CD, alone);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
