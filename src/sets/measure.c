/* The table of measures, and how alike two sets are, from their sizes and what they have in common. */
#include "sets/measure.h"

#include <math.h>
#include <string.h>

#define FRACTION 52 /* bits of a double behind its leading one */
#define ONE      (UINT64_C(1) << FRACTION)

__extension__ typedef __int128 difference;

#define EVERYWHERE (AKIN_FOR_JOIN | AKIN_FOR_SEARCH | AKIN_FOR_DEDUPE)

static const akin_measure_row rows[] = {
    {{"jaccard", "", "tokens in common / tokens in either set", AKIN_JACCARD, EVERYWHERE},
     .form = AKIN_FORM_SUM,
     .times = 1,
     .plus = 1},
    {{"cosine", "", "tokens in common / square root of (size x size)", AKIN_COSINE, EVERYWHERE},
     .form = AKIN_FORM_PRODUCT,
     .times = 1},
    {{"dice", "", "2 x tokens in common / (size + size)", AKIN_DICE, EVERYWHERE}, .form = AKIN_FORM_SUM, .times = 2},
    {{"overlap", "", "tokens in common", AKIN_OVERLAP, AKIN_FOR_JOIN | AKIN_TAKES_COUNT},
     .form = AKIN_FORM_CONSTANT,
     .times = 1},
    {{"overlap-coefficient", "", "tokens in common / the smaller size", AKIN_OVERLAP_COEFFICIENT, AKIN_FOR_JOIN},
     .form = AKIN_FORM_SMALLER,
     .times = 1},
    {{"containment", "", "tokens in common / size of the left row", AKIN_CONTAINMENT, AKIN_FOR_JOIN | AKIN_IS_DIRECTED},
     .form = AKIN_FORM_FIRST,
     .times = 1,
     .undirected = "overlap-coefficient"},
};
const akin_choice_table akin_measures = AKIN_CHOICE_TABLE("measure", rows);

const akin_measure_row *akin_measure_of(akin_measure measure)
{
    return (const akin_measure_row *)akin_choice_of(&akin_measures, (int)measure);
}

akin_measure_rule akin_measure_rule_of(const akin_measure_row *row, uint32_t num, uint32_t den)
{
    const uint64_t n = num, d = den;
    if (akin_form_is_squared(row->form))
        return (akin_measure_rule){row->form, d * d, n * n};
    return (akin_measure_rule){row->form, row->times * d + row->plus * n, n};
}

/*
 * Whether n / sqrt(size) >= (m + quarters / 4) 2^e, that is, with u for the quarters,
 *
 *     n^2 2^(4 - 2e) - (4m)^2 size >= (8m u + u^2) size
 *
 * m has 53 bits, and m 2^e is within four units of the last place. So both sides are below 2^126, and the lower 128
 * bits of the left side are all of it.
 */
static int is_beyond(uint64_t n, uint64_t size, uint64_t m, int e, int quarters)
{
    const int shift = 4 - 2 * e; /* above 0, as the quotient is below 2^32 */
    const akin_u128 square = shift < 128 ? (akin_u128)(n * n) << shift : 0, own = (akin_u128)(4 * m) * (4 * m);
    const difference u = quarters;
    return (difference)(square - own * size) >= (8 * (difference)m * u + u * u) * size;
}

/*
 * The nearest double of n / sqrt(size), n below 2^32 and above 0, size above 0. The quotient of doubles is rounded
 * three times, so it is within three units of the last place; each step goes one double nearer. No quotient is halfway
 * between two doubles: it would be a fraction whose numerator has 54 bits, and n has 32.
 */
static double divide_by_root(uint64_t n, uint64_t size)
{
    double value = (double)n / sqrt((double)size);
    for (;;) {
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        const uint64_t fraction = bits & (ONE - 1), m = ONE | fraction;
        const int e = (int)(bits >> FRACTION) - 1023 - FRACTION;
        if (is_beyond(n, size, m, e, 2))
            bits++;
        else if (!is_beyond(n, size, m, e, fraction ? -2 : -1)) /* doubles are denser below a power of two */
            bits--;
        else
            return value;
        memcpy(&value, &bits, sizeof value);
    }
}

double akin_measure_value(akin_measure measure, uint32_t size_left, uint32_t size_right, uint32_t overlap)
{
    const akin_measure_row *row = akin_measure_of(measure);
    double n = overlap;
    if (n == 0 || !row)
        return 0;
    const uint64_t size = akin_rule_size(row->form, size_left, size_right);
    if (akin_form_is_squared(row->form) && size > 0)
        return divide_by_root(overlap, size);
    return row->times * n / ((double)size - row->plus * n);
}
