/*
 * Bags of characters: how often each kind of symbol stands in a string, in 128 bits, which bound from two popcounts what
 * two strings can have in common.
 */
#ifndef AKIN_STRINGS_BAG_H
#define AKIN_STRINGS_BAG_H

#include "base/bits.h"
#include "strings/symbols.h"

#define AKIN_BAG_KINDS 32 /* of symbols */
#define AKIN_BAG_MOST  4  /* that are counted of each */

/* A counter of 4 bits for each kind, kind k at bit 4 * (k % 16) of word k / 16; 3 symbols are the bits 0111. So the bits in
 * which two bags differ are as many as the symbols, of those counted, that one string has beyond the other's. */
typedef struct akin_bag {
    uint64_t words[2];
} akin_bag;

/* The kind of a symbol: symbols are dealt forth and back, so that of those numbered by frequency (strings/alphabet.h) the
 * most frequent have kinds of their own, as far as there are, and share these with the rarest of the next ones. */
static inline uint32_t akin_bag_kind(uint32_t symbol)
{
    uint32_t kind = symbol % AKIN_BAG_KINDS;
    return symbol / AKIN_BAG_KINDS % 2 ? AKIN_BAG_KINDS - 1 - kind : kind;
}

akin_bag akin_bag_of(const akin_symbols *text);

static inline uint32_t akin_bag_apart(akin_bag a, akin_bag b)
{
    return akin_popcount64(a.words[0] ^ b.words[0]) + akin_popcount64(a.words[1] ^ b.words[1]);
}

/*
 * No edit distance of strings of those lengths is less, if their bags are `apart`: an edit takes one symbol from a bag at
 * most, and adds one at most, so the larger of what one string has beyond the other is a bound, and their sum and
 * difference, which is that of the lengths, tell it.
 */
static inline uint32_t akin_bag_least_distance(uint32_t apart, uint32_t a, uint32_t b)
{
    uint32_t longer = a > b ? a - b : b - a;
    return (uint32_t)(((uint64_t)apart + longer + 1) / 2);
}

/* Nor do they have more symbols in common, as those that Jaro matches. */
static inline uint32_t akin_bag_most_common(uint32_t apart, uint32_t a, uint32_t b)
{
    return (uint32_t)(((uint64_t)a + b - apart) / 2);
}

#endif
