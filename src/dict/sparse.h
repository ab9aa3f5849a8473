/*
 * A bit-vector with few ones, as the list of its ones, in ranges of 2^16 bits:
 *
 *     starts   for each range, and for the end of the last one: the number of ones before it, in this vector and in the
 *              vectors that were filled before
 *     places   the place of each one in its range, rising, 2 bytes each
 */
#ifndef AKIN_DICT_SPARSE_H
#define AKIN_DICT_SPARSE_H

#include "base/bits.h"

#define AKIN_SPARSE_RANGE 65536u

typedef struct akin_sparse {
    const uint32_t *starts;
    const uint16_t *places;
} akin_sparse;

/* The number of starts of a vector of `bits` bits. */
static inline uint64_t akin_sparse_starts(uint64_t bits)
{
    return akin_ceil_div(bits, AKIN_SPARSE_RANGE) + 1;
}

/* Fills the starts, and the places from place `before` on. */
void akin_sparse_fill(const uint32_t *ones, uint64_t count, uint64_t bits, uint32_t before, uint32_t *starts,
                      uint16_t *places);

/* Checks a vector that was read from a file. Returns NULL, or the fault. */
const char *akin_sparse_check(akin_sparse sparse, uint64_t bits, uint32_t before, uint64_t count);

/* The same for the starts alone: then a rank is right or wrong, but is in the vector, whatever places hold. */
const char *akin_sparse_check_starts(akin_sparse sparse, uint64_t bits, uint32_t before, uint64_t count);

/* Returns the bit that is the one with this number, counted from 0 in this vector, or any bit if the places were
 * changed. The vector must have that one. */
uint32_t akin_sparse_select(akin_sparse sparse, uint64_t bits, uint32_t number);

/* Returns whether a bit is one, and the number of ones below it in *number. */
AKIN_EVERYWHERE static inline int akin_sparse_rank(akin_sparse sparse, uint32_t bit, uint32_t *number)
{
    const uint32_t range = bit / AKIN_SPARSE_RANGE, place = bit % AKIN_SPARSE_RANGE;
    uint32_t low = sparse.starts[range], high = sparse.starts[range + 1];
    const uint32_t end = high;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sparse.places[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    *number = low - sparse.starts[0];
    return low < end && sparse.places[low] == place;
}

#endif
