/* Compares strings symbol by symbol: edit distances, and Jaro's similarities. */
#include "strings/comparer_symbols.h"

#include "base/bits.h"
#include "strings/edit.h"

#include <math.h>

static akin_status take_symbols(akin_comparer *c, const char *text, uint32_t length)
{
    c->has_pattern = 0;
    return akin_symbols_take(text, length, &c->points, &c->left);
}

/* Makes the pattern of the left string, unless that has been done. */
static int make_pattern(akin_comparer *c)
{
    c->has_pattern = c->has_pattern || akin_pattern_set(&c->pattern, &c->left);
    return c->has_pattern;
}

/* Takes a pair of strings for the lanes. */
static int take_symbol_pair(akin_comparer *c, const char *left, uint32_t left_length, const char *right,
                            uint32_t right_length, int is_kept, uint64_t number)
{
    akin_symbols a, b;
    return akin_symbols_take(left, left_length, &c->points, &a) == AKIN_OK &&
           akin_symbols_take(right, right_length, &c->points_right, &b) == AKIN_OK &&
           akin_pairwise_take(&c->pairwise, &a, &b, is_kept, number);
}

static akin_compared compared_by_edits(uint32_t distance, uint32_t a, uint32_t b)
{
    return (akin_compared){akin_edit_similarity(distance, a, b), distance};
}

static void settle_edits(const akin_comparer *c, const akin_pairwise_found *found, uint32_t count, akin_compared *out)
{
    (void)c;
    for (const akin_pairwise_found *f = found; f < found + count; f++)
        out[f->number] =
            f->edits == AKIN_CUTOFF_NONE ? (akin_compared){0.0, INFINITY} : compared_by_edits(f->edits, f->a, f->b);
}

static akin_status compare_edits(akin_comparer *c, const char *text, uint32_t length, akin_compared *out)
{
    akin_symbols right;
    akin_status status = akin_symbols_take(text, length, &c->points_right, &right);
    if (status != AKIN_OK)
        return status;
    uint32_t a = c->left.length, b = right.length, most = akin_cutoff_edits(&c->cutoff, a, b);
    *out = (akin_compared){0.0, INFINITY};
    c->last.a = a;
    c->last.b = b;
    c->last.counted = AKIN_CUTOFF_NONE;
    if (most == AKIN_CUTOFF_NONE)
        return AKIN_OK;
    if (!make_pattern(c))
        return AKIN_E_NOMEM;
    uint32_t distance = (c->cutoff.swaps ? akin_osa : akin_levenshtein)(&c->pattern, &right, most);
    if (c->pattern.stopped)
        return AKIN_E_CANCELLED;
    c->last.counted = distance;
    if (distance <= most)
        *out = compared_by_edits(distance, a, b);
    return AKIN_OK;
}

static int edits_reach(const akin_comparer *c, akin_ratio ratio)
{
    akin_cutoff cutoff = c->cutoff;
    cutoff.ratio = ratio;
    return akin_cutoff_permits_edits(&cutoff, c->last.counted, c->last.a, c->last.b);
}

const akin_comparer_functions akin_edits_functions = {
    .take = take_symbols,
    .compare = compare_edits,
    .reaches = edits_reach,
    .take_pair = take_symbol_pair,
    .settle = settle_edits,
};

static akin_status compare_matches(akin_comparer *c, const char *text, uint32_t length, akin_compared *out)
{
    akin_symbols right;
    akin_status status = akin_symbols_take(text, length, &c->points_right, &right);
    if (status != AKIN_OK)
        return status;
    uint32_t a = c->left.length, b = right.length;
    uint32_t *noted = akin_enlarge(c->account, c->noted, &c->room_noted, akin_min_u64(a, b), sizeof *noted);
    if (!noted)
        return AKIN_E_NOMEM;
    c->noted = noted;
    if (!make_pattern(c))
        return AKIN_E_NOMEM;
    akin_jaro jaro = akin_jaro_of(&c->pattern, &right, noted);
    if (c->pattern.stopped)
        return AKIN_E_CANCELLED;
    uint32_t prefix = akin_winkler_prefix(&c->left, &right);
    double similarity = akin_jaro_similarity(jaro, a, b, prefix, &c->cutoff.winkler);
    c->last.a = a;
    c->last.b = b;
    c->last.counted = prefix;
    c->last.jaro = jaro;
    *out = (akin_compared){similarity, 1.0 - similarity};
    return AKIN_OK;
}

static int matches_reach(const akin_comparer *c, akin_ratio ratio)
{
    akin_cutoff cutoff = c->cutoff;
    cutoff.ratio = ratio;
    return (c->last.a == 0 && c->last.b == 0) ||
           akin_cutoff_reached(&cutoff, c->last.jaro, c->last.a, c->last.b, c->last.counted);
}

static akin_compared compared_by_matches(const akin_cutoff *cutoff, const akin_pairwise_found *f)
{
    if (cutoff->ratio.num > 0 && !akin_cutoff_reached(cutoff, f->jaro, f->a, f->b, f->prefix))
        return (akin_compared){0.0, INFINITY};
    const double similarity = akin_jaro_similarity(f->jaro, f->a, f->b, f->prefix, &cutoff->winkler);
    return (akin_compared){similarity, 1.0 - similarity};
}

static void settle_matches(const akin_comparer *c, const akin_pairwise_found *found, uint32_t count, akin_compared *out)
{
    for (const akin_pairwise_found *f = found; f < found + count; f++)
        out[f->number] = compared_by_matches(&c->cutoff, f);
}

const akin_comparer_functions akin_matches_functions = {
    .take = take_symbols,
    .compare = compare_matches,
    .reaches = matches_reach,
    .take_pair = take_symbol_pair,
    .settle = settle_matches,
};
