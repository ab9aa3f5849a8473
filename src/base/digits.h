/* Numbers as decimal text, whatever the program's locale: integers and doubles are in akin.h, for all programs. */
#ifndef AKIN_BASE_DIGITS_H
#define AKIN_BASE_DIGITS_H

#include "akin.h"

/* As akin_digits_double, with the digits that read back to the same float. */
char *akin_digits_float(char *at, float value);

/* The double that is nearest to digits * 10^exponent. Returns 0, which is rare, if 128 bits do not decide the double,
 * or if it is not normal. */
int akin_digits_read(uint64_t digits, int64_t exponent, double *out);

#endif
