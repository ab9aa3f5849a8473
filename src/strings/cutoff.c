/* The bounds that a cutoff sets on lengths, prefixes and matches. */
#include "strings/cutoff.h"

akin_cutoff akin_cutoff_of(const akin_comparator_row *row, const akin_compare_options *compare, akin_ratio ratio,
                           uint32_t most)
{
    akin_cutoff cutoff = {.ratio = ratio, .most = most, .scale = {0, 1}};
    if (!row)
        return cutoff;
    cutoff.is_jaro = row->form == AKIN_BY_MATCHES;
    cutoff.swaps = row->swaps;
    cutoff.winkler.floored = compare->floored != 0;
    if (row->choice.capabilities & AKIN_TAKES_PREFIX) {
        cutoff.scale = compare->prefix_scale;
        cutoff.winkler.scale = (double)cutoff.scale.num / cutoff.scale.den;
        cutoff.winkler.boost = compare->boost_threshold;
    }
    return cutoff;
}

double akin_cutoff_jaro(const akin_cutoff *cutoff, uint32_t prefix)
{
    double least = (double)cutoff->ratio.num / cutoff->ratio.den, scale = prefix * cutoff->winkler.scale;
    double boost = akin_ratio_value(cutoff->winkler.boost);
    double boosted = scale < 1 ? (least - scale) / (1 - scale) : 0;
    if (boosted < boost)
        boosted = boost; /* below it the prefix does not count */
    return (boosted < least ? boosted : least) - AKIN_SIMILARITY_NEAR;
}

uint32_t akin_cutoff_matched(const akin_cutoff *cutoff, uint32_t a, uint32_t b, uint32_t prefix)
{
    uint32_t shorter = a < b ? a : b, low = 1, high = shorter;
    if (!akin_cutoff_reached(cutoff, (akin_jaro){shorter, 0}, a, b, prefix))
        return AKIN_CUTOFF_NONE;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (akin_cutoff_reached(cutoff, (akin_jaro){middle, 0}, a, b, prefix))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

int akin_cutoff_permits(const akin_cutoff *cutoff, uint32_t a, uint32_t b)
{
    uint32_t shorter = a < b ? a : b, prefix = shorter < AKIN_WINKLER_PREFIX ? shorter : AKIN_WINKLER_PREFIX;
    if (!cutoff->is_jaro)
        return akin_cutoff_edits(cutoff, a, b) != AKIN_CUTOFF_NONE;
    return akin_cutoff_reached(cutoff, (akin_jaro){shorter, 0}, a, b, prefix);
}
