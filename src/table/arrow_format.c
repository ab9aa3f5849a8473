/* Numbers, dates and times of Arrow arrays as text. */
#include "table/arrow.h"

#include "base/calendar.h"
#include "base/digits.h"

#include <math.h>
#include <string.h>

#define DAY INT64_C(86400) /* seconds */

int64_t akin_arrow_integer(akin_arrow_kind kind, const char *value)
{
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint16_t u16;
    uint32_t u32;
    switch (kind) {
    case AKIN_ARROW_I8:
        memcpy(&i8, value, sizeof i8);
        return i8;
    case AKIN_ARROW_U8:
        return (unsigned char)*value;
    case AKIN_ARROW_I16:
        memcpy(&i16, value, sizeof i16);
        return i16;
    case AKIN_ARROW_U16:
        memcpy(&u16, value, sizeof u16);
        return u16;
    case AKIN_ARROW_I32:
    case AKIN_ARROW_DAYS:
    case AKIN_ARROW_CLOCK_S:
    case AKIN_ARROW_CLOCK_MS:
        memcpy(&i32, value, sizeof i32);
        return i32;
    case AKIN_ARROW_U32:
        memcpy(&u32, value, sizeof u32);
        return u32;
    default:
        memcpy(&i64, value, sizeof i64);
        return i64;
    }
}

/* NaN is a null. */
static uint64_t format_real(akin_arrow_kind kind, const char *value, char *text)
{
    float narrow;
    double wide;
    if (kind == AKIN_ARROW_F64) {
        memcpy(&wide, value, sizeof wide);
        return isnan(wide) ? 0 : (uint64_t)(akin_digits_double(text, wide) - text);
    }
    memcpy(&narrow, value, sizeof narrow);
    return isnan(narrow) ? 0 : (uint64_t)(akin_digits_float(text, narrow) - text);
}

/* `count` digits of a number that has no more; returns where they end. */
static char *put_places(char *at, uint64_t value, uint32_t count)
{
    for (uint32_t i = count; i > 0; i--, value /= 10)
        at[i - 1] = (char)('0' + value % 10);
    return at + count;
}

static char *put_signed(char *at, int64_t value)
{
    if (value < 0)
        *at++ = '-';
    return akin_digits_integer(at, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* Four characters at least; a minus is one of them. */
static char *put_year(char *at, int64_t year)
{
    const uint64_t size = (uint64_t)(year < 0 ? -year : year);
    const uint32_t places = year < 0 ? 3 : 4;
    if (year < 0)
        *at++ = '-';
    return size < 1000 || (places == 4 && size < 10000) ? put_places(at, size, places) : akin_digits_integer(at, size);
}

/* Two digits behind a mark. */
static char *put_pair(char *at, char mark, int64_t value)
{
    *at = mark;
    return put_places(at + 1, (uint64_t)value, 2);
}

static char *put_day(char *at, int64_t days)
{
    const akin_day day = akin_day_of(days);
    at = put_pair(put_year(at, day.year), '-', day.month);
    return put_pair(at, '-', day.day);
}

/* The point and `places` digits behind it, up to the last one that is not zero. */
static char *put_fraction(char *at, int64_t part, uint32_t places)
{
    *at = '.';
    at = put_places(at + 1, (uint64_t)part, places);
    while (at[-1] == '0')
        at--;
    return at;
}

static const int64_t units[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};

/* The time of a day, and the parts of a second, 10^places of which make one. */
static char *put_clock(char *at, int64_t seconds, int64_t part, uint32_t places)
{
    const uint64_t hours = (uint64_t)(seconds / 3600);
    at = hours < 100 ? put_places(at, hours, 2) : akin_digits_integer(at, hours);
    at = put_pair(at, ':', seconds / 60 % 60);
    at = put_pair(at, ':', seconds % 60);
    return part ? put_fraction(at, part, places) : at;
}

/* A time stamp that counts parts of a second. */
static char *put_time(char *at, int64_t count, uint32_t places, int is_zoned)
{
    int64_t part = count % units[places], seconds = count / units[places];
    if (part < 0) {
        part += units[places];
        seconds--;
    }
    int64_t of_day = seconds % DAY, day = seconds / DAY;
    if (of_day < 0) {
        of_day += DAY;
        day--;
    }
    at = put_day(at, day);
    *at++ = 'T';
    at = put_clock(at, of_day, part, places);
    if (is_zoned)
        *at++ = 'Z';
    return at;
}

/* A time of day that counts parts of a second. A time beyond a day has more hours. A time below 0 has a sign. */
static char *put_time_of_day(char *at, int64_t count, uint32_t places)
{
    const int64_t seconds = count / units[places], part = count % units[places];
    if (count < 0)
        *at++ = '-';
    return put_clock(at, seconds < 0 ? -seconds : seconds, part < 0 ? -part : part, places);
}

/* A date or a time; NULL: it is neither. */
static char *put_moment(char *at, akin_arrow_kind kind, int is_zoned, int64_t count)
{
    switch (kind) {
    case AKIN_ARROW_DAYS:
        return put_day(at, count);
    case AKIN_ARROW_MILLISECONDS:
        count = count / 1000 - (count % 1000 < 0);
        return put_day(at, count / DAY - (count % DAY < 0));
    case AKIN_ARROW_TIME_S:
        return put_time(at, count, 0, is_zoned);
    case AKIN_ARROW_TIME_MS:
        return put_time(at, count, 3, is_zoned);
    case AKIN_ARROW_TIME_US:
        return put_time(at, count, 6, is_zoned);
    case AKIN_ARROW_TIME_NS:
        return put_time(at, count, 9, is_zoned);
    case AKIN_ARROW_CLOCK_S:
        return put_time_of_day(at, count, 0);
    case AKIN_ARROW_CLOCK_MS:
        return put_time_of_day(at, count, 3);
    case AKIN_ARROW_CLOCK_US:
        return put_time_of_day(at, count, 6);
    case AKIN_ARROW_CLOCK_NS:
        return put_time_of_day(at, count, 9);
    default:
        return NULL;
    }
}

uint64_t akin_arrow_format(akin_arrow_kind kind, int is_zoned, const char *value, char text[AKIN_ARROW_TEXT])
{
    if (kind == AKIN_ARROW_F32 || kind == AKIN_ARROW_F64)
        return format_real(kind, value, text);
    const int64_t number = akin_arrow_integer(kind, value);
    const char *end = put_moment(text, kind, is_zoned, number);
    if (!end)
        end = kind == AKIN_ARROW_U64 ? akin_digits_integer(text, (uint64_t)number) : put_signed(text, number);
    return (uint64_t)(end - text);
}

/* --------------------------------------------------------------------------------------------------------- decimals */

#define LIMBS  8  /* of 32 bits: 256 in all */
#define DIGITS 81 /* of 256 bits, in groups of 9 */

static const struct {
    akin_arrow_kind kind;
    uint32_t bytes, digits; /* digits: at most */
} decimals[] = {{AKIN_ARROW_DECIMAL32, 4, 9},
                {AKIN_ARROW_DECIMAL64, 8, 18},
                {AKIN_ARROW_DECIMAL128, 16, 38},
                {AKIN_ARROW_DECIMAL256, 32, 76}};

akin_arrow_kind akin_arrow_decimal_of(uint32_t bytes, uint32_t digits)
{
    for (size_t i = 0; i < sizeof decimals / sizeof *decimals; i++)
        if (decimals[i].bytes == bytes && decimals[i].digits >= digits)
            return decimals[i].kind;
    return AKIN_ARROW_NULL;
}

/* Takes the sign away: limbs from the lowest one become those of the absolute value. Returns whether it was negative.
 */
static int take_sign(uint32_t *limbs, uint32_t count)
{
    const int is_negative = (limbs[count - 1] >> 31) != 0;
    uint64_t carry = 1;
    for (uint32_t i = 0; is_negative && i < count; i++, carry >>= 32) {
        carry += ~limbs[i];
        limbs[i] = (uint32_t)carry;
    }
    return is_negative;
}

/* Divides by 10^9, and returns the rest; *count is that of the limbs without zeros at the high end. */
static uint32_t divide_limbs(uint32_t *limbs, uint32_t *count)
{
    uint64_t rest = 0;
    for (uint32_t i = *count; i > 0; i--) {
        rest = rest << 32 | limbs[i - 1];
        limbs[i - 1] = (uint32_t)(rest / 1000000000);
        rest %= 1000000000;
    }
    while (*count > 0 && limbs[*count - 1] == 0)
        --*count;
    return (uint32_t)rest;
}

/* The digits of the absolute value; 0 has no digits. Returns where they begin, and *is_negative. */
static const char *put_limbs(const char *value, uint32_t bytes, char digits[DIGITS], int *is_negative)
{
    uint32_t limbs[LIMBS], count = bytes / 4;
    char *at = digits + DIGITS;
    memcpy(limbs, value, bytes);
    *is_negative = take_sign(limbs, count);
    while (count > 0)
        put_places(at -= 9, divide_limbs(limbs, &count), 9);
    while (at < digits + DIGITS && *at == '0')
        at++;
    return at;
}

uint64_t akin_arrow_format_decimal(const char *value, uint32_t bytes, int scale, char text[AKIN_ARROW_TEXT])
{
    char digits[DIGITS], *to = text;
    int is_negative;
    const char *at = put_limbs(value, bytes, digits, &is_negative), *end = digits + DIGITS;
    for (; scale > 0 && at < end && end[-1] == '0'; scale--)
        end--;
    const int count = (int)(end - at), whole = count - scale; /* digits before the point */
    if (is_negative)
        *to++ = '-';
    if (count == 0 || whole <= 0)
        *to++ = '0';
    for (int i = 0; count > 0 && i < whole; i++)
        *to++ = i < count ? at[i] : '0';
    if (count > 0 && scale > 0)
        *to++ = '.';
    for (int i = whole; count > 0 && scale > 0 && i < count; i++)
        *to++ = i < 0 ? '0' : at[i];
    return (uint64_t)(to - text);
}
