/* Comparators of whole values. */
#ifndef AKIN_STRINGS_COMPARER_VALUES_H
#define AKIN_STRINGS_COMPARER_VALUES_H

#include "strings/comparer_functions.h"

extern const akin_comparer_functions akin_bytes_functions;   /* the same bytes */
extern const akin_comparer_functions akin_soundex_functions; /* the same Soundex codes */
extern const akin_comparer_functions akin_number_functions;  /* the difference of numbers */
extern const akin_comparer_functions akin_date_functions;    /* the days between dates */

/* Two numbers, or days. Those that are as far apart as the comparer's scale, or further, are not alike. */
akin_compared akin_compare_numbers(const akin_comparer *comparer, double left, double right);

#endif
