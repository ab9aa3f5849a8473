/* Compares similarities: by doubles where they differ enough, else as fractions of integers. */
#include "strings/order.h"

#define DENOMINATOR 1000000000u /* of a cutoff that replaces a similarity by matches */

/* A similarity as a fraction. */
typedef struct fraction {
    akin_u128 num, den;
} fraction;

/* -1, 0 or 1, by the continued fractions of both: no product is needed, which would have 256 bits. Denominators are not
 * 0. */
static int compare_fractions(fraction a, fraction b)
{
    for (int sign = 1;; sign = -sign) {
        const akin_u128 x = a.num / a.den, y = b.num / b.den;
        if (x != y)
            return x > y ? sign : -sign;
        const akin_u128 rest_a = a.num % a.den, rest_b = b.num % b.den;
        if (rest_a == 0 || rest_b == 0)
            return rest_a == rest_b ? 0 : rest_a ? sign : -sign;
        a = (fraction){a.den, rest_a};
        b = (fraction){b.den, rest_b};
    }
}

static double similarity_of(const akin_order *order, const akin_alike *a)
{
    return akin_jaro_similarity(a->jaro, order->query, a->length, a->prefix, &order->cutoff->winkler);
}

/* j (1 - s) + s, with s the prefix times its scale: times the denominator of the scale, which all have. Lengths have 31
 * bits, so j's numbers have less than 97, and the others 30. */
static fraction fraction_of(const akin_order *order, const akin_alike *a)
{
    const akin_winkler *winkler = &order->cutoff->winkler;
    const akin_jaro_ratio j = akin_jaro_ratio_of(a->jaro, order->query, a->length, winkler->floored);
    const akin_winkler alone = {winkler->floored, {0, 1}, 0};
    const double similarity = akin_jaro_similarity(a->jaro, order->query, a->length, 0, &alone);
    const int counts = akin_winkler_counts(winkler, a->jaro, order->query, a->length, similarity);
    const uint64_t one = order->cutoff->scale.den, scale = counts ? (uint64_t)a->prefix * order->cutoff->scale.num : 0;
    return (fraction){j.num * (one - scale) + j.den * scale, j.den};
}

static int order_of_matches(const akin_order *order, const akin_alike *a, const akin_alike *b)
{
    const double difference = similarity_of(order, a) - similarity_of(order, b);
    if (difference > AKIN_SIMILARITY_NEAR || difference < -AKIN_SIMILARITY_NEAR)
        return difference > 0 ? 1 : -1;
    if (a->length == b->length && a->prefix == b->prefix && a->jaro.matched == b->jaro.matched &&
        a->jaro.apart == b->jaro.apart)
        return 0;
    return compare_fractions(fraction_of(order, a), fraction_of(order, b));
}

int akin_order_of(const akin_order *order, const akin_alike *a, const akin_alike *b)
{
    if (order->cutoff->is_jaro)
        return order_of_matches(order, a, b);
    uint64_t left = a->distance, right = b->distance;
    if (!order->by_distance) {
        left *= akin_max_u32(order->query, b->length);
        right *= akin_max_u32(order->query, a->length);
    }
    return (left < right) - (left > right);
}

akin_cutoff akin_order_cutoff(const akin_order *order, const akin_alike *a, const akin_cutoff *least)
{
    akin_cutoff cutoff = *least;
    if (order->by_distance) {
        cutoff.most = a->distance;
    } else if (!cutoff.is_jaro) {
        const uint32_t longer = akin_max_u32(order->query, a->length);
        cutoff.ratio = (akin_ratio){longer - a->distance, longer};
    } else {
        const double units = (similarity_of(order, a) - 2 * AKIN_SIMILARITY_NEAR) * DENOMINATOR;
        const akin_ratio ratio = {units > 1 ? (uint32_t)units : 1, DENOMINATOR};
        cutoff.ratio = akin_ratio_below(ratio, least->ratio) ? least->ratio : ratio;
    }
    return cutoff;
}
