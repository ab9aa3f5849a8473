/* A cutoff: how alike two strings must be, and the bounds that follow for their lengths, bags and matches, in exact
 * arithmetic. */
#ifndef AKIN_STRINGS_CUTOFF_H
#define AKIN_STRINGS_CUTOFF_H

#include "strings/bag.h"
#include "strings/comparator.h"
#include "strings/decision.h"
#include "strings/jaro.h"

/* The cutoff that options, as akin_compare_options_read gave them, and a least similarity make; num 0: `most` edits.
 * The row is that of the comparator of the options; NULL: there is none. */
akin_cutoff akin_cutoff_of(const akin_comparator_row *row, const akin_compare_options *compare, akin_ratio ratio,
                           uint32_t most);

/* Whether a common prefix counts. */
static inline int akin_cutoff_by_prefix(const akin_cutoff *cutoff)
{
    return cutoff->is_jaro && cutoff->scale.num > 0;
}

/* Whether strings of lengths a and b, neither of them 0, can qualify. */
int akin_cutoff_permits(const akin_cutoff *cutoff, uint32_t a, uint32_t b);

/* The least number of symbols that must be matched, with a common prefix of `prefix` symbols; AKIN_CUTOFF_NONE: more
 * than the strings have. */
uint32_t akin_cutoff_matched(const akin_cutoff *cutoff, uint32_t a, uint32_t b, uint32_t prefix);

/* The similarity of Jaro that the cutoff needs with a common prefix of `prefix` symbols, or a little less. */
double akin_cutoff_jaro(const akin_cutoff *cutoff, uint32_t prefix);

/* The most bits in which the bags of two strings may differ, for edits or matches as above; -1: none will do. */
static inline int64_t akin_cutoff_apart_by_edits(uint32_t edits, uint32_t a, uint32_t b)
{
    int64_t longer = a > b ? (int64_t)a - b : (int64_t)b - a;
    return edits == AKIN_CUTOFF_NONE ? -1 : 2 * (int64_t)edits - longer;
}

static inline int64_t akin_cutoff_apart_by_matched(uint32_t matched, uint32_t a, uint32_t b)
{
    return matched == AKIN_CUTOFF_NONE ? -1 : (int64_t)a + b - 2 * (int64_t)matched;
}

#endif
