/*
 * Bags of characters: how often each kind of symbol stands in a string, in 256 bits, which bound from some popcounts
 * what two strings can have in common.
 */
#ifndef AKIN_STRINGS_BAG_H
#define AKIN_STRINGS_BAG_H

#include "base/bits.h"
#include "strings/symbols.h"

#define AKIN_BAG_WORDS 4
#define AKIN_BAG_BITS  256
#define AKIN_BAG_DEEP  32 /* kinds of symbols, with counts up to 8 each; or */
#define AKIN_BAG_BROAD 64 /* kinds with counts up to 4 each */

/*
 * Counters are unary, 4 bits a word: 3 symbols are the bits 0111. So the number of bits in which two bags differ is the
 * number of counted symbols that one string has beyond the other's.
 *
 *     broad     | kinds 0-15, 1 to 4 | 16-31, 1 to 4 | 32-47, 1 to 4 | 48-63, 1 to 4 |
 *     deep      | kinds 0-15, 1 to 4 | 16-31, 1 to 4 |  0-15, 5 to 8 | 16-31, 5 to 8 |
 *
 * The first words alone are a bag, too, with a weaker bound.
 */
typedef struct akin_bag {
    uint64_t words[AKIN_BAG_WORDS];
} akin_bag;

/* The kind of a symbol, one of `kinds`: symbols are dealt forth and back, so that of those numbered by frequency
 * (strings/alphabet.h) the most frequent have kinds of their own, as far as there are, and share these with the rarest
 * of the next ones. */
static inline uint32_t akin_bag_kind(uint32_t symbol, uint32_t kinds)
{
    uint32_t kind = symbol % kinds;
    return symbol / kinds % 2 ? kinds - 1 - kind : kind;
}

/* The bag of a string; kinds is AKIN_BAG_DEEP or AKIN_BAG_BROAD. */
akin_bag akin_bag_of(const akin_symbols *text, uint32_t kinds);

/* In how many bits two bags of as many kinds differ. */
static inline uint32_t akin_bag_apart(const akin_bag *a, const akin_bag *b)
{
    uint32_t apart = 0;
    for (uint32_t w = 0; w < AKIN_BAG_WORDS; w++)
        apart += akin_popcount64(a->words[w] ^ b->words[w]);
    return apart;
}

/*
 * A bound: the edit distance of strings of these lengths is not less, if their bags are `apart`. An edit takes at most
 * one symbol from a bag, and adds at most one. So the larger of the two surpluses, of one string over the other, is a
 * bound. It follows from their sum, and from their difference, which is that of the lengths.
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
