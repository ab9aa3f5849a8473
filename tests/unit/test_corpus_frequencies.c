/* Counters of hashes: never below the truth, and with many counts of 1 even where there are few counters. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/random.h"
#include "corpus/frequencies.h"

#define HASHES 40000

static uint64_t hashes[HASHES];
static uint8_t counts[HASHES];

/* Hash i is in i % 20 + 1 documents if it is one of the first 2000, else in one. */
static uint32_t documents_of(uint32_t i)
{
    return i < 2000 ? i % 20 + 1 : 1;
}

static void count_all(uint64_t expected, uint64_t most, akin_frequencies *out)
{
    akin_random random;
    akin_random_seed(&random, 7);
    assert_int_equal(akin_frequencies_make(NULL, expected, most, out), AKIN_OK);
    for (uint32_t i = 0; i < HASHES; i++)
        hashes[i] = akin_random_next(&random);
    for (uint32_t n = 1; n <= 20; n++)
        for (uint32_t i = 0; i < HASHES; i++)
            if (n <= documents_of(i))
                akin_frequencies_add(out, &hashes[i], 1);
    akin_frequencies_of(out, hashes, HASHES, counts);
}

static void never_below(void **state)
{
    static const uint64_t bytes[] = {1, 100, 3000, 10000, 20000, 100000};
    (void)state;
    for (size_t b = 0; b < sizeof bytes / sizeof *bytes; b++) {
        akin_frequencies f;
        count_all(HASHES, bytes[b], &f);
        assert_true(f.slots >= 2 * bytes[b] || f.slots >= 2 * HASHES);
        for (uint32_t i = 0; i < HASHES; i++) {
            const uint32_t least = documents_of(i) < AKIN_FREQUENCY_MOST ? documents_of(i) : AKIN_FREQUENCY_MOST;
            assert_in_range(counts[i], least, AKIN_FREQUENCY_MOST);
        }
        akin_frequencies_clear(&f);
    }
}

/* With r hashes for a counter there are about 1 / (e r) of them with a count of 1, and not exp(-r). */
static void few_counters(void **state)
{
    (void)state;
    for (uint64_t r = 1; r <= 16; r *= 2) {
        akin_frequencies f;
        uint32_t alone = 0;
        count_all(HASHES, HASHES / 2 / r, &f);
        for (uint32_t i = 2000; i < HASHES; i++)
            alone += counts[i] == 1;
        const double share = alone / (HASHES - 2000.), expected = exp(-1) / (double)r;
        assert_true(share > 0.85 * expected && share < 1.15 * expected);
        akin_frequencies_clear(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(never_below), cmocka_unit_test(few_counters)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
