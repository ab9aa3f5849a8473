/* The choice of a way to find the best partners: prefixes for short sets and a high threshold, else counts. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/random.h"
#include "join/top.h"
#include "property/rows.h"

#define SIZE_MOST 100

/* Sets of `size` tokens of a universe, low ones more often. */
static akin_sets *make_sets(uint32_t count, uint32_t size, uint32_t universe)
{
    akin_random random;
    rows made = {0};
    akin_random_seed(&random, 7);
    for (uint32_t row = 0; row < count; row++) {
        uint32_t tokens[SIZE_MOST];
        for (uint32_t i = 0; i < size; i++)
            tokens[i] = (uint32_t)akin_random_below(&random, 1 + akin_random_below(&random, universe));
        rows_add(&made, tokens, size);
    }
    akin_sets *sets = rows_to_sets(&made);
    rows_clear(&made);
    return sets;
}

/* The way that is chosen for the sets and a Jaccard similarity. */
static const akin_top_way *chosen(const akin_sets *sets, akin_ratio threshold, const akin_top_way *wished)
{
    const akin_wishes wishes = {.top_way = wished};
    akin_context context = {
        .scope = {.context = &context, .threads = 1}, .cpu_best = AKIN_CPU_SCALAR, .wishes = &wishes};
    akin_account account = {0};
    akin_ranked ranked = {0};
    akin_error error;
    akin_top top = {.scope = &context.scope, .account = &account, .self = 1, .k = 3, .right = sets};
    top.probes = top.indexed = &ranked;
    assert_int_equal(akin_threshold_make(AKIN_JACCARD, threshold, &top.least, &error), AKIN_OK);
    assert_int_equal(akin_rank_sets(&context.scope, &account, sets, NULL, &ranked, NULL, &error), AKIN_OK);
    assert_int_equal(akin_parity_build(&context.scope, &account, &ranked, 512, &top.parity, &error), AKIN_OK);
    const uint64_t held = account.held;
    assert_int_equal(akin_top_choose(&top, &error), AKIN_OK);
    assert_int_equal(account.held, held);
    akin_parity_clear(&top.parity);
    akin_ranked_clear(&ranked);
    return top.way;
}

static void choices(void **state)
{
    static const struct {
        uint32_t count, size, universe;
        akin_ratio threshold;
        const akin_top_way *way;
    } cases[] = {
        {50000, 6, 3000, {4, 5}, &akin_top_prefix},   {50000, 6, 3000, {1, 10}, &akin_top_counted},
        {3000, 90, 400, {9, 10}, &akin_top_counted}, /* half of a token's sets have it in their prefix */
        {3000, 90, 90000, {9, 10}, &akin_top_prefix}, {0, 6, 100, {1, 2}, &akin_top_counted},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        akin_sets *sets = make_sets(cases[i].count, cases[i].size, cases[i].universe);
        assert_ptr_equal(chosen(sets, cases[i].threshold, NULL), cases[i].way);
        assert_ptr_equal(chosen(sets, cases[i].threshold, &akin_top_prefix), &akin_top_prefix);
        assert_ptr_equal(chosen(sets, cases[i].threshold, &akin_top_counted), &akin_top_counted);
        akin_sets_free(sets);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(choices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
