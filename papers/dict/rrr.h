/*
 * A bit-vector in the compression of Raman, Raman and Rao (Succinct indexable dictionaries, 2007), in the layout of
 * Wakatsuki, Keyaki and Miyazaki, A Case for Term Weighting using a Dictionary on GPUs, section 3.1. A block of 15 bits
 * is kept as its class, which is the number of its ones, and its offset: its place among the blocks of that class, in
 * the order of their values.
 *
 *     superblock   of 16 blocks: | ones before it | first bit of its offsets | classes, 4 bits each | 16 bytes
 *                                | 4 bytes        | 4                                | 8                    |
 *     offsets      the offsets of the blocks, in order; the class of a block decides the bits of its offset, 0 to 13
 *
 * A table of all 2^15 blocks, 64 KB, has the block of each class and offset. 4 bytes can be read from the byte in which
 * an offset begins.
 */
#ifndef AKIN_PAPERS_DICT_RRR_H
#define AKIN_PAPERS_DICT_RRR_H

#include "base/bits.h"

#define AKIN_RRR_BLOCK      15u /* bits */
#define AKIN_RRR_BLOCKS     16u /* blocks of a superblock */
#define AKIN_RRR_SUPERBLOCK (AKIN_RRR_BLOCKS * AKIN_RRR_BLOCK)

typedef struct akin_rrr_superblock {
    uint32_t ones;
    uint32_t offsets;
    uint64_t classes; /* the class of block i is in bits 4 i .. 4 i + 3 */
} akin_rrr_superblock;

typedef struct akin_rrr_table {
    uint16_t starts[AKIN_RRR_BLOCK + 1];          /* for each class its first place in `blocks` */
    uint16_t blocks[(size_t)1 << AKIN_RRR_BLOCK]; /* by class, and in a class by offset */
} akin_rrr_table;

typedef struct akin_rrr {
    const akin_rrr_superblock *superblocks;
    const uint8_t *offsets;
    const akin_rrr_table *table;
} akin_rrr;

/* Fills the table. */
void akin_rrr_tabulate(akin_rrr_table *table);

static inline uint64_t akin_rrr_superblocks(uint64_t bits)
{
    return akin_ceil_div(bits, AKIN_RRR_SUPERBLOCK);
}

/* Returns the bits of the offsets of a vector with these ones. The ones rise. */
uint64_t akin_rrr_offsets(const uint32_t *ones, uint64_t count);

/* Fills the superblocks and the offsets. The offsets must be zeros. */
void akin_rrr_fill(const akin_rrr_table *table, const uint32_t *ones, uint64_t count, uint64_t bits,
                   akin_rrr_superblock *superblocks, uint8_t *offsets);

/* Checks a vector that was read from a file: its number of ones, `count`, its length, `bits`, and the bytes of its
 * offsets, `bytes`. Returns NULL, or the fault. */
const char *akin_rrr_check(akin_rrr rrr, uint64_t bits, uint64_t count, uint64_t bytes);

/* Returns the bit that is the one with this number, counted from 0. The vector must have that one. */
uint32_t akin_rrr_select(akin_rrr rrr, uint64_t bits, uint32_t number);

/* ------------------------------------------------------------------------------------------------------------- rank */

/* Returns the bits of the offset for each of 16 classes k: ceil(log2(15 choose k)), which is 0 4 7 9 11 12 13 13 13 13
 * 12 11 9 7 4 0. Each bit of the result is a boolean function of the bits of k, computed for all 16 classes at once. k
 * and 15 - k have the same result. */
AKIN_EVERYWHERE static inline uint64_t akin_rrr_widths(uint64_t classes)
{
    const uint64_t ones = UINT64_C(0x1111111111111111);
    const uint64_t flip = classes >> 3, c = classes >> 2 ^ flip, b = classes >> 1 ^ flip, a = classes ^ flip;
    const uint64_t eight = (c | (b & a)) & ones, four = ((b ^ a) | (c & a)) & ones;
    const uint64_t two = ~a & (c ^ b) & ones, one = (b | (c & ~a)) & ones;
    return eight << 3 | four << 2 | two << 1 | one;
}

/* Returns the sum of 16 numbers of 4 bits. */
AKIN_EVERYWHERE static inline uint32_t akin_rrr_sum(uint64_t numbers)
{
    const uint64_t low = UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(((numbers & low) + (numbers >> 4 & low)) * AKIN_BYTES(1) >> 56);
}

/* What a superblock says about a bit. */
typedef struct akin_rrr_place {
    uint32_t ones;   /* the number of ones before the block of the bit */
    uint32_t k;      /* the class of the block */
    uint32_t bit;    /* the place of the bit in the block */
    uint32_t offset; /* the bit at which the block's offset begins */
} akin_rrr_place;

AKIN_EVERYWHERE static inline akin_rrr_place akin_rrr_look(const akin_rrr_superblock *superblock, uint32_t bit)
{
    const uint32_t block = bit / AKIN_RRR_BLOCK;
    const uint64_t before = superblock->classes & (((uint64_t)1 << 4 * block) - 1);
    akin_rrr_place place;
    place.ones = superblock->ones + akin_rrr_sum(before);
    place.k = (uint32_t)(superblock->classes >> 4 * block) & 15;
    place.bit = bit % AKIN_RRR_BLOCK;
    place.offset = superblock->offsets + akin_rrr_sum(akin_rrr_widths(before));
    return place;
}

/* Returns the block of class k whose offset begins at bit `offset` of the bytes. */
static inline uint32_t akin_rrr_decode(const akin_rrr_table *table, const uint8_t *offsets, uint32_t offset, uint32_t k)
{
    const uint8_t *at = offsets + offset / 8;
    const uint32_t word = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16;
    const uint32_t width = (uint32_t)akin_rrr_widths(k) & 15;
    return table->blocks[table->starts[k] + (word >> offset % 8 & ((1u << width) - 1))];
}

/* Returns whether the bit is one, and the number of ones below it in *number. */
static inline int akin_rrr_settle(akin_rrr_place place, const akin_rrr_table *table, const uint8_t *offsets,
                                  uint32_t *number)
{
    const uint32_t block = akin_rrr_decode(table, offsets, place.offset, place.k);
    *number = place.ones + akin_popcount64(block & ((1u << place.bit) - 1));
    return (int)(block >> place.bit & 1);
}

static inline int akin_rrr_rank(akin_rrr rrr, uint32_t bit, uint32_t *number)
{
    akin_rrr_place place = akin_rrr_look(rrr.superblocks + bit / AKIN_RRR_SUPERBLOCK, bit % AKIN_RRR_SUPERBLOCK);
    return akin_rrr_settle(place, rrr.table, rrr.offsets, number);
}

#endif
