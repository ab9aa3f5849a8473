/* Generated collections: the same everywhere, in the shape of the options, made in bounded time whatever the
 * options. */
#include "base/context.h"
#include "test_sets_support.h"
#include "test_sanitizers.h"

#include "sets/zipf.h"

#include <math.h>

static akin_sets *generate(akin_generate_options options, uint32_t threads)
{
    akin_context context = context_of(&context, threads);
    akin_error error;
    akin_sets *sets = NULL;
    if (akin_sets_generate(&context, &options, &sets, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    assert_sets_valid(sets);
    assert_int_equal(akin_sets_rows(sets), options.rows);
    return sets;
}

static akin_generate_options options_of(uint32_t rows, uint32_t universe, double mean, double deviation, double zipf,
                                        double duplicates)
{
    akin_generate_options options = AKIN_GENERATE_OPTIONS_INIT;
    options.rows = rows;
    options.universe = universe;
    options.size_mean = mean;
    options.size_deviation = deviation;
    options.zipf = zipf;
    options.duplicates = duplicates;
    return options;
}

/* FNV-1a over sizes and tokens. */
static uint64_t fingerprint(const akin_sets *sets)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t row = 0; row < akin_sets_rows(sets); row++) {
        const uint32_t *tokens;
        uint32_t size = akin_sets_row(sets, row, &tokens);
        hash = (hash ^ size) * UINT64_C(0x100000001b3);
        for (uint32_t i = 0; i < size; i++)
            hash = (hash ^ tokens[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* --------------------------------------------------------------------------------------------------------- the same */

/* These numbers are part of what a seed means: they may change with a new version, not with a machine or a compiler. */
static void test_same_everywhere(void **state)
{
    const struct {
        akin_generate_options options;
        uint64_t fingerprint;
    } cases[] = {
        {options_of(5000, 50000, 10, 3, 1, .05), UINT64_C(0x5f60d11698eedc14)},
        {options_of(3000, 1000000, 20, 9, 0, .3), UINT64_C(0x64a483a8c015b979)},
        {options_of(3000, 300, 40, 30, 2.5, .2), UINT64_C(0xfb7901d854d11494)},
        {options_of(2000, 70, 60, 9, .37, .5), UINT64_C(0x139803abc2674f1e)},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        akin_sets *sets = generate(cases[i].options, 1);
        if (fingerprint(sets) != cases[i].fingerprint)
            fail_msg("case %zu: 0x%llx", i, (unsigned long long)fingerprint(sets));
        akin_sets_free(sets);
    }
}

static void test_first_rows(void **state)
{
    akin_sets *sets = generate(options_of(4, 20, 4, 1, 1, 0), 1);
    (void)state;
    assert_sets_text(sets, "0 1 2 6 9 17\n0 2 8 14\n0 1 17\n0 5 6 8 19\n");
    akin_sets_free(sets);
}

static void test_threads(void **state)
{
    akin_generate_options options = options_of(20000, 3000, 12, 6, 1.2, .3);
    akin_sets *one = generate(options, 1);
    (void)state;
    for (uint32_t threads = 2; threads <= 8; threads += 3) {
        akin_sets *many = generate(options, threads);
        assert_sets_equal(one, many);
        akin_sets_free(many);
    }
    options.seed++;
    akin_sets *other = generate(options, 1);
    assert_int_not_equal(fingerprint(one), fingerprint(other));
    akin_sets_free(other);
    akin_sets_free(one);
}

/* A longer collection begins with a shorter one of the same seed. */
static void test_prefix(void **state)
{
    akin_sets *all = generate(options_of(3000, 3000, 12, 6, 1, .3), 2);
    (void)state;
    for (uint32_t rows = 0; rows < 3000; rows += 700) {
        akin_sets *part = generate(options_of(rows, 3000, 12, 6, 1, .3), 1);
        for (uint32_t row = 0; row < rows; row++) {
            const uint32_t *a, *b;
            uint32_t size = akin_sets_row(part, row, &a);
            assert_int_equal(akin_sets_row(all, row, &b), size);
            assert_memory_equal(a, b, size * sizeof *a);
        }
        akin_sets_free(part);
    }
    akin_sets_free(all);
}

/* ------------------------------------------------------------------------------------------------------------ sizes */

static void test_sizes(void **state)
{
    enum { rows = 40000 };
    akin_sets *sets = generate(options_of(rows, 100000, 50, 8, 0, 0), 2);
    double sum = 0, squares = 0;
    unsigned within = 0;
    (void)state;
    for (uint32_t row = 0; row < rows; row++) {
        double size = akin_sets_row(sets, row, NULL);
        sum += size;
        squares += size * size;
        within += size >= 42 && size <= 58;
    }
    double mean = sum / rows, deviation = sqrt(squares / rows - mean * mean);
    assert_true(fabs(mean - 50) < 0.2);
    assert_true(fabs(deviation - 8) < 0.2);
    assert_true(fabs(within / (double)rows - 0.712) < 0.015); /* of a normal distribution within 8.5 / 8 deviations */
    akin_sets_free(sets);
}

/* Mean and deviation are those of the options, and those of the logarithms those of a lognormal distribution. */
static void test_lognormal_sizes(void **state)
{
    enum { rows = 40000 };
    akin_generate_options options = options_of(rows, 100000, 50, 40, 0, 0);
    double sum = 0, squares = 0, logarithms = 0, their_squares = 0;
    (void)state;
    options.lognormal = 1;
    akin_sets *sets = generate(options, 2);
    for (uint32_t row = 0; row < rows; row++) {
        const double size = akin_sets_row(sets, row, NULL);
        sum += size;
        squares += size * size;
        logarithms += log(size);
        their_squares += log(size) * log(size);
    }
    const double mean = sum / rows, log_mean = logarithms / rows, variance = log(1 + 0.8 * 0.8);
    assert_true(fabs(mean - 50) < 1);
    assert_true(fabs(sqrt(squares / rows - mean * mean) - 40) < 2);
    assert_true(fabs(log_mean - (log(50) - variance / 2)) < 0.02);
    assert_true(fabs(their_squares / rows - log_mean * log_mean - variance) < 0.02);
    akin_sets_free(sets);
}

static void check_bounds(akin_generate_options options, uint32_t least, uint32_t most)
{
    akin_sets *sets = generate(options, 1);
    uint32_t smallest = UINT32_MAX, largest = 0;
    for (uint32_t row = 0; row < options.rows; row++) {
        uint32_t size = akin_sets_row(sets, row, NULL);
        smallest = size < smallest ? size : smallest;
        largest = size > largest ? size : largest;
    }
    assert_int_equal(smallest, least);
    assert_int_equal(largest, most);
    akin_sets_free(sets);
}

static void test_bounds(void **state)
{
    akin_generate_options options = options_of(5000, 1000, 10, 4, 1, .1);
    (void)state;
    options.size_smallest = 8;
    options.size_largest = 13;
    check_bounds(options, 8, 13);
    options.size_smallest = options.size_largest = 10;
    check_bounds(options, 10, 10);
    options.size_smallest = options.size_largest = 500; /* never drawn, so cut */
    check_bounds(options, 500, 500);
    options.size_smallest = 0;
    options.size_largest = 5000; /* beyond the universe */
    options.size_mean = 990;
    options.size_deviation = 100;
    options.rows = 300;
    options.duplicates = 0;
    akin_sets *sets = generate(options, 1);
    for (uint32_t row = 0; row < options.rows; row++)
        assert_in_range(akin_sets_row(sets, row, NULL), 300, 1000);
    akin_sets_free(sets);
    check_bounds(options_of(2000, 9, 0, 0, 1, 0), 1, 1);
    check_bounds(options_of(2000, 9, 2, 4000000000.0, 1, 0), 1, 9);
    check_bounds(options_of(50, 9, 4294967295.0, 0, 1, .5), 9, 9);
    check_bounds(options_of(50, 1, 10, 3, 1, .5), 1, 1);
    options = options_of(2000, 30, 1, 4000000000.0, 1, 0);
    options.lognormal = 1;
    check_bounds(options, 1, 1); /* nearly all are below 1 */
    options.size_mean = options.size_deviation = 4000000000.0;
    check_bounds(options, 30, 30);
}

/* ----------------------------------------------------------------------------------------------------------- tokens */

/* The expected number is within five standard deviations. */
static void assert_frequency(uint32_t count, uint32_t trials, double probability)
{
    double expected = trials * probability;
    if (fabs(count - expected) > 5 * sqrt(expected * (1 - probability)) + 1)
        fail_msg("%u of %u, expected %g", count, trials, expected);
}

static void test_token_frequencies(void **state)
{
    enum { rows = 30000, universe = 40 };
    static const double exponents[] = {0, 0.5, 1, 2.5};
    (void)state;
    for (size_t e = 0; e < sizeof exponents / sizeof *exponents; e++) {
        akin_sets *sets = generate(options_of(rows, universe, 1, 0, exponents[e], 0), 1);
        uint32_t counts[universe] = {0};
        double all = 0;
        for (uint32_t row = 0; row < rows; row++) {
            const uint32_t *tokens;
            assert_int_equal(akin_sets_row(sets, row, &tokens), 1);
            assert_true(tokens[0] < universe);
            counts[tokens[0]]++;
        }
        for (uint32_t k = 0; k < universe; k++)
            all += pow(k + 1, -exponents[e]);
        for (uint32_t k = 0; k < universe; k++)
            assert_frequency(counts[k], rows, pow(k + 1, -exponents[e]) / all);
        akin_sets_free(sets);
    }
}

/* Sets of 2 of 5 tokens are drawn by trying, sets of 4 of 5 from the urn: both as one draws one token after another. */
static void test_drawing_without_replacement(void **state)
{
    enum { rows = 30000, universe = 5 };
    double weights[universe], pairs[universe][universe] = {{0}}, all = 0;
    (void)state;
    for (int k = 0; k < universe; k++)
        all += weights[k] = pow(k + 1, -1.5);
    for (int a = 0; a < universe; a++)
        for (int b = 0; b < universe; b++)
            if (a != b)
                pairs[a < b ? a : b][a < b ? b : a] += weights[a] / all * weights[b] / (all - weights[a]);
    akin_sets *sets = generate(options_of(rows, universe, 2, 0, 1.5, 0), 1);
    uint32_t counts[universe][universe] = {{0}};
    for (uint32_t row = 0; row < rows; row++) {
        const uint32_t *tokens;
        assert_int_equal(akin_sets_row(sets, row, &tokens), 2);
        counts[tokens[0]][tokens[1]]++;
    }
    akin_sets_free(sets);
    for (int a = 0; a < universe; a++)
        for (int b = a + 1; b < universe; b++)
            assert_frequency(counts[a][b], rows, pairs[a][b]);

    /* the token that is left over from 4 of 5: by all orders in which the others may be drawn */
    double left[universe] = {0};
    for (int code = 0; code < 625; code++) {
        int order[4] = {code % 5, code / 5 % 5, code / 25 % 5, code / 125}, used = 0;
        double rest = all, probability = 1;
        for (int i = 0; i < 4; i++) {
            probability *= used & 1 << order[i] ? 0 : weights[order[i]] / rest;
            rest -= weights[order[i]];
            used |= 1 << order[i];
        }
        for (int k = 0; k < universe && probability > 0; k++)
            left[k] += used == (31 ^ 1 << k) ? probability : 0;
    }
    sets = generate(options_of(rows, universe, 4, 0, 1.5, 0), 1);
    uint32_t missing[universe] = {0};
    for (uint32_t row = 0; row < rows; row++) {
        const uint32_t *tokens;
        uint32_t sum = 0, size = akin_sets_row(sets, row, &tokens);
        for (uint32_t i = 0; i < size; i++)
            sum += tokens[i];
        missing[10 - sum]++;
    }
    akin_sets_free(sets);
    for (int k = 0; k < universe; k++)
        assert_frequency(missing[k], rows, left[k]);
}

/* Any options give a collection in bounded time: the test runner's own limit would show if not. */
static void test_hard_cases(void **state)
{
    (void)state;
    akin_sets_free(generate(options_of(300, 2000, 2000, 5, 1, .5), 1));
    akin_sets_free(generate(options_of(300, 2000, 1500, 500, 10, .5), 1));
    akin_sets_free(generate(options_of(300, 2000, 900, 5, 5, .5), 1));
    akin_sets_free(generate(options_of(300, 2000, 1990, 5, 0, 1), 1));
    akin_sets_free(generate(options_of(3000, UINT32_MAX, 10, 5, 0, .1), 1));
    akin_sets_free(generate(options_of(100, 2, 2, 1, 10, 1), 1));
}

/* -------------------------------------------------------------------------------------------------- near-duplicates */

static uint32_t common(const akin_sets *sets, uint32_t a, uint32_t b)
{
    const uint32_t *x, *y;
    uint32_t nx = akin_sets_row(sets, a, &x), ny = akin_sets_row(sets, b, &y), n = 0;
    for (uint32_t i = 0, j = 0; i < nx && j < ny;) {
        n += x[i] == y[j];
        uint32_t least = x[i] < y[j] ? x[i] : y[j];
        i += x[i] == least;
        j += y[j] == least;
    }
    return n;
}

/* How many rows share all but `changed` tokens of theirs with an earlier row of the same size in their block. */
static uint32_t copies(const akin_sets *sets, uint32_t (*changed)(uint32_t size))
{
    uint32_t found = 0;
    for (uint32_t row = 0; row < akin_sets_rows(sets); row++)
        for (uint32_t other = row - row % 1024; other < row; other++) {
            uint32_t size = akin_sets_row(sets, row, NULL);
            if (akin_sets_row(sets, other, NULL) == size && common(sets, row, other) == size - changed(size)) {
                found++;
                break;
            }
        }
    return found;
}

static uint32_t a_tenth(uint32_t size)
{
    return size < 15 ? 1 : (size + 5) / 10;
}

static uint32_t nothing(uint32_t size)
{
    (void)size;
    return 0;
}

static void test_duplicates(void **state)
{
    (void)state;
    akin_sets *sets = generate(options_of(2100, 1000000, 30, 4, 0, 1), 1);
    assert_int_equal(copies(sets, a_tenth), 2100 - 3); /* the first rows of three blocks cannot be copies */
    akin_sets_free(sets);
    sets = generate(options_of(2100, 1000000, 30, 4, 0, 0), 1);
    assert_int_equal(copies(sets, a_tenth), 0);
    akin_sets_free(sets);
    sets = generate(options_of(2100, 1000000, 30, 4, 0, .3), 1);
    assert_in_range(copies(sets, a_tenth), 2100 * .3 - 110, 2100 * .3 + 110);
    akin_sets_free(sets);
    sets = generate(options_of(300, 40, 40, 0, 0, 1), 1); /* nothing to replace a token with */
    assert_int_equal(copies(sets, nothing), 299);
    akin_sets_free(sets);
}

/* -------------------------------------------------------------------------------------------------------------- urn */

static void test_urn(void **state)
{
    static const uint32_t universes[] = {1, 2, 3, 64, 1000, 1023};
    (void)state;
    for (size_t u = 0; u < sizeof universes / sizeof *universes; u++)
        for (int exponent = 0; exponent <= 100; exponent += 20) {
            uint32_t universe = universes[u];
            akin_zipf zipf;
            akin_urn urn;
            akin_random random;
            unsigned char in[1024] = {0};
            akin_random_seed(&random, universe);
            assert_int_equal(akin_zipf_build(universe, exponent, 0, &zipf, NULL), AKIN_OK);
            assert_int_equal(akin_urn_fill(&zipf, &urn, NULL), AKIN_OK);
            for (int round = 0; round < 2; round++) {
                akin_urn_take(&urn, universe / 2);
                akin_urn_put(&urn, universe / 2);
                for (uint32_t i = 0; i < universe; i++) {
                    uint32_t token = akin_urn_draw(&urn, &random);
                    assert_true(token < universe && in[token] == round);
                    in[token]++;
                }
                assert_int_equal(urn.total, 0);
                for (uint32_t token = 0; token < universe; token++)
                    akin_urn_put(&urn, token);
                assert_int_equal(urn.total, zipf.total);
            }
            for (int i = 0; i < 1000; i++)
                assert_true(akin_zipf_draw(&zipf, &random) < universe);
            akin_urn_clear(&urn);
            akin_zipf_clear(&zipf);
        }
}

/* The weights, from a logarithm and an exponential of our own, are those of the C library's pow as near as doubles
 * come. */
static void test_weights(void **state)
{
    static const double exponents[] = {0.01, 0.5, 1, 1.7, 3};
    (void)state;
    for (size_t e = 0; e < sizeof exponents / sizeof *exponents; e++) {
        akin_zipf zipf;
        assert_int_equal(akin_zipf_build(100000, exponents[e], 0, &zipf, NULL), AKIN_OK);
        assert_int_equal(zipf.sums[0], 0);
        assert_int_equal(zipf.sums[100000], zipf.total);
        assert_true(zipf.total > UINT64_C(1) << 60 && zipf.total < UINT64_C(1) << 62);
        for (uint32_t k = 0; k < 100000; k += k / 50 + 1) {
            double ratio = (double)(zipf.sums[k + 1] - zipf.sums[k]) / (double)zipf.sums[1];
            assert_true(fabs(ratio / pow(k + 1, -exponents[e]) - 1) <
                        1e-12 + 2 / (double)(zipf.sums[k + 1] - zipf.sums[k]));
        }
        akin_zipf_clear(&zipf);
    }
}

/* ---------------------------------------------------------------------------------------------------------- refused */

static void refuse(akin_generate_options options, const char *message)
{
    akin_context context = context_of(&context, 1);
    akin_error error;
    akin_sets *sets = NULL;
    assert_int_equal(akin_sets_generate(&context, &options, &sets, &error), AKIN_E_OPTION);
    assert_null(sets);
    assert_string_equal(error.message, message);
}

static void test_refused(void **state)
{
    akin_generate_options options = AKIN_GENERATE_OPTIONS_INIT;
    (void)state;
    refuse(options_of(10, 0, 5, 1, 1, 0), "universe is 0; expected 1 to 4294967295");
    refuse(options_of(10, 9, -1, 1, 1, 0), "size_mean is -1; expected 0 to 4294967295");
    refuse(options_of(10, 9, NAN, 1, 1, 0), "size_mean is nan; expected 0 to 4294967295");
    refuse(options_of(10, 9, 5, INFINITY, 1, 0), "size_deviation is inf; expected 0 to 4294967295");
    refuse(options_of(10, 9, 5, 1, -0.5, 0), "zipf is -0.5; expected 0 to 10");
    refuse(options_of(10, 9, 5, 1, 11, 0), "zipf is 11; expected 0 to 10");
    refuse(options_of(10, 9, 5, 1, 1, 1.5), "duplicates is 1.5; expected 0 to 1");
    options.lognormal = 2;
    refuse(options, "lognormal is 2; expected 0 or 1");
    options.lognormal = 1;
    options.size_mean = 0.5;
    refuse(options, "size_mean is 0.5; expected at least 1 with lognormal");
    options = (akin_generate_options)AKIN_GENERATE_OPTIONS_INIT;
    options.reserved = 1;
    refuse(options, "reserved is 1; expected 0");
    options.reserved = 0;
    options.size_smallest = 60000;
    refuse(options, "size_smallest is 60000; expected at most 50000, as many tokens as there are");
    options.size_smallest = 10;
    options.size_largest = 9;
    refuse(options, "size_largest is 9; expected at least the smallest size, 10");
    akin_context context = context_of(&context, 1);
    akin_error error;
    akin_sets *sets = NULL;
    options.size = 8;
    assert_int_equal(akin_sets_generate(&context, &options, &sets, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "akin_generate_options"));
}

static int say_stop(void *user)
{
    (void)user;
    return 1;
}

static void test_defaults_and_cancel(void **state)
{
    akin_context context = context_of(&context, 2);
    akin_error error;
    akin_sets *sets = NULL, *same = generate((akin_generate_options)AKIN_GENERATE_OPTIONS_INIT, 1);
    (void)state;
    assert_int_equal(akin_sets_generate(&context, NULL, &sets, &error), AKIN_OK);
    assert_sets_equal(sets, same);
    akin_sets_free(sets);
    akin_sets_free(same);
    sets = NULL;
    context.scope.reporter.cancel = say_stop;
    assert_int_equal(akin_sets_generate(&context, NULL, &sets, &error), AKIN_E_CANCELLED);
    assert_null(sets);
    assert_non_null(strstr(error.message, "cancelled"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_everywhere),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_first_rows),
        cmocka_unit_test(test_prefix),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_lognormal_sizes),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_token_frequencies),
        cmocka_unit_test(test_drawing_without_replacement),
        cmocka_unit_test(test_hard_cases),
        cmocka_unit_test(test_duplicates),
        cmocka_unit_test(test_urn),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_defaults_and_cancel),
    };
    return RUN_TESTS(tests, 2, NULL, NULL);
}
