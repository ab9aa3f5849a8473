/*
 * The ids at the ends of pairs, as nodes of a graph: end 2 i is the left id of pair i, end 2 i + 1 the right one.
 *
 *     pairs     (7, 3) (3, 9)          of      0 1 1 2      equal ids have one number, in the order of the first ends
 *     ends       0  1   2  3           order   1 0 2        numbers by their ids: 3, 7, 9
 */
#ifndef AKIN_GRAPH_PAIR_IDS_H
#define AKIN_GRAPH_PAIR_IDS_H

#include "base/bulk.h"
#include "base/numbering.h"

typedef struct akin_numbered_ids {
    const akin_pair_ids *sides[2]; /* borrowed */
    uint64_t pairs;
    akin_account *account;
    akin_numbers numbers;
    uint32_t *order;      /* of all numbers */
    uint64_t *sorted;     /* integers in this order, as keys; of text NULL */
    akin_column texts;    /* of numbers, if the ids are text */
    uint64_t least, most; /* of integers as keys */
    akin_bulk of, ordered, keys, texts_room[2];
} akin_numbered_ids;

/* Integer i as a key: keys have the order of the integers of a type. */
static inline uint64_t akin_pair_ids_key(const akin_pair_ids *ids, uint64_t i)
{
    const uint64_t sign = (uint64_t)1 << 63;
    if (ids->type == AKIN_TYPE_U64)
        return ((const uint64_t *)ids->numbers)[i];
    if (ids->type == AKIN_TYPE_I64)
        return ((const uint64_t *)ids->numbers)[i] ^ sign;
    if (ids->type == AKIN_TYPE_U32)
        return ((const uint32_t *)ids->numbers)[i];
    return (uint64_t)(int64_t)((const int32_t *)ids->numbers)[i] ^ sign;
}

/* Writes the integer of a key to entry i of an array of that type. */
void akin_pair_ids_put(akin_type type, uint64_t key, void *to, uint64_t i);

/* Numbers the ids of at most 2^31 - 1 pairs, which have been checked, by all threads. The caller clears *out in any
 * case. Errors: AKIN_E_NOMEM, AKIN_E_IO (a temporary file), AKIN_E_CANCELLED. */
akin_status akin_pair_ids_number(const akin_scope *scope, akin_account *account, const akin_pair_ids *left,
                                 const akin_pair_ids *right, uint64_t pairs, akin_numbered_ids *out, akin_error *error);

/* Puts the numbers in the order of their ids, and makes the sorted integers or the texts. Errors: the same. */
akin_status akin_pair_ids_sort(const akin_scope *scope, akin_numbered_ids *ids, akin_error *error);

void akin_pair_ids_clear(akin_numbered_ids *ids);

#endif
