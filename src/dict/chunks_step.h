/* The step of chunks on a GPU: it computes the same as chunks.h, and reads aligned words. */
#ifndef AKIN_DICT_CHUNKS_STEP_H
#define AKIN_DICT_CHUNKS_STEP_H

#include "dict/chunks.h"
#include "dict/trie_step.h"

/* The same as akin_chunks_look, in words of four counts. */
AKIN_STEP akin_chunk akin_step_look(const void *record, uint32_t bit)
{
    const akin_quad low = akin_step_quad(record), high = akin_step_quad((const char *)record + sizeof low);
    const uint32_t counts[AKIN_CHUNKS / 4] = {low.words[2],  low.words[3],  high.words[0],
                                              high.words[1], high.words[2], high.words[3]};
    const uint32_t at = bit / AKIN_CHUNK, bytes = 0x01010101u;
    akin_chunk chunk;
    chunk.number = low.words[0];
    chunk.cell = low.words[1];
    uint32_t own = 0;
    for (uint32_t i = 0; i < AKIN_CHUNKS / 4; i++) {
        const uint32_t below = counts[i] & akin_step_below(8 * ((int32_t)at - 4 * (int32_t)i));
        const uint32_t more = ((below + bytes * (127 - AKIN_CHUNK_PLACES)) >> 7 & bytes) * 255;
        own = at / 4 == i ? counts[i] : own;
        chunk.number = akin_step_sum(below, chunk.number);
        chunk.cell = akin_step_sum((below & ~more) | (bytes * AKIN_CHUNK_PLACES & more), chunk.cell);
    }
    chunk.count = own >> at % 4 * 8 & 255;
    chunk.bit = bit % AKIN_CHUNK;
    return chunk;
}

/* Reads a cell of `bytes` bytes, which may begin at any byte. Most cells are short, and in one aligned block. */
AKIN_STEP akin_quad akin_step_cell(const uint8_t *from, uint32_t bytes)
{
    const uint32_t skip = (uint32_t)((uintptr_t)from % sizeof(akin_quad)), shift = skip % 4 * 8;
    const akin_quad low = akin_step_quad(from - skip);
    akin_quad high = {{0, 0, 0, 0}}, cell;
    if (skip + bytes > sizeof low)
        high = akin_step_quad(from - skip + sizeof low);
    uint32_t words[8];
    for (uint32_t i = 0; i < 4; i++) {
        words[i] = low.words[i];
        words[4 + i] = high.words[i];
    }
    for (uint32_t i = 0; i < 6; i++)
        words[i] = skip & 8 ? words[i + 2] : words[i];
    for (uint32_t i = 0; i < 5; i++)
        words[i] = skip & 4 ? words[i + 1] : words[i];
    for (uint32_t i = 0; i < 4; i++)
        cell.words[i] = (uint32_t)(((uint64_t)words[i + 1] << 32 | words[i]) >> shift);
    return cell;
}

/* The same as akin_chunk_settle for a chunk that is kept as bits. */
AKIN_STEP int akin_step_bits(akin_chunk chunk, akin_quad cell, uint32_t *number)
{
    uint32_t rank = chunk.number, own = 0;
    for (uint32_t i = 0; i < 4; i++) {
        rank += akin_step_popcount(cell.words[i] & akin_step_below((int32_t)chunk.bit - 32 * (int32_t)i));
        own = chunk.bit / 32 == i ? cell.words[i] : own;
    }
    *number = rank;
    return (int)(own >> chunk.bit % 32 & 1);
}

/* The same for a chunk that is kept as places. Bit 7 of each byte is the result of the comparison of that byte. */
AKIN_STEP int akin_step_places(akin_chunk chunk, akin_quad cell, uint32_t *number)
{
    const uint32_t top = 0x80808080u, bits = chunk.bit * 0x01010101u;
    uint32_t rank = chunk.number, there = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t some = top & akin_step_below(8 * ((int32_t)chunk.count - 4 * (int32_t)i));
        rank += akin_step_popcount(~((cell.words[i] | top) - bits) & some);
        there |= ~((cell.words[i] ^ bits) + ~top) & some;
    }
    *number = rank;
    return there != 0;
}

/* The step of chunks, an akin_gpu_step. */
AKIN_STEP int akin_step_chunks(const akin_gpu_trie *trie, const akin_gpu_edge *edge, uint32_t node, uint32_t *next)
{
    (void)trie;
    const akin_chunk_record *records = (const akin_chunk_record *)edge->records;
    const akin_chunk chunk = akin_step_look(records + node / AKIN_CHUNK_RECORD, node % AKIN_CHUNK_RECORD);
    const uint8_t *cell = edge->cells + chunk.cell;
    *next = chunk.number;
    if (chunk.count == 0)
        return 0;
    if (chunk.count <= AKIN_CHUNK_PLACES)
        return akin_step_places(chunk, akin_step_cell(cell, chunk.count), next);
    return akin_step_bits(chunk, akin_step_cell(cell, AKIN_CHUNK_PLACES), next);
}

#endif
