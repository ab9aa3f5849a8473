/*
 * The hashes of runs of words, from sums that a step takes from word to word:
 *
 *     sums[i + 1] = sums[i] * B + hash of word i          modulo 2^64
 *     the run of n words from i on:                       sums[i + n] - sums[i] * B^n, mixed
 *
 * So a run of any length costs a product and some shifts.
 */
#ifndef AKIN_CORPUS_WORD_SUMS_H
#define AKIN_CORPUS_WORD_SUMS_H

#include "base/bits.h"

#define AKIN_WORD_BASE     UINT64_C(0x9e3779b97f4a7c15) /* B */
#define AKIN_WORD_READABLE 16                           /* bytes that can be read from where a word begins */

/* The hash of a long word. */
uint64_t akin_word_hash_long(const char *word, uint32_t length);

/* The hash of a word. Its bytes are loaded at once, and those behind it are masked: nothing depends on its length but
 * whether it is long. */
static inline uint64_t akin_word_hash(const char *word, uint32_t length)
{
    const uint32_t low = akin_min_u32(length, 8), high = length - low;
    if (length > AKIN_WORD_READABLE)
        return akin_word_hash_long(word, length);
    const uint64_t first = akin_load_word(word) & (low < 8 ? (UINT64_C(1) << 8 * low) - 1 : UINT64_MAX);
    const uint64_t second = akin_load_word(word + 8) & (high < 8 ? (UINT64_C(1) << 8 * high) - 1 : UINT64_MAX);
    return akin_mix_u64(first ^ UINT64_C(0x8c3d37c819544da2), second ^ UINT64_C(0xd9ac1f0b6e5f7a31) * (length + 1));
}

/* The sums behind each of `count` words: sums[1] to sums[count]; sums[0] is given, 0 at first. Word i is
 * text[bounds[2 i]] .. text[bounds[2 i + 1] - 1]. mask: the bits of words' hashes that count, all but for tests. */
void akin_word_sums(const char *text, const uint32_t *bounds, uint32_t count, uint64_t mask, uint64_t *sums);

/* B^n. */
uint64_t akin_word_power(uint32_t n);

/* The hash of a run of `words` words, of the sums at both ends; power: B^words. */
static inline uint64_t akin_word_run_hash(uint64_t before, uint64_t after, uint64_t power, uint32_t words)
{
    uint64_t x = after - before * power + words;
    x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
    x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return x ^ x >> 32;
}

#endif
