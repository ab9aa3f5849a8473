/* Compares the sets of words or q-grams of strings. */
#include "strings/comparer_tokens.h"

#include "sets/measure.h"

static void begin_sets(akin_comparer *c)
{
    akin_text_options text;
    if (akin_compare_options_text(&c->options, &text, NULL) == AKIN_OK)
        akin_token_sets_begin(&c->sets, c->cpu, c->account, &text);
}

static void clear_sets(akin_comparer *c)
{
    akin_token_sets_clear(&c->sets);
}

static akin_status take_sets(akin_comparer *c, const char *text, uint32_t length)
{
    return akin_token_sets_take(&c->sets, text, length);
}

static akin_status compare_sets(akin_comparer *c, const char *text, uint32_t length, akin_compared *out)
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

/* Whether sets of tokens reach a ratio; two that are empty are the same. */
static int sets_reach(const akin_comparer *c, akin_ratio ratio)
{
    const akin_measure_row *row = akin_measure_of(c->options.measure);
    if (c->last.a == 0 || c->last.b == 0 || !row)
        return c->last.a == c->last.b;
    return akin_rule_suffices(akin_measure_rule_of(row, ratio.num, ratio.den), c->last.counted, c->last.a, c->last.b);
}

const akin_comparer_functions akin_token_sets_functions = {
    .begin = begin_sets, .clear = clear_sets, .take = take_sets, .compare = compare_sets, .reaches = sets_reach};
