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
    uint32_t *order;   /* of all numbers */
    akin_column texts; /* of numbers, if the ids are text */
    uint64_t least;    /* of integers as keys; */
    int is_narrow;     /* all keys are less than 2^63 above it */
    akin_bulk of, ordered, keys, texts_room[2];
} akin_numbered_ids;

/* An integer as a key: keys have the order of the integers of a type. */
uint64_t akin_pair_ids_key(const akin_pair_ids *ids, uint64_t i);

/* The integer of a number, as a key. */
static inline uint64_t akin_pair_ids_key_of(const akin_numbered_ids *ids, uint32_t number)
{
    const uint32_t end = ids->numbers.first[number];
    return akin_pair_ids_key(ids->sides[end % 2], end / 2);
}

/* Writes the integer of a key to entry i of an array of that type. */
void akin_pair_ids_put(akin_type type, uint64_t key, void *to, uint64_t i);

/* Numbers the ids of at most 2^31 - 1 pairs, which have been checked, by all threads. The caller clears *out in any
 * case. Errors: AKIN_E_NOMEM, AKIN_E_IO (a temporary file), AKIN_E_CANCELLED. */
akin_status akin_pair_ids_number(const akin_scope *scope, akin_account *account, const akin_pair_ids *left,
                                 const akin_pair_ids *right, uint64_t pairs, akin_numbered_ids *out, akin_error *error);

/* Puts the numbers in the order of their ids, and makes the texts. Errors: the same. */
akin_status akin_pair_ids_sort(const akin_scope *scope, akin_numbered_ids *ids, akin_error *error);

void akin_pair_ids_clear(akin_numbered_ids *ids);

#endif
