/*
 * A segment of a string: where it lies, how far edits may move it, its hash. Hashes are polynomials of the symbols
 * modulo 2^64, so that of any part of a string comes from those of two of its beginnings.
 */
#ifndef AKIN_STRINGS_SEGMENT_H
#define AKIN_STRINGS_SEGMENT_H

#include "strings/cutoff.h"

#define AKIN_SEGMENT_BASE UINT64_C(0x9e3779b97f4a7c15)

/* Segment i of `count` that a string of a length is cut into: the longer ones come last. */
static inline void akin_segment_of(uint32_t length, uint32_t count, uint32_t i, uint32_t *begin, uint32_t *size)
{
    uint32_t shorter = count - length % count, each = length / count;
    *size = each + (i >= shorter);
    *begin = i * each + (i > shorter ? i - shorter : 0);
}

/* How many segments edits may touch: two each where neighbours change places. */
static inline uint64_t akin_segments_touched(const akin_cutoff *cutoff, uint32_t edits)
{
    return cutoff->swaps ? 2 * (uint64_t)edits : edits;
}

/*
 * Where segment i of a string may be in another one that is `longer` symbols longer (or, below 0, shorter), within
 * `edits`: moved by *low to *high. It is enough to look for an untouched segment i with i segments' worth of edits
 * before it. There is one: the least i for which at most i segments' worth lie before segment i + 1. So at most i edits
 * moved it, and at most the other edits are behind it.
 */
static inline int akin_segment_window(const akin_cutoff *cutoff, uint32_t i, uint32_t edits, int64_t longer,
                                      int64_t *low, int64_t *high)
{
    int64_t touched = (int64_t)akin_segments_touched(cutoff, edits), before = i < edits ? i : edits,
            behind = touched - i;
    if (behind < 0)
        return 0;
    behind = behind < edits ? behind : edits;
    *low = longer - behind > -before ? longer - behind : -before;
    *high = longer + behind < before ? longer + behind : before;
    /* and the ways there and back are no longer than all edits together */
    int64_t left = (edits - longer) / 2, right = (edits + longer) / 2;
    *low = *low > -left ? *low : -left;
    *high = *high < right ? *high : right;
    return *low <= *high;
}

/* Spreads a polynomial, and the number of a segment, over all bits. */
static inline uint64_t akin_segment_mix(uint64_t hash, uint32_t i)
{
    hash += (i + 1) * UINT64_C(0xd6e8feb86659fd93);
    hash ^= hash >> 32;
    hash *= UINT64_C(0xff51afd7ed558ccd);
    hash ^= hash >> 29;
    return hash * UINT64_C(0xc4ceb9fe1a85ec53);
}

/* The hash of segment i of a string. */
static inline uint64_t akin_segment_hash(const akin_symbols *s, uint32_t begin, uint32_t size, uint32_t i)
{
    uint64_t hash = 0;
    for (uint32_t at = begin; at < begin + size; at++)
        hash = hash * AKIN_SEGMENT_BASE + akin_symbol(s, at) + 1;
    return akin_segment_mix(hash, i);
}

#endif
