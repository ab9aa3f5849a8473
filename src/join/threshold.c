/* Thresholds as ratios of integers: the overlap a pair needs and the sizes it may have. */
#include "join/threshold.h"

#include "base/bits.h"

/* Wide enough for num^2 r s: 2^30 * 2^30 * 2^32 * 2^32. */
__extension__ typedef unsigned __int128 wide;

akin_status akin_threshold_make(akin_measure measure, akin_ratio ratio, akin_threshold *out, akin_error *error)
{
    if (measure < AKIN_JACCARD || measure > AKIN_OVERLAP)
        return akin_fail(error, AKIN_E_OPTION, "unknown measure %d: expected Jaccard, cosine, Dice or overlap",
                         (int)measure);
    if (ratio.den == 0)
        return akin_fail(error, AKIN_E_OPTION, "a threshold is a ratio: its denominator cannot be 0");
    if (ratio.num == 0)
        return akin_fail(error, AKIN_E_OPTION, "a threshold must be above 0");
    uint32_t a = ratio.num, b = ratio.den;
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    uint32_t num = ratio.num / a, den = ratio.den / a;
    if (measure == AKIN_OVERLAP && den != 1)
        return akin_fail(error, AKIN_E_OPTION, "an overlap threshold is a whole number of tokens, not %u/%u", num, den);
    if (measure != AKIN_OVERLAP && num > den)
        return akin_fail(error, AKIN_E_OPTION, "a similarity threshold is at most 1, not %u/%u", num, den);
    if (num > 1000000000 || den > 1000000000)
        return akin_fail(error, AKIN_E_OPTION, "a threshold has at most 9 digits, not %u/%u", num, den);
    *out = (akin_threshold){measure, num, den};
    return AKIN_OK;
}

/* The smallest x with x^2 d >= n, for n / d below 2^64. */
static uint64_t ceil_sqrt(wide n, wide d)
{
    uint64_t x = 0;
    for (int bit = 32; bit >= 0; bit--) {
        uint64_t next = x | UINT64_C(1) << bit;
        if ((wide)next * next * d <= n)
            x = next;
    }
    return (wide)x * x * d < n ? x + 1 : x;
}

static uint64_t cosine_overlap(uint64_t num, uint64_t den, uint64_t r, uint64_t s)
{
    wide n = (wide)(num * num) * r * s, d = den * den;
    /* Small sizes fit 53 bits of a double's square root well enough to start from; the loops make it exact. */
    double guess = __builtin_sqrt((double)(r * s)) * (double)num / (double)den;
    if (guess > 9e6)
        return akin_max_u64(ceil_sqrt(n, d), 1);
    uint64_t x = (uint64_t)guess;
    while ((wide)x * x * d < n)
        x++;
    while (x > 1 && (wide)(x - 1) * (x - 1) * d >= n)
        x--;
    return x ? x : 1;
}

uint64_t akin_threshold_overlap(const akin_threshold *threshold, uint64_t r, uint64_t s)
{
    uint64_t num = threshold->num, den = threshold->den, n = num;
    if (threshold->measure == AKIN_JACCARD)
        n = akin_ceil_div(num * (r + s), num + den);
    else if (threshold->measure == AKIN_DICE)
        n = akin_ceil_div(num * (r + s), 2 * den);
    else if (threshold->measure == AKIN_COSINE)
        n = cosine_overlap(num, den, r, s);
    return n ? n : 1;
}

/*
 * s is possible for r when the overlap needed is at most min(r, s), which for s <= r reads:
 *   Jaccard  s (num + den) >= num (r + s)  <=>  s >= num r / den
 *   Dice     2 s den >= num (r + s)        <=>  s >= num r / (2 den - num)
 *   cosine   s^2 den^2 >= num^2 r s        <=>  s >= num^2 r / den^2
 */
uint64_t akin_threshold_smallest(const akin_threshold *threshold, uint64_t r)
{
    uint64_t num = threshold->num, den = threshold->den;
    wide least = num;
    if (threshold->measure == AKIN_JACCARD)
        least = akin_ceil_div(num * r, den);
    else if (threshold->measure == AKIN_DICE)
        least = akin_ceil_div(num * r, 2 * den - num);
    else if (threshold->measure == AKIN_COSINE)
        least = ((wide)(num * num) * r + den * den - 1) / (den * den);
    if (threshold->measure == AKIN_OVERLAP && r < num)
        return (uint64_t)UINT32_MAX + 1;
    return least ? (uint64_t)least : 1;
}

uint64_t akin_threshold_largest(const akin_threshold *threshold, uint64_t r)
{
    uint64_t num = threshold->num, den = threshold->den;
    wide most = UINT32_MAX;
    if (threshold->measure == AKIN_JACCARD)
        most = den * r / num;
    else if (threshold->measure == AKIN_DICE)
        most = (2 * den - num) * r / num;
    else if (threshold->measure == AKIN_COSINE)
        most = (wide)(den * den) * r / (num * num);
    else if (r < num)
        return 0;
    return most > UINT32_MAX ? UINT32_MAX : (uint64_t)most;
}

/* By overlap the smallest set may be too small to match at all while the largest is not. */
void akin_threshold_partners(const akin_threshold *threshold, uint64_t smallest, uint64_t largest, uint64_t *least,
                             uint64_t *most)
{
    *least = akin_min_u64(akin_threshold_smallest(threshold, smallest), akin_threshold_smallest(threshold, largest));
    *most = akin_threshold_largest(threshold, largest);
}

/*
 * The overlap needed is at most n when
 *   Jaccard  num (r + s) <= n (num + den)      Dice  num (r + s) <= 2 n den      cosine  num^2 r s <= n^2 den^2
 */
uint64_t akin_threshold_largest_within(const akin_threshold *threshold, uint64_t r, uint64_t n)
{
    uint64_t num = threshold->num, den = threshold->den, sum = 0;
    wide most = UINT32_MAX;
    if (threshold->measure == AKIN_JACCARD)
        sum = n * (num + den) / num;
    else if (threshold->measure == AKIN_DICE)
        sum = 2 * n * den / num;
    else if (threshold->measure == AKIN_COSINE)
        most = n <= UINT32_MAX ? (wide)(n * n) * (den * den) / ((wide)(num * num) * r) : UINT32_MAX;
    else
        most = n >= num ? UINT32_MAX : 0;
    if (threshold->measure == AKIN_JACCARD || threshold->measure == AKIN_DICE)
        most = sum > r ? sum - r : 0;
    return most > UINT32_MAX ? UINT32_MAX : (uint64_t)most;
}

/*
 * The least fraction that is not below p / q, of those whose denominator is at most `most`; 0 < p <= q. One walks down the
 * tree of Stern and Brocot, between a fraction that is below and one that is not, as many steps to one side at once as can
 * be.
 */
static akin_ratio least_fraction(wide p, wide q, uint64_t most)
{
    uint64_t below_num = 0, below_den = 1, num = 1, den = 1;
    for (;;) {
        wide above = num * q - p * den, under = p * below_den - below_num * q; /* how far both are, times q */
        uint64_t steps = (most - den) / below_den;
        if (above / under < steps)
            steps = (uint64_t)(above / under);
        num += steps * below_num;
        den += steps * below_den;
        above -= steps * under;
        if (above == 0)
            break;
        uint64_t back = (most - below_den) / den;
        if ((under - 1) / above < back)
            back = (uint64_t)((under - 1) / above);
        below_num += back * num;
        below_den += back * den;
        if (back == 0)
            break;
    }
    return (akin_ratio){(uint32_t)num, (uint32_t)den};
}

akin_ratio akin_threshold_small(const akin_threshold *threshold, uint32_t most)
{
    uint64_t num = threshold->num, den = threshold->den;
    if (threshold->measure == AKIN_JACCARD)
        return least_fraction(num, num + den, 2 * (uint64_t)most);
    if (threshold->measure == AKIN_DICE)
        return least_fraction(num, 2 * den, 2 * (uint64_t)most);
    if (threshold->measure == AKIN_COSINE)
        return least_fraction(num * num, den * den, (uint64_t)most * most);
    return (akin_ratio){(uint32_t)akin_min_u64(num, (uint64_t)most + 1), 1};
}
