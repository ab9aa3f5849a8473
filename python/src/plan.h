/* Plans of deduplication from JSON. */
#ifndef AKIN_PYTHON_PLAN_H
#define AKIN_PYTHON_PLAN_H

#include "module.h"

/* The finished plan in a text of JSON; NULL, and an exception. */
akin_dedupe_plan *plan_take(job *j, const char *text);

/* The columns of a table in the order in which the plan names them, from the array of all its columns, which is freed.
 * NULL, and an exception. */
akin_column *plan_columns(akin_column *all, const input *from, const char *const *names, uint32_t count);

#endif
