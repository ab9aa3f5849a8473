/* Draws Zipf-distributed tokens, the same ones on every machine. */
#include "sets/zipf.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

/* ---------------------------------------------------------------------------------------------------------- weights */

/* What tokens weigh: the weights that are given, or (token + 1 + shift)^-exponent. */
typedef struct weighing {
    const double *weights;
    double exponent;
    uint32_t shift;
} weighing;

static double zipf_weight(const weighing *w, uint32_t token)
{
    return w->weights ? w->weights[token]
                      : akin_exponential(-w->exponent * akin_logarithm((uint64_t)token + 1 + w->shift));
}

/* Scales the weights so that they add up to about 2^61, with none below 1. The precision is that of doubles. Tokens
 * that are far too rare to be drawn can still be drawn when all others have been. Until the sum of the weights is
 * known, they are kept in the place of the sums. */
static void sum_zipf_weights(akin_zipf *zipf, const weighing *w)
{
    double all = 0, of_token;
    for (uint32_t k = 0; k < zipf->universe; k++) {
        of_token = zipf_weight(w, k);
        all += of_token;
        memcpy(&zipf->sums[k], &of_token, sizeof of_token);
    }
    double scale = 0x1p61 / all;
    for (uint32_t k = 0; k < zipf->universe; k++) {
        memcpy(&of_token, &zipf->sums[k], sizeof of_token);
        uint64_t own = (uint64_t)(scale * of_token);
        zipf->sums[k] = zipf->total;
        zipf->total += own > 0 ? own : 1;
    }
    zipf->sums[zipf->universe] = zipf->total;
}

static akin_status build_zipf(uint32_t universe, const weighing *w, akin_zipf *out, akin_error *error)
{
    *out = (akin_zipf){.universe = universe};
    out->sums = akin_alloc(NULL, (uint64_t)universe + 1, sizeof *out->sums);
    if (!out->sums)
        return akin_fail_memory(error, "the weights of the tokens");
    sum_zipf_weights(out, w);
    while ((out->total - 1) >> out->shift >= universe)
        out->shift++;
    uint64_t guides = ((out->total - 1) >> out->shift) + 1;
    out->guide = akin_alloc(NULL, guides, sizeof *out->guide);
    if (!out->guide)
        return akin_fail_memory(error, "the weights of the tokens");
    uint32_t token = 0;
    for (uint64_t i = 0; i < guides; i++) {
        while (out->sums[(uint64_t)token + 1] <= i << out->shift)
            token++;
        out->guide[i] = token;
    }
    return AKIN_OK;
}

akin_status akin_zipf_build(uint32_t universe, double exponent, uint32_t shift, akin_zipf *out, akin_error *error)
{
    *out = (akin_zipf){.universe = universe, .total = universe};
    return exponent == 0 ? AKIN_OK
                         : build_zipf(universe, &(weighing){.exponent = exponent, .shift = shift}, out, error);
}

akin_status akin_zipf_build_of(const double *weights, uint32_t universe, akin_zipf *out, akin_error *error)
{
    return build_zipf(universe, &(weighing){.weights = weights}, out, error);
}

void akin_zipf_clear(akin_zipf *zipf)
{
    akin_free(zipf->sums);
    akin_free(zipf->guide);
    *zipf = (akin_zipf){0};
}

uint32_t akin_zipf_draw(const akin_zipf *zipf, akin_random *random)
{
    uint64_t at = akin_random_below(random, zipf->total);
    if (!zipf->sums)
        return (uint32_t)at;
    uint32_t token = zipf->guide[at >> zipf->shift];
    while (zipf->sums[(uint64_t)token + 1] <= at)
        token++;
    return token;
}

/* -------------------------------------------------------------------------------------------------------------- urn */

/* The weight of the tokens from `first` up to, not including, `end`. */
static uint64_t weight_between(const akin_zipf *zipf, uint64_t first, uint64_t end)
{
    return zipf->sums ? zipf->sums[end] - zipf->sums[first] : end - first;
}

/* tree[i], i from 1 to universe, is the weight left among the tokens i - (i & -i) .. i - 1. */
akin_status akin_urn_fill(const akin_zipf *zipf, akin_urn *out, akin_error *error)
{
    *out = (akin_urn){.zipf = zipf, .total = zipf->total};
    out->tree = akin_alloc(NULL, (uint64_t)zipf->universe + 1, sizeof *out->tree);
    if (!out->tree)
        return akin_fail_memory(error, "the weights of the tokens");
    for (uint64_t i = 1; i <= zipf->universe; i++)
        out->tree[i] = weight_between(zipf, i - (i & (0 - i)), i);
    return AKIN_OK;
}

void akin_urn_clear(akin_urn *urn)
{
    akin_free(urn->tree);
    *urn = (akin_urn){0};
}

void akin_urn_take(akin_urn *urn, uint32_t token)
{
    uint64_t own = weight_between(urn->zipf, token, (uint64_t)token + 1);
    urn->total -= own;
    for (uint64_t i = (uint64_t)token + 1; i <= urn->zipf->universe; i += i & (0 - i))
        urn->tree[i] -= own;
}

void akin_urn_put(akin_urn *urn, uint32_t token)
{
    uint64_t own = weight_between(urn->zipf, token, (uint64_t)token + 1);
    urn->total += own;
    for (uint64_t i = (uint64_t)token + 1; i <= urn->zipf->universe; i += i & (0 - i))
        urn->tree[i] += own;
}

uint32_t akin_urn_draw(akin_urn *urn, akin_random *random)
{
    uint64_t left = akin_random_below(random, urn->total), token = 0, universe = urn->zipf->universe;
    for (uint64_t step = UINT64_C(1) << 31; step > 0; step >>= 1)
        if (token + step <= universe && urn->tree[token + step] <= left) {
            token += step;
            left -= urn->tree[token];
        }
    akin_urn_take(urn, (uint32_t)token);
    return (uint32_t)token;
}
