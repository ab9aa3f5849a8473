/*
 * The cheapest assignment of rows to columns, as long as it is cheap: the Hungarian method, by shortest paths for the
 * rows that lowered costs leave (Kuhn 1955, Munkres 1957, Jonker and Volgenant 1987). The sum of the prices only grows,
 * so it ends as soon as that is too large.
 */
#ifndef AKIN_GRAPHS_ASSIGNMENT_H
#define AKIN_GRAPHS_ASSIGNMENT_H

#include "base/memory.h"

/* All fields are zero at first but the account. A thread has its own. */
typedef struct akin_assigner {
    akin_account *account;
    int32_t *row_price, *column_price, *slack;
    uint32_t *row_of, *before; /* by column */
    uint32_t *waiting;         /* rows that have no column yet */
    uint8_t *done;
    uint64_t room; /* of each array */
} akin_assigner;

/* Makes room for `count` rows. Returns 0 if memory is short. */
int akin_assigner_reserve(akin_assigner *assigner, uint32_t count);

/* The cost of the cheapest assignment of `count` rows to as many columns, for which there is room; most + 1 if it is
 * above `most`. Row r, column c costs costs[r * stride + c]. */
uint32_t akin_assign(akin_assigner *assigner, const uint16_t *costs, uint32_t stride, uint32_t count, uint32_t most);

/* How much more than the cheapest assignment one costs at least that gives row r column c. */
static inline uint32_t akin_assigner_more(const akin_assigner *assigner, const uint16_t *costs, uint32_t stride,
                                          uint32_t r, uint32_t c)
{
    return (uint32_t)(costs[(size_t)r * stride + c] - assigner->row_price[r + 1] - assigner->column_price[c + 1]);
}

void akin_assigner_clear(akin_assigner *assigner);

#endif
