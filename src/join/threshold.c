/* Thresholds as ratios of integers: the overlap a pair needs and the sizes it may have. */
#include "join/threshold.h"

#include "base/bits.h"

/* Wide enough for want r s: 2^60 * 2^32 * 2^32. */
typedef akin_u128 wide;

akin_status akin_threshold_make(akin_measure measure, akin_ratio ratio, akin_threshold *out, akin_error *error)
{
    const akin_measure_row *row = akin_measure_of(measure);
    if (!row || !(row->choice.capabilities & AKIN_FOR_JOIN)) {
        char names[256];
        akin_choice_list(&akin_measures, AKIN_FOR_JOIN, names, sizeof names);
        return akin_fail(error, AKIN_E_OPTION, "unknown measure %d: expected %s", (int)measure, names);
    }
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
    const int counts = (row->choice.capabilities & AKIN_TAKES_COUNT) != 0;
    if (counts && den != 1)
        return akin_fail(error, AKIN_E_OPTION, "an overlap threshold is a whole number of tokens, not %u/%u", num, den);
    if (!counts && num > den)
        return akin_fail(error, AKIN_E_OPTION, "a similarity threshold is at most 1, not %g", (double)num / den);
    if (num > 1000000000 || den > 1000000000)
        return akin_fail(error, AKIN_E_OPTION, "a threshold has at most 9 digits, not %u/%u", num, den);
    *out = (akin_threshold){measure, num, den, akin_measure_rule_of(row, num, den)};
    return AKIN_OK;
}

akin_threshold akin_threshold_turn(const akin_threshold *threshold)
{
    akin_threshold turned = *threshold;
    switch (threshold->rule.form) {
    case AKIN_FORM_FIRST:
        turned.rule.form = AKIN_FORM_SECOND;
        break;
    case AKIN_FORM_SECOND:
        turned.rule.form = AKIN_FORM_FIRST;
        break;
    case AKIN_FORM_SUM:
    case AKIN_FORM_PRODUCT:
    case AKIN_FORM_CONSTANT:
    case AKIN_FORM_SMALLER:
        break;
    }
    return turned;
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

static uint64_t product_overlap(const akin_threshold *threshold, uint64_t r, uint64_t s)
{
    wide n = (wide)(r * s) * threshold->rule.want, d = threshold->rule.have;
    /* Small sizes fit 53 bits of a double's square root well enough to start from; the loops make it exact. */
    double guess = __builtin_sqrt((double)(r * s)) * (double)threshold->num / (double)threshold->den;
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
    const akin_measure_rule *rule = &threshold->rule;
    if (akin_form_is_squared(rule->form))
        return product_overlap(threshold, r, s);
    uint64_t n = akin_ceil_div(rule->want * akin_rule_size(rule->form, r, s), rule->have);
    return n ? n : 1;
}

/*
 * s is possible for r when the overlap needed is at most min(r, s). For s <= r it is at most s if
 *
 *     SUM      s have >= want (r + s)    <=>  s >= want r / (have - want)
 *     PRODUCT  s^2 have >= want r s      <=>  s >= want r / have
 *     FIRST    s have >= want r          <=>  s >= want r / have
 *     SMALLER  s have >= want s, SECOND the same: always
 */
uint64_t akin_threshold_smallest(const akin_threshold *threshold, uint64_t r)
{
    const uint64_t have = threshold->rule.have, want = threshold->rule.want;
    wide least = 1;
    switch (threshold->rule.form) {
    case AKIN_FORM_SUM:
        least = akin_ceil_div(want * r, have - want);
        break;
    case AKIN_FORM_PRODUCT:
    case AKIN_FORM_FIRST:
        least = ((wide)want * r + have - 1) / have;
        break;
    case AKIN_FORM_CONSTANT:
        least = r < want ? (uint64_t)UINT32_MAX + 1 : want;
        break;
    case AKIN_FORM_SMALLER:
    case AKIN_FORM_SECOND:
        break;
    }
    return least ? (uint64_t)least : 1;
}

/* For s >= r it is at most r if, turning the same inequalities round, s is at most what stands here. */
uint64_t akin_threshold_largest(const akin_threshold *threshold, uint64_t r)
{
    const uint64_t have = threshold->rule.have, want = threshold->rule.want;
    wide most = UINT32_MAX;
    switch (threshold->rule.form) {
    case AKIN_FORM_SUM:
        most = (have - want) * r / want;
        break;
    case AKIN_FORM_PRODUCT:
    case AKIN_FORM_SECOND:
        most = (wide)have * r / want;
        break;
    case AKIN_FORM_CONSTANT:
        most = r < want ? 0 : UINT32_MAX;
        break;
    case AKIN_FORM_SMALLER:
    case AKIN_FORM_FIRST:
        break;
    }
    return most > UINT32_MAX ? UINT32_MAX : (uint64_t)most;
}

/* By overlap the smallest set may be too small to match at all while the largest is not. */
void akin_threshold_partners(const akin_threshold *threshold, uint64_t smallest, uint64_t largest, uint64_t *least,
                             uint64_t *most)
{
    *least = akin_min_u64(akin_threshold_smallest(threshold, smallest), akin_threshold_smallest(threshold, largest));
    *most = akin_threshold_largest(threshold, largest);
}

/* The overlap needed is at most n when want F(r, s) <= n have, or by PRODUCT <= n^2 have. */
uint64_t akin_threshold_largest_within(const akin_threshold *threshold, uint64_t r, uint64_t n)
{
    const uint64_t have = threshold->rule.have, want = threshold->rule.want;
    wide most = UINT32_MAX;
    switch (threshold->rule.form) {
    case AKIN_FORM_SUM:
        most = n * have / want;
        most = most > r ? most - r : 0;
        break;
    case AKIN_FORM_PRODUCT:
        if (n <= UINT32_MAX)
            most = (wide)(n * n) * have / ((wide)want * r);
        break;
    case AKIN_FORM_CONSTANT:
        most = n >= want ? UINT32_MAX : 0;
        break;
    case AKIN_FORM_SMALLER:
        if (want * r > n * have)
            most = n * have / want;
        break;
    case AKIN_FORM_FIRST:
        most = want * r <= n * have ? UINT32_MAX : 0;
        break;
    case AKIN_FORM_SECOND:
        most = n * have / want;
        break;
    }
    return most > UINT32_MAX ? UINT32_MAX : (uint64_t)most;
}

/*
 * The least fraction that is not below p / q, of those whose denominator is at most `most`; 0 < p <= q. One walks down
 * the tree of Stern and Brocot, between a fraction that is below and one that is not, as many steps to one side at once
 * as can be.
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
    const akin_measure_rule *rule = &threshold->rule;
    uint64_t denominators = 2 * (uint64_t)most;
    switch (rule->form) {
    case AKIN_FORM_CONSTANT:
        return (akin_ratio){(uint32_t)akin_min_u64(rule->want, (uint64_t)most + 1), 1};
    case AKIN_FORM_PRODUCT:
        denominators = (uint64_t)most * most;
        break;
    case AKIN_FORM_SUM:
    case AKIN_FORM_SMALLER:
    case AKIN_FORM_FIRST:
    case AKIN_FORM_SECOND:
        break;
    }
    return least_fraction(rule->want, rule->have, denominators);
}
