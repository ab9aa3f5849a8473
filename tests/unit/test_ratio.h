/* Thresholds and weights of tests as ratios, and what reaches them. Doubles decide that where numbers are as small as
 * in tests. */
#ifndef AKIN_TEST_RATIO_H
#define AKIN_TEST_RATIO_H

#include "akin.h"

#include <math.h>

/* A number of at most 6 digits behind the point. */
static inline akin_ratio ratio_of(double number)
{
    return (akin_ratio){(uint32_t)lround(number * 1e6), 1000000};
}

static inline double value_of_ratio(akin_ratio ratio)
{
    return ratio.num ? (double)ratio.num / ratio.den : 0;
}

/* Whether the similarity of two values, a double, reaches a threshold. Of ratios of lengths up to 300 symbols, and
 * scales of hundredths, none but the threshold itself is so near to one of a few digits: that takes a denominator of
 * 10^11 and more. */
static inline int value_reaches(double similarity, akin_ratio threshold)
{
    return similarity >= value_of_ratio(threshold) - 1e-12;
}

/* Whether an average of `attributes` similarities reaches it. The average of several is rounded to 9 digits. */
static inline int average_reaches(double average, uint32_t attributes, akin_ratio threshold)
{
    return attributes == 1 ? value_reaches(average, threshold) : average >= value_of_ratio(threshold) - 0.5e-9;
}

#endif
