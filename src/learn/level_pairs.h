/*
 * Pairs of records as a model sees them: how alike their values are, as one level for each comparison.
 *
 *     left     0  0  1  2      records; those of a right table are numbered behind those of the left one
 *     right    3  5  4  3
 *     levels   8M 05 77 8-     a byte for each comparison: a level, or AKIN_LEVEL_MISSING where a value is missing
 *     rarity   .  .  .  .      what equal values add to the weights of their levels, because they are rare or frequent
 *
 * Pairs are sorted by left and right record.
 */
#ifndef AKIN_LEARN_LEVEL_PAIRS_H
#define AKIN_LEARN_LEVEL_PAIRS_H

#include <stdint.h>

#define AKIN_LEVELS_MOST    24 /* of a comparison */
#define AKIN_LEVEL          31 /* the bits that are the level */
#define AKIN_LEVEL_MISSING  31
#define AKIN_LEVEL_UNTAUGHT 128   /* the pair was selected by this very column alone: it does not teach m */
#define AKIN_LEVEL_PAIRS    16384 /* pairs of a task, of all loops over pairs */

/* Whether a level, which may be marked, is the highest one of a comparison. */
static inline int akin_level_is_top(uint8_t level, uint32_t levels)
{
    return (level & AKIN_LEVEL) + 1u == levels;
}

typedef struct akin_level_pairs {
    uint64_t count, all; /* pairs; and all pairs of records that there are */
    uint32_t comparisons;
    uint32_t tables, rows[2]; /* records; `rows[1]` is 0 of one table */
    uint32_t *left, *right;
    uint8_t *levels; /* [pair][comparison] */
    float *rarity;   /* in nats */
    float *weights;  /* of a sample: how many pairs each stands for; NULL: one */
} akin_level_pairs;

#define AKIN_FEW_PAIRS 1000 /* of so many pairs of records a single match is a notable share */

/* Whether there are so few pairs of records that the matches among them must not be taken for strangers. */
static inline int akin_level_pairs_are_few(const akin_level_pairs *pairs)
{
    return pairs->all <= AKIN_FEW_PAIRS;
}

#endif
