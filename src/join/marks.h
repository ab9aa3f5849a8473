/* The tokens of a set as bits, against which other sets are counted. */
#ifndef AKIN_JOIN_MARKS_H
#define AKIN_JOIN_MARKS_H

#include <stdint.h>

static inline uint32_t akin_is_marked(const uint64_t *marks, uint32_t token)
{
    return (uint32_t)(marks[token >> 6] >> (token & 63) & 1);
}

/*
 * The number of marked tokens if it is at least `need`, else 0. Tokens are counted 16 at a time; rare ones come
 * first, so a set that falls short is usually given up early.
 */
static inline uint32_t akin_count_marked(const uint64_t *marks, const uint32_t *tokens, uint32_t size, uint64_t need)
{
    if (need > size)
        return 0;
    uint32_t misses_left = size - (uint32_t)need, i = 0, found = 0;
    for (; i + 16 <= size; i += 16) {
        for (uint32_t k = i; k < i + 16; k++)
            found += akin_is_marked(marks, tokens[k]);
        if (i + 16 - found > misses_left)
            return 0;
    }
    for (; i < size; i++)
        found += akin_is_marked(marks, tokens[i]);
    return found >= need ? found : 0;
}

static inline void akin_mark(uint64_t *marks, const uint32_t *tokens, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        marks[tokens[i] >> 6] |= UINT64_C(1) << (tokens[i] & 63);
}

static inline void akin_unmark(uint64_t *marks, const uint32_t *tokens, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        marks[tokens[i] >> 6] = 0;
}

#endif
