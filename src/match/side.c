/* Adds up the strings of a range of rows, and finds where to cut it. */
#include "match/side.h"

#define ROW_SORTED 16 /* bytes of a row beside the batch, while that is made */

static uint64_t bytes_of_row(const akin_match_side *side, uint32_t row)
{
    const uint32_t length = side->lengths[row];
    return (uint64_t)length * side->width + akin_strings_batch_bytes(length) + ROW_SORTED;
}

akin_match_extent akin_match_extent_of(const akin_piece_range *range)
{
    const akin_match_side *side = range->side;
    akin_match_extent e = {.rows = akin_piece_rows(range)};
    for (uint32_t row = range->first; row < range->end; row++) {
        e.symbols += side->lengths[row];
        e.bytes += bytes_of_row(side, row);
    }
    return e;
}

uint64_t akin_match_weight(const akin_piece_range *range)
{
    return akin_match_extent_of(range).bytes;
}

uint32_t akin_match_place_of(const akin_piece_range *range, uint64_t part, uint64_t whole)
{
    const akin_match_side *side = range->side;
    if (akin_piece_rows(range) < 2)
        return 0;
    const double wanted = (double)akin_match_weight(range) * (double)part / (double)whole;
    uint64_t bytes = bytes_of_row(side, range->first);
    uint32_t place = range->first + 1;
    while (place < range->end - 1 && (double)bytes < wanted)
        bytes += bytes_of_row(side, place++);
    return place;
}
