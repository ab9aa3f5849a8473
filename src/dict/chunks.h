/*
 * A bit-vector in chunks of 128 bits. A chunk is kept in the shorter of two ways: as the list of its ones, or as its
 * bits. (Roaring bitmaps have containers of the same two kinds, of 2^16 bits: S. Chambi et al., Better bitmap
 * performance with Roaring bitmaps, 2016.) One record and one cell show a bit and the number of ones before it.
 *
 *     record   | number of the first one | where its cells begin | ones in chunk 0 | .. 1 | .. | .. 23 |      32 bytes
 *              | 4 bytes                 | 4                     | 1 each                              |
 *
 *     cells    a cell for each chunk, in order
 *              up to 16 ones   their places in the chunk, 0 to 127, rising, a byte each
 *              more            the 128 bits; bit i is bit i % 8 of byte i / 8
 *
 * The caller chooses `first`, the number of the first one. 16 bytes can be read from the beginning of each cell.
 */
#ifndef AKIN_DICT_CHUNKS_H
#define AKIN_DICT_CHUNKS_H

#include "base/bits.h"

#define AKIN_CHUNK 128u /* bits */
#define AKIN_CHUNK_PLACES                                                                                              \
    16u /* the most ones that are kept as places; also the bytes of a chunk that is kept as bits */
#define AKIN_CHUNKS       24u /* chunks of a record */
#define AKIN_CHUNK_RECORD (AKIN_CHUNKS * AKIN_CHUNK)

typedef struct akin_chunk_record {
    uint32_t number;
    uint32_t cells;
    uint8_t counts[AKIN_CHUNKS];
} akin_chunk_record;

typedef struct akin_chunks {
    const akin_chunk_record *records;
    const uint8_t *cells;
} akin_chunks;

/* The number of records of `bits` bits, and the bytes of the cells of the `count` ones. The ones rise. */
static inline uint64_t akin_chunks_records(uint64_t bits)
{
    return akin_ceil_div(bits, AKIN_CHUNK_RECORD);
}
uint64_t akin_chunks_cells(const uint32_t *ones, uint64_t count);

/* Fills the records and the cells of a vector of `bits` bits. */
void akin_chunks_fill(const uint32_t *ones, uint64_t count, uint64_t bits, uint32_t first, akin_chunk_record *records,
                      uint8_t *cells);

/* Checks a vector that was read from a file: its layout, its number of ones, `count`, its length, `bits`, and the bytes
 * of its cells, `bytes`. Returns NULL, or the fault. */
const char *akin_chunks_check(akin_chunks chunks, uint64_t bits, uint32_t first, uint64_t count, uint64_t bytes);

/* Checks that the ones that each record speaks of are among the `count` ones of the vector, and its cells in the
 * `bytes` bytes: then a rank is right or wrong, but is in the vector, whatever cells hold. Returns NULL, or what is
 * wrong. */
const char *akin_chunks_check_records(akin_chunks chunks, uint64_t bits, uint32_t first, uint64_t count,
                                      uint64_t bytes);

/* Returns the bit that is the one with this number, or any bit if the cells were changed. The vector must have that
 * one. */
uint32_t akin_chunks_select(akin_chunks chunks, uint64_t bits, uint32_t number);

/* ------------------------------------------------------------------------------------------------------------- rank */

/* What a record says about a bit. */
typedef struct akin_chunk {
    uint32_t number; /* the number of the chunk's first one */
    uint32_t count;  /* ones in the chunk */
    uint32_t bit;    /* the place of the bit in the chunk */
    uint32_t cell;   /* the byte at which the chunk's cell begins */
} akin_chunk;

/* Reads the record of a bit. It sums up the counts of the chunks before the bit's, and the bytes of their cells, in
 * three words of 8 counts each. */
static inline akin_chunk akin_chunks_look(const akin_chunk_record *record, uint32_t bit)
{
    static const uint8_t below[2 * AKIN_CHUNKS] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                                                   255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    const uint32_t chunk = bit / AKIN_CHUNK;
    const uint64_t pairs = UINT64_C(0x00ff00ff00ff00ff);
    uint64_t ones = 0, bytes = 0;
    for (uint32_t i = 0; i < AKIN_CHUNKS; i += 8) {
        uint64_t counts = akin_load_word((const char *)record->counts + i) &
                          akin_load_word((const char *)below + AKIN_CHUNKS - chunk + i);
        uint64_t more = (counts + AKIN_BYTES(127 - AKIN_CHUNK_PLACES)) & AKIN_BYTES(128);
        more = (more >> 7) * 255;
        uint64_t sizes = (counts & ~more) | (AKIN_BYTES(AKIN_CHUNK_PLACES) & more);
        ones += (counts & pairs) + (counts >> 8 & pairs);
        bytes += (sizes & pairs) + (sizes >> 8 & pairs);
    }
    akin_chunk found;
    found.number = record->number + (uint32_t)(ones * UINT64_C(0x0001000100010001) >> 48);
    found.count = record->counts[chunk];
    found.bit = bit % AKIN_CHUNK;
    found.cell = record->cells + (uint32_t)(bytes * UINT64_C(0x0001000100010001) >> 48);
    return found;
}

/* Returns whether the bit is one, and the number of the first one from the bit on in *number. The function has no
 * branch that could be mispredicted. */
static inline int akin_chunk_settle(akin_chunk chunk, const uint8_t *cell, uint32_t *number)
{
    const uint64_t low = akin_load_word((const char *)cell), high = akin_load_word((const char *)cell + 8);
    const uint64_t key = AKIN_BYTES(1) * chunk.bit, top = AKIN_BYTES(128);
    const uint64_t in_high = 0 - (uint64_t)(chunk.bit >> 6), before = ((uint64_t)1 << chunk.bit % 64) - 1;
    /* A chunk as bits: the ones below the bit. */
    const uint32_t bits = akin_popcount64(low & (before | in_high)) + akin_popcount64(high & before & in_high);
    const uint32_t n = chunk.count, set = cell[chunk.bit / 8];
    const uint32_t one = set >> chunk.bit % 8 & (uint32_t)(bits < n); /* others may have changed the cell */
    /* A chunk as places: the places below the bit, among the first n bytes. */
    const uint64_t in_low = n < 8 ? ((uint64_t)1 << 8 * n) - 1 : ~(uint64_t)0;
    const uint64_t beyond = n <= 8 ? 0 : n < 16 ? ((uint64_t)1 << 8 * (n - 8)) - 1 : ~(uint64_t)0;
    const uint64_t less_low = ~((low | top) - key) & top & in_low, less_high = ~((high | top) - key) & top & beyond;
    const uint32_t places = akin_popcount64(less_low) + akin_popcount64(less_high);
    const uint32_t there = (places < n) & (cell[places % AKIN_CHUNK_PLACES] == chunk.bit);
    const uint32_t dense = 0 - (uint32_t)(n > AKIN_CHUNK_PLACES);
    *number = chunk.number + (places ^ ((places ^ bits) & dense));
    return (int)(there ^ ((there ^ one) & dense));
}

/* Returns whether a bit is one, and if so, its number in *number. */
static inline int akin_chunks_rank(akin_chunks chunks, uint32_t bit, uint32_t *number)
{
    akin_chunk chunk = akin_chunks_look(chunks.records + bit / AKIN_CHUNK_RECORD, bit % AKIN_CHUNK_RECORD);
    return akin_chunk_settle(chunk, chunks.cells + chunk.cell, number);
}

#endif
