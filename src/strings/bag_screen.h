/*
 * The bags of strings of one length against the bag of a query: which of them differ in so few bits that the strings
 * may qualify. One version for each SIMD level; all give the same.
 */
#ifndef AKIN_STRINGS_BAG_SCREEN_H
#define AKIN_STRINGS_BAG_SCREEN_H

#include "base/scope.h"
#include "strings/batch.h"

#define AKIN_PREFIXES 5 /* how many of the first symbols may be the same: 0 to 4 */

typedef struct akin_bag_strip {
    const uint64_t *bags[AKIN_BAG_WORDS];
    const uint32_t *heads;
    uint32_t count;
} akin_bag_strip;

typedef struct akin_bag_query {
    akin_bag bag;
    uint32_t head;
    int by_prefix;                /* whether the limits differ; if not, heads are not looked at */
    int64_t limit[AKIN_PREFIXES]; /* the most bits in which they may differ, by the length of a common prefix */
} akin_bag_query;

/* Writes the places of those that pass, ascending, and answers how many; `passed` has room for count + 16. */
typedef uint32_t (*akin_bag_screen)(const akin_bag_strip *strip, const akin_bag_query *query, uint32_t *passed);

akin_bag_screen akin_bag_screen_choose(akin_cpu cpu);

/* Whether string i of a strip passes. */
static inline int akin_bag_passes(const akin_bag_strip *strip, const akin_bag_query *query, uint32_t i)
{
    const uint32_t prefix = query->by_prefix ? akin_head_prefix(strip->heads[i], query->head) : 0;
    akin_bag bag;
    for (uint32_t w = 0; w < AKIN_BAG_WORDS; w++)
        bag.words[w] = strip->bags[w][i];
    return (int64_t)akin_bag_apart(&bag, &query->bag) <= query->limit[prefix];
}

/* For the choice alone. */
uint32_t akin_bag_screen_neon(const akin_bag_strip *strip, const akin_bag_query *query, uint32_t *passed);
uint32_t akin_bag_screen_avx2(const akin_bag_strip *strip, const akin_bag_query *query, uint32_t *passed);
uint32_t akin_bag_screen_avx512(const akin_bag_strip *strip, const akin_bag_query *query, uint32_t *passed);

#endif
