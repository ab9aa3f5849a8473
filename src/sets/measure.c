/* How alike two sets are, from their sizes and what they have in common. */
#include "akin.h"

#include <math.h>

double akin_measure_value(akin_measure measure, uint32_t size_left, uint32_t size_right, uint32_t overlap)
{
    double n = overlap, sum = (double)size_left + (double)size_right;
    if (n == 0)
        return 0;
    if (measure == AKIN_JACCARD)
        return n / (sum - n);
    if (measure == AKIN_COSINE)
        return n / sqrt((double)size_left * (double)size_right);
    return measure == AKIN_DICE ? 2 * n / sum : n;
}
