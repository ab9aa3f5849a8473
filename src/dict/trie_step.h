/*
 * A walk down a trie on a GPU, step by step: what chunks.h, rrr.h, sparse.h and stt.h say, in reads of aligned words, of 16 bytes
 * where that can be. In C as in CUDA, so that tests run it without a GPU.
 */
#ifndef AKIN_DICT_TRIE_STEP_H
#define AKIN_DICT_TRIE_STEP_H

#include "dict/chunks.h"
#include "dict/kernels.h"
#include "dict/paper/stt.h"
#include "dict/rrr.h"
#include "dict/sparse.h"

#ifdef __CUDACC__
#define AKIN_STEP static __device__ __forceinline__
#else
#define AKIN_STEP static inline
#endif

/* ----------------------------------------------------------------------------------------------------------- machine */

/* 16 bytes as four numbers, the first one lowest. */
typedef struct akin_quad {
    uint32_t words[4];
} akin_quad;

#ifdef __CUDACC__
AKIN_STEP akin_quad akin_step_quad(const void *from)
{
    const uint4 read = __ldg((const uint4 *)from);
    const akin_quad quad = {{read.x, read.y, read.z, read.w}};
    return quad;
}

AKIN_STEP uint32_t akin_step_word(const void *from)
{
    return __ldg((const uint32_t *)from);
}

AKIN_STEP uint32_t akin_step_half(const uint16_t *from)
{
    return __ldg(from);
}

AKIN_STEP uint32_t akin_step_byte(const uint8_t *from)
{
    return __ldg(from);
}

AKIN_STEP uint32_t akin_step_popcount(uint32_t word)
{
    return (uint32_t)__popc(word);
}

AKIN_STEP uint32_t akin_step_sum(uint32_t bytes, uint32_t sum)
{
    return __dp4a(bytes, 0x01010101u, sum);
}
#else
AKIN_STEP akin_quad akin_step_quad(const void *from)
{
    akin_quad quad;
    memcpy(&quad, from, sizeof quad);
    return quad;
}

AKIN_STEP uint32_t akin_step_word(const void *from)
{
    uint32_t word;
    memcpy(&word, from, sizeof word);
    return word;
}

AKIN_STEP uint32_t akin_step_half(const uint16_t *from)
{
    return *from;
}

AKIN_STEP uint32_t akin_step_byte(const uint8_t *from)
{
    return *from;
}

AKIN_STEP uint32_t akin_step_popcount(uint32_t word)
{
    return akin_popcount64(word);
}

/* The sum and four bytes. */
AKIN_STEP uint32_t akin_step_sum(uint32_t bytes, uint32_t sum)
{
    return sum + (bytes & 255) + (bytes >> 8 & 255) + (bytes >> 16 & 255) + (bytes >> 24);
}
#endif

/* A word whose lowest `bits` bits are set, none if that is below 0, and all from 32 on. */
AKIN_STEP uint32_t akin_step_below(int32_t bits)
{
    const int32_t some = bits < 0 ? 0 : bits > 32 ? 32 : bits;
    return (uint32_t)(((uint64_t)1 << some) - 1);
}

/* ------------------------------------------------------------------------------------------------------------- chunks */

/* akin_chunks_look, by words of four counts. */
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

/* The cell that begins at any byte, of which the first `bytes` bytes count: most are short, and in one aligned block of 16. */
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

/* akin_chunk_settle of a chunk as it is. */
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

/* And of one as places: the bit 7 of each byte tells how they compare. */
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

AKIN_STEP int akin_step_chunks(const akin_gpu_edge *edge, uint32_t node, uint32_t *next)
{
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

/* ---------------------------------------------------------------------------------------------------------------- RRR */

/* akin_rrr_decode: an offset has 13 bits at most, so it is in one or two words. */
AKIN_STEP uint32_t akin_step_decode(const akin_gpu_trie *trie, const uint8_t *offsets, akin_rrr_place place)
{
    const uint32_t width = (uint32_t)akin_rrr_widths(place.k) & 15;
    if (width == 0)
        return place.k == 0 ? 0 : (1u << AKIN_RRR_BLOCK) - 1;
    const uint8_t *at = offsets + place.offset / 8;
    const uint32_t skip = (uint32_t)((uintptr_t)at % 4), shift = 8 * skip + place.offset % 8;
    uint64_t bits = akin_step_word(at - skip);
    if (shift + width > 32)
        bits |= (uint64_t)akin_step_word(at - skip + 4) << 32;
    const uint32_t offset = (uint32_t)(bits >> shift) & ((1u << width) - 1);
    return akin_step_half(trie->blocks + trie->starts[place.k] + offset);
}

AKIN_STEP int akin_step_rrr(const akin_gpu_trie *trie, const akin_gpu_edge *edge, uint32_t node, uint32_t *next)
{
    const akin_rrr_superblock *superblocks = (const akin_rrr_superblock *)edge->records;
    const akin_quad read = akin_step_quad(superblocks + node / AKIN_RRR_SUPERBLOCK);
    const akin_rrr_superblock superblock = {read.words[0], read.words[1],
                                            (uint64_t)read.words[3] << 32 | read.words[2]};
    const akin_rrr_place place = akin_rrr_look(&superblock, node % AKIN_RRR_SUPERBLOCK);
    const uint32_t block = akin_step_decode(trie, edge->cells, place);
    *next = edge->first + place.ones + akin_step_popcount(block & ((1u << place.bit) - 1));
    return (int)(block >> place.bit & 1);
}

/* ------------------------------------------------------------------------------------------------------------- walking */

/* akin_trie_next, of a trie of a kind. */
AKIN_STEP int akin_step_next(const akin_gpu_trie *trie, uint32_t kind, uint32_t node, uint32_t symbol, uint32_t *next)
{
    const akin_gpu_edge edge = trie->edges[symbol];
    if (edge.count == 0)
        return 0;
    if (edge.starts) {
        const akin_sparse sparse = {edge.starts, trie->places};
        const int found = akin_sparse_rank(sparse, node, next);
        *next += edge.first;
        return found;
    }
    if (kind == AKIN_TRIE_CHUNKS)
        return akin_step_chunks(&edge, node, next);
    if (kind == AKIN_TRIE_RRR)
        return akin_step_rrr(trie, &edge, node, next);
    *next = akin_step_word((const uint32_t *)edge.records + (uint64_t)node * (trie->symbols + 1));
    return *next != AKIN_STT_NONE;
}

/* A walk that is under way: what is left of its word, and how far it has come. */
typedef struct akin_walk {
    uint32_t at, end;
    uint32_t node; /* once it has ended, the id */
} akin_walk;

/* Begins the walk of a word; 0 if it has ended. */
AKIN_STEP int akin_walk_begin(const akin_gpu_trie *trie, const akin_gpu_words *words, uint64_t word, akin_walk *walk)
{
    const uint32_t begin = akin_step_word(words->begins + word), end = akin_step_word(words->ends + word);
    const uint32_t length = end - begin, last = trie->symbols;
    walk->at = begin;
    walk->end = end;
    walk->node = AKIN_TRIE_UNKNOWN;
    if (length > trie->longest)
        return 0;
    walk->node = 0;
    if (!trie->pairs)
        return 1;
    const uint32_t first = length > 0 ? trie->codes[akin_step_byte(words->bytes + begin)] : last;
    const uint32_t second = length > 1 ? trie->codes[akin_step_byte(words->bytes + begin + 1)] : last;
    walk->at = begin + 2;
    walk->node = akin_step_word(trie->pairs + first * trie->span + second);
    return length > 1 && walk->node != AKIN_TRIE_UNKNOWN;
}

/* Goes on by a symbol; 0 if the walk has ended. */
AKIN_STEP int akin_walk_on(const akin_gpu_trie *trie, uint32_t kind, const akin_gpu_words *words, akin_walk *walk)
{
    const uint32_t last = trie->symbols;
    const uint32_t symbol = walk->at < walk->end ? trie->codes[akin_step_byte(words->bytes + walk->at)] : last;
    uint32_t next = 0;
    const int found = akin_step_next(trie, kind, walk->node, symbol, &next);
    walk->node = found ? next : AKIN_TRIE_UNKNOWN;
    walk->at++;
    return found && symbol != last;
}

/* The id of a word. */
AKIN_STEP uint32_t akin_walk_all(const akin_gpu_trie *trie, uint32_t kind, const akin_gpu_words *words, uint64_t word)
{
    akin_walk walk;
    int goes_on = akin_walk_begin(trie, words, word, &walk);
    while (goes_on)
        goes_on = akin_walk_on(trie, kind, words, &walk);
    return walk.node;
}

#endif
