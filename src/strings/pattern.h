/*
 * A string to be compared with many: for each symbol a bit vector of its places. The bit-parallel comparators (Myers
 * 1999, Hyyrö 2003) use these vectors.
 */
#ifndef AKIN_STRINGS_PATTERN_H
#define AKIN_STRINGS_PATTERN_H

#include "strings/symbols.h"

#define AKIN_PATTERN_ASCII 128
#define AKIN_PATTERN_FEW   2 /* words of a short pattern */

/*
 * Vectors are `words` 64-bit words, place i is bit i % 64 of word i / 64:
 *
 *     ascii    | 0 | 1 | ... |            a vector for each symbol of ASCII up to the highest one
 *     points   | p | 0 | q | ... |        the other symbols, hashed; a slot that is 0 is free
 *     others   |   |   |   | ... |        their vectors, slot by slot; behind the last one a vector of no places
 *     scratch  | ...                      AKIN_PATTERN_SCRATCH vectors for whoever compares
 */
typedef struct akin_pattern {
    akin_account *account;
    uint32_t length, words;
    uint32_t low;   /* symbols below have vectors in `ascii` */
    uint32_t slots; /* a power of two; 0: all is ASCII */
    uint64_t *ascii, *others, *scratch;
    uint32_t *points;
    uint32_t
        *next; /* a number for each vector of places, for whoever compares; none with up to AKIN_PATTERN_FEW words */
    uint64_t room_ascii, room_others, room_scratch, room_points, room_next; /* entries that there is memory for */
    /* Asked every few milliseconds while something is compared with a long string: 0: no more is wanted, and what comes
     * out then is of no meaning. NULL: nobody is asked. */
    int (*go_on)(void *user);
    void *user;
    uint32_t wait, span; /* symbols of texts until then, and from one time to the next */
    int stopped;         /* it answered 0 */
} akin_pattern;

#define AKIN_PATTERN_SCRATCH 3
#define AKIN_PATTERN_POLL    ((uint32_t)1 << 22) /* words that are worked on before somebody is asked */

/* Sets a pattern, zero-initialised or used before, to a string, which is not needed any more then. 0: memory is short;
 * it may be set again, or cleared. */
int akin_pattern_set(akin_pattern *pattern, const akin_symbols *text);
void akin_pattern_clear(akin_pattern *pattern);

/* The slot of a symbol beyond ASCII, or the free one that it would get; there are slots. */
static inline uint32_t akin_pattern_slot(const akin_pattern *pattern, uint32_t point)
{
    uint32_t slot = (point * UINT32_C(0x9e3779b1) >> 7) & (pattern->slots - 1);
    while (pattern->points[slot] && pattern->points[slot] != point)
        slot = (slot + 1) & (pattern->slots - 1);
    return slot;
}

/* The vector of a symbol that stands nowhere. */
static inline const uint64_t *akin_pattern_nowhere(const akin_pattern *pattern)
{
    return pattern->others + (uint64_t)pattern->slots * pattern->words;
}

/* The number of a symbol's vector: those in `ascii` come first. */
static inline uint32_t akin_pattern_number(const akin_pattern *pattern, uint32_t symbol)
{
    if (symbol < pattern->low)
        return symbol;
    uint32_t slot = pattern->slots ? akin_pattern_slot(pattern, symbol) : 0;
    return pattern->low + (!pattern->slots || !pattern->points[slot] ? pattern->slots : slot);
}

static inline uint32_t akin_pattern_vectors(const akin_pattern *pattern)
{
    return pattern->low + pattern->slots + 1;
}

/* The vector of a number. */
static inline const uint64_t *akin_pattern_vector(const akin_pattern *pattern, uint32_t number)
{
    return number < pattern->low ? pattern->ascii + (uint64_t)number * pattern->words
                                 : pattern->others + (uint64_t)(number - pattern->low) * pattern->words;
}

/* The places of a symbol. */
static inline const uint64_t *akin_pattern_places(const akin_pattern *pattern, uint32_t symbol)
{
    return akin_pattern_vector(pattern, akin_pattern_number(pattern, symbol));
}

/* Whether to go on. It must be called for each symbol of a text. */
static inline int akin_pattern_goes_on(akin_pattern *pattern)
{
    if (--pattern->wait > 0)
        return 1;
    pattern->wait = pattern->span;
    pattern->stopped |= pattern->go_on && !pattern->go_on(pattern->user);
    return !pattern->stopped;
}

#endif
