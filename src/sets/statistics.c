/* The statistics of a collection of sets. */
#include "sets/statistics.h"

#include "base/memory.h"
#include "base/options.h"
#include "sets/ranking.h"
#include "sets/sets.h"

#include <string.h>

AKIN_OPTIONS_END(akin_sets_statistics, reserved);

#define HALF 65536 /* values of the upper or lower 16 bits of a size */

/* Which value the item of number *rank has, items being counted by value; *rank becomes its number among its equals. */
static uint32_t find_ranked(const uint32_t *counts, uint32_t *rank)
{
    uint32_t value = 0;
    while (*rank >= counts[value])
        *rank -= counts[value++];
    return value;
}

/* The lower median of the sizes above 0, found half by half: first its upper 16 bits, then the lower ones among the
 * sizes that share these. `counts` is working memory of HALF items. */
static uint32_t median_size(const akin_sets *sets, uint32_t filled, uint32_t *counts)
{
    uint32_t rank = (filled - 1) / 2;
    memset(counts, 0, HALF * sizeof *counts);
    for (uint32_t row = 0; row < sets->rows; row++) {
        uint32_t size = akin_sets_row(sets, row, NULL);
        counts[size >> 16] += size != 0;
    }
    uint32_t upper = find_ranked(counts, &rank);
    memset(counts, 0, HALF * sizeof *counts);
    for (uint32_t row = 0; row < sets->rows; row++) {
        uint32_t size = akin_sets_row(sets, row, NULL);
        counts[size & (HALF - 1)] += size != 0 && size >> 16 == upper;
    }
    return upper << 16 | find_ranked(counts, &rank);
}

akin_status akin_sets_describe_within(const akin_scope *scope, const akin_sets *sets, akin_sets_statistics *statistics,
                                      akin_error *error)
{
    akin_ranking ranking;
    akin_sets_statistics own = {.rows = sets->rows, .tokens = sets->offsets[sets->rows]};
    akin_status status = akin_ranking_count(scope, NULL, sets, NULL, &ranking, error);
    own.universe = ranking.universe;
    akin_ranking_clear(&ranking);
    if (status != AKIN_OK)
        return status;
    for (uint32_t row = 0; row < sets->rows; row++) {
        uint32_t size = akin_sets_row(sets, row, NULL);
        own.empty += size == 0;
        own.largest = size > own.largest ? size : own.largest;
        if (size != 0 && (own.smallest == 0 || size < own.smallest))
            own.smallest = size;
    }
    if (own.empty < own.rows) {
        uint32_t *counts = akin_alloc(NULL, HALF, sizeof *counts);
        if (!counts)
            return akin_fail_memory(error, "the sizes of the sets");
        own.median = median_size(sets, own.rows - own.empty, counts);
        akin_free(counts);
    }
    return akin_options_write(&own, sizeof own, statistics, "akin_sets_statistics", error);
}

akin_status akin_sets_describe(akin_context *context, const akin_sets *sets, akin_sets_statistics *statistics,
                               akin_error *error)
{
    return akin_sets_describe_within(akin_scope_of(context), sets, statistics, error);
}
