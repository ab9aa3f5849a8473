/* Draws Zipf-distributed tokens, the same ones on every machine. */
#include "sets/zipf.h"

#include "base/memory.h"

#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

/* ---------------------------------------------------------------------------------------------------------- weights */

#define LN_2 0x1.62e42fefa39efp-1

/* The natural logarithm of k, at least 1: ln k = e ln 2 + ln m, and ln m = 2 artanh z = 2 (z + z^3 / 3 + ...) with
 * z = (m - 1) / (m + 1), |z| <= 1/5. */
static double logarithm(uint64_t k)
{
    int e = 63 - __builtin_clzll(k);
    double m = (double)k / (double)(UINT64_C(1) << e);
    if (m > 1.5) {
        m /= 2;
        e++;
    }
    double z = (m - 1) / (m + 1), square = z * z, sum = 0;
    for (int n = 25; n > 1; n -= 2)
        sum = (sum + 1.0 / n) * square;
    return e * LN_2 + 2 * z * (1 + sum);
}

/* e^-x, x at least 0: 2^-n e^r with |r| <= ln 2 / 2, by Taylor's series. 0 where it is below 2^-1000. */
static double exponential(double x)
{
    if (x > 1000 * LN_2)
        return 0;
    int n = (int)(x / LN_2 + 0.5);
    double r = n * LN_2 - x, sum = 1, power;
    for (int i = 15; i > 0; i--)
        sum = 1 + sum * r / i;
    uint64_t bits = (uint64_t)(1023 - n) << 52;
    memcpy(&power, &bits, sizeof power);
    return sum * power;
}

static double weight(uint32_t token, double exponent)
{
    return exponential(exponent * logarithm((uint64_t)token + 1));
}

/* Scales the weights so that they add up to about 2^61, none being less than 1: the precision is that of the doubles,
 * and the tokens that are far too rare to be drawn can still be, when all others have been. */
static void sum_weights(akin_zipf *zipf, double exponent)
{
    double all = 0;
    for (uint32_t k = 0; k < zipf->universe; k++)
        all += weight(k, exponent);
    double scale = 0x1p61 / all;
    for (uint32_t k = 0; k < zipf->universe; k++) {
        uint64_t own = (uint64_t)(scale * weight(k, exponent));
        zipf->sums[k] = zipf->total;
        zipf->total += own > 0 ? own : 1;
    }
    zipf->sums[zipf->universe] = zipf->total;
}

akin_status akin_zipf_build(uint32_t universe, double exponent, akin_zipf *out, akin_error *error)
{
    *out = (akin_zipf){.universe = universe, .total = universe};
    if (exponent == 0)
        return AKIN_OK;
    out->total = 0;
    out->sums = akin_alloc(NULL, (uint64_t)universe + 1, sizeof *out->sums);
    if (!out->sums)
        return akin_fail_memory(error, "the weights of the tokens");
    sum_weights(out, exponent);
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
