/* Lists of pairs of a few ids, and the columns that they are given as. */
#ifndef AKIN_TEST_DEDUPE_SUPPORT_H
#define AKIN_TEST_DEDUPE_SUPPORT_H

#include <stdint.h>

#include "akin.h"

#define PAIRS_MOST 64

/* Pairs of the ids 'a', 'b' and so on. */
typedef struct pair_list {
    uint32_t rows;
    int ids[2][PAIRS_MOST];
    double similarities[PAIRS_MOST];
    char bytes[2][PAIRS_MOST];
    akin_column columns[2];
} pair_list;

static void add_pair(pair_list *list, int left, int right, double similarity)
{
    list->ids[0][list->rows] = left;
    list->ids[1][list->rows] = right;
    list->similarities[list->rows++] = similarity;
}

/* The columns of a list, as long as it stays as it is. */
static const akin_column *columns_of(pair_list *list)
{
    static uint64_t offsets[PAIRS_MOST + 1];
    for (uint32_t i = 0; i <= PAIRS_MOST; i++)
        offsets[i] = i;
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < list->rows; i++)
            list->bytes[side][i] = (char)('a' + list->ids[side][i]);
        list->columns[side] =
            (akin_column){.size = sizeof(akin_column), .offsets = offsets, .bytes = list->bytes[side]};
    }
    return list->columns;
}

#endif
