/* How many bytes a record of a text may have. */
#ifndef AKIN_BASE_RECORD_H
#define AKIN_BASE_RECORD_H

#include "base/scope.h"

/* The bytes that a record may have: the limit AKIN_LIMIT_RECORD, of at least a block, or a share of the memory bound if
 * that is less. */
typedef struct akin_record_most {
    uint64_t bytes; /* 0: any number */
    int by_memory;  /* it is that of the memory bound */
} akin_record_most;

/* `block`: the bytes of a block. */
akin_record_most akin_record_most_of(const akin_scope *scope, uint64_t block);

/* Writes the error of a record that has more: AKIN_E_LIMIT or AKIN_E_NOMEM. "NAME:LINE: " comes before the message,
 * which is formatted as by printf; line 0: the line is not known. */
AKIN_PRINTF(5, 6)
akin_status akin_fail_record(akin_error *error, akin_record_most most, const char *name, uint64_t line,
                             const char *format, ...);

#endif
