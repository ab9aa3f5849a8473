/*
 * What threads of a GPU do with bags: count hashes, and choose the rare ones of a document. It is compiled into
 * kernels, and into the GPU that the host plays in tests.
 *
 * A block takes a document, in steps between which its threads wait for one another. The prefix are the first hashes by
 * (count, value). Which counts are in it, a histogram says. Of the last count only a part is, by the highest bits of
 * values, so that up to a 256th of these are too many. The host sorts, and leaves them out.
 *
 *     counts    | 1: alone | 2 | 3 | 4 : a part |           histogram of counts
 *     prefix               |-----------------|
 *     bins                          | 0 | 1 : 2 | ...       histogram of values with the last count
 */
#ifndef AKIN_CORPUS_GPU_BAG_H
#define AKIN_CORPUS_GPU_BAG_H

#include "corpus/hash_places.h"
#include "corpus/kernels.h"
#include "device/gpu_step.h"

#define AKIN_GPU_BAG_BINS 256

#ifdef __CUDACC__
AKIN_GPU_FUNCTION uint64_t akin_gpu_bag_high(uint64_t a, uint64_t b)
{
    return __umul64hi(a, b);
}

AKIN_GPU_FUNCTION uint32_t akin_gpu_bag_exchange(uint32_t *word, uint32_t before, uint32_t after)
{
    return atomicCAS(word, before, after);
}

AKIN_GPU_FUNCTION void akin_gpu_bag_flip(uint64_t *word, uint64_t bit)
{
    atomicXor((unsigned long long *)word, (unsigned long long)bit);
}
#else
AKIN_GPU_FUNCTION uint64_t akin_gpu_bag_high(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 product;
    return (uint64_t)((product)a * b >> 64);
}

AKIN_GPU_FUNCTION uint32_t akin_gpu_bag_exchange(uint32_t *word, uint32_t before, uint32_t after)
{
    __atomic_compare_exchange_n(word, &before, after, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return before;
}

AKIN_GPU_FUNCTION void akin_gpu_bag_flip(uint64_t *word, uint64_t bit)
{
    *word ^= bit;
}
#endif

/* --------------------------------------------------------------------------------------------------------- counters */

AKIN_GPU_FUNCTION uint64_t akin_gpu_bag_slot(const akin_gpu_counters *c, uint64_t hash)
{
    return akin_gpu_bag_high(hash * AKIN_FREQUENCY_SPREAD, c->slots);
}

AKIN_GPU_FUNCTION int akin_gpu_bag_is_counted(const akin_gpu_counters *c, uint64_t hash)
{
    return hash * AKIN_FREQUENCY_CHOOSE >> 32 < c->counted;
}

AKIN_GPU_FUNCTION void akin_gpu_bag_count(const akin_gpu_counters *c, uint64_t hash)
{
    if (!akin_gpu_bag_is_counted(c, hash))
        return;
    const uint64_t slot = akin_gpu_bag_slot(c, hash);
    const uint32_t shift = (uint32_t)(slot % 8) * 4;
    uint32_t *word = &c->words[slot / 8];
    for (uint32_t held = *word; (held >> shift & AKIN_FREQUENCY_MOST) < AKIN_FREQUENCY_MOST;) {
        const uint32_t before = akin_gpu_bag_exchange(word, held, held + (1u << shift));
        if (before == held)
            break;
        held = before;
    }
}

AKIN_GPU_FUNCTION uint8_t akin_gpu_bag_count_of(const akin_gpu_counters *c, uint64_t hash)
{
    if (!akin_gpu_bag_is_counted(c, hash))
        return AKIN_FREQUENCY_MOST;
    const uint64_t slot = akin_gpu_bag_slot(c, hash);
    return (uint8_t)(c->words[slot / 8] >> slot % 8 * 4 & AKIN_FREQUENCY_MOST);
}

/* --------------------------------------------------------------------------------------------------------- prefixes */

/* What the threads of a block share. */
typedef struct akin_gpu_bag_shared {
    uint64_t signature[AKIN_SIGNATURE_WORDS_MOST];
    uint64_t begin, signature_begin;
    uint32_t counts[AKIN_FREQUENCY_MOST + 1];
    uint32_t bins[AKIN_GPU_BAG_BINS];
    uint32_t last, missing; /* the last count of the prefix, and how many of its hashes are in it; 0: all of them */
    uint32_t bin;           /* the last one of these */
    uint32_t chosen, written, words;
} akin_gpu_bag_shared;

AKIN_GPU_FUNCTION uint32_t akin_gpu_bag_words(uint32_t size)
{
    uint32_t words = 1;
    while (words < AKIN_SIGNATURE_WORDS_MOST && words * 64 < size)
        words *= 2;
    return words;
}

AKIN_GPU_FUNCTION void akin_gpu_bag_begin(akin_gpu_bag_shared *s, const akin_gpu_bag *bag, uint32_t thread,
                                          uint32_t threads)
{
    const uint32_t words = akin_gpu_bag_words(bag->size);
    for (uint32_t i = thread; i < words; i += threads)
        s->signature[i] = 0;
    for (uint32_t i = thread; i < AKIN_GPU_BAG_BINS; i += threads)
        s->bins[i] = 0;
    for (uint32_t i = thread; i <= AKIN_FREQUENCY_MOST; i += threads)
        s->counts[i] = 0;
    if (thread == 0) {
        s->words = words;
        s->begin = s->signature_begin = 0;
    }
}

/* Looks the counts of all hashes up. */
AKIN_GPU_FUNCTION void akin_gpu_bag_look(akin_gpu_bag_shared *s, const akin_gpu_bag *bag, const uint64_t *hashes,
                                         const akin_gpu_counters *counters, uint8_t *scratch, uint32_t thread,
                                         uint32_t threads)
{
    for (uint32_t i = thread; i < bag->size; i += threads) {
        const uint8_t count = akin_gpu_bag_count_of(counters, hashes[bag->begin + i]);
        scratch[bag->scratch + i] = count;
        akin_gpu_add32(&s->counts[count], 1);
    }
}

/* By one thread: which counts are in the prefix. */
AKIN_GPU_FUNCTION void akin_gpu_bag_cut(akin_gpu_bag_shared *s, const akin_gpu_bag *bag)
{
    uint32_t before = s->counts[0] + s->counts[1];
    s->last = 1;
    s->missing = 0;
    while (s->last < AKIN_FREQUENCY_MOST && before < bag->longest) {
        s->last++;
        if (before + s->counts[s->last] > bag->longest)
            s->missing = bag->longest - before;
        before += s->counts[s->last];
    }
}

/* If only a part of the last count is in the prefix: how its hashes are spread. */
AKIN_GPU_FUNCTION void akin_gpu_bag_spread(akin_gpu_bag_shared *s, const akin_gpu_bag *bag, const uint64_t *hashes,
                                           const uint8_t *scratch, uint32_t thread, uint32_t threads)
{
    for (uint32_t i = thread; s->missing > 0 && i < bag->size; i += threads)
        if (scratch[bag->scratch + i] == s->last)
            akin_gpu_add32(&s->bins[hashes[bag->begin + i] >> 56], 1);
}

/* By one thread: how many hashes are chosen, and where they go. */
AKIN_GPU_FUNCTION void akin_gpu_bag_choose(akin_gpu_bag_shared *s, const akin_gpu_prefixes *out)
{
    s->bin = AKIN_GPU_BAG_BINS - 1;
    s->chosen = s->written = 0;
    for (uint32_t count = 2; count <= s->last; count++)
        s->chosen += s->counts[count];
    if (s->missing > 0) {
        uint32_t within = 0, bin = 0;
        while ((within += s->bins[bin]) < s->missing)
            bin++;
        s->bin = bin;
        s->chosen += within - s->counts[s->last];
    }
    if (s->chosen > 0) {
        s->begin = akin_gpu_add(&out->taken->hashes, s->chosen);
        s->signature_begin = akin_gpu_add(&out->taken->words, s->words);
    }
}

/* Writes the hashes that are chosen, and makes the signature of all. */
AKIN_GPU_FUNCTION void akin_gpu_bag_write(akin_gpu_bag_shared *s, const akin_gpu_bag *bag, const uint64_t *hashes,
                                          const akin_gpu_prefixes *out, uint32_t thread, uint32_t threads)
{
    for (uint32_t i = thread; s->chosen > 0 && i < bag->size; i += threads) {
        const uint64_t hash = hashes[bag->begin + i];
        const uint8_t count = out->scratch[bag->scratch + i];
        akin_gpu_bag_flip(&s->signature[hash >> 6 & (s->words - 1)], (uint64_t)1 << (hash & 63));
        if (count < 2 || count > s->last || (count == s->last && hash >> 56 > s->bin))
            continue;
        const uint64_t at = s->begin + akin_gpu_add32(&s->written, 1);
        out->hashes[at] = hash;
        out->counts[at] = count;
    }
}

AKIN_GPU_FUNCTION void akin_gpu_bag_finish(const akin_gpu_bag_shared *s, const akin_gpu_prefixes *out,
                                           uint32_t document, uint32_t thread, uint32_t threads)
{
    for (uint32_t i = thread; s->chosen > 0 && i < s->words; i += threads)
        out->words[s->signature_begin + i] = s->signature[i];
    if (thread == 0) {
        akin_gpu_prefix *own = &out->of[document];
        own->begin = s->begin;
        own->signature = s->signature_begin;
        own->count = s->chosen;
        own->alone = s->counts[0] + s->counts[1];
    }
}

#endif
