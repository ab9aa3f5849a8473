/* Probabilities that LSH functions agree, and how many functions an estimate takes. */
#include "signature/collision.h"

#include <math.h>

static const akin_family_row *law_row_of(const akin_family_head *head)
{
    return akin_family_row_of((akin_family_kind)head->kind);
}

double akin_family_collision(const akin_family_head *head, double distance)
{
    return distance > 0 ? law_row_of(head)->collision(head, distance) : 1;
}

double akin_family_distance(const akin_family_head *head, double collision)
{
    return collision >= 1 ? 0 : law_row_of(head)->distance(head, collision);
}

double akin_family_estimate(const akin_family_head *head, uint32_t agreed)
{
    const double share = (double)agreed / head->functions;
    const double by_chance = law_row_of(head)->is_hashed ? 1.0 / head->buckets : 0;
    return akin_family_distance(head, (share - by_chance) / (1 - by_chance));
}

/* -------------------------------------------------------------------------------------------------------- functions */

#define SLACK 1e-9 /* in counts: rounding takes none away */

/* The chance of low to high successes, both included, of m, each of chance s: from the likeliest of them both ways. */
static double chance(uint32_t m, double s, int64_t low, int64_t high)
{
    low = low < 0 ? 0 : low;
    high = high > (int64_t)m ? (int64_t)m : high;
    if (low > high)
        return 0;
    if (s <= 0 || s >= 1)
        return s <= 0 ? low == 0 : high == (int64_t)m;
    int64_t top = (int64_t)((m + 1.0) * s);
    top = top < low ? low : top > high ? high : top;
    const double odds = s / (1 - s);
    const double most = exp(lgamma(m + 1.0) - lgamma((double)top + 1) - lgamma((double)(m - top) + 1) +
                            (double)top * log(s) + (double)(m - top) * log1p(-s));
    double sum = most, term = most;
    for (int64_t c = top; c < high && term > sum * 1e-18; c++)
        sum += term *= (double)(m - c) / (double)(c + 1) * odds;
    term = most;
    for (int64_t c = top; c > low && term > sum * 1e-18; c--)
        sum += term *= (double)c / (double)(m - c + 1) / odds;
    return sum;
}

/* As s rises from 0 to 1/2, counts leave the window at s = c / m + epsilon and join it at s = c / m - epsilon. Between
 * two such places the window stays, and the chance of it rises and then falls, so it is least where it ends, on either
 * side of a place. Above 1/2 it is the same mirrored. Whether it is `enough` everywhere; *least is what was met. */
static int is_enough(uint32_t m, double epsilon, double enough, double *least)
{
    const double width = epsilon * m;
    *least = 1;
    for (uint32_t c = 0; c <= m; c++) {
        const double leaves = c + width, joins = c - width; /* places, times m */
        if (leaves <= m / 2.0) {
            const int64_t high = (int64_t)floor(leaves + width + SLACK);
            const double after = chance(m, leaves / m, (int64_t)c + 1, high);
            *least = after < *least ? after : *least;
        }
        if (joins >= 0 && joins <= m / 2.0) {
            const int64_t low = (int64_t)ceil(joins - width - SLACK);
            const double before = chance(m, joins / m, low, (int64_t)c - 1);
            *least = before < *least ? before : *least;
        }
        if (*least < enough)
            return 0;
    }
    return 1;
}

double akin_family_certainty(uint32_t functions, double epsilon)
{
    double least = 0;
    if (functions > 0)
        is_enough(functions, epsilon, 0, &least);
    return least;
}

akin_status akin_family_functions(double epsilon, double delta, uint32_t *out, akin_error *error)
{
    double least;
    if (!(epsilon >= 0.02 && epsilon <= 1))
        return akin_fail(error, AKIN_E_OPTION, "an epsilon of %g: expected 0.02 to 1", epsilon);
    if (!(delta > 0 && delta < 1))
        return akin_fail(error, AKIN_E_OPTION, "a delta of %g: expected more than 0 and less than 1", delta);
    const double bound = ceil(log(2 / delta) / (2 * epsilon * epsilon)); /* Hoeffding: from there on it is */
    if (bound > 1e6)
        return akin_fail(error, AKIN_E_OPTION, "a delta of %g would take more than a million hash functions", delta);
    uint32_t m = (uint32_t)bound;
    while (m > 1 && is_enough(m - 1, epsilon, 1 - delta, &least))
        m--;
    *out = m;
    return AKIN_OK;
}

uint32_t akin_family_functions_at(double s, double epsilon, double delta, uint32_t most)
{
    for (uint32_t m = 1; m <= most; m++)
        if (chance(m, s, (int64_t)ceil((s - epsilon) * m - SLACK), (int64_t)floor((s + epsilon) * m + SLACK)) >=
            1 - delta)
            return m;
    return 0;
}
