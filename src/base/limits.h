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

/* Adds the name of a limit that is met to an error that has been written with AKIN_E_LIMIT and AKIN_REASON_LIMIT.
 * Returns AKIN_E_LIMIT. */
akin_status akin_note_limit(akin_error *error, akin_limit limit);

#endif
