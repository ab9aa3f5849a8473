/* Numbers as decimal text: integers two digits a step, doubles and floats with the fewest digits that read back; and
 * doubles from digits. */
#include "base/digits.h"

#include "base/bits.h"
#include "base/digits_powers.h"

#include <math.h>
#include <string.h>

#define DIGITS_OF_DOUBLE 15 /* decimals of that many digits survive the way to double, or float, and back */
#define DIGITS_OF_FLOAT  6
#define DIGITS_MOST      20 /* of an integer of 64 bits */

/* --------------------------------------------------------------------------------------------------------- integers */

/* 00, 01, ... 99. */
static const char two_digits[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
    "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
    "8081828384858687888990919293949596979899";

static uint32_t count_digits(uint64_t value)
{
    /* clang-format off */
    static const uint64_t powers[DIGITS_MOST] = {
        0, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000,
        1000000000000, 10000000000000, 100000000000000, 1000000000000000, 10000000000000000, 100000000000000000,
        1000000000000000000, 10000000000000000000u};
    /* clang-format on */
    const uint32_t about = akin_bits_of(value | 1) * 1233 >> 12; /* log10(2) is 1233/4096, a little less */
    return about + (value >= powers[about]);
}

/* Puts the last `count` digits of a number. */
static void put_digits(char *at, uint64_t value, uint32_t count)
{
    for (; count >= 2; count -= 2, value /= 100)
        memcpy(at + count - 2, two_digits + 2 * (value % 100), 2);
    if (count)
        *at = (char)('0' + value % 10);
}

char *akin_digits_integer(char *at, uint64_t value)
{
    const uint32_t count = count_digits(value);
    put_digits(at, value, count);
    return at + count;
}

/* --------------------------------------------------------------------------------------------------------- shortest */

/* digits * 10^exponent */
typedef struct decimal {
    uint64_t digits;
    int32_t exponent;
} decimal;

/* A number significand * 2^exponent. */
typedef struct binary {
    uint64_t significand; /* below 2^53 */
    int32_t exponent;
    int is_narrow; /* the number below is at half the distance of the one above, as it is where the exponent changes */
} binary;

/* floor(e * log10(2)), floor(log10(3/4 * 2^e)) and floor(e * log2(10)), for any exponent of a double. An arithmetic
 * shift rounds down. */
static int32_t floor_log10_of_power(int32_t e, int is_narrow)
{
    return (e * 1262611 - (is_narrow ? 524031 : 0)) >> 22;
}

static int32_t floor_log2_of_power(int32_t e)
{
    return (e * 1741647) >> 19;
}

/* The upper 64 bits of a product of 192 bits. The lowest bit stands for those that follow, too: it says that the
 * product is no integer, so comparisons with even integers are exact. */
static uint64_t multiply_to_odd(const uint64_t power[2], uint64_t factor)
{
    const akin_u128 low = (akin_u128)power[1] * factor, high = (akin_u128)power[0] * factor + (uint64_t)(low >> 64);
    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* Four times a number and the ends of its interval, in units of 10^unit. */
typedef struct scaled {
    uint64_t value, lower, upper; /* the ends belong to the interval */
    int32_t unit;
} scaled;

static scaled scale_to_unit(const binary *b, int32_t unit)
{
    const uint64_t *power = akin_powers_of_ten[-unit - AKIN_POWERS_FIRST], value = 4 * b->significand;
    const int32_t shift = b->exponent + floor_log2_of_power(-unit) + 1;
    const uint64_t is_odd = b->significand & 1; /* a reader rounds a tie to the even neighbour */
    return (scaled){.value = multiply_to_odd(power, value << shift),
                    .lower = multiply_to_odd(power, (value - (b->is_narrow ? 1 : 2)) << shift) + is_odd,
                    .upper = multiply_to_odd(power, (value + 2) << shift) - is_odd,
                    .unit = unit};
}

/* The multiple of `step` units that is nearest, the even one of two, divided by `step`; and whether it is in the
 * interval. */
static int find_nearest(const scaled *s, uint64_t step, uint64_t *out)
{
    const uint64_t below = s->value / (4 * step), half = 4 * step * below + 2 * step;
    *out = below + (s->value > half || (s->value == half && (below & 1)));
    return s->lower <= 4 * step * *out && 4 * step * *out <= s->upper;
}

/*
 * The fewest digits that read back to the same number, and of these the nearest: R. Giulietti, The Schubfach way to
 * render doubles, 2020. The interval of what reads back is at least as wide as a unit and narrower than ten, so it
 * holds at most one multiple of ten, and at least one of the unit.
 *
 *     ----|--------------[------|-------v--------|-----]-------|----     | are units, [ ] the interval
 *
 * Unlike there, a decimal must be the nearest one of its number of digits, as printf rounds. In a narrow interval the
 * nearest one may lie below the end, and one that is farther off above the number: that one is written only if it has
 * fewer digits, which makes it the nearest of these; else a digit more is written.
 */
static decimal shorten(const binary *b)
{
    const int32_t unit = floor_log10_of_power(b->exponent, b->is_narrow);
    scaled s = scale_to_unit(b, unit);
    uint64_t digits;
    if (b->is_narrow && find_nearest(&s, 100, &digits))
        return (decimal){digits, unit + 2};
    if (find_nearest(&s, 10, &digits))
        return (decimal){digits, unit + 1};
    if (find_nearest(&s, 1, &digits))
        return (decimal){digits, unit};
    s = scale_to_unit(b, unit - 1);
    find_nearest(&s, 1, &digits);
    return (decimal){digits, unit - 1};
}

/* ------------------------------------------------------------------------------------------------------------- text */

static decimal drop_zeros(decimal d)
{
    while (d.digits % 10000 == 0) {
        d.digits /= 10000;
        d.exponent += 4;
    }
    while (d.digits % 10 == 0) {
        d.digits /= 10;
        d.exponent++;
    }
    return d;
}

/* As 1.25e-07. */
static char *put_power(char *at, decimal d, uint32_t count, int32_t power)
{
    put_digits(at + 1, d.digits, count);
    at[0] = at[1];
    at[1] = '.';
    at += count > 1 ? count + 1 : 1;
    *at++ = 'e';
    *at++ = power < 0 ? '-' : '+';
    const uint32_t size = (uint32_t)(power < 0 ? -power : power), places = size < 100 ? 2 : 3;
    put_digits(at, size, places);
    return at + places;
}

/* As 0.00125, 12.5 or 125000; `power` is that of the first digit. */
static char *put_places(char *at, decimal d, uint32_t count, int32_t power)
{
    if (power < 0) {
        memcpy(at, "0.0000", 6);
        at += 1 - power;
        put_digits(at, d.digits, count);
        return at + count;
    }
    const uint32_t whole = (uint32_t)power + 1;
    put_digits(at, d.digits, count);
    if (count > whole) {
        memmove(at + whole + 1, at + whole, count - whole);
        at[whole] = '.';
        return at + count + 1;
    }
    memset(at + count, '0', whole - count);
    return at + whole;
}

/* As printf's %g, for the precision of the digits or `least`, whichever is more. */
static char *put_decimal(char *at, decimal d, int32_t least)
{
    d = drop_zeros(d);
    const uint32_t count = count_digits(d.digits);
    const int32_t power = (int32_t)count - 1 + d.exponent, precision = (int32_t)count > least ? (int32_t)count : least;
    return power < -4 || power >= precision ? put_power(at, d, count, power) : put_places(at, d, count, power);
}

static char *put_word(char *at, const char *word)
{
    memcpy(at, word, 3);
    return at + 3;
}

/* A number that is finite and above 0. */
static char *put_binary(char *at, const binary *b, int32_t least)
{
    const uint32_t shift = (uint32_t)-b->exponent;
    if (b->exponent <= 0 && b->exponent > -53 && (b->significand & ((UINT64_C(1) << shift) - 1)) == 0)
        return put_decimal(at, (decimal){b->significand >> shift, 0}, least);
    return put_decimal(at, shorten(b), least);
}

/* Takes the fields of a number apart: `width` bits of the significand are stored, and the exponents begin at `first`.
 * A field of 0 means the first exponent, without the leading bit. */
static binary take_apart(uint64_t bits, uint32_t width, uint32_t field, int32_t first)
{
    const uint64_t leading = UINT64_C(1) << width, stored = bits & (leading - 1);
    return field == 0 ? (binary){stored, first, 0}
                      : (binary){stored | leading, first + (int32_t)field - 1, stored == 0 && field > 1};
}

char *akin_digits_double(char *at, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (bits >> 63)
        *at++ = '-';
    if (isnan(value) || isinf(value))
        return put_word(at, isnan(value) ? "nan" : "inf");
    const binary b = take_apart(bits, 52, (uint32_t)(bits >> 52) & 0x7ff, -1074);
    if (b.significand == 0) {
        *at = '0';
        return at + 1;
    }
    return put_binary(at, &b, DIGITS_OF_DOUBLE);
}

char *akin_digits_float(char *at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const binary b = take_apart(bits & 0x7fffffff, 23, bits >> 23 & 0xff, -149);
    if (isnan(value) || isinf(value) || b.significand == 0)
        return akin_digits_double(at, (double)value);
    if (bits >> 31)
        *at++ = '-';
    return put_binary(at, &b, DIGITS_OF_FLOAT);
}

/* --------------------------------------------------------------------------------------------------------- reading */

#define KEPT 53 /* bits of a significand */

/*
 * The digits are shifted to 64 bits, and the power of ten is rounded up. Their product keeps its upper 128 bits, whose
 * top bit may be 0, and differs from the exact product by less than 1:
 *
 *     |  53 bits: the significand  |  the rest, which decides the rounding  |
 *
 * Only a rest that is exactly half is in doubt. (D. Lemire, Number parsing at a gigabyte per second, 2021, has a
 * similar product.)
 */
int akin_digits_read(uint64_t digits, int64_t exponent, double *out)
{
    if (digits == 0 || exponent < AKIN_POWERS_FIRST || exponent > AKIN_POWERS_LAST)
        return 0;
    const uint64_t *power = akin_powers_of_ten[exponent - AKIN_POWERS_FIRST];
    const int32_t shift = 64 - (int32_t)akin_bits_of(digits);
    const uint64_t factor = digits << shift;
    const akin_u128 product = (akin_u128)power[0] * factor + (uint64_t)((akin_u128)power[1] * factor >> 64);
    const int32_t dropped = 127 - KEPT + (int32_t)(product >> 127);
    const akin_u128 half = (akin_u128)1 << (dropped - 1), rest = product & (2 * half - 1);
    const int32_t stored = floor_log2_of_power((int32_t)exponent) - 63 - shift + dropped + 1075;
    if (rest == half || stored < 1 || stored > 2045)
        return 0;
    const uint64_t significand = (uint64_t)(product >> dropped) + (rest > half);
    const uint64_t bits = ((uint64_t)stored << (KEPT - 1)) + (significand - (UINT64_C(1) << (KEPT - 1)));
    memcpy(out, &bits, sizeof bits);
    return 1;
}
