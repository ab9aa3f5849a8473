/*
 * The tiled algorithm of Warshall on a GPU. A matrix that has room there goes there as a whole; else it is tiled twice
 * (section 5.5.2 of the paper). It is cut into blocks of tiles so that three blocks have room, and there are stages of
 * blocks as there are of tiles:
 *
 *     . . : c c : . .        phase 1: the block p on the diagonal is closed by the algorithm itself
 *     ....:.....:....        phase 2: blocks in its row and column are multiplied by it
 *     r r : p p : r r        phase 3: of the others, t |= c x r
 *     r r : p p : r r
 *
 * A product that has its own left or right factor in it is put beside that, in the third place.
 */
#include "base/bits.h"
#include "papers/graph/kernels.h"
#include "papers/kernels.h"
#include "papers/graph/warshall.h"

#define ROUNDS 16u /* launches between two checks for cancellation, which wait for them */

typedef struct closing {
    const akin_scope *scope;
    akin_device *device;
    akin_device_stream *stream;
    const akin_bit_matrix *matrix; /* of the host's */
    akin_device_buffer places[3];
    akin_bit_matrix blocks[3]; /* on the device, of the same size; a block at the edge has zeros beyond it */
    uint32_t side;             /* tiles in a row of a block, */
    uint32_t count;            /* and blocks in a row of the matrix */
    uint32_t rounds;
    uint64_t done; /* columns of tiles that blocks were multiplied by, of count^3 * side */
} closing;

/* After each ROUNDS launches, waits for them and checks for cancellation. */
static akin_status closure_goes_on(closing *c, akin_error *error)
{
    uint64_t total = (uint64_t)c->count * c->count * c->count * c->side;
    if (c->rounds++ % ROUNDS != 0)
        return AKIN_OK;
    akin_status status = akin_device_stream_finish(c->stream, error);
    if (status == AKIN_OK && akin_scope_report(c->scope, "closing", c->done, total) != AKIN_OK)
        return akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- copies */

/* Tiles of the matrix from `block` on that there are in a row or column of blocks. */
static uint32_t tiles_in(const closing *c, uint32_t block)
{
    uint32_t first = block * c->side;
    return (uint32_t)akin_min_u64(c->side, c->matrix->side - first);
}

/* Brings block (i, j) to a place. */
static akin_status bring_block(closing *c, uint32_t i, uint32_t j, const akin_bit_matrix *place, akin_error *error)
{
    uint64_t bytes = (uint64_t)tiles_in(c, j) * sizeof(akin_tile);
    akin_status status =
        akin_device_fill(c->stream, place->tiles, 0, (uint64_t)c->side * c->side * sizeof(akin_tile), error);
    for (uint32_t row = 0; row < tiles_in(c, i) && status == AKIN_OK; row++)
        status = akin_device_upload(c->stream, akin_bit_matrix_tile(place, row, 0),
                                    akin_bit_matrix_tile(c->matrix, i * c->side + row, j * c->side), bytes, error);
    return status;
}

/* And back. */
static akin_status fetch(closing *c, uint32_t i, uint32_t j, const akin_bit_matrix *place, akin_error *error)
{
    uint64_t bytes = (uint64_t)tiles_in(c, j) * sizeof(akin_tile);
    akin_status status = AKIN_OK;
    for (uint32_t row = 0; row < tiles_in(c, i) && status == AKIN_OK; row++)
        status = akin_device_download(c->stream, akin_bit_matrix_tile(c->matrix, i * c->side + row, j * c->side),
                                      akin_bit_matrix_tile(place, row, 0), bytes, error);
    return status;
}

/* Puts a copy of a block in the third place. */
static akin_status double_up(closing *c, const akin_bit_matrix *block, akin_error *error)
{
    return akin_device_copy(c->stream, c->blocks[2].tiles, block->tiles,
                            (uint64_t)c->side * c->side * sizeof(akin_tile), error);
}

/* ----------------------------------------------------------------------------------------------------------- blocks */

/* The closure of a block, tile by tile. */
static akin_status close_block(closing *c, const akin_bit_matrix *block, akin_error *error)
{
    uint64_t tiles = (uint64_t)block->side * block->side;
    akin_status status = AKIN_OK;
    for (uint32_t pivot = 0; pivot < block->side && status == AKIN_OK; pivot++) {
        status = closure_goes_on(c, error);
        if (status == AKIN_OK)
            status = akin_annex_kernels_of(c->stream)->warshall->pivot(c->stream, block, pivot, error);
        if (status == AKIN_OK)
            status = akin_annex_kernels_of(c->stream)->warshall->cross(c->stream, block, pivot, error);
        c->done++;
        for (uint64_t first = 0; first < tiles && status == AKIN_OK; first += AKIN_WARSHALL_PRODUCTS)
            status = akin_annex_kernels_of(c->stream)->warshall->rest(
                c->stream, block, pivot, first, akin_min_u64(AKIN_WARSHALL_PRODUCTS, tiles - first), error);
    }
    return status;
}

/* The third block |= a x b. */
static akin_status multiply_blocks(closing *c, const akin_bit_matrix *a, const akin_bit_matrix *b, akin_error *error)
{
    uint64_t tiles = (uint64_t)c->side * c->side, piece = akin_min_u64(tiles, AKIN_WARSHALL_PRODUCTS);
    uint32_t step = (uint32_t)akin_max_u64(1, akin_min_u64(c->side, AKIN_WARSHALL_PRODUCTS / piece));
    akin_status status = AKIN_OK;
    c->done += c->side;
    for (uint64_t first = 0; first < tiles && status == AKIN_OK; first += piece)
        for (uint32_t from = 0; from < c->side && status == AKIN_OK; from += step) {
            status = closure_goes_on(c, error);
            if (status == AKIN_OK)
                status = akin_annex_kernels_of(c->stream)->warshall->multiply(
                    c->stream, &c->blocks[2], a, b, from, (uint32_t)akin_min_u64(c->side, from + step), first,
                    akin_min_u64(piece, tiles - first), error);
        }
    return status;
}

/* Phases 1 and 2: the first place keeps the pivot. */
static akin_status close_cross(closing *c, uint32_t pivot, akin_error *error)
{
    akin_status status = bring_block(c, pivot, pivot, &c->blocks[0], error);
    if (status == AKIN_OK)
        status = close_block(c, &c->blocks[0], error);
    if (status == AKIN_OK)
        status = fetch(c, pivot, pivot, &c->blocks[0], error);
    for (uint32_t at = 0; at < 2 * c->count && status == AKIN_OK; at++) {
        int in_row = at < c->count;
        uint32_t i = in_row ? pivot : at - c->count, j = in_row ? at : pivot;
        if (i == j)
            continue;
        status = bring_block(c, i, j, &c->blocks[1], error);
        if (status == AKIN_OK)
            status = double_up(c, &c->blocks[1], error);
        if (status == AKIN_OK)
            status = multiply_blocks(c, &c->blocks[!in_row], &c->blocks[in_row], error);
        if (status == AKIN_OK)
            status = fetch(c, i, j, &c->blocks[2], error);
    }
    return status;
}

/* Phase 3: the first place keeps the block in the column. */
static akin_status close_rest(closing *c, uint32_t pivot, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < c->count && status == AKIN_OK; i++) {
        if (i == pivot)
            continue;
        status = bring_block(c, i, pivot, &c->blocks[0], error);
        for (uint32_t j = 0; j < c->count && status == AKIN_OK; j++) {
            if (j == pivot)
                continue;
            status = bring_block(c, pivot, j, &c->blocks[1], error);
            if (status == AKIN_OK)
                status = bring_block(c, i, j, &c->blocks[2], error);
            if (status == AKIN_OK)
                status = multiply_blocks(c, &c->blocks[0], &c->blocks[1], error);
            if (status == AKIN_OK)
                status = fetch(c, i, j, &c->blocks[2], error);
        }
    }
    return status;
}

/* -------------------------------------------------------------------------------------------------------------- all */

/* How many tiles a row of a block has: all, if the matrix fits in the memory of the GPU, else the largest number with
 * which three blocks fit. */
static akin_status make_places(closing *c, akin_error *error)
{
    uint64_t room = akin_device_room(c->device) / sizeof(akin_tile), all = c->matrix->side;
    int places = all * all <= room ? 1 : 3;
    akin_status status = akin_device_stream_create(c->device, &c->stream, error);
    c->side = c->matrix->side;
    if (places == 3)
        for (c->side = 1; (uint64_t)(c->side + 1) * (c->side + 1) * 3 <= room;)
            c->side++;
    c->count = (uint32_t)akin_ceil_div(all, c->side);
    for (int i = 0; i < places && status == AKIN_OK; i++) {
        status = akin_device_reserve(c->device, &c->places[i], (uint64_t)c->side * c->side, sizeof(akin_tile),
                                     "the matrix of a closure", error);
        c->blocks[i] = (akin_bit_matrix){c->places[i].data, c->side};
    }
    return status;
}

akin_status akin_warshall_close_on(akin_device *device, const akin_scope *scope, const akin_bit_matrix *matrix,
                                   akin_error *error)
{
    closing c = {.scope = scope, .device = device, .matrix = matrix};
    akin_status status = make_places(&c, error);
    for (uint32_t pivot = 0; pivot < c.count && status == AKIN_OK; pivot++) {
        status = close_cross(&c, pivot, error);
        if (status == AKIN_OK)
            status = close_rest(&c, pivot, error);
    }
    for (int i = 0; i < 3; i++)
        akin_device_release(device, &c.places[i]);
    akin_device_stream_free(c.stream);
    return status;
}
