/* Sorting of integers: the small sorts that the rooms share. */
#ifndef AKIN_BASE_SORT_H
#define AKIN_BASE_SORT_H

#include "base/bits.h"

#include <stddef.h>

struct akin_cancellation; /* base/parallel.h */

/* Sorts keys ascending, in place, with no further memory: quicksort, with heap sort as the worst case. */
void akin_sort_u32(uint32_t *keys, size_t count);
void akin_sort_u64(uint64_t *keys, size_t count);

void akin_sort_u128(akin_u128 *keys, size_t count);

/* The same for many keys: every few milliseconds it checks for cancellation. 0: cancelled, and the keys are in some
 * order. */
int akin_sort_long_u64(uint64_t *keys, size_t count, struct akin_cancellation *cancellation);
int akin_sort_long_u128(akin_u128 *keys, size_t count, struct akin_cancellation *cancellation);

/* Sorts 64-bit keys ascending by radix; scratch has room for count keys. It takes a pass for every 11 bits or so in
 * which keys differ, none for bits that all of them share. Faster than akin_sort_u64 from a few thousand keys on. */
void akin_radix_sort_u64(uint64_t *keys, uint64_t *scratch, size_t count);

/* The same by the bits from `low` (0 to 63) on: keys that are equal in these stay in the order in which they come. */
void akin_radix_sort_upper_u64(uint64_t *keys, uint64_t *scratch, size_t count, int low);

/* The same for many keys, with the checks above. 0: cancelled, and the keys are lost. */
int akin_radix_sort_long_u64(uint64_t *keys, uint64_t *scratch, size_t count, int low,
                             struct akin_cancellation *cancellation);

#endif
