/*
 * What threads of a GPU do to compare the strings of a unit with a query: the edit distance (Levenshtein, of bytes), by a column of bits
 * for each byte of a string (G. Myers, JACM 1999, in the form of H. Hyyro, 2003). It is compiled into kernels, and into the GPU that the
 * host plays in tests.
 *
 *     pattern    of each of 256 bytes, where the query has it: a bit each
 *     compare    a lane has a string, those of a warp are about as long; what is left of AKIN_COMPARE_FAR edits is its counter, so that
 *                the nearest strings are those that count most (gpu_ranges.h)
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

/* Bits of a byte of the query: 32 of them if that is enough, as these are half the work. */
typedef union akin_unit_pattern {
    uint32_t narrow[256];
    uint64_t wide[256];
} akin_unit_pattern;

AKIN_UNIT_STEP void akin_unit_set_pattern(akin_unit_pattern *pattern, const uint8_t *query, uint32_t length,
                                          uint32_t thread)
{
    uint64_t bits = 0;
    if (thread >= 256)
        return;
    for (uint32_t i = 0; i < length; i++)
        bits |= (uint64_t)(query[i] == thread) << i;
    if (length <= 32)
        pattern->narrow[thread] = (uint32_t)bits;
    else
        pattern->wide[thread] = bits;
}

/*
 * The distance of a query of `rows` bytes from a string whose words are 32 apart. Two bits tell how a row of the column differs from the one
 * above: `up` by one more, `down` by one less; the row above the first differs by one more with each byte. No string of the warp is shorter
 * than `shortest`.
 */
#define AKIN_UNIT_DISTANCE(name, word_type, ones)                                                                      \
    AKIN_UNIT_STEP void name##_step(word_type equal, word_type *up, word_type *down)                                   \
    {                                                                                                                  \
        const word_type across = (((equal & *up) + *up) ^ *up) | equal;                                                \
        const word_type more = (*down | ~(across | *up)) << 1 | 1, less = (*up & across) << 1;                         \
        const word_type diagonal = equal | *down;                                                                      \
        *up = less | ~(diagonal | more);                                                                               \
        *down = more & diagonal;                                                                                       \
    }                                                                                                                  \
    AKIN_UNIT_STEP uint32_t name(const word_type *pattern, uint32_t rows, const uint32_t *words, uint32_t length,      \
                                 uint32_t shortest)                                                                    \
    {                                                                                                                  \
        word_type up = ~(word_type)0, down = 0;                                                                        \
        uint32_t at = 0;                                                                                               \
        for (; at + 4 <= shortest; at += 4) {                                                                          \
            const uint32_t bytes = words[at / 4 * 32];                                                                 \
            name##_step(pattern[bytes & 255], &up, &down);                                                             \
            name##_step(pattern[bytes >> 8 & 255], &up, &down);                                                        \
            name##_step(pattern[bytes >> 16 & 255], &up, &down);                                                       \
            name##_step(pattern[bytes >> 24], &up, &down);                                                             \
        }                                                                                                              \
        for (; at < length; at++)                                                                                      \
            name##_step(pattern[words[at / 4 * 32] >> at % 4 * 8 & 255], &up, &down);                                  \
        const word_type own = rows == 8 * sizeof own ? ~(word_type)0 : ((word_type)1 << rows) - 1;                     \
        return length + ones(up & own) - ones(down & own);                                                             \
    }

AKIN_UNIT_DISTANCE(akin_unit_distance_32, uint32_t, akin_unit_ones)
AKIN_UNIT_DISTANCE(akin_unit_distance_64, uint64_t, AKIN_UNIT_ONES_64)

/* Compares the unit's strings, but for groups that are too short or too long to count `least`. */
AKIN_UNIT_STEP void akin_unit_compare(const akin_unit *u, const akin_gpu_strings *strings,
                                      const akin_unit_pattern *pattern, uint32_t rows, uint32_t least, uint32_t thread)
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
        const uint32_t *words = strings->words + group.word + lane;
        const uint32_t distance = rows <= 32
                                      ? akin_unit_distance_32(pattern->narrow, rows, words, slot.length, group.shortest)
                                      : akin_unit_distance_64(pattern->wide, rows, words, slot.length, group.shortest);
        if (distance < AKIN_COMPARE_FAR)
            counters[slot.place] = (uint8_t)(AKIN_COMPARE_FAR - distance);
    }
}

#endif
