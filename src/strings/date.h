/* Dates, as days of the Gregorian calendar. */
#ifndef AKIN_STRINGS_DATE_H
#define AKIN_STRINGS_DATE_H

#include <stdint.h>

/*
 * Reads a date: YYYY-MM-DD, YYYY/MM/DD or YYYYMMDD. Blanks around it do not count. A time may follow, behind a T or a
 * blank, and does not count either: it begins with a digit, and holds digits, blanks and : . , + - Z. Days are counted
 * from 1970-01-01. Before 1582 today's calendar is used, back to the year 1. 0: it is not a date.
 */
int akin_date_parse(const char *text, uint32_t length, int32_t *days);

#endif
