/* Fills, checks and selects in RRR bit-vectors. */
#include "papers/dict/rrr.h"

_Static_assert(sizeof(akin_rrr_superblock) == 16, "a superblock lies in memory as in the file");

void akin_rrr_tabulate(akin_rrr_table *table)
{
    uint32_t at = 0;
    for (uint32_t k = 0; k <= AKIN_RRR_BLOCK; k++) {
        table->starts[k] = (uint16_t)at;
        for (uint32_t block = 0; block < 1u << AKIN_RRR_BLOCK; block++)
            if (akin_popcount64(block) == k)
                table->blocks[at++] = (uint16_t)block;
    }
}

static uint32_t width_of(uint32_t k)
{
    return (uint32_t)akin_rrr_widths(k) & 15;
}

/* Returns the block that begins with bit `begin`. Its ones are in the list from *at on, and *at becomes the first one
 * behind the block. */
static uint32_t take_block(const uint32_t *ones, uint64_t count, uint64_t begin, uint64_t *at)
{
    uint32_t block = 0;
    for (; *at < count && ones[*at] < begin + AKIN_RRR_BLOCK; ++*at)
        block |= 1u << (ones[*at] - begin);
    return block;
}

uint64_t akin_rrr_offsets(const uint32_t *ones, uint64_t count)
{
    uint64_t bits = 0;
    for (uint64_t at = 0; at < count;)
        bits += width_of(akin_popcount64(take_block(ones, count, ones[at] / AKIN_RRR_BLOCK * AKIN_RRR_BLOCK, &at)));
    return bits;
}

/* Returns the offset of a block, by a binary search: the blocks of a class rise. */
static uint32_t offset_of(const akin_rrr_table *table, uint32_t block, uint32_t k)
{
    uint32_t low = table->starts[k], high = k < AKIN_RRR_BLOCK ? table->starts[k + 1] : 1u << AKIN_RRR_BLOCK;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (table->blocks[middle] <= block)
            low = middle;
        else
            high = middle;
    }
    return low - table->starts[k];
}

static void put_bits(uint8_t *bytes, uint64_t at, uint32_t number, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        bytes[(at + i) / 8] = (uint8_t)(bytes[(at + i) / 8] | (number >> i & 1) << (at + i) % 8);
}

void akin_rrr_fill(const akin_rrr_table *table, const uint32_t *ones, uint64_t count, uint64_t bits,
                   akin_rrr_superblock *superblocks, uint8_t *offsets)
{
    uint64_t at = 0, bit = 0;
    for (uint64_t s = 0; s < akin_rrr_superblocks(bits); s++) {
        superblocks[s] = (akin_rrr_superblock){(uint32_t)at, (uint32_t)bit, 0};
        for (uint64_t i = 0; i < AKIN_RRR_BLOCKS; i++) {
            uint32_t block = take_block(ones, count, s * AKIN_RRR_SUPERBLOCK + i * AKIN_RRR_BLOCK, &at);
            uint32_t k = akin_popcount64(block);
            superblocks[s].classes |= (uint64_t)k << 4 * i;
            put_bits(offsets, bit, offset_of(table, block, k), width_of(k));
            bit += width_of(k);
        }
    }
}

/* --------------------------------------------------------------------------------------------------------- checking */

/* Whether class k has a block with this offset, and the block has no one from its bit `bits` on. */
static int is_block_sound(akin_rrr rrr, uint32_t k, uint64_t offset, uint64_t bits)
{
    const uint32_t end = k < AKIN_RRR_BLOCK ? rrr.table->starts[k + 1] : 1u << AKIN_RRR_BLOCK;
    const uint8_t *at = rrr.offsets + offset / 8;
    const uint32_t word = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16;
    if (rrr.table->starts[k] + (word >> offset % 8 & ((1u << width_of(k)) - 1)) >= end)
        return 0;
    return bits >= AKIN_RRR_BLOCK || akin_rrr_decode(rrr.table, rrr.offsets, (uint32_t)offset, k) >> bits == 0;
}

const char *akin_rrr_check(akin_rrr rrr, uint64_t bits, uint64_t count, uint64_t bytes)
{
    uint64_t at = 0, bit = 0;
    for (uint64_t s = 0; s < akin_rrr_superblocks(bits); s++) {
        const akin_rrr_superblock *superblock = &rrr.superblocks[s];
        if (superblock->ones != at || superblock->offsets != bit)
            return "a superblock does not continue the one before";
        for (uint64_t i = 0; i < AKIN_RRR_BLOCKS; i++) {
            uint64_t begin = s * AKIN_RRR_SUPERBLOCK + i * AKIN_RRR_BLOCK;
            uint32_t k = (uint32_t)(superblock->classes >> 4 * i) & 15;
            if (bit + width_of(k) > 8 * bytes)
                return "a block has an offset that is not there";
            if (!is_block_sound(rrr, k, bit, begin < bits ? bits - begin : 0))
                return "there is no block of that class and offset";
            at += k;
            bit += width_of(k);
        }
    }
    return at == count && akin_ceil_div(bit, 8) == bytes ? NULL : "there are more ones, or fewer, than it says";
}

/* -------------------------------------------------------------------------------------------------------- selecting */

uint32_t akin_rrr_select(akin_rrr rrr, uint64_t bits, uint32_t number)
{
    uint64_t low = 0, high = akin_rrr_superblocks(bits);
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (rrr.superblocks[middle].ones <= number)
            low = middle;
        else
            high = middle;
    }
    const akin_rrr_superblock *superblock = &rrr.superblocks[low];
    uint32_t left = number - superblock->ones, block = 0, bit = 0, offset = superblock->offsets;
    uint32_t k = (uint32_t)superblock->classes & 15;
    while (left >= k && block + 1 < AKIN_RRR_BLOCKS) {
        left -= k;
        offset += width_of(k);
        k = (uint32_t)(superblock->classes >> 4 * ++block) & 15;
    }
    const uint32_t word = akin_rrr_decode(rrr.table, rrr.offsets, offset, k);
    for (; bit + 1 < AKIN_RRR_BLOCK; bit++) {
        if ((word >> bit & 1) == 0)
            continue;
        if (left-- == 0)
            break;
    }
    return (uint32_t)(low * AKIN_RRR_SUPERBLOCK + block * AKIN_RRR_BLOCK + bit);
}
