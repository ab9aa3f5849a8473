/* Reads decimal numbers. */
#include "strings/number.h"

#include "base/digits.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Half-way between two doubles there are at most 767 digits: what is beyond matters only in being 0 or not. */
#define DIGITS 800

/* An exponent of more is one of these, too: of numbers that fit 4 GiB it is beyond what any number of digits makes up
 * for. */
#define EXPONENT_MOST (INT64_C(1) << 40)

/* A number: digits, which are a whole number, and an exponent. */
typedef struct decimal {
    char digits[DIGITS + 1]; /* the first one is not 0 */
    uint32_t count;
    int lost; /* one that is not 0 has not been kept */
    int64_t exponent;
} decimal;

static void take_digit(decimal *d, char digit, int is_fraction)
{
    if (d->count == 0 && digit == '0') {
        d->exponent -= is_fraction;
    } else if (d->count < DIGITS) {
        d->digits[d->count++] = digit;
        d->exponent -= is_fraction;
    } else {
        d->lost |= digit != '0';
        d->exponent += !is_fraction;
    }
}

/* Takes the digits and the point; answers where they end, NULL: there is no digit. */
static const char *take_digits(decimal *d, const char *at, const char *end)
{
    int point = 0, any = 0;
    for (; at < end && (akin_is_digit(*at) || (*at == '.' && !point)); at++) {
        if (*at == '.') {
            point = 1;
        } else {
            take_digit(d, *at, point);
            any = 1;
        }
    }
    return any ? at : NULL;
}

/* Parses the rest of the number, which must be empty or an exponent. */
static int take_exponent(decimal *d, const char *at, const char *end)
{
    if (at == end)
        return 1;
    int64_t exponent = 0;
    if ((*at++ | 0x20) != 'e')
        return 0;
    int negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    if (at == end)
        return 0;
    for (; at < end && akin_is_digit(*at); at++)
        if (exponent < EXPONENT_MOST)
            exponent = 10 * exponent + (*at - '0');
    d->exponent += negative ? -exponent : exponent;
    return at == end;
}

/* Up to 15 digits are a double, and so is 10 to the power of 22: then there is one operation that rounds, and it does
 * so correctly. */
static int take_exact(uint64_t whole, uint32_t count, int64_t exponent, double *out)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (FLT_EVAL_METHOD != 0 || count > 15 || exponent < -22 || exponent > 22)
        return 0;
    *out = exponent < 0 ? (double)whole / powers[-exponent] : (double)whole * powers[exponent];
    return 1;
}

/* Up to 19 digits fit 64 bits. 0: it takes more than that. */
static int take_short(const decimal *d, double *out)
{
    uint64_t whole = 0;
    if (d->count > 19)
        return 0;
    for (uint32_t i = 0; i < d->count; i++)
        whole = 10 * whole + (uint64_t)(d->digits[i] - '0');
    return take_exact(whole, d->count, d->exponent, out) || akin_digits_read(whole, d->exponent, out);
}

/*
 * The C library rounds correctly, and reads a text without a point alike in every locale. A digit above 0 behind 800
 * others replaces all lost ones, so 0.5 with a further digit far behind is above 0.5.
 */
static double decimal_value_of(decimal *d)
{
    char text[DIGITS + 32];
    double value;
    if (take_short(d, &value))
        return value;
    if (d->count == 0 || d->exponent + d->count < -400)
        return 0;
    if (d->exponent + d->count > 400)
        return INFINITY;
    snprintf(text, sizeof text, "%.*s%se%" PRId64, (int)d->count, d->digits, d->lost ? "1" : "",
             d->exponent - (d->lost != 0));
    return strtod(text, NULL);
}

int akin_number_parse(const char *text, uint32_t length, double *out)
{
    decimal d; /* without digits: to clear their room takes longer than a number */
    d.count = 0;
    d.lost = 0;
    d.exponent = 0;
    akin_trim(&text, &length);
    const char *end = text + length;
    int negative = length > 0 && *text == '-';
    text += length > 0 && (*text == '-' || *text == '+');
    const char *behind = take_digits(&d, text, end);
    if (!behind || !take_exponent(&d, behind, end))
        return 0;
    double value = decimal_value_of(&d);
    if (isinf(value))
        return 0;
    *out = negative ? -value : value;
    return 1;
}

void akin_number_point(char *text)
{
    char *point = text + strspn(text, "-0123456789");
    size_t bytes = strcspn(point, "0123456789e");
    if (bytes == 0 || point == text) /* as in inf */
        return;
    *point = '.';
    memmove(point + 1, point + bytes, strlen(point + bytes) + 1);
}
