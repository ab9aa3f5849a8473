/* Sorts many integers by all threads. */
#ifndef AKIN_BASE_SORT_PARALLEL_H
#define AKIN_BASE_SORT_PARALLEL_H

#include "base/bits.h"
#include "base/memory.h"
#include "base/scope.h"

/* Sort keys ascending. They take the size of a key and 2 bytes for each key of the account; where memory is short, the
 * calling thread sorts alone, in place. Errors, without a message: AKIN_E_CANCELLED, and the keys are in some order. */
akin_status akin_sort_parallel_u64(const akin_scope *scope, akin_account *account, uint64_t *keys, uint64_t count);
akin_status akin_sort_parallel_u128(const akin_scope *scope, akin_account *account, akin_u128 *keys, uint64_t count);

#endif
