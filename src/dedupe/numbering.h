/* Numbers the values of a column: those that are the same bytes have one number, in the order of their first records. */
#ifndef AKIN_DEDUPE_NUMBERING_H
#define AKIN_DEDUPE_NUMBERING_H

#include "dedupe/values.h"

/* Fills values->of, for which there is room, and makes values->first. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_values_number(akin_context *context, akin_account *account, akin_values *values, akin_error *error);

#endif
