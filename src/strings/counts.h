/* How often each of 32 kinds of symbols stands in a string: what bounds the distance of long strings, whose bags are
 * full. */
#ifndef AKIN_STRINGS_COUNTS_H
#define AKIN_STRINGS_COUNTS_H

#include "base/scope.h"
#include "strings/bag.h"

#define AKIN_COUNTS_KINDS 32
#define AKIN_COUNTS_LEAST 48 /* symbols of a string, from which on counts say more than the bag */

typedef struct akin_counts {
    uint16_t of[AKIN_COUNTS_KINDS]; /* at most UINT16_MAX */
} akin_counts;

akin_counts akin_counts_of(const akin_symbols *text);

/* The same, and the bag (akin_bag_of), which follows from the counts. */
akin_counts akin_counts_with_bag(const akin_symbols *text, uint32_t kinds, akin_bag *bag);

/* How many symbols either string has beyond the other's, by the counts. It bounds the distance as the bits in which
 * bags differ do (strings/bag.h). */
static inline uint32_t akin_counts_apart(const akin_counts *a, const akin_counts *b)
{
    uint32_t apart = 0;
    for (uint32_t i = 0; i < AKIN_COUNTS_KINDS; i++)
        apart += a->of[i] > b->of[i] ? (uint32_t)(a->of[i] - b->of[i]) : (uint32_t)(b->of[i] - a->of[i]);
    return apart;
}

#define AKIN_COUNTS_BYTE 256 /* strings of fewer symbols have counts of one byte */

/* How far the counts of several strings, at places[i] of `counts`, are from those of a query. All strings have fewer
 * than AKIN_COUNTS_BYTE symbols. One version for each SIMD level; all give the same. */
typedef void (*akin_counts_compare)(const akin_counts *counts, const akin_counts *query, const uint32_t *places,
                                    uint32_t count, uint32_t *apart);

akin_counts_compare akin_counts_compare_choose(akin_cpu cpu);

/* For the choice alone. */
void akin_counts_compare_neon(const akin_counts *counts, const akin_counts *query, const uint32_t *places,
                              uint32_t count, uint32_t *apart);
void akin_counts_compare_avx2(const akin_counts *counts, const akin_counts *query, const uint32_t *places,
                              uint32_t count, uint32_t *apart);
void akin_counts_compare_avx512(const akin_counts *counts, const akin_counts *query, const uint32_t *places,
                                uint32_t count, uint32_t *apart);

#endif
