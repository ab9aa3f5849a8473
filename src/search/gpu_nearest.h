/*
 * What threads of a GPU do to compare the strings of a unit with a query: the edit distance (Levenshtein, of bytes), by
 * a column of bits for each byte of a string (G. Myers, JACM 1999, in the form of H. Hyyro, 2003). It is compiled into
 * kernels, and into the GPU that the host plays in tests.
 *
 *     pattern    of each of 256 bytes, where the query has it: a bit each, in as many words as it takes
 *     compare    a lane has a string, those of a warp are about as long; what is left of AKIN_COMPARE_FAR edits is its
 *                counter, so that the nearest strings are those that count most (gpu_ranges.h)
 */
#ifndef AKIN_SEARCH_GPU_NEAREST_H
#define AKIN_SEARCH_GPU_NEAREST_H

#include "search/gpu_ranges.h"

#define AKIN_COMPARE_GROUPS (AKIN_RANGE / 32) /* of a unit */

#ifdef __CUDACC__
#define AKIN_UNIT_ONES_64(word) ((uint32_t)__popcll(word))
#else
#define AKIN_UNIT_ONES_64(word) ((uint32_t)__builtin_popcountll(word))
#endif

/* Whether 32 bits of a byte of the query are enough, as these are half the work. */
AKIN_GPU_FUNCTION int akin_unit_is_narrow(uint32_t blocks, uint32_t rows)
{
    return blocks == 1 && rows <= 32;
}

/* `blocks` words for each byte, which hold the query's rows; or 32 bits. */
AKIN_GPU_FUNCTION void akin_unit_set_pattern(uint64_t *pattern, uint32_t blocks, const uint8_t *query, uint32_t rows,
                                             uint32_t thread)
{
    for (uint32_t b = 0; b < blocks && thread < 256; b++) {
        uint64_t bits = 0;
        for (uint32_t i = 64 * b; i < rows && i < 64 * (b + 1); i++)
            bits |= (uint64_t)(query[i] == thread) << i % 64;
        if (akin_unit_is_narrow(blocks, rows))
            ((uint32_t *)(void *)pattern)[thread] = (uint32_t)bits;
        else
            pattern[thread * blocks + b] = bits;
    }
}

/* Goes through a string, whose words are 32 apart, byte by byte: those of a word at once as long as no string of the
 * warp ends; the next word is on its way meanwhile. Behind the last one there is another string's, or room. */
#define AKIN_UNIT_WALK(words, length, shortest, step)                                                                  \
    do {                                                                                                               \
        uint32_t at = 0, next = (length) > 0 ? (words)[0] : 0;                                                         \
        for (; at + 4 <= (shortest); at += 4) {                                                                        \
            const uint32_t bytes = next;                                                                               \
            next = (words)[(at / 4 + 1) * 32];                                                                         \
            step(bytes & 255);                                                                                         \
            step(bytes >> 8 & 255);                                                                                    \
            step(bytes >> 16 & 255);                                                                                   \
            step(bytes >> 24);                                                                                         \
        }                                                                                                              \
        for (; at < (length); at++)                                                                                    \
            step((words)[at / 4 * 32] >> at % 4 * 8 & 255);                                                            \
    } while (0)

/*
 * A step of the column, for the bits that say where the query has a byte. Two bits are the difference of a row from the
 * one above: `up` is one more, `down` one less. The row above the first differs by one more with each byte.
 */
AKIN_GPU_FUNCTION void akin_unit_step_32(uint32_t equal, uint32_t *up, uint32_t *down)
{
    const uint32_t across = (((equal & *up) + *up) ^ *up) | equal, diagonal = equal | *down;
    const uint32_t more = (*down | ~(across | *up)) << 1 | 1, less = (*up & across) << 1;
    *up = less | ~(diagonal | more);
    *down = more & diagonal;
}

AKIN_GPU_FUNCTION void akin_unit_step_64(uint64_t equal, uint64_t *up, uint64_t *down)
{
    const uint64_t across = (((equal & *up) + *up) ^ *up) | equal, diagonal = equal | *down;
    const uint64_t more = (*down | ~(across | *up)) << 1 | 1, less = (*up & across) << 1;
    *up = less | ~(diagonal | more);
    *down = more & diagonal;
}

/* The distance of a query of `rows` bytes, which are no more than a word has bits. */
AKIN_GPU_FUNCTION uint32_t akin_unit_distance_32(const uint32_t *pattern, uint32_t rows, const uint32_t *words,
                                                 uint32_t length, uint32_t shortest)
{
    const uint32_t own = rows == 32 ? ~(uint32_t)0 : ((uint32_t)1 << rows) - 1;
    uint32_t up = ~(uint32_t)0, down = 0;
#define AKIN_UNIT_WALK_32(byte) akin_unit_step_32(pattern[byte], &up, &down)
    AKIN_UNIT_WALK(words, length, shortest, AKIN_UNIT_WALK_32);
#undef AKIN_UNIT_WALK_32
    return length + akin_gpu_ones(up & own) - akin_gpu_ones(down & own);
}

AKIN_GPU_FUNCTION uint32_t akin_unit_distance_64(const uint64_t *pattern, uint32_t rows, const uint32_t *words,
                                                 uint32_t length, uint32_t shortest)
{
    const uint64_t own = rows == 64 ? ~(uint64_t)0 : ((uint64_t)1 << rows) - 1;
    uint64_t up = ~(uint64_t)0, down = 0;
#define AKIN_UNIT_WALK_64(byte) akin_unit_step_64(pattern[byte], &up, &down)
    AKIN_UNIT_WALK(words, length, shortest, AKIN_UNIT_WALK_64);
#undef AKIN_UNIT_WALK_64
    return length + AKIN_UNIT_ONES_64(up & own) - AKIN_UNIT_ONES_64(down & own);
}

/* The same with several words, whose carries go on to the next. */
AKIN_GPU_FUNCTION void akin_unit_step_many(const uint64_t *equals, uint32_t blocks, uint64_t *ups, uint64_t *downs)
{
    uint64_t carry = 0, more_in = 1, less_in = 0;
    for (uint32_t b = 0; b < blocks; b++) {
        const uint64_t equal = equals[b], up = ups[b], down = downs[b];
        const uint64_t part = (equal & up) + up, sum = part + carry;
        carry = (part < up) | (sum < part);
        const uint64_t across = (sum ^ up) | equal, diagonal = equal | down;
        const uint64_t more = down | ~(across | up), less = up & across;
        const uint64_t more_on = more << 1 | more_in;
        ups[b] = (less << 1 | less_in) | ~(diagonal | more_on);
        downs[b] = more_on & diagonal;
        more_in = more >> 63;
        less_in = less >> 63;
    }
}

AKIN_GPU_FUNCTION uint32_t akin_unit_distance_many(const uint64_t *pattern, uint32_t blocks, uint32_t rows,
                                                   const uint32_t *words, uint32_t length, uint32_t shortest)
{
    uint64_t up[AKIN_COMPARE_BLOCKS], down[AKIN_COMPARE_BLOCKS];
    uint32_t distance = length;
    for (uint32_t b = 0; b < blocks; b++) {
        up[b] = ~(uint64_t)0;
        down[b] = 0;
    }
#define AKIN_UNIT_WALK_MANY(byte) akin_unit_step_many(pattern + (byte) * (uint64_t)blocks, blocks, up, down)
    AKIN_UNIT_WALK(words, length, shortest, AKIN_UNIT_WALK_MANY);
#undef AKIN_UNIT_WALK_MANY
    for (uint32_t b = 0; b < blocks; b++) {
        const uint32_t left = rows > 64 * b ? rows - 64 * b : 0;
        const uint64_t own = left >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1;
        distance += AKIN_UNIT_ONES_64(up[b] & own) - AKIN_UNIT_ONES_64(down[b] & own);
    }
    return distance;
}

/* Compares the unit's strings, except for groups that are too short or too long to count `least`. */
AKIN_GPU_FUNCTION void akin_unit_compare(const akin_unit *u, const akin_gpu_strings *strings, const uint64_t *pattern,
                                         uint32_t blocks, uint32_t rows, uint32_t least, uint32_t thread)
{
    const uint32_t lane = thread % 32, most = AKIN_COMPARE_FAR - least;
    uint8_t *counters = (uint8_t *)u->words;
    for (uint32_t g = thread / 32; g < AKIN_COMPARE_GROUPS; g += AKIN_UNIT_THREADS / 32) {
        const uint32_t number = u->range * AKIN_COMPARE_GROUPS + g;
        const akin_gpu_group group = strings->groups[number];
        const akin_gpu_slot slot = strings->slots[(uint64_t)number * 32 + lane];
        if (group.shortest > group.longest || group.shortest > rows + most || group.longest + most < rows ||
            slot.place == AKIN_COMPARE_NONE)
            continue;
        const uint32_t *words = strings->words + group.word + lane, length = slot.length, shortest = group.shortest;
        const uint32_t distance =
            akin_unit_is_narrow(blocks, rows)
                ? akin_unit_distance_32((const uint32_t *)(const void *)pattern, rows, words, length, shortest)
            : blocks == 1 ? akin_unit_distance_64(pattern, rows, words, length, shortest)
                          : akin_unit_distance_many(pattern, blocks, rows, words, length, shortest);
        if (distance < AKIN_COMPARE_FAR)
            counters[slot.place] = (uint8_t)(AKIN_COMPARE_FAR - distance);
    }
}

#endif
