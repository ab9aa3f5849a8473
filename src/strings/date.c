/* Reads dates. */
#include "strings/date.h"

#include "strings/number.h"

#include <string.h>

/* The number that `count` digits make; -1: they are not all digits. */
static int32_t digits_at(const char *text, int count)
{
    int32_t value = 0;
    for (int i = 0; i < count; i++) {
        if (!akin_is_digit(text[i]))
            return -1;
        value = 10 * value + (text[i] - '0');
    }
    return value;
}

/* Whether what follows a date is a time. */
static int is_time(const char *text, uint32_t length)
{
    if (length < 2 || !(*text == 'T' || *text == ' ') || !akin_is_digit(text[1]))
        return 0;
    for (uint32_t i = 1; i < length; i++)
        if (!akin_is_digit(text[i]) && (text[i] == '\0' || !strchr(" :.,+-Z", text[i])))
            return 0;
    return 1;
}

static int32_t days_in(int32_t year, int32_t month)
{
    static const int8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int leaps = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leaps);
}

/* Years begin in March here, so that the day that leap years have is their last: a month begins 30.6 days after the one
 * before, more or less, and whole numbers compute that exactly. */
static int32_t days_of(int32_t year, int32_t month, int32_t day)
{
    int32_t y = year - (month <= 2), m = (month + 9) % 12;
    return 365 * y + y / 4 - y / 100 + y / 400 + (306 * m + 5) / 10 + day - 1 - 719468;
}

int akin_date_parse(const char *text, uint32_t length, int32_t *days)
{
    akin_trim(&text, &length);
    int parted = length > 4 && (text[4] == '-' || text[4] == '/');
    uint32_t size = parted ? 10 : 8;
    if (length < size || (parted && text[7] != text[4]) || (length > size && !is_time(text + size, length - size)))
        return 0;
    int32_t year = digits_at(text, 4), month = digits_at(text + 4 + parted, 2);
    int32_t day = digits_at(text + 6 + 2 * parted, 2);
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > days_in(year, month))
        return 0;
    *days = days_of(year, month, day);
    return 1;
}
