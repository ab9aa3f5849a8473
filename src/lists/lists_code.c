/* Blocks of lists, as lists.h draws them. */
#include "lists/lists.h"

#include <math.h>
#include <string.h>

static uint32_t bits_of(uint64_t value)
{
    return value ? 64 - (uint32_t)__builtin_clzll(value) : 0;
}

/* The least float that is not below a double. */
static float round_up(double value)
{
    float rounded = (float)value;
    return (double)rounded < value ? nextafterf(rounded, INFINITY) : rounded;
}

static void pack_value(uint64_t *words, uint32_t i, uint32_t bits, uint64_t value)
{
    uint64_t at = (uint64_t)i * bits, shift = at % 64;
    if (bits == 0)
        return;
    words[at / 64] |= value << shift;
    if (shift > 0 && shift + bits > 64)
        words[at / 64 + 1] |= value >> (64 - shift);
}

/* Describes the block of `count` entries: all but its words and its bounds. */
static akin_block describe_block(const uint64_t *keys, uint32_t count, uint32_t base)
{
    akin_block block = {.last = (uint32_t)(keys[count - 1] >> 32), .entries_less_1 = (uint8_t)(count - 1)};
    uint32_t most = 0, others = count - 1;
    for (uint32_t i = 0; i < count; i++)
        most = most < (uint32_t)keys[i] ? (uint32_t)keys[i] : most;
    block.counts = (uint8_t)bits_of(most - 1);
    block.low = others ? (uint8_t)bits_of((block.last - base) / others / 2) : 0;
    return block;
}

/* Codes a block of a list whose words begin with `first`, and whose last entry before is below `base`. */
static akin_status code_block(akin_coded *p, const akin_factors *f, const uint64_t *keys, uint32_t count, uint32_t base,
                              uint64_t first)
{
    akin_block block = describe_block(keys, count, base);
    uint64_t need = akin_block_words(&block, base);
    akin_status status = akin_bulk_grow(&p->bulks[0], (p->block_count + 1) * sizeof *p->blocks, NULL, NULL);
    if (status == AKIN_OK)
        status = akin_bulk_grow(&p->bulks[1], (p->word_count + need + 1) * sizeof *p->words, NULL, NULL);
    if (status != AKIN_OK)
        return status;
    p->blocks = p->bulks[0].data;
    p->words = p->bulks[1].data;
    if (p->word_count - first > UINT32_MAX)
        return AKIN_E_LIMIT;
    block.words = (uint32_t)(p->word_count - first);
    uint64_t *upper = p->words + p->word_count, *lower = upper + akin_ceil_div(akin_block_upper(&block, base), 64);
    uint64_t *counts = lower + akin_ceil_div((uint64_t)(count - 1) * block.low, 64);
    double most = 0;
    memset(upper, 0, need * sizeof *upper);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t document = (uint32_t)(keys[i] >> 32), number = (uint32_t)keys[i];
        double factor = f->factors[f->firsts[f->class_of[document]] + number - 1];
        most = factor > most ? factor : most;
        pack_value(counts, i, block.counts, number - 1);
        if (i + 1 == count)
            break;
        uint64_t value = document - base, place = (value >> block.low) + i;
        upper[place / 64] |= UINT64_C(1) << place % 64;
        pack_value(lower, i, block.low, value & ((UINT64_C(1) << block.low) - 1));
    }
    block.most = round_up(most);
    p->blocks[p->block_count++] = block;
    p->word_count += need;
    return AKIN_OK;
}

akin_status akin_code_list(akin_coded *coded, const akin_factors *factors, const uint64_t *keys, uint32_t count)
{
    const uint64_t words = coded->word_count, blocks = coded->block_count;
    uint32_t base = 0;
    float rest = 0;
    for (uint64_t i = 0; i < count; i += AKIN_BLOCK) {
        const uint32_t some = count - i < AKIN_BLOCK ? (uint32_t)(count - i) : AKIN_BLOCK;
        akin_status status = code_block(coded, factors, keys + i, some, base, words);
        if (status != AKIN_OK)
            return status;
        base = coded->blocks[coded->block_count - 1].last + 1;
    }
    for (uint64_t i = coded->block_count; i-- > blocks;) {
        rest = coded->blocks[i].most > rest ? coded->blocks[i].most : rest;
        coded->blocks[i].rest = rest;
    }
    return AKIN_OK;
}
