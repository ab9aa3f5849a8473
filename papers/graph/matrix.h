/*
 * A matrix of bits, records by records, in tiles, as a closure by Warshall's algorithm works on it: bit (i, j) is set
 * if a chain of pairs leads from record i to record j. It has `side` tiles in a row and in a column, each of AKIN_TILE
 * rows of AKIN_TILE bits; what lies beyond the last record is zero. Tiles stand row by row, and each is in one piece:
 *
 *     | tile (0, 0) | tile (0, 1) | ...  | tile (1, 0) | ...        8 KiB each
 *       row 0: 8 words of 32 bits, the lowest bit of the first is column 0;  row 1; ...
 */
#ifndef AKIN_PAPERS_GRAPH_MATRIX_H
#define AKIN_PAPERS_GRAPH_MATRIX_H

#include "base/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AKIN_TILE       256u
#define AKIN_TILE_WORDS (AKIN_TILE / 32)

typedef struct akin_tile {
    uint32_t rows[AKIN_TILE][AKIN_TILE_WORDS];
} akin_tile;

typedef struct akin_bit_matrix {
    akin_tile *tiles;
    uint32_t side;
} akin_bit_matrix;

static inline akin_tile *akin_bit_matrix_tile(const akin_bit_matrix *matrix, uint32_t i, uint32_t j)
{
    return matrix->tiles + (uint64_t)i * matrix->side + j;
}

#ifdef __cplusplus
}
#endif

#endif
