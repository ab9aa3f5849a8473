/* Strings while memory runs out: every allocation fails once, and what could not be made can be made again. */
#include "unit/test_base_failing.h"
#include "unit/test_strings_support.h"

#include "akin.h"
#include "base/context.h"

static akin_wishes wishes; /* of the tests below */

/* Answers whether symbols and pattern could be made; if so, checks that they give the distance. */
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

#define STRINGS 60

/* A column of random strings. */
typedef struct made {
    char bytes[STRINGS * 4 * 40];
    uint64_t offsets[STRINGS + 1];
    akin_column column;
} made;

static void make_column(uint32_t kinds, made *m)
{
    static string one;
    akin_random random;
    akin_random_seed(&random, kinds);
    m->offsets[0] = 0;
    for (uint32_t i = 0; i < STRINGS; i++) {
        draw_string(&random, kinds, 1 + i % 40, &one);
        memcpy(m->bytes + m->offsets[i], one.text, one.bytes);
        m->offsets[i + 1] = m->offsets[i] + one.bytes;
    }
    m->column = (akin_column){sizeof m->column, NULL, m->offsets, m->bytes, NULL, 0, NULL, 0, 0};
}

static int count_pairs(void *user, const akin_pair *pairs, size_t count)
{
    (void)pairs;
    *(uint64_t *)user += count;
    return 0;
}

/* A job with allocations that fail, each in turn: it says so, or does what it should. */
typedef akin_status (*job)(akin_context *context, const made *m, uint64_t *found, akin_error *error);

static akin_status join(akin_context *context, const made *m, uint64_t *found, akin_error *error)
{
    akin_match_options options = AKIN_MATCH_OPTIONS_INIT;
    options.cutoff = (akin_ratio){1, 5};
    *found = 0;
    return akin_match(context, &m->column, STRINGS, NULL, 0, &options, count_pairs, found, NULL, NULL, error);
}

static akin_status join_two_by_segments(akin_context *context, const made *m, uint64_t *found, akin_error *error)
{
    akin_match_options options = AKIN_MATCH_OPTIONS_INIT;
    options.cutoff = (akin_ratio){0, 1};
    options.most = 2;
    options.technique = AKIN_MATCH_SEGMENTS;
    *found = 0;
    return akin_match(context, &m->column, STRINGS, &m->column, STRINGS, &options, count_pairs, found, NULL, NULL,
                      error);
}

static akin_status join_two_by_jaro(akin_context *context, const made *m, uint64_t *found, akin_error *error)
{
    akin_match_options options = AKIN_MATCH_OPTIONS_INIT;
    akin_compare_options compare = AKIN_COMPARE_OPTIONS_INIT;
    compare.comparator = AKIN_JARO_WINKLER;
    options.compare = &compare;
    options.cutoff = (akin_ratio){3, 10};
    options.any_order = 1;
    *found = 0;
    return akin_match(context, &m->column, STRINGS, &m->column, STRINGS, &options, count_pairs, found, NULL, NULL,
                      error);
}

static akin_status join_top(akin_context *context, const made *m, uint64_t *found, akin_error *error)
{
    akin_match_options options = AKIN_MATCH_OPTIONS_INIT;
    options.cutoff = AKIN_CUTOFF_ANY;
    options.top = 2;
    *found = 0;
    return akin_match(context, &m->column, STRINGS, NULL, 0, &options, count_pairs, found, NULL, NULL, error);
}

static akin_status search(akin_context *context, const made *m, uint64_t *found, akin_error *error)
{
    static akin_hit hits[STRINGS];
    akin_match_options options = AKIN_MATCH_OPTIONS_INIT;
    akin_batch *batch = NULL;
    options.cutoff = (akin_ratio){1, 10};
    akin_status status = akin_batch_create(context, &m->column, STRINGS, 0, &batch, error);
    if (status == AKIN_OK)
        status = akin_batch_search(context, batch, &options, m->bytes, m->offsets[1], hits, STRINGS, found, error);
    akin_batch_free(batch);
    return status;
}

static void every_allocation_of_a_job(void **state)
{
    static const job jobs[] = {join, join_two_by_segments, join_two_by_jaro, join_top, search};
    static const uint32_t kinds[] = {5, 80};
    static made m;
    akin_context *context = NULL;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    (void)state;
    options.threads = 1;
    options.device = "cpu";
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
    for (uint32_t k = 0; k < 20; k++) {
        uint64_t expected, found;
        akin_error error;
        uint32_t n = 0;
        context->scope.memory = k >= 10 ? (uint64_t)16 << 20 : 0;
        context->wishes = &wishes;
        wishes.part_tokens = k >= 10 ? 25 : 0;
        make_column(kinds[k % 2], &m);
        assert_int_equal(jobs[k / 2 % 5](context, &m, &expected, &error), AKIN_OK);
        assert_true(expected > 0);
        do {
            armed = only_once = 1;
            countdown = n++;
            failed = 0;
            akin_status status = jobs[k / 2 % 5](context, &m, &found, &error);
            armed = 0;
            assert_int_equal(status, failed ? AKIN_E_NOMEM : AKIN_OK);
        } while (failed);
        assert_true(n > 8);
        assert_int_equal(found, expected);
    }
    akin_context_free(context);
}

#define MANY 6000 /* partners of a string: so many that they are compared before all are known */
#define FEW  6

/* Memory for pairs may run out wherever they are found. */
static void every_allocation_of_many_pairs(void **state)
{
    static char bytes[MANY * 20];
    static uint64_t offsets[MANY + 1];
    static const akin_wishes all_rows = {.equal_rows = -1};
    const akin_column column = {sizeof column, NULL, offsets, bytes, NULL, 0, NULL, 0, 0};
    akin_context context = {.scope = {.context = &context, .threads = 1}, .wishes = &all_rows};
    akin_match_options options = AKIN_MATCH_OPTIONS_INIT;
    akin_random random;
    (void)state;
    akin_random_seed(&random, 11);
    memset(bytes, 'a', sizeof bytes);
    for (uint32_t i = 0; i < MANY; i++) {
        bytes[20 * i + akin_random_below(&random, 20)] = (char)('a' + akin_random_below(&random, 26));
        offsets[i + 1] = offsets[i] + 20;
    }
    options.cutoff = (akin_ratio){0, 1};
    options.most = 2;
    options.technique = AKIN_MATCH_SEGMENTS;
    for (int side = 0; side < 2; side++)
        for (unsigned n = 0, again = 1; again; n += FAILING_STEP) {
            uint64_t found = 0;
            begin_failing(n, 1);
            const akin_status status = akin_match(&context, &column, side ? FEW : MANY, &column, side ? MANY : FEW,
                                                  &options, count_pairs, &found, NULL, NULL, NULL);
            armed = 0;
            again = failed > 0;
            assert_int_equal(status, failed ? AKIN_E_NOMEM : AKIN_OK);
            assert_true(again || (found == FEW * MANY && n > 10));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation), cmocka_unit_test(every_allocation_of_a_job),
                                       cmocka_unit_test(every_allocation_of_many_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
