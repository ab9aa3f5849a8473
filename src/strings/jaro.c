/* Jaro's matches, found in bit vectors: of the places in the window that are free, and have the symbol, the lowest
 * one. */
#include "strings/jaro.h"

#include "base/bits.h"

#include <string.h>

/* Bits first .. end - 1 of a word that begins with bit `at`. */
static inline uint64_t bits_between(uint64_t first, uint64_t end, uint64_t at)
{
    uint64_t low = first > at ? first - at : 0, high = end - at;
    uint64_t below = high >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << high) - 1;
    return below & ~UINT64_C(0) << low;
}

/* Takes the lowest free place among first .. end - 1 that has a symbol; 0: there is none. */
static inline int take_free_place(const uint64_t *places, uint64_t *taken, uint32_t words, uint64_t first, uint64_t end)
{
    for (uint32_t w = 0; w < words && w * UINT64_C(64) < end; w++) {
        if (first >= w * UINT64_C(64) + 64)
            continue;
        uint64_t open = places[w] & ~taken[w] & bits_between(first, end, w * UINT64_C(64));
        if (open) {
            taken[w] |= open & (~open + 1);
            return 1;
        }
    }
    return 0;
}

/*
 * The same for a long pattern. *next is the first word that may have such a place: windows only move on, and places
 * stay taken, so the words before it never have one again.
 */
static inline int take_next_place(const uint64_t *places, uint64_t *taken, uint32_t words, uint64_t first, uint64_t end,
                                  uint32_t *next)
{
    uint32_t w = akin_max_u32(*next, (uint32_t)(first / 64));
    uint64_t free = 0;
    for (; w < words && w * UINT64_C(64) < end; w++) {
        free = places[w] & ~taken[w] & bits_between(first, (w + UINT64_C(1)) * 64, w * UINT64_C(64));
        if (free)
            break;
    }
    *next = w;
    if (free)
        free &= bits_between(first, end, w * UINT64_C(64));
    if (free)
        taken[w] |= free & (~free + 1);
    return free != 0;
}

/* For patterns of any number of words; `taken` has as many. `next` is NULL, or has a number for each vector. */
static inline akin_jaro match(akin_pattern *pattern, const akin_symbols *text, uint32_t *noted, uint32_t words,
                              uint64_t *taken, uint32_t *next)
{
    uint64_t longer = akin_max_u32(pattern->length, text->length), window = longer / 2;
    akin_jaro jaro = {0, 0};
    window = window > 0 ? window - 1 : 0;
    memset(taken, 0, words * sizeof *taken);
    if (next && akin_pattern_vectors(pattern) <= text->length)
        memset(next, 0, akin_pattern_vectors(pattern) * sizeof *next);
    else if (next)
        for (uint32_t j = 0; j < text->length; j++)
            next[akin_pattern_number(pattern, akin_symbol(text, j))] = 0;
    for (uint64_t j = 0; j < text->length && jaro.matched < pattern->length; j++) {
        uint64_t first = j > window ? j - window : 0, end = akin_min_u64(j + window + 1, pattern->length);
        if (first >= end)
            continue;
        const uint32_t symbol = akin_symbol(text, (uint32_t)j), number = akin_pattern_number(pattern, symbol);
        const uint64_t *places = akin_pattern_vector(pattern, number);
        noted[jaro.matched] = symbol;
        jaro.matched += (uint32_t)(next ? take_next_place(places, taken, words, first, end, &next[number])
                                        : take_free_place(places, taken, words, first, end));
        if (!akin_pattern_goes_on(pattern))
            break;
    }
    uint32_t at = 0;
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t left = taken[w]; left; left &= left - 1, at++)
            jaro.apart += !(akin_pattern_places(pattern, noted[at])[w] & left & (~left + 1));
    return jaro;
}

akin_jaro akin_jaro_of(akin_pattern *pattern, const akin_symbols *text, uint32_t *noted)
{
    uint64_t few[AKIN_PATTERN_FEW]; /* these stay in registers */
    if (pattern->words == 1)
        return match(pattern, text, noted, 1, few, NULL);
    if (pattern->words == 2)
        return match(pattern, text, noted, 2, few, NULL);
    return match(pattern, text, noted, pattern->words, pattern->scratch, pattern->next);
}
