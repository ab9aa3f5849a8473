/* Dates, as days of the Gregorian calendar. */
#ifndef AKIN_STRINGS_DATE_H
#define AKIN_STRINGS_DATE_H

#include <stdint.h>

/*
 * Reads a date: YYYY-MM-DD, YYYY/MM/DD or YYYYMMDD, blanks around it left aside; a time may follow, behind a T or a
 * blank, which does not count: it begins with a digit, and holds digits, blanks and : . , + - Z. Days are counted from
 * 1970-01-01; before 1582 the calendar is that of today, carried back, to the year 1. 0: it is no date.
 */
int akin_date_parse(const char *text, uint32_t length, int32_t *days);

#endif
