/* Jaro and Jaro-Winkler: how many symbols two strings have in common at about the same places. */
#ifndef AKIN_STRINGS_JARO_H
#define AKIN_STRINGS_JARO_H

#include "strings/pattern.h"
#include "strings/similarity.h"

/* The pattern's scratch is written to; matches of a text are noted in `noted`, which has room for the number of symbols
 * of the shorter string. */
akin_jaro akin_jaro_of(akin_pattern *pattern, const akin_symbols *text, uint32_t *noted);

/* The symbols that both begin with, AKIN_WINKLER_PREFIX at most. */
static inline uint32_t akin_winkler_prefix(const akin_symbols *a, const akin_symbols *b)
{
    uint32_t prefix = 0;
    while (prefix < AKIN_WINKLER_PREFIX && prefix < a->length && prefix < b->length &&
           akin_symbol(a, prefix) == akin_symbol(b, prefix))
        prefix++;
    return prefix;
}

#endif
