/* Reads match options. */
#include "strings/match.h"

#include "base/error.h"
#include "base/options.h"

AKIN_OPTIONS_END(akin_match_options, any_order);

#define SCALE_MOST_NUM 1 /* 4 symbols of a prefix must not take a similarity beyond 1 */
#define SCALE_MOST_DEN 4

static akin_status check_winkler(const akin_compare_options *compare, akin_cutoff *cutoff, akin_error *error)
{
    akin_ratio scale = compare->prefix_scale, boost = compare->boost_threshold;
    cutoff->winkler = (akin_winkler){.floored = compare->floored != 0};
    cutoff->scale = (akin_ratio){0, 1};
    if (compare->comparator == AKIN_JARO)
        return AKIN_OK;
    if (scale.den == 0 || (uint64_t)scale.num * SCALE_MOST_DEN > (uint64_t)scale.den * SCALE_MOST_NUM)
        return akin_fail(error, AKIN_E_OPTION, "a prefix scale of %u / %u: expected 0 to 0.25", scale.num, scale.den);
    if (boost.den == 0 || boost.num > boost.den)
        return akin_fail(error, AKIN_E_OPTION, "a boost threshold of %u / %u: expected 0 to 1", boost.num, boost.den);
    cutoff->scale = scale;
    cutoff->winkler.scale = (double)scale.num / scale.den;
    cutoff->winkler.boost_threshold = (double)boost.num / boost.den;
    return AKIN_OK;
}

akin_status akin_match_options_read(const akin_match_options *options, akin_cutoff *cutoff, uint32_t *any_order,
                                    akin_error *error)
{
    akin_match_options asked = AKIN_MATCH_OPTIONS_INIT;
    akin_compare_options compare = AKIN_COMPARE_OPTIONS_INIT;
    akin_status status = akin_options_read(options, &asked, sizeof asked, sizeof asked, "akin_match_options", error);
    if (status == AKIN_OK)
        status =
            akin_options_read(asked.compare, &compare, sizeof compare, sizeof compare, "akin_compare_options", error);
    if (status != AKIN_OK)
        return status;
    int is_edit = compare.comparator == AKIN_LEVENSHTEIN || compare.comparator == AKIN_OSA;
    *cutoff = (akin_cutoff){.is_jaro = !is_edit, .swaps = compare.comparator == AKIN_OSA};
    cutoff->ratio = asked.cutoff;
    cutoff->most = asked.most;
    if (!is_edit && compare.comparator != AKIN_JARO && compare.comparator != AKIN_JARO_WINKLER)
        return akin_fail(error, AKIN_E_OPTION,
                         "strings are matched by levenshtein, osa, jaro or jaro-winkler, and by no other comparator");
    if (asked.cutoff.num > 0 && asked.cutoff.num > asked.cutoff.den)
        return akin_fail(error, AKIN_E_OPTION, "a cutoff of %u / %u: expected at most 1", asked.cutoff.num,
                         asked.cutoff.den);
    if (!is_edit && asked.cutoff.num == 0)
        return akin_fail(error, AKIN_E_OPTION,
                         "a cutoff of 0: expected a similarity above 0 for jaro and jaro-winkler");
    if (asked.any_order > 1)
        return akin_fail(error, AKIN_E_OPTION, "akin_match_options: any_order is %u, expected 0 or 1", asked.any_order);
    if (any_order)
        *any_order = asked.any_order;
    return is_edit ? AKIN_OK : check_winkler(&compare, cutoff, error);
}
