/* Counts symbols by 64 kinds. Each two of these make one of the 32 kinds, and one of the 32 or 64 of a bag: all are
 * dealt in the same way. */
#include "strings/counts.h"

#include <string.h>

#define BROAD AKIN_BAG_BROAD

_Static_assert(AKIN_COUNTS_KINDS == AKIN_BAG_DEEP && 2 * AKIN_COUNTS_KINDS == AKIN_BAG_BROAD,
               "kind k of 64 is k or 63 - k of 32");

/* Every other symbol has a table of its own, so that equal neighbours do not wait for one another. */
static void count_symbols(const akin_symbols *text, uint32_t counts[BROAD])
{
    uint32_t odd[BROAD] = {0}, i = 0;
    memset(counts, 0, BROAD * sizeof *counts);
    for (; i + 1 < text->length; i += 2) {
        counts[akin_bag_kind(akin_symbol(text, i), BROAD)]++;
        odd[akin_bag_kind(akin_symbol(text, i + 1), BROAD)]++;
    }
    if (i < text->length)
        odd[akin_bag_kind(akin_symbol(text, i), BROAD)]++;
    for (uint32_t k = 0; k < BROAD; k++)
        counts[k] += odd[k];
}

static akin_counts fold_counts(const uint32_t counts[BROAD])
{
    akin_counts folded;
    for (uint32_t k = 0; k < AKIN_COUNTS_KINDS; k++) {
        uint32_t sum = counts[k] + counts[BROAD - 1 - k];
        folded.of[k] = (uint16_t)(sum < UINT16_MAX ? sum : UINT16_MAX);
    }
    return folded;
}

akin_counts akin_counts_of(const akin_symbols *text)
{
    uint32_t counts[BROAD];
    count_symbols(text, counts);
    return fold_counts(counts);
}

/* Up to four, in unary. */
static inline uint64_t unary(uint32_t count)
{
    return (UINT64_C(1) << (count < 4 ? count : 4)) - 1;
}

akin_counts akin_counts_with_bag(const akin_symbols *text, uint32_t kinds, akin_bag *bag)
{
    uint32_t counts[BROAD];
    count_symbols(text, counts);
    akin_counts folded = fold_counts(counts);
    *bag = (akin_bag){{0}};
    for (uint32_t k = 0; k < kinds; k++) {
        uint32_t of = kinds == BROAD ? counts[k] : folded.of[k];
        bag->words[k / 16] |= unary(of) << k % 16 * 4;
        if (kinds == AKIN_BAG_DEEP)
            bag->words[k / 16 + 2] |= unary(of > 4 ? of - 4 : 0) << k % 16 * 4;
    }
    return folded;
}

static void compare(const akin_counts *counts, const akin_counts *query, const uint32_t *places, uint32_t count,
                    uint32_t *apart)
{
    for (uint32_t i = 0; i < count; i++)
        apart[i] = akin_counts_apart(&counts[places[i]], query);
}

akin_counts_compare akin_counts_compare_choose(akin_cpu cpu)
{
    static const akin_counts_compare by_level[] =
        AKIN_CPU_ROW(compare, akin_counts_compare_neon, akin_counts_compare_avx2, akin_counts_compare_avx512);
    return by_level[cpu];
}
