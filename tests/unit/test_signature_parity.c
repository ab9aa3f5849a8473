/* Parity signatures against plain loops: built, folded, laid out in rows and strips. */
#include "base/context.h"
#include "test_sets_support.h"

#include "base/bits.h"
#include "signature/parity.h"
#include "signature/screen.h"

#define WORDS_MOST (AKIN_PARITY_BITS_MOST / 64)
#define GUARD      UINT64_C(0x0123456789abcdef)

static akin_ranked rank(const akin_sets *sets)
{
    akin_context context = context_of(&context, 1);
    akin_ranked ranked = {0};
    assert_int_equal(akin_rank_sets(akin_scope_of(&context), NULL, sets, NULL, &ranked, NULL, NULL), AKIN_OK);
    return ranked;
}

static akin_ranked random_ranked(uint64_t seed, uint32_t rows, uint32_t size_bound, uint64_t token_bound)
{
    akin_sets *sets = random_sets(seed, rows, size_bound, token_bound);
    akin_ranked ranked = rank(sets);
    akin_sets_free(sets);
    return ranked;
}

static akin_parity build(const akin_ranked *ranked, uint32_t bits)
{
    akin_context context = context_of(&context, 1);
    akin_parity parity = {0};
    assert_int_equal(akin_parity_build(akin_scope_of(&context), NULL, ranked, bits, &parity, NULL), AKIN_OK);
    return parity;
}

/* Bit b is the parity of the ranks that are b modulo the width. */
static void plain_signature(const akin_ranked *ranked, uint32_t set, uint32_t bits, uint64_t *words)
{
    memset(words, 0, bits / 8);
    for (uint64_t i = ranked->offsets[set]; i < ranked->offsets[set + 1]; i++) {
        uint32_t bit = ranked->tokens[i] % bits;
        words[bit / 64] ^= UINT64_C(1) << bit % 64;
    }
}

static void every_bit_is_a_parity(void **state)
{
    (void)state;
    akin_ranked ranked = random_ranked(1, 5000, 40, 3000); /* several tasks */
    for (uint32_t bits = AKIN_PARITY_BITS_LEAST; bits <= AKIN_PARITY_BITS_MOST; bits *= 2)
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            akin_context context = context_of(&context, threads);
            akin_account account = {0};
            akin_parity parity = {0};
            uint64_t expected[WORDS_MOST];
            assert_int_equal(akin_parity_build(akin_scope_of(&context), &account, &ranked, bits, &parity, NULL),
                             AKIN_OK);
            assert_int_equal(parity.bits, bits);
            assert_int_equal(parity.stride, bits / 64);
            assert_int_equal(parity.count, ranked.count);
            assert_int_equal(account.held, (uint64_t)ranked.count * bits / 8);
            for (uint32_t set = 0; set < ranked.count; set++) {
                plain_signature(&ranked, set, bits, expected);
                assert_memory_equal(parity.words + (uint64_t)set * parity.stride, expected, bits / 8);
            }
            akin_parity_clear(&parity);
            assert_null(parity.words);
            assert_int_equal(account.held, 0);
        }
    akin_ranked_clear(&ranked);
}

static void added_one_by_one(void **state)
{
    (void)state;
    akin_ranked ranked = random_ranked(2, 50, 300, 5000);
    uint64_t words[WORDS_MOST], expected[WORDS_MOST];
    for (uint32_t set = 0; set < ranked.count; set++)
        for (uint32_t stride = 1; stride <= WORDS_MOST; stride *= 2) {
            memset(words, 0, sizeof words);
            akin_parity_add(words, stride, ranked.tokens + ranked.offsets[set], akin_ranked_size(&ranked, set));
            plain_signature(&ranked, set, 64 * stride, expected);
            assert_memory_equal(words, expected, stride * sizeof *words);
        }
    akin_ranked_clear(&ranked);
}

/* A narrower signature is what the wider one folds to, in one step or in several. */
static void folding_gives_the_narrower_signature(void **state)
{
    (void)state;
    akin_ranked ranked = random_ranked(3, 300, 90, 6000);
    akin_parity wide = build(&ranked, AKIN_PARITY_BITS_MOST);
    for (uint32_t stride = WORDS_MOST; stride >= 1; stride /= 2)
        for (uint32_t narrow = stride; narrow >= 1; narrow /= 2)
            for (uint32_t set = 0; set < ranked.count; set++) {
                uint64_t from[WORDS_MOST], to[WORDS_MOST + 1], expected[WORDS_MOST];
                akin_parity_fold(wide.words + (uint64_t)set * wide.stride, wide.stride, from, stride);
                to[narrow] = GUARD;
                akin_parity_fold(from, stride, to, narrow);
                plain_signature(&ranked, set, 64 * narrow, expected);
                assert_memory_equal(to, expected, narrow * sizeof *to);
                assert_true(to[narrow] == GUARD);
            }
    akin_parity_clear(&wide);
    akin_ranked_clear(&ranked);
}

static void check_layout(const akin_parity *parity, const uint32_t *sets, uint64_t count, uint32_t narrow)
{
    uint64_t padded = (count + 7) / 8 * 8;
    uint64_t *rows = malloc((size_t)(count * narrow + 1) * sizeof *rows);
    uint64_t *strips = malloc((size_t)(padded * narrow + 1) * sizeof *strips);
    assert_true(rows && strips);
    rows[count * narrow] = GUARD;
    strips[padded * narrow] = GUARD;
    akin_parity_rows(parity, sets, count, narrow, rows);
    akin_parity_strips(parity, sets, count, narrow, strips);
    for (uint64_t i = 0; i < padded; i++)
        for (uint32_t w = 0; w < narrow; w++) {
            uint64_t expected = 0;
            for (uint32_t k = 0; i < count && k < parity->stride; k++)
                if (k % narrow == w)
                    expected ^= parity->words[(uint64_t)sets[i] * parity->stride + k];
            assert_true(strips[(i / 8 * narrow + w) * 8 + i % 8] == expected);
            assert_true(i >= count || rows[i * narrow + w] == expected);
        }
    assert_true(rows[count * narrow] == GUARD);
    assert_true(strips[padded * narrow] == GUARD);
    free(rows);
    free(strips);
}

static void rows_and_strips(void **state)
{
    (void)state;
    static const uint64_t counts[] = {0, 1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 200};
    akin_ranked ranked = random_ranked(4, 150, 60, 4000);
    akin_random random;
    akin_random_seed(&random, 4);
    for (uint32_t bits = AKIN_PARITY_BITS_LEAST; bits <= AKIN_PARITY_BITS_MOST; bits *= 2) {
        akin_parity parity = build(&ranked, bits);
        for (uint32_t narrow = 1; narrow <= parity.stride; narrow *= 2)
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
                uint32_t sets[200]; /* in any order, some of them several times */
                for (uint64_t i = 0; i < counts[c]; i++)
                    sets[i] = (uint32_t)akin_random_below(&random, ranked.count);
                check_layout(&parity, sets, counts[c], narrow);
            }
        akin_parity_clear(&parity);
    }
    akin_ranked_clear(&ranked);
}

/* In how many tokens two sets differ. */
static uint32_t difference(const akin_ranked *ranked, uint32_t a, uint32_t b)
{
    uint64_t i = ranked->offsets[a], j = ranked->offsets[b];
    uint32_t differ = 0;
    while (i < ranked->offsets[a + 1] && j < ranked->offsets[b + 1]) {
        uint32_t x = ranked->tokens[i], y = ranked->tokens[j];
        differ += x != y;
        i += x <= y;
        j += y <= x;
    }
    return differ + (uint32_t)(ranked->offsets[a + 1] - i + ranked->offsets[b + 1] - j);
}

/* The distance of signatures never exceeds that of the sets, and is the same where the universe fits the width. */
static void distance_is_bounded(void **state)
{
    (void)state;
    for (uint32_t universe = 60; universe <= 600; universe *= 2) {
        akin_ranked ranked = random_ranked(universe, 120, 50, universe);
        for (uint32_t bits = AKIN_PARITY_BITS_LEAST; bits <= AKIN_PARITY_BITS_MOST; bits *= 2) {
            akin_parity parity = build(&ranked, bits);
            for (uint32_t a = 0; a < ranked.count; a++)
                for (uint32_t b = 0; b <= a; b++) {
                    uint32_t distance = 0;
                    for (uint32_t w = 0; w < parity.stride; w++)
                        distance +=
                            akin_popcount64(parity.words[a * parity.stride + w] ^ parity.words[b * parity.stride + w]);
                    uint32_t differ = difference(&ranked, a, b);
                    assert_true(distance <= differ && (differ - distance) % 2 == 0);
                    assert_true(ranked.universe > bits || distance == differ);
                }
            akin_parity_clear(&parity);
        }
        akin_ranked_clear(&ranked);
    }
}

static void no_sets(void **state)
{
    (void)state;
    akin_ranked ranked = random_ranked(5, 10, 1, 5); /* empty rows */
    assert_int_equal(ranked.count, 0);
    akin_parity parity = build(&ranked, 128);
    assert_int_equal(parity.count, 0);
    check_layout(&parity, NULL, 0, 2);
    akin_parity_clear(&parity);
    akin_parity_clear(&parity);
    akin_ranked_clear(&ranked);
}

static int stop(void *user)
{
    (void)user;
    return 1;
}

static void cancelled(void **state)
{
    (void)state;
    akin_ranked ranked = random_ranked(6, 100, 9, 50);
    akin_context context = context_of(&context, 2);
    akin_account account = {0};
    akin_parity parity = {.count = 77};
    akin_error error = {.code = AKIN_OK};
    context.scope.reporter.cancel = stop;
    assert_int_equal(akin_parity_build(akin_scope_of(&context), &account, &ranked, 256, &parity, &error),
                     AKIN_E_CANCELLED);
    assert_int_equal(error.code, AKIN_E_CANCELLED);
    assert_true(error.message[0] != '\0');
    assert_int_equal(parity.count, 77);
    assert_null(parity.words);
    assert_int_equal(account.held, 0);
    akin_ranked_clear(&ranked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit_is_a_parity),
        cmocka_unit_test(added_one_by_one),
        cmocka_unit_test(folding_gives_the_narrower_signature),
        cmocka_unit_test(rows_and_strips),
        cmocka_unit_test(distance_is_bounded),
        cmocka_unit_test(no_sets),
        cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
