/* Which pairs are probable enough, or weigh enough, found by all threads. */
#ifndef AKIN_LEARN_REACHING_H
#define AKIN_LEARN_REACHING_H

#include "base/memory.h"
#include "base/scope.h"

/* Lists the numbers of the probabilities that are `least` or more, ascending; the caller frees them. *sum becomes the
 * sum of all probabilities, those that are less, too; it may be NULL. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_reaching_list(const akin_scope *scope, akin_account *account, const double *probabilities,
                               uint64_t count, double least, uint64_t **numbers, uint64_t *found, double *sum,
                               akin_error *error);

#endif
