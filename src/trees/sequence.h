/*
 * The edit distance of two sequences of labels, as a bound: an edit of a tree inserts, deletes or replaces one label of
 * its preorder, and one of its postorder. So neither distance is above that of the trees (Guha et al., "Approximate XML
 * joins", SIGMOD 2002).
 */
#ifndef AKIN_TREES_SEQUENCE_H
#define AKIN_TREES_SEQUENCE_H

#include <stdint.h>

/* The distance of two sequences if it is at most `most`, else most + 1. `reach` has room for 2 * (2 * most + 3)
 * numbers. The time is that of comparing equal runs, and O(most^2): Landau and Vishkin, "Fast parallel and serial
 * approximate string matching", 1989. */
uint32_t akin_sequence_edits(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count, uint32_t most,
                             int32_t *reach);

/* How many numbers two sequences have in common from their beginnings on. */
static inline uint32_t akin_sequence_common(const uint32_t *a, const uint32_t *b, uint32_t most)
{
    uint32_t i = 0;
    for (; i + 8 <= most; i += 8) { /* a sum of differences, for SIMD */
        uint32_t differences = 0;
        for (uint32_t j = i; j < i + 8; j++)
            differences |= a[j] ^ b[j];
        if (differences)
            break;
    }
    while (i < most && a[i] == b[i])
        i++;
    return i;
}

#endif
