/* Limits: what jobs, their inputs and their outputs stop at. */
#ifndef AKIN_BASE_LIMITS_H
#define AKIN_BASE_LIMITS_H

#include "base/choice.h"
#include "base/limited.h"
#include "base/scope.h"

/* Its values are akin_limit. */
extern const akin_choice_table akin_limits;

/* Sets the defaults. */
void akin_limited_begin(akin_limited *limited);

/* A limit of the context of a scope; 0: there is none. The default where the scope is NULL or has no context. */
uint64_t akin_limit_of(const akin_scope *scope, akin_limit limit);

/* Writes the error of a limit that is met: AKIN_E_LIMIT. Its message is formatted as by printf. */
AKIN_PRINTF(3, 4)
akin_status akin_fail_limit(akin_error *error, akin_limit limit, const char *format, ...);

/* The same for a line of a file: "NAME:LINE: " comes before the message. */
AKIN_PRINTF(5, 6)
akin_status akin_fail_limit_at(akin_error *error, akin_limit limit, const char *name, uint64_t line, const char *format,
                               ...);

/* The same for a row and a column, as akin_fail_row has it. */
AKIN_PRINTF(5, 6)
akin_status akin_fail_limit_of(akin_error *error, akin_limit limit, uint64_t row, const char *column,
                               const char *format, ...);

#endif
