/* Numbers, dates and times of Arrow arrays as text. */
#include "table/arrow.h"

#include "base/digits.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
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

/* A number that is none is a null. */
static uint64_t format_real(double value, int is_float, char *text)
{
    if (isnan(value))
        return 0;
    const char *end = is_float ? akin_digits_float(text, (float)value) : akin_digits_double(text, value);
    return (uint64_t)(end - text);
}

/* The day of the proleptic Gregorian calendar, in eras of 400 years that begin with March. */
static uint64_t format_day(int64_t day, char *text)
{
    day += 719468; /* since 0000-03-01 */
    int64_t era = (day >= 0 ? day : day - 146096) / 146097, of_era = day - era * 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100), month = (5 * of_year + 2) / 153;
    year += 400 * era + (month >= 10);
    return (uint64_t)snprintf(text, AKIN_ARROW_TEXT, "%04" PRId64 "-%02d-%02d", year,
                              (int)(month < 10 ? month + 3 : month - 9), (int)(of_year - (153 * month + 2) / 5 + 1));
}

/* `places` digits behind the point, those that are not zero. */
static uint64_t format_time(int64_t count, int places, int is_zoned, char *text)
{
    int64_t unit = 1;
    for (int i = 0; i < places; i++)
        unit *= 10;
    int64_t part = count % unit, seconds = count / unit;
    if (part < 0) {
        part += unit;
        seconds--;
    }
    int64_t of_day = seconds % DAY, day = seconds / DAY;
    if (of_day < 0) {
        of_day += DAY;
        day--;
    }
    uint64_t length = format_day(day, text);
    length += (uint64_t)snprintf(text + length, AKIN_ARROW_TEXT - length, "T%02d:%02d:%02d", (int)(of_day / 3600),
                                 (int)(of_day / 60 % 60), (int)(of_day % 60));
    if (part) {
        length += (uint64_t)snprintf(text + length, AKIN_ARROW_TEXT - length, ".%0*" PRId64, places, part);
        while (text[length - 1] == '0')
            length--;
    }
    if (is_zoned)
        text[length++] = 'Z';
    return length;
}

uint64_t akin_arrow_format(akin_arrow_kind kind, int is_zoned, const char *value, char text[AKIN_ARROW_TEXT])
{
    float real;
    double wide;
    int64_t number;
    switch (kind) {
    case AKIN_ARROW_F32:
        memcpy(&real, value, sizeof real);
        return format_real((double)real, 1, text);
    case AKIN_ARROW_F64:
        memcpy(&wide, value, sizeof wide);
        return format_real(wide, 0, text);
    default:
        number = akin_arrow_integer(kind, value);
    }
    switch (kind) {
    case AKIN_ARROW_U64:
        return (uint64_t)snprintf(text, AKIN_ARROW_TEXT, "%" PRIu64, (uint64_t)number);
    case AKIN_ARROW_DAYS:
        return format_day(number, text);
    case AKIN_ARROW_MILLISECONDS:
        number = number / 1000 - (number % 1000 < 0);
        return format_day(number / DAY - (number % DAY < 0), text);
    case AKIN_ARROW_TIME_S:
        return format_time(number, 0, is_zoned, text);
    case AKIN_ARROW_TIME_MS:
        return format_time(number, 3, is_zoned, text);
    case AKIN_ARROW_TIME_US:
        return format_time(number, 6, is_zoned, text);
    case AKIN_ARROW_TIME_NS:
        return format_time(number, 9, is_zoned, text);
    default:
        return (uint64_t)snprintf(text, AKIN_ARROW_TEXT, "%" PRId64, number);
    }
}
