/* The codes of a column's rows: see akin_column. */
#ifndef AKIN_TABLE_CODES_H
#define AKIN_TABLE_CODES_H

#include "base/bulk.h"

typedef struct akin_row_codes {
    akin_bulk rows; /* uint32_t each, or AKIN_CODE_NONE */
    uint32_t count; /* codes are below it; 0: there are none */
} akin_row_codes;

#endif
