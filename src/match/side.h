/* A side of a join of strings, whose ranges of rows become batches. */
#ifndef AKIN_MATCH_SIDE_H
#define AKIN_MATCH_SIDE_H

#include "base/memory.h"
#include "join/pieces.h"
#include "strings/batch.h"

typedef struct akin_match_side {
    const akin_column *column;
    uint32_t rows, *lengths; /* in symbols; 0: null or empty */
    uint32_t there;          /* rows that are neither */
    uint32_t width;          /* bytes that a symbol of a batch takes */
} akin_match_side;

/* The strings of all rows, or of a range of them. */
typedef struct akin_match_extent {
    uint64_t rows, symbols;
    uint64_t bytes; /* of a batch while it is made, on the CPU */
} akin_match_extent;

akin_match_extent akin_match_extent_of(const akin_piece_range *range);

/* All rows of a side. */
static inline akin_piece_range akin_match_range(const akin_match_side *side, uint32_t first, uint32_t end)
{
    return (akin_piece_range){.side = side, .first = first, .end = end};
}

/* The bytes of a range's batch: an akin_piece_weight. */
uint64_t akin_match_weight(const akin_piece_range *range);

/* The place in a range whose rows before it take `part` of `whole` of its bytes; 0 if the range has one row. */
uint32_t akin_match_place_of(const akin_piece_range *range, uint64_t part, uint64_t whole);

#endif
