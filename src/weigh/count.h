/* Counts documents on the CPU, for a weigher. */
#ifndef AKIN_WEIGH_COUNT_H
#define AKIN_WEIGH_COUNT_H

#include "weigh/weighing.h"

/* Readies the counting. To be cleared in any case. Errors: AKIN_E_NOMEM, AKIN_E_IO. */
akin_status akin_weigher_count_begin(akin_weigher *weigher, akin_error *error);

/* Counts the rows of the columns that the weigher is being given. Errors: those of akin_weigher_add. */
akin_status akin_weigher_count_rows(akin_weigher *weigher, akin_error *error);

/* Ends the counting: df is there, and all of the weights but the values. Errors: AKIN_E_NOMEM, AKIN_E_IO. */
akin_status akin_weigher_count_end(akin_weigher *weigher, akin_error *error);
void akin_weigher_count_clear(akin_weigher *weigher);

#endif
