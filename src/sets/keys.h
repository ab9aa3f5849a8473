/*
 * Keys that sets of one size are sorted by: of each set one number, of its first two ranks and of the set itself.
 *
 *     | first rank | second rank, or its upper bits | number of the set in its class |       64 bits
 *       bits         second_bits                      index_bits
 *
 * Sorted as numbers, keys are in the order of the first ranks, and sets in which these are equal in the order of their
 * numbers. Such ties are settled by the ranks that follow.
 */
#ifndef AKIN_SETS_KEYS_H
#define AKIN_SETS_KEYS_H

#include "base/bits.h"

typedef struct akin_set_keys {
    const uint32_t *tokens; /* ranks: set i is tokens[i * size] .. tokens[i * size + size - 1], ascending */
    uint32_t size;
    uint32_t bits;        /* of a rank */
    uint32_t second_bits; /* up to that many */
    uint32_t index_bits;
} akin_set_keys;

/* The keys of `count` sets (at least one) of `size` ranks (at least one) below 2^bits. */
static inline akin_set_keys akin_set_keys_of(const uint32_t *tokens, uint32_t size, uint32_t count, uint32_t bits)
{
    const uint32_t index_bits = akin_bits_of(count - 1);
    return (akin_set_keys){.tokens = tokens,
                           .size = size,
                           .bits = bits,
                           .second_bits = akin_min_u32(bits, 64 - bits - index_bits),
                           .index_bits = index_bits};
}

/* The key of a set by its ranks from place `depth` on. */
static inline uint64_t akin_set_key(const akin_set_keys *keys, uint32_t set, uint32_t depth)
{
    const uint32_t *ranks = keys->tokens + (uint64_t)set * keys->size;
    const uint64_t second = depth + 1 < keys->size ? ranks[depth + 1] : 0;
    return ((uint64_t)ranks[depth] << keys->second_bits | second >> (keys->bits - keys->second_bits))
               << keys->index_bits |
           set;
}

static inline uint32_t akin_set_of_key(const akin_set_keys *keys, uint64_t key)
{
    return (uint32_t)(key & ((UINT64_C(1) << keys->index_bits) - 1));
}

static inline uint32_t akin_first_rank_of_key(const akin_set_keys *keys, uint64_t key)
{
    return (uint32_t)(key >> (keys->second_bits + keys->index_bits));
}

/* Puts sets in the order of all their ranks, whose keys are in the order of the first ones; equal sets are in the order
 * of their numbers. Afterwards nothing is left of the keys but these numbers. */
void akin_set_keys_settle(const akin_set_keys *keys, uint64_t *list, uint32_t count);

#endif
