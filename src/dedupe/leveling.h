/*
 * Similarities become levels, on a CPU, on a GPU and on the host that plays one: attributes of one column are one
 * comparison, whose similarity is the mean of theirs, and a comparison has a level for each range of similarities.
 *
 *     attributes     name:jaro   birth:date   name:cosine        comparisons: 2
 *     each            0.9          1.0          0.7
 *     members         0 2 | 1                                    attributes by comparison
 *     levels          5     13                                   0.8 is below the sixth cut, 1.0 above all
 */
#ifndef AKIN_DEDUPE_LEVELING_H
#define AKIN_DEDUPE_LEVELING_H

#include "device/gpu_step.h"
#include "learn/level_pairs.h"

#include <math.h>

#define AKIN_LEVEL_CUTS 21 /* of all kinds of comparisons */

/* A comparison. */
typedef struct akin_leveled {
    uint32_t column, first, count; /* attributes: `count` numbers in `members`, from `first` on */
    uint32_t levels;
    uint32_t cuts; /* levels - 1 similarities, from that place on: one of cuts[l - 1] or more has level l, or higher */
} akin_leveled;

/* The level of a comparison, given the similarities of a pair by all attributes; NAN: a value is missing. */
AKIN_GPU_FUNCTION uint8_t akin_level_of(const akin_leveled *comparison, const uint32_t *members, const double *cuts,
                                        const double *each)
{
    double sum = 0;
    uint32_t known = 0, level = 0;
    for (uint32_t i = 0; i < comparison->count; i++) {
        const double similarity = each[members[comparison->first + i]];
        if (isnan(similarity))
            continue;
        sum += similarity;
        known++;
    }
    if (known == 0)
        return AKIN_LEVEL_MISSING;
    sum /= known;
    while (level + 1 < comparison->levels && sum >= cuts[comparison->cuts + level])
        level++;
    return (uint8_t)level;
}

#endif
