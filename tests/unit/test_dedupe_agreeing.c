/* Pairs that agree in a value: drawn as from a list of all of them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/random.h"
#include "dedupe/agreeing.h"
#include "dedupe/values.h"

#define RECORDS 900
#define LEFTS   500
#define VALUES  200
#define COUNT   1000
#define AT_ONCE 128
#define SEED    7

/* Records with values, a few of which are frequent. */
typedef struct table {
    uint32_t of[RECORDS], counts[VALUES], lefts[VALUES];
    akin_agreeing agreeing;
} table;

static void make_table(table *t, int tables, uint32_t records)
{
    akin_random random;
    *t = (table){.of = {0}};
    akin_random_seed(&random, 3);
    for (uint32_t r = 0; r < records; r++) {
        const uint32_t below = akin_random_below(&random, 2) ? 5 : VALUES;
        t->of[r] = akin_random_below(&random, 10) ? (uint32_t)akin_random_below(&random, below) : AKIN_VALUE_NONE;
        if (t->of[r] == AKIN_VALUE_NONE)
            continue;
        t->counts[t->of[r]]++;
        t->lefts[t->of[r]] += r < LEFTS;
    }
    t->agreeing = (akin_agreeing){t->of, t->counts, tables == 2 ? t->lefts : NULL, records, VALUES};
}

/* Lists all pairs: by value; of one table by the larger record, of two by the left one. */
static uint64_t list_pairs(const table *t, uint32_t *pairs)
{
    uint64_t count = 0;
    for (uint32_t v = 0; v < VALUES; v++)
        for (uint32_t a = 0; a < t->agreeing.records; a++)
            for (uint32_t b = 0; b < t->agreeing.records; b++) {
                const uint32_t x = t->agreeing.lefts ? a : b, y = t->agreeing.lefts ? b : a;
                if (t->of[x] != v || t->of[y] != v || (t->agreeing.lefts ? x >= LEFTS || y < LEFTS : x >= y))
                    continue;
                pairs[2 * count] = x;
                pairs[2 * count++ + 1] = y;
            }
    return count;
}

static void check(int tables)
{
    static table t;
    static uint32_t all[RECORDS * RECORDS], drawn[2 * COUNT];
    akin_account account = {0};
    akin_random random;
    make_table(&t, tables, RECORDS);
    const uint64_t count = list_pairs(&t, all);
    assert_int_equal(akin_agreeing_pairs(&t.agreeing), count);
    assert_int_equal(akin_agreeing_draw(&t.agreeing, &account, SEED, COUNT, AT_ONCE, drawn), AKIN_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        if (i % AT_ONCE == 0)
            akin_random_seed(&random, SEED + i / AT_ONCE);
        assert_memory_equal(drawn + (size_t)2 * i, all + 2 * akin_random_below(&random, count), 2 * sizeof *drawn);
    }
    assert_int_equal(account.held, 0);
}

static void of_one_table(void **state)
{
    (void)state;
    check(1);
}

static void of_two_tables(void **state)
{
    (void)state;
    check(2);
}

/* Where no pair agrees, none is drawn. */
static void of_none(void **state)
{
    static table t;
    uint32_t drawn[2] = {1, 2};
    akin_account account = {0};
    (void)state;
    make_table(&t, 1, 1);
    assert_int_equal(akin_agreeing_pairs(&t.agreeing), 0);
    assert_int_equal(akin_agreeing_draw(&t.agreeing, &account, SEED, 1, 1, drawn), AKIN_OK);
    assert_true(drawn[0] == 1 && drawn[1] == 2);
}

/* No memory at all. */
static void without_memory(void **state)
{
    static table t;
    static uint32_t drawn[2 * COUNT];
    akin_account account = {.limit = 1000};
    (void)state;
    make_table(&t, 1, RECORDS);
    assert_int_equal(akin_agreeing_draw(&t.agreeing, &account, SEED, COUNT, AT_ONCE, drawn), AKIN_E_NOMEM);
    assert_int_equal(account.held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_one_table),
        cmocka_unit_test(of_two_tables),
        cmocka_unit_test(of_none),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
