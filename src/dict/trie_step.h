/*
 * A walk down a trie on a GPU, step by step. It reads aligned words, of 16 bytes where possible. The code is C as well
 * as CUDA, so tests run it without a GPU. Each form has a step (chunks_step.h), which is compiled into the walk.
 */
#ifndef AKIN_DICT_TRIE_STEP_H
#define AKIN_DICT_TRIE_STEP_H

#include "dict/kernels.h"
#include "dict/sparse.h"

#ifdef __CUDACC__
#define AKIN_STEP static __device__ __forceinline__
#else
#define AKIN_STEP static inline
#endif

/* ---------------------------------------------------------------------------------------------------------- machine */

/* 16 bytes as four numbers; the first one has the lowest address. */
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

/* Adds the four bytes of a word to a sum. */
AKIN_STEP uint32_t akin_step_sum(uint32_t bytes, uint32_t sum)
{
    return sum + (bytes & 255) + (bytes >> 8 & 255) + (bytes >> 16 & 255) + (bytes >> 24);
}
#endif

/* Returns a word whose lowest `bits` bits are set: none if `bits` is negative, all if it is 32 or more. */
AKIN_STEP uint32_t akin_step_below(int32_t bits)
{
    const int32_t some = bits < 0 ? 0 : bits > 32 ? 32 : bits;
    return (uint32_t)(((uint64_t)1 << some) - 1);
}

/* ---------------------------------------------------------------------------------------------------------- walking */

/* Finds the child of a node by a symbol that is not rare, or the id by the end, in *next. Returns 0 if it has none. */
typedef int akin_gpu_step(const akin_gpu_trie *trie, const akin_gpu_edge *edge, uint32_t node, uint32_t *next);

/* akin_trie_next_by on a GPU. */
AKIN_STEP int akin_step_next(const akin_gpu_trie *trie, akin_gpu_step *step, uint32_t node, uint32_t symbol,
                             uint32_t *next)
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
    return step(trie, &edge, node, next);
}

/* A walk: the rest of its word, and the node that it has reached. */
typedef struct akin_walk {
    uint32_t at, end;
    uint32_t node; /* after the end of the walk, the id */
} akin_walk;

/* Begins the walk of a word. Returns 0 if the walk has ended. */
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

/* Walks on by a symbol. Returns 0 if the walk has ended. */
AKIN_STEP int akin_walk_on(const akin_gpu_trie *trie, akin_gpu_step *step, const akin_gpu_words *words, akin_walk *walk)
{
    const uint32_t last = trie->symbols;
    const uint32_t symbol = walk->at < walk->end ? trie->codes[akin_step_byte(words->bytes + walk->at)] : last;
    uint32_t next = 0;
    const int found = akin_step_next(trie, step, walk->node, symbol, &next);
    walk->node = found ? next : AKIN_TRIE_UNKNOWN;
    walk->at++;
    return found && symbol != last;
}

/* Returns the id of a word, or AKIN_TRIE_UNKNOWN. */
AKIN_STEP uint32_t akin_walk_all(const akin_gpu_trie *trie, akin_gpu_step *step, const akin_gpu_words *words,
                                 uint64_t word)
{
    akin_walk walk;
    int goes_on = akin_walk_begin(trie, words, word, &walk);
    while (goes_on)
        goes_on = akin_walk_on(trie, step, words, &walk);
    return walk.node;
}

#endif
