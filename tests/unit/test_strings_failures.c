/* Strings while memory runs out: every allocation fails once, and what could not be made can be made again. */
#include "unit/test_base_failing.h"
#include "unit/test_strings_support.h"

/* Answers whether symbols and pattern could be made; if so, that they tell the distance. */
static int make(akin_points *points, akin_pattern *pattern, const string *s, const string *other)
{
    akin_symbols symbols, text;
    akin_points others = {.account = NULL};
    uint32_t fault;
    akin_symbols_status status = akin_symbols_of(s->text, s->bytes, points, &symbols, &fault);
    assert_true(status == AKIN_SYMBOLS_OK || status == AKIN_SYMBOLS_NOMEM);
    if (status != AKIN_SYMBOLS_OK || !akin_pattern_set(pattern, &symbols))
        return 0;
    armed = 0;
    assert_int_equal(akin_symbols_of(other->text, other->bytes, &others, &text, &fault), AKIN_SYMBOLS_OK);
    assert_int_equal(akin_levenshtein(pattern, &text, UINT32_MAX),
                     distance_by_matrix(s->symbols, s->length, other->symbols, other->length, 0));
    akin_points_clear(&others);
    return 1;
}

static void every_allocation(void **state)
{
    (void)state;
    static string strings[3];
    akin_random random;
    akin_random_seed(&random, 3);
    for (uint32_t k = 0; k < 3; k++)
        draw_string(&random, 20, 10 + 100 * k, &strings[k]);
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t n = 0;
        do {
            akin_points points = {.account = NULL};
            akin_pattern pattern = {.account = NULL};
            make(&points, &pattern, &strings[0], &strings[1]); /* what was there before is larger or smaller */
            armed = only_once = 1;
            countdown = n++;
            failed = 0;
            int made = make(&points, &pattern, &strings[k], &strings[1]);
            armed = 0;
            assert_true(made == !failed);
            assert_true(make(&points, &pattern, &strings[2 - k], &strings[1]));
            akin_points_clear(&points);
            akin_pattern_clear(&pattern);
        } while (failed);
        assert_true(k == 0 || n > 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
