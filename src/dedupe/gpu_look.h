/*
 * What is known of a pair of records without a comparison, on a GPU and on the host that plays one: see scorer.c, whose
 * decisions these are.
 */
#ifndef AKIN_DEDUPE_GPU_LOOK_H
#define AKIN_DEDUPE_GPU_LOOK_H

#include "akin.h"
#include "dedupe/gpu_kernels.h"
#include "device/gpu_step.h"

#include <math.h>

#define AKIN_GPU_OPEN (-1.) /* a similarity that is not known yet */

AKIN_GPU_FUNCTION uint32_t akin_gpu_apart(uint64_t a, uint64_t b)
{
    return akin_gpu_ones64(a ^ b);
}

/* How many symbols two values begin with together, at most. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_prefix(uint32_t a, uint32_t b)
{
    return akin_gpu_zeros_before(a ^ b) / 8;
}

AKIN_GPU_FUNCTION int akin_gpu_may_reach(const akin_gpu_attribute *a, const akin_gpu_shape *x, const akin_gpu_shape *y)
{
    if (!a->limits || x->length > a->longest || y->length > a->longest)
        return 1;
    uint32_t prefix = a->by_prefix ? akin_gpu_prefix(x->head, y->head) : 0, apart = 0;
    int limit = a->limits[(x->length * (a->longest + 1) + y->length) * AKIN_GPU_PREFIXES + prefix];
    AKIN_GPU_UNROLL
    for (int w = 0; w < 4; w++)
        apart += akin_gpu_apart(x->words[w], y->words[w]);
    return (int)apart <= limit;
}

AKIN_GPU_FUNCTION double akin_gpu_missing(int missing, int both)
{
    return missing == AKIN_MISSING_SKIP ? nan("") : missing == AKIN_MISSING_EQUAL && both ? 1.0 : 0.0;
}

/* A similarity that is 0 if it is below what counts. */
AKIN_GPU_FUNCTION double akin_gpu_counted_similarity(const akin_gpu_attribute *a, double similarity)
{
    return akin_alike_of(similarity) >= a->least ? similarity : 0.0;
}

/* A similarity that is known without a comparison, 0 if it is below what counts, or AKIN_GPU_OPEN. */
AKIN_GPU_FUNCTION double akin_gpu_look(const akin_gpu_attribute *a, int missing, uint32_t i, uint32_t j)
{
    if (a->numbers) {
        double x = a->numbers[i < j ? i : j], y = a->numbers[i < j ? j : i]; /* of a left and of a right record */
        return isnan(x) || isnan(y) ? akin_gpu_missing(missing, isnan(x) && isnan(y))
                                    : akin_gpu_counted_similarity(a, akin_number_similarity(a->scale, x, y));
    }
    if (a->codes) {
        uint32_t x = a->codes[i], y = a->codes[j];
        return x == 0 || y == 0 ? akin_gpu_missing(missing, x == y) : x == y && x > 1 ? 1.0 : 0.0;
    }
    const akin_gpu_shape *x = &a->shapes[i], *y = &a->shapes[j];
    if (x->length == 0 || y->length == 0)
        return akin_gpu_missing(missing, x->length == y->length);
    return akin_gpu_may_reach(a, x, y) ? AKIN_GPU_OPEN : 0.0;
}

AKIN_GPU_FUNCTION int akin_gpu_is_missing(const akin_gpu_attribute *a, uint32_t i)
{
    return a->numbers ? isnan(a->numbers[i]) : a->codes ? a->codes[i] == 0 : a->shapes[i].length == 0;
}

/* What an attribute adds to the sum, of its similarity. */
AKIN_GPU_FUNCTION double akin_gpu_contribution(const akin_gpu_attribute *a, double similarity)
{
    return similarity > 0 ? a->weight * similarity : 0.0;
}

/* The weights of the attributes that count for a pair; 0 if they are too few. */
AKIN_GPU_FUNCTION double akin_gpu_weights(const akin_gpu_scoring *s, uint32_t i, uint32_t j)
{
    double weights = 0;
    uint64_t units = 0;
    if (s->missing != AKIN_MISSING_SKIP)
        return s->weights;
    for (uint32_t k = 0; k < s->count; k++) {
        const akin_gpu_attribute *a = &s->attributes[k];
        const int is_missing = akin_gpu_is_missing(a, i) || akin_gpu_is_missing(a, j);
        weights += is_missing ? 0 : a->weight;
        units += is_missing ? 0 : a->units;
    }
    return units >= s->evidence ? weights : 0;
}

/* What a pair must come to. A pair without weights comes to nothing. */
AKIN_GPU_FUNCTION double akin_gpu_least(const akin_gpu_scoring *s, double weights)
{
    if (s->gathers)
        return -1;
    return weights > 0 ? s->least * weights : INFINITY;
}

/* Whether a pair may still reach the threshold, once lengths and bags are known. */
AKIN_GPU_FUNCTION int akin_gpu_bound(const akin_gpu_scoring *s, uint32_t i, uint32_t j)
{
    double most = akin_gpu_weights(s, i, j), least = akin_gpu_least(s, most);
    for (uint32_t k = 0; k < s->count && most >= least; k++) {
        const akin_gpu_attribute *a = &s->attributes[s->order[k]];
        double similarity = akin_gpu_look(a, s->missing, i, j);
        if (similarity >= 0)
            most -= a->weight - akin_gpu_contribution(a, similarity);
    }
    return most >= least;
}

/* Whether an attribute does not rule out that its threshold is reached, or is left out of the sum. */
AKIN_GPU_FUNCTION int akin_gpu_passes(const akin_gpu_scoring *s, uint32_t attribute, uint32_t i, uint32_t j)
{
    double similarity = akin_gpu_look(&s->attributes[attribute], s->missing, i, j);
    return isnan(similarity) || similarity < 0 || similarity > 0 || s->attributes[attribute].least == 0;
}

#endif
