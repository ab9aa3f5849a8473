/* An exact sum of doubles. */
#include "weigh/sum.h"

#include <math.h>

/* The sum as an integer of 32-bit digits, the lowest first, in units of the least double, 2^-1074. A mantissa of
 * exponent 2046 begins at bit 2045, and a part has 128 bits: the digits behind them take carries and the sign. */
#define DIGITS 70

typedef struct number {
    int64_t digits[DIGITS];
} number;

void akin_sum_merge(akin_sum *sum, const akin_sum *other)
{
    for (int i = 0; i < AKIN_SUM_PARTS; i++)
        sum->parts[i] += other->parts[i];
}

static void add_part(number *n, akin_sum_part part, int exponent, int64_t sign)
{
    int shift = exponent > 0 ? exponent - 1 : 0; /* those of exponent 0 are subnormal: of the same unit as those of 1 */
    int digit = shift / 32, bits = shift % 32;
    for (int i = 0; i < 4; i++, part >>= 32) {
        uint64_t shifted = (uint64_t)(uint32_t)part << bits;
        n->digits[digit + i] += sign * (int64_t)(shifted & UINT32_MAX);
        n->digits[digit + i + 1] += sign * (int64_t)(shifted >> 32);
    }
}

/* Makes all digits but the last one 0 .. 2^32 - 1. */
static void carry(number *n)
{
    for (int i = 0; i + 1 < DIGITS; i++) {
        int64_t low = n->digits[i] & UINT32_MAX;
        n->digits[i + 1] += (n->digits[i] - low) / ((int64_t)1 << 32);
        n->digits[i] = low;
    }
}

/* The nearest double of a number that is not negative. */
static double round_number(const number *n)
{
    int top = DIGITS - 1;
    while (top > 0 && n->digits[top] == 0)
        top--;
    if (top < 2) /* exact: it has at most 64 bits, and those of them below the least double are none */
        return ldexp((double)((uint64_t)n->digits[1] << 32 | (uint64_t)n->digits[0]), -1074);
    /* The uppermost 64 bits of three digits; the rest only says whether there is more. */
    akin_sum_part upper = (akin_sum_part)(uint64_t)n->digits[top] << 64 | (uint64_t)n->digits[top - 1] << 32 |
                          (uint64_t)n->digits[top - 2];
    int more = 0, shift = 0;
    for (int i = 0; i < top - 2; i++)
        more |= n->digits[i] != 0;
    for (; upper >> (shift + 64) != 0; shift++)
        more |= (int)(upper >> shift & 1);
    uint64_t bits = (uint64_t)(upper >> shift);
    /* Of 64 bits, 53 are kept; a bit below them that stands for the rest makes the conversion round it as it should. */
    return ldexp((double)(bits | (uint64_t)more), 32 * (top - 2) + shift - 1074);
}

double akin_sum_value(const akin_sum *sum)
{
    number n = {{0}};
    for (int i = 0; i < AKIN_SUM_PARTS; i++)
        if (sum->parts[i] != 0)
            add_part(&n, sum->parts[i], i & 0x7ff, i >> 11 ? -1 : 1);
    carry(&n);
    if (n.digits[DIGITS - 1] >= 0)
        return round_number(&n);
    for (int i = 0; i < DIGITS; i++)
        n.digits[i] = -n.digits[i];
    carry(&n);
    return -round_number(&n);
}
