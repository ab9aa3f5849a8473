/* Similarities of sets are the nearest doubles, as integers of any length have it. */
#include "test_sets_support.h"

#include "base/random.h"

#include <math.h>

/* ---------------------------------------------------------------------------------------------------------- oracle */

#define LIMBS 20 /* of 32 bits */

typedef struct number {
    uint32_t limbs[LIMBS]; /* the lowest first */
} number;

static number number_of(uint64_t value)
{
    return (number){{(uint32_t)value, (uint32_t)(value >> 32)}};
}

static number times(const number *a, uint64_t by)
{
    number product = {{0}};
    const uint32_t parts[2] = {(uint32_t)by, (uint32_t)(by >> 32)};
    for (int part = 0; part < 2; part++) {
        uint64_t carry = 0;
        for (int i = 0; i + part < LIMBS; i++) {
            carry += product.limbs[i + part] + (uint64_t)a->limbs[i] * parts[part];
            product.limbs[i + part] = (uint32_t)carry;
            carry >>= 32;
        }
        assert_int_equal(carry, 0);
    }
    return product;
}

static number doubled(number a, int often)
{
    for (; often > 0; often -= 32)
        a = times(&a, UINT64_C(1) << (often < 32 ? often : 32));
    return a;
}

static int compare(const number *a, const number *b)
{
    for (int i = LIMBS - 1; i >= 0; i--)
        if (a->limbs[i] != b->limbs[i])
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
    return 0;
}

static number sum_of(const number *a, const number *b)
{
    number sum;
    uint64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += (uint64_t)a->limbs[i] + b->limbs[i];
        sum.limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    assert_int_equal(carry, 0);
    return sum;
}

static number square_of(const number *a)
{
    number square = {{0}};
    for (int i = LIMBS - 1; i >= 0; i--) { /* by Horner's rule */
        const number shifted = doubled(square, 32), part = times(a, a->limbs[i]);
        square = sum_of(&shifted, &part);
    }
    return square;
}

#define SCALE 90 /* a double of 2^-33 or more is a whole number of 2^-(SCALE - 1) */

/* A double in units of 2^-SCALE. */
static number whole_of(double value)
{
    int exponent;
    const double fraction = frexp(value, &exponent);
    assert_true(exponent - 53 + SCALE > 0);
    return doubled(number_of((uint64_t)ldexp(fraction, 53)), exponent - 53 + SCALE);
}

/* How n / sqrt(r s) compares with the middle of two doubles: 2 n with their sum times the root. */
static int compare_with_middle(uint32_t n, uint32_t r, uint32_t s, double low, double high)
{
    const number a = whole_of(low), b = whole_of(high), sum = sum_of(&a, &b), left = number_of((uint64_t)n * n);
    number right = square_of(&sum), scaled = doubled(left, 2 * SCALE + 2);
    right = times(&right, r);
    right = times(&right, s);
    return compare(&scaled, &right);
}

static uint64_t corrected; /* that are not what three roundings have */

static void check(uint32_t n, uint32_t r, uint32_t s)
{
    const double value = akin_measure_value(AKIN_COSINE, r, s, n);
    assert_true(value > 0);
    if (compare_with_middle(n, r, s, nextafter(value, 0), value) <= 0 ||
        compare_with_middle(n, r, s, value, nextafter(value, INFINITY)) >= 0)
        fail_msg("%u / sqrt(%u * %u) is not nearest to %.17g", n, r, s, value);
    assert_true(akin_measure_value(AKIN_COSINE, s, r, n) == value);
    corrected += value != n / sqrt((double)r * s);
}

/* ----------------------------------------------------------------------------------------------------------- tests */

/* As collections have them: all small sizes. */
static void small_sizes(void **state)
{
    (void)state;
    for (uint32_t r = 1; r <= 40; r++)
        for (uint32_t s = r; s <= 40; s++)
            for (uint32_t n = 1; n <= r; n++)
                check(n, r, s);
    assert_true(akin_measure_value(AKIN_COSINE, 2, 2, 1) == 0.5);
    assert_true(akin_measure_value(AKIN_COSINE, 49, 49, 49) == 1);
    assert_true(akin_measure_value(AKIN_COSINE, 3, 3, 1) == 1.0 / 3.0);
}

/* Sizes of any length in bits. */
static void any_sizes(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 1);
    corrected = 0;
    for (int i = 0; i < 60000; i++) {
        uint32_t each[3];
        for (int k = 0; k < 3; k++)
            each[k] = 1 + (uint32_t)akin_random_below(&random, UINT64_C(0xffffffff) >> akin_random_below(&random, 32));
        check(each[0], each[1], each[2]);
    }
    assert_true(corrected > 1000);
}

/* Sets of one size have the similarity n / r. Here n 2^k is 1 or -1 modulo r, so that n / r is as near as can be to the
 * middle of two doubles. */
static void near_halves(void **state)
{
    akin_random random;
    uint32_t found = 0;
    (void)state;
    akin_random_seed(&random, 2);
    for (int i = 0; i < 3000; i++) {
        const uint32_t r = (uint32_t)akin_random_below(&random, UINT64_C(1) << 32) | 1;
        uint64_t power = 1; /* of 1/2, modulo r */
        for (int k = 1; k <= 53 + 32; k++) {
            power = power % 2 ? (power + r) / 2 : power / 2;
            if (k <= 53)
                continue;
            const uint64_t each[2] = {power, r - power};
            for (int which = 0; which < 2; which++) {
                const uint32_t n = (uint32_t)each[which];
                int exponent;
                frexp((double)n / r, &exponent);
                if (n > 0 && 53 - exponent + 1 == k) {
                    check(n, r, r);
                    found++;
                }
            }
        }
    }
    assert_true(found > 1000);
}

/* Around powers of two, below which doubles are denser. */
static void near_powers(void **state)
{
    (void)state;
    for (uint64_t size = 3; size < UINT64_C(1) << 31; size = size * 3 / 2)
        for (int64_t more = -2; more <= 2; more++)
            for (int64_t other = -2; other <= 2; other++)
                for (int power = 0; power < 5 && size >> power > 2; power++)
                    check((uint32_t)(size >> power), (uint32_t)((int64_t)size + more),
                          (uint32_t)((int64_t)size + other));
    const uint32_t most = UINT32_MAX;
    check(most, most, most);
    check(most - 1, most, most);
    check(most, most, most - 1);
    check(1, most, most);
    check(most, 1, 1);
    assert_true(akin_measure_value(AKIN_COSINE, 7, 7, 0) == 0);
    assert_true(isinf(akin_measure_value(AKIN_COSINE, 0, 7, 1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_sizes),
        cmocka_unit_test(any_sizes),
        cmocka_unit_test(near_halves),
        cmocka_unit_test(near_powers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
