/* Compares strings by one comparator. */
#include "strings/comparer.h"

#include "base/bits.h"
#include "sets/measure.h"
#include "strings/date.h"
#include "strings/edit.h"
#include "strings/number.h"
#include "strings/options.h"
#include "table/utf8.h"

#include <math.h>

void akin_comparer_begin(akin_comparer *comparer, akin_cpu cpu, akin_account *account,
                         const akin_compare_options *options, const akin_ratio *cutoff)
{
    akin_comparer *c = comparer;
    *c = (akin_comparer){.account = account, .cpu = cpu, .options = *options};
    c->points.account = c->points_right.account = c->pattern.account = account;
    c->cutoff = akin_cutoff_of(options, cutoff ? *cutoff : (akin_ratio){0, 1}, AKIN_CUTOFF_NONE - 1);
    if (options->comparator == AKIN_NUMBER || options->comparator == AKIN_DATE)
        c->scale = (double)options->scale.num / options->scale.den;
    akin_text_options text;
    if (options->comparator == AKIN_TOKEN_SETS && akin_compare_options_text(options, &text, NULL) == AKIN_OK)
        akin_token_sets_begin(&c->sets, cpu, account, &text);
}

void akin_comparer_clear(akin_comparer *comparer)
{
    akin_comparer *c = comparer;
    akin_points_clear(&c->points);
    akin_points_clear(&c->points_right);
    akin_pattern_clear(&c->pattern);
    akin_free(c->noted);
    if (c->options.comparator == AKIN_TOKEN_SETS)
        akin_token_sets_clear(&c->sets);
}

/* ---------------------------------------------------------------------------------------------------------- cutoffs */

static int has_symbols(const akin_comparer *c)
{
    return c->options.comparator <= AKIN_JARO_WINKLER;
}

/* Whether sets of tokens reach a ratio; two that are empty are the same. */
static int tokens_reach(const akin_comparer *c, akin_ratio ratio)
{
    const akin_measure_row *row = akin_measure_of(c->options.measure);
    if (c->last.a == 0 || c->last.b == 0 || !row)
        return c->last.a == c->last.b;
    return akin_rule_suffices(akin_measure_rule_of(row, ratio.num, ratio.den), c->last.counted, c->last.a, c->last.b);
}

int akin_comparer_reaches(const akin_comparer *comparer, double similarity, akin_ratio ratio)
{
    const akin_comparer *c = comparer;
    akin_cutoff cutoff = c->cutoff;
    if (ratio.num == 0 || isnan(similarity))
        return !isnan(similarity);
    cutoff.ratio = ratio;
    if (has_symbols(c) && cutoff.is_jaro)
        return (c->last.a == 0 && c->last.b == 0) ||
               akin_cutoff_reached(&cutoff, c->last.jaro, c->last.a, c->last.b, c->last.counted);
    if (has_symbols(c))
        return akin_cutoff_permits_edits(&cutoff, c->last.counted, c->last.a, c->last.b);
    if (c->options.comparator == AKIN_TOKEN_SETS)
        return tokens_reach(c, ratio);
    return akin_alike_of(similarity) >= akin_alike_of_ratio(ratio);
}

static akin_compared below_cutoff(void)
{
    return (akin_compared){0.0, INFINITY};
}

/* ---------------------------------------------------------------------------------------------------------- symbols */

static akin_status take_symbols(akin_points *points, const char *text, uint32_t length, akin_symbols *out)
{
    uint32_t fault;
    akin_symbols_status status = akin_symbols_of(text, length, points, out, &fault);
    return status == AKIN_SYMBOLS_OK ? AKIN_OK : status == AKIN_SYMBOLS_NOMEM ? AKIN_E_NOMEM : AKIN_E_INPUT;
}

/* Makes the pattern of the left string, unless that has been done. */
static int make_pattern(akin_comparer *c)
{
    c->has_pattern = c->has_pattern || akin_pattern_set(&c->pattern, &c->left);
    return c->has_pattern;
}

static akin_status compare_edits(akin_comparer *c, const akin_symbols *right, akin_compared *out)
{
    uint32_t a = c->left.length, b = right->length, most = akin_cutoff_edits(&c->cutoff, a, b);
    *out = below_cutoff();
    c->last.a = a;
    c->last.b = b;
    c->last.counted = AKIN_CUTOFF_NONE;
    if (most == AKIN_CUTOFF_NONE)
        return AKIN_OK;
    if (!make_pattern(c))
        return AKIN_E_NOMEM;
    uint32_t distance = (c->cutoff.swaps ? akin_osa : akin_levenshtein)(&c->pattern, right, most);
    if (c->pattern.stopped)
        return AKIN_E_CANCELLED;
    c->last.counted = distance;
    if (distance <= most)
        *out = (akin_compared){akin_edit_similarity(distance, a, b), distance};
    return AKIN_OK;
}

static akin_status compare_jaro(akin_comparer *c, const akin_symbols *right, akin_compared *out)
{
    uint32_t a = c->left.length, b = right->length;
    uint32_t *noted = akin_enlarge(c->account, c->noted, &c->room_noted, akin_min_u64(a, b), sizeof *noted);
    if (!noted)
        return AKIN_E_NOMEM;
    c->noted = noted;
    if (!make_pattern(c))
        return AKIN_E_NOMEM;
    akin_jaro jaro = akin_jaro_of(&c->pattern, right, noted);
    if (c->pattern.stopped)
        return AKIN_E_CANCELLED;
    uint32_t prefix = akin_winkler_prefix(&c->left, right);
    double similarity = akin_jaro_similarity(jaro, a, b, prefix, &c->cutoff.winkler);
    c->last.a = a;
    c->last.b = b;
    c->last.counted = prefix;
    c->last.jaro = jaro;
    *out = akin_comparer_reaches(c, similarity, c->cutoff.ratio) ? (akin_compared){similarity, 1.0 - similarity}
                                                                 : below_cutoff();
    return AKIN_OK;
}

/* ----------------------------------------------------------------------------------------------------------- values */

static akin_said value_of(const akin_comparer *c, const char *text, uint32_t length)
{
    akin_said value = {.is_there = 1};
    int32_t days = 0;
    if (c->options.comparator == AKIN_SOUNDEX) {
        value.is_there = akin_soundex(text, length, value.code);
    } else if (c->options.comparator == AKIN_NUMBER) {
        value.is_there = akin_number_parse(text, length, &value.number);
    } else if (c->options.comparator == AKIN_DATE) {
        value.is_there = akin_date_parse(text, length, &days);
        value.number = days;
    }
    return value;
}

/* Numbers, and days: 0 is as far as the scale, or further. */
static akin_compared compare_numbers(const akin_comparer *c, double a, double b)
{
    double distance = fabs(a - b), scale = c->scale > 0 ? c->scale : fmax(fabs(a), fabs(b));
    double similarity = distance == 0 ? 1.0 : distance < scale ? 1.0 - distance / scale : 0.0;
    return (akin_compared){similarity, distance};
}

static akin_compared compare_values(const akin_comparer *c, const char *text, uint32_t length)
{
    const akin_said *left = &c->value, right = value_of(c, text, length);
    int both = left->is_there && right.is_there, same;
    if (c->options.comparator == AKIN_NUMBER || c->options.comparator == AKIN_DATE)
        return both ? compare_numbers(c, left->number, right.number) : (akin_compared){NAN, NAN};
    if (c->options.comparator == AKIN_SOUNDEX)
        same = both && memcmp(left->code, right.code, AKIN_SOUNDEX_CODE) == 0;
    else
        same = c->length == length && (length == 0 || memcmp(c->text, text, length) == 0);
    return (akin_compared){same, !same};
}

/* ---------------------------------------------------------------------------------------------------------- strings */

static akin_status compare_tokens(akin_comparer *c, const char *text, uint32_t length, akin_compared *out)
{
    uint32_t tokens, common;
    akin_status status = akin_token_sets_compare(&c->sets, text, length, &tokens, &common);
    if (status != AKIN_OK)
        return status;
    uint32_t left = c->sets.left;
    c->last.a = left;
    c->last.b = tokens;
    c->last.counted = common;
    double similarity = left == 0 && tokens == 0 ? 1.0 : akin_measure_value(c->options.measure, left, tokens, common);
    *out = (akin_compared){similarity, 1.0 - similarity};
    return AKIN_OK;
}

akin_status akin_comparer_take(akin_comparer *comparer, const char *text, uint64_t length)
{
    akin_comparer *c = comparer;
    if (length > UINT32_MAX)
        return AKIN_E_LIMIT;
    c->text = text;
    c->length = (uint32_t)length;
    c->has_pattern = 0;
    if (has_symbols(c))
        return take_symbols(&c->points, text, c->length, &c->left);
    if (c->options.comparator == AKIN_TOKEN_SETS)
        return akin_token_sets_take(&c->sets, text, c->length);
    if (!akin_utf8_is_valid(text, length, c->cpu))
        return AKIN_E_INPUT;
    c->value = value_of(c, text, c->length);
    return AKIN_OK;
}

akin_status akin_comparer_compare(akin_comparer *comparer, const char *text, uint64_t length, akin_compared *out)
{
    akin_comparer *c = comparer;
    akin_symbols right;
    if (length > UINT32_MAX)
        return AKIN_E_LIMIT;
    if (has_symbols(c)) {
        akin_status status = take_symbols(&c->points_right, text, (uint32_t)length, &right);
        if (status != AKIN_OK)
            return status;
        return c->options.comparator <= AKIN_OSA ? compare_edits(c, &right, out) : compare_jaro(c, &right, out);
    }
    if (c->options.comparator == AKIN_TOKEN_SETS) {
        akin_status status = compare_tokens(c, text, (uint32_t)length, out);
        if (status != AKIN_OK)
            return status;
    } else {
        if (!akin_utf8_is_valid(text, length, c->cpu))
            return AKIN_E_INPUT;
        *out = compare_values(c, text, (uint32_t)length);
    }
    if (!isnan(out->similarity) && !akin_comparer_reaches(c, out->similarity, c->cutoff.ratio))
        *out = below_cutoff();
    return AKIN_OK;
}
