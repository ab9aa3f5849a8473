/* Lists of the ranges of an array that are not sorted yet. */
#ifndef AKIN_DICT_RANGES_H
#define AKIN_DICT_RANGES_H

#include "base/bulk.h"

typedef struct akin_range {
    uint32_t first, count;
} akin_range;

typedef struct akin_ranges {
    akin_bulk bulk; /* the memory of the ranges */
    uint64_t count;
} akin_ranges;

static inline akin_range akin_ranges_at(const akin_ranges *ranges, uint64_t i)
{
    return ((const akin_range *)ranges->bulk.data)[i];
}

/* Adds a range to a list; `what` is for messages. Errors: AKIN_E_NOMEM, AKIN_E_IO. */
static inline akin_status akin_ranges_add(akin_ranges *ranges, uint32_t first, uint32_t count, const char *what,
                                          akin_error *error)
{
    akin_status status = akin_bulk_grow(&ranges->bulk, (ranges->count + 1) * sizeof(akin_range), what, error);
    if (status == AKIN_OK)
        ((akin_range *)ranges->bulk.data)[ranges->count++] = (akin_range){first, count};
    return status;
}

/* Makes *done the list *next, and *next an empty list in the memory of *done. */
static inline void akin_ranges_turn(akin_ranges *done, akin_ranges *next)
{
    akin_ranges empty = *done;
    *done = *next;
    *next = empty;
    next->count = 0;
}

#endif
