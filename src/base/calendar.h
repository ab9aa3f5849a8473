/* Days of the proleptic Gregorian calendar. */
#ifndef AKIN_BASE_CALENDAR_H
#define AKIN_BASE_CALENDAR_H

#include <stdint.h>

typedef struct akin_day {
    int64_t year;
    int32_t month, day; /* from 1 on */
} akin_day;

/* The day that lies `days` days after 1970-01-01. It counts in eras of 400 years that begin with March, so that a leap
 * day is the last day of a year. |days| < 2^60. */
static inline akin_day akin_day_of(int64_t days)
{
    days += 719468; /* since 0000-03-01 */
    const int64_t era = (days >= 0 ? days : days - 146096) / 146097, of_era = days - era * 146097;
    const int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * year + year / 4 - year / 100), month = (5 * of_year + 2) / 153;
    return (akin_day){.year = year + 400 * era + (month >= 10),
                      .month = (int32_t)(month < 10 ? month + 3 : month - 9),
                      .day = (int32_t)(of_year - (153 * month + 2) / 5 + 1)};
}

#endif
