/* Comparators of whole values. */
#ifndef AKIN_STRINGS_COMPARER_VALUES_H
#define AKIN_STRINGS_COMPARER_VALUES_H

#include "strings/comparer_functions.h"

extern const akin_comparer_functions akin_bytes_functions;   /* the same bytes */
extern const akin_comparer_functions akin_soundex_functions; /* the same Soundex codes */
extern const akin_comparer_functions akin_number_functions;  /* the difference of numbers */
extern const akin_comparer_functions akin_date_functions;    /* the days between dates */

/* What a comparator's options say of numbers. */
akin_number_scale akin_number_scale_of(const akin_comparator_row *row, const akin_compare_options *options);

/* Two numbers, or days. */
akin_compared akin_compare_numbers(const akin_comparer *comparer, double left, double right);

#endif
