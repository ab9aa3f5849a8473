/* Decimal numbers of any length, as the doubles that are nearest to them. */
#ifndef AKIN_STRINGS_NUMBER_H
#define AKIN_STRINGS_NUMBER_H

#include <stdint.h>

static inline int akin_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Leaves out the blanks (spaces, tabs) around a text. */
static inline void akin_trim(const char **text, uint32_t *length)
{
    while (*length > 0 && (**text == ' ' || **text == '\t'))
        ++*text, --*length;
    while (*length > 0 && ((*text)[*length - 1] == ' ' || (*text)[*length - 1] == '\t'))
        --*length;
}

/*
 * Reads a number: blanks, a sign, digits with at most one point before, between or behind them, an exponent; the sign
 * and the exponent may be left out. It is correctly rounded, whatever the locale. 0: it is no number, or too large for
 * a double; one that is too small becomes 0, or the nearest there is.
 */
int akin_number_parse(const char *text, uint32_t length, double *out);

/* Makes a point of whatever the program's locale takes for one in a number that printf wrote. */
void akin_number_point(char *text);

#endif
