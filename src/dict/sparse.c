/* Fills, checks and selects in bit-vectors with few ones. */
#include "dict/sparse.h"

void akin_sparse_fill(const uint32_t *ones, uint64_t count, uint64_t bits, uint32_t before, uint32_t *starts,
                      uint16_t *places)
{
    uint64_t at = 0;
    for (uint64_t range = 0; range < akin_sparse_starts(bits); range++) {
        starts[range] = (uint32_t)(before + at);
        for (; at < count && ones[at] / AKIN_SPARSE_RANGE == range; at++)
            places[before + at] = (uint16_t)(ones[at] % AKIN_SPARSE_RANGE);
    }
}

const char *akin_sparse_check_starts(akin_sparse sparse, uint64_t bits, uint32_t before, uint64_t count)
{
    const uint64_t ranges = akin_sparse_starts(bits) - 1;
    if (sparse.starts[0] != before || sparse.starts[ranges] != before + count)
        return "a list of places does not continue the one before";
    for (uint64_t range = 0; range < ranges; range++)
        if (sparse.starts[range] > sparse.starts[range + 1] || sparse.starts[range + 1] > before + count)
            return "a list of places has fewer than none";
    return NULL;
}

const char *akin_sparse_check(akin_sparse sparse, uint64_t bits, uint32_t before, uint64_t count)
{
    const uint64_t ranges = akin_sparse_starts(bits) - 1;
    const char *why = akin_sparse_check_starts(sparse, bits, before, count);
    for (uint64_t range = 0; range < ranges && !why; range++) {
        const uint64_t begin = range * AKIN_SPARSE_RANGE;
        for (uint64_t at = sparse.starts[range]; at < sparse.starts[range + 1]; at++)
            if (begin + sparse.places[at] >= bits ||
                (at > sparse.starts[range] && sparse.places[at] <= sparse.places[at - 1]))
                return "the places of a list are not in order";
    }
    return why;
}

uint32_t akin_sparse_select(akin_sparse sparse, uint64_t bits, uint32_t number)
{
    const uint32_t at = sparse.starts[0] + number;
    const uint64_t range = akin_lower_bound_u32(sparse.starts, akin_sparse_starts(bits) - 1, (uint64_t)at + 1) - 1;
    return (uint32_t)akin_min_u64(range * AKIN_SPARSE_RANGE + sparse.places[at], bits - 1);
}
